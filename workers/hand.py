"""The games that a worker has in hand, and plays side by side: one request makes a move in many of
them, and looks at them for whoever is next."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fogg_client.problems import Problem
from fogg_client.types import Action, View

from workers import tokens
from workers.preparing import is_ready
from workers.turns import Turn

TRIES = 20  # refusals in a row before the game is left to the service, which calls anew
AGAIN = (409, 412)  # statuses of what is refused to whoever has not seen what is there now
GONE = ("history-broken", "unknown-game")  # nothing that a worker can do helps the game
Choose = Callable[[View], tuple[Action, int]]  # an action, and the milliseconds that it took
Item = dict[str, Any]  # of POST /v1/me/actions, and what came of it
log = logging.getLogger(__name__)


@dataclass
class Held:
    """A game in hand, with the view of the bot that is to play, once it is there."""

    turn: Turn
    view: View | None = None
    refusals: int = 0  # in a row


class Hand:
    """Games that are played side by side, ``most`` of them at most, and no more than it takes about
    so many ``seconds`` to ``choose`` for."""

    def __init__(self, choose: Choose, most: int, seconds: float):
        self.games: dict[str, Held] = {}
        self._late: list[Turn] = []  # for which there was no time
        self._choose, self._seconds, self._most, self._many = choose, seconds, most, 1

    @property
    def room(self) -> int:
        """How many more games there may be."""
        return max(0, self._many - len(self.games))

    def add(self, turn: Turn) -> None:
        """Take a game in hand."""
        self.games.setdefault(turn.game, Held(turn))

    def late(self) -> list[Turn]:
        """Return those, once, that were in hand, and are to be played later."""
        late, self._late = self._late, []
        return late

    def emptied(self) -> list[Turn]:
        """Return all that are to be played later; none is in hand then."""
        late = [*self.late(), *(held.turn for held in self.games.values())]
        self.games.clear()
        return late

    def step(self) -> None:
        """Make a move in each game, or look at it first. Raise the Problem of one that cannot be
        played, once the others are; the service calls anew for it."""
        asked = [*self._items()]
        failed = None
        try:
            told = iter(tokens.service().do_many(
                [item for _, items in asked for item in items], with_views=False))
        except Exception as error:
            self.games.clear()
            if isinstance(error, Problem):
                tokens.forget_after(error)
            raise
        for held, items in asked:
            try:
                self._go_on(held, [(item, next(told)) for item in items])
            except Problem as problem:
                del self.games[held.turn.game]
                tokens.forget_after(problem)
                if problem.code in GONE:
                    log.warning("%s cannot be played: %s", held.turn.game, problem)
                else:
                    failed = problem
        if failed:
            raise failed

    def _items(self) -> Iterator[tuple[Held, list[Item]]]:
        """Yield what is to be asked for in each game; leave those that there is no time for."""
        end, is_over = time.monotonic() + self._seconds, False
        for held in tuple(self.games.values()):
            if is_over:
                self._late.append(self.games.pop(held.turn.game).turn)
            elif held.view is None:
                yield held, [_item(held.turn.game, held.turn.bot)]
            else:
                yield held, self._move(held.turn, held.view)
                is_over = time.monotonic() > end
        self._many = max(1, len(self.games)) if is_over else min(self._most, self._many + 1)

    def _move(self, turn: Turn, view: View) -> list[Item]:
        action, thinking = self._choose(view)
        move = _item(turn.game, turn.bot, action=action, if_match=view["version"],
                     key=uuid.uuid4().hex, thinking=thinking)
        return [move, _item(turn.game, _follower(view, action) or turn.bot)]

    def _go_on(self, held: Held, told: list[tuple[Item, Item]]) -> None:
        """Take in what has come of a move or a look."""
        views = []
        for item, came in told:
            if came["status"] == 200:
                held.refusals = 0 if "action" in item else held.refusals
                views += [came["view"]] if "view" in came else []
                continue
            problem = Problem(came["status"], came)
            held.refusals += 1
            if problem.status not in AGAIN or problem.code in GONE or held.refusals >= TRIES:
                raise problem
            log.info("%s: %s; looking again", held.turn.game, problem)
            views += [came["view"]] if "view" in came else []
        if not views:
            held.view = None
            return
        version = max(view["version"] for view in views)
        views = [view for view in views if view["version"] == version]
        seat = bot_to_play(views[0])
        if seat is None:
            del self.games[held.turn.game]
            return
        held.turn = held.turn._replace(bot=views[0]["seats"][seat]["player"]["id"])
        held.view = next((view for view in views if view.get("you", {}).get("seat") == seat
                          and view["you"].get("legal_actions")), None)


def bot_to_play(view: View) -> int | None:
    """Return the seat of a built-in bot that the game waits for and that can play, None if there is
    none. The service calls anew, every few seconds, for one that cannot yet."""
    for row in view["deciding"]:
        if _can_play(view, row["seat"]):
            return row["seat"]
    return None


def _follower(view: View, action: Action) -> str | None:
    """Return the account of the built-in bot that is to play after an action, as far as can be
    told; None if that is the same one again, or no such bot."""
    me, rows, kind = view["you"]["seat"], view["deciding"], action["type"]
    decision = next(row["decision"] for row in rows if row["seat"] == me)
    if kind == "draw_tickets" or (
            kind == "draw_card" and decision == "turn" and action.get("card") != "wild"):
        return None
    seats = [row["seat"] for row in rows if row["seat"] != me] or [
        seat["seat"] for seat in [*view["seats"][me + 1:], *view["seats"][:me]]
        if "left" not in seat][:1]
    found = next((seat for seat in seats if _can_play(view, seat)), None)
    return None if found is None else view["seats"][found]["player"]["id"]


def _can_play(view: View, seat: int) -> bool:
    return is_ready(view["seats"][seat]["player"].get("bot"))


def _item(game: str, account: str, **more: Any) -> Item:
    return {"game": game, "token": tokens.of_account(account)} | more
