"""Rows and columns of exported decisions and histories."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from domain.codec import plain_type
from domain.rules import ACTIONS, PARTS, RULES
from domain.sentences import plain_readers, sentences
from domain.shown import shown_of

DECISIONS, HISTORIES = "decisions", "histories"
TEXT, WHOLE, REAL, TRUTH, TIME = "string", "int64", "double", "bool", "timestamp[ms, UTC]"
TEXTS, WHOLES, COUNTS = "list<string>", "list<int64>", "map<string, int64>"

READERS, SAYS = (
    plain_readers(),
    {cls.type: {"says": says} for shown in shown_of(RULES) for cls, says in shown.events.items()},
)


@dataclass(frozen=True)
class Column:
    """A column: its name, type, description, and how to read it from a row, by default the member
    of that name."""

    name: str
    type: str
    words: str
    read: Callable[[dict], Any] | None = None

    def value(self, row: dict) -> Any:
        return self.read(row) if self.read else row.get(self.name)


def _of(*path: str) -> Callable[[dict], Any]:
    """Return a function that follows a path of members; it returns None if one is missing."""

    def value(row: dict) -> Any:
        for name in path:
            row = row.get(name) if row else None
        return row

    return value


def _others(value: Callable[[dict], Any]) -> Callable[[dict], Any]:
    """Return a function that reads a decision's row by applying ``value`` to each other seat, in
    the order of play from the next one."""

    def values_in(row: dict) -> list:
        seats, seat = row["seats"], row["seat"]
        return [value(other) for other in seats[seat + 1 :] + seats[:seat]]

    return values_in


def _rating(row: dict) -> float | None:
    """Return the acting seat's rating before the game, if a seat acted and the game is rated."""
    is_known = "ratings" in row and "seat" in row
    return row["ratings"][row["seat"]]["rating"] if is_known else None


