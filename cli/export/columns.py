"""Rows and columns of exported decisions and histories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from domain.codec import plain_type
from domain.rules import ACTIONS, EVENTS, PARTS, RULES
from domain.sentences import plain_readers, sentences

DECISIONS, HISTORIES = "decisions", "histories"
TEXT, WHOLE, TRUTH, TEXTS, COUNTS = "string", "int64", "bool", "list<string>", "map<string, int64>"


READERS, SAYS = plain_readers(), {name: {"says": cls.says} for name, cls in EVENTS.items()}


@dataclass(frozen=True)
class Column:
    """A column: its name, type, description, and how to read it from a row."""

    name: str
    type: str
    words: str
    value: Callable[[dict], Any]


def _of(*path: str) -> Callable[[dict], Any]:
    """Return a function that follows a path of members; it returns None if one is missing."""
    def value(row: dict) -> Any:
        for name in path:
            row = row.get(name) if row else None
        return row
    return value


def _in_view(value: Callable[[dict], Any]) -> Callable[[dict], Any]:
    """Return a function that reads a decision's row by applying ``value`` to the seat's player and
    the game's place."""
    def found(row: dict) -> Any:
        return value(row["view"] | {"player": _mine("player")(row)})
    return found


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _place_of(action: dict, legal: list[dict]) -> int | None:
    return legal.index(action) if action in legal else None


def _mine(name: str) -> Callable[[dict], Any]:
    """Return a function that reads a member of the deciding player's own seat."""
    return lambda row: row["view"]["seats"][row["seat"]].get(name)


WHERE = (
    Column("cursor", TEXT, "where to go on after this row", _of("cursor")),
    Column("game", TEXT, "the game's id", _of("game")),
    Column("board", TEXT, "the board's id", _of("board")),
    Column("version", WHOLE, "the version that the entry made", _of("version")),
)
PLAYER = (
    Column("player", TEXT, "the player's id", _of("player", "id")),
    Column("bot", TEXT, "the bot's name, where it is one; `external` is somebody's own",
           _of("player", "bot")),
    Column("bot_version", TEXT, "the bot's version, if it has one",
           _of("player", "version")),
)
PLACE = (
    Column("tournament", TEXT, "the tournament's id, where it is a game of one",
           _of("tournament", "id")),
    Column("round", WHOLE, "the tournament's round", _of("tournament", "round")),
    Column("table", WHOLE, "and the table in it", _of("tournament", "table")),
    Column("deal", TEXTS, "the ids of the games of the same deal, where a tournament or the pool "
           "has paired it",
           lambda row: (row.get("tournament") or row.get("pool") or {}).get("games")),
)
ACTION = (
    Column("action", TEXT, "the action's type", _of("action", "type")),
    Column("route", TEXT, "the route claimed", _of("action", "route")),
    Column("cards", COUNTS, "the cards paid, colour to count", _of("action", "cards")),
    Column("from", TEXT, "`deck` or `row`, of a card drawn", _of("action", "from")),
    Column("card", TEXT, "the card taken from the row", _of("action", "card")),
    Column("tickets", TEXTS, "the tickets kept", _of("action", "tickets")),
    Column("location", TEXT, "where a station was built", _of("action", "location")),
    Column("note", TEXT, "what the player noted beside it", _of("note")),
)
KINDS = {str: TEXT, int: WHOLE, bool: TRUTH, tuple: TEXTS, dict: COUNTS}


