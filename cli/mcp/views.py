"""Short text of a game as a player may see it, and of its recent events."""

import json
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

from fogg_client.types import Board, Seat, View

from cli.mcp import boards
from cli.mcp.actions import legal_text
from cli.mcp.planning import serving, short_plan_text, unseen_cards
from domain.sentences import plain_readers, sentences

READERS = plain_readers(name=json.dumps)  # quoted: a name may hold any text
WORDS = {"taken": "known to hold"}  # for names of members that say too little
PRESSING_S = 3600  # a deadline is shown if fewer seconds are left
WITHHELD = (
    "Which actions are legal is not listed here: it follows from the rules, and an action "
    "that they do not allow is refused with the rule's number and changes nothing."
)


def brief_text(
    board: Board,
    view: View,
    *,
    with_legal_actions: bool = True,
    with_planning: bool = True,
    is_short: bool = False,
) -> str:
    """Return the text that the next decision needs, without the map. A short text has a plan for
    the viewer's tickets and its claims, and leaves out what the viewer knows from earlier texts."""
    you = view.get("you")
    if is_short and decision(view) == "second_card":
        return "\n".join(
            [
                f"Version {view['version']}. Row: {', '.join(view['row'])}.",
                f"Your hand: {boards.counts(view['you']['hand'])}.",
                *_decision(board, view, is_short=True),
            ]
        )
    if is_short and view["status"] == "playing":
        lines = [f"Version {view['version']}."]
    else:
        lines = [
            f"Game {view['id']} on {view['board']}, {view['status']}, version {view['version']}.",
            f"You are seat {you['seat']}." if you else "You have no seat: you are watching.",
        ]
    lines += [_seat(board, view, seat, is_short=is_short) for seat in view["seats"]]
    if view["status"] == "lobby":
        return "\n".join([*lines, "It begins once every seat is taken."])
    if view["status"] == "finished":
        return "\n".join([*lines, *_ending(board, view)])
    lines.append(
        f"Row: {', '.join(view['row'])}. Deck {view['deck']}"
        + f", discards {view['discards']}, ticket deck {view['ticket_deck']}" * (not is_short)
        + "."
    )
    if "final_turns" in view:
        left = view["final_turns"]
        lines.append(f"Last round: {left} turn{'s' * (left != 1)} left.")
    lines += _tunnel(view)
    if you:
        lines += _own(board, view, is_short=is_short)
        if is_short and with_planning:
            lines += short_plan_text(board, view)
        lines += _decision(board, view, with_legal_actions, with_planning, is_short=is_short)
    return "\n".join(lines)


def table_text(board: Board, view: View, **options: bool) -> str:
    """Return the brief text, with its options, the routes and stations of all seats, and the
    discards; with planning, also the cards that the viewer has not seen."""
    lines = [
        brief_text(board, view, **options),
        *(boards.network_text(board, view, seat["seat"]) for seat in view["seats"]),
        f"Discards: {boards.counts(view.get('discarded', {}))}.",
    ]
    if "you" in view and view["status"] == "playing" and options.get("with_planning", True):
        lines.append(f"Not seen by you: {boards.counts(unseen_cards(board, view))}.")
    return "\n".join(lines)


def full_text(board: Board, view: View, **options: bool) -> str:
    """Return the table's text, with the options of the brief one, and the free routes."""
    return "\n".join(
        [
            table_text(board, view, **options),
            "Routes still free, each once (spaces, colour):",
            *boards.map_lines(board, boards.free_routes(board, view)),
        ]
    )


def decision(view: View) -> str | None:
    """Return the decision for which the game waits for the caller; None if it does not."""
    seat = view.get("you", {}).get("seat")
    return next((row["decision"] for row in view["deciding"] if row["seat"] == seat), None)


def _seat(board: Board, view: View, seat: Seat, *, is_short: bool) -> str:
    """Return the numbers of a seat. In a short text the viewer's own tickets and cards are left
    out, since other lines have them."""
    is_own = seat["seat"] == view.get("you", {}).get("seat")
    omitted = ("seat", "completed", *("tickets", "cards", "taken") * (is_own and is_short))
    members = {name: value for name, value in seat.items() if name not in omitted}
    who = json.dumps(seat["player"]["name"]) if "player" in seat else "open"
    who = "" if is_short else f", {who}"
    has = boards.numbers(members)
    if view["status"] == "playing":
        has.append(f"longest path {boards.longest_path(board, view, seat['seat'])}")
    has += [
        said
        for name in sorted(board["declared"]["seat_view"])
        if (said := member_text(name, members.get(name)))
    ]
    if "left" in seat:
        has.append(f"left ({seat['left']})")
    said = f": {', '.join(has)}" if has else ""
    return f"Seat {seat['seat']}{who}{' (you)' * is_own}{said}"


def member_text(name: str, value: object) -> str:
    """Return a list or counts that a rule adds to a seat, as text. Return an empty text for empty
    values and for numbers, which ``numbers`` shows."""
    if not value or isinstance(value, int):
        return ""
    given = boards.counts(value) if isinstance(value, dict) else ", ".join(map(str, value))
    return f"{WORDS.get(name, name.replace('_', ' '))}: {given}"


