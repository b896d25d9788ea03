"""Ratings as the API shows them: leaderboards, players, their rated games. A reader sees the
current generation of ratings alone (``service.ratings.ratings``)."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
import sqlalchemy as sa
from redis import Redis

from domain.game.commands import Player
from service.accounts.bots import BUILT_IN
from service.accounts.versions import account_id, account_of
from service.eventlog.pages import page_of as cut
from service.games import faults
from service.games.games import Games
from service.games.store import GameStore
from service.games.strengths import OVERALL, Rating
from service.ratings import opponents
from service.ratings.answers import (
    Endings,
    HeadToHead,
    PlayerRatings,
    Proven,
    RankedPlayer,
    RatedGameJson,
    VersionRating,
)
from service.ratings.counting import start
from service.ratings.ratings import WIDTH
from service.ratings.standing import RatedGame, Standing
from service.records.tables import BIG, change, game, generation, leaderboard, rated, standing
from service.redis.deleted import NAME
from service.times import as_time

DECIMALS = 4  # decimal places
RECENT = 10  # games on a player's page
READS = 10  # times the limit: players that are read for one page of active players
VERSIONS = 100  # versions on a player's page
CURRENT = sa.select(generation.c.n).where(generation.c.is_current).scalar_subquery()
STANDING = [standing.c[name] for name in Standing._fields]
Ranked = tuple[int, str, Standing]  # rank, player, standing


def scopes(store: GameStore) -> list[str]:
    """Return the scopes of ratings: all games together, and each board that can be played."""
    return list(dict.fromkeys((OVERALL, *store.boards)))


def page(
    db: sa.Connection,
    scope: str,
    *,
    provisional: bool,
    active_since: int,
    before: str | None,
    limit: int,
) -> tuple[list[Ranked], str | None]:
    """Return a page of a leaderboard, the strongest first, and the cursor of the next page, None at
    the end. Equal ratings share a rank.

    Players whose last game is before ``active_since``, in milliseconds since 1970, are left out;
    the ranks of the others do not change. The number of rows that are read is limited, so a page
    before the last may be short or empty."""
    listed, place = _on_list(scope, provisional), sa.tuple_(standing.c.points, standing.c.player)
    rows = sa.select(standing.c.points, standing.c.player, *STANDING).where(*listed)
    rows = rows.order_by(standing.c.points.desc(), standing.c.player.desc())
    before_it, above, last = 0, 0, -1
    if before:
        number, _, player = before.partition(".")
        cursor = sa.tuple_(sa.literal(last := int(number), BIG), sa.literal(player))
        rows = rows.where(place < cursor)
        above = db.execute(sa.select(_above(scope, last, provisional=provisional))).scalar_one()
        before_it = (
            above
            + db.execute(
                sa.select(sa.func.count()).where(
                    *listed, standing.c.points == last, standing.c.player >= player
                )
            ).scalar_one()
        )
    most, seen, ranked = limit * READS if active_since else limit, 0, list[Ranked]()
    read = db.execute(rows.limit(most + 1)).all()
    for seen, (points, player, *own) in enumerate(read[:most], 1):
        if points != last:
            above, last = before_it + seen - 1, points
        if (one := Standing(*own)).last >= active_since:
            ranked.append((above + 1, player, one))
            if len(ranked) == limit:
                break
    _, after = cut(read, seen, lambda row: f"{row.points:010d}.{row.player}")
    return ranked, after


def _on_list(scope: str, provisional: bool) -> list[sa.ColumnElement[bool]]:
    return [
        standing.c.generation == CURRENT,
        standing.c.scope == scope,
        standing.c.points.is_not(None) if provisional else standing.c.is_settled,
    ]


def _above(scope: str, points: int, *, provisional: bool) -> sa.ColumnElement[int]:
    number = leaderboard.c.players if provisional else leaderboard.c.settled
    place = points // WIDTH
    higher = sa.select(sa.cast(sa.func.coalesce(sa.func.sum(number), 0), BIG)).where(
        leaderboard.c.generation == CURRENT,
        leaderboard.c.scope == scope,
        leaderboard.c.place > place,
    )
    same_place = sa.select(sa.func.count()).where(
        *_on_list(scope, provisional),
        standing.c.points > points,
        standing.c.points < (place + 1) * WIDTH,
    )
    return higher.scalar_subquery() + same_place.scalar_subquery()


def ranks(db: sa.Connection, points: Mapping[str, int]) -> dict[str, int]:
    """Return the rank of this number of points in each scope."""
    above = [
        sa.select(sa.literal(scope), _above(scope, own, provisional=True))
        for scope, own in points.items()
    ]
    return {scope: 1 + count for scope, count in db.execute(sa.union_all(*above))} if above else {}


def sizes(db: sa.Connection) -> dict[str, tuple[int, int]]:
    """Return the number of players on each leaderboard, and how many of them are settled."""
    rows = db.execute(
        sa.select(
            leaderboard.c.scope,
            sa.func.sum(leaderboard.c.players),
            sa.func.sum(leaderboard.c.settled),
        )
        .where(leaderboard.c.generation == CURRENT)
        .group_by(leaderboard.c.scope)
    )
    return {scope: (int(players), int(settled)) for scope, players, settled in rows}


def standings(db: sa.Connection, scope: str, players: Sequence[str]) -> list[Standing]:
    """Return the standings of players in a scope. A player without games has the standing at the
    start; a new version starts from the last one."""
    accounts = {account_of(player) for player in players if "@" in player}
    rows = sa.select(standing.c.player, standing.c.account, standing.c.is_latest, *STANDING).where(
        standing.c.generation == CURRENT, standing.c.scope == scope
    )
    own, last = dict[str, Standing](), dict[str, Standing]()
    for player, account, is_latest, *numbers in db.execute(
        sa.union(
            rows.where(standing.c.player.in_(players)),
            rows.where(standing.c.account.in_(accounts), standing.c.is_latest),
        )
    ):
        own[player] = Standing(*numbers)
        if is_latest:
            last[account] = own[player]

    def of(player: str) -> Standing:
        stands, account = own.get(player) or start(f"{scope} {player}"), account_of(player)
        if stands.games or "@" not in player:
            return stands
        return (last.get(account) or start(f"{scope} {account}")).of_new_version(stands.aborted)

    return [of(player) for player in players]


def by_scope(
    db: sa.Connection, account: str, version: str | None, scopes: Iterable[str]
) -> dict[str, tuple[str, Standing]]:
    """Return the name and standing of an account's version in each of these scopes, in their order,
    leaving out scopes without one. ``version`` "" is the account itself, None the version that has
    played last there."""
    which = (
        standing.c.is_latest
        if version is None
        else (standing.c.player == (f"{account}@{version}" if version else account))
    )
    rows = {
        scope: (player, Standing(*own))
        for scope, player, *own in db.execute(
            sa.select(standing.c.scope, standing.c.player, *STANDING).where(
                standing.c.generation == CURRENT, standing.c.account == account, which
            )
        )
    }
    return {scope: rows[scope] for scope in scopes if scope in rows}


def versions(db: sa.Connection, account: str) -> list[str]:
    """Return the versions of an account that have played, the first ones in alphabetical order."""
    rows = db.scalars(
        sa.select(standing.c.player)
        .where(
            standing.c.generation == CURRENT,
            standing.c.account == account,
            standing.c.scope == OVERALL,
            standing.c.player > f"{account}@",
            standing.c.games > 0,
        )
        .order_by(standing.c.player)
        .limit(VERSIONS)
    )
    return [player.partition("@")[2] for player in rows]


def changes_of(
    db: sa.Connection, scope: str, player: str, before: str | None, limit: int
) -> tuple[list[sa.Row], str | None]:
    """Return a page of a player's changes by rated games, the latest first, each row with the
    game's id and facts; and the cursor of the next page."""
    # overall, a built-in bot is another player on each board
    which = standing.c.account if player.startswith(BUILT_IN) else standing.c.player
    numbers = db.scalars(
        sa.select(standing.c.n).where(
            standing.c.generation == CURRENT, standing.c.scope == scope, which == player
        )
    ).all()
    rows = (
        sa.select(change, game.c.id, rated.c.facts)
        .join_from(change, game, game.c.n == change.c.game)
        .join(rated, rated.c.game == change.c.game)
        .where(~change.c.was_aborted)
        .order_by(change.c.at.desc(), game.c.id.desc())
        .limit(limit + 1)
    )
    if before:
        at, _, last = before.partition(".")
        rows = rows.where(change.c.at <= int(at), sa.or_(change.c.at < int(at), game.c.id < last))
    read = [row for n in numbers for row in db.execute(rows.where(change.c.standing == n))]
    read.sort(key=lambda row: (row.at, row.id), reverse=True)
    return cut(read, limit, lambda row: f"{row.at}.{row.id}")


