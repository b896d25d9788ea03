"""The examples in openapi.yaml: a scripted game, played against the application over Redis.

Chance is fixed by the game's seed; ids, tokens, times and hashes are replaced by plain ones, so
that recording twice gives the same.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import islice
from random import Random
from unittest.mock import patch

import orjson
from flask import Flask

from service.api.answers import NDJSON, SSE
from service.api.app import create_app
from service.api.serving import services
from service.operation.redis import EmbeddedRedis, connect
from service.operation.sweep import sweep
from service.tournaments.director import direct
from service.webhooks.lanes import LANES

SEED = sha256(b"the examples of openapi.yaml").hexdigest()
EPOCH = datetime(2026, 1, 1, 12)
STEP = timedelta(seconds=7)
LONG = 6  # longer lists are shortened
ALIKE = 3  # so many actions of one type are left of a long list
ID = re.compile(r"\b([cgptw])_[0-9a-f]{20}\b")
CALL = re.compile(r"\bmsg_[0-9a-f]{24}\b")
LINES = 2  # of a download
TIMES = ("at", "starts_at", "created", "updated", "finished", "deadline", "available",
         "arrived", "last_played")
CURSOR = re.compile(r"\b[0-9]{13}(:|[.](?=g_))")
TOOK = re.compile(r'"milliseconds":[0-9]+')
RANDOM = ("hash", "salt", "command", "invitation", "commitment", "lots", "request_id")
SECONDS = re.compile(r"in [0-9]+ seconds")
FEW = {"X-From": "an address of its own"}


def record() -> dict[str, list[dict]]:
    """Return the examples of every operation, by operationId."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(folder) as redis:
        with patch.dict(os.environ, FOGG_LIMITS="accounts=4/60"):
            script = Script(create_app(connect(redis.url, retry=False)))
        script.accounts()
        script.webhooks()
        script.boards()
        script.lobby()
        script.first_turns()
        script.end()
        script.tournament()
        script.ratings()
        redis.stop()
        script.call("getReadiness", "not-ready", "The store is away", "GET", "/readyz")
    return _plain(script.rows)


