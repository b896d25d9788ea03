"""The planner, but for what playouts show to be surely better.

Whatever it may do on a turn, and which tickets it may keep, is tried in many worlds that its view
may hide, all seats playing on like planners. Guesses are only guesses: what differs from the
planner's choice must be better beyond doubt, or it loses more than it wins.
"""

from __future__ import annotations

import time
from functools import cached_property
from random import Random
from types import ModuleType

import numpy as np

from workers.bots import search
from workers.bots.atlas import WILD, Atlas
from workers.bots.costs import STATION
from workers.bots.paying import cheapest
from workers.bots.plan import Plan, make_plan
from workers.bots.planner import Planner, best_draw, by_route
from workers.bots.position import Position

SECONDS = 0.3  # for a decision, if nothing else is said
CLAIMS = 4  # that are tried beside the planner's choice
FINALISTS = 3  # choices that are tried on after ...
FIRST_PART = 0.25  # ... so much of the time
FEWEST = 16  # worlds before anything is judged
SURE = 2.0  # standard errors by which a choice must be better ...
DOUBT = 2.0  # ... and points, as playouts do not play quite as seats do
HOPELESS = 1.0  # standard errors above its mean at which a choice, were it still no better, is out
AT_LEAST = 2  # tickets that a rival which has not chosen yet will hold
AT_ONCE = 2  # worlds between two looks at the clock

Move = tuple[int, int, int]  # what an action is in a playout (workers.bots.search.trials)
Choice = tuple[dict, Move]
NOTHING: Move = (0, 0, 0)  # of an action that is not tried