def ratings_before(db: sa.Connection, games: Iterable[str]) -> dict[str, list[dict]]:
    """Return each seat's overall rating before each counted game, and the game's weight for it."""
    current = db.execute(sa.select(CURRENT)).scalar()
    rows = db.execute(
        sa.select(
            game.c.id,
            standing.c.generation,
            standing.c.scope,
            change.c.mu_before,
            change.c.sigma_before,
            change.c.weight,
        )
        .join_from(game, change, change.c.game == game.c.n)
        .join(standing)
        .where(game.c.id.in_([*games]))
        .order_by(change.c.seat)
    )
    ratings: dict[str, list[dict]] = {}
    for game_id, count, scope, mu, sigma, weight in rows:
        if (count, scope) == (current, OVERALL):  # here, so that no database begins with these
            ratings.setdefault(game_id, []).append(
                {**rating_of(Standing(mu, sigma)), "weight": round(weight, DECIMALS)}
            )
    return ratings


def shown_page(
    games: Games,
    scope: str,
    *,
    provisional: bool,
    active_since: int,
    before: str | None,
    limit: int,
) -> tuple[list[RankedPlayer], str | None]:
    """Return a page of a leaderboard without deleted accounts, and the cursor of the next."""
    redis = games.redis
    with games.database.reading() as db:
        rows, cursor = page(
            db,
            scope,
            provisional=provisional,
            active_since=active_since,
            before=before,
            limit=limit,
        )
    known = _players(redis, (player for _, player, _ in rows))
    owners = _players(redis, (player["owner"] for player in known.values() if "owner" in player))
    return [
        _ranked(rank, known[player], owners, standing)
        for rank, player, standing in rows
        if known[player]["name"] != NAME
    ], cursor


