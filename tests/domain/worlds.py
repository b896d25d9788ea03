"""Other worlds: histories that differ from a game's only in secrets of a viewer (9.6).

A viewer cannot know the places of tickets that it was never offered. It cannot know the places of
cards that one shuffle put into the deck and that it has not seen since: they are in the deck, or in
the hand of a seat that drew them blind. So these are exchanged among each other, from the shuffle
on, and so is the seed. It cannot know either which first tickets another seat refused, if they
leave the game.

All face-up cards have been seen: the row, and cards laid or turned for a tunnel, paid, or kept for
a flag.
"""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from random import Random

Card = list[str]  # a card that a shuffle put into the deck: [colour], the same object throughout


def another_world(entries: list[dict], viewer: int | None, random: Random) -> list[dict]:
    """Return a history that the viewer cannot tell from these entries of an unfinished game."""
    entries = copy.deepcopy(entries)
    events = [event for entry in entries for event in entry["events"]]
    events[0]["seed"] = random.randbytes(32).hex()
    _exchange_refused(entries, events, viewer, random)
    _exchange_tickets(entries, events, viewer, random)
    _exchange_cards(events, viewer, random)
    return entries


def tickets_known(entries: list[dict], viewer: int | None) -> set[str]:
    """Return the tickets that the viewer was ever offered."""
    return {
        ticket
        for entry in entries
        for event in entry["events"]
        if event["type"] == "tickets_drawn" and event["seat"] == viewer
        for ticket in event["tickets"]
    }


def _named(entries: list[dict], events: list[dict]) -> list[tuple[dict, int | None]]:
    """Return all parts of events and actions that may name tickets, with the seat that they are
    about."""
    named = [(event, event.get("seat")) for event in events]
    named += [(entry["action"], entry["seat"]) for entry in entries if "action" in entry]
    return [(value, seat) for value, seat in named if "route" not in value]  # may have kept a card


def _exchange_refused(
    entries: list[dict], events: list[dict], viewer: int | None, random: Random
) -> None:
    """Exchange the first tickets that others kept and refused, if refused ones leave the game."""
    if not any(event["type"] == "tickets_removed" for event in events):
        return
    offered: dict[int, list[str]] = {}
    for event in events:
        if event["type"] == "tickets_drawn" and event["seat"] != viewer:
            offered.setdefault(event["seat"], event["tickets"])
    other = {
        seat: dict(zip(first, random.sample(first, len(first)), strict=True))
        for seat, first in offered.items()
    }
    anyones = {was: now for first in other.values() for was, now in first.items()}
    for value, seat in _named(entries, events):
        if value["type"] in ("tickets_kept", "keep_tickets", "resigned", "tickets_removed"):
            names = other.get(seat, {}) if seat is not None else anyones
            for member in value.keys() & {"tickets", "kept", "refused"}:
                value[member] = [names.get(ticket, ticket) for ticket in value[member]]
                if value["type"] == "tickets_kept" and seat in offered:
                    drawn = {ticket: i for i, ticket in enumerate(offered[seat])}
                    value[member].sort(key=lambda ticket, drawn=drawn: drawn.get(ticket, 0))


def _exchange_tickets(
    entries: list[dict], events: list[dict], viewer: int | None, random: Random
) -> None:
    """Exchange the tickets that the viewer does not know, the long ones among each other."""
    known, other = tickets_known(entries, viewer), {}
    for event in events:
        if event["type"] == "tickets_shuffled":
            unknown = sorted(set(event["tickets"]) - known)
            other |= zip(unknown, random.sample(unknown, len(unknown)), strict=True)
    for value, _ in _named(entries, events):
        for member in value.keys() & {"tickets", "kept", "refused"}:
            value[member] = [other.get(ticket, ticket) for ticket in value[member]]


def _exchange_cards(events: list[dict], viewer: int | None, random: Random) -> None:
    """Follow every card from its shuffle on, exchange the colours of unseen cards, and rewrite the
    colours that the viewer does not see."""
    deck: list[Card] = []
    unseen: list[list[Card]] = []  # for each shuffle
    hands = defaultdict(lambda: defaultdict(list))  # seat -> colour -> unseen cards
    public = defaultdict(Counter)  # seat -> cards of its hand that have been seen
    lying = defaultdict(Counter)  # seat -> cards that lie before it, for a tunnel or a flag
    written: list[tuple[dict, list[Card]]] = []  # events with the cards that they name

    def see(cards: list[Card]) -> None:
        for shuffle in unseen:
            shuffle[:] = [card for card in shuffle if not any(card is one for one in cards)]

    def draw(event: dict, count: int) -> None:
        cards = [deck.pop(0) for _ in range(count)]
        written.append((event, cards))
        if event["seat"] == viewer:
            see(cards)
        for card in cards:
            hands[event["seat"]][card[0]].append(card)

    def play(seat: int, cards: Counter) -> None:
        """Play these cards from the seat's hand, first those that have been seen already."""
        for color, count in cards.items():
            shown = min(count, public[seat][color])
            public[seat][color] -= shown
            held = hands[seat][color]
            see([held.pop() for _ in range(count - shown)])

    laid: Counter = Counter()
    for event in events:
        seat = event.get("seat")
        match event["type"]:
            case "deck_shuffled":
                deck = [[color] for color in event["cards"]]
                unseen.append(list(deck))
                written.append((event, list(deck)))
            case "hand_dealt":
                draw(event, len(event["cards"]))
            case "card_drawn" if event["from"] == "deck":
                draw(event, 1)
            case "card_drawn":
                public[seat][event["card"]] += 1
            case "card_turned" | "tunnel_card_turned":
                see([deck.pop(0)])
            case "tunnel_attempted":
                laid = Counter(event["cards"])
                play(seat, laid)
                lying[seat] += laid
            case "tunnel_withdrawn":
                public[seat] += laid
                lying[seat] -= laid
            case "tunnel_cards_discarded":
                laid = Counter()
            case "route_claimed" | "station_built":
                play(seat, Counter(event["cards"]) - laid)
                lying[seat] -= laid
                lying[seat].update([event["kept"]] if "kept" in event else [])
            case "resigned":
                play(seat, Counter(event["cards"]) - lying.pop(seat, Counter()))
            case "flag_completed":
                lying[seat] -= Counter(event["cards"])
    for shuffle in unseen:
        colors = random.sample([color for [color] in shuffle], len(shuffle))
        for card, color in zip(shuffle, colors, strict=True):
            card[0] = color
    for event, cards in written:
        colors = [color for [color] in cards]
        event |= {"card": colors[0]} if "card" in event else {"cards": colors}
