"""The tables of the records, and what each column holds. docs/database.md is made from this module.

Times are milliseconds since 1970, unless they are text: then RFC 3339. Inside the database, games,
players, routes and tickets are numbers; the public id of each stands in one table only. Texts sort
by their bytes, on every database.

``game``, ``tournament``, ``log`` and ``board_table`` are the records themselves. All other tables
follow from them: ``fogg check`` compares them, and ``fogg rebuild`` rebuilds them.
"""

from typing import Any

import sqlalchemy as sa

from domain.rules import RULES

NAMES = {
    "ix": "%(table_name)s_by_%(column_0_N_name)s",
    "uq": "%(table_name)s_%(column_0_N_name)s_key",
    "fk": "%(table_name)s_%(column_0_name)s_fkey",
    "pk": "%(table_name)s_pkey",
}
metadata = sa.MetaData(naming_convention=NAMES)


class Text(sa.types.TypeDecorator):
    """A text, sorted by its bytes. PostgreSQL refuses the character U+0000. It is replaced by
    U+FFFD, which no stored text has, so a filter with it matches nothing."""

    impl, cache_ok = sa.Text, True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine:
        return sa.Text(collation="C" if dialect.name == "postgresql" else None)

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return value and value.replace("\0", "\ufffd")


TEXT = Text()
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # SQLite numbers rows by INTEGER alone
SMALL, BYTES, BOOL = sa.SmallInteger(), sa.LargeBinary(), sa.Boolean()
FLOAT: sa.types.TypeEngine = sa.Double()


def column(
    name: str, kind: sa.types.TypeEngine, comment: str, *more: Any, **options: Any
) -> sa.Column:
    """Return a column that is never NULL, unless ``nullable`` says so."""
    return sa.Column(name, kind, *more, comment=comment, **{"nullable": False} | options)


def only(condition: str) -> dict[str, Any]:
    """Return the options of an index over the rows that fit a condition, as queries write it."""
    is_switch = " " not in condition  # SQLite has no booleans: a query asks for 1
    return {
        "sqlite_where": sa.text(f"{condition} = 1" if is_switch else condition),
        "postgresql_where": sa.text(condition),
    }


def number(comment: str, name: str = "n") -> sa.Column:
    """Return the column that numbers the rows of a table."""
    return column(name, BIG, comment, primary_key=True)


def key(name: str, to: str | None, comment: str, kind: sa.types.TypeEngine = BIG) -> sa.Column:
    """Return a column of the primary key; ``to`` is what it refers to, deleted together with it."""
    refers = [sa.ForeignKey(to, ondelete="CASCADE")] if to else []
    return column(name, kind, comment, *refers, primary_key=True, autoincrement=False)


def table(name: str, comment: str, *parts: Any) -> sa.Table:
    """Return a table. Its primary key of several columns orders the rows themselves in SQLite."""
    is_keyed = sum(isinstance(part, sa.Column) and part.primary_key for part in parts) > 1
    return sa.Table(name, metadata, *parts, comment=comment, sqlite_with_rowid=not is_keyed)


# The records

board_table = table(
    "board_table",
    "The tables of boards on which the recorded games were played.",
    number("numbers the tables"),
    column("digest", TEXT, "the table's digest, which the games name", unique=True),
    column("board", TEXT, "the board's id"),
    column("content", TEXT, "the table, as JSON"),
)

player = table(
    "player",
    "The accounts that have had a seat. An account that was deleted stays.",
    number("numbers the players"),
    column("id", TEXT, "the account's id", unique=True),
)

