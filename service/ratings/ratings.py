"""The ratings: a fold of the rated games in their order (docs/ratings.md).

A generation is a count of all of them. Readers see the current one. A game that is rated late is
put in its place: the games after it are taken back and counted again in the same transaction. If
these are too many for one transaction, a new generation is counted in steps, while the current one
takes the games that come at its end. Once it has caught up it becomes the current one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import orjson
import sqlalchemy as sa

from service.accounts.versions import account_of
from service.games.store import LoadedGame
from service.ratings import counting
from service.ratings.counting import Last, Now, last_of, pairs, take_back
from service.ratings.rating_rules import is_rated, rated_game, with_deal
from service.ratings.standing import Change, RatedGame, Standing
from service.records.comparing import Rows, differing
from service.records.database import Database, add_up, put
from service.records.games import heads
from service.records.tables import BIG, change, game, generation, leaderboard, met, rated, standing

BATCH_SIZE = 200  # games that one transaction counts, or takes back
ROWS = 10_000  # that one transaction deletes
WIDTH = 100_000  # points of a place in the table of leaderboards
Place = tuple[int, str]  # of a game in the order: when it counts, its id
Numbered = Mapping[int, RatedGame]  # games in order, by their numbers

# Statements that each game needs: to make one takes longer than to run it
_count_n, _in = sa.bindparam("count", type_=BIG), partial(sa.bindparam, expanding=True)
GENERATIONS = sa.select(generation).order_by(generation.c.n)
COUNTED = (
    sa.update(generation)
    .where(generation.c.n == _count_n)
    .values(until_at=sa.bindparam("until_at"), until_id=sa.bindparam("until_id"))
)
UNTIL = sa.select(generation.c.until_at, generation.c.until_id).where(generation.c.n == _count_n)
CHANGES = (
    sa.select(standing.c.generation, standing.c.scope, standing.c.player, *[*change.columns][1:])
    .join_from(change, standing)
    .where(change.c.game.in_(_in("games")))
)
# the keys of the tables that a check compares, within one count; it leaves out NUMBERS, which
# differ from count to count
KEYS = {
    standing: (standing.c.scope, standing.c.player),
    leaderboard: (leaderboard.c.scope, leaderboard.c.place),
    met: (met.c.pair,),
}
NUMBERS = ("n", "generation", "changed")
MET = sa.select(met.c.pair, met.c.games).where(
    met.c.generation == _count_n, met.c.pair.in_(_in("pairs"))
)
_standings_of = sa.select(standing).where(
    standing.c.generation == _count_n, standing.c.scope.in_(_in("scopes"))
)
STANDINGS = sa.union(
    _standings_of.where(standing.c.player.in_(_in("players"))),
    _standings_of.where(standing.c.is_latest, standing.c.account.in_(_in("accounts"))),
)
LAST_CHANGE = sa.select(sa.func.coalesce(sa.func.max(standing.c.changed), 0)).where(
    standing.c.generation == _count_n
)
LAST_NUMBERS = sa.select(
    sa.select(sa.func.coalesce(sa.func.max(standing.c.n), 0)).scalar_subquery(),
    LAST_CHANGE.scalar_subquery(),
)


def rated_game_of(db: sa.Connection, over: LoadedGame, is_imported: bool) -> RatedGame | None:
    """Return what rating a game takes, None if it is not rated. Its deal must be recorded."""
    if is_imported or not is_rated(over.state):
        return None
    one = rated_game(over)
    return with_deal(one, heads(db, one.deal).values()) if one.deal else one


def row_of_game(n: int, new: RatedGame) -> dict[str, Any]:
    return {"game": n, "at": new.at, "facts": _text(new.as_row())}


def rate(db: sa.Connection, n: int, new: RatedGame) -> None:
    """Store a rated game, and count it in its place."""
    put(db, rated, [row_of_game(n, new)])
    is_counted = False
    for count in _counts(db):
        is_counted = _count_in_place(db, count, n, new)
    if not is_counted:  # by the last count
        begin(db)


def _in_order(after: Place = (0, ""), until: Place | None = None) -> sa.Select:
    """Return a query of the rated games between two places."""
    at, last = after
    rows = (
        sa.select(rated.c.game, game.c.id, rated.c.facts)
        .join_from(rated, game)
        .where(rated.c.at >= at, sa.or_(rated.c.at > at, game.c.id > last))
    )
    if until:
        at, last = until
        rows = rows.where(rated.c.at <= at, sa.or_(rated.c.at < at, game.c.id <= last))
    return rows.order_by(rated.c.at, game.c.id)


def _games(db: sa.Connection, query: sa.Select) -> Iterator[tuple[int, RatedGame]]:
    for n, game_id, facts in db.execute(query):
        yield n, RatedGame.of_row(game_id, orjson.loads(facts))


def begin(db: sa.Connection, is_current: bool = False) -> None:
    """Begin a new generation that counts all games. Drop an unfinished one."""
    n = sa.select(sa.func.coalesce(sa.func.max(generation.c.n), 0) + 1).scalar_subquery()
    db.execute(sa.insert(generation).values(n=n, is_current=is_current, until_at=0, until_id=""))


def recount(database: Database) -> None:
    """Count all games again, and show the result."""
    with database.writing() as db:
        _counts(db)
        begin(db)
    while step(database):
        pass


def step(database: Database) -> bool:
    """Count on in the next generation, or delete of an old one; return whether there was any."""
    with database.reading() as db:
        if db.scalar(sa.select(sa.func.count()).select_from(generation)) in (0, 1):
            return False
    with database.writing() as db:
        current, *next_one = _counts(db)
        for one in next_one:
            games = dict(_games(db, _in_order((one.until_at, one.until_id)).limit(BATCH_SIZE)))
            _count(db, one.n, games)
            if len(games) < BATCH_SIZE:
                db.execute(sa.update(generation).values(is_current=generation.c.n == one.n))
            return True
        old = db.scalar(sa.select(generation.c.n).where(generation.c.n != current.n).limit(1))
        if old is not None:
            _delete_some(db, old)
        return old is not None


def _counts(db: sa.Connection) -> list[sa.Row]:
    if not (rows := db.execute(GENERATIONS).all()):
        begin(db, is_current=True)
        return _counts(db)
    current = next((row for row in rows if row.is_current), rows[0])
    if sum(row.is_current for row in rows) != 1:  # a later count goes on, and is shown then
        db.execute(sa.update(generation).values(is_current=generation.c.n == current.n))
    return [current, *rows[-1:]] if rows[-1].n > current.n else [current]


def _delete_some(db: sa.Connection, n: int) -> None:
    """Delete rows of a generation, at last its own."""
    of_standings = change.c.standing.in_(sa.select(standing.c.n).where(standing.c.generation == n))
    for table, condition in (
        (change, of_standings),
        *((table, table.c.generation == n) for table in (met, leaderboard, standing)),
    ):
        keys = [*table.primary_key]
        some = sa.select(*keys).where(condition).limit(ROWS)
        if db.execute(sa.delete(table).where(sa.tuple_(*keys).in_(some))).rowcount:
            return
    db.execute(sa.delete(generation).where(generation.c.n == n))


def _count_in_place(db: sa.Connection, count: sa.Row, n: int, new: RatedGame) -> bool:
    """Count a game in its place. Return False if too many games after it are counted already."""
    until = (count.until_at, count.until_id)
    if new.place > until:
        if count.is_current:  # any other one comes to it
            _count(db, count.n, {n: new})
        return True
    later = dict(_games(db, _in_order(new.place, until).limit(BATCH_SIZE + 1)))
    if len(later) > BATCH_SIZE:
        return False
    _count(db, count.n, {n: new} | later, _with_changes(db, count.n, later))
    return True


def _count(db: sa.Connection, count: int, games: Numbered, back: Numbered | None = None) -> None:
    """Count games. First take back ``back``, the last ones counted, which are among them."""
    every = [*games.values(), *(back or {}).values()]
    if not every:
        return
    rows = _standings(db, count, every)
    before = {f"{row['scope']} {row['player']}": row for row in rows}
    now = Now(
        {
            name: Standing(*(row[field] for field in Standing._fields))
            for name, row in before.items()
        }
    )
    last = {f"{row['scope']} {row['account']}": row["player"] for row in rows if row["is_latest"]}
    names = [*dict.fromkeys(pair for one in every for pair in pairs(one))]
    times: Counter[str] = Counter(dict(db.execute(MET, {"count": count, "pairs": names}).all()))
    for one in reversed([*(back or {}).values()]):
        take_back(now, times, last, one)
    changes = _play(games, now, times, last)
    numbers = _put_standings(db, count, before, now, last)
    put(db, met, [{"generation": count, "pair": pair, "games": times[pair]} for pair in names])
    put(db, change, [row | {"standing": numbers[name]} for name, row in changes])
    at, last_id = [*games.values()][-1].place
    db.execute(COUNTED, {"count": count, "until_at": at, "until_id": last_id})


def _play(
    games: Numbered, now: Now, times: Counter[str], last: Last
) -> list[tuple[str, dict[str, Any]]]:
    """Count games. Return the row of each change without the standing's number, and its name."""
    rows = []
    for n, of_game in games.items():
        for scope in of_game.scopes:
            changes = counting.play(now, times, last, scope, of_game)
            names = of_game.named[scope]
            for seat, (name, changed) in enumerate(zip(names, changes, strict=True)):
                rows.append((f"{scope} {name}", _change_row(n, of_game, seat, changed)))
    return rows


