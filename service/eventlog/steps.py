"""Commands to Redis that are sent together, in as few round trips as their order allows.

This is no transaction: each command is done, or fails, on its own, also after one that has failed.
"""

from collections.abc import Callable, Sequence
from typing import Any

from redis import Redis, RedisCluster
from redis.exceptions import NoScriptError

from service.redis.scripts import Script


class Steps:
    """Commands that wait to be sent. Add them to ``pipe``, and scripts by ``run``."""

    def __init__(self, redis: Redis):
        self.redis, self._is_cluster = redis, isinstance(redis, RedisCluster)
        self.pipe = redis.pipeline(transaction=False)
        self._scripts: dict[int, tuple[Script, Sequence[Any]]] = {}
        self._on_answer: dict[int, Callable[[Any], None]] = {}

    def run(
        self, script: Script, on_answer: Callable[[Any], None] | None = None, **values: Any
    ) -> None:
        """Add a script with its keys and arguments; ``on_answer`` is called with its answer.

        Redis runs a script that it does not know after everything else that was sent with it. If a
        command in a later step depends on the script, add it as an EVAL instead."""
        place = len(self.pipe)
        words = script.words(values)
        self.pipe.execute_command("EVALSHA", script.name, *words)
        self._scripts[place] = script, words
        if on_answer:
            self._on_answer[place] = on_answer

    def next(self) -> None:
        """Begin a step: it runs after everything that was added until now.

        A single server runs commands in the order in which they arrive. The nodes of a cluster do
        not wait for each other, so there each step takes a round trip."""
        if self._is_cluster and len(self.pipe):
            self.execute()

    def execute(self) -> list[Any]:
        """Send the waiting commands; return the answers. Raise the first error after all were
        tried."""
        answers = self.pipe.execute(raise_on_error=False)
        for place, (script, words) in self._scripts.items():
            if isinstance(answers[place], NoScriptError):
                answers[place] = script.send(self.redis, words)
        self._scripts = {}
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        for place, on_answer in self._on_answer.items():
            on_answer(answers[place])
        self._on_answer = {}
        return answers
