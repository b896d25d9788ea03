"""Ratings as the API shows them: leaderboards, players, their rated games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import orjson
from redis import Redis

from domain.game.commands import Player
from service.games import faults
from service.games.games import Games
from service.projections.counting import account_of
from service.projections.listing import ALL, SETTLED, Listing
from service.projections.ratings import account_id
from service.projections.standing import OVERALL, RatedGame, Standing
from service.records import opponents
from service.store.deleted import NAME
from service.store.games import GameStore
from service.times import as_time

PLACES = 4  # decimal places
RECENT = 10  # games on a player's page
READS = 10  # reads of a list for one page of active players
VERSIONS = 100  # versions on a player's page


def scopes(store: GameStore) -> list[str]:
    """Return the scopes of ratings: all games together, and each board that can be played."""
    return list(dict.fromkeys((OVERALL, *store.boards)))


def scope_called(store: GameStore, name: str) -> str:
    """Return the name of a scope; raise UnknownThing if there is none."""
    return name if name == OVERALL else store.board(name).id


def leaderboard(
    redis: Redis, scope: str, *, provisional: bool, active_since: int, before: str | None,
    limit: int,
) -> tuple[list[dict], str | None]:
    """Return a page of a leaderboard, as the API shows it, and the cursor of the next.

    Left out are deleted accounts and players whose last game is before ``active_since``, in
    milliseconds since 1970; the ranks of the other players do not change. The number of reads is
    limited, so a page before the last may be short or empty."""
    rows, cursor = list[tuple[int, str, Standing]](), before
    for _ in range(READS):
        more, cursor = Listing(redis).page(
            scope, ALL if provisional else SETTLED, cursor, limit - len(rows))
        rows += [row for row in more if row[2].last >= active_since]
        if cursor is None or len(rows) == limit:
            break
    known = _players(redis, (player for _, player, _ in rows))
    owners = _players(redis, (player["owner"] for player in known.values() if "owner" in player))
    return [{"rank": rank, "player": known[player]} | _owner_name(known[player], owners)
            | _standing(standing)
            for rank, player, standing in rows if known[player]["name"] != NAME], cursor


def _owner_name(player: dict, owners: dict[str, dict]) -> dict:
    return {"owner_name": owners[player["owner"]]["name"]} if "owner" in player else {}


def page_of(games: Games, player: Player, version: str | None) -> dict:
    """Return the ratings and statistics of a player, over all boards and on each. ``version`` "" is
    the player without a version, None the version that has played last."""
    store, redis = games.store, games.redis
    names = dict(zip(scopes(store), _names(redis, player, version, scopes(store)), strict=True))
    ledger, name = Listing(redis), names[OVERALL]
    recent, _ = games_of(redis, player, version, OVERALL, None, RECENT)
    standings = ledger.standings(names)
    counted = [ledger.standing(OVERALL, name)]
    if player.is_built_in:  # overall, it is another player on each board
        counted = [standing for scope, (standing, _) in standings.items() if scope != OVERALL]
    shown = {
        "ratings": [{"board": scope, "rank": rank} | _version(names[scope]) | _standing(standing)
                    for scope, (standing, rank) in standings.items()],
        "endings": _endings(counted), "recent": recent}
    with games.database.reading() as db:
        conduct = opponents.conduct(db, name)
    if conduct:
        shown["conduct"] = conduct | {"faults": faults.count_of_all(redis, player.id)}
    if versions := ledger.versions(account_id(player), VERSIONS):
        shown["versions"] = versions
        shown["version_ratings"] = _version_ratings(redis, account_id(player), versions)
    return shown


def _version_ratings(redis: Redis, account: str, versions: Iterable[str]) -> list[dict]:
    """Return the overall ratings of an account's versions, and of the account without one."""
    names = [account, *(f"{account}@{version}" for version in versions)]
    standings = Listing(redis).read(OVERALL, names)
    return [_version(name) | _standing(standing)
            for name, standing in zip(names, standings, strict=True) if standing.games]


def _names(
    redis: Redis, player: Player, version: str | None, scopes: Iterable[str]
) -> list[str]:
    """Return the name under which a version of a player is rated in each scope."""
    account = account_id(player)
    if version is None:
        return Listing(redis).last_versions(account, scopes)
    return [f"{account}@{version}" if version else account for _ in scopes]


def _version(name: str) -> dict:
    version = name.partition("@")[2]
    return {"version": version} if version else {}


def _endings(standings: Sequence[Standing]) -> dict:
    """Return the numbers of a player's games by how they ended for the player."""
    left = {name: sum(getattr(one, name) for one in standings)
            for name in ("resigned", "timed_out", "aborted")}
    games = sum(one.games for one in standings)
    return {"finished": games - left["resigned"] - left["timed_out"]} | left


def games_of(
    redis: Redis, rated: Player, version: str | None, scope: str, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of the rated games of a version of a player, the latest first, and the cursor
    of the next."""
    [player] = _names(redis, rated, version, [scope])
    games, cursor = Listing(redis).games_of(scope, player, before, limit)
    known = _players(redis, (name for game in games for name, _ in game.players))
    return [_game(game, scope, player, known) for game in games], cursor


def ratings_before(redis: Redis, games: Sequence[str]) -> dict[str, list[dict]]:
    """Return every seat's overall rating before each game that is counted, and the game's weight
    for it."""
    return {game.id: [_rating(change.before) | {"weight": round(change.weight, PLACES)}
                      for change in game.changes[OVERALL]]
            for game in Listing(redis).counted(games)}


def opponents_of(
    games: Games, player: Player, opponent: Player | None, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of a player's opponents, the most often met first, and the cursor of the next;
    with ``opponent``, only this one, if they have met."""
    cursor = None
    with games.database.reading() as db:
        if opponent:
            other = account_id(opponent)
            record = opponents.against(db, account_id(player), other)
            rows = [(other, record)] if record else []
        else:
            rows, cursor = opponents.opponents(db, account_id(player), before, limit)
    known = _players(games.redis, (name for name, _ in rows))
    return [{"player": known[name]} | record for name, record in rows], cursor


def _game(game: RatedGame, scope: str, player: str, known: Mapping) -> dict:
    seat = next(seat for seat, (name, _) in enumerate(game.players) if name == player)
    change = game.changes[scope][seat]
    return {
        "game": game.id, "board": game.board, "at": as_time(game.at),
        "rank": game.players[seat][1],
        "opponents": [{"player": known[name], "rank": rank} for name, rank in game.players
                      if name != player],
        "before": _rating(change.before), "after": _rating(Standing(change.mu, change.sigma)),
        "weight": round(change.weight, PLACES),
        **({"deal_rank": game.deal_ranks[seat]} if any(game.deal_ranks) else {})}


def _standing(standing: Standing) -> dict:
    return _rating(standing) | {
        "games": standing.games, "wins": standing.wins,
        "provisional": standing.is_provisional, "last_played": as_time(standing.last)}


def _rating(standing: Standing) -> dict:
    return {"rating": round(standing.rating, PLACES), "mu": round(standing.mu, PLACES),
            "sigma": round(standing.sigma, PLACES)}


def _players(redis: Redis, ids: Iterable[str]) -> dict[str, dict]:
    """Return the public data of players: id and name; for a bot also which bot it is, or its
    owner."""
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
