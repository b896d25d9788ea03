"""What several do side by side, so that their commands to Redis travel together.

Each piece of work is done in a greenlet of its own, as if it were alone. What the pieces ask of one
Redis waits until each of them waits, and is sent in one pipeline, of a cluster in one to each node:
so fifty take as many round trips as one. It is no transaction: each command is done, or fails, on
its own, and whoever asked for it is answered just that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

import gevent
from gevent.event import AsyncResult
from redis import ConnectionError, Redis, ResponseError
from redis.client import Pipeline

from service.store.lines import Command, Lines

T = TypeVar("T")


class Outcome(Generic[T]):
    """What a piece of work came to: its ``result``, or the ``error`` that it raised."""

    result: T
    error: Exception | None = None

    def __init__(self, work: Callable[[], T]):
        self._work = work

    def do(self) -> None:
        """Do the work."""
        try:
            self.result = self._work()
        except Exception as error:
            self.error = error


class Group:
    """Those who work side by side, and what they wait for."""

    def __init__(self) -> None:
        self._asked: dict[Redis, list[tuple[list[Command], AsyncResult]]] = {}

    def answers(
        self, redis: Redis, commands: list[Command], raise_on_error: bool = True
    ) -> list[Any]:
        """Return what a Redis answers to commands, which are sent with those of the others."""
        asked = self._asked.setdefault(redis, [])
        answered = AsyncResult()
        asked.append((commands, answered))
        if len(asked) == 1:  # it begins once all who can go on now have had their turn
            gevent.spawn(self._send, redis)
        found = answered.get()
        for answer in found if raise_on_error else ():
            if isinstance(answer, Exception):
                raise answer
        return found

    def _send(self, redis: Client) -> None:
        asked = self._asked.pop(redis)
        try:
            answers = iter(redis.answers_to(
                [command for commands, _ in asked for command in commands]))
            for commands, answered in asked:
                answered.set([next(answers) for _ in commands])
        except Exception as error:
            for _, answered in asked:
                if not answered.ready():
                    answered.set_exception(error)


class _Member(gevent.Greenlet):
    """Does a piece of work in a group."""

    def __init__(self, group: Group, run: Callable[[], None]):
        super().__init__(run)
        self.group = group


def side_by_side(works: Iterable[Callable[[], None]]) -> None:
    """Do all these pieces of work."""
    works = [*works]
    if len(works) == 1:
        works[0]()
        return
    group = Group()
    members = [_Member(group, work) for work in works]
    for member in members:
        member.start()
    gevent.joinall(members, raise_error=True)


def group_here() -> Group | None:
    """Return the group in which work is being done here, None for whoever is alone."""
    return getattr(gevent.getcurrent(), "group", None)


def pipelined(pipe: Pipeline, commands: Iterable[Command]) -> list[Any]:
    """Return the answers to commands that a pipeline sends, of those that fail the errors."""
    for words, options in commands:
        pipe.execute_command(*words, **options)
    return pipe.execute(raise_on_error=False)


class Client(Redis):
    """A client of a server, for work alone and side by side."""

    lines: ClassVar[type[Lines]] = Lines  # what keeps its connections

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        retry = self.get_retry()
        self._lines = self.lines() if retry and retry.get_retries() else None

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Return the answer to a command; one that has failed with its connection runs again."""
        if group := group_here():
            return group.answers(self, [(args, options)])[0]
        if not self._lines:
            return super().execute_command(*args, **options)
        try:
            [answer] = self._lines.ask(self, [(args, options)])
        except ConnectionError:
            return super().execute_command(*args, **options)
        if isinstance(answer, ResponseError):
            raise answer
        return answer

    def answers_to(self, commands: Sequence[Command]) -> list[Any]:
        """Return the answers to commands that are sent together, of those that fail the errors;
        all run again that have failed with their connection."""
        if self._lines:
            with suppress(ConnectionError):
                return self._lines.ask(self, commands)
        return pipelined(super().pipeline(transaction=False), commands)

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:
        """Return a pipeline; it joins those of others unless it is a transaction."""
        group = None if transaction else group_here()
        if group:
            return _Joining(group, self)
        if self._lines and not transaction:
            return _Kept(self)
        return super().pipeline(transaction, shard_hint)


class _Kept(Pipeline):
    """A pipeline of which the commands are sent over a connection that is kept."""

    def __init__(self, client: Client):
        super().__init__(client.connection_pool, client.response_callbacks, False, None)
        self._client = client

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Return the answers to the commands."""
        commands = self.command_stack
        self.reset()
        answers = self._client.answers_to(commands) if commands else []
        if raise_on_error:
            self.raise_first_error(commands, answers)
        return answers


class _Joining(Pipeline):
    """A pipeline of which the commands are sent with those of others."""

    def __init__(self, group: Group, client: Client):
        super().__init__(client.connection_pool, client.response_callbacks, False, None)
        self._group, self._client = group, client

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Return the answers to the commands."""
        commands = self.command_stack
        self.reset()
        return self._group.answers(self._client, commands, raise_on_error) if commands else []
