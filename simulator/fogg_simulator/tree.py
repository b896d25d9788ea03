"""A game as a tree: each card, each ticket and the first seat is the outcome of a chance node.

Outcomes are numbers: a card's colour, then from ``first_ticket`` on a ticket, and from
``first_seat`` on the seat that begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from fogg_simulator import fold
from fogg_simulator.arrays import BUILD, CLAIM, DRAW, DRAW_TICKETS, KEEP, NONE, PAY, SETUP
from fogg_simulator.layout import size_of
from fogg_simulator.rivals import margins
from fogg_simulator.simulator import IllegalAction, Simulator

EVERYBODY = int(NONE)  # instead of a seat
HIDDEN = -1  # instead of an outcome that a seat does not see


class Chance(NamedTuple):
    """The next chance event: how often each outcome is left, and the seat that sees it."""

    weights: dict[int, int]
    seer: int


class Entry(NamedTuple):
    """An entry of the history: an action or an outcome, the seat that chose it (NONE: chance), the
    seat that sees it, and how often the deck had been shuffled by then."""

    number: int
    actor: int
    seer: int
    shuffles: int

    @property
    def is_chance(self) -> bool:
        return self.actor == NONE


@dataclass(frozen=True)
class Node:
    """A node: a position in which a seat decides, chance does, or the game is over."""

    position: bytes  # after the last complete action
    entries: tuple[Entry, ...] = ()  # the history
    chance: Chance | None = None
    action: int = fold.BEGIN  # under way at a chance node, with what was dealt for it
    dealt: tuple[int, ...] = ()
    seat: int = 0
    legal: tuple[int, ...] = ()
    margins: tuple[float, ...] = ()  # once the game is over: by how much each beats the others

    def __deepcopy__(self, memo: Any) -> Node:
        return self


class Tree(Simulator):
    """The games of a board with a number of seats."""

    def __init__(self, board: Board | str, seats: int = 2):
        """The arguments are those of Simulator."""
        super().__init__(board, seats, restarts=False)
        self.first_ticket = len(self.board.colors)
        self.first_seat = self.first_ticket + len(self.board.tickets)
        self.outcomes = self.first_seat + seats

    @cached_property
    def root(self) -> Node:
        """The root, in which nothing has been dealt."""
        node = Node(self.save(0))
        return replace(node, chance=self._play(node.position, node.action, ()))

    def apply(self, node: Node, number: int) -> Node:
        """Return the node after an action or an outcome; raise IllegalAction if it is neither."""
        if number not in (node.chance.weights if node.chance else node.legal):
            raise IllegalAction(f"this cannot come next: {number}")
        if node.chance:
            action, dealt, seer = node.action, (*node.dealt, number), node.chance.seer
            actor = int(NONE)
        else:
            action, dealt, actor = number, (), node.seat
            seer = node.seat if self.ways[number][0] == KEEP else EVERYBODY
        chance, game = self._play(node.position, action, dealt), self._games[0]
        shuffles = 1 if action == fold.BEGIN else int(game["shuffles"])
        entries = (*node.entries, Entry(number, actor, seer, shuffles))
        if chance:
            return replace(node, entries=entries, chance=chance, action=action, dealt=dealt)
        over = bool(self.finished[0])
        return Node(
            self.save(0),
            entries,
            seat=int(self.seat[0]),
            legal=tuple(np.flatnonzero(self.mask[0]).tolist()),
            margins=tuple(margins(self.scores)[0].tolist()) if over else (),
        )

    def observation(self, node: Node, seat: int) -> NDArray[np.int16]:
        """Return a seat's observation after the last complete action; zeros before."""
        if node.chance and node.action == fold.BEGIN:
            return np.zeros(size_of(self.layout()), np.int16)
        self.load(0, node.position)
        return self.observe_as(0, seat)

    def seen(self, node: Node, seat: int) -> list[int]:
        """Return the history as a seat saw it: HIDDEN for cards and tickets that it did not see,
        and only the number of tickets that others kept."""
        return [
            entry.number
            if entry.seer in (EVERYBODY, seat)
            else HIDDEN
            if entry.is_chance
            else self._kept(entry.number)
            for entry in node.entries
        ]

    def describe_outcome(self, outcome: int) -> str:
        if outcome < self.first_ticket:
            return f"a {self.board.colors[outcome]} card"
        if outcome < self.first_seat:
            return f"the ticket {self.board.tickets[outcome - self.first_ticket].id}"
        return f"seat {outcome - self.first_seat} begins"

    def other_history(
        self, node: Node, seat: int, random: Callable[[], float], fixed: set[int]
    ) -> list[int]:
        """Return a history in which a seat saw the same, with the same entries at the ``fixed``
        places. ``random`` returns numbers from 0 to 1.

        Cards that others drew and still hold are shuffled among those of the same deck; so are all
        tickets that the seat has not seen. Others keep as many of the tickets offered to them, but
        any. Some action may then be illegal: ``used`` has the places to fix."""
        self.load(0, node.position)
        game, history = self._games[0], [entry.number for entry in node.entries]
        held, unseen = game["hands"] - game["taken"], set(range(self.first_ticket, self.first_seat))
        pools: dict[int, list[int]] = defaultdict(list)  # places of cards, by deck
        for place, entry in reversed([*enumerate(node.entries)]):
            if entry.is_chance and entry.seer in (EVERYBODY, seat):
                unseen.discard(entry.number)
            elif (
                entry.is_chance
                and entry.number < self.first_ticket
                and (held[entry.seer, entry.number] > 0)
            ):
                held[entry.seer, entry.number] -= 1  # of equal cards, the last ones are still held
                if place not in fixed:
                    pools[entry.shuffles].append(place)
        for shuffles, places in pools.items():
            cards = [history[place] for place in places]
            if shuffles == game["shuffles"]:
                cards += game["deck"][game["deck_top"] : game["deck_end"]].tolist()
            for place, card in zip(places, shuffled(cards, random), strict=False):
                history[place] = card
        becomes: dict[int, int] = {}
        for long in (True, False):
            tickets = [
                number
                for number in sorted(unseen)
                if self.board.tickets[number - self.first_ticket].long == long
            ]
            becomes.update(zip(tickets, shuffled(tickets, random), strict=True))
        for place, entry in enumerate(node.entries):
            if entry.is_chance:
                history[place] = becomes.get(history[place], history[place])
            elif entry.seer not in (EVERYBODY, seat) and place not in fixed:
                history[place] = shuffled(self._keeping_as_many(node.entries, place), random)[0]
        return history

    def used(self, node: Node, place: int) -> set[int]:
        """Return the places in the history that may have to stay unchanged for its entry at this
        place to be legal: where its seat drew cards of the colours that it played, or, if it played
        none, all up to this place."""
        entry = node.entries[place]
        kind, _, color, *_ = self.ways[entry.number] if not entry.is_chance else (NONE,) * 5
        if kind not in (CLAIM, BUILD, PAY):
            return set(range(place + 1))
        colors = (color, self.first_ticket - 1)
        return {
            at
            for at, drawn in enumerate(node.entries[:place])
            if drawn.is_chance and drawn.seer == entry.actor and drawn.number in colors
        }

    def _keeping_as_many(self, entries: Sequence[Entry], place: int) -> list[int]:
        action, seat, offered = entries[place].number, entries[place].actor, 0
        for entry in reversed(entries[:place]):
            if entry.actor == seat and self.ways[entry.number][0] in (KEEP, DRAW_TICKETS):
                break
            offered += (
                entry.is_chance
                and entry.seer == seat
                and (self.first_ticket <= entry.number < self.first_seat)
            )
        keep = int(self._tables.record[0]["keep"])
        many = (action - keep).bit_count()
        return [keep + kept for kept in range(1 << offered) if kept.bit_count() == many]

    def _kept(self, action: int) -> int:
        """Return the action that keeps as many tickets, but the first ones of the offer."""
        keep = int(self._tables.record[0]["keep"])
        return keep + (1 << (action - keep).bit_count()) - 1

    def _play(self, position: bytes, action: int, dealt: tuple[int, ...]) -> Chance | None:
        """Play an action with these outcomes; return the next chance event, None if complete."""
        self.load(0, position)
        game, seat = self._games[0], int(self.seat[0])
        kind, what = self.ways[action][:2] if action >= 0 else (NONE, NONE)
        cards = [outcome for outcome in dealt if outcome < self.first_ticket]
        tickets = [outcome - self.first_ticket for outcome in dealt[len(cards) :]]
        game["order"][: len(cards)] = cards
        game["ordered"], game["drawn"] = len(cards), 0
        if kind == DRAW_TICKETS and (drawn := self._draw_tickets(game, tickets)):
            return self._ticket(drawn, seat)
        if kind == KEEP and game["step"] == SETUP and np.count_nonzero(game["offered_count"]) == 1:
            if not dealt:
                seats = range(self.first_seat, self.outcomes)
                return Chance(dict.fromkeys(seats, 1), EVERYBODY)
            game["first_seat"] = dealt[0] - self.first_seat
        self._run_one(0, action)
        if game["drawn"] > len(cards):
            weights = {card: count for card, count in enumerate(game["chances"].tolist()) if count}
            card, hand = len(cards), self.board.hand
            if action == fold.BEGIN:  # the first cards are of hands, the others of the row
                return Chance(weights, card // hand if card < hand * self.seats else EVERYBODY)
            return Chance(weights, seat if kind == DRAW and what == NONE else EVERYBODY)
        return self._deal_tickets(game, tickets) if action == fold.BEGIN else None

    def _ticket(self, tickets: Iterable[int], seat: int) -> Chance:
        return Chance({self.first_ticket + ticket: 1 for ticket in tickets}, seat)

    def _draw_tickets(self, game: np.void, dealt: list[int]) -> list[int]:
        """Put tickets on top of their deck; return the possible next ones, none if enough."""
        deck, refusers = game["ticket_deck"][: game["ticket_count"]], game["refusers"]
        for place, ticket in enumerate(dealt):
            other = deck.tolist().index(ticket)
            deck[[place, other]] = deck[[other, place]]
        if len(dealt) == min(self.board.tickets_on_a_turn.deal, len(deck)):
            return []
        rest: list[int] = deck[len(dealt) :].tolist()
        return [ticket for ticket in rest if not refusers[ticket]] or rest[:1]

    def _deal_tickets(self, game: np.void, dealt: list[int]) -> Chance | None:
        """Offer the first tickets; return the possible next ones, or None if they are enough."""
        tickets, counts, offered = self.board.tickets, game["offered_count"], game["offered"]
        places = [(seat, place) for seat in range(self.seats) for place in range(counts[seat])]
        long = [tickets[offered[place]].long for place in places]
        for place, ticket in zip(places, dealt, strict=False):
            offered[place] = ticket
        left = [ticket for ticket in range(len(tickets)) if ticket not in dealt]
        if len(dealt) < len(places):
            following = [n for n in left if tickets[n].long == long[len(dealt)]]
            return self._ticket(following, places[len(dealt)][0])
        game["ticket_deck"][: game["ticket_count"]] = [n for n in left if not tickets[n].long]
        return None


def shuffled(items: list[int], random: Callable[[], float]) -> list[int]:
    return sorted(items, key=lambda _: random())
