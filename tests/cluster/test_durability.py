"""All nodes of a cluster are asked how they are set."""

from service.operation.durability import doubts


def test_a_setting_of_all_nodes_is_said_once(connection):
    [said] = doubts(connection)
    assert said.startswith("Redis has aof-load-truncated yes, not no: ")
