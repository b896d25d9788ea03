"""Calls the application and keeps what was said, for the examples in openapi.yaml."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from itertools import islice

import orjson
from flask import Flask

from service.http.serving import services

SEED = sha256(b"the examples of openapi.yaml").hexdigest()
LONG = 6  # longer lists are shortened
ALIKE = 3  # so many actions of one type are left of a long list
LINES = 2  # of a download
FEW = {"X-From": "an address of its own"}


class Tape:
    """Calls the application and keeps what was said."""

    def __init__(self, app: Flask):
        self.client = app.test_client()
        self.find, self.games = services(app).find, services(app).games
        self.game, self.version = "", 0  # where the game is that is played, and how far it came
        self.rows: dict[str, list[dict]] = {}
        self.tokens: dict[str | None, str] = {}

    def call(
        self,
        operation: str,
        name: str,
        summary: str,
        method: str,
        path: str,
        body=None,
        by: str | None = None,
        **kwargs,
    ):
        """Make a request, keep it with its answer as an example, and return the answer; ``parts``
        are how many parts of a stream to take."""
        parts = kwargs.pop("parts", None)
        answer = self.ask(method, path, body, by, **kwargs)
        row = {"name": name, "status": answer.status_code}
        if parts:
            said = b"".join(islice(answer.response, parts)).decode()
            answer.close()
        elif answer.mimetype == "image/png":
            said = "the bytes of the picture"
        else:
            is_text = answer.mimetype != "application/zip"
            said = (
                answer.get_json()
                if answer.is_json
                else (answer.get_data(as_text=True) if is_text else "PK ...")
            )
        shown = _shortened(said)
        row["summary"] = summary + (", long lists shortened" if shown != said else "")
        if body is not None and answer.status_code < 400:  # a tester sends what is recorded
            row["request"] = body
        if said:
            row |= {"media_type": answer.mimetype, "answer": shown}
        self.rows.setdefault(operation, []).append(row)
        return said

    def ask(self, method: str, path: str, body=None, by: str | None = None, **kwargs):
        """Make a request by somebody."""
        headers = kwargs.pop("headers", {})
        if by:
            headers = headers | {"Authorization": f"Bearer {self.tokens[by]}"}
        if body is not None:
            kwargs["json"] = body
        if headers is FEW:
            kwargs["environ_overrides"] = {"REMOTE_ADDR": "192.0.2.1"}
        return self.client.open(path, method=method, headers=headers, **kwargs)

    def play(
        self,
        name: str,
        summary: str,
        by: str,
        choose: Callable[[dict], dict],
        *,
        keep: bool = True,
        **kwargs,
    ) -> None:
        """Play an action that is chosen on the player's view."""
        action = choose(self.ask("GET", self.game, by=by).json)
        path = f"{self.game}/actions"
        if keep:
            self.call("playAction", name, summary, "POST", path, action, by, **kwargs)
        else:
            self.ask("POST", path, action, by)


def choice_of(kind: str) -> Callable[[dict], dict]:
    """Return a choice of the first legal action of a type, or of any such action at all."""
    return lambda view: next(
        (action for action in view["you"]["legal_actions"] if action["type"] == kind),
        {"type": kind},
    )


def _shortened(value):
    """Return an answer with its long lists shortened: actions to a few of each type."""
    if isinstance(value, str) and value.startswith("{") and value.count("\n") > 0:
        return "".join(
            orjson.dumps(_shortened(orjson.loads(line))).decode() + "\n"
            for line in value.splitlines()[:LINES]
        )
    if isinstance(value, str):
        return re.sub(r"(<svg[^>]*>).*(</svg>)", r"\1<!-- the picture -->\2", value, flags=re.S)
    if isinstance(value, dict):
        return {
            name: inner if name == "events" else _shortened(inner) for name, inner in value.items()
        }
    if not isinstance(value, list) or len(value) <= LONG:
        return [_shortened(inner) for inner in value] if isinstance(value, list) else value
    if not isinstance(value[0], dict) or "type" not in value[0]:
        return [_shortened(inner) for inner in value[:LONG]]
    by_type: dict[str, list] = {}
    for action in value:
        by_type.setdefault(action["type"], []).append(action)
    return [action for actions in by_type.values() for action in actions[:ALIKE]]
