"""Legal actions as short text: different payments of one price are merged."""

from __future__ import annotations

from itertools import groupby
from math import comb
from operator import itemgetter
from typing import Any

from fogg_client.types import Action, Board, View

from cli.mcp.boards import ticket_text
from cli.mcp.planning import serving

DECK = "deck"
MAX_SETS = 20  # sets of cards that are named for one price
MAX_LISTED = 6  # routes in a short list of claims of which none serves a ticket


def legal_text(
    board: Board, view: View, *, is_short: bool = False, with_planning: bool = True
) -> list[str]:
    """Return lines that list the legal actions, grouped by kind. With planning, claims that serve a
    ticket come first, and a short list has these claims only, or the longest if there are none."""
    actions: list[Any] = view["you"].get("legal_actions", [])
    routes = {action["route"] for action in actions if "route" in action}
    useful = serving(board, view) & routes if routes and with_planning else set[str]()
    shown = _worth_a_claim(board, routes, useful) if is_short and with_planning else routes
    by_type: dict[str, list[Any]] = {}
    for action in sorted(actions, key=lambda action: action.get("route") not in useful):
        if action.get("route", "") in routes - shown:
            continue
        kind = action["type"] + ", keep_for_flag" * action.get("keep_for_flag", False)
        kind += " (serves a ticket)" * (action.get("route") in useful)
        by_type.setdefault(kind, []).append(action)
    lines = []
    for kind, actions in by_type.items():
        if "cards" in actions[0]:
            what = [name for name in actions[0] if name not in ("type", "cards", "keep_for_flag")]
            places = {one["id"] for one in board["locations"]} if is_short else set[str]()
            lines += _paid(kind, next(iter(what), None), actions, places)
        elif kind == "keep_tickets":
            lines += _kept(board, view["you"]["offered"], [one["tickets"] for one in actions])
        elif kind == "draw_card":
            cards = [action.get("card", DECK) for action in actions]
            lines.append(f"draw_card, card one of {', '.join(dict.fromkeys(cards))}")
        elif len(actions[0]) == 2:
            name = [*actions[0]][1]
            lines.append(f"{kind}, {name} one of {', '.join(str(one[name]) for one in actions)}")
        else:
            lines.append(kind)
    if more := len(routes) - len(shown):
        lines.append(f"claim_route: {more} other route{'s' * (more != 1)}; look lists them")
    return lines


def _worth_a_claim(board: Board, routes: set[str], useful: set[str]) -> set[str]:
    length = {route["id"]: route["length"] for route in board["routes"]}
    return useful or {*sorted(routes, key=lambda route: (-length[route], route))[:MAX_LISTED]}


def as_posted(action: Action) -> dict[str, Any]:
    """Convert an action to the form that the service accepts: tools name a card of the row by its
    colour, and the deck ``deck``."""
    if action["type"] != "draw_card" or "card" not in action:
        return dict(action)
    if action["card"] == DECK:
        return {name: value for name, value in action.items() if name != "card"} | {"from": DECK}
    return {**action, "from": "row"}


def _kept(board: Board, offered: list[str], choices: list[list[str]]) -> list[str]:
    """Return which tickets may be kept, as text; if only their number is limited, just the minimum.
    """
    least = min(map(len, choices))
    if len(choices) == sum(comb(len(offered), size) for size in range(least, len(offered) + 1)):
        names = ", ".join(ticket_text(board, ticket) for ticket in offered)
        return [f"keep_tickets, at least {least} of {names}"]
    return ["keep_tickets, one of " + " | ".join(map(", ".join, choices))]


def _paid(kind: str, what: str | None, actions: list[Any], places: set[str]) -> list[str]:
    """Return lines with the purchases and their prices, one line for each price. If most of
    ``places`` can be bought, name only the others."""
    ways: dict[tuple[str, int], list[Any]] = {}  # by purchase and number of cards
    for action in actions:
        number = sum(action["cards"].values())
        ways.setdefault((action[what] if what else "", number), []).append(action)
    priced = sorted((_price(actions), thing) for (thing, _), actions in ways.items())
    things = {price: _listed([thing for _, thing in same], places)
              for price, same in groupby(priced, key=itemgetter(0))}
    return [f"{kind} for {price}" + (f": {things[price]}" if what else "") for price in things]


def _listed(things: list[str], places: set[str]) -> str:
    others = places.difference(things)
    if not places.issuperset(things) or len(others) >= len(things):
        return ", ".join(things)
    return "any place" + f" but {', '.join(sorted(others))}" * bool(others)


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
    words = []
    for color, counts in wilds.items():
        if " + " in color:
            words.append(color)
        elif not color:
            words.append(f"{number} wild")
        elif counts == {0}:
            words.append(f"{number} {color}")
        else:
            words.append(f"{color} with {_range(sorted(counts))} wild")
    if (more := len(words) - MAX_SETS) > 0:
        words[MAX_SETS:] = [f"{more} more sets"]
    return f"{number} card{'s' * (number != 1)} ({', '.join(words)})"


def _range(numbers: list[int]) -> str:
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}-{numbers[-1]}"
    return "/".join(map(str, numbers))