def _ranked(
    rank: int, player: dict, owners: Mapping[str, dict], standing: Standing
) -> RankedPlayer:
    shown: RankedPlayer = {**_proven(standing), "rank": rank, "player": player}  # type: ignore[typeddict-item]
    if "owner" in player:
        shown["owner_name"] = owners[player["owner"]]["name"]
    return shown


def page_of(games: Games, player: Player, version: str | None) -> PlayerRatings:
    """Return the ratings and statistics of a player, over all boards and on each. ``version`` "" is
    the player without a version, None the version that has played last."""
    redis, account = games.redis, account_id(player)
    with games.database.reading() as db:
        stands = by_scope(db, account, version, scopes(games.store))
        placed = ranks(db, {scope: one.points for scope, (_, one) in stands.items() if one.games})
        name = _name(stands, OVERALL, account, version)
        recent, _ = changes_of(db, OVERALL, name, None, RECENT)
        played = versions(db, account)
        of_versions = (
            standings(db, OVERALL, [account, *(f"{account}@{one}" for one in played)])
            if played
            else []
        )
        conduct = opponents.conduct(db, name)
    # overall, a built-in bot is another player on each board
    counted = [
        one for scope, (_, one) in stands.items() if (scope == OVERALL) != player.is_built_in
    ]
    shown: PlayerRatings = {
        "ratings": [
            {**_of_version(*stands[scope]), "board": scope, "rank": rank}
            for scope, rank in placed.items()
        ],
        "endings": _endings(counted),
        "recent": _games(redis, recent, name),
    }
    if conduct:
        shown["conduct"] = {**conduct, "faults": faults.count_of_all(redis, player.id)}
    if played:
        shown["versions"] = played
        shown["version_ratings"] = [
            _of_version(f"@{name}", one)
            for name, one in zip(["", *played], of_versions, strict=True)
            if one.games
        ]
    return shown


def _name(
    stands: Mapping[str, tuple[str, Standing]], scope: str, account: str, version: str | None
) -> str:
    name = f"{account}@{version}" if version else account
    return stands[scope][0] if scope in stands else name


