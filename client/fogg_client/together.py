"""Sends the moves of many threads in shared requests: while one request is under way, new moves are
collected for the next."""

import threading
import uuid
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from fogg_client.client import Client, item_of
from fogg_client.problems import Problem, is_busy
from fogg_client.types import Action, View

MAX_MOVES = 24  # in a request; so many fit even if each has the longest note
REFUSED = (400, 413, 422)  # statuses of a request that one of its moves can have spoilt
Move = tuple[View, Action, str, Future[dict[str, Any] | None]]  # None: send it alone


class MoveSender:
    """Sends moves for the threads of one account."""

    def __init__(self, client: Client):
        self._client = client
        self._waiting: list[Move] = []
        self._gathering, self._sending = threading.Lock(), threading.Lock()

    def play(self, view: View, action: Action) -> dict[str, Any]:
        """Play an action on the position of a view exactly once, like ``Client.play``."""
        key, result = uuid.uuid4().hex, Future[dict[str, Any] | None]()
        with self._gathering:
            self._waiting.append((view, action, key, result))
        while not result.done():
            with self._sending:  # the first thread sends for all that wait
                self._send()
        answer = result.result()
        if answer is None or is_busy(answer["status"], answer.get("code")):  # no other move waits
            return self._client.play(view, action, key)
        if answer["status"] >= 400:
            raise Problem(answer["status"], answer)
        return answer

    def _send(self) -> None:
        """Send the waiting moves in one request, and set the result of each. If the request is
        refused, each caller sends its own move, so that only the one at fault is refused."""
        with self._gathering:
            moves, self._waiting = self._waiting[:MAX_MOVES], self._waiting[MAX_MOVES:]
        if not moves:
            return
        try:
            answers = self._together(moves)
        except BaseException as error:
            for *_, result in moves:
                result.set_exception(error)
        else:
            for (*_, result), answer in zip(moves, answers, strict=True):
                result.set_result(answer)

    def _together(self, moves: Sequence[Move]) -> Sequence[dict[str, Any] | None]:
        """Send moves in one request; return a result for each, None if it has to be sent alone."""
        try:
            return self._client.do_many_once(
                [item_of(view, action, key) for view, action, key, _ in moves]
            )
        except Problem as problem:
            if len(moves) == 1 or problem.status not in REFUSED:
                raise
            return [None] * len(moves)