class Expert:
    """Plays what the planner plays, or what playouts show to be better."""

    def __init__(self, board: dict, rng: Random, seconds: float = SECONDS, worlds: int = 0):
        """``board``: as served; ``rng``: where guesses come from; ``seconds``: for a decision, or
        instead so many ``worlds``, if they are given, whatever time they take."""
        self._rng, self._seconds, self._worlds = rng, seconds, worlds
        self._atlas, self._planner = Atlas(board), Planner(board, rng)
        self._routes = {name: n for n, name in enumerate(self._atlas.routes)}
        self._tickets = {name: n for n, name in enumerate(self._atlas.tickets)}
        self._places = {name: n for n, name in enumerate(self._atlas.locations)}
        self._is_patient = True

    def hurry(self) -> None:
        """Play like the planner for as long as the playouts are not compiled."""
        self._is_patient = False

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        if not (self._is_patient or search.is_compiled()):
            search.load_later()
            return self._planner.choose(view)
        end = time.perf_counter() + self._seconds
        usual = self._planner.choose(view)
        choices = self._choices(view, usual)
        if len(choices) == 1:
            return usual
        actions, moves = zip(*choices, strict=True)
        return actions[self._best(view, np.array(moves), end)]

    @cached_property
    def _table(self) -> ModuleType:
        return search.load()[0]

    @cached_property
    def _trials(self) -> ModuleType:
        return search.load()[1]

    @cached_property
    def _colors(self) -> dict[str, int]:
        return {name: n for n, name in enumerate(self._table.colors(self._atlas))}

    def _choices(self, view: dict, usual: dict) -> list[Choice]:
        """Return what is to be tried: actions and what they are in a playout, the usual first."""
        if usual["type"] == "keep_tickets":
            return self._keeps(view, usual)
        on_a_turn = view["deciding"][0]["decision"] == "turn"
        if on_a_turn and usual["type"] in ("claim_route", "draw_card", "draw_tickets"):
            return self._turns(view, usual)
        return [(usual, NOTHING)]

    def _keeps(self, view: dict, usual: dict) -> list[Choice]:
        """Return the choices of tickets to keep."""
        you = view["you"]
        kind = self._trials.KEEP if you["tickets"] else self._trials.FIRST_KEEP
        keeps = [usual, *(a for a in you["legal_actions"] if a != usual)]
        return [(keep, (kind, sum(1 << you["offered"].index(t) for t in keep["tickets"]), 0))
                for keep in keeps]

    def _turns(self, view: dict, usual: dict) -> list[Choice]:
        """Return what a turn may begin with: some claims, and drawing cards or tickets as well as
        the planner can."""
        position = Position(self._atlas, view)
        plan = make_plan(position)
        by_type: dict[str, list[dict]] = {}
        for action in view["you"]["legal_actions"]:
            by_type.setdefault(action["type"], []).append(action)
        claims = by_route(by_type.get("claim_route", []))
        claims.pop(usual.get("route"), None)
        promising = sorted(
            claims, key=lambda route: self._promise(route, plan), reverse=True)[:CLAIMS]
        others = [cheapest(claims[route], plan, route) for route in promising]
        if usual["type"] != "draw_tickets":
            others += by_type.get("draw_tickets", [])
        found = [(action, self._move(action)) for action in (usual, *others)]
        if usual["type"] != "draw_card" and "draw_card" in by_type:
            draw = best_draw(by_type["draw_card"], plan, position)
            found.append((draw, (self._trials.DRAW, 0, 0)))
        return found

    def _promise(self, route: str, plan: Plan) -> tuple[bool, bool, int]:
        """Return what speaks for a claim: it is needed, it is planned for points, its points."""
        return (any(r.id == route for r in plan.needed), any(r.id == route for r in plan.extra),
                self._atlas.routes[route].points)

    def _move(self, action: dict) -> Move:
        """Return what an action of a turn is in a playout."""
        what = self._trials
        if action["type"] == "claim_route":
            color = next((c for c in action["cards"] if c != WILD), WILD)
            return what.CLAIM, self._routes[action["route"]], self._colors[color]
        if action["type"] == "draw_tickets":
            return what.TICKETS, 0, 0
        if action["from"] == "deck":
            return what.BLIND, 0, 0
        return what.TAKE, self._colors[action["card"]], 0

    def _best(self, view: dict, moves: np.ndarray, end: float) -> int:
        """Return the place of the choice that is best beyond doubt, else of the first."""
        seats = len(view["seats"])
        table = self._table.table(self._atlas, seats)
        seen, hidden = self._seen(view, table), self._hidden(view)
        world, game = (self._table.new_game(table, seats) for _ in range(2))
        offered = np.array([self._tickets[t] for t in view["you"].get("offered", ())], np.int32)
        alive, values = np.ones(len(moves), np.bool_), np.empty((0, len(moves)))
        self._trials.seed(self._rng.getrandbits(32))
        start, finals = time.perf_counter(), False
        while not self._is_over(len(values), end):
            more = np.zeros((AT_ONCE, len(moves)))
            self._trials.try_out(table, seen, hidden, offered, view["you"]["seat"], moves, alive,
                                 world, game, more)
            values = np.concatenate((values, more))
            if len(values) < FEWEST:
                continue
            gaps, errors = _gaps(values)
            if not finals and self._share(len(values), start, end) >= FIRST_PART:
                finals, best = True, np.sort(gaps[1:][alive[1:]])[::-1][:FINALISTS]
                alive[1:] &= gaps[1:] >= best[-1]
            alive[1:] &= gaps[1:] + HOPELESS * errors[1:] > 0
            if not alive[1:].any():
                return 0
        if len(values) < FEWEST:
            return 0
        gaps, errors = _gaps(values)
        sure = np.where(alive, gaps - SURE * errors - DOUBT, -np.inf)
        sure[0] = 0
        return int(sure.argmax())

    def _is_over(self, count: int, end: float) -> bool:
        return count >= self._worlds if self._worlds else time.perf_counter() >= end

    def _share(self, count: int, start: float, end: float) -> float:
        """Return how much of the worlds, or of the time, is used up."""
        if self._worlds:
            return count / self._worlds
        return (time.perf_counter() - start) / max(1e-6, end - start)

    def _seen(self, view: dict, table) -> object:
        """Return the game with what the seat sees; its deck has all cards that it does not."""
        shape, you = self._table, view["you"]
        seats, me = view["seats"], you["seat"]
        game = shape.new_game(table, len(seats))
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
        for ticket in (*you["tickets"], *you.get("offered", ())):  # these are nobody else's
            game.held[me, self._tickets[ticket]] = 1
        for place, color in enumerate(view["row"]):
            game.row[place] = self._colors[color]
        game.plans[:, shape.STALE] = shape.OUTDATED
        game.deck[:] = table.deck - game.hands[me]
        for color in (*view["row"], *(c for row in seats for c in row.get("flag", ()))):
            game.deck[self._colors[color]] -= 1
        game.counts[shape.DECK] = game.deck.sum()
        game.counts[shape.PILE] = view["ticket_deck"]
        game.counts[shape.FINAL] = view.get("final_turns", shape.NONE)
        waiting = [row["seat"] for row in seats if "left" not in row]
        game.counts[shape.TURN] = me if you["tickets"] else min(waiting)
        return game

    def _hidden(self, view: dict) -> np.ndarray:
        """Return how many tickets and cards of each seat are not seen, and, last, how many of the
        cards that are not seen are discards."""
        me = view["you"]["seat"]
        rows = [(0, 0) if row["seat"] == me else (row["tickets"] or AT_LEAST, row["cards"])
                for row in view["seats"]]
        return np.array([*rows, (view["discards"], 0)], np.int32)


def _gaps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much choices are better than the first in the same worlds, on the average, and
    the standard errors of that."""
    gaps = values - values[:, :1]
    return gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