def _standings(db: sa.Connection, count: int, games: list[RatedGame]) -> list[dict[str, Any]]:
    """Return the standings of players, and of the last versions of accounts, now and before."""
    names = {name for one in games for name in one.names} | {
        f"{scope} {changed.last}"
        for one in games
        for scope, of_seats in one.changes.items()
        for changed in of_seats
        if changed.last
    }
    scopes, players = ([*{name.split(" ")[part] for name in names}] for part in (0, 1))
    return [
        {**row}
        for row in db.execute(
            STANDINGS,
            {
                "count": count,
                "scopes": scopes,
                "players": players,
                "accounts": [*{*map(account_of, players)}],
            },
        ).mappings()
    ]


def _put_standings(
    db: sa.Connection, count: int, before: Mapping[str, Mapping[str, Any]], now: Now, last: Last
) -> dict[str, int]:
    """Store the standings that have changed. Return the numbers of all."""
    n, changed = db.execute(LAST_NUMBERS, {"count": count}).one()
    numbers, rows = {name: row["n"] for name, row in before.items()}, []
    moves: Counter[tuple[str, int, str]] = Counter()
    for name, own in now.items():
        row = row_of(name, own, last)
        if name not in numbers:
            numbers[name] = n = n + 1
        else:
            if row.items() <= before[name].items():
                continue
            _add_place(moves, before[name], -1)
        _add_place(moves, row, 1)
        changed += 1
        rows.append({"n": numbers[name], "generation": count, "changed": changed} | row)
    put(db, standing, rows)
    places = {key[:2] for key, more in moves.items() if more}
    add_up(
        db,
        leaderboard,
        [
            {
                "generation": count,
                "scope": scope,
                "place": place,
                "players": moves[scope, place, "players"],
                "settled": moves[scope, place, "settled"],
            }
            for scope, place in sorted(places)
        ],
    )
    return numbers


