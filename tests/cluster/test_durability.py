"""All nodes of a cluster are asked how they are set."""

import pytest

from service.redis import layout
from service.redis.durability import refuse_unfit, risky_settings
from service.starting import RedisUnavailable


def test_a_setting_of_all_nodes_is_said_once(connection):
    said = [doubt.partition(":")[0] for doubt in risky_settings(connection)]
    assert said.count("Redis has aof-load-truncated yes, not no") == 1
    assert len({*said}) == len(said)


def test_a_cluster_is_refused_if_one_of_its_masters_would_delete_histories(connection, cluster):
    refuse_unfit(connection)
    master = next(node for node in reversed(cluster.nodes) if node.is_master)
    master.client.config_set("maxmemory-policy", "allkeys-lfu")
    try:
        with pytest.raises(RedisUnavailable, match="maxmemory-policy allkeys-lfu"):
            refuse_unfit(connection)
    finally:
        master.client.config_set("maxmemory-policy", "noeviction")


def test_a_cluster_has_a_number_of_its_indexes_too(redis):
    layout.settle(redis)
    assert layout.warnings(redis) == []
    redis.delete(layout.MADE_BY)
    [said] = layout.warnings(redis)
    assert "earlier version" in said