def _own(board: Board, view: View, *, is_short: bool) -> list[str]:
    you = view["you"]
    done = [ticket for ticket in you["tickets"] if boards.connected(board, view, ticket)]
    tickets = [
        boards.ticket_text(board, ticket) + " done" * (ticket in done) for ticket in you["tickets"]
    ]
    if is_short:
        tickets = [
            *(one for one in you["tickets"] if one not in done),
            *[f"{len(done)} done"] * bool(done),
        ]
    lines = [
        f"Your hand: {boards.counts(you['hand'])}.",
        f"Your tickets: {', '.join(tickets) or 'none'}.",
    ]
    if offered := you.get("offered"):
        lines.append(
            "Offered to you: "
            + ", ".join(boards.ticket_text(board, ticket) for ticket in offered)
            + "."
        )
    return lines


def _tunnel(view: View) -> list[str]:
    if not (tunnel := view.get("tunnel")):
        return []
    return [
        f"Tunnel {tunnel['route']} of seat {tunnel['seat']}: laid "
        f"{boards.counts(tunnel['laid'])}, turned {', '.join(tunnel['turned'])}, "
        f"asks for {tunnel['extra']} more."
    ]


def _decision(
    board: Board,
    view: View,
    with_legal_actions: bool = True,
    with_planning: bool = True,
    *,
    is_short: bool,
) -> list[str]:
    if not decision(view):
        others = " and ".join(f"seat {one['seat']} ({one['decision']})" for one in view["deciding"])
        return [f"The game waits for {others}: call wait_for_turn."]
    mine = next(row for row in view["deciding"] if row["seat"] == view["you"]["seat"])
    what = mine["decision"] + _time_left(mine.get("deadline"))
    if not with_legal_actions:
        return [f"Your decision: {what}." + f" {WITHHELD}" * (not is_short)]
    return [
        f"Your decision: {what}. Legal actions:",
        *legal_text(board, view, is_short=is_short, with_planning=with_planning),
    ]


def _time_left(deadline: str | None) -> str:
    """Return the viewer's time left as text, or an empty text if it is long."""
    if deadline is None:
        return ""
    seconds = datetime.fromisoformat(deadline).timestamp() - time.time()
    return f" ({max(0, round(seconds))} seconds left)" if seconds < PRESSING_S else ""


def _ending(board: Board, view: View) -> list[str]:
    """Return the final score of each seat, part by part, the winner first, and its tickets."""
    ranked = sorted(
        (seat for seat in view["seats"] if "result" in seat),
        key=lambda seat: seat["result"]["rank"],
    )
    if not ranked:
        return [f"The game is over without a result ({view.get('ending')})."]
    return ["The game is over.", *(_score(board, view, seat) for seat in ranked)]


def _score(board: Board, view: View, seat: Seat) -> str:
    result: dict[str, int] = {**seat["result"]}  # type: ignore[dict-item]
    parts = ", ".join(
        f"{part.replace('_', ' ')} {points}"
        for part in board["declared"]["parts"]
        if (points := result.get(part)) or part in ("routes", "tickets")
    )
    tickets = "tickets"
    if "revealed" in seat:  # not while other games of the same deal go on
        done = seat["completed"]
        had = [
            boards.ticket_text(board, one) + " failed" * (one not in done)
            for one in seat["revealed"]["tickets"]
        ]
        tickets = f"of {len(had)} tickets: {', '.join(had) or 'none'}"
    return (
        f"Rank {result['rank']}: seat {seat['seat']} with {result['total']} points "
        f"({parts}). Its longest path has {result['longest_path_length']} trains. It completed "
        f"{result['tickets_completed']} {tickets}."
    )


def claims_text(board: Board, before: View, view: View) -> list[str]:
    """Return which routes others have claimed of the viewer's plan since a view of their own, and
    all routes of seats that have claimed one."""
    had = boards.owners(view)
    claimed = had.keys() - boards.owners(before).keys()
    lost = sorted(serving(board, before).keys() & claimed)
    return [
        *[f"Your plan had {', '.join(lost)}: call plan for another."] * bool(lost),
        *(
            boards.network_text(board, view, seat)
            for seat in sorted({had[route] for route in claimed})
        ),
    ]


def news_text(board: Board, entries: list[dict[str, Any]], seat: int | None) -> list[str]:
    """Return the actions of others as text, from the entries since the viewer's last action."""
    mine = [place for place, entry in enumerate(entries) if entry.get("seat") == seat]
    since = entries[mine[-1] + 1 :] if mine else entries
    return [line for entry in since for line in entry_text(board, entry)]


def entry_text(board: Board, entry: dict[str, Any]) -> Iterator[str]:
    """Yield the sentence of each event of an entry that has one."""
    return sentences(entry["events"], board["declared"]["events"], READERS)


def entries_text(board: Board, entries: list[dict[str, Any]], seat: int | None = None) -> str:
    """Return the sentences of entries. A seat is named once, the viewer's own not at all."""
    lines = ["" if seat is None else f"seat {seat} plays"]
    lines += [line for entry in entries for line in entry_text(board, entry)]
    return "; ".join(
        line.removeprefix(f"{' '.join(last.split()[:2])} ") for last, line in pairwise(lines)
    )
