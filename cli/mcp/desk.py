"""The tools' work: requests of one account, with text answers."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from threading import Lock
from typing import Any

from fogg_client import Client, Problem, expanded
from fogg_client.client import segment
from fogg_client.types import Board, View
from urllib3.exceptions import HTTPError

from cli.mcp import views
from cli.mcp.actions import DECK, as_posted, nearest
from cli.mcp.planning import WILD, plan_text
from cli.mcp.rules import Rules
from domain.network import turned

MAX_WAIT_S = 40.0  # seconds; the answer must be there within 45
LONG_POLL_S = 10.0  # seconds of one long poll
FINISHED = 5  # finished games that are listed
NAMED = {"unknown-route": "routes", "unknown-location": "locations"}  # refusals of a board's names
# members of requests that the tools' arguments stand for
ARGUMENTS = {"seats": "opponents", "from": "card", "clock": "seconds"}
MAX_ENTRIES_BACK = 60  # entries to search for the account's own last action


class CannotAnswer(Exception):
    """A call cannot be answered; the message is the text to show."""


class Desk:
    """Plays for one account of a service. ``account`` signs in on first use."""

    def __init__(self, url: str, account: Callable[[], Client]):
        self._url, self._account = url, account
        self._lock, self._boards = Lock(), dict[str, Board]()
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        with self._lock:
            self._client = self._client or self._account()
            return self._client

    def board(self, board: str) -> Board:
        if board not in self._boards:
            self._boards[board] = self.client.get(f"/v1/boards/{segment(board)}")
        return self._boards[board]

    @cached_property
    def rules(self) -> Rules:
        return Rules(self.client.text("/docs/rules.md"))

    def boards(self) -> str:
        boards = [
            f"{row['id']} ({row['least_players']} to {row['most_players']} players)"
            for row in self.client.get("/v1/boards")["items"]
        ]
        bots = [row["name"] for row in self.client.get("/v1/bots")["items"]]
        return f"Boards: {', '.join(boards)}. Bots: {', '.join(bots)}."

    @cached_property
    def _me(self) -> str:
        return self.client.get("/v1/me")["id"]

    def find(self, board: str | None) -> str:
        """Return the account's unfinished games, and games with an open seat."""
        query = {"board": board} if board else {}
        lines = [
            self._listed(row)
            for status in ("playing", "lobby")
            for row in self.client.get("/v1/games", player="me", status=status, limit=20, **query)[
                "items"
            ]
        ]
        mine = "\n".join(["Your games:", *lines]) if lines else "You have no games under way."
        if over := self.client.get(
            "/v1/games", player="me", status="finished", limit=FINISHED, **query
        )["items"]:
            mine = "\n".join([mine, "Your last finished games:", *map(self._listed, over)])
        free = [
            line
            for row in self.client.get("/v1/games", status="lobby", limit=20, **query)["items"]
            if any("player" not in seat for seat in row["seats"])
            and (line := self._listed(row)) not in lines
        ]
        return "\n".join(
            [
                mine,
                *(
                    ["Games with an open seat (join_game):", *free]
                    if free
                    else ["No game has an open seat: create_game makes one."]
                ),
                self.boards(),
            ]
        )

    def _listed(self, row: dict[str, Any]) -> str:
        seats = ", ".join(
            json.dumps(seat["player"]["name"]) + f" {seat.get('total', '')}".rstrip()
            if "player" in seat
            else "open"
            for seat in row["seats"]
        )
        is_mine = any(
            row["seats"][one["seat"]]["player"]["id"] == self._me for one in row["deciding"]
        )
        status = f", {row['status']}" * (row["status"] != "finished")
        return f"{row['id']} on {row['board']}{status}: {seats}" + ": your turn" * is_mine

    def join(self, game: str, invitation: str | None) -> str:
        body = {"invitation": invitation} if invitation else {}
        return self._brief(self.client.post(f"{_path(game)}/seats", body))

    def create(
        self, board: str, opponents: list[str], seed: str | None, seconds: float | None
    ) -> str:
        """Create a game against bots or open seats; return it as text. ``seconds`` is the time for
        each decision."""
        seats = [
            {"player": "me"},
            *({"open": True} if one == "open" else {"bot": one} for one in opponents),
        ]
        options: dict[str, Any] = {"seed": seed} if seed else {}
        if seconds is not None:
            options["clock"] = {"per_decision": seconds}
        try:
            return self._brief(
                self.client.post("/v1/games", {"board": board, "seats": seats, "options": options})
            )
        except Problem as problem:
            raise CannotAnswer(f"{problem_text(problem)} {self.boards()}") from problem

    def look(self, game: str, detail: str) -> str:
        view = self._view(game)
        board = self.board(view["board"])
        return (
            views.full_text(board, view)
            if detail == "full"
            else views.table_text(board, view, is_short=True)
        )

    def _view(self, game: str) -> View:
        return expanded(self.client.get(_path(game), legal_actions="grouped"))

    def _brief(self, view: View, *, is_short: bool = False) -> str:
        return views.brief_text(self.board(view["board"]), view, is_short=is_short)

    def notes(self, game: str) -> str:
        """Return the account's own notes in a game, the first ones first."""
        seat = self._view(game).get("you", {}).get("seat")
        lines, after = list[str](), 0
        while items := self.client.get(f"{_path(game)}/events", after=after)["items"]:
            after = items[-1]["version"]
            lines += [
                f"Version {entry['version']}: {json.dumps(entry['note'])}"
                for entry in items
                if "note" in entry and entry.get("seat") == seat
            ]
        return "\n".join(["Your notes:", *lines] if lines else ["You have noted nothing."])

    def plan(self, game: str, tickets: list[str] | None) -> str:
        """Return a plan for some tickets, by default the account's and those offered."""
        view = self._view(game)
        board, you = self.board(view["board"]), view.get("you")
        if not you or view["status"] != "playing":
            raise CannotAnswer("There is nothing to plan: you have no seat in a game under way.")
        known = {one["id"] for one in board["tickets"]}
        mine = [*you["tickets"], *you.get("offered", [])]
        if unknown := [one for one in tickets or () if one not in known]:
            raise CannotAnswer(
                f"There is no ticket {json.dumps(unknown[0])} on "
                f"{view['board']}. Yours are: {', '.join(mine)}"
            )
        return plan_text(board, view, tickets or mine)

    def wait(self, game: str, seconds: float) -> str:
        """Wait until it is the account's turn, the game is over, or the seconds are up. Return the
        others' actions."""
        view = self._waited(game, seconds)
        entries = self.client.get(
            f"{_path(game)}/events", after=max(0, view["version"] - MAX_ENTRIES_BACK)
        )["items"]
        news = views.news_text(self.board(view["board"]), entries, view.get("you", {}).get("seat"))
        return "\n".join(
            [
                "Since your last action:",
                *(news or ["nothing"]),
                "",
                self._brief(view, is_short=True),
            ]
        )

    def _waited(self, game: str, seconds: float) -> View:
        """Return the view once the account has to move, the game is over, or the seconds are up."""
        end = time.monotonic() + min(max(seconds, 0.0), MAX_WAIT_S)
        view = self._view(game)
        while view["status"] != "finished" and not views.decision(view):
            left = end - time.monotonic()
            if left <= 0:
                break
            self.client.get(
                f"{_path(game)}/events",
                after=view["version"],
                limit=1,
                wait=round(min(left, LONG_POLL_S), 2),
            )
            view = self._view(game)
        return view

    def act(
        self,
        game: str,
        action: dict[str, Any],
        version: int | None,
        wait: float = 0.0,
    ) -> str:
        """Play an action; return its result. Its ``second_card`` is drawn in the same turn. After
        the turn, wait at most so many seconds for the next one."""
        action = {**action}
        second = action.pop("second_card", None)
        if second is not None:
            self._check_second(game, action.get("card", DECK), second)
        played = self._posted(game, action, version)
        board = self.board(played["view"]["board"])
        view = expanded(played["view"])
        seat = view.get("you", {}).get("seat")
        lines = [f"Played: {views.entries_text(board, played['entries'], seat)}."]
        if second and views.decision(view) == "second_card":
            try:
                played = self._posted(game, {"type": "draw_card", "card": second}, None)
                lines.append(f"Played: {views.entries_text(board, played['entries'], seat)}.")
                view = expanded(played["view"])
            except CannotAnswer as refused:
                lines.append(f"The second card: {refused}")
        if wait and view["status"] == "playing" and not views.decision(view):
            before, view = view, self._waited(game, wait)
            entries = self.client.get(f"{_path(game)}/events", after=before["version"])["items"]
            lines += [
                f"Since then: {views.entries_text(board, entries) or 'nothing'}.",
                *views.claims_text(board, before, view),
            ]
        return "\n".join([*lines, self._brief(view, is_short=True)])

    def _check_second(self, game: str, first: str, second: str) -> None:
        """Refuse a second card that can in no case be drawn after the first. This is checked before
        the first is drawn, so that a wrong request costs no card."""
        view = self._view(game)
        board = self.board(view["board"])
        draws = dict.fromkeys((DECK, *board["cards"]), 1)  # how many of a turn's two it takes
        draws |= board["declared"].get("draws", {WILD: 2})
        is_last = views.decision(view) == "second_card" or draws.get(first) == 2
        seconds = [card for card, n in draws.items() if n == 1 and not is_last]
        if second not in seconds:
            said = f"it could be {', '.join(seconds)}" if seconds else f"{first} ends the turn"
            raise CannotAnswer(f"Refused (rule 3.2): second_card: {said}. Nothing was done.")

    def _posted(self, game: str, action: dict[str, Any], version: int | None) -> dict[str, Any]:
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        try:
            return self.client.post(
                f"{_path(game)}/actions?legal_actions=grouped", as_posted(action), headers
            )
        except Problem as problem:
            if problem.code == "unknown-route":
                board, route = self.board(self._view(game)["board"]), turned(action["route"])
                if route in {one["id"] for one in board["routes"]}:
                    return self._posted(game, action | {"route": route}, version)
            raise CannotAnswer(self._refusal(problem, game, action)) from problem
        except HTTPError as error:
            raise CannotAnswer(
                f"{self.unreachable(error)} The action may have been played: look "
                "before you play it again."
            ) from error

    def _refusal(self, problem: Problem, game: str, action: dict[str, Any]) -> str:
        """Return a refusal with the names that could be meant, where one is unknown, or else with
        the text of the rule."""
        words, field = problem_text(problem), problem.body.get("field")
        if "view" in problem.body:  # the game has moved on
            return f"{words} Nothing was played.\n\n{self._brief(problem.body['view'])}"
        if field == "card" and "row" in (view := self._view(game)):
            row = ", ".join(view["row"])
            return f"{words} In the row: {row}. Nothing has changed."
        if where := NAMED.get(problem.code or ""):
            board: Any = self.board(self._view(game)["board"])
            near = nearest(action[field], [one["id"] for one in board[where]])
            return f"{words} Nearest: {', '.join(near) or 'none'}. Nothing has changed."
        rule, said = problem.body.get("rule"), None
        with suppress(Problem, HTTPError):  # then the rule's number must do
            said = self.rules.about(rule) if rule and "." in rule else None  # no whole section
        return f"{words} Nothing has changed." + (f"\n\n{said}" if said else "")

    def explain(self, number: str | float) -> str:
        number = number if isinstance(number, str) else f"{number:g}"
        said = self.rules.about(number)
        if said is None:
            raise CannotAnswer(
                f"There is no rule {json.dumps(number)}. There are: {self.rules.contents()}"
            )
        return said

    def unreachable(self, error: HTTPError) -> str:
        """Return a sentence for a service that does not answer."""
        return (
            f"{self._url} cannot be reached: {str(error).rpartition(': ')[2]}. Another service "
            "is named by --server or FOGG_SERVER; fogg up runs one."
        )


def problem_text(problem: Problem) -> str:
    body = problem.body
    said = str(body.get("detail") or body.get("title") or f"status {problem.status}").rstrip(".")
    parts = [
        f"{_argument(one['field']) or 'the whole'}: {one['reason'].rstrip('.')}"
        for one in body.get("errors", [])
    ] or [said]
    kind = body.get("code") or problem.status
    if problem.retry_after:
        parts.append(f"try again in {problem.retry_after:.0f} seconds")
    rule = f", rule {body['rule']}" if "rule" in body else ""
    return f"Refused ({kind}{rule}): {'; '.join(parts)}."


def _argument(member: str) -> str:
    """Return the tools' argument for a member of a request."""
    parts = member.split(".")
    return next((ARGUMENTS[part] for part in parts if part in ARGUMENTS), parts[-1])


def _path(game: str) -> str:
    return f"/v1/games/{segment(game)}"
