"""The tables and examples of docs/events.md, made from the code, so that they cannot drift.

``python -m tools.generators.events_page`` replaces them, between the marks on the page.
"""

import json
from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints, is_typeddict

from cli.export.columns import COLUMNS
from domain.boards import load_folder
from domain.entry import Entry
from domain.game.events import (
    Event,
    GameAborted,
    GameForked,
    InvitationClosed,
    OpenSeatsClosed,
    Passed,
    PlayerInvited,
    PositionSet,
    RatingRangeSet,
    SeatLeft,
    TicketsRemoved,
    UndrawnShuffled,
)
from domain.game.view import redacted
from domain.rules import EVENTS
from domain.rules.flags import POINTS as FLAG_POINTS
from domain.rules.flags import FlagCompleted
from domain.secrecy import Declared, declared
from tests.domain.games import random_game
from tools.generators.openapi_schemas import members_of
from tools.generators.pages import DOCS, table, with_parts

PAGE = DOCS / "events.md"
LONG = 3  # longer lists are cut
GAMES = (
    ("usa", 3, 1, 0.004),
    ("europe", 3, 1, 0.0),
    ("europe", 2, 0.2, 0.0),
    ("paris", 2, 1, 0.0),
    ("london", 2, 1, 0.0),
)  # board, seats, claiming, leaving
GRACE = {"id": "p_00000000000000000002", "name": "Grace"}
RARE = (
    GameForked("g_00000000000000000001", 20, "reshuffled", {"turn": 1, "step": "turn"}),
    PositionSet(),
    UndrawnShuffled(("red", "wild"), ("atlanta--montreal",), ()),
    SeatLeft(1),
    PlayerInvited(1, GRACE, "2026-01-01T12:15:00.000Z", "withdraw"),
    InvitationClosed(1, GRACE, "too_fast"),
    RatingRangeSet(2, 10, 30),
    OpenSeatsClosed((0, 2)),
    GameAborted("aborted"),
    Passed(1),
    FlagCompleted(1, {"blue": 1, "white": 1, "red": 1}, FLAG_POINTS),
    TicketsRemoved(("brest--petrograd", "palermo--moskva")),
)
SEAT = "The seat's number, from 0."
ALWAYS, OWNER, NOBODY = "everybody", "its seat", "nobody"


def written(page: str) -> str:
    """Return the page with new text between its marks."""
    parts = {"entry": entry, "events": events, "examples": shown_examples, "columns": columns}
    return with_parts(
        page,
        {f"{name}: python -m tools.generators.events_page": made for name, made in parts.items()},
    )


def entry() -> str:
    return table(
        ("member", "", "what it is"),
        [
            (f"`{name}`", "" if is_required else "may be missing", declared(hint)[2])
            for name, hint, is_required in members_of(Entry)
        ],
    )


def events() -> str:
    """A row for each event, and one for each of its members but the plain seat."""
    rows: list[tuple] = []
    for kind, cls in EVENTS.items():
        words = " ".join((cls.__doc__ or "").split()).replace("``", "`")
        rows += [
            (f"**`{kind}`**", "", "", words),
            *(
                (f"`{member.member}`", type_of(member.type), who(member), member.words)
                for member in cls.declared
                if member.words != SEAT
            ),
        ]
    return table(("event, members", "type", "seen by", "what it is"), rows)


def shown_examples() -> str:
    """An example of each event, followed by what others are shown of it, if that is less."""
    lines = []
    for example in sorted(examples().values(), key=lambda event: [*EVENTS].index(event["type"])):
        others = redacted({"events": [example]}, None, False)["events"][0]
        lines += [dumped(example), *([dumped(others)] if others != example else [])]
    return "```json\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def who(member: Declared) -> str:
    """The viewers of a member before the game is over."""
    unless = member.seen_by.unless
    more = f", and everybody where `{unless[0]}` is `{unless[1]}`" if unless else ""
    return {"everybody": ALWAYS, "owner": OWNER, "nobody": NOBODY}[member.seen_by.who] + more


def type_of(hint) -> str:
    parts = [part for part in get_args(hint) if part is not NoneType]
    if NoneType in get_args(hint):
        return f"{type_of(parts[0])}, may be missing"
    if is_typeddict(hint):
        return "object with " + ", ".join(f"`{name}`" for name in hint.__annotations__)
    origin = get_origin(hint) or hint
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in get_args(hint))
    if origin is tuple:
        return f"list of {type_of(parts[0])}"
    if origin is Mapping:
        return f"object of {type_of(parts[1])}"
    return {
        str: "text",
        int: "whole number",
        float: "number",
        bool: "truth",
        object: "anything",
        Any: "anything",
    }[origin]


def examples() -> dict[str, dict]:
    """An event of each kind, from games played at random, as JSON has it."""
    boards, events = load_folder(), {event.type: event.as_json() for event in RARE}
    for board, seats, claiming, leaving in GAMES:
        game = random_game(seats, 3, claiming=claiming, leaving=leaving, board=boards[board])
        for row in game.entries:
            for event in row["events"]:
                events.setdefault(event["type"], event)
    return events | {kind: made_up(cls) for kind, cls in EVENTS.items() if kind not in events}


def made_up(cls: type[Event]) -> dict:
    """An event as JSON, with plain values of the right types: of a kind that happens on no board of
    ours."""
    return {"type": cls.type} | {
        member.member: value_of(member.type) for member in cls.declared if member.required
    }


def value_of(hint: object) -> object:
    parts, origin = get_args(hint), get_origin(hint) or hint
    if origin is Literal:
        return parts[0]
    if origin is tuple:
        return [value_of(parts[0])]
    if origin is Mapping:
        return {"red": value_of(parts[1])}
    if is_typeddict(hint):
        return {name: value_of(inner) for name, inner in get_type_hints(hint).items()}
    return {str: "red", float: 1.5, bool: True}.get(origin, 1)


def dumped(event: dict) -> str:
    """An event on a line, long lists cut."""
    return json.dumps(
        {
            name: (*value[:LONG], "...")
            if isinstance(value, list | tuple) and len(value) > LONG
            else value
            for name, value in event.items()
        }
    )


def columns() -> str:
    """The columns of the Parquet files, and in which of them each is."""
    kinds: dict[tuple, list[str]] = {}
    for kind, listed in COLUMNS.items():
        for column in listed:
            kinds.setdefault((column.name, column.type, column.words), []).append(kind[0])
    names: dict[tuple, list[str]] = {}
    for (name, *rest), letters in kinds.items():
        names.setdefault((" ".join(letters), *rest), []).append(f"`{name}`")
    return table(
        ("column", "in", "type", "what it holds"),
        [(", ".join(listed), *rest) for rest, listed in names.items()],
    )


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
