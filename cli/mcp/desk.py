"""What the tools do: requests of one account, answered in words."""

from __future__ import annotations

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

from cli.mcp.actions import as_posted
from cli.mcp.boards import board_text, near_text, place_called
from cli.mcp.news import entry_text, news_text
from cli.mcp.rules import Rules
from cli.mcp.views import brief_text, full_text, is_to_decide, name_text, waited_for

LONGEST_WAIT = 40.0  # seconds, so that the answer is there within 45
LOOK = 10.0  # seconds that one request of a wait lasts
BEFORE = 60  # entries that are looked through for one's own last action


class Told(Exception):
    """What is to be told in place of an answer."""


class Desk:
    """Plays as one account of a service, which ``account`` signs in when it is first needed."""

    def __init__(self, url: str, account: Callable[[], Client], *,
                 with_legal_actions: bool = True):
        self._url, self._account, self._legal = url, account, with_legal_actions
        self._listing = "grouped" if with_legal_actions else "false"
        self._lock, self._boards = Lock(), dict[str, Board]()
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        """The account's client."""
        with self._lock:
            self._client = self._client or self._account()
            return self._client

    def board(self, board: str) -> Board:
        """Return a board's table."""
        if board not in self._boards:
            self._boards[board] = self.client.get(f"/v1/boards/{segment(board)}")
        return self._boards[board]

    @cached_property
    def rules(self) -> Rules:
        """The rules, as the service has them."""
        return Rules(self.client.text("/docs/rules.md"))

    def boards(self) -> str:
        """Return which boards there are, and which bots."""
        boards = [f"{row['id']} ({row['least_players']} to {row['most_players']} players)"
                  for row in self.client.get("/v1/boards")["items"]]
        bots = [row["name"] for row in self.client.get("/v1/bots")["items"]]
        return f"Boards: {', '.join(boards)}. Bots: {', '.join(bots)}."

    def board_text(self, board: str) -> str:
        """Return a board in words."""
        return board_text(self.board(board))

    @cached_property
    def _me(self) -> str:
        return self.client.get("/v1/me")["id"]

    def find(self, board: str | None) -> str:
        """Return one's games under way, and those with an open seat."""
        query = {"board": board} if board else {}
        lines = [self._listed(row) for status in ("playing", "lobby") for row in self.client.get(
            "/v1/games", player="me", status=status, limit=20, **query)["items"]]
        mine = "\n".join(["Your games:", *lines]) if lines else "You have no games under way."
        free = [self._listed(row) for row in self.client.get(
            "/v1/games", status="lobby", limit=20, **query)["items"]
            if any("player" not in seat for seat in row["seats"])]
        free = [line for line in free if line not in lines]
        return "\n".join([mine, *(["Games with an open seat (join_game):", *free] if free else
                                  ["No game has an open seat: create_game makes one."]),
                          self.boards()])

    def _listed(self, row: dict[str, Any]) -> str:
        seats = ", ".join(name_text(seat["player"]["name"]) if "player" in seat else "open"
                          for seat in row["seats"])
        is_mine = any(row["seats"][one["seat"]]["player"]["id"] == self._me
                      for one in row["deciding"])
        return f"{row['id']} on {row['board']}, {row['status']}: {seats}" + ": your turn" * is_mine

    def join(self, game: str, invitation: str | None) -> str:
        """Sit down; return the game."""
        body = {"invitation": invitation} if invitation else {}
        return self._brief(self.client.post(f"{_path(game)}/seats", body))

    def create(self, board: str, opponents: list[str], seed: str | None,
               seconds: float | None) -> str:
        """Make a game against these bots, or whoever comes; return it. ``seconds`` are for each
        decision."""
        seats = [{"player": "me"}, *(
            {"open": True} if one == "open" else {"bot": one} for one in opponents)]
        options: dict[str, Any] = {"seed": seed} if seed else {}
        if seconds is not None:
            options["clock"] = {"per_decision": seconds}
        try:
            return self._brief(self.client.post("/v1/games", {
                "board": board, "seats": seats, "options": options}))
        except Problem as problem:
            raise Told(f"{problem_text(problem)} {self.boards()}") from problem

    def look(self, game: str, detail: str) -> str:
        """Return a game, brief or full."""
        text = full_text if detail == "full" else brief_text
        view = self._view(game)
        return text(self.board(view["board"]), view, with_legal_actions=self._legal)

    def _view(self, game: str) -> View:
        return expanded(self.client.get(_path(game), legal_actions=self._listing))

    def _brief(self, view: View) -> str:
        return brief_text(self.board(view["board"]), view, with_legal_actions=self._legal)

    def wait(self, game: str, seconds: float) -> str:
        """Return what others have done, once it is one's turn, the game is over or so many seconds
        have gone by."""
        end = time.monotonic() + min(max(seconds, 0.0), LONGEST_WAIT)
        view = self._view(game)
        while view["status"] != "finished" and not is_to_decide(view):
            left = end - time.monotonic()
            if left <= 0:
                break
            self.client.get(f"{_path(game)}/events", after=view["version"], limit=1,
                            wait=round(min(left, LOOK), 2))
            view = self._view(game)
        entries = self.client.get(f"{_path(game)}/events",
                                  after=max(0, view["version"] - BEFORE))["items"]
        news = news_text(self.board(view["board"]), entries, view.get("you", {}).get("seat"))
        if view["status"] == "playing" and not is_to_decide(view):
            news.append(f"Still waiting for {waited_for(view)}.")
        return "\n".join(["Since your last action:", *(news or ["nothing"]), "", self._brief(view)])

    def act(self, game: str, action: dict[str, Any], version: int | None) -> str:
        """Play an action; return what came of it."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        try:
            played = self.client.post(f"{_path(game)}/actions?legal_actions={self._listing}",
                                      as_posted(action), headers)
        except Problem as problem:
            raise Told(self._refusal(problem)) from problem
        except HTTPError as error:
            raise Told(f"{self.unreachable(error)} Whether the action was played is not known: "
                       "look before you play it again.") from error
        board = self.board(played["view"]["board"])
        done = [line for entry in played["entries"] for line in entry_text(board, entry)]
        return "\n".join([f"Played: {'; '.join(done)}.", "",
                          self._brief(expanded(played["view"]))])

    def _refusal(self, problem: Problem) -> str:
        """Return why an action was refused, with the rule that it breaks."""
        words = problem_text(problem)
        if problem.status == 412 and "view" in problem.body:
            return f"{words} Nothing was played.\n\n{self._brief(problem.body['view'])}"
        rule, said = problem.body.get("rule"), None
        with suppress(Problem, HTTPError):  # its number will do
            said = self.rules.about(rule) if rule and "." in rule else None  # no whole section
        return f"{words} Nothing has changed." + (f"\n\n{said}" if said else "")

    def explain(self, number: str | float) -> str:
        """Return a rule."""
        number = number if isinstance(number, str) else f"{number:g}"
        said = self.rules.about(number)
        if said is None:
            raise Told(f"There is no rule {name_text(number)}. There are: {self.rules.contents()}")
        return said

    def near(self, game: str, place: str, steps: int) -> str:
        """Return what lies near a place."""
        view = self._view(game)
        board = self.board(view["board"])
        found = place_called(board, place)
        if found is None:
            raise Told(f"There is no place {name_text(place)} on {view['board']}. There are: "
                       + ", ".join(one["id"] for one in board["locations"]))
        return near_text(board, view, found, steps)

    def unreachable(self, error: HTTPError) -> str:
        """Return that the service does not answer."""
        return (f"{self._url} cannot be reached: {str(error).rpartition(': ')[2]}. Another service "
                "is named by --server or FOGG_SERVER; fogg up runs one.")


def problem_text(problem: Problem) -> str:
    """Return a refusal of the service's in words."""
    body = problem.body
    said = str(body.get("detail") or body.get("title") or f"status {problem.status}").rstrip(".")
    parts = [f"{one['field'] or 'the whole'}: {one['reason'].rstrip('.')}"
             for one in body.get("errors", [])] or [said]
    kind = body.get("code") or problem.status
    if problem.retry_after:
        parts.append(f"try again in {problem.retry_after:.0f} seconds")
    rule = f", rule {body['rule']}" if "rule" in body else ""
    return f"Refused ({kind}{rule}): {'; '.join(parts)}."


def _path(game: str) -> str:
    return f"/v1/games/{segment(game)}"
