"""The HTTP client of the CLI, the workers and the bots.

    ann = Client("http://127.0.0.1:8000").sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]})
    view = ann.view(game["id"])
    answer = ann.play(view, view["you"]["legal_actions"][0])
    for entry in ann.entries(game["id"]):
        ...

Requests are retried for ``patience`` seconds if the connection is lost, the service is starting,
others were quicker too often or the rate limit is reached. That is safe: each POST carries an
Idempotency-Key, so the service does it once and repeats its answer."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import urllib3

from fogg_client.groups import expanded
from fogg_client.problems import NO_SERVICE, NoStream, Problem, is_busy
from fogg_client.reader import Message, Reader, chunks
from fogg_client.types import Action, View

GONE_BACK = ("history-lost", "version-ahead")
STREAM = "text/event-stream"
CUT = "an answer was cut off"
CONNECTIONS = 64  # kept open
MAX_ITEMS = 100  # in a request
CONNECT_TIMEOUT_S, ANSWER_TIMEOUT_S = 5.0, 20.0
STREAM_TIMEOUT_S = 45.0  # a stream sends something every 15 s
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 5.0  # between retries

T = TypeVar("T")


def segment(name: str) -> str:
    """Return a name, escaped as one segment of a path."""
    if name in ("", ".", ".."):  # would change the path
        raise Problem(404, {"detail": f"there is nothing called {name!r}"})
    return quote(name, safe="")


class Client:
    """Sends requests to one service, as one account or without one. Thread-safe.

    ``compressed``: ask for gzip; without is cheaper if the service is on the same machine.
    ``dead_after``: after so many seconds without an answer, repeat a request over a new connection;
    if that is silent, too, after twice as many, and so on. By default wait for 20 seconds.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience: float = 30.0,
        compressed: bool = True,
        dead_after: float = ANSWER_TIMEOUT_S,
    ):
        self.url, self.token, self.patience = url.rstrip("/"), token, patience
        self.dead_after = dead_after
        self._headers = {"Accept-Encoding": "gzip" if compressed else "identity"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._compressed = compressed
        self._http = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False)

    def sign_up(self, name: str) -> Client:
        """Create an account with this name; return its client."""
        made = self.post("/v1/players", {"name": name})
        if "token" not in made:
            raise Problem(200, {"detail": NO_SERVICE.format(self.url)})
        return Client(self.url, made["token"], self.patience, self._compressed, self.dead_after)

    def view(self, game: str) -> View:
        """Return a game as the account may see it."""
        return expanded(self.get(f"/v1/games/{segment(game)}", legal_actions="grouped"))

    def play(self, view: View, action: Action, key: str | None = None) -> dict[str, Any]:
        """Play an action on the position of a view exactly once; return version, entries and view.
        Pass ``key`` to repeat a request that may have been sent before."""
        path = f"/v1/games/{segment(view['id'])}/actions?legal_actions=grouped"
        headers = {"If-Match": f'"{view["version"]}"'} | ({"Idempotency-Key": key} if key else {})
        answer: dict[str, Any] = self.post(path, action, headers)
        return answer | {"view": expanded(answer["view"])}

    def play_many(self, moves: Sequence[tuple[View, Action]]) -> list[dict[str, Any]]:
        """Play actions on the positions of views, each exactly once, in few requests. Return a
        result for each, in order: the answer of ``play`` with its ``status``, or the problem
        document."""
        return self.do_many([item_of(view, action, uuid.uuid4().hex) for view, action in moves])

    def do_many(
        self, items: Sequence[Mapping[str, Any]], with_views: bool = True
    ) -> list[dict[str, Any]]:
        """Send items of ``POST /v1/me/actions``, any number, each with a ``key``; return their
        results in order. Retry busy items for ``patience`` seconds. ``with_views=False``: leave out
        the view after an action."""
        if len(items) > MAX_ITEMS:
            return self.do_many(items[:MAX_ITEMS], with_views) + self.do_many(
                items[MAX_ITEMS:], with_views
            )
        results: list[dict[str, Any]] = [{"status": 503}] * len(items)
        left = [*range(len(items))]

        def attempt(timeout: float) -> None:
            for place, one in zip(
                left, self._many([items[place] for place in left], timeout, with_views), strict=True
            ):
                results[place] = one
            left[:] = [
                place
                for place in left
                if is_busy(results[place]["status"], results[place].get("code"))
            ]
            if left:
                one = results[left[0]]
                raise Problem(one["status"], one, one.get("retry_after", 0.0))

        try:
            self._patiently(attempt)
        except Problem as problem:
            if problem.body not in results:  # the request as a whole was refused
                raise
        return results

    def do_many_once(self, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Send up to 100 items in one request; return their results. Busy items are not retried."""
        return self._patiently(lambda timeout: self._many(items, timeout))

    def _many(
        self, items: Sequence[Mapping[str, Any]], timeout: float, with_views: bool = True
    ) -> list[dict[str, Any]]:
        headers = {"Content-Type": "application/json"} | (
            {} if with_views else {"Prefer": "return=minimal"}
        )
        path = "/v1/me/actions?legal_actions=grouped"
        answer = self._request(
            "POST", path, json.dumps({"items": items}).encode(), headers, timeout, is_whole=True
        )
        return [
            one | {"view": expanded(one["view"])} if "view" in one else one
            for one in self._object_in(answer, path)["items"]
        ]

    def entries(self, game: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the entries of a game as they come, until it is over. If the service loses entries,
        the game continues from an earlier version: later entries then replace those yielded
        before."""
        for message in self.stream(f"/v1/games/{segment(game)}/events", after):
            if message.event == "entry":
                yield json.loads(message.data)

    def stream(
        self, path: str, after: str | int | None = None, silence: float | None = None
    ) -> Stream:
        """Return the messages of an event stream as they come, until the service ends it (204).
        Raise NoStream if the path is not a stream.

        A stream that is cut or silent is resumed after the last message id, at first after the id
        ``after``. Messages without an id can come twice. If the service has lost entries of a game,
        a message ``lost`` has the version from which entries come again.

        After ``silence`` seconds (45 by default) without data a stream counts as cut; the time
        doubles with each such cut in a row, up to 45. A stream sends a keep-alive every 15 seconds,
        or as often as ``keep_alive`` in the path asks for.
        """
        reader = Reader(None if after is None else str(after))
        return Stream(self, path, reader, silence or STREAM_TIMEOUT_S)

    def _open(self, path: str, reader: Reader, timeout: float) -> urllib3.BaseHTTPResponse:
        headers = {"Accept": STREAM}
        if reader.last is not None:
            headers["Last-Event-ID"] = reader.last
        answer = self._answer("GET", path, None, headers, timeout)
        kind = answer.headers.get("Content-Type", STREAM)  # none: ended, or cut off in the headers
        if not kind.startswith(STREAM):
            answer.close()
            raise NoStream(f"{path} is {kind}")
        return answer

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at a path."""
        if query:
            path += "?" + urlencode(query)
        return self._read("GET", path, None, {}, wait=query.get("wait", 0))

    def items(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield the items of a list, page after page."""
        while True:
            page = self.get(path, **query)
            yield from page["items"]
            if not page["next"]:
                return
            query["after"] = page["next"]

    def post(
        self, path: str, body: Mapping[str, Any], headers: dict[str, str] | None = None
    ) -> Any:
        """Post a body, which the service acts on exactly once; return the JSON of the answer, None
        if it is empty."""
        headers = {"Idempotency-Key": uuid.uuid4().hex, "Content-Type": "application/json"} | (
            headers or {}
        )
        return self._read("POST", path, json.dumps(body).encode(), headers)

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """Put a body at a path; return the JSON of the answer."""
        return self._read(
            "PUT", path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )

    def patch(
        self, path: str, body: Mapping[str, Any], headers: dict[str, str] | None = None
    ) -> Any:
        """Change the resource at a path; return the JSON of the answer."""
        headers = {"Content-Type": "application/json"} | (headers or {})
        return self._read("PATCH", path, json.dumps(body).encode(), headers)

    def delete(self, path: str, **query: Any) -> Any:
        """Delete the resource at a path; return the JSON in the answer, None if there is none."""
        if query:
            path += "?" + urlencode(query)
        return self._read("DELETE", path, None, {})

    def text(self, path: str) -> str:
        """Return the text at a path, such as an SVG picture."""
        text: str = self._read("GET", path, None, {}, bytes.decode)
        return text

    def download(self, path: str, **query: Any) -> Iterator[bytes]:
        """Yield the lines of a long answer as they come. Raise HTTPError if it is cut off."""
        path += "?" + urlencode(query)
        answer = self._answer("GET", path, None, {}, STREAM_TIMEOUT_S)
        try:
            rest = b""
            for chunk in answer.stream(65536, decode_content=True):
                *lines, rest = (rest + chunk).split(b"\n")
                yield from filter(None, lines)
            if rest:  # some proxies end an answer properly that was cut off before them
                raise urllib3.exceptions.ProtocolError(CUT)
        finally:
            answer.close()

    def _read(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
        read: Callable[[bytes], Any] | None = None,
        wait: float = 0,
    ) -> Any:
        """Send a request, with retries; return the answer's body as ``read`` converts it, by
        default a JSON object; None if empty. The service may take ``wait`` seconds longer than
        usual."""

        def attempt(timeout: float) -> Any:
            answer = self._request(method, path, body, headers, timeout + wait, is_whole=True)
            if answer.status == 204:
                return None
            return read(answer.data) if read else self._object_in(answer, path)

        return self._patiently(attempt)

    def _object_in(self, answer: urllib3.BaseHTTPResponse, path: str) -> dict[str, Any]:
        """Return the JSON object in an answer; raise Problem if it holds anything else."""
        try:
            body = json.loads(answer.data)
        except ValueError:
            body = None
        if isinstance(body, dict):
            return body
        raise Problem.of(answer, self.url, path)

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], timeout: float
    ) -> urllib3.BaseHTTPResponse:
        """Send a request, with retries; return the answer, its body not yet read. ``timeout`` is
        between any two parts of it."""
        return self._patiently(
            lambda _: self._request(method, path, body, headers, timeout, is_whole=False)
        )

    def _request(
        self,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, str],
        timeout: float,
        is_whole: bool,
    ) -> urllib3.BaseHTTPResponse:
        """Send a request once; return the answer. Raise Problem if its status is 300 or higher."""
        answer = self._http.request(
            method,
            self.url + path,
            body=body,
            headers=self._headers | headers,
            timeout=urllib3.Timeout(connect=min(CONNECT_TIMEOUT_S, timeout), read=timeout),
            preload_content=is_whole,
        )
        if (is_whole or answer.status >= 300) and _is_cut(answer):
            raise urllib3.exceptions.ProtocolError(CUT)
        if answer.status >= 300:
            raise Problem.of(answer, self.url, path)
        return answer

    def _patiently(self, attempt: Callable[[float], T]) -> T:
        """Return the result of ``attempt``, which is passed the seconds to wait for an answer;
        retry it for ``patience`` seconds."""
        pauses = _pauses()
        failed: float | None = None  # when an attempt failed first
        timeout = self.dead_after
        while True:
            pause = next(pauses)
            failure: Exception
            try:
                return attempt(timeout)
            except Problem as problem:
                if not is_busy(problem.status, problem.code):
                    raise
                pause, failure = max(pause, problem.retry_after), problem
            except urllib3.exceptions.HTTPError as error:
                failure = error
                if isinstance(error, urllib3.exceptions.TimeoutError):
                    self._http.clear()  # the idle connections may be dead as well
                    if timeout < ANSWER_TIMEOUT_S:
                        timeout = min(2 * timeout, ANSWER_TIMEOUT_S)
                        continue
            failed = failed or time.monotonic()
            if time.monotonic() + pause > failed + self.patience:
                raise failure
            time.sleep(pause)


