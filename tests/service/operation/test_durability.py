"""What is said of a Redis that may lose games."""

import pytest

from service.operation.durability import doubts
from service.operation.redis import EmbeddedRedis, connect


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def client(server):
    with connect(server.url) as client:
        yield client


def test_the_embedded_redis_is_without_doubt(client):
    assert doubts(client) == []


@pytest.mark.parametrize(("name", "value", "good"), [
    ("appendonly", "no", "yes"), ("appendfsync", "everysec", "always"),
    ("aof-load-truncated", "yes", "no"), ("maxmemory-policy", "allkeys-lru", "noeviction")])
def test_each_setting_by_which_games_may_be_lost_is_named(client, name, value, good):
    client.config_set(name, value)
    try:
        [said] = doubts(client)
    finally:
        client.config_set(name, good)
    assert said.startswith(f"Redis has {name} {value}, not {good}: ")


def test_a_redis_that_may_take_all_memory_is_named(client):
    before = client.config_get("maxmemory")["maxmemory"]
    client.config_set("maxmemory", 0)
    try:
        [said] = doubts(client)
    finally:
        client.config_set("maxmemory", before)
    assert said.startswith("Redis has no maxmemory: ")


def test_nothing_is_said_of_a_redis_that_is_away_or_does_not_tell(server, client):
    client.execute_command("ACL SETUSER shy on >secret ~* &* +@all -config")
    with connect(server.url.replace("unix://", "unix://shy:secret@")) as shy:
        assert doubts(shy) == []
    with connect("unix:///nowhere.sock", retry=False) as away:
        assert doubts(away) == []
