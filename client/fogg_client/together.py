"""Moves of many threads, which travel together: while the answer to one request is awaited, those
that come are gathered for the next."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import Future
from typing import Any

from fogg_client.client import BUSY, Client, item_of
from fogg_client.problems import Problem
from fogg_client.types import Action, View

MOST = 24  # moves in a request: as many as it has room for with a long note beside each
Move = tuple[View, Action, str, Future[dict[str, Any]]]


class Together:
    """Plays for the threads of one account."""

    def __init__(self, client: Client):
        self._client = client
        self._waiting: list[Move] = []
        self._gathering, self._sending = threading.Lock(), threading.Lock()

    def play(self, view: View, action: Action) -> dict[str, Any]:
        """Play an action on the position of a view, as the client does: once, however often it has
        to be sent."""
        key, told = uuid.uuid4().hex, Future[dict[str, Any]]()
        with self._gathering:
            self._waiting.append((view, action, key, told))
        while not told.done():
            with self._sending:  # by whoever comes first, for all who wait
                self._send()
        answer = told.result()
        if answer["status"] in BUSY:  # to try again keeps nobody else waiting
            return self._client.play(view, action, key)
        if answer["status"] >= 400:
            raise Problem(answer["status"], answer)
        return answer

    def _send(self) -> None:
        """Send moves that wait, if any do, in one request; tell of each what came of it."""
        with self._gathering:
            moves, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        if not moves:
            return
        try:
            came = self._client.do_many_once([item_of(view, action, key)
                                              for view, action, key, _ in moves])
        except BaseException as error:
            for *_, told in moves:
                told.set_exception(error)
        else:
            for (*_, told), one in zip(moves, came, strict=True):
                told.set_result(one)
