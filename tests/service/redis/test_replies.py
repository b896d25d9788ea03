"""Checks of a connection before its first use."""

import pytest
import redis as redis_py

from service.redis.connection import connect
from service.redis.idle_connections import Parser


def test_a_connection_that_the_server_has_closed_is_not_used_again(redis_server, redis):
    with connect(redis_server.url, retry=False) as careful:
        first = careful.client_id()
        redis.client_kill_filter(_id=first)
        assert careful.client_id() != first  # not sent where nobody reads, so nothing broke


def test_a_connection_on_which_something_lies_unread_is_not_used_again(redis_server):
    with connect(redis_server.url, retry=False) as careful:
        connection = careful.connection_pool.get_connection()
        assert isinstance(connection._parser, Parser)
        assert not connection.can_read()
        connection.send_command("ECHO", "another's reply")
        assert connection.can_read(timeout=5)
        assert connection.can_read()
        careful.connection_pool.release(connection)
        assert careful.ping() is True
        connection.disconnect()
        with pytest.raises(redis_py.ConnectionError):
            connection._parser.can_read()