class Stream(Iterator[Message]):
    """The messages of ``Client.stream``. Another thread may end it."""

    def __init__(self, client: Client, path: str, reader: Reader, silence: float):
        self._connection = _Connection(client, path, reader, silence)
        self._messages = self._connection.messages()

    def __next__(self) -> Message:
        return next(self._messages)

    def end(self) -> None:
        """End the stream, also while another thread waits for its next message."""
        self._connection.end()


class _Connection:
    """Opens a stream, and opens it again after a cut. It is apart from ``Stream``, so that a stream
    that nobody holds is closed at once."""

    def __init__(self, client: Client, path: str, reader: Reader, silence: float):
        self._client, self._path, self._reader, self._silence = client, path, reader, silence
        self._is_over = threading.Event()
        self._answer = client._open(path, reader, silence)

    def end(self) -> None:
        self._is_over.set()
        with suppress(OSError, ValueError, RuntimeError):  # it is cut or closed already
            self._answer.shutdown()

    def messages(self) -> Iterator[Message]:
        pauses, timeout = _pauses(), self._silence
        while self._answer.status != 204 and not self._is_over.is_set():
            opened = time.monotonic()
            try:
                for message in self._reader.messages(chunks(self._answer)):
                    pauses = _pauses(self._reader.retry)
                    yield message
            except urllib3.exceptions.HTTPError as error:  # resume with the next request
                if isinstance(error, urllib3.exceptions.TimeoutError):
                    self._client._http.clear()  # the idle connections may be dead as well
                    was_prompt = time.monotonic() - opened > timeout + self._silence
                    timeout = self._silence if was_prompt else min(2 * timeout, STREAM_TIMEOUT_S)
            finally:
                self._answer.close()
            if self._is_over.wait(next(pauses)):
                return
            yield from self._resume(timeout)
        self._answer.close()

    def _resume(self, timeout: float) -> Iterator[Message]:
        """Open the stream again; yield a message ``lost`` if the service has lost entries."""
        try:
            self._answer = self._client._open(self._path, self._reader, timeout)
        except Problem as problem:
            if problem.code not in GONE_BACK or "version" not in problem.body:
                raise
            yield _lost(problem, self._reader)
            self._answer = self._client._open(self._path, self._reader, timeout)