class Script:
    """Calls the application and keeps what was said."""

    def __init__(self, app: Flask):
        self.client = app.test_client()
        self.tournaments = services(app).tournaments
        self.deliveries = services(app).deliveries
        self.games = services(app).games
        self.rows: dict[str, list[dict]] = {}
        self.tokens: dict[str | None, str] = {}

    def call(
        self, operation: str, name: str, summary: str, method: str, path: str, body=None,
        by: str | None = None, **kwargs
    ):
        """Make a request, keep it with its answer as an example, and return the answer; ``parts``
        are how many parts of a stream to take."""
        parts = kwargs.pop("parts", None)
        answer = self.ask(method, path, body, by, **kwargs)
        row = {"name": name, "status": answer.status_code}
        if parts:
            said = b"".join(islice(answer.response, parts)).decode()
            answer.close()
        else:
            said = answer.get_json() if answer.is_json else answer.get_data(as_text=True)
        shown = _shortened(said)
        row["summary"] = summary + (", long lists shortened" if shown != said else "")
        if body is not None and answer.status_code not in (400, 413, 415, 422):
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

    def accounts(self) -> None:
        """Sign up, look around, be refused."""
        made = self.call("createPlayer", "account", "A new account", "POST", "/v1/players",
                         {"name": "Ada"})
        self.tokens["ada"] = made["token"]
        for name in ("grace", "mary"):
            made = self.ask("POST", "/v1/players", {"name": name.title()}).json
            self.tokens[name] = made["token"]
        self.call("createPlayer", "control-character", "A name that cannot be shown", "POST",
                  "/v1/players", {"name": "Ada\n"})
        self.call("createPlayer", "not-json", "A body that is not JSON", "POST", "/v1/players",
                  data="name=Ada", content_type="application/json")
        self.call("createPlayer", "form", "A body of another type", "POST", "/v1/players",
                  data="name=Ada", content_type="application/x-www-form-urlencoded")
        self.call("createPlayer", "too-large", "A body of more than 64 KiB", "POST", "/v1/players",
                  {"name": "A" * 70_000})
        for _ in range(4):
            self.ask("POST", "/v1/players", {"name": "Ada"}, headers=FEW)
        self.call("createPlayer", "too-many-requests", "Too many accounts from one address", "POST",
                  "/v1/players", {"name": "Ada"}, headers=FEW)
        self.call("getMe", "account", "One's own account", "GET", "/v1/me", by="ada")
        self.call("getMe", "no-token", "No token", "GET", "/v1/me")
        self.call("getMe", "wrong-token", "A token that was never issued", "GET", "/v1/me",
                  headers={"Authorization": "Bearer fogg_no-such-token"})
        made = self.call("createToken", "token", "A second token", "POST", "/v1/me/tokens", {},
                         "ada")
        wish = {"scopes": ["read"], "label": "a screen on the wall"}
        self.tokens["wall"] = self.call("createToken", "read-only", "A token that can only look on",
                                        "POST", "/v1/me/tokens", wish, "ada")["token"]
        self.call("createToken", "missing-scope", "What that token may not do", "POST",
                  "/v1/me/tokens", {}, "wall")
        self.call("listTokens", "tokens", "All tokens", "GET", "/v1/me/tokens", by="ada")
        path = f"/v1/me/tokens/{made['id']}"
        self.call("revokeToken", "revoked", "The second token is revoked", "DELETE", path, by="ada")
        self.call("revokeToken", "unknown-token", "It is gone", "DELETE", path, by="ada")
        bot = self.call("createBot", "bot", "A bot of one's own", "POST", "/v1/me/bots",
                        {"name": "Adabot"}, "ada")
        self.tokens["adabot"] = bot["token"]
        self.call("listMyBots", "bots", "One's bots", "GET", "/v1/me/bots", by="ada")
        self.call("getPlayer", "bot", "A bot, as anybody sees it", "GET",
                  f"/v1/players/{bot['id']}")
        self.call("getPlayer", "unknown-player", "No such account", "GET",
                  "/v1/players/p_" + 20 * "0")

    def webhooks(self) -> None:
        """Be called."""
        path = "/v1/me/webhooks"
        wish = {"url": "https://bots.example/fogg", "events": ["your_turn", "over"]}
        made = self.call("createWebhook", "webhook", "An address to be called", "POST", path, wish,
                         "ada")
        self.call("createWebhook", "bad-request", "One that may not be called", "POST", path,
                  {"url": "https://127.0.0.1/fogg"}, "ada")
        self.call("listWebhooks", "webhooks", "All webhooks", "GET", path, by="ada")
        path = f"{path}/{made['id']}"
        self.call("getWebhook", "on", "A webhook that is called", "GET", path, by="ada")
        self.call("pingWebhook", "ping", "A test", "POST", f"{path}/pings", {}, "ada")
        for lane in range(LANES):
            while asked := self.deliveries.next_request(made["id"], lane):
                self.deliveries.record(made["id"], {
                    "call": asked["call"], "attempt": asked["attempt"], "status": 204,
                    "milliseconds": 42})
        self.call("listDeliveries", "delivered", "How the test went", "GET", f"{path}/deliveries",
                  by="ada")
        self.call("changeWebhook", "off", "It is switched off", "PATCH", path, {"enabled": False},
                  "ada")
        self.call("pingWebhook", "webhook-off", "It is not called now", "POST", f"{path}/pings", {},
                  "ada")
        self.call("deleteWebhook", "deleted", "It is gone", "DELETE", path, by="ada")
        self.call("getWebhook", "unknown-webhook", "No such webhook", "GET", path, by="ada")

    def boards(self) -> None:
        """Fetch what never changes."""
        self.call("getHealth", "ok", "The process lives", "GET", "/healthz")
        self.call("getReadiness", "ok", "The store answers", "GET", "/readyz")
        self.call("listBots", "bots", "The built-in bots", "GET", "/v1/bots")
        self.call("listBoards", "boards", "The boards", "GET", "/v1/boards")
        self.call("getBoard", "usa", "The board of the USA", "GET", "/v1/boards/usa")
        self.call("getBoard", "unknown-board", "No such board", "GET", "/v1/boards/atlantis")
        self.call("getBoardMap", "usa", "The map of the USA", "GET", "/v1/boards/usa/map.svg")

    def lobby(self) -> None:
        """Make games, take seats and leave them, until the second seat is taken for good."""
        wish = {"board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]}
        self.call("createGame", "against-a-bot", "A game against a bot, which starts at once",
                  "POST", "/v1/games", wish | {"options": {"seed": SEED}}, "mary")
        wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}],
                "options": {"seed": SEED, "first_seat": 0}}
        made = self.call("createGame", "open-seat", "A game that waits for a second player", "POST",
                         "/v1/games", wish, "ada")
        self.call("createGame", "unknown-board", "No such board", "POST", "/v1/games",
                  wish | {"board": "atlantis"}, "ada")
        self.call("createGame", "too-many-seats", "More seats than the board has", "POST",
                  "/v1/games", {"board": "usa", "seats": [{"open": True}] * 6}, "ada")
        self.call("createGame", "malformed", "Two members at fault", "POST", "/v1/games",
                  {"board": "usa", "seats": [{"player": "me"}, {"bot": "hal"}], "speed": 9}, "ada")
        self.game = f"/v1/games/{made['id']}"
        self.call("listGames", "lobby", "Games that wait for players", "GET",
                  "/v1/games?status=lobby")
        self.call("listGames", "malformed", "An unknown status", "GET", "/v1/games?status=open")
        self.call("joinGame", "already-seated", "Nobody sits twice", "POST", f"{self.game}/seats",
                  {}, "ada")
        wish = wish | {"seats": wish["seats"] + [{"open": True}]}
        waiting = f"/v1/games/{self.ask('POST', '/v1/games', wish, 'ada').json['id']}"
        self.ask("POST", f"{waiting}/seats", {}, "grace")
        self.call("leaveSeat", "not-yours", "Another's seat", "DELETE", f"{waiting}/seats/0",
                  by="grace")
        self.call("leaveSeat", "left", "One's own seat", "DELETE", f"{waiting}/seats/1", by="grace")
        self.private(wish)
        self.call("joinGame", "joined", "The last open seat: the game starts", "POST",
                  f"{self.game}/seats", {"entropy": "correct-horse-battery-staple"}, "grace")
        self.call("leaveSeat", "game-started", "Too late to leave", "DELETE",
                  f"{self.game}/seats/1", by="grace")

    def private(self, wish: dict) -> None:
        """A game with a clock that is not for everybody: invite, start, call off."""
        wish = wish | {"options": wish["options"] | {
            "visibility": "private", "clock": {"bank": 600, "increment": 5}, "on_timeout": "act"}}
        made = self.call("createGame", "private", "A private game with a clock", "POST",
                         "/v1/games", wish, "ada")
        game = f"/v1/games/{made['id']}"
        grace = self.ask("GET", "/v1/me", by="grace").json["id"]
        self.call("invitePlayer", "player", "Somebody is invited", "POST", f"{game}/invitations",
                  {"player": grace}, "ada")
        self.call("listMyEvents", "invited", "An invitation", "GET",
                  "/v1/me/events?after=1:", by="grace")
        self.call("joinGame", "not-yours", "Without the invitation it is as if it did not exist",
                  "POST", f"{game}/seats", {"invitation": 20 * "0"}, "mary")
        self.call("joinGame", "invited", "With the invitation", "POST", f"{game}/seats",
                  {"invitation": made["invitation"], "seat": 2}, "grace")
        self.call("startGame", "not-yours", "Only the creator starts it", "POST", f"{game}/start",
                  {}, "grace")
        self.call("startGame", "started", "Started without the third seat", "POST",
                  f"{game}/start", {}, "ada")
        self.call("abortGame", "aborted", "Called off before the first turn", "POST",
                  f"{game}/abort", {}, "ada")
        self.call("abortGame", "game-finished", "It is over already", "POST", f"{game}/abort", {},
                  "ada")

    def first_turns(self) -> None:
        """Play a few actions, and try what the rules forbid."""
        self.play("keep-tickets", "Two of three tickets are kept", "ada", _of("keep_tickets"))
        self.play("too-few-tickets", "Two at least must be kept", "grace", lambda view: {
            "type": "keep_tickets", "tickets": view["you"]["offered"][:1]})
        self.play("not-your-turn", "The game waits for the other", "ada", lambda _: {
            "type": "draw_card", "from": "deck"})
        self.play("others-tickets", "The other's choice", "grace", _of("keep_tickets"), keep=False)
        self.call("getGame", "your-turn", "The caller's turn", "GET", self.game, by="ada")
        self.call("getGame", "spectator", "As somebody without a seat sees it", "GET", self.game)
        self.call("getHistory", "game-not-finished", "While it runs there are secrets in it", "GET",
                  f"{self.game}/history")
        self.call("getGame", "unknown-game", "No such game", "GET", "/v1/games/g_" + 20 * "0")
        self.call("getGamePicture", "turn", "The map with what lies on it", "GET",
                  f"{self.game}/board.svg")
        self.call("listLegalActions", "turn", "On one's turn", "GET", f"{self.game}/legal-actions",
                  by="ada")
        self.call("listLegalActions", "not-yours", "Without a seat", "GET",
                  f"{self.game}/legal-actions", by="mary")
        self.play("draw-blind", "A blind draw, to be followed by a second card", "ada",
                  _of("draw_card"), headers={"Idempotency-Key": "a-name-of-my-own"})
        self.play("key-used", "A key that belongs to another action", "ada", _of("draw_tickets"),
                  headers={"Idempotency-Key": "a-name-of-my-own"})
        self.play("stale", "An action meant for an earlier version", "ada", _of("draw_card"),
                  headers={"If-Match": '"4"'})
        self.play("draw-from-row", "A card of the row", "ada", lambda view: {
            "type": "draw_card", "from": "row", "card": min(set(view["row"]) - {"wild"})})
        self.play("cards-not-held", "Cards that the hand does not hold", "grace", lambda _: {
            "type": "claim_route", "route": "boston--montreal", "cards": {"wild": 2}})
        self.play("malformed", "A claim without cards", "grace", lambda _: {
            "type": "claim_route", "route": "boston--montreal"})
        self.play("not-yours", "An action by somebody without a seat", "mary", lambda _: {
            "type": "resign"})
        self.call("listEvents", "seat", "The latest entries, with what only the caller may see",
                  "GET", f"{self.game}/events?after=3", by="ada")
        self.call("listEvents", "spectator", "The same, as anybody may see them", "GET",
                  f"{self.game}/events?after=3")
        self.call("listEvents", "malformed", "Too long a wait", "GET",
                  f"{self.game}/events?wait=3600")
        self.call("listMyEvents", "your-turn", "The caller's turn", "GET", "/v1/me/events",
                  by="grace")
        for form in (SSE, NDJSON):
            self.call("listMyEvents", "your-turn", "The same, as a stream", "GET", "/v1/me/events",
                      by="grace", headers={"Accept": form}, parts=1)
        self.call("listEvents", "version-ahead", "A version that is not there yet", "GET",
                  f"{self.game}/events?after=999", headers={"Accept": SSE})

    def end(self) -> None:
        """Play to the end, claiming routes where possible."""
        chance, claimed = Random(1), False
        while (view := self.ask("GET", self.game, by="ada").json)["deciding"]:
            by = ("ada", "grace")[view["deciding"][0]["seat"]]
            actions = self.ask("GET", f"{self.game}/legal-actions", by=by).json["items"]
            claims = [action for action in actions if action["type"] == "claim_route"]
            wanted = [claim for claim in claims if sum(claim["cards"].values()) > 2]
            action = chance.choice(wanted or [a for a in actions if a["type"] == "draw_card"]
                                   or claims or actions)
            if action in claims and not claimed:
                self.play("claim-route", "A route is claimed", by, lambda _, a=action: a)
                claimed = True
            else:
                self.ask("POST", f"{self.game}/actions", action, by)
        self.call("getGame", "finished", "A finished game: no more secrets", "GET", self.game)
        self.call("listEvents", "finished", "The last entry of a finished game", "GET",
                  f"{self.game}/events?after={view['version'] - 1}")
        self.call("listGames", "finished", "Finished games of the caller", "GET",
                  "/v1/games?player=me&status=finished", by="ada")
        self.play("game-finished", "It is over", "ada", lambda _: {"type": "resign"})
        for form in (SSE, NDJSON):
            self.call("listEvents", "stream", "The end of a game as a stream", "GET",
                      f"{self.game}/events?after={view['version'] - 1}", headers={"Accept": form})
        wish = {"fork": {"game": self.game.rpartition("/")[2], "version": 20},
                "seats": [{"player": "me"}, {"open": True}]}
        self.call("createGame", "fork", "A game that goes on from a position of another", "POST",
                  "/v1/games", wish, "ada")
        self.past(view["version"])
        self.call("rematch", "first", "The first who asks", "POST", f"{self.game}/rematch", {},
                  "ada")

    def tournament(self) -> None:
        """Set tournaments up, enter them, and play one out."""
        all_, by = "/v1/tournaments", "ada"
        wish = {"name": "Evening cup", "format": "swiss", "boards": ["usa", "europe"], "rounds": 5,
                "deals": "duplicate", "entry": "invitation", "clock": {"bank": 120, "increment": 2},
                "starts_at": "2090-01-01T18:00:00Z"}
        made = self.call("createTournament", "swiss", "Five rounds, by invitation", "POST", all_,
                         wish, by)
        cup = f"{all_}/{made['id']}"
        self.call("createTournament", "wrong-number-of-seats", "More seats than the board has",
                  "POST", all_, {"name": "Cup", "boards": ["london"], "seats": 5}, by)
        self.call("createTournament", "malformed", "An unknown format", "POST", all_,
                  {"name": "Cup", "format": "melee"}, by)
        self.call("enterTournament", "not-yours", "Without the invitation", "POST",
                  f"{cup}/entries", {}, "grace")
        self.call("enterTournament", "entered", "With the invitation", "POST", f"{cup}/entries",
                  {"invitation": made["invitation"]}, "grace")
        self.call("enterTournament", "bot", "A built-in bot, by the creator", "POST",
                  f"{cup}/entries", {"bot": "planner"}, by)
        self.call("enterTournament", "already-entered", "One account, one entry", "POST",
                  f"{cup}/entries", {"invitation": made["invitation"]}, "grace")
        self.call("withdrawEntry", "not-yours", "Another's entry", "DELETE",
                  f"{cup}/entries/planner", by="grace")
        self.call("withdrawEntry", "withdrawn", "One's own entry", "DELETE", f"{cup}/entries/me",
                  by="grace")
        self.call("startTournament", "too-few-entrants", "Nobody to play against", "POST",
                  f"{cup}/start", {}, by)
        self.call("endTournament", "not-yours", "Only the creator ends it", "POST", f"{cup}/end",
                  {}, "grace")
        self.call("endTournament", "ended", "Called off", "POST", f"{cup}/end", {}, by)
        made = self.ask("POST", all_, {"name": "Two of us"}, by).json
        duel = f"{all_}/{made['id']}"
        for who in ("ada", "grace"):
            self.ask("POST", f"{duel}/entries", {}, who)
        self.call("startTournament", "started", "Started with two", "POST", f"{duel}/start", {}, by)
        direct(self.tournaments)
        self.call("getTournament", "running", "The first round is paired", "GET", duel)
        found = self.ask("GET", "/v1/me/events?after=1:", by="grace").json["items"]
        [game] = [row["game"] for row in found if row["type"] == "paired"]
        self.ask("POST", f"/v1/games/{game}/actions", {"type": "resign"}, "grace")
        direct(self.tournaments)
        self.call("getTournament", "finished", "It is over", "GET", duel)
        self.call("listTournamentPairs", "none", "Too little was played to tell", "GET",
                  f"{duel}/pairs")
        self.call("getTournament", "unknown-tournament", "No such tournament", "GET",
                  f"{all_}/c_" + 20 * "0")
        self.call("listTournaments", "finished", "Those that are over", "GET",
                  f"{all_}?status=finished")

    def ratings(self) -> None:
        """Look at what the tournament's game has made of its players."""
        sweep(self.games)
        self.call("listLeaderboards", "all", "Two players have played", "GET", "/v1/leaderboards")
        self.call("getLeaderboard", "overall", "The best over all", "GET",
                  "/v1/leaderboards/overall")
        self.call("getLeaderboard", "unknown-board", "No such board", "GET",
                  "/v1/leaderboards/atlantis")
        grace = f"/v1/players/{self.ask('GET', '/v1/me', by='grace').json['id']}"
        self.call("getPlayer", "rated", "A player, as anybody sees them", "GET", grace)
        self.call("listRatings", "overall", "How the rating came to be", "GET", f"{grace}/ratings")
        self.call("getRatingPlot", "overall", "The same as a plot", "GET", f"{grace}/ratings.svg")

    def past(self, version: int) -> None:
        """Look back at the finished game, and at what it adds to the statistics."""
        self.call("getGame", "at", "The same game as it was at its tenth version", "GET",
                  f"{self.game}?at=10&legal_actions=false", by="ada")
        self.call("getGame", "version-ahead", "A version that it never came to", "GET",
                  f"{self.game}?at={version + 1}")
        self.call("getGamePicture", "at", "What lay on the map at its tenth version", "GET",
                  f"{self.game}/board.svg?at=10")
        self.call("listGames", "won", "Games of the USA that the caller has won", "GET",
                  "/v1/games?board=usa&won_by=me", by="grace")
        self.call("getHistory", "finished", "A whole game", "GET", f"{self.game}/history")
        self.call("getDecisions", "finished", "What was decided, and on what", "GET",
                  f"{self.game}/decisions")
        self.call("listHistories", "usa", "Games on a board", "GET", "/v1/histories?board=usa")
        self.call("listDecisions", "usa", "Decisions on a board", "GET", "/v1/decisions?board=usa")
        self.call("getBotStatistics", "all", "One game has been played", "GET", "/v1/stats/bots")
        self.call("getBotPlot", "all", "The same as a plot", "GET", "/v1/stats/bots/plot.svg")
        self.call("getBoardStatistics", "usa", "One game has been played", "GET",
                  "/v1/stats/boards/usa")
        self.call("getBoardPlot", "usa", "The same as a plot", "GET",
                  "/v1/stats/boards/usa/plot.svg")

    def play(
        self, name: str, summary: str, by: str, choose: Callable[[dict], dict], *,
        keep: bool = True, **kwargs
    ) -> None:
        """Play an action that is chosen on the player's view."""
        action = choose(self.ask("GET", self.game, by=by).json)
        path = f"{self.game}/actions"
        if keep:
            self.call("playAction", name, summary, "POST", path, action, by, **kwargs)
        else:
            self.ask("POST", path, action, by)