game = table(
    "game",
    "The games that are over.",
    number("numbers the games in the order in which they were recorded"),
    column("id", TEXT, "the game's id", unique=True),
    column("board", TEXT, "the board's id"),
    column("board_table", BIG, "the table that it was played on", sa.ForeignKey("board_table.n")),
    column("created", BIG, "when it was created"),
    column("ended", BIG, "when it ended"),
    column("recorded", BIG, "when it was recorded"),
    column(
        "published",
        BIG,
        "its place among the games that everybody may read and that were "
        "played to a result: when it was added, a time of its own; NULL for all others, and "
        "until the last game of its deal is over",
        nullable=True,
        unique=True,
    ),
    column("is_listed", BOOL, "whether everybody may find it"),
    column("is_imported", BOOL, "whether it was played elsewhere"),
    column(
        "is_unplayed",
        BOOL,
        "whether it was over before anybody had played, so that it is "
        "deleted after FOGG_FORGET_DAYS",
    ),
    column("creator", TEXT, "the account or tournament that created it"),
    column(
        "declined",
        BIG,
        "when the last invitation to it was closed; NULL if none was",
        nullable=True,
    ),
    column(
        "is_settled",
        BOOL,
        "whether all games of its deal are recorded, so that it counts wherever it should",
    ),
    column("tournament", TEXT, "the tournament in which it was played", nullable=True),
    column(
        "deal",
        TEXT,
        "all games of its deal, if that was played several times: ids, as JSON",
        nullable=True,
    ),
    column("version", sa.Integer(), "the version of its last entry: how many entries it has"),
    column("last_hash", BYTES, "the hash of its last entry, which proves the whole history"),
    column("head", TEXT, "its head, as lists show it: JSON, with the names of then"),
    column("history", BYTES, "its entries (``service.records.packing``)"),
    sa.Index("game_listed", "created", **only("is_listed")),
    sa.Index("game_listed_by_board", "board", "created", **only("is_listed")),
    sa.Index("game_unplayed", "ended", **only("is_unplayed")),
    sa.Index("game_declined", "creator", "declined", **only("declined IS NOT NULL")),
    sa.Index("game_published_by_board", "board", "published", **only("published IS NOT NULL")),
    sa.Index("game_by_tournament", "tournament", **only("tournament IS NOT NULL")),
    sa.Index("game_unsettled", "n", **only("NOT is_settled")),
)

tournament = table(
    "tournament",
    "The tournaments that are over, and whose standings are final.",
    number("numbers the tournaments in the order in which they were recorded"),
    column("id", TEXT, "the tournament's id", unique=True),
    column("creator", TEXT, "the account that created it"),
    column("created", BIG, "when it was created"),
    column("ended", BIG, "when it ended"),
    column("is_listed", BOOL, "whether everybody may find it"),
    column("version", sa.Integer(), "the version of its last entry"),
    column("last_hash", BYTES, "the hash of its last entry"),
    column("head", TEXT, "its head, as lists show it: JSON"),
    column("history", BYTES, "its entries (``service.records.packing``)"),
    sa.Index("tournament_listed", "created", **only("is_listed")),
    sa.Index("tournament_by_creator", "creator", "created"),
)

tournament_account = table(
    "tournament_account",
    "The accounts that took part in a tournament or organised it.",
    key("tournament", "tournament.n", "the tournament"),
    key("account", None, "the account's id", TEXT),
    column("is_entrant", BOOL, "whether it is an entrant, also if it withdrew after the start"),
    column("created", BIG, "when the tournament was created"),
    column(
        "announced",
        BIG,
        "when it got the last notice of the tournament, NULL if none",
        nullable=True,
    ),
    sa.Index("tournament_entered", "account", "created", **only("is_entrant")),
    sa.Index("tournament_announced", "account", "announced", **only("announced IS NOT NULL")),
)

log = table(
    "log",
    "The public log of finished games (docs/fairness.md).",
    number("the number of the line"),
    column("game", TEXT, "the game's id, NULL if it is not public", nullable=True),
    column("last_hash", BYTES, "the hash of the game's last entry", unique=True),
    column("hash", BYTES, "the hash of the line, which covers the line before"),
)

# Parts of one game

route, ticket = (
    table(
        name,
        f"The {name}s of the boards that were played on.",
        number(f"numbers the {name}s"),
        column(
            "board_table",
            BIG,
            "the board's table",
            sa.ForeignKey("board_table.n", ondelete="CASCADE"),
        ),
        column("id", TEXT, id_comment),
        column(size, SMALL, size_comment),
        sa.UniqueConstraint("board_table", "id"),
    )
    for name, id_comment, size, size_comment in (
        (
            "route",
            "the route's id: its ends, a second track with `--2`",
            "length",
            "its spaces, which is the number of trains that claim it",
        ),
        ("ticket", "the ticket's id: its ends", "points", "its points"),
    )
)

