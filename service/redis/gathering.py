"""Concurrent work whose commands to Redis are sent together.

Each piece of work runs in a greenlet of its own, as if it were alone. Its commands wait until all
other pieces wait for Redis, too. Then they are sent in one pipeline, in a cluster in one for each
node: so fifty pieces take as many round trips as one. This is no transaction: each command succeeds
or fails on its own, and each piece gets only its own answers.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

import gevent
from gevent.event import AsyncResult
from redis import ConnectionError, Redis, ResponseError
from redis.client import Pipeline

from service.redis.idle_connections import Command, IdleConnections

T = TypeVar("T")


class Result(Generic[T]):
    """A piece of work, then its ``result`` or the ``error`` that it raised."""

    result: T
    error: Exception | None = None

    def __init__(self, work: Callable[[], T]):
        self._work = work

    def do(self) -> None:
        try:
            self.result = self._work()
        except Exception as error:
            self.error = error


class Group:
    """Pieces of work that run together, and the commands that they wait for."""

    def __init__(self) -> None:
        self._asked: dict[Redis, list[tuple[list[Command], AsyncResult]]] = {}

    def answers(
        self, redis: Redis, commands: list[Command], raise_on_error: bool = True
    ) -> list[Any]:
        """Send these commands in one pipeline with those of the group's other greenlets. Return the
        replies to these commands only."""
        asked = self._asked.setdefault(redis, [])
        answered = AsyncResult()
        asked.append((commands, answered))
        if len(asked) == 1:  # send once all other pieces that can run now have run
            gevent.spawn(self._send, redis)
        replies = answered.get()
        for answer in replies if raise_on_error else ():
            if isinstance(answer, Exception):
                raise answer
        return replies

    def _send(self, redis: "Client") -> None:
        asked = self._asked.pop(redis)
        try:
            answers = iter(
                redis.answers_to([command for commands, _ in asked for command in commands])
            )
            for commands, answered in asked:
                answered.set([next(answers) for _ in commands])
        except Exception as error:
            for _, answered in asked:
                if not answered.ready():
                    answered.set_exception(error)


def gather(works: Iterable[Callable[[], object]]) -> None:
    """Run all these pieces of work. Once all have ended, raise the first error."""
    works = [*works]
    if len(works) == 1:
        works[0]()
        return
    group, results = Group(), [*map(Result, works)]
    members = [gevent.Greenlet(result.do) for result in results]
    for member in members:
        member.group = group
        member.start()
    gevent.joinall(members)
    for result in results:
        if result.error:
            raise result.error


def current_group() -> Group | None:
    """Return the group that the present greenlet belongs to, None if it belongs to none."""
    return getattr(gevent.getcurrent(), "group", None)


def pipelined(pipe: Pipeline, commands: Iterable[Command]) -> list[Any]:
    """Send commands in a pipeline; return their answers, or errors for those that fail."""
    for words, options in commands:
        pipe.execute_command(*words, **options)
    return pipe.execute(raise_on_error=False)


class Client(Redis):
    """A client of one Redis server. In a greenlet of a group, it sends commands together with those
    of the group's other greenlets."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        retry = self.get_retry()
        self._connections = IdleConnections() if retry and retry.get_retries() else None

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Return the answer to a command; send it again if the connection fails."""
        if group := current_group():
            return group.answers(self, [(args, options)])[0]
        if not self._connections:
            return super().execute_command(*args, **options)
        connection = self._connections.take(self)
        try:
            [answer] = self._connections.ask(self, connection, [(args, options)])
        except ConnectionError:
            return super().execute_command(*args, **options)
        if isinstance(answer, ResponseError):
            raise answer
        return answer

    def answers_to(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands together; return their answers, or errors for those that fail. Send all of
        them again if the connection fails."""
        if self._connections:
            connection = self._connections.take(self)
            with suppress(ConnectionError):
                return self._connections.ask(self, connection, commands)
        return pipelined(super().pipeline(transaction=False), commands)

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:
        """Return a pipeline. Its commands are sent with those of the group, unless it is a
        transaction."""
        group = None if transaction else current_group()
        if group:
            return _Pipe(self, partial(group.answers, self, raise_on_error=False))
        if self._connections and not transaction:
            return _Pipe(self, self.answers_to)
        return super().pipeline(transaction, shard_hint)


class _Pipe(Pipeline):
    """A pipeline whose commands are sent by ``send``: with those of a group, or over a connection
    that is kept open."""

    def __init__(self, client: Client, send: Callable[[list[Command]], list[Any]]):
        super().__init__(client.connection_pool, client.response_callbacks, False, None)
        self._send = send

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        commands = self.command_stack
        self.reset()
        answers = self._send(commands) if commands else []
        for answer in answers if raise_on_error else ():
            if isinstance(answer, ResponseError):
                self.raise_first_error(commands, answers)
        return answers
