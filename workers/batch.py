"""Games that a worker plays together: one request plays a move in each of them, and fetches the
view of the next bot to play."""

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fogg_client.problems import Problem
from fogg_client.types import Action, View

from workers import queue, tokens
from workers.preparing import is_ready
from workers.queue import Job

MAX_REFUSALS = 20  # in a row; then the worker drops the game, and the service enqueues it again
STALE = (409, 412)  # statuses of refusals that a newer view may cure
GONE = ("history-broken", "unknown-game")  # codes of games that no worker can play
Choose = Callable[[View], tuple[Action, int]]  # returns an action and its thinking time in ms
Item = dict[str, Any]  # of POST /v1/me/actions, or its result
log = logging.getLogger(__name__)


@dataclass
class Slot:
    """A game of the batch."""

    job: Job
    view: View | None = None  # of the bot to play; None until it was fetched
    refusals: int = 0  # in a row


class Batch:
    """Up to ``max_games`` games, so many that the bots need about ``seconds`` to ``choose``."""

    def __init__(self, choose: Choose, max_games: int, seconds: float):
        self.games: dict[str, Slot] = {}  # by id
        self._choose, self._seconds, self._max_games = choose, seconds, max_games
        self._size = 1  # how many games it may have now

    @property
    def room(self) -> int:
        """The number of games that still fit into the batch."""
        return max(0, self._size - len(self.games))

    def add(self, job: Job) -> None:
        self.games.setdefault(job.name, Slot(job))

    def drain(self) -> list[Job]:
        left = [slot.job for slot in self.games.values()]
        self.games.clear()
        return left

    def step(self) -> None:
        """Play a move in each game, or fetch its view. If a game cannot be played, raise its
        Problem after the others were played; the service enqueues that game again."""
        requests = [*self._items()]
        failed = None
        try:
            results = iter(
                tokens.service().do_many(
                    [item for _, items in requests for item in items], with_views=False
                )
            )
        except Exception as error:
            self.games.clear()
            if isinstance(error, Problem):
                tokens.forget_after(error)
            raise
        for slot, items in requests:
            try:
                self._update(slot, [(item, next(results)) for item in items])
            except Problem as problem:
                del self.games[slot.job.name]
                tokens.forget_after(problem)
                if problem.code in GONE:
                    log.warning("%s cannot be played: %s", slot.job.name, problem)
                else:
                    failed = problem
        if failed:
            raise failed

    def _items(self) -> Iterator[tuple[Slot, list[Item]]]:
        """Yield each game with its items to post; put games back that time is too short for."""
        end, is_over = time.monotonic() + self._seconds, False
        for slot in tuple(self.games.values()):
            if is_over:
                queue.put_back(self.games.pop(slot.job.name).job)
            elif slot.view is None:
                yield slot, [_item(slot.job.name, slot.job.value)]
            else:
                yield slot, self._move(slot.job, slot.view)
                is_over = time.monotonic() > end
        self._size = max(1, len(self.games)) if is_over else min(self._max_games, self._size + 1)

    def _move(self, job: Job, view: View) -> list[Item]:
        action, thinking = self._choose(view)
        move = _item(
            job.name,
            job.value,
            action=action,
            if_match=view["version"],
            key=uuid.uuid4().hex,
            thinking=thinking,
        )
        return [move, _item(job.name, _follower(view, action) or job.value)]

    def _update(self, slot: Slot, results: list[tuple[Item, Item]]) -> None:
        views = []
        for item, result in results:
            views += [result["view"]] if "view" in result else []
            if result["status"] == 200:
                slot.refusals = 0 if "action" in item else slot.refusals
                continue
            problem = Problem(result["status"], result)
            slot.refusals += 1
            if problem.status not in STALE or problem.code in GONE or slot.refusals >= MAX_REFUSALS:
                raise problem
            log.info("%s: %s; fetching its view", slot.job.name, problem)
        if not views:
            slot.view = None
            return
        version = max(view["version"] for view in views)
        views = [view for view in views if view["version"] == version]
        seat = bot_to_play(views[0])
        if seat is None:
            del self.games[slot.job.name]
            return
        bot = views[0]["seats"][seat]["player"]["id"]
        slot.job = slot.job._replace(value=bot)
        slot.view = next(
            (
                view
                for view in views
                if view.get("you", {}).get("seat") == seat and view["you"].get("legal_actions")
            ),
            None,
        )


def bot_to_play(view: View) -> int | None:
    """Return the seat of a built-in bot that the game waits for and that can play, or None. For a
    bot that cannot play yet, the service enqueues the game again every few seconds."""
    for row in view["deciding"]:
        if _can_play(view, row["seat"]):
            return row["seat"]
    return None


def _follower(view: View, action: Action) -> str | None:
    """Guess the built-in bot that plays after an action; return its account. Return None if that is
    the same bot, or none. A wrong guess costs one more request."""
    me, rows, kind = view["you"]["seat"], view["deciding"], action["type"]
    decision = next(row["decision"] for row in rows if row["seat"] == me)
    if kind == "draw_tickets" or (
        kind == "draw_card" and decision == "turn" and action.get("card") != "wild"
    ):
        return None
    seats = [row["seat"] for row in rows if row["seat"] != me] or [
        seat["seat"]
        for seat in [*view["seats"][me + 1 :], *view["seats"][:me]]
        if "left" not in seat
    ][:1]
    following = next((seat for seat in seats if _can_play(view, seat)), None)
    return None if following is None else view["seats"][following]["player"]["id"]


def _can_play(view: View, seat: int) -> bool:
    return is_ready(view["seats"][seat]["player"].get("bot", ""))


def _item(game: str, account: str, **more: Any) -> Item:
    return {"game": game, "token": tokens.of_account(account)} | more