def _version(name: str) -> dict:
    version = name.partition("@")[2]
    return {"version": version} if version else {}


def _endings(standings: Sequence[Standing]) -> Endings:
    resigned, timed_out = (
        sum(one.resigned for one in standings),
        sum(one.timed_out for one in standings),
    )
    return {
        "finished": sum(one.games for one in standings) - resigned - timed_out,
        "resigned": resigned,
        "timed_out": timed_out,
        "aborted": sum(one.aborted for one in standings),
    }


def games_of(
    games: Games, player: Player, version: str | None, scope: str, before: str | None, limit: int
) -> tuple[list[RatedGameJson], str | None]:
    """Return a page of rated games of a version, the latest first, and the cursor of the next."""
    with games.database.reading() as db:
        account = account_id(player)
        name = _name(by_scope(db, account, version, [scope]), scope, account, version)
        rows, cursor = changes_of(db, scope, name, before, limit)
    return _games(games.redis, rows, name), cursor


def opponents_of(
    games: Games, player: Player, opponent: Player | None, before: str | None, limit: int
) -> tuple[list[HeadToHead], str | None]:
    """Return a page of a player's opponents, the most often met first, and the cursor of the next;
    with ``opponent``, only this one, if they have met."""
    cursor = None
    with games.database.reading() as db:
        if opponent:
            rows = [*opponents.against(db, account_id(player), [account_id(opponent)]).items()]
        else:
            rows, cursor = opponents.opponents(db, account_id(player), before, limit)
    known = _players(games.redis, (name for name, _ in rows))
    return [{**record, "player": known[name]} for name, record in rows], cursor


def _games(redis: Redis, changes: Iterable[sa.Row], player: str) -> list[RatedGameJson]:
    games = [(row, RatedGame.of_row(row.id, orjson.loads(row.facts))) for row in changes]
    known = _players(redis, (name for _, one in games for name, _ in one.players))
    return [_game(row, one, player, known) for row, one in games]


def _game(row: sa.Row, game: RatedGame, player: str, known: Mapping[str, dict]) -> RatedGameJson:
    shown: RatedGameJson = {
        "game": game.id,
        "board": game.board,
        "at": as_time(game.at),
        "rank": game.players[row.seat][1],
        "opponents": [
            {"player": known[name], "rank": rank} for name, rank in game.players if name != player
        ],
        "before": rating_of(Standing(row.mu_before, row.sigma_before)),
        "after": rating_of(Standing(row.mu, row.sigma)),
        "weight": round(row.weight, DECIMALS),
    }
    if any(game.deal_ranks):
        shown["deal_rank"] = game.deal_ranks[row.seat]
    return shown


def _of_version(name: str, standing: Standing) -> VersionRating:
    shown: VersionRating = {**_proven(standing)}  # type: ignore[typeddict-item]
    if version := name.partition("@")[2]:
        shown["version"] = version
    return shown


def _proven(standing: Standing) -> Proven:
    return {
        **rating_of(standing),
        "games": standing.games,
        "wins": standing.wins,
        "provisional": standing.is_provisional,
        "last_played": as_time(standing.last),
    }


def rating_of(standing: Standing) -> Rating:
    return {
        "rating": round(standing.rating, DECIMALS),
        "mu": round(standing.mu, DECIMALS),
        "sigma": round(standing.sigma, DECIMALS),
    }


def _players(redis: Redis, ids: Iterable[str]) -> dict[str, dict]:
    """Return players as the API shows them, by the names under which they are rated."""
    ids = list(dict.fromkeys(ids))
    pipe = redis.pipeline(transaction=False)
    for player in ids:
        pipe.get(f"player:{account_of(player)}")
    return {player: _account(player, raw) for player, raw in zip(ids, pipe.execute(), strict=True)}


def _account(player: str, raw: bytes | None) -> dict:
    if raw is None:  # a built-in bot of a service that never had the bots' tokens
        name = player.split("_")[1]
        return Player(player, name, name).as_json()
    account = orjson.loads(raw)
    shown = {name: account[name] for name in ("id", "name", "bot", "owner") if name in account}
    return shown | _version(player)