def _is_cut(answer: urllib3.BaseHTTPResponse) -> bool:
    """Return whether an answer was cut off within its headers: its body then seems to be
    complete."""
    headers = answer.headers
    return not (
        answer.data
        or answer.status in (204, 304)
        or headers.get("Content-Length")
        or headers.get("Transfer-Encoding") == "chunked"
    )


def item_of(view: View, action: Action, key: str) -> dict[str, Any]:
    """Return the item of ``do_many`` that plays an action on the position of a view."""
    return {"game": view["id"], "action": action, "if_match": view["version"], "key": key}


def _lost(problem: Problem, reader: Reader) -> Message:
    """Return the message ``lost`` for a game that lost entries while the stream was cut off; resume
    the stream from there."""
    version = problem.body["version"]
    previous = problem.body.get("previous_version", int(reader.last or 0))
    reader.last = str(version)
    lost = {"version": version, "previous_version": previous}
    return Message("lost", json.dumps(lost), reader.last)


def _pauses(pause: float | None = None) -> Iterator[float]:
    """Yield the seconds between retries: exponential backoff with random jitter."""
    pause = pause or FIRST_PAUSE_S
    while True:
        yield pause * random.uniform(0.5, 1)
        pause = min(2 * pause, max(pause, LONGEST_PAUSE_S))