def _of(kind: str) -> Callable[[dict], dict]:
    """Return a choice of the first legal action of a type, or of any such action at all."""
    return lambda view: next(
        (action for action in view["you"]["legal_actions"] if action["type"] == kind),
        {"type": kind})


def _shortened(value):
    """Return an answer with its long lists shortened: actions to a few of each type."""
    if isinstance(value, str) and value.startswith("{") and value.count("\n") > 0:
        return "".join(orjson.dumps(_shortened(orjson.loads(line))).decode() + "\n"
                       for line in value.splitlines()[:LINES])
    if isinstance(value, str):
        return re.sub(r"(<svg[^>]*>).*(</svg>)", r"\1<!-- the picture -->\2", value, flags=re.S)
    if isinstance(value, dict):
        return {name: inner if name == "events" else _shortened(inner)
                for name, inner in value.items()}
    if not isinstance(value, list) or len(value) <= LONG:
        return [_shortened(inner) for inner in value] if isinstance(value, list) else value
    if not isinstance(value[0], dict) or "type" not in value[0]:
        return [_shortened(inner) for inner in value[:LONG]]
    by_type: dict[str, list] = {}
    for action in value:
        by_type.setdefault(action["type"], []).append(action)
    return [action for actions in by_type.values() for action in actions[:ALIKE]]


