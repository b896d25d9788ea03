"""People who call the API over the application's test client."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import orjson

from service.http.serving import services
from service.times import as_time, in_ms


class Caller:
    """Somebody who calls the API: an account with its token, or nobody in particular."""

    def __init__(self, app, account: dict | None = None):
        self.client = app.test_client()
        self.account = account or {}

    @property
    def id(self) -> str:
        return self.account["id"]

    def request(self, method: str, path: str, body=None, headers=None, **kwargs):
        """Send a request; ``body`` is sent as JSON, ``data`` unchanged."""
        sent = dict(headers or {})
        if "token" in self.account:
            sent.setdefault("Authorization", f"Bearer {self.account['token']}")
        if body is not None:
            kwargs["json"] = body
        return self.client.open(path, method=method, headers=sent, **kwargs)

    def get(self, path: str, **kwargs):
        return self.request("GET", path, **kwargs)

    def post(self, path: str, body=None, **kwargs):
        return self.request("POST", path, body, **kwargs)

    def patch(self, path: str, body=None, **kwargs):
        return self.request("PATCH", path, body, **kwargs)

    def delete(self, path: str, **kwargs):
        return self.request("DELETE", path, **kwargs)

    def read(self, path: str, **kwargs) -> dict:
        """Return the JSON of an answer with status 200."""
        answer = self.get(path, **kwargs)
        assert answer.status_code == 200, answer.json
        return answer.json

    def view(self, game: str) -> dict:
        """Return a game as this caller may see it."""
        return self.read(f"/v1/games/{game}")

    def act(self, game: str, action: dict, headers=None):
        """Post an action."""
        return self.post(f"/v1/games/{game}/actions", action, headers=headers)

    def play(self, game: str, action: dict) -> dict:
        """Play an action that is accepted; return the answer."""
        answer = self.act(game, action)
        assert answer.status_code == 200, answer.json
        return answer.json


def sign_up(app, name: str) -> Caller:
    """Make an account; return its caller."""
    answer = Caller(app).post("/v1/players", {"name": name})
    assert answer.status_code == 201, answer.json
    return Caller(app, answer.json)


def create(caller: Caller, *others: dict, board: str = "usa", **options) -> dict:
    """Create a game of the caller, on the first seat, and others, by default of one open seat.
    Return its view."""
    made = caller.post(
        "/v1/games",
        {
            "board": board,
            "seats": [{"player": "me"}, *(others or [{"open": True}])],
            "options": options,
        },
    )
    assert made.status_code == 201, made.json
    return made.json


def begin(*callers: Caller, board: str = "usa", **options) -> str:
    """Start a game of these callers, the first to play first, so that it is not rated; with
    ``first_seat=None``, the first seat is drawn. Return its id."""
    options = {"first_seat": 0} | options
    if options["first_seat"] is None:
        del options["first_seat"]
    made = create(callers[0], *[{"open": True}] * (len(callers) - 1), board=board, **options)
    code = {"invitation": made["invitation"]} if "invitation" in made else {}
    for caller in callers[1:]:
        assert caller.post(f"/v1/games/{made['id']}/seats", code).status_code == 201
    return made["id"]


def won(winner: Caller, *others: Caller, **options) -> str:
    """Return a game that is over, won by the first and lost by the last who resigned first."""
    game = begin(winner, *others, **{"first_seat": None} | options)
    for caller in others[::-1]:
        caller.play(game, {"type": "resign"})
    assert winner.view(game)["status"] == "finished"
    return game


def less_deadlines(view: dict) -> dict:
    """Return a view without deadlines: earlier views have none, and another service has had other
    pauses."""
    deciding = [{name: row[name] for name in row if name != "deadline"} for row in view["deciding"]]
    return view | {"deciding": deciding}


def pages(caller: Caller, path: str, **query) -> list[list[dict]]:
    """Return the items of all pages of a list: each has a link to the next, with all else that was
    asked for."""
    parts, answer = [], caller.get(path, query_string=query)
    while True:
        assert answer.status_code == 200, answer.json
        parts.append(answer.json["items"])
        if answer.json["next"] is None:
            assert "Link" not in answer.headers
            return parts
        [link] = re.findall('^<(.*)>; rel="next"$', answer.headers["Link"])
        asked = parse_qs(urlsplit(link).query)
        assert asked.pop("after") == [str(answer.json["next"])]
        assert asked == {name: [str(value)] for name, value in query.items()}
        answer = caller.get(link)


def keep_tickets(game: str, *callers: Caller) -> None:
    """Keep all offered tickets on every seat, so that the first turn begins."""
    for caller in callers:
        caller.play(game, caller.view(game)["you"]["legal_actions"][-1])


def play_on(
    game: str, callers: list[Caller], choose: Callable[[list[dict]], dict]
) -> Iterator[tuple[Caller, dict]]:
    """Play to the end with ``choose(legal_actions)``; yield (who played, the answer)."""
    while deciding := callers[0].view(game)["deciding"]:
        caller = callers[deciding[0]["seat"]]
        yield caller, caller.play(game, choose(caller.view(game)["you"]["legal_actions"]))


def backdate(app, game_id: str, milliseconds: int) -> None:
    """Change a game's head, so that its last entry seems older."""
    store = services(app).games.store
    key = store.key(game_id, "head")
    head = orjson.loads(store.redis.get(key))
    head["updated"] = as_time(in_ms(head["updated"]) - milliseconds)
    store.redis.set(key, orjson.dumps(head))
