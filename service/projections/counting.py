"""Count one game: how it changes the standings of its players, and how often they have met
(docs/ratings.md)."""

from __future__ import annotations

from itertools import combinations

from domain.skill import PROVEN, rate
from service.projections.standing import Change, RatedGame, Standing
from service.times import as_time

BUILT_IN = "bot_"  # the start of the ids of built-in bots

Standings = dict[str, Standing]  # by "SCOPE PLAYER"
Last = dict[str, str]  # "SCOPE ACCOUNT" -> the player that is its version that has played last
Met = dict[str, int]  # by "SCOPE MONTH PLAYER PLAYER"


def start(name: str) -> Standing:
    """Return the standing of a player without games. A built-in bot is proven from the start, as
    nobody can make it lose on purpose."""
    is_built_in = name.partition(" ")[2].startswith(BUILT_IN)
    return Standing(shown=PROVEN) if is_built_in else Standing()


def account_of(player: str) -> str:
    """Return the account, or the built-in bot, that a player is a version of."""
    return player.partition("@")[0]


def last_of(last: Last, scope: str, player: str) -> str:
    """Return the version of a player's account that has played last; the account itself if that is
    not known."""
    account = account_of(player)
    return last.get(f"{scope} {account}", account)


def play(
    now: Standings, met: Met, last: Last, scope: str, game: RatedGame
) -> tuple[Change, ...]:
    """Count a game; return the change for each player."""
    names = [f"{scope} {player}" for player, _ in game.players]
    was = [last_of(last, scope, player) for player, _ in game.players]
    for name, (player, _), other in zip(names, game.players, was, strict=True):
        if other != player and not now[name].games:
            now[name] = now[f"{scope} {other}"].of_new_version(now[name].aborted)
    changes = _play(now, met, scope, game)
    if game.was_aborted:
        return changes
    month = f"{game.month}/{scope}"
    for name, (player, _) in zip(names, game.players, strict=True):
        now[f"{month} {player}"] = now[name]
        for listed in (scope, month):
            last[f"{listed} {account_of(player)}"] = player
    return tuple(change._replace(last=other if other != player else "")
                 for change, other, (player, _) in zip(changes, was, game.players, strict=True))


def take_back(now: Standings, met: Met, last: Last, game: RatedGame) -> None:
    """Undo the game that counts last."""
    for scope, changes in game.changes.items():
        month = f"{game.month}/{scope}"
        for (player, _), (before, *_, other) in zip(game.players, changes, strict=True):
            now[f"{scope} {player}"] = before
            if game.was_aborted:
                continue
            account, is_first = account_of(player), as_time(before.last)[:7] != game.month
            now[f"{month} {player}"] = start(f"{month} {player}") if is_first else before
            if other:
                last[f"{scope} {account}"] = last[f"{month} {account}"] = other
            if is_first and not now.get(f"{month} {other}", Standing()).games:
                last[f"{month} {account}"] = account
    for pair in pairs(game):
        met[pair] -= 1


def _play(now: Standings, met: Met, scope: str, game: RatedGame) -> tuple[Change, ...]:
    names = [f"{scope} {player}" for player, _ in game.players]
    before = [now[name] for name in names]
    lefts = [game.left.get(seat, "") for seat in range(len(names))]
    if game.was_aborted:
        now |= {name: standing.after_abort(left)
                for name, standing, left in zip(names, before, lefts, strict=True)}
        return tuple(Change(s, s.mu, s.sigma, 0.0) for s in before)
    ranks, seats = [rank for _, rank in game.players], range(len(names))
    after = rate([standing.skill for standing in before], ranks,
                 [seat not in game.idle for seat in seats],
                 [[met.get(_pair(scope, game, i, j), 0) for j in seats] for i in seats])
    for pair in _pairs(scope, game):
        met[pair] += 1
    for seat, (skill, weight) in enumerate(after):
        now[names[seat]] = before[seat].after(skill, weight, ranks[seat], lefts[seat], game.at)
    return tuple(Change(standing, skill.mu, skill.sigma, weight)
                 for standing, (skill, weight) in zip(before, after, strict=True))


def pairs(game: RatedGame) -> list[str]:
    """Return the keys under which a game's pairs are counted, in all scopes."""
    return [pair for scope in game.scopes for pair in _pairs(scope, game)]


def _pairs(scope: str, game: RatedGame) -> list[str]:
    """Return the keys under which a game's pairs are counted in a scope. Pairs with a built-in bot
    are left out, as a bot does not collude."""
    if game.was_aborted:
        return []
    accounts = [seat for seat, (player, _) in enumerate(game.players)
                if not player.startswith(BUILT_IN)]
    return [_pair(scope, game, i, j) for i, j in combinations(accounts, 2)]


def _pair(scope: str, game: RatedGame, one: int, other: int) -> str:
    """Return the key under which two seats of a game are counted: their accounts, without
    versions."""
    accounts = sorted(account_of(game.players[seat][0]) for seat in (one, other))
    return f"{scope} {game.month} {' '.join(accounts)}"
