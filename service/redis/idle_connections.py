"""Commands to Redis over connections that are kept.

redis-py asks its pool for a connection before each command and gives it back afterwards. That takes
three times as many calls as the command.
"""

import os
import select
from collections.abc import Sequence
from typing import Any

from gevent.monkey import get_original
from redis import Redis, RedisError, ResponseError
from redis.connection import ConnectionInterface, DefaultParser

Command = tuple[tuple[Any, ...], dict[str, Any]]  # its words, and how to read its answer
POLL = get_original("select", "poll")  # the system's own, even where gevent has patched it


class IdleConnections:
    """The idle connections of one client, taken from its pool for good."""

    def __init__(self) -> None:
        from hiredis import pack_command  # `connect` reports it if it is missing

        self._pack = pack_command
        self._idle: list[ConnectionInterface] = []
        self._process = os.getpid()

    def ask(
        self, client: Redis, connection: ConnectionInterface, commands: Sequence[Command]
    ) -> list[Any]:
        """Send commands together over a connection that was taken, and keep it. Return their
        answers, a ResponseError for each that fails. Raise RedisError if the connection fails: the
        commands may have run all the same."""
        try:
            connection.send_packed_command(
                [
                    b"".join(
                        [  # in one piece
                            self._packed(connection, words) for words, _ in commands
                        ]
                    )
                ]
            )
            answers = [self._answer(client, connection, *command) for command in commands]
        except BaseException:
            connection.disconnect()
            client.connection_pool.release(connection)
            raise
        self._idle.append(connection)
        return answers

    @staticmethod
    def _answer(
        client: Redis,
        connection: ConnectionInterface,
        words: tuple[Any, ...],
        options: dict[str, Any],
    ) -> Any:
        try:
            return client.parse_response(connection, words[0], **options)
        except ResponseError as error:
            return error

    def take(self, client: Redis) -> ConnectionInterface:
        """Return an idle connection, or a new one. Raise ConnectionError if none could be opened,
        after as many tries as the client makes."""
        if self._process != os.getpid():  # those are the parent's
            self._idle, self._process = [], os.getpid()
        while self._idle:
            connection = self._idle.pop()
            if not _is_broken(connection):
                return connection
            connection.disconnect()
            client.connection_pool.release(connection)
        return client.connection_pool.get_connection()

    def _packed(self, connection: ConnectionInterface, words: tuple[Any, ...]) -> bytes:
        if " " not in words[0]:  # else Redis expects two words
            try:
                return self._pack(words)
            except TypeError:  # redis-py can encode the value, or explains why not
                pass
        return b"".join(connection.pack_command(*words))


def _is_broken(connection: ConnectionInterface) -> bool:
    """Return whether an idle connection was closed, or has unexpected data to read."""
    try:
        return connection.can_read()
    except (RedisError, OSError):
        return True


class Parser(DefaultParser):
    """redis-py's parser, with another check before each command. The check finds closed connections
    and unread bytes. Here it calls the system's poll, as gevent's poll would first switch to every
    other greenlet. On TLS, which buffers received bytes, redis-py's check is used."""

    def can_read(self, timeout: float = 0) -> bool:
        """Return whether there are bytes to read, or the server has closed the connection."""
        is_plain = self._reader and not hasattr(self._sock, "pending")
        if is_plain and not timeout and not self._reader.has_data():
            poll = POLL()
            poll.register(self._sock, select.POLLIN)
            if not poll.poll(0):
                return False
        return super().can_read(timeout)