def _add_place(places: Counter[tuple[str, int, str]], row: Mapping[str, Any], more: int) -> None:
    if row["points"] is not None:
        place = row["points"] // WIDTH
        places[row["scope"], place, "players"] += more
        places[row["scope"], place, "settled"] += more * row["is_settled"]


def row_of(name: str, own: Standing, last: Last) -> dict[str, Any]:
    """Return the row of a standing, without the columns that number it."""
    scope, _, player = name.partition(" ")
    name, _, board = player.partition(":")
    # a built-in bot on one board is on no overall leaderboard
    is_latest = not board and last_of(last, scope, player) == player
    is_shown = is_latest and own.games > 0
    return {
        "scope": scope,
        "player": player,
        "account": account_of(name),
        "is_latest": is_latest,
        "points": own.points if is_shown else None,
        "is_settled": is_shown and not own.is_provisional,
    } | own._asdict()


def _change_row(n: int, of_game: RatedGame, seat: int, changed: Change) -> dict[str, Any]:
    return {
        "was_aborted": of_game.was_aborted,
        "at": of_game.at,
        "game": n,
        "seat": seat,
        "mu_before": changed.before.mu,
        "sigma_before": changed.before.sigma,
        "mu": changed.mu,
        "sigma": changed.sigma,
        "weight": changed.weight,
        "undo": _text(changed.as_undo()),
    }


