"""The HTTP client that everything outside the service uses.

    ann = Client("http://127.0.0.1:8000").sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]})
    view = ann.view(game["id"])
    answer = ann.play(view, view["you"]["legal_actions"][0])
    for entry in ann.entries(game["id"]):
        ...

A lost connection, a service that is starting and one that asks for fewer requests are tried again
for ``patience`` seconds. That is safe: reading is harmless, and whatever is posted carries an
Idempotency-Key, by which the service knows a request that it has already answered.
"""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import urllib3

from fogg_client.groups import expanded
from fogg_client.problems import NoStream, Problem
from fogg_client.reader import Message, Reader, chunks
from fogg_client.types import Action, View

BUSY = (429, 502, 503, 504)
GONE_BACK = ("history-lost", "version-ahead")
STREAM = "text/event-stream"
CONNECTIONS = 64  # kept open
MOST_ITEMS = 100  # that one request may hold
CONNECT, ANSWER, SILENCE = 5.0, 20.0, 45.0  # seconds to wait for; a stream says something in 15
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0  # seconds between tries

T = TypeVar("T")


def segment(name: str) -> str:
    """Return a name, whatever it is, as one segment of a path."""
    if name in ("", ".", ".."):  # a path with these is another one
        raise Problem(404, {"detail": f"there is nothing called {name!r}"})
    return quote(name, safe="")


