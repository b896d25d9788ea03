"""The API's views, and observations: each made from the other. Needs no numba.

A bot that chooses from views plays in the simulator by ``Views.view``; a policy that reads
observations plays on a service by ``Views.observation``.
"""

import json
from functools import cache, cached_property
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from domain.board.board import Board
from domain.boards import parse
from domain.codec import Json
from domain.rules import flags
from fogg_simulator.actions import Actions
from fogg_simulator.arrays import FINISHED, KEEP_TICKETS, SECOND_CARD, SETUP, TUNNEL, TURN, sizes
from fogg_simulator.layout import layout, size_of
from fogg_simulator.tables import tables

DECISIONS = {
    SETUP: "keep_tickets",
    TURN: "turn",
    SECOND_CARD: "second_card",
    KEEP_TICKETS: "keep_tickets",
    TUNNEL: "tunnel",
}


class Views:
    """Views and observations of the games of a board with so many seats."""

    def __init__(self, board: Board, seats: int):
        self.board, self.seats, self.layout = board, seats, layout(board, seats)
        made = tables(board, seats, sizes(board, seats))
        self.chart, self.ways = made.record[0], made.ways
        self._actions = Actions(board, made)
        self._first_keep, self._end_keeps = (
            int(self.chart["keep"]),
            int(self.chart["first_claim"][0]),
        )
        self._tickets = {ticket.id: number for number, ticket in enumerate(board.tickets)}
        self._routes = {route.id: number for number, route in enumerate(board.routes)}
        self._json = cache(lambda action: self._actions.json(action, ()))

    # From an observation

    def action(self, number: int, offered: list[int]) -> Json:
        """Return an action as the service takes it, when tickets with these numbers are offered."""
        if self._first_keep <= number < self._end_keeps:
            return self._actions.json(number, offered)
        return dict(self._json(number))

    def offered(self, observation: NDArray[np.int16]) -> list[int]:
        return [ticket - 1 for ticket in observation[self.layout["offer"]].tolist() if ticket]

    def view(self, observation: NDArray[np.int16], mask: NDArray[np.uint8]) -> Json:
        """Return the view of the seat to act, with the members that follow from an observation:
        without those of a service, such as players and times."""
        values = observation.tolist()
        part = {name: values[at] for name, at in self.layout.items()}
        (step,), (me,), board = part["step"], part["number"], self.board
        seats = [
            self._seat(part, (seat - me) % self.seats) | {"seat": seat}
            for seat in range(self.seats)
        ]
        if step == SETUP:
            deciding = [
                seat
                for seat in range(self.seats)
                if part[f"seat {(seat - me) % self.seats}: offered"][0]
            ]
        elif step == FINISHED:
            deciding = []
        else:
            deciding = [(me + part["turn"][0]) % self.seats]
        offered = self.offered(observation)
        view = {
            "board": board.id,
            "status": "playing" if deciding else "finished",
            "seats": seats,
            "deciding": [{"seat": seat, "decision": DECISIONS[step]} for seat in deciding],
            "row": self._cards(part["row"]),
            "deck": part["deck"][0],
            "discards": sum(part["discards"]),
            "discarded": board.as_set(part["discards"]),
            "ticket_deck": part["ticket_deck"][0],
            "claims": [
                {"route": route.id, "seat": (me + owner - 1) % self.seats}
                for route, owner in zip(board.routes, part["routes"], strict=True)
                if owner
            ],
            "you": {
                "seat": me,
                "hand": board.as_set(part["hand"]),
                "tickets": [
                    board.tickets[ticket].id for ticket, held in enumerate(part["held"]) if held
                ],
                "legal_actions": [
                    self.action(number, offered) for number in np.flatnonzero(mask).tolist()
                ],
            },
        }
        if offered:
            view["you"]["offered"] = [board.tickets[ticket].id for ticket in offered]
        if part["final_turns"][0]:
            view["final_turns"] = part["final_turns"][0]
        if board.ruleset.has("stations"):
            view["stations"] = [
                {"location": place.id, "seat": (me + owner - 1) % self.seats}
                for place, owner in zip(board.locations, part["stations"], strict=True)
                if owner
            ]
        if step == TUNNEL:
            view["tunnel"] = {
                "seat": deciding[0],
                "route": board.routes[part["tunnel"][0] - 1].id,
                "laid": board.as_set(part["laid"]),
                "turned": self._cards(part["turned"]),
                "extra": part["extra"][0],
            }
        return view

    def _seat(self, part: dict[str, list[int]], place: int) -> Json:
        """Return the public members of the seat so many places after the observer."""
        own = {
            name.partition(": ")[2]: values
            for name, values in part.items()
            if name.startswith(f"seat {place}: ")
        }
        seat: Json = {
            "score": own["points"][0],
            "trains": own["trains"][0],
            "cards": own["cards"][0],
            "tickets": own["tickets"][0],
            "taken": self.board.as_set(own["taken"]),
        }
        if self.board.ruleset.has("stations"):
            seat["stations"] = own["stations"][0]
        if self.board.ruleset.has("flags"):
            seat["flag"] = [
                color for color, kept in zip(flags.FLAG, own["flag"], strict=True) if kept
            ]
        return seat | ({"left": "resigned"} if own["left"][0] else {})

    def _cards(self, counts: list[int]) -> list[str]:
        return [
            color
            for color, count in zip(self.board.colors, counts, strict=True)
            for _ in range(count)
        ]

    # From a view

    def observation(self, view: Json) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
        """Return observation and mask of a view's own seat, which decides."""
        you, board = view["you"], self.board
        me, tunnel = you["seat"], view.get("tunnel")
        ((decision, turn),) = [
            (row["decision"], row["seat"]) for row in view["deciding"] if row["seat"] == me
        ]
        is_setup = decision == "keep_tickets" and not you["tickets"]
        step = SETUP if is_setup else {name: n for n, name in DECISIONS.items()}[decision]
        offered = [self._tickets[ticket] for ticket in you.get("offered", ())]
        waiting = {row["seat"] for row in view["deciding"]} if is_setup else set()
        parts: dict[str, Any] = {
            "step": step,
            "number": me,
            "turn": -1 if is_setup else turn - me,
            "final_turns": view.get("final_turns", 0),
            "deck": view["deck"],
            "ticket_deck": view["ticket_deck"],
            "hand": board.counts(you["hand"]),
            "row": [view["row"].count(color) for color in board.colors],
            "discards": board.counts(view["discarded"]),
        }
        if tunnel:
            parts |= {
                "tunnel": self._routes[tunnel["route"]] + 1,
                "extra": tunnel["extra"],
                "laid": board.counts(tunnel["laid"]),
                "turned": [tunnel["turned"].count(color) for color in board.colors],
            }
        for row in view["seats"]:
            at = f"seat {(row['seat'] - me) % self.seats}: "
            offers = (
                len(offered)
                if row["seat"] == me
                else (self.layout["offer"].stop - self.layout["offer"].start)
                * (row["seat"] in waiting)
            )
            parts |= {
                at + "trains": row["trains"],
                at + "points": row["score"],
                at + "cards": row["cards"],
                at + "tickets": row["tickets"],
                at + "offered": offers,
                at + "stations": row.get("stations", 0),
                at + "left": "left" in row,
                at + "taken": board.counts(row["taken"]),
                at + "flag": [color in row.get("flag", ()) for color in flags.FLAG],
            }
        values = np.zeros(size_of(self.layout), np.int16)
        for name, value in parts.items():
            values[self.layout[name]] = value
        for name, numbers in {
            "held": [(self._tickets[ticket], 1) for ticket in you["tickets"]],
            "offer": [(place, ticket + 1) for place, ticket in enumerate(offered)],
            "routes": [
                (self._routes[claim["route"]], (claim["seat"] - me) % self.seats + 1)
                for claim in view["claims"]
            ],
            "stations": [
                (board.location_index[each["location"]], (each["seat"] - me) % self.seats + 1)
                for each in view.get("stations", ())
            ],
        }.items():
            for place, value in numbers:
                values[self.layout[name].start + place] = value
        mask = np.zeros(int(self.chart["actions"]), np.uint8)
        mask[[self.number(action, you.get("offered", ())) for action in you["legal_actions"]]] = 1
        return values, mask

    def number(self, action: Json, offered: list[str]) -> int:
        """Return the number of an action of the service when these tickets are offered."""
        if action["type"] == "keep_tickets":
            kept = sum(1 << offered.index(ticket) for ticket in action["tickets"])
            return self._first_keep + kept
        return self._numbers[as_text(action)]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of each action that keeps no tickets, by its JSON."""
        return {
            as_text(self._json(number)): number
            for number in range(len(self.ways))
            if not self._first_keep <= number < self._end_keeps
        }


def as_text(action: Json) -> str:
    """Return an action's JSON as a text that is equal for equal actions."""
    return orjson.dumps(action, option=orjson.OPT_SORT_KEYS).decode()


def board_of(described: Json) -> Board:
    """Return the board that the API's JSON describes; raise ValueError if there is none."""
    content = {
        name: value for name, value in described.items() if name not in ("id", "digest", "declared")
    } | {"board": described["id"]}
    for part, added in (("routes", ("id", "twin", "trains")), ("tickets", ("id",))):
        content[part] = [
            {name: value for name, value in row.items() if name not in added}
            for row in described[part]
        ]
    board = parse(json.dumps(content))
    if board.digest != described["digest"]:
        raise ValueError(f"{described['name']} has members that this version does not know")
    return board
