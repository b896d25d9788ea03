"""The HTTP client that everything outside the service uses; a person may copy it.

    ann = Client("http://127.0.0.1:8000").sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]})
    view = ann.view(game["id"])
    answer = ann.play(view, view["you"]["legal_actions"][0])

A lost connection is tried again for ``patience`` seconds, whenever that cannot do a thing twice:
reading is harmless, and an action carries an Idempotency-Key.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import urllib3

UNAVAILABLE = (502, 503, 504)
CONNECTIONS = 8  # kept open


class Problem(Exception):
    """The service said no: ``status``, ``code`` and the whole document as ``body``."""

    def __init__(self, status: int, body: dict):
        super().__init__(f"{status} {body.get('code')}: {body.get('detail')}")
        self.status, self.code, self.body = status, body.get("code"), body


class Client:
    """Speaks to one service as one account, or as nobody."""

    def __init__(self, url: str, token: str | None = None, patience: float = 30.0):
        self.url, self.patience = url.rstrip("/"), patience
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = urllib3.PoolManager(maxsize=CONNECTIONS, retries=False)

    def sign_up(self, name: str) -> Client:
        """Return a client of a new account of that name."""
        token = self.post("/v1/players", {"name": name})["token"]
        return Client(self.url, token, self.patience)

    def view(self, game: str) -> dict:
        """Return a game as the account may see it."""
        return self.get(f"/v1/games/{quote(game)}")

    def play(self, view: dict, action: dict) -> dict:
        """Play an action on the position of a view, once; return version, entries and view."""
        headers = {"If-Match": f'"{view["version"]}"', "Idempotency-Key": uuid.uuid4().hex}
        return self.post(f"/v1/games/{view['id']}/actions", action, headers, repeat=True)

    def entries(self, game: str, after: int = 0, wait: float = 20.0) -> Iterator[dict]:
        """Yield the entries of a game as they come, until it is over."""
        while after is not None:
            page = self.get(f"/v1/games/{quote(game)}/events", after=after, wait=wait)
            yield from page["items"]
            after = page["next"]

    def get(self, path: str, **query) -> dict:
        """Return the JSON at a path."""
        if query:
            path += "?" + urlencode(query)
        return self._request("GET", path, repeat=True)

    def post(
        self, path: str, body: dict, headers: dict | None = None, *, repeat: bool = False
    ) -> dict:
        """Return the answer to a body; ``repeat`` only what may be sent twice."""
        headers = (headers or {}) | {"Content-Type": "application/json"}
        return self._request("POST", path, json.dumps(body).encode(), headers, repeat)

    def text(self, path: str) -> str:
        """Return what is at a path, such as a picture."""
        return self._answer("GET", path, None, {}, True).data.decode()

    def _request(
        self, method: str, path: str, body: bytes | None = None, headers: dict | None = None,
        repeat: bool = False,
    ) -> dict:
        return json.loads(self._answer(method, path, body, headers or {}, repeat).data)

    def _answer(self, method: str, path: str, body, headers: dict, repeat: bool):
        end, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                answer = self._http.request(
                    method, self.url + path, body=body, headers=self._headers | headers,
                    timeout=urllib3.Timeout(connect=5, read=self.patience + 30))
            except urllib3.exceptions.HTTPError:
                if not repeat or time.monotonic() > end:
                    raise
            else:
                if answer.status < 400:
                    return answer
                if answer.status not in UNAVAILABLE or time.monotonic() > end:
                    raise Problem(answer.status, _document(answer.data))
            time.sleep(pause)
            pause = min(2 * pause, 2.0)


def _document(data: bytes) -> dict:
    """Return a problem document, also where something between here and the service wrote none."""
    try:
        found = json.loads(data)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"detail": data[:200].decode(errors="replace")}
