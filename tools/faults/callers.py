"""Requests over a link that fails, each sent once, and what is remembered of their answers."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import urllib3
from fogg_client.reader import Reader

from tools.faults.ledger import Ledger

ANSWER = urllib3.Timeout(connect=5, read=12)
SILENCE = urllib3.Timeout(connect=5, read=20)


class Unanswered(Exception):
    """Nobody knows whether it was done."""


class Refused(Exception):
    """The service said no."""

    def __init__(self, status: int, code: str):
        super().__init__(f"{status} {code}")
        self.status, self.code = status, code


@dataclass
class Round:
    url: str
    ledger: Ledger
    seed: int
    is_ending: threading.Event = field(default_factory=threading.Event)  # stop starting games
    gives_up: threading.Event = field(default_factory=threading.Event)  # resign all games


class Caller:
    """Sends requests once, as one account."""

    def __init__(self, number: int, common: Round, token: str = ""):
        self.number, self.ledger, self.token = number, common.ledger, token
        self._http = urllib3.connection_from_url(common.url, maxsize=2, retries=False)

    def ask(self, method: str, path: str, body: dict | None = None, **headers: str):
        """Return the status and the text of an answer; raise Unanswered where there is none."""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            answer = self._http.request(
                method,
                path,
                body=json.dumps(body) if body is not None else None,
                headers={name.replace("_", "-"): value for name, value in headers.items()},
                timeout=ANSWER,
                retries=False,
            )
            text = answer.data.decode()
        except (urllib3.exceptions.HTTPError, ValueError) as error:
            raise Unanswered from error
        self.ledger.note_text(self.number, text)
        return answer.status, text

    def surely(self, method: str, path: str, body: dict | None = None, seconds: float = 90) -> dict:
        """Return the JSON of an answer, asking until there is one."""
        key, end = uuid.uuid4().hex, time.monotonic() + seconds
        headers = {"Idempotency_Key": key} if method == "POST" else {}
        while True:
            with suppress(Unanswered):
                status, text = self.ask(method, path, body, **headers)
                if status < 300:
                    return json.loads(text)
                code = self.ledger.note_failure(status, text)
                if status < 500 and status != 429:
                    raise Refused(status, code)
            if time.monotonic() > end:
                raise Refused(0, "unanswered")
            time.sleep(0.1)

    def stream(self, path: str, last: int | None) -> Iterator:
        """Yield the messages of an event stream, until it ends or is cut."""
        headers = {"Accept": "text/event-stream"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        try:
            answer = self._http.request(
                "GET", path, headers=headers, preload_content=False, timeout=SILENCE, retries=False
            )
            if answer.status != 200:
                text = answer.data.decode()
                raise Refused(answer.status, self.ledger.note_failure(answer.status, text))
            with answer:
                yield from Reader().messages(iter(lambda: answer.read1(65536), b""))
        except (urllib3.exceptions.HTTPError, ValueError):
            return
