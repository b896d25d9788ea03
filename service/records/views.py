"""Five views for questions in SQL: the public games that were played to a result.

``fogg export --sqlite FILE`` makes tables with the same names, columns and values from a service's
API. So a question can be put to both, on SQLite and on PostgreSQL. Truths are 0 or 1, and times are
texts, such as 2026-01-01T12:00:00.000Z: they sort, and start with the date.

The API shows a deleted account as ``deleted``, and so do exports. The view ``seats`` has the names
of then, as only operators can read it.
"""

from typing import NamedTuple

from domain.rules import RULES

TEXT, WHOLE, REAL = "TEXT", "INTEGER", "DOUBLE PRECISION"


class Column(NamedTuple):
    """A column: its name, type, meaning, and how the view computes it."""

    name: str
    type: str
    words: str
    sql: str


class View(NamedTuple):
    """A view: its meaning, columns, key, and the tables that it is made from."""

    words: str
    columns: tuple[Column, ...]
    key: str
    source: str


GAME = Column("game", TEXT, "the game's id", "game.id")
SEAT = Column("seat", WHOLE, "the seat's number, from 0", "seat")


def _truth(column: str) -> str:
    return f"CASE WHEN {column} THEN 1 ELSE 0 END"


def _rounded(value: str) -> str:
    return f"CAST(round(CAST({value} AS NUMERIC), 4) AS DOUBLE PRECISION)"


def _of(table: str) -> str:
    return f"{table} JOIN game ON game.n = {table}.game AND game.published IS NOT NULL"


VIEWS = {
    "games": View(
        "The games.",
        (
            GAME,
            Column("board", TEXT, "the board's id", "board"),
            Column(
                "seats",
                WHOLE,
                "how many seats it has",
                "(SELECT count(*) FROM seat WHERE seat.game = game.n)",
            ),
            Column("created", TEXT, "when it was created", "{created}"),
            Column("finished", TEXT, "when it ended", "{ended}"),
            Column("entries", WHOLE, "how many entries its history has", "version"),
            Column(
                "tournament", TEXT, "the tournament's id, where it is a game of one", "tournament"
            ),
            Column("cursor", TEXT, "where an export goes on after it", "published || '.' || id"),
        ),
        "game",
        "game WHERE published IS NOT NULL",
    ),
    "seats": View(
        "The seats of each game, with what they scored.",
        (
            GAME,
            SEAT,
            Column("player", TEXT, "the player's id", "player.id"),
            Column("name", TEXT, "the player's name", "seat.name"),
            Column(
                "bot", TEXT, "the bot's name, where it is one; `external` is somebody's own", "bot"
            ),
            Column("bot_version", TEXT, "the bot's version, if it has one", "seat.version"),
            Column("is_first", WHOLE, "1 if the seat had the first turn", _truth("is_first")),
            Column("rank", WHOLE, "its rank, 1 for the winner", "rank"),
            Column("total", WHOLE, "its points in all", "total"),
            *(
                Column(one.name, WHOLE, one.words.rstrip("."), one.name)
                for rule in RULES
                for one in rule.numbers
            ),
            Column("tickets_kept", WHOLE, "how many tickets it kept", "tickets_kept"),
            Column(
                "reason_left",
                TEXT,
                "why the seat left the game, if it did: `resigned`, or `time` "
                "if it lost by the clock",
                'seat."left"',
            ),
            Column("decisions", WHOLE, "how many decisions it made in time", "decisions"),
            Column("milliseconds", WHOLE, "how long these took together, to 12 %", "milliseconds"),
        ),
        "game, seat",
        _of("seat") + " LEFT JOIN player ON player.n = seat.player",
    ),
    "claims": View(
        "The routes that were claimed.",
        (
            GAME,
            Column(
                "route", TEXT, "the route's id: its ends, a second track with `--2`", "route.id"
            ),
            Column("length", WHOLE, "its spaces", "length"),
            SEAT,
            Column("turn", WHOLE, "in which of the seat's turns, from 1", "turn"),
        ),
        "game, route",
        _of("claim") + " JOIN route ON route.n = claim.route",
    ),
    "tickets": View(
        "The tickets that were kept.",
        (
            GAME,
            Column("ticket", TEXT, "the ticket's id: its ends", "ticket.id"),
            Column("points", WHOLE, "its points", "points"),
            SEAT,
            Column("is_completed", WHOLE, "1 if it was completed", _truth("is_completed")),
        ),
        "game, ticket",
        _of("kept_ticket") + " JOIN ticket ON ticket.n = kept_ticket.ticket",
    ),
    "ratings": View(
        "Ratings over all boards before each rated game (docs/ratings.md).",
        (
            GAME,
            SEAT,
            Column(
                "rating", REAL, "the rating: mu - 3 sigma", _rounded("mu_before - 3 * sigma_before")
            ),
            Column("mu", REAL, "the estimated strength", _rounded("mu_before")),
            Column("sigma", REAL, "its uncertainty", _rounded("sigma_before")),
            Column(
                "weight", REAL, "how much the game counted for the seat, 0 to 1", _rounded("weight")
            ),
        ),
        "game, seat",
        _of("change") + " JOIN standing ON standing.n = change.standing AND scope = 'overall'"
        " JOIN generation ON generation.n = standing.generation AND is_current",
    ),
}
TIMES = {  # how a database writes a column of milliseconds since 1970
    "sqlite": "strftime('%Y-%m-%dT%H:%M:%fZ', {} / 1000.0, 'unixepoch')",
    "postgresql": "to_char(to_timestamp({} / 1000.0) AT TIME ZONE 'UTC', "
    '\'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\')',
}


def statements(dialect: str) -> dict[str, str]:
    """Return the statement that creates each view, for ``sqlite`` or ``postgresql``."""
    times = {name: TIMES[dialect].format(name) for name in ("created", "ended")}
    return {
        name: f"CREATE VIEW {name} AS SELECT "
        + ", ".join(f"{one.sql.format(**times)} AS {one.name}" for one in view.columns)
        + f" FROM {view.source}"
        for name, view in VIEWS.items()
    }