def _with_all_members(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns, plus one for each member of an action that has none yet."""
    named = {column.name for column in columns}
    more = {member.member: member for cls in ACTIONS.values() for member in cls.declared
            if member.member not in named}
    return (*columns, *(Column(name, KINDS[plain_type(member.type)], member.words,
                               _of("action", name)) for name, member in more.items()))


def _of_events(value: Callable[[list[dict]], Any]) -> Callable[[dict], Any]:
    return lambda row: value(row["events"])


# the columns that rules add, from an entry's events
OF_RULES = tuple(
    Column(added.name, KINDS[plain_type(added.type)], added.words, _of_events(added.value))
    for rule in RULES for added in rule.exported)
RESULT = (
    Column("total", WHOLE, "the seat's final total", _of("result", "total")),
    Column("rank", WHOLE, "its final rank, 1 for the winner", _of("result", "rank")),
)
COLUMNS = {
    DECISIONS: (
        *WHERE,
        Column("seats", WHOLE, "how many seats the game has",
               lambda row: len(row["view"]["seats"])),
        Column("seat", WHOLE, "who decided", _of("seat")),
        *(replace(column, value=_in_view(column.value)) for column in PLAYER + PLACE),
        Column("decision", TEXT, "what was to be decided", _of("decision")),
        Column("at", TEXT, "when the action was accepted", _of("at")),
        Column("milliseconds", WHOLE, "how long it took", _of("milliseconds")),
        Column("timed_out", TRUTH, "whether the service acted for the seat",
               lambda row: row.get("timed_out", False)),
        *_with_all_members(ACTION),
        Column("legal_actions", WHOLE, "how many legal actions there were",
               lambda row: len(row["view"]["you"]["legal_actions"])),
        Column("legal", TEXTS, "these actions, each as JSON, in the order of the view",
               lambda row: [_json(action) for action in row["view"]["you"]["legal_actions"]]),
        Column("chosen", WHOLE, "which of them was played, counted from 0; null for `resign`",
               lambda row: _place_of(row["action"], row["view"]["you"]["legal_actions"])),
        Column("hand", COUNTS, "the seat's hand before, colour to count",
               _of("view", "you", "hand")),
        Column("held_tickets", TEXTS, "the tickets it had kept before",
               _of("view", "you", "tickets")),
        Column("offered", TEXTS, "the tickets it could choose from",
               _of("view", "you", "offered")),
        Column("score", WHOLE, "its points before", _mine("score")),
        Column("trains", WHOLE, "its trains before", _mine("trains")),
        Column("row", TEXTS, "the face-up cards", _of("view", "row")),
        Column("deck", WHOLE, "cards in the deck", _of("view", "deck")),
        Column("claims", WHOLE, "routes claimed by anybody",
               lambda row: len(row["view"]["claims"])),
        *OF_RULES,
        Column("final_tickets", TEXTS, "the tickets it had in the end",
               lambda row: [held["ticket"] for held in row.get("tickets", ())]),
        Column("completed_tickets", TEXTS, "those of them that it had completed",
               lambda row: [held["ticket"] for held in row.get("tickets", ())
                            if held["completed"]]),
        *RESULT,
        *(Column(f"total_{part}", WHOLE, f"of the total, the part `{part}`",
                 _of("result", part)) for part in PARTS),
    ),
    HISTORIES: (
        *WHERE,
        Column("seats", WHOLE, "how many seats the game has", _of("seats")),
        Column("at", TEXT, "when the entry was accepted", _of("at")),
        Column("seat", WHOLE, "who acted, if a seat did", _of("seat")),
        *PLAYER,
        *PLACE,
        Column("available", TEXT, "on a clock, since when the decision was there",
               _of("available")),
        Column("arrived", TEXT, "and when the action arrived", _of("arrived")),
        Column("paused", WHOLE, "milliseconds in between in which the service was away",
               _of("paused")),
        Column("queued", WHOLE, "milliseconds in between in which a built-in bot's turn waited for "
               "a worker", _of("queued")),
        Column("timed_out", TRUTH, "whether the time was over",
               lambda row: row.get("timed_out", False)),
        *_with_all_members(ACTION),
        *OF_RULES,
        Column("events", TEXTS, "the types of its events, in order",
               lambda row: [event["type"] for event in row["events"]]),
        Column("said", TEXTS, "what happened, in sentences, with the ids of routes and places",
               lambda row: [*sentences(row["events"], SAYS, READERS)]),
        *RESULT,
        Column("hash", TEXT, "the entry's hash", _of("hash")),
        Column("entry", TEXT, "the whole entry as JSON", _of("entry")),
    ),
}


def rows(kind: str, line: bytes) -> Iterator[dict]:
    """Yield the rows of a line: one for a decision, one for each entry of a history."""
    found = json.loads(line)
    if kind == DECISIONS:
        yield found
        return
    about = {name: found[name] for name in ("cursor", "game", "board")}
    created = found["entries"][0]["events"][0]
    about |= {name: created[name] for name in ("tournament", "pool") if name in created}
    about["seats"] = len(found["seats"])
    for entry in found["entries"]:
        more = {"entry": _json(entry)}
        if "seat" in entry:
            seat = found["seats"][entry["seat"]]
            more |= {"player": seat["player"], "result": seat}
        yield about | entry | more
