"""What is shown of ratings, as the API has it: leaderboards, players, their rated games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import orjson
from redis import Redis

from domain.game.commands import Player
from service.records import tallies
from service.records.ledger import SETTLED, Ledger
from service.records.ratings import rated_id
from service.records.standing import OVERALL, RatedGame, Standing
from service.times import as_time

PLACES = 4  # behind the point


def leaderboard(
    redis: Redis, scope: str, *, provisional: bool, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of a leaderboard, as the API shows it, and the cursor of the next."""
    rows, cursor = Ledger(redis).page(scope, "all" if provisional else SETTLED, before, limit)
    known = _players(redis, (player for _, player, _ in rows))
    return [{"rank": rank, "player": known[player]} | _standing(standing)
            for rank, player, standing in rows], cursor


def standings_of(redis: Redis, player: Player, boards: Iterable[str]) -> list[dict]:
    """Return how a player stands over all and on each board they have played."""
    found = Ledger(redis).standings(rated_id(player), dict.fromkeys((OVERALL, *boards)))
    return [{"board": scope, "rank": rank} | _standing(standing)
            for scope, (standing, rank) in found.items()]


def endings_of(redis: Redis, player: Player) -> dict:
    """Return how the games of a player that could be rated have ended for them."""
    found = Ledger(redis).standing(OVERALL, rated_id(player))
    return {"finished": found.games - found.resigned - found.timed_out,
            "resigned": found.resigned, "timed_out": found.timed_out, "aborted": found.aborted}


def games_of(
    redis: Redis, rated: Player, scope: str, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of a player's rated games, the latest first, and the cursor of the next."""
    player = rated_id(rated)
    games, cursor = Ledger(redis).games_of(scope, player, before, limit)
    known = _players(redis, (name for game in games for name, _ in game.players))
    return [_game(game, scope, player, known) for game in games], cursor


def opponents_of(
    redis: Redis, player: Player, before: str | None, limit: int
) -> tuple[list[dict], str | None]:
    """Return a page of those that a player has met, the most often met first, and the cursor of the
    next."""
    rows, cursor = tallies.opponents(redis, rated_id(player), before, limit)
    known = _players(redis, (name for name, _ in rows))
    return [{"player": known[name]} | record for name, record in rows], cursor


def record_against(redis: Redis, player: Player, opponent: Player) -> dict:
    """Return how a player did against another."""
    other = rated_id(opponent)
    return {"player": _players(redis, [other])[other]} | tallies.against(
        redis, rated_id(player), other)


def conduct_of(redis: Redis, player: Player) -> dict:
    """Return how a player plays, as a member of their page; nothing of who has not decided."""
    found = tallies.conduct(redis, rated_id(player))
    return {"conduct": found} if found else {}


def _game(game: RatedGame, scope: str, player: str, known: Mapping) -> dict:
    seat = next(seat for seat, (name, _) in enumerate(game.players) if name == player)
    change = game.changes[scope][seat]
    return {
        "game": game.id, "board": game.board, "at": as_time(game.at),
        "rank": game.players[seat][1],
        "opponents": [{"player": known[name], "rank": rank} for name, rank in game.players
                      if name != player],
        "before": _rating(change.before), "after": _rating(Standing(change.mu, change.sigma)),
        "weight": round(change.weight, PLACES)}


def _standing(standing: Standing) -> dict:
    return _rating(standing) | {
        "games": standing.games, "wins": standing.wins,
        "provisional": standing.is_provisional, "last_played": as_time(standing.last)}


def _rating(standing: Standing) -> dict:
    return {"rating": round(standing.rating, PLACES), "mu": round(standing.mu, PLACES),
            "sigma": round(standing.sigma, PLACES)}


def _players(redis: Redis, ids: Iterable[str]) -> dict[str, dict]:
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
