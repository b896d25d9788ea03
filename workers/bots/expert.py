"""Plans like the planner, but in its own style, and plays the choice that does best in playouts.

Each action of a turn, and each choice of tickets to keep, is tried in many possible worlds that fit
the view. In playouts the rivals play like planners. The hidden cards are only guesses, so another
choice must be significantly better than the style's choice; otherwise it loses more than it wins.
Playouts have no stations and no unpaid tunnels; the planner decides on these. On boards with short
routes the planner's choice replaces the style's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from fogg_client import types
from fogg_client.types import Action, DrawCardAction, View
from numpy.typing import NDArray

from workers.bots import search
from workers.bots.board import WILD, Board
from workers.bots.costs import STATION
from workers.bots.legal import Legal
from workers.bots.paying import cheapest
from workers.bots.plan import Plan, make_plan
from workers.bots.planner import Planner
from workers.bots.position import Position
from workers.bots.search.style import EXPERT

SECONDS = 0.3  # CPU seconds for a decision, by default
CLOCK_SHARE = 0.5  # maximum share of the time that a clock allows for it
DECISIONS = 50  # a bank of time must last for so many decisions
MAX_CLAIMS = 4  # claims to try in addition to the style's choice
MAX_CHOICES = 16  # choices to try on a turn
FINALISTS = 3  # choices that are tried further after FIRST_PART
FIRST_PART = 0.25  # share of the time until then
MIN_WORLDS = 16  # worlds before any choice is judged
MIN_STANDARD_ERRORS = 2.0  # standard errors by which a choice must be better
MIN_MARGIN = 2.0  # points by which it must be better, as real games differ from playouts
HOPELESS = 1.0  # a choice is dropped if its mean plus so many standard errors is no better
LONG_ROUTES = 2.5  # mean length of routes; below that the expert's style loses
MIN_TICKETS = 2  # tickets that a rival will hold who has not chosen yet
WORLDS_PER_CHECK = 2  # worlds between two checks of the clock

Move = tuple[int, int, int]  # an action in a playout (workers.bots.search.trials)
Choice = tuple[Action, Move]
NOTHING: Move = (0, 0, 0)  # for an action that is not tried


class Expert:
    """Plays in its own style, or a choice that does better in playouts."""

    def __init__(self, board: types.Board, rng: Random, seconds: float = SECONDS, worlds: int = 0):
        """``board``: the table from the API; ``rng``: the source of guesses; ``seconds``: CPU
        seconds for a decision; ``worlds``: a fixed number of worlds instead. CPU time makes it play
        equally well on busy and idle machines."""
        self._rng, self._seconds, self._worlds = rng, seconds, worlds
        self._board, self._planner = Board(board), Planner(board, rng)
        self._route_names = [*self._board.routes]
        self._routes = {name: n for n, name in enumerate(self._route_names)}
        self._tickets = {name: n for n, name in enumerate(self._board.tickets)}
        self._places = {name: n for n, name in enumerate(self._board.locations)}
        self._arrays, self._trials = search.warm_up()
        # called between worlds; returns the seconds that were spent on other work
        self.meanwhile: Callable[[], float] = float

    @staticmethod
    def prepared() -> float:
        """Return the progress, from 0 to 1, of the preparation that each machine needs once. An
        expert that is created earlier waits for the rest."""
        return search.progress()

    @staticmethod
    def hindrance() -> str | None:
        """Return why preparation is impossible here, or None."""
        return search.hindrance()

    def choose(self, view: View) -> Action:
        """Return one of the view's legal actions."""
        end = time.thread_time() + self._seconds_for(view)
        usual = self._planner.choose(view)
        decision = next(row["decision"] for row in view["deciding"]
                        if row["seat"] == view["you"]["seat"])
        if decision == "tunnel" or (decision == "second_card" and not self._has_style):
            return usual
        board = self._arrays.board_arrays(self._board, len(view["seats"]))
        held = self._visible_game(view, board)
        for row in view["seats"]:
            if row["seat"] != view["you"]["seat"]:
                held.hands[row["seat"], 0] = row["cards"]  # only the number counts
        if decision == "second_card":
            (_, card, _), = self._options(view, board, held, self._trials.SECOND_CARD)
            return self._draw_of(Legal(view).draws, card) or usual
        choices = self._keeps if decision == "keep_tickets" else self._turns
        actions, moves = zip(*choices(view, board, held, usual), strict=True)
        if len(actions) == 1:
            return actions[0]
        return actions[self._best(view, board, np.array(moves), end)]

    def try_all(self, view: View, played: Action | None = None
                ) -> tuple[list[Action], NDArray[np.float64]]:
        """Return the actions of a decision that can be tried, ``played`` among them, and the final
        lead after each of them: a row for each world."""
        decision = next(row["decision"] for row in view["deciding"]
                        if row["seat"] == view["you"]["seat"])
        usual = played or self._planner.choose(view)
        if decision in ("tunnel", "second_card"):
            return [usual], np.zeros((2, 1))
        board = self._arrays.board_arrays(self._board, len(view["seats"]))
        choices = self._keeps if decision == "keep_tickets" else self._turns
        found = choices(view, board, self._visible_game(view, board), usual)
        if played and played not in [action for action, _ in found]:
            found.append((played, self._move(played)))
        actions, moves = zip(*found, strict=True)
        if moves == (NOTHING,):
            return [usual], np.zeros((2, 1))
        tried, values = np.array(moves), np.empty((0, len(moves)))
        end, alive = time.thread_time() + self._seconds, np.ones(len(moves), np.bool_)
        seen, hidden = self._visible_game(view, board), self._hidden_counts(view)
        world, game = (self._arrays.new_game(board, len(view["seats"])) for _ in range(2))
        world.style[:], game.style[:] = seen.style, seen.style
        self._trials.seed(self._rng.getrandbits(32))
        while len(values) < MIN_WORLDS or not self._is_over(len(values), end):
            more = np.zeros((WORLDS_PER_CHECK, len(moves)))
            self._trials.try_out(board, seen, hidden, self._offered_tickets(view),
                                 view["you"]["seat"], tried, alive, world, game, more)
            values = np.concatenate((values, more))
        return [*actions], values

    def _seconds_for(self, view: View) -> float:
        """Return the CPU seconds for this decision, so that the clock lasts for the whole game."""
        if "clock" not in view:
            return self._seconds
        if "per_decision" in view["clock"]:
            return min(self._seconds, CLOCK_SHARE * view["clock"]["per_decision"])
        bank = view["seats"][view["you"]["seat"]]["bank"]
        each = bank / DECISIONS + CLOCK_SHARE * view["clock"]["increment"]
        return min(self._seconds, each, CLOCK_SHARE * bank)

    @property
    def _has_style(self) -> bool:
        """Whether it plays in its own style here; otherwise the planner's choice comes first."""
        return self._board.mean_length >= LONG_ROUTES

    @cached_property
    def _color_names(self) -> list[str]:
        return self._arrays.colors(self._board)

    @cached_property
    def _colors(self) -> dict[str, int]:
        return {name: n for n, name in enumerate(self._color_names)}

    def _keeps(self, view: View, board: Any, held: Any, usual: Action) -> list[Choice]:
        """Return the choices of tickets to keep, the style's first."""
        you = view["you"]
        kind = self._trials.KEEP if you["tickets"] else self._trials.FIRST_KEEP
        keeps = {sum(1 << you["offered"].index(ticket) for ticket in keep["tickets"]): keep
                 for keep in Legal(view).keeps}
        first = next(bits for bits, keep in keeps.items() if keep == usual)
        if self._has_style:
            (_, first, _), = self._options(view, board, held, kind, [*keeps])
        return [(keeps[bits], (kind, bits, 0))
                for bits in sorted(keeps, key=lambda bits: bits != first)]

    def _turns(self, view: View, board: Any, held: Any, usual: Action) -> list[Choice]:
        """Return the first moves of a turn, the style's first; only the planner's move if playouts
        do not support it."""
        if usual["type"] not in ("claim_route", "draw_card", "draw_tickets"):
            return [(usual, NOTHING)]
        legal, plan = Legal(view), make_plan(Position(self._board, view))
        choices = [(self._action(move, legal, plan), tuple(move))
                 for move in self._options(view, board, held, self._trials.TURN)]
        if not (self._has_style and choices[0][0]):
            first = self._move(usual)
            others = (choice for choice in choices if choice[1][:2] != first[:2])
            choices = [(usual, first), *others]
        return [(action, move) for action, move in choices if action]

    def _options(self, view: View, board: Any, held: Any, kind: int,
                 keeps: Sequence[int] = ()) -> np.ndarray:
        """Return the moves to try, the style's first; only that one if it is not for a whole turn.
        """
        moves = np.zeros((MAX_CHOICES + len(keeps), 3), np.int64)
        moves[: len(keeps), 1] = keeps
        room = self._arrays.new_game(board, len(view["seats"]))
        room.style[:] = held.style
        count = self._trials.options(
            board, held, view["you"]["seat"], kind, self._offered_tickets(view), room, moves,
            len(keeps) or MAX_CLAIMS)
        return moves[:count]

    def _action(self, move: np.ndarray, legal: Legal, plan: Plan) -> Action | None:
        """Return the legal action for a playout's move, or None."""
        what, value, color = move
        if what == self._trials.CLAIM:
            route, name = self._route_names[value], self._color_names[color]
            claims = [claim for claim in legal.claims if claim["route"] == route]
            paid = [claim for claim in claims if name in claim["cards"]]
            return cheapest(paid or claims, plan, route) if claims else None
        if what == self._trials.NEW_TICKETS:
            return next(iter(legal.new_tickets), None)
        return self._draw_of(legal.draws, value)

    def _move(self, action: Action) -> Move:
        """Return the playout's move for an action of a turn."""
        what = self._trials
        if action["type"] == "claim_route":
            color = next((c for c in action["cards"] if c != WILD), WILD)
            return what.CLAIM, self._routes[action["route"]], self._colors[color]
        if action["type"] == "draw_card":
            if action["from"] == "deck":
                return what.BLIND, self._arrays.NONE, 0
            return what.TAKE, self._colors[action["card"]], 0
        return what.NEW_TICKETS, self._arrays.NONE, 0

    def _draw_of(self, draws: Iterable[DrawCardAction], card: int) -> DrawCardAction | None:
        """Return the action that draws a card of the row, or for NONE from the deck."""
        name = None if card == self._arrays.NONE else self._color_names[card]
        return next((action for action in draws if action.get("card") == name), None)

    def _offered_tickets(self, view: View) -> np.ndarray:
        return np.array([self._tickets[t] for t in view["you"].get("offered", ())], np.int32)

    def _best(self, view: View, board: Any, moves: np.ndarray, end: float) -> int:
        """Return the index of the choice that is significantly best, else 0."""
        seen, hidden = self._visible_game(view, board), self._hidden_counts(view)
        offered = self._offered_tickets(view)
        world, game = (self._arrays.new_game(board, len(view["seats"])) for _ in range(2))
        world.style[:], game.style[:] = seen.style, seen.style
        alive, values = np.ones(len(moves), np.bool_), np.empty((0, len(moves)))
        self._trials.seed(self._rng.getrandbits(32))
        start, finals = time.thread_time(), False
        while not self._is_over(len(values), end):
            away = self.meanwhile()
            start, end = start + away, end + away
            more = np.zeros((WORLDS_PER_CHECK, len(moves)))
            self._trials.try_out(board, seen, hidden, offered, view["you"]["seat"], moves, alive,
                                 world, game, more)
            values = np.concatenate((values, more))
            if len(values) < MIN_WORLDS:
                continue
            gaps, errors = _gaps(values)
            if not finals and self._share(len(values), start, end) >= FIRST_PART:
                finals, best = True, np.sort(gaps[1:][alive[1:]])[::-1][:FINALISTS]
                alive[1:] &= gaps[1:] >= best[-1]
            alive[1:] &= gaps[1:] + HOPELESS * errors[1:] > 0
            if not alive[1:].any():
                return 0
        if len(values) < MIN_WORLDS:
            return 0
        gaps, errors = _gaps(values)
        sure = np.where(alive, gaps - MIN_STANDARD_ERRORS * errors - MIN_MARGIN, -np.inf)
        sure[0] = 0
        return int(sure.argmax())

    def _is_over(self, count: int, end: float) -> bool:
        return count >= self._worlds if self._worlds else time.thread_time() >= end

    def _share(self, count: int, start: float, end: float) -> float:
        """Return the share of the worlds or of the time that is used up."""
        if self._worlds:
            return count / self._worlds
        return (time.thread_time() - start) / max(1e-6, end - start)

    def _visible_game(self, view: View, board: Any) -> Any:
        """Return the game as the seat sees it; its deck has all unseen cards."""
        arrays, you = self._arrays, view["you"]
        seats, me = view["seats"], you["seat"]
        game = arrays.new_game(board, len(seats))
        if self._has_style:
            game.style[me] = EXPERT
        for claim in view["claims"]:
            game.owner[self._routes[claim["route"]]] = claim["seat"]
        for row in seats:
            seat = row["seat"]
            game.trains[seat] = row["trains"]
            game.scores[seat] = row["score"] + STATION * row.get("stations", 0)
            game.gone[seat] = "left" in row
        built = [0] * len(seats)
        for station in view.get("stations", ()):
            seat = station["seat"]
            game.stations[seat, built[seat]] = self._places[station["location"]]
            built[seat] += 1
        for color, n in you["hand"].items():
            game.hands[me, self._colors[color]] = n
        for ticket in (*you["tickets"], *you.get("offered", ())):  # no other seat can have these
            game.held[me, self._tickets[ticket]] = 1
        for place, color in enumerate(view["row"]):
            game.row[place] = self._colors[color]
        game.plans[:, arrays.STALE] = arrays.OUTDATED
        game.deck[:] = board.deck - game.hands[me]
        for color in (*view["row"], *(c for row in seats for c in row.get("flag", ()))):
            game.deck[self._colors[color]] -= 1
        game.counts[arrays.DECK] = game.deck.sum()
        game.counts[arrays.PILE] = view["ticket_deck"]
        game.counts[arrays.FINAL] = view.get("final_turns", arrays.NONE)
        waiting = [row["seat"] for row in seats if "left" not in row]
        game.counts[arrays.TURN] = me if you["tickets"] else min(waiting)
        return game

    def _hidden_counts(self, view: View) -> np.ndarray:
        """Return how many tickets and cards of each seat are hidden and, last, how many of the
        unseen cards are discards."""
        me = view["you"]["seat"]
        rows = [(0, 0) if row["seat"] == me else (row["tickets"] or MIN_TICKETS, row["cards"])
                for row in view["seats"]]
        return np.array([*rows, (view["discards"], 0)], np.int32)


def _gaps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean difference of each choice from the first in the same worlds, and its standard
    error."""
    gaps = values - values[:, :1]
    return gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
