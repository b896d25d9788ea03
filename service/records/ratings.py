"""Which finished games are rated, when they count, and what is shown of it (docs/ratings.md).

A game that finishes is put aside with what its rating takes; the sweep counts it within seconds
(``service.records.ledger``). So no request waits for it, and whoever dies loses nothing.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping

import orjson
from redis import Redis, RedisError

from domain.game.commands import Player
from domain.game.state import FINISHED, State
from service.accounts import bots
from service.records.ledger import AT_ONCE, OVERALL, SETTLED, Ledger, Standing, place
from service.store.store import Game, Store, imported_key
from service.times import as_time, in_ms

DAY = 86_400  # seconds
PLACES = 4  # of what is shown
log = logging.getLogger(__name__)


def counts(state: State) -> bool:
    """Return whether a game is rated, unless it was imported."""
    players = [player for player in state.players if player]
    return bool(
        state.status == FINISHED and state.results  # not called off
        and state.fork is None and not state.seed_known
        and (state.tournament or (state.visibility == "public" and state.spectators))
        and len({whose(player) for player in players}) == len(state.players) >= 2)


def whose(player: Player) -> str:
    """Return who gains by a player's rating: a person by their bots' too."""
    return player.owner or rated_id(player)


def rated_id(player: Player) -> str:
    """Return the id that a player's games are rated under: a built-in bot has an account for each
    seat, and is one player."""
    return bots.player(player.bot, 0).id if player.is_built_in else player.id


def of(store: Store, game: Game) -> dict | None:
    """Return what is kept of a game to rate it, None if it is not rated."""
    is_ours = counts(game.state) and not store.redis.exists(imported_key(game.state.id))
    return row(game) if is_ours else None


def row(game: Game) -> dict:
    """Return what is kept of a game that counts to rate it; of a deal that is played several times,
    with all its games."""
    state = game.state
    found = {"board": state.board.id, "at": in_ms(game.updated), "players": [
        (rated_id(player), result["rank"])
        for player, result in zip(state.players, state.results, strict=True)]}
    return found | ({"deal": state.tournament["games"]} if _is_shared(state) else {})


def _is_shared(state: State) -> bool:
    return state.tournament is not None and len(state.tournament["games"]) > 1


def file(redis: Redis, game: Game) -> None:
    """Put a game that is over aside, to be counted; as often as one likes. Ratings stop no game:
    what cannot be rated is logged."""
    try:
        if counts(game.state):
            Ledger(redis).put({game.state.id: row(game)})
    except (RedisError, OSError):
        raise
    except Exception:
        log.exception("%s cannot be rated", game.state.id)


def catch_up(store: Store) -> None:
    """Count the games that are waiting, but those whose deal others still play."""
    ledger = Ledger(store.redis)
    try:
        while rows := _ready(store, ledger):
            ledger.step(rows)
    except (RedisError, OSError):
        raise
    except Exception:
        log.exception("games cannot be rated")


def _ready(store: Store, ledger: Ledger) -> dict[str, dict]:
    """Return the waiting games that can be counted, with when they count."""
    waiting = ledger.all_waiting()
    if not waiting:
        return {}
    pipe = store.redis.pipeline(transaction=False)
    for game in waiting:
        pipe.exists(imported_key(game))
    imported = [game for game, is_ in zip(waiting, pipe.execute(), strict=True) if is_]
    ledger.drop(imported)
    return _open(store, {game: row for game, row in waiting.items() if game not in {*imported}})


def _open(store: Store, rows: Mapping[str, dict]) -> dict[str, dict]:
    """Return the games which have no secrets any more: those of a deal count from when its last
    game was over, so that nothing before tells of them."""
    ids = list(dict.fromkeys(game for row in rows.values() for game in row.get("deal", ())))
    ended = {game: in_ms(head["updated"]) for game, head in zip(ids, store.heads(ids), strict=True)
             if head and head["status"] == FINISHED}
    return {game: row | {"at": max([row["at"], *(ended[g] for g in row.get("deal", ()))])}
            for game, row in rows.items() if all(g in ended for g in row.get("deal", ()))}


def rebuild(store: Store, rows: Mapping[str, dict], again: Callable[[str], dict | None]) -> None:
    """Count all games anew beside what is there, then put it in its place.

    ``rows`` are of all games that are rated, ``again(game_id)`` returns that of one that has come
    in meanwhile, None if it is not rated.
    """
    redis, ledger = store.redis, Ledger(store.redis)
    prefix = f"{{ratings}}:new:{secrets.token_hex(8)}:"
    new, gone = Ledger(redis, prefix), f"{prefix}gone"

    def keep() -> None:
        for key in (*new.keys, new.waiting, gone):
            redis.expire(key, DAY)  # should nobody come to the end of this

    found = _open(store, rows)
    ledger.put({game: row for game, row in rows.items() if game not in found})
    for _ in recounted(new, found):
        keep()
    while more := ledger.replace_by(new, gone):
        found = {game: again(game) for game in more}
        if lost := [game for game, row in found.items() if row is None]:
            redis.zadd(gone, dict.fromkeys(lost, 0))
        new.put(_open(store, {game: row for game, row in found.items() if row}))
        while waiting := new.all_waiting():
            new.step(waiting)
        keep()
    redis.delete(gone)


def recount(store: Store) -> int:
    """Count all games anew from the rows that are kept of them; return how many there are."""
    found = Ledger(store.redis).all_counted()
    rebuild(store, found, lambda game: Ledger(store.redis).all_counted().get(game))
    return len(found)


def recounted(ledger: Ledger, rows: Mapping[str, dict]) -> Iterator[int]:
    """Count games in an empty ledger that nobody else changes; yield after some."""
    order = sorted(rows.items(), key=lambda item: place(*item))
    for start in range(0, len(order), AT_ONCE):
        ledger.count(ledger.redis.get(ledger.version) or b"", order[start : start + AT_ONCE])
        yield start


# What is shown


def leaderboard(
    redis: Redis, scope: str, *, provisional: bool, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of a leaderboard, as the API shows it, and the cursor of the next."""
    rows, cursor = Ledger(redis).ranked(scope, "all" if provisional else SETTLED, before, limit)
    known = accounts(redis, (player for _, player, _ in rows))
    return [{"rank": rank, "player": known[player]} | shown(standing)
            for rank, player, standing in rows], cursor


