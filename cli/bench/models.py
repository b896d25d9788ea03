"""Language models that can be asked: an endpoint of the OpenAI kind, or a program.

Both get the body of a chat completion, and answer with the body of its response.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import urllib3
from fogg_client.problems import retry_after
from fogg_client.reader import chunks

from cli.offline.programs import Limits, Process, Stopped, check
from service import settings

BUSY = (408, 425, 429, 500, 502, 503, 504, 529)  # statuses after which a request is repeated
REFUSED = (400, 413, 422)  # statuses about one request
MAX_SILENT = 6  # requests without an answer, one after the other, that end a run
MAX_ANSWER_BYTES = 4 << 20
CONNECT_TIMEOUT_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0  # between repeated requests
PATH = "/chat/completions"
QUOTED = 300  # characters of an error that are shown
HIDDEN = "(key)"  # shown instead of the key

Message = dict[str, str]  # role, content


class NoAnswer(Exception):
    """A request has brought no answer that can be read; the next one may."""


class Unavailable(Exception):
    """The model cannot be asked at all; the message says why."""


def are_options(value: object) -> bool:
    """Return whether a value can be more members of each request."""
    return isinstance(value, dict) and not value.keys() & {"model", "messages", "stream"}


@dataclass(frozen=True)
class Asking:
    """How a model is asked: its name, other members of each request such as ``temperature``, the
    timeout in seconds, for how many seconds a busy endpoint is retried, and the prices in US
    dollars for a million tokens read and written. The model is at the URL of an ``endpoint``, with
    its key if it needs one, or else answers as a ``program``."""

    model: str
    options: dict[str, Any]
    wait: float = 120.0
    retry_for: float = 120.0
    prices: tuple[float, float] | None = None
    endpoint: str | None = None
    key: str | None = field(default=None, repr=False)
    program: str = ""

    def open(self) -> Model:
        """Return the model, to be closed; raise NoBot if there is no such program."""
        if self.endpoint:
            return Endpoint(self.endpoint, self.key, self)
        check(self.program)
        return Command(self.program, self)


@dataclass(frozen=True)
class Answer:
    """An answer of a model: its text, its reasoning if the response has that separately, the
    seconds that it took, the tokens that the response reports, and their cost in US dollars."""

    text: str
    reasoning: str = ""
    seconds: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None


class Model:
    """A language model. Subclasses send one request."""

    def __init__(self, asking: Asking):
        self._asking, self._silent = asking, 0

    def ask(self, messages: list[Message]) -> Answer:
        """Return the answer to a conversation; raise NoAnswer or Unavailable."""
        body = {"model": self._asking.model, "messages": messages} | self._asking.options
        start = time.monotonic()
        try:
            said = self._response(json.dumps(body).encode())
            answer = _answer(said, time.monotonic() - start, self._asking.prices)
        except NoAnswer as error:
            self._silent += 1
            if self._silent == MAX_SILENT:
                raise Unavailable(
                    f"{MAX_SILENT} requests in a row were not answered: {error}"
                ) from error
            raise
        self._silent = 0
        return answer

    def close(self) -> None:
        """Free what the model uses."""

    def _response(self, body: bytes) -> bytes:
        raise NotImplementedError


class Endpoint(Model):
    """A model behind a URL such as https://api.openai.com/v1."""

    def __init__(self, url: str, key: str | None, asking: Asking):
        super().__init__(asking)
        parts = urlsplit(url)  # whose query, such as ?api-version=1, stays
        path = parts.path.rstrip("/").removesuffix(PATH) + PATH
        self._url = parts._replace(path=path).geturl()
        self._key = os.fsencode(key) if key else b""
        self._headers = {"Content-Type": "application/json"} | (
            {"Authorization": b"Bearer " + self._key} if key else {}
        )
        self._http = urllib3.PoolManager(retries=False)

    def _response(self, body: bytes) -> bytes:
        pause, end = FIRST_PAUSE_S, time.monotonic() + self._asking.retry_for
        while True:
            try:
                status, said, after = self._posted(body)
            except (TimeoutError, urllib3.exceptions.ReadTimeoutError) as error:
                raise NoAnswer(f"no answer within {self._asking.wait:g} seconds") from error
            except urllib3.exceptions.HTTPError as error:
                status, after = None, 0.0
                said = f"cannot be reached: {str(error).rpartition(': ')[2]}".encode()
            if status == 200:
                return said
            text = " ".join(said.decode(errors="replace").split())[:QUOTED]
            why = f"status {status}: {text or 'without a body'}" if status else text
            if status in REFUSED:
                raise NoAnswer(why)
            after = max(after, pause)
            if (status and status not in BUSY) or time.monotonic() + after > end:
                raise Unavailable(f"{settings.without_secrets(self._url)}: {why}")
            time.sleep(after)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _posted(self, body: bytes) -> tuple[int, bytes, float]:
        """Post once; return status, body and the seconds of Retry-After. Raise TimeoutError if the
        whole answer is not there in time."""
        end = time.monotonic() + self._asking.wait
        answer = self._http.request(
            "POST",
            self._url,
            body=body,
            headers=self._headers,
            redirect=False,
            preload_content=False,
            timeout=urllib3.Timeout(connect=CONNECT_TIMEOUT_S, read=self._asking.wait),
        )
        said = b""
        with closing(answer):
            for chunk in chunks(answer):
                said += chunk
                if time.monotonic() > end:
                    raise TimeoutError
                if len(said) > MAX_ANSWER_BYTES:
                    raise NoAnswer(f"an answer of more than {MAX_ANSWER_BYTES >> 20} MiB")
            if self._key:  # some endpoints repeat it
                said = said.replace(self._key, HIDDEN.encode())
            return answer.status, said, retry_after(answer)


class Command(Model):
    """A program that reads a request and writes its response, each a line. It keeps running; one
    that fails is started again."""

    def __init__(self, command: str, asking: Asking):
        super().__init__(asking)
        self._process = Process(command, Limits(asking.wait, None, None, MAX_ANSWER_BYTES))
        self.close = self._process.close

    def _response(self, body: bytes) -> bytes:
        try:
            return self._process.answer(body + b"\n")
        except Stopped as error:
            self.close()
            raise NoAnswer(str(error)) from error


def _answer(body: bytes, seconds: float, prices: tuple[float, float] | None) -> Answer:
    try:
        said = json.loads(body)
        message, usage = said["choices"][0]["message"], said.get("usage") or {}
        text = message.get("content") or ""
        reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
        if isinstance(text, list):  # parts
            reasoning = reasoning or [part for part in text if part["type"] == "thinking"] or ""
            text = "".join(part["text"] for part in text if part["type"] == "text")
        counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens", "cost")]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise NoAnswer(
            f"this is no chat completion: {body[:QUOTED].decode(errors='replace')}"
        ) from error
    tokens = [count if type(count) is int and 0 <= count < 2**53 else None for count in counts[:2]]
    cost = counts[2] if isinstance(counts[2], int | float) and 0 <= counts[2] < 1e300 else None
    if cost is None and prices and tokens[0] is not None:
        cost = (tokens[0] * prices[0] + (tokens[1] or 0) * prices[1]) / 1e6
    return Answer(
        text if isinstance(text, str) else json.dumps(text),
        reasoning if isinstance(reasoning, str) else json.dumps(reasoning),
        round(seconds, 3),
        *tokens,
        cost,
    )
