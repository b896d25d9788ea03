"""Short text of a game as a player may see it, and of its recent events."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from fogg_client.types import Board, Seat, View

from cli.mcp import boards
from cli.mcp.actions import legal_text
from domain.sentences import plain_readers, seat_text, sentences

READERS = plain_readers(seat=seat_text, name=json.dumps)  # quoted: a name may hold any text
PRESSING_S = 3600  # a deadline is shown if fewer seconds are left
WITHHELD = ("Which actions are legal is not listed here: it follows from the rules, and an action "
            "that they do not allow is refused with the rule's number and changes nothing.")


def brief_text(
    board: Board, view: View, *, with_legal_actions: bool = True, with_planning: bool = True,
    is_short: bool = False,
) -> str:
    """Return the text that the next decision needs, without the map. A short text leaves out what
    the viewer knows from the game's start, and most claims that serve no ticket."""
    you = view.get("you")
    if is_short and view["status"] == "playing":
        lines = [f"Version {view['version']}."]
    else:
        lines = [f"Game {view['id']} on {view['board']}, {view['status']}, "
                 f"version {view['version']}.",
                 f"You are {seat_text(you['seat'])}." if you
                 else "You have no seat: you are watching."]
    lines += [_seat(board, view, seat) for seat in view["seats"]]
    if view["status"] == "lobby":
        return "\n".join([*lines, "It begins once every seat is taken."])
    if view["status"] == "finished":
        return "\n".join([*lines, *_ending(board, view)])
    lines.append(f"Row: {', '.join(view['row'])}. Deck {view['deck']}, discards "
                 f"{view['discards']}, ticket deck {view['ticket_deck']}.")
    if "final_turns" in view:
        left = view["final_turns"]
        lines.append(f"Last round: {left} turn{'s' * (left != 1)} left.")
    lines += _tunnel(view)
    if you:
        lines += _own(board, view)
        lines += _decision(board, view, with_legal_actions, with_planning, is_short=is_short)
    return "\n".join(lines)


def second_card_text(board: Board, view: View) -> str:
    """Return the changes for the viewer's second card of a turn, as text."""
    return "\n".join([f"Version {view['version']}. Row: {', '.join(view['row'])}.",
                      f"Your hand: {boards.counts(view['you']['hand'])}.",
                      *_decision(board, view, is_short=True)])


def full_text(board: Board, view: View, **options: bool) -> str:
    """Return the brief text, with its options, and the map: claimed routes with their owners, and
    free routes."""
    had = boards.owners(view)
    lines = [brief_text(board, view, **options)]
    for seat in view["seats"]:
        routes = [route for route, owner in had.items() if owner == seat["seat"]]
        lines.append(f"Routes of {seat_text(seat['seat'])}: {', '.join(routes) or 'none'}.")
        if taken := seat.get("taken"):
            lines.append(f"Seen to take, and not yet paid: {boards.counts(taken)}.")
    lines += [f"Station of {seat_text(seat)}: {location}."
              for location, seat in boards.pieces(view)]
    if discarded := view.get("discarded"):
        lines.append(f"Discards: {boards.counts(discarded)}.")
    free = [route for route in board["routes"]
            if route["id"] not in had and not boards.is_closed(board, view, route)]
    return "\n".join([*lines, "Routes still free, each once (spaces, colour):",
                      *boards.map_lines(board, free, lambda route: "")])


def is_to_decide(view: View) -> bool:
    """Return whether the game waits for the caller."""
    you = view.get("you")
    return bool(you) and any(row["seat"] == you["seat"] for row in view["deciding"])


def waited_for(view: View) -> str:
    """Return the seats that have to decide, as text."""
    return " and ".join(f"{seat_text(row['seat'])} ({row['decision']})" for row in view["deciding"])


def name_text(name: str) -> str:
    """Return a player's name in quotes, as a name may hold any text."""
    return json.dumps(name)


def _seat(board: Board, view: View, seat: Seat) -> str:
    who = name_text(seat["player"]["name"]) if "player" in seat else "open"
    has = [one for one in boards.numbers(seat) if not one.startswith("seat ")]
    if view["status"] == "playing":
        has.append(f"longest path {boards.longest_path(board, view, seat['seat'])}")
    has += [said for name in sorted(board["declared"]["seat_view"])
            if (said := member_text(name, {**seat}.get(name)))]
    if "left" in seat:
        has.append(f"left ({seat['left']})")
    you = " (you)" * (seat["seat"] == view.get("you", {}).get("seat"))
    said = f": {', '.join(has)}" if has else ""
    return f"{seat_text(seat['seat']).capitalize()}, {who}{you}{said}"