class Client:
    """Speaks to one service as one account, or as nobody. Threads may share it.

    Answers come ``compressed``; where the service is on this machine, doing without costs less.
    """

    def __init__(
        self, url: str, token: str | None = None, patience: float = 30.0, compressed: bool = True
    ):
        self.url, self.token, self.patience = url.rstrip("/"), token, patience
        self._headers = {"Accept-Encoding": "gzip" if compressed else "identity"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._compressed = compressed
        self._http = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False)

    def sign_up(self, name: str) -> Client:
        """Return a client of a new account of that name."""
        token = self.post("/v1/players", {"name": name})["token"]
        return Client(self.url, token, self.patience, self._compressed)

    def view(self, game: str) -> View:
        """Return a game as the account may see it."""
        return expanded(self.get(f"/v1/games/{segment(game)}", legal_actions="grouped"))

    def play(self, view: View, action: Action, key: str | None = None) -> dict[str, Any]:
        """Play an action on the position of a view, once; return version, entries and view. The
        ``key`` is its own, where it may have been sent before."""
        path = f"/v1/games/{segment(view['id'])}/actions?legal_actions=grouped"
        headers = {"If-Match": f'"{view["version"]}"'} | ({"Idempotency-Key": key} if key else {})
        answer: dict[str, Any] = self.post(path, action, headers)
        return answer | {"view": expanded(answer["view"])}

    def play_many(self, moves: Sequence[tuple[View, Action]]) -> list[dict[str, Any]]:
        """Play actions on the positions of views, each once, in as few requests as may be; return
        of each, in their order, what ``play`` returns, with its ``status``, or the problem that
        refused it."""
        return self.do_many([item_of(view, action, uuid.uuid4().hex) for view, action in moves])

    def do_many(
        self, items: Sequence[Mapping[str, Any]], with_views: bool = True
    ) -> list[dict[str, Any]]:
        """Return what came of each item of ``POST /v1/me/actions``, of which there may be any
        number; give each a ``key``. Those that had to wait are sent again while patience lasts.
        Actions may be answered without the ``view`` after them."""
        if len(items) > MOST_ITEMS:
            return (self.do_many(items[:MOST_ITEMS], with_views)
                    + self.do_many(items[MOST_ITEMS:], with_views))
        told: list[dict[str, Any]] = [{"status": 503}] * len(items)

        def attempt() -> None:
            left = [place for place, one in enumerate(told) if one["status"] in BUSY]
            for place, one in zip(left, self._many([items[place] for place in left], with_views),
                                  strict=True):
                told[place] = one
            for one in told:
                if one["status"] in BUSY:
                    raise Problem(one["status"], one, one.get("retry_after", 0.0))

        try:
            self._patiently(attempt)
        except Problem as problem:
            if problem.body not in told:  # it is all of the request that was refused
                raise
        return told

    def do_many_once(self, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return likewise what came of 100 items at most, also of those that have to wait."""
        return self._patiently(lambda: self._many(items))

    def _many(
        self, items: Sequence[Mapping[str, Any]], with_views: bool = True
    ) -> list[dict[str, Any]]:
        headers = {"Content-Type": "application/json"} | (
            {} if with_views else {"Prefer": "return=minimal"})
        answer = self._request("POST", "/v1/me/actions?legal_actions=grouped",
                               json.dumps({"items": items}).encode(), headers, ANSWER,
                               is_whole=True)
        return [one | {"view": expanded(one["view"])} if "view" in one else one
                for one in json.loads(answer.data)["items"]]

    def entries(self, game: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the entries of a game as they come, until it is over. Should the service lose some,
        the game goes on from an earlier one: from its version on they take the others' place."""
        for message in self.stream(f"/v1/games/{segment(game)}/events", after):
            if message.event == "entry":
                yield json.loads(message.data)

    def stream(self, path: str, after: str | int | None = None) -> Iterator[Message]:
        """Return the messages of an event stream as they come, until the service says that it is
        over (204); raise NoStream if what is there is none.

        When the stream is cut or silent it is taken up again after the last message, or after
        ``after``, which is a message's id; so what the service sends without an id can come anew.
        Where a game has gone back meanwhile, a message ``lost`` tells from where on it comes anew.
        """
        reader = Reader(None if after is None else str(after))
        return self._messages(path, reader, self._open(path, reader))

    def _messages(
        self, path: str, reader: Reader, answer: urllib3.BaseHTTPResponse
    ) -> Iterator[Message]:
        pauses = _pauses()
        while answer.status != 204:
            try:
                for message in reader.messages(chunks(answer)):
                    pauses = _pauses(reader.retry)
                    yield message
            except urllib3.exceptions.HTTPError:
                pass  # cut off: the next request goes on from there
            finally:
                answer.close()
            time.sleep(next(pauses))
            try:
                answer = self._open(path, reader)
            except Problem as problem:
                if problem.code not in GONE_BACK or "version" not in problem.body:
                    raise
                yield _lost(problem, reader)
                answer = self._open(path, reader)
        answer.close()

    def _open(self, path: str, reader: Reader) -> urllib3.BaseHTTPResponse:
        headers = {"Accept": STREAM}
        if reader.last is not None:
            headers["Last-Event-ID"] = reader.last
        answer = self._answer("GET", path, None, headers, SILENCE)
        kind = answer.headers.get("Content-Type", STREAM)  # none: over, or cut off in the headers
        if not kind.startswith(STREAM):
            answer.close()
            raise NoStream(f"{path} is {kind}")
        return answer

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at a path."""
        if query:
            path += "?" + urlencode(query)
        return self._read("GET", path, None, {}, silence=ANSWER + query.get("wait", 0))

    def post(
        self, path: str, body: Mapping[str, Any], headers: dict[str, str] | None = None
    ) -> Any:
        """Return the answer to a body, which is acted on once however often it had to be sent; None
        where there is nothing to answer."""
        headers = {"Idempotency-Key": uuid.uuid4().hex, "Content-Type": "application/json"} | (
            headers or {})
        return self._read("POST", path, json.dumps(body).encode(), headers)

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the answer to what is put at a path, which may be put there again."""
        return self._read("PUT", path, json.dumps(body).encode(),
                          {"Content-Type": "application/json"})

    def delete(self, path: str) -> None:
        """Take away what is at a path."""
        self._read("DELETE", path, None, {}, bytes)

    def text(self, path: str) -> str:
        """Return what is at a path, such as a picture."""
        text: str = self._read("GET", path, None, {}, bytes.decode)
        return text

    def download(self, path: str, **query: Any) -> Iterator[bytes]:
        """Yield the lines of a long answer as they come; it is compressed on the way. Raise
        HTTPError where it is cut off."""
        path += "?" + urlencode(query)
        answer = self._answer("GET", path, None, {}, SILENCE)
        try:
            rest = b""
            for chunk in answer.stream(65536, decode_content=True):
                *lines, rest = (rest + chunk).split(b"\n")
                yield from filter(None, lines)
        finally:
            answer.close()

    def _read(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str],
        read: Callable[[bytes], Any] = json.loads, silence: float = ANSWER,
    ) -> Any:
        """Return what is read from the whole answer to a request, None where there is nothing."""
        def attempt() -> Any:
            answer = self._request(method, path, body, headers, silence, is_whole=True)
            return None if answer.status == 204 else read(answer.data)

        return self._patiently(attempt)

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], silence: float
    ) -> urllib3.BaseHTTPResponse:
        """Return the answer to a request as it begins to come."""
        return self._patiently(lambda: self._request(method, path, body, headers, silence,
                                                     is_whole=False))

    def _request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], silence: float,
        is_whole: bool,
    ) -> urllib3.BaseHTTPResponse:
        """Return the answer to a request that is sent once; raise Problem where it is a no."""
        answer = self._http.request(
            method, self.url + path, body=body, headers=self._headers | headers,
            timeout=urllib3.Timeout(connect=CONNECT, read=silence), preload_content=is_whole)
        if answer.status >= 400:
            raise Problem.of(answer)
        return answer

    def _patiently(self, attempt: Callable[[], T]) -> T:
        """Return what comes of an attempt, which is made again until it succeeds or patience
        ends."""
        pauses = _pauses()
        end: float | None = None
        while True:
            pause = next(pauses)
            failure: Exception
            try:
                return attempt()
            except Problem as problem:
                if problem.status not in BUSY:
                    raise
                pause, failure = max(pause, problem.retry_after), problem
            except urllib3.exceptions.HTTPError as error:
                failure = error
            except ValueError:  # cut off in the headers, so that nothing told of what lacks
                failure = urllib3.exceptions.ProtocolError("an answer was cut off")
            end = end or time.monotonic() + self.patience
            if time.monotonic() + pause > end:
                raise failure
            time.sleep(pause)


def item_of(view: View, action: Action, key: str) -> dict[str, Any]:
    """Return the item of ``do_many`` that plays an action on the position of a view."""
    return {"game": view["id"], "action": action, "if_match": view["version"], "key": key}


def _lost(problem: Problem, reader: Reader) -> Message:
    """Return what a stream would have said, had it not been cut off, of a game that has gone back;
    let it be taken up again from there."""
    version = problem.body["version"]
    told = {"version": version, "was": problem.body.get("was", int(reader.last or 0))}
    reader.last = str(version)
    return Message("lost", json.dumps(told), reader.last)


def _pauses(pause: float | None = None) -> Iterator[float]:
    """Yield the seconds between tries, ever longer; at random, so that many do not come at once."""
    pause = pause or FIRST_PAUSE
    while True:
        yield pause * random.uniform(0.5, 1)
        pause = min(2 * pause, max(pause, LONGEST_PAUSE))