def of_player(redis: Redis, player: Player, boards: Iterable[str]) -> list[dict]:
    """Return how a player stands over all and on each board they have played."""
    found = Ledger(redis).standings(rated_id(player), dict.fromkeys((OVERALL, *boards)))
    return [{"board": scope, "rank": rank} | shown(standing)
            for scope, (standing, rank) in found.items()]


def history(
    redis: Redis, rated: Player, scope: str, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of a player's rated games, the latest first, and the cursor of the next."""
    player = rated_id(rated)
    rows, cursor = Ledger(redis).games_of(scope, player, before, limit)
    known = accounts(redis, (name for _, row in rows for name, _ in row["players"]))
    return [_game(game, row, scope, player, known) for game, row in rows], cursor


def _game(game: str, row: Mapping, scope: str, player: str, known: Mapping) -> dict:
    seat = next(seat for seat, (name, _) in enumerate(row["players"]) if name == player)
    *before, _, _, _, mu, sigma = row["changes"][scope][seat]
    return {
        "game": game, "board": row["board"], "at": as_time(row["at"]),
        "rank": row["players"][seat][1],
        "opponents": [{"player": known[name], "rank": rank} for name, rank in row["players"]
                      if name != player],
        "before": rating(Standing(*before)), "after": rating(Standing(mu, sigma))}


def shown(standing: Standing) -> dict:
    """Return a standing as the API shows it."""
    return rating(standing) | {
        "games": standing.games, "wins": standing.wins,
        "provisional": standing.is_provisional, "last_played": as_time(standing.last)}


def rating(standing: Standing) -> dict:
    """Return the numbers of a rating as the API shows them."""
    return {"rating": round(standing.rating, PLACES), "mu": round(standing.mu, PLACES),
            "sigma": round(standing.sigma, PLACES)}


def accounts(redis: Redis, ids: Iterable[str]) -> dict[str, dict]:
    """Return what is shown of players: id and name, and of a bot which, or whose."""
    ids = list(dict.fromkeys(ids))
    pipe = redis.pipeline(transaction=False)
    for player in ids:
        pipe.get(f"player:{player}")
    return {player: _account(player, raw) for player, raw in zip(ids, pipe.execute(), strict=True)}


def _account(player: str, raw: bytes | None) -> dict:
    if raw is None:  # a built-in bot of a service that was never told the bots' tokens
        name = player.split("_")[1]
        return Player(player, name, name).as_json()
    found = orjson.loads(raw)
    return {name: found[name] for name in ("id", "name", "bot", "owner") if name in found}