def _with_changes(db: sa.Connection, count: int, games: Numbered) -> dict[int, RatedGame]:
    rows = db.execute(
        sa.select(
            standing.c.generation,
            change.c.game,
            standing.c.scope,
            change.c.mu_before,
            change.c.sigma_before,
            change.c.mu,
            change.c.sigma,
            change.c.weight,
            change.c.undo,
        )
        .join_from(change, standing)
        .where(change.c.game.in_([*games]))
        .order_by(change.c.seat)
    )
    changes: dict[int, dict[str, list[Change]]] = {}
    for of, n, scope, mu, sigma, *after, undo in rows:
        if of == count:  # here, so that no database begins with all standings of the count
            changes.setdefault(n, {}).setdefault(scope, []).append(
                Change.of_row((mu, sigma), after, orjson.loads(undo))
            )
    return {
        n: replace(one, changes={scope: (*of_seats,) for scope, of_seats in changes[n].items()})
        for n, one in games.items()
        if n in changes
    }


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()


class _Recount:
    """All rated games, counted once more in short transactions to compare a count with them."""

    def __init__(self, database: Database, count: int):
        self._database, self._count = database, count
        self._place: Place = (0, "")
        self._then = Now(), Counter[str](), Last()  # after the games up to this place
        self._now = self._then  # after all games
        self._wrong = set[str]()

    @contextmanager
    def _up_to_date(self) -> Iterator[sa.Connection]:
        """Yield a transaction all of whose games are counted. The last ``BATCH_SIZE`` ones are
        counted each time, as a late game may take its place among them."""
        while True:
            with self._database.reading() as db:
                games = [*_games(db, _in_order(self._place).limit(2 * BATCH_SIZE))]
                if len(games) < 2 * BATCH_SIZE:
                    now, times, last = self._then
                    self._now = Now(now), Counter(times), Last(last)
                    self._compare_changes(db, games)
                    place = games[-1][1].place if games else self._place
                    if db.execute(UNTIL, {"count": self._count}).first() != place:
                        self._wrong.add(generation.name)
                    yield db
                    return
                self._now = self._then
                self._compare_changes(db, games[:BATCH_SIZE])
                self._place = games[BATCH_SIZE - 1][1].place

    def _compare_changes(self, db: sa.Connection, games: Sequence[tuple[int, RatedGame]]) -> None:
        right = {(name, *row.values()) for name, row in _play(dict(games), *self._now)}
        stored = {
            (f"{scope} {player}", *row)
            for count, scope, player, *row in db.execute(CHANGES, {"games": [n for n, _ in games]})
            if count == self._count
        }
        self._wrong |= {name for name, *_ in right ^ stored}

    def differences(self) -> list[str]:
        with self._up_to_date():
            pass
        for table, keys in KEYS.items():
            columns = [one for one in table.columns if one.name not in NUMBERS]
            query = sa.select(*columns).where(table.c.generation == self._count)
            right = partial(self._right, table)
            wrong = differing(self._database, query, keys, self._up_to_date, right)
            self._wrong |= {" ".join(map(str, key)) for key in wrong}
        return sorted(self._wrong)

    def _right(self, table: sa.Table) -> Rows:
        now, times, last = self._now
        if table is met:
            return {(pair,): [games] for pair, games in times.items() if games}
        rows = [row_of(name, own, last) for name, own in now.items()]
        if table is standing:
            keys = ("scope", "player")
            others = [column.name for column in standing.columns]
            others = [name for name in others if name not in (*NUMBERS, *keys)]
            return {(row["scope"], row["player"]): [row[name] for name in others] for row in rows}
        places: Counter[tuple[str, int, str]] = Counter()
        for row in rows:
            _add_place(places, row, 1)
        return {
            (scope, place): [places[scope, place, name] for name in ("players", "settled")]
            for scope, place, _ in places
        }


def differences(database: Database) -> list[str]:
    """Return the standings ("SCOPE PLAYER"), the places of leaderboards ("SCOPE PLACE") and the
    pairs that are not as the fold of all rated games gives them. While another count is under way,
    nothing is compared."""
    while True:
        with database.reading() as db:
            counts = db.execute(GENERATIONS).all()
            is_any = db.execute(_in_order().limit(1)).first()
        if [row.is_current for row in counts].count(True) != 1:
            return [generation.name] if counts or is_any else []
        if not counts[-1].is_current:
            return []
        wrong = _Recount(database, counts[-1].n).differences()
        with database.reading() as db:
            if db.execute(GENERATIONS).all()[-1].n == counts[-1].n:
                return wrong
