"""Other worlds: histories that differ from a game's in what a viewer may not know (9.6), and in
nothing else.

What a viewer cannot know is which of the tickets that it was never offered lies where, and which
of the cards that one shuffle put into the deck and that it has not seen since lies where: in the
deck still, or in the hand of somebody who drew it blind and has not played it. So those are
exchanged among each other, from the shuffle on, and so is the seed.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from random import Random

Card = list[str]  # a card that a shuffle put into the deck: [colour], the same object throughout


def another_world(entries: list[dict], viewer: int | None, random: Random) -> list[dict]:
    """Return a history that the viewer cannot tell from these entries of an unfinished game."""
    entries = copy.deepcopy(entries)
    events = [event for entry in entries for event in entry["events"]]
    events[0]["seed"] = random.randbytes(32).hex()
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


def _exchange_tickets(
    entries: list[dict], events: list[dict], viewer: int | None, random: Random
) -> None:
    [order] = [event["tickets"] for event in events if event["type"] == "tickets_shuffled"]
    unknown = sorted(set(order) - tickets_known(entries, viewer))
    other = dict(zip(unknown, random.sample(unknown, len(unknown)), strict=True))
    for value in [*events, *(entry["action"] for entry in entries if "action" in entry)]:
        for member in value.keys() & {"tickets", "kept", "refused"}:
            value[member] = [other.get(ticket, ticket) for ticket in value[member]]


def _exchange_cards(events: list[dict], viewer: int | None, random: Random) -> None:
    """Follow every card from its shuffle on, exchange the colours of those unseen, and write the
    colours that the viewer does not see anew."""
    deck: list[Card] = []
    unseen: list[list[Card]] = []  # for each shuffle
    hands = defaultdict(lambda: defaultdict(list))  # seat -> colour -> unseen cards
    public = defaultdict(lambda: defaultdict(int))  # seat -> colour -> cards taken face up
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

    for event in events:
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
                public[event["seat"]][event["card"]] += 1
            case "card_turned":
                see([deck.pop(0)])
            case "route_claimed" | "resigned":
                for color, count in event["cards"].items():
                    shown = min(count, public[event["seat"]][color])
                    public[event["seat"]][color] -= shown
                    held = hands[event["seat"]][color]
                    see([held.pop() for _ in range(count - shown)])
    for shuffle in unseen:
        colors = random.sample([color for [color] in shuffle], len(shuffle))
        for card, color in zip(shuffle, colors, strict=True):
            card[0] = color
    for event, cards in written:
        colors = [color for [color] in cards]
        event |= {"card": colors[0]} if "card" in event else {"cards": colors}
