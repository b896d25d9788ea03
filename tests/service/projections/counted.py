"""The ratings after rated games in order, computed without a ledger."""

from collections import Counter
from collections.abc import Iterable

from service.projections.counting import account_of, play, start
from service.projections.listing import PREFIX
from service.projections.standing import OVERALL, RatedGame, Standing

MAY = 1_777_593_600_000  # the first of May 2026, in milliseconds since 1970


def standings(games: Iterable[RatedGame], scope: str = OVERALL) -> dict[str, Standing]:
    """Return how each player stands in a scope after games that are given in order."""
    games = [*games]
    now: dict[str, Standing] = {}
    met: Counter[str] = Counter()
    last: dict[str, str] = {}
    for game in games:
        now |= {name: start(name) for player in game.named[scope]
                for of in (player, account_of(player)) if (name := f"{scope} {of}") not in now}
        play(now, met, last, scope, game)
    players = {player for game in games for player in game.named[scope]}
    return {player: now[f"{scope} {player}"] for player in players}


def game(number: int, *players: str, idle: tuple[int, ...] = (), days: float = 0.0) -> RatedGame:
    """Return a game which these have come to the end of in this order, a second after the last one
    and so many days."""
    at = MAY + 1000 * number + round(days * 86_400_000)
    ranked = tuple((player, rank) for rank, player in enumerate(players, 1))
    return RatedGame(f"g_{number:020x}", "usa", at, ranked, idle=idle)


def dump(redis) -> dict:
    """Return all that is kept of ratings, but the version."""
    return {key: redis.hgetall(key) if redis.type(key) == b"hash"
            else redis.zrange(key, 0, -1, withscores=True)
            for key in redis.keys(f"{PREFIX}*") if not key.endswith(b"version")}
