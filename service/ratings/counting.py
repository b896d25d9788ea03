"""Count one game: how it changes the standings of its players, and how often they have met
(docs/ratings.md)."""

from itertools import combinations

from domain.skill import COMPANIONS, FREE, PROVEN, Skill, is_foreseen, newness, rate
from service.accounts.bots import BUILT_IN, STRENGTHS
from service.accounts.versions import account_of
from service.ratings.standing import ABORTED, WIDER, Change, RatedGame, Standing

Last = dict[str, str]  # "SCOPE ACCOUNT" -> the player that is its version that has played last
Met = dict[str, int]  # by "SCOPE MONTH PLAYER PLAYER"


def start(name: str) -> Standing:
    """Return the standing of a player without games. A built-in bot is proven from the start, as
    nobody can make it lose on purpose; its strength on Fogg's own boards is measured."""
    player = name.partition(" ")[2]
    if player in STRENGTHS:
        return Standing(STRENGTHS[player], WIDER, shown=PROVEN)
    return Standing(shown=PROVEN) if player.startswith(BUILT_IN) else Standing()


class Now(dict[str, Standing]):
    """Standings by "SCOPE PLAYER"; a missing one is that of a player without games."""

    def __missing__(self, name: str) -> Standing:
        return start(name)


def last_of(last: Last, scope: str, player: str) -> str:
    """Return the version of a player's account that has played last, else the account itself."""
    account = account_of(player)
    return last.get(f"{scope} {account}", account)


def play(now: Now, met: Met, last: Last, scope: str, game: RatedGame) -> tuple[Change, ...]:
    """Count a game; return the change for each player."""
    names = [f"{scope} {player}" for player in game.named[scope]]
    was = [last_of(last, scope, player) for player, _ in game.players]
    own: dict[str, Skill] = {}
    for name, (player, _), other in zip(names, game.players, was, strict=True):
        if other == player:
            continue
        if not now[name].games:
            now[name] = now[f"{scope} {other}"].of_new_version(now[name].aborted)
        elif game.rules > 1 and not game.was_aborted:
            own[name] = now[name].skill
            now[name] = now[name].with_skill(now[f"{scope} {other}"].skill)
    changes = _play(now, met, scope, game)
    if game.was_aborted:
        return changes
    for player, _ in game.players:
        last[f"{scope} {account_of(player)}"] = player
    return tuple(
        change._replace(last=other if other != player else "", own=own.get(name))
        for change, other, (player, _), name in zip(changes, was, game.players, names, strict=True)
    )


def take_back(now: Now, met: Met, last: Last, game: RatedGame) -> None:
    """Undo the game that counts last."""
    for scope, changes in game.changes.items():
        for (player, _), name, change in zip(game.players, game.named[scope], changes, strict=True):
            key, undone = f"{scope} {name}", change.undone
            # without games, it is not the standing that a new version took over
            now[key] = undone if undone.games else start(key)._replace(aborted=undone.aborted)
            if change.last:
                last[f"{scope} {account_of(player)}"] = change.last
    for pair in pairs(game):
        met[pair] -= 1


def _play(now: Now, met: Met, scope: str, game: RatedGame) -> tuple[Change, ...]:
    names = [f"{scope} {player}" for player in game.named[scope]]
    before = [now[name] for name in names]
    lefts = [game.left.get(seat, "") for seat in range(len(names))]
    if game.was_aborted:
        now |= {
            name: standing._replace(aborted=standing.aborted + (left == ABORTED))
            for name, standing, left in zip(names, before, lefts, strict=True)
        }
        return tuple(Change(s, s.mu, s.sigma, 0.0) for s in before)
    after, seats = _rated(before, met, scope, game), range(len(names))
    for pair in _pairs(scope, game):
        met[pair] += 1
    for seat, (skill, weight) in enumerate(after):
        is_later = game.is_part and bool({*seats} - {seat, *game.idle})
        has_won = game.players[seat][1] == 1 and (weight > 0 or is_later)
        now[names[seat]] = before[seat].after(skill, has_won, lefts[seat], game.at)
    return tuple(
        Change(standing, skill.mu, skill.sigma, weight)
        for standing, (skill, weight) in zip(before, after, strict=True)
    )


def _rated(
    before: list[Standing], met: Met, scope: str, game: RatedGame
) -> list[tuple[Skill, float]]:
    skills = [standing.skill for standing in before]
    if game.is_part or (game.rules > 1 and is_foreseen(skills)):
        return [(skill, 0.0) for skill in skills]
    return rate(
        skills,
        game.deal_ranks or [rank for _, rank in game.players],
        [seat not in game.idle for seat in range(len(skills))],
        _all_newness(met, scope, game),
    )


def _all_newness(met: Met, scope: str, game: RatedGame) -> list[list[float]]:
    """Return the newness of each two seats to each other this month, 0 to 1. By version 2, at
    tables of three or more it is at most that of the two accounts there that have met most, as
    these may help each other; after COMPANIONS meetings it is 0."""

    def count(i: int, j: int) -> int:
        return met.get(_pair(scope, game, i, j), 0)

    def newness_of(i: int, j: int) -> float:
        if not (_is_built_in(game, i) or _is_built_in(game, j)):
            return newness(count(i, j))
        return 1.0 if game.rules == 1 else newness(max(0, count(i, j) - FREE))

    seats, most = range(len(game.players)), 1.0
    if game.rules > 1 and len(seats) > 2 and (accounts := _accounts(game)):
        closest = max(count(i, j) for i, j in accounts)
        most = newness(closest) if closest < COMPANIONS else 0.0
    return [[min(most, newness_of(i, j)) for j in seats] for i in seats]


def pairs(game: RatedGame) -> list[str]:
    """Return the keys under which a game's pairs are counted, in all scopes."""
    return [pair for scope in game.scopes for pair in _pairs(scope, game)]


def _pairs(scope: str, game: RatedGame) -> list[str]:
    """Return the keys under which a game's pairs are counted in a scope. Two built-in bots are left
    out, by version 1 each pair with a built-in bot."""
    if game.was_aborted or game.is_part:
        return []
    seats = (
        _accounts(game)
        if game.rules == 1
        else [
            (i, j)
            for i, j in combinations(range(len(game.players)), 2)
            if not (_is_built_in(game, i) and _is_built_in(game, j))
        ]
    )
    return [_pair(scope, game, i, j) for i, j in seats]


def _accounts(game: RatedGame) -> list[tuple[int, int]]:
    return [
        *combinations(
            (seat for seat in range(len(game.players)) if not _is_built_in(game, seat)), 2
        )
    ]


def _is_built_in(game: RatedGame, seat: int) -> bool:
    return game.players[seat][0].startswith(BUILT_IN)


def _pair(scope: str, game: RatedGame, one: int, other: int) -> str:
    """Return the key that counts two seats of a game: by accounts, without versions."""
    accounts = sorted(account_of(game.named[scope][seat]) for seat in (one, other))
    return f"{scope} {game.month} {' '.join(accounts)}"