seat = table(
    "seat",
    "The seats of recorded games.",
    key("game", "game.n", "the game"),
    key("seat", None, "the seat's number, from 0", SMALL),
    column("player", BIG, "who sat there at the end", sa.ForeignKey("player.n"), nullable=True),
    column("name", TEXT, "the player's name of then", nullable=True),
    column("bot", TEXT, "the bot's name, if the player is one", nullable=True),
    column("version", TEXT, "the bot's version, if it gave one", nullable=True),
    column("is_built_in", BOOL, "whether it is one of the built-in bots"),
    column(
        "left",
        TEXT,
        "why the seat left: `resigned`, `time`, `aborted`; NULL if it did not",
        nullable=True,
    ),
    column("is_first", BOOL, "whether it had the first turn"),
    column(
        "rank",
        SMALL,
        "its rank, from 1; NULL, as all numbers below, without a result",
        nullable=True,
    ),
    column("total", sa.Integer(), "its points in all", nullable=True),
    *(
        column(one.name, sa.Integer(), one.words.rstrip("."), nullable=True)
        for rule in RULES
        for one in rule.numbers
    ),
    column("tickets_kept", sa.Integer(), "how many tickets it kept", nullable=True),
    column("decisions", sa.Integer(), "how many decisions it made in time"),
    column("milliseconds", BIG, "how long these took together"),
    column("created", BIG, "when the game was created"),
    column("ended", BIG, "when the game ended"),
    column("published", BIG, "as of the game", nullable=True),
    sa.Index("seat_by_player", "player", "created", "game"),
    sa.Index("seat_over", "player", "ended", "game"),
    sa.Index("seat_won", "player", "created", "game", **only("rank = 1")),
    sa.Index("seat_by_bot", "bot", "created", "game", **only("is_built_in")),
    sa.Index("seat_published_by_bot", "bot", "published", **only("bot IS NOT NULL")),
)

claim = table(
    "claim",
    "The routes that were claimed.",
    key("game", "game.n", "the game"),
    key("route", "route.n", "the route", sa.Integer()),
    column("seat", SMALL, "the seat that claimed it"),
    column("turn", SMALL, "in which of its turns, from 1; 0: before the game was forked"),
)

kept_ticket = table(
    "kept_ticket",
    "The tickets that were kept, at the end of a game with a result.",
    key("game", "game.n", "the game"),
    key("ticket", "ticket.n", "the ticket", sa.Integer()),
    column("seat", SMALL, "the seat that kept it"),
    column("is_completed", BOOL, "whether it was completed"),
)

# Sums over published games

board_total = table(
    "board_total",
    "How many games were played.",
    key("board", None, "the board's id", TEXT),
    key("seats", None, "how many seats", SMALL),
    column("games", BIG, "how many games"),
)

player_total = table(
    "player_total",
    "The results of each kind of player.",
    key("board", None, "the board's id", TEXT),
    key("seats", None, "how many seats", SMALL),
    key("kind", None, "a bot's name, `external` or `person`", TEXT),
    *(
        column(name, BIG, comment)
        for name, comment in (
            ("played", "seats played"),
            ("won", "seats that won"),
            ("points", "points in all"),
            ("completed", "tickets completed"),
            ("kept", "tickets kept"),
        )
    ),
)

ticket_total = table(
    "ticket_total",
    "How often each ticket was kept.",
    key("board", None, "the board's id", TEXT),
    key("ticket", None, "the ticket's id", TEXT),
    column("kept", BIG, "how often it was kept"),
    column("completed", BIG, "how often it was completed then"),
)

route_total = table(
    "route_total",
    "How often each route was claimed.",
    key("board", None, "the board's id", TEXT),
    key("route", None, "the route's id", TEXT),
    column("claimed", BIG, "how often it was claimed"),
    column("won", BIG, "by a winner"),
    column("turns", BIG, "the sum of the turns of these claims"),
)

pace_total = table(
    "pace_total",
    "How long players took to decide.",
    key("player", None, "the player, each version of a bot by itself", TEXT),
    key(
        "place",
        None,
        "how long: a place on the scale of ``domain.game.pace``, 255 for "
        "decisions that the service made as the time was over",
        SMALL,
    ),
    column("decisions", BIG, "how many decisions took so long"),
)

versus = table(
    "versus",
    "What each two players have played against each other, from the view of both.",
    key("player", None, "a player, all versions of a bot together", TEXT),
    key("opponent", None, "another", TEXT),
    key("board", None, "the board's id, or empty: all boards together", TEXT),
    *(
        column(name, BIG, comment)
        for name, comment in (
            ("games", "games with both"),
            ("won", "those in which the player was ahead"),
            ("lost", "those in which the opponent was ahead"),
            ("played", "those in which neither left"),
            ("margin", "the player's totals less the opponent's in these"),
        )
    ),
    sa.Index("versus_most_met", "player", "games", "opponent", **only("board = ''")),
)