def member_text(name: str, value: object) -> str:
    """Return a list or counts that a rule adds to a seat, as text. Return an empty text for empty
    values and for numbers, which ``numbers`` shows."""
    if not value or isinstance(value, int):
        return ""
    given = boards.counts(value) if isinstance(value, dict) else ", ".join(map(str, value))
    return f"{name.replace('_', ' ')}: {given}"


def _own(board: Board, view: View) -> list[str]:
    you = view["you"]
    tickets = [boards.ticket_text(board, ticket) + " done" * boards.connected(board, view, ticket)
               for ticket in you["tickets"]]
    lines = [f"Your hand: {boards.counts(you['hand'])}.",
             f"Your tickets: {', '.join(tickets) or 'none'}."]
    if offered := you.get("offered"):
        lines.append("Offered to you: " + ", ".join(
            boards.ticket_text(board, ticket) for ticket in offered) + ".")
    return lines


def _tunnel(view: View) -> list[str]:
    if not (tunnel := view.get("tunnel")):
        return []
    return [f"Tunnel {tunnel['route']} of {seat_text(tunnel['seat'])}: laid "
            f"{boards.counts(tunnel['laid'])}, turned {', '.join(tunnel['turned'])}, "
            f"asks for {tunnel['extra']} more."]


def _decision(
    board: Board, view: View, with_legal_actions: bool = True, with_planning: bool = True, *,
    is_short: bool,
) -> list[str]:
    if not is_to_decide(view):
        return [f"The game waits for {waited_for(view)}: call wait_for_turn."]
    mine = next(row for row in view["deciding"] if row["seat"] == view["you"]["seat"])
    what = mine["decision"] + _time_left(mine.get("deadline"))
    if not with_legal_actions:
        return [f"Your decision: {what}." + f" {WITHHELD}" * (not is_short)]
    return [f"Your decision: {what}. Legal actions:", *legal_text(
        board, view, is_short=is_short, with_planning=with_planning)]


def _time_left(deadline: str | None) -> str:
    """Return the viewer's time left as text, or an empty text if it is long."""
    if deadline is None:
        return ""
    seconds = datetime.fromisoformat(deadline).timestamp() - time.time()
    return f" ({max(0, round(seconds))} seconds left)" if seconds < PRESSING_S else ""


def _ending(board: Board, view: View) -> list[str]:
    """Return the final score of each seat, part by part, the winner first, and its tickets."""
    ranked = sorted((seat for seat in view["seats"] if "result" in seat),
                    key=lambda seat: seat["result"]["rank"])
    if not ranked:
        return [f"The game is over without a result ({view.get('ending')})."]
    return ["The game is over.", *(_score(board, view, seat) for seat in ranked)]


def _score(board: Board, view: View, seat: Seat) -> str:
    result: dict[str, int] = {**seat["result"]}  # type: ignore[dict-item]
    parts = ", ".join(f"{part.replace('_', ' ')} {points}" for part in board["declared"]["parts"]
                      if (points := result.get(part)) or part in ("routes", "tickets"))
    tickets = "tickets"
    if "revealed" in seat:  # not while other games of the same deal go on
        done = boards.completed(board, view, seat)
        had = [boards.ticket_text(board, one) + " failed" * (one not in done)
               for one in seat["revealed"]["tickets"]]
        tickets = f"of {len(had)} tickets: {', '.join(had) or 'none'}"
    return (f"Rank {result['rank']}: {seat_text(seat['seat'])} with {result['total']} points "
            f"({parts}). Its longest path has {result['longest_path_length']} trains. It completed "
            f"{result['tickets_completed']} {tickets}.")


def news_text(board: Board, entries: list[dict[str, Any]], seat: int | None) -> list[str]:
    """Return the actions of others as text, from the entries since the viewer's last action."""
    mine = [place for place, entry in enumerate(entries) if entry.get("seat") == seat]
    since = entries[mine[-1] + 1:] if mine else entries
    return [line for entry in since for line in entry_text(board, entry)]


def entry_text(board: Board, entry: dict[str, Any]) -> Iterator[str]:
    """Yield the sentence of each event of an entry that has one."""
    return sentences(entry["events"], board["declared"]["events"], READERS)