def json_of(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _place_of(action: dict, legal: list[dict]) -> int | None:
    return legal.index(action) if action in legal else None


# members of the event of a game's creation that are columns
OF_CREATION = ("tournament", "pool", "rules_version", "clock", "on_timeout")
WHERE = (
    Column("cursor", TEXT, "where to go on after this row"),
    Column("game", TEXT, "the game's id"),
    Column("board", TEXT, "the board's id"),
    Column("version", WHOLE, "the version that the entry made"),
)
PLAYER = (
    Column("player", TEXT, "the player's id", _of("player", "id")),
    Column(
        "bot",
        TEXT,
        "the bot's name, where it is one; `external` is somebody's own",
        _of("player", "bot"),
    ),
    Column("bot_version", TEXT, "the bot's version, if it has one", _of("player", "version")),
)
PLACE = (
    Column(
        "tournament",
        TEXT,
        "the tournament's id, where it is a game of one",
        _of("tournament", "id"),
    ),
    Column("round", WHOLE, "the tournament's round", _of("tournament", "round")),
    Column("table", WHOLE, "and the table in it", _of("tournament", "table")),
    Column(
        "deal",
        TEXTS,
        "the ids of the games of the same deal, where a tournament or the pool has paired it",
    ),
    Column(
        "pool",
        TEXT,
        "the id of the pool's pairing, where it has paired the game",
        _of("pool", "id"),
    ),
)
SETTINGS = (
    Column("rules_version", WHOLE, "the version of the rules that decided the game"),
    Column(
        "per_decision",
        REAL,
        "the clock's seconds for each decision, if it has them",
        _of("clock", "per_decision"),
    ),
    Column(
        "bank", REAL, "the clock's seconds for all decisions, if it has them", _of("clock", "bank")
    ),
    Column(
        "increment", REAL, "the seconds that a decision adds to these", _of("clock", "increment")
    ),
)
RATING = (
    Column(
        "rated",
        TRUTH,
        "whether the game had been counted for ratings when it was exported",
        lambda row: "ratings" in row,
    ),
    Column(
        "rating", REAL, "of a rated game: the seat's rating before it, over all boards", _rating
    ),
    Column(
        "left",
        TEXT,
        "why the seat left the game, if it did: `resigned`, or `time` if it lost by the clock",
    ),
)
ACTION = (
    Column("action", TEXT, "the action's type", _of("action", "type")),
    Column("route", TEXT, "the route claimed", _of("action", "route")),
    Column("cards", COUNTS, "the cards paid, colour to count", _of("action", "cards")),
    Column("from", TEXT, "`deck` or `row`, of a card drawn", _of("action", "from")),
    Column("card", TEXT, "the card taken from the row", _of("action", "card")),
    Column("tickets", TEXTS, "the tickets kept", _of("action", "tickets")),
    Column("location", TEXT, "where a station was built", _of("action", "location")),
    Column("note", TEXT, "the player's note on the action"),
)
KINDS = {str: TEXT, int: WHOLE, bool: TRUTH, tuple: TEXTS, dict: COUNTS}


def _with_all_members(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns, plus one for each member of an action that has none yet."""
    named = {column.name for column in columns}
    more = {
        member.member: member
        for cls in ACTIONS.values()
        for member in cls.declared
        if member.member not in named
    }
    return (
        *columns,
        *(
            Column(name, KINDS[plain_type(member.type)], member.words, _of("action", name))
            for name, member in more.items()
        ),
    )


def _of_events(value: Callable[[list[dict]], Any]) -> Callable[[dict], Any]:
    return lambda row: value(row["events"])


# the columns that rules add, from an entry's events
OF_RULES = tuple(
    Column(added.name, KINDS[plain_type(added.type)], added.words, _of_events(added.value))
    for shown in shown_of(RULES)
    for added in shown.exported
)
RESULT = (
    Column("total", WHOLE, "the seat's final total", _of("result", "total")),
    Column("rank", WHOLE, "its final rank, 1 for the winner", _of("result", "rank")),
)
COLUMNS = {
    DECISIONS: (
        *WHERE,
        Column("seats", WHOLE, "how many seats the game has", lambda row: len(row["seats"])),
        Column("seat", WHOLE, "who decided"),
        *PLAYER,
        *PLACE,
        *SETTINGS,
        *RATING,
        Column("decision", TEXT, "what was to be decided"),
        Column("at", TIME, "when the action was accepted"),
        Column("milliseconds", WHOLE, "how long it took"),
        Column(
            "timed_out",
            TRUTH,
            "whether the service acted for the seat",
            lambda row: row.get("timed_out", False),
        ),
        *_with_all_members(ACTION),
        Column(
            "legal_actions",
            WHOLE,
            "how many legal actions there were",
            lambda row: len(row["legal_actions"]),
        ),
        Column(
            "legal",
            TEXTS,
            "these actions, each as JSON, in the order of the view",
            lambda row: [json_of(action) for action in row["legal_actions"]],
        ),
        Column(
            "chosen",
            WHOLE,
            "which of them was played, counted from 0; null for `resign`",
            lambda row: _place_of(row["action"], row["legal_actions"]),
        ),
        Column("hand", COUNTS, "the seat's hand before, colour to count"),
        Column(
            "held_tickets", TEXTS, "the tickets it had kept before", _of("view", "you", "tickets")
        ),
        Column("offered", TEXTS, "the tickets it could choose from"),
        Column("score", WHOLE, "its points before"),
        Column("trains", WHOLE, "its trains before"),
        Column(
            "opponents",
            TEXTS,
            "the ids of the other players, in the order of play from the next one",
            _others(_of("player", "id")),
        ),
        Column(
            "opponents_cards",
            WHOLES,
            "the sizes of their hands before, in the same order",
            _others(_of("cards")),
        ),
        Column("row", TEXTS, "the face-up cards"),
        Column("deck", WHOLE, "cards in the deck"),
        Column("claims", WHOLE, "routes claimed by anybody", lambda row: len(row["claims"])),
        *OF_RULES,
        Column(
            "final_tickets",
            TEXTS,
            "the tickets it had in the end",
            lambda row: [held["ticket"] for held in row.get("tickets", ())],
        ),
        Column(
            "completed_tickets",
            TEXTS,
            "those of them that it had completed",
            lambda row: [held["ticket"] for held in row.get("tickets", ()) if held["completed"]],
        ),
        *RESULT,
        *(
            Column(f"total_{part}", WHOLE, "this part of the total", _of("result", part))
            for part in PARTS
        ),
    ),
    HISTORIES: (
        *WHERE,
        Column("seats", WHOLE, "how many seats the game has"),
        Column("at", TIME, "when the entry was accepted"),
        Column("seat", WHOLE, "who acted, if a seat did"),
        *PLAYER,
        *PLACE,
        *SETTINGS,
        *RATING,
        Column("available", TIME, "on a clock, since when the decision was there"),
        Column("arrived", TIME, "and when the action arrived"),
        Column("paused", WHOLE, "milliseconds in between in which the service was away"),
        Column(
            "queued",
            WHOLE,
            "milliseconds in between in which a built-in bot's turn waited for a worker",
        ),
        Column(
            "timed_out", TRUTH, "whether the time was over", lambda row: row.get("timed_out", False)
        ),
        *_with_all_members(ACTION),
        *OF_RULES,
        Column(
            "events",
            TEXTS,
            "the types of its events, in order",
            lambda row: [event["type"] for event in row["events"]],
        ),
        Column(
            "said",
            TEXTS,
            "what happened, in sentences, with the ids of routes and places",
            lambda row: [*sentences(row["events"], SAYS, READERS)],
        ),
        *RESULT,
        Column("hash", TEXT, "the entry's hash"),
        Column("entry", TEXT, "the whole entry as JSON"),
    ),
}


def rows(kind: str, line: bytes) -> Iterator[dict]:
    """Yield the rows of a line: one for each entry of a history, or one for a decision, with the
    members of its view and of its seat there."""
    game = json.loads(line)
    if kind == DECISIONS:
        view = game["view"]
        yield view | view["you"] | view["seats"][game["seat"]] | game
        return
    created = game["entries"][0]["events"][0]
    about = {name: created[name] for name in OF_CREATION if name in created}
    about |= {name: game[name] for name in ("cursor", "game", "board", "ratings") if name in game}
    about["deal"] = (created.get("tournament") or created.get("pool") or {}).get("games")
    about["seats"] = len(game["seats"])
    left = {
        event["seat"]: event["reason"]
        for entry in game["entries"]
        for event in entry["events"]
        if event["type"] == "resigned"
    }
    for entry in game["entries"]:
        more = {"entry": json_of(entry)}
        if "seat" in entry:
            seat = game["seats"][entry["seat"]]
            more |= {"player": seat["player"], "result": seat, "left": left.get(entry["seat"])}
        yield about | entry | more