def _plain(rows: dict) -> dict:
    """Return the examples with plain ids, tokens, times and hashes in place of the real ones."""
    times = sorted(_values(rows, TIMES))
    names = {at: (EPOCH + i * STEP).isoformat(timespec="milliseconds") + "Z"
             for i, at in enumerate(times)}
    names |= {h: sha256(f"example {i}".encode()).hexdigest()[:len(h)]
              for i, h in enumerate(_values(rows, RANDOM))}
    names |= {t: f"fogg_an-example-not-a-token-{i}"
              for i, t in enumerate(_values(rows, ("token",)), 1)}
    names |= {s: f"whsec_an-example-not-a-secret-{i}"
              for i, s in enumerate(_values(rows, ("secret",)), 1)}
    ids: dict[str, str] = {}

    def plain(value):
        if isinstance(value, dict):
            return {name: plain(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [plain(inner) for inner in value]
        if isinstance(value, str):
            if "\n" in value:  # a stream, which holds what other examples hold
                for known, name in names.items():
                    value = value.replace(known, name)
            value = TOOK.sub('"milliseconds":7000', value)
            value = CALL.sub("msg_f00dcafe0123456789abcdef", value)
            value = SECONDS.sub("in 17 seconds", CURSOR.sub(r"1767268800000\1", value))
            return names.get(value) or ID.sub(plain_id, value)
        return value

    def plain_id(found: re.Match) -> str:
        count = sum(known.startswith(found[1]) for known in ids)
        return ids.setdefault(found[0], f"{found[1]}_{count + 1:020}")

    return plain(rows)


def _values(value, members: tuple[str, ...]) -> list[str]:
    """Return the distinct strings under these members, in the order in which they are found."""
    found: dict[str, None] = {}
    if isinstance(value, str) and value.startswith("{"):  # lines of JSON
        for line in filter(None, value.splitlines()):
            found |= dict.fromkeys(_values(orjson.loads(line), members))
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name in members and isinstance(inner, str):
                found[inner] = None
            else:
                found |= dict.fromkeys(_values(inner, members))
    elif isinstance(value, list):
        for inner in value:
            found |= dict.fromkeys(_values(inner, members))
    return list(found)