# Ratings (docs/ratings.md)

rated = table(
    "rated",
    "The games that count for ratings.",
    key("game", "game.n", "the game"),
    column(
        "at",
        BIG,
        "when it counts: games count in the order of this time, then of their ids",
        index=True,
    ),
    column("facts", TEXT, "what its rating needs (``service.ratings.standing.RatedGame``): JSON"),
)

generation = table(
    "generation",
    "The counts of all rated games. The current one is shown; a later one is there "
    "while ratings are counted again.",
    number("numbers the counts"),
    column("is_current", BOOL, "whether it is the one that is shown"),
    column("until_at", BIG, "the place of the last game that it has counted: the time"),
    column("until_id", TEXT, "and the game's id"),
)

standing = table(
    "standing",
    "Where each player stands.",
    key("n", None, "numbers the standings"),
    column("generation", BIG, "the count", sa.ForeignKey("generation.n", ondelete="CASCADE")),
    column("scope", TEXT, "`overall` or a board's id"),
    column("player", TEXT, "the player: ACCOUNT, ACCOUNT@VERSION, or overall BUILT-IN:BOARD"),
    column("account", TEXT, "the player without a version or a board"),
    column("is_latest", BOOL, "whether it is the version of the account that has played last here"),
    column(
        "points",
        BIG,
        "the rating times a million and a billion more, by which leaderboards "
        "are ordered; NULL on no leaderboard, as all versions but the last one",
        nullable=True,
    ),
    column("is_settled", BOOL, "whether its rating is not provisional, if it is on a leaderboard"),
    *(
        column(name, FLOAT, comment)
        for name, comment in (("mu", "the estimated strength"), ("sigma", "its uncertainty"))
    ),
    *(
        column(name, BIG, comment)
        for name, comment in (
            ("games", "rated games"),
            ("wins", "those that it won"),
            ("last", "when the last one counted"),
        )
    ),
    column("shown", FLOAT, "how much of the strength is proven"),
    *(
        column(name, BIG, comment)
        for name, comment in (
            ("resigned", "games that it resigned"),
            ("timed_out", "games that it lost on time"),
            ("aborted", "games that it aborted, which are not among the games"),
        )
    ),
    column("changed", BIG, "numbers the changes of the count's standings, in their order"),
    sa.UniqueConstraint("generation", "scope", "player"),
    sa.Index("standing_by_account", "generation", "account", "scope", "player"),
    sa.Index("standing_latest", "generation", "account", "is_latest"),
    sa.Index("standing_leaderboard", "generation", "scope", "points", "player"),
    sa.Index("standing_settled", "generation", "scope", "is_settled", "points", "player"),
    sa.Index("standing_in_order", "generation", "changed"),
)

leaderboard = table(
    "leaderboard",
    "How many players stand where on each leaderboard, so that ranks are sums.",
    key("generation", "generation.n", "the count"),
    key("scope", None, "`overall` or a board's id", TEXT),
    key("place", None, "the points in hundred thousands, so tenths of a rating"),
    column("players", BIG, "how many players have so many points"),
    column("settled", BIG, "those of them whose rating is not provisional"),
)

change = table(
    "change",
    "What each rated game has changed.",
    key("standing", "standing.n", "whose standing it changed"),
    key("was_aborted", None, "whether the game was aborted, which changes no rating", BOOL),
    key("at", None, "when the game counts"),
    key("game", "game.n", "the game"),
    column("seat", SMALL, "the player's seat"),
    *(
        column(name, FLOAT, comment)
        for name, comment in (
            ("mu_before", "the strength before"),
            ("sigma_before", "its uncertainty before"),
            ("mu", "the strength after"),
            ("sigma", "its uncertainty after"),
            ("weight", "the weight of the game for it, 0 to 1"),
        )
    ),
    column("undo", TEXT, "the rest of the standing before, to take the game back: JSON"),
    sa.Index("change_by_game", "game"),
)

met = table(
    "met",
    "How many rated games of a month two players had together.",
    key("generation", "generation.n", "the count"),
    key("pair", None, "the scope, the month (2026-11, for example) and the two accounts", TEXT),
    column("games", BIG, "how many games"),
)
