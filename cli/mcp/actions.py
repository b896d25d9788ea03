"""Legal actions as short text: different payments of one price are merged."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from math import comb
from typing import Any, get_args, get_type_hints

from fogg_client.types import Action, Board, View

from cli.mcp.boards import ticket_text
from cli.mcp.planning import serving, tunnel_text

DECK = "deck"


def _members_of_actions() -> dict[str, list[str]]:
    """Return the members of each type of action, as ``act`` takes them."""
    members = {}
    for action in get_args(Action):
        hints = get_type_hints(action)
        [kind] = get_args(hints["type"])
        members[kind] = [*hints]
    return members | {"draw_card": ["type", "card", "second_card", "note"]}


ACTIONS = _members_of_actions()
MAX_SETS = 20  # sets of cards that are named for one price
MAX_LISTED = 6  # routes in a short list of claims of which none serves a ticket


def legal_text(
    board: Board, view: View, *, is_short: bool = False, with_planning: bool = True
) -> list[str]:
    """Return lines that list the legal actions, grouped by kind. With planning, those that serve a
    ticket come first. A short list has of the claims and stations only those for which the plan has
    the cards, or the longest claims if there is no plan, each with one payment."""
    is_short = is_short and with_planning
    legal: list[Any] = view["you"].get("legal_actions", [])
    useful = serving(board, view) if with_planning and any(map(_thing, legal)) else {}
    listed = _shortened(board, view, legal, useful) if is_short else legal
    by_type: dict[str, list[Any]] = {}
    for action in sorted(listed, key=lambda action: _thing(action) not in useful):
        kind = action["type"] + ", keep_for_flag" * action.get("keep_for_flag", False)
        kind += " (serves a ticket)" * (_thing(action) in useful)
        by_type.setdefault(kind, []).append(action)
    lines = []
    for kind, actions in by_type.items():
        if is_short and _thing(actions[0]):
            lines.append(f"{kind}: {', '.join(_purchase(board, view, one) for one in actions)}")
        elif "cards" in actions[0]:
            lines += _paid(kind, actions)
        elif kind == "keep_tickets":
            lines += _kept(board, view["you"]["offered"], [one["tickets"] for one in actions])
        elif kind == "draw_card":
            cards = dict.fromkeys(action.get("card", DECK) for action in actions)
            lines.append(f"draw_card, card one of {', '.join(cards)}")
        elif len(actions[0]) == 2:
            name = [*actions[0]][1]
            lines.append(f"{kind}, {name} one of {', '.join(str(one[name]) for one in actions)}")
        else:
            lines.append(kind)
    if len(listed) < len(legal):
        lines.append("More in look full")
    return lines


def _thing(action: Any) -> str:
    """Return what an action pays for, such as a route; an empty text if it pays for nothing."""
    names = [name for name in action if name not in ("type", "cards", "keep_for_flag")]
    return str(action[names[0]]) if "cards" in action and names else ""


def _shortened(
    board: Board, view: View, actions: list[Any], useful: dict[str, dict[str, int]]
) -> list[Any]:
    """Return the actions of a short list. Of the payments for a route or a place, choose that of
    the plan, or else one with few wilds, in the colour of which there are most."""
    hand = view["you"]["hand"]
    length = {route["id"]: route["length"] for route in board["routes"]}
    places = {one["id"] for one in board["locations"]} | length.keys()
    payments: dict[str, list[Any]] = {}
    for action in actions:
        payments.setdefault(_thing(action), []).append(action)
    longest = sorted(length.keys() & payments, key=lambda one: (-length[one], one))[:MAX_LISTED]
    shown = (
        [thing for thing, cards in useful.items() if sum(cards.values()) == length.get(thing, 0)]
        if useful
        else longest
    )
    best = [
        min(
            payments[thing],
            key=lambda one: (
                one["cards"] != useful.get(thing),
                one["cards"].get("wild", 0),
                *(-hand.get(color, 0) for color in one["cards"]),
            ),
        )
        for thing in shown
        if thing in payments
    ]
    return [*best, *(action for action in actions if _thing(action) not in places)]


def _purchase(board: Board, view: View, action: Any) -> str:
    """Return a route or a place with the payment, and the odds if it is a tunnel."""
    odds = [
        f" ({tunnel_text(board, view, action['cards'])})"
        for route in board["routes"]
        if route["id"] == action.get("route") and route.get("tunnel")
    ]
    cards = " + ".join(f"{n} {color}" for color, n in action["cards"].items())
    return f"{_thing(action)} for {cards}{''.join(odds)}"


def as_posted(action: Action) -> dict[str, Any]:
    """Convert an action to the form that the service accepts: tools name a card of the row by its
    colour, and the deck ``deck``."""
    if action["type"] != "draw_card" or "card" not in action:
        return dict(action)
    if action["card"] == DECK:
        return {name: value for name, value in action.items() if name != "card"} | {"from": DECK}
    return {**action, "from": "row"}


def nearest(unknown: str, names: Iterable[str]) -> list[str]:
    """Return at most three names, those most like an unknown one. The order of the words in a name
    does not matter."""
    by_words = {_words(name): name for name in names}
    return [by_words[words] for words in get_close_matches(_words(unknown), by_words)]


def _words(name: str) -> str:
    return " ".join(sorted(re.findall(r"\w+", name.lower())))


def _kept(board: Board, offered: list[str], choices: list[list[str]]) -> list[str]:
    """Return which tickets may be kept, as text; just the minimum if only the number is limited."""
    least = min(map(len, choices))
    if len(choices) == sum(comb(len(offered), size) for size in range(least, len(offered) + 1)):
        names = ", ".join(ticket_text(board, ticket) for ticket in offered)
        return [f"keep_tickets, at least {least} of {names}"]
    return ["keep_tickets, one of " + " | ".join(map(", ".join, choices))]


def _paid(kind: str, actions: list[Any]) -> list[str]:
    """Return lines with the purchases and their prices, one line for each price."""
    ways: dict[tuple[str, int], list[Any]] = {}  # by purchase and number of cards
    for action in actions:
        ways.setdefault((_thing(action), sum(action["cards"].values())), []).append(action)
    things: dict[str, list[str]] = {}  # by price
    for price, thing in sorted((_price(actions), thing) for (thing, _), actions in ways.items()):
        things.setdefault(price, []).append(thing)
    return [
        f"{kind} for {price}{': ' * any(some)}{', '.join(some)}" for price, some in things.items()
    ]


def _price(actions: list[Action]) -> str:
    """Return the cards that can pay one price, colour by colour, and sets of several colours."""
    number = sum(actions[0]["cards"].values())
    wilds: dict[str, set[int]] = {}
    for action in actions:
        cards = action["cards"]
        color, *others = [color for color in cards if color != "wild"] or [""]
        if others:
            color = " + ".join(f"{count} {color}" for color, count in cards.items())
        wilds.setdefault(color, set()).add(cards.get("wild", 0))
    words, colors = list[str](), dict[str, list[str]]()
    for color, counts in wilds.items():
        if " + " in color:
            words.append(color)
        else:
            colors.setdefault(_range(sorted(counts)) if color else "", []).append(color)
    words += [
        f"{number} wild"
        if not way
        else f"{number} {'/'.join(some)}"
        if way == "0"
        else f"{'/'.join(some)} with {way} wild"
        for way, some in colors.items()
    ]
    if (more := len(words) - MAX_SETS) > 0:
        words[MAX_SETS:] = [f"{more} more sets"]
    return f"{number} card{'s' * (number != 1)} ({', '.join(words)})"


def _range(numbers: list[int]) -> str:
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return "/".join(map(str, numbers))
