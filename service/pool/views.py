"""The pool as the API shows it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NotRequired, TypedDict

from domain.codec import Json
from domain.described import Time
from domain.game.commands import PlayerJson
from domain.pool import RATING_RANGE
from domain.skill import MOVES
from service.accounts import accounts
from service.accounts.accounts import Account
from service.pool.pool import MAX_EARLY, Pairing, Pool, PoolPreferences, State, day
from service.pool.sweep import DAYS, has_passed
from service.times import as_time, now_in_ms

MAX_LISTED = 200  # entries, or pairings, to list; their total number is given too
Status = Literal["ready", "testing", "away", "out"]


class PoolPairing(TypedDict):
    """A pairing of the pool that is under way."""

    id: Annotated[str, "The pairing's id."]
    board: Annotated[str, "The board's id."]
    clock: Annotated[str, "The name of the clock."]
    players: Annotated[
        Sequence[PlayerJson],
        "The players, in the seat order of the first game. In each further "
        "game they move on by one seat.",
    ]
    games: Annotated[
        Sequence[str], "The ids of its games: one, or one for each seat. Each has its own deal."
    ]
    finished: Annotated[Sequence[str], "The ids of its finished games."]
    at: Annotated[Time, "When the pairing was made."]
    test: NotRequired[
        Annotated[
            bool, "`true` for a test game, in which a bot shows that it can play; it is not rated."
        ]
    ]


class PoolRemoval(TypedDict):
    """The reason why the service removed an account from the pool."""

    reason: Annotated[
        Literal["timeout", "illegal", "resigned"],
        "`timeout`: it ran out of time. "
        "`illegal`: it sent an illegal action in the test game. `resigned`: it resigned the test "
        f"game, a game before it had played {MOVES} actions, or {MAX_EARLY} games in a row before "
        "it had placed half of its trains.",
    ]
    game: Annotated[str, "The id of the game."]
    retry_at: Annotated[
        Time, "When it may enter again. The pause grows with each removal in a row."
    ]


class MyPool(TypedDict):
    """The status of an account in the pool."""

    status: Annotated[
        Status,
        "`ready`: it is paired once there is a "
        "suitable opponent. `testing`: it first has to play a game against `random` without "
        "illegal actions and without running out of time. `away`: it sent no heartbeat for too "
        "long; the next one within an hour makes it ready again. `out`: it is not in the pool.",
    ]
    games_today: Annotated[int, "The number of games it was paired for today (UTC)."]
    under_way: Annotated[list[PoolPairing], "Its pairings under way."]
    preferences: NotRequired[
        Annotated[Json, PoolPreferences, "The account's settings in the pool."]
    ]
    ready_until: NotRequired[
        Annotated[Time, "When its readiness expires without another heartbeat."]
    ]
    removal: NotRequired[Annotated[PoolRemoval, "The reason, if the service removed it."]]


class ReadyPlayer(TypedDict):
    """A player who is ready."""

    player: Annotated[PlayerJson, "The player."]
    preferences: Annotated[Json, PoolPreferences, "The account's settings in the pool."]
    test_passed: Annotated[bool, "Whether its current version has passed the test game."]
    games_today: Annotated[int, "The number of games it was paired for today (UTC)."]
    games_under_way: Annotated[int, "The number of games under way."]
    waiting_since: Annotated[Time, "When it began to wait for the next game."]


class ReadyOnBoard(TypedDict):
    """The number of players who are ready for a board."""

    board: Annotated[str, "The board's id."]
    ready: Annotated[int, "The number of players."]


class PoolRemovalCounts(TypedDict):
    """The numbers of accounts removed, by reason."""

    timeout: Annotated[int, "Ran out of time."]
    illegal: Annotated[int, "Sent an illegal action in the test game."]
    resigned: Annotated[int, "Resigned the test game, or a game before playing."]


class PoolToday(TypedDict):
    """The pairings since midnight (UTC)."""

    pairings: Annotated[int, "The number of pairings."]
    games: Annotated[int, "The number of their games."]
    with_built_in: Annotated[
        int, "The number of pairings with a built-in bot, for lack of a suitable opponent."
    ]
    tests_passed: Annotated[int, "The number of bots that passed the test game."]
    removals: Annotated[PoolRemovalCounts, "The numbers of accounts removed, by reason."]
    mean_rating_difference: NotRequired[
        Annotated[float, "The mean difference in ratings (mu) within pairings."]
    ]
    mean_wait: NotRequired[Annotated[float, "The mean wait of players, in seconds."]]


class PoolJson(TypedDict):
    """The state of the pool."""

    ready_count: Annotated[int, "The number of players who are ready."]
    ready: Annotated[
        list[ReadyPlayer], "The players who are ready, longest wait first; at most 200."
    ]
    boards: Annotated[list[ReadyOnBoard], "The number of players who are ready, by board."]
    under_way_count: Annotated[int, "The number of pairings under way."]
    under_way: Annotated[list[PoolPairing], "The latest pairings under way; at most 200."]
    today: Annotated[PoolToday, "Today's pairings."]
    rating_range: Annotated[
        float, "The difference in ratings (mu) within which two players are paired immediately."
    ]


def own_view(pool: Pool, account: Account) -> MyPool:
    state, at = pool.state(), now_in_ms()
    entry = state.entries.get(account.id)
    shown: MyPool = {
        "status": _status(state, account, at),
        "games_today": int(pool.redis.hget(day("games", at), account.id) or 0),
        "under_way": [
            _pairing(paired)
            for paired in state.pairings.values()
            if any(row["id"] == account.id for row in paired.players)
        ],
    }
    if entry:
        shown |= {
            "preferences": entry.preferences,
            "ready_until": as_time(state.expiry.get(account.id, at)),
        }
    elif (removal := pool.removal(account.id)).get("reason"):
        shown["removal"] = {
            "reason": removal["reason"],
            "game": removal["game"],
            "retry_at": as_time(removal["retry_at"]),
        }
    return shown


def _status(state: State, account: Account, at: int) -> Status:
    if account.id not in state.entries:
        return "out"
    if not state.is_ready(account.id, at):
        return "away"
    return "ready" if has_passed(state, account) else "testing"


def view(pool: Pool) -> PoolJson:
    """Return the ready accounts, the pairings under way, and today's statistics."""
    state, at = pool.state(), now_in_ms()
    ready = sorted(
        (player for player in state.entries if state.is_ready(player, at)),
        key=lambda player: state.entries[player].since,
    )
    pipe = pool.redis.pipeline(transaction=False)
    for name in DAYS:
        pipe.hgetall(day(name, at))
    played, _, sums = (
        {name.decode(): int(count) for name, count in rows.items()} for rows in pipe.execute()
    )
    known = {account.id: account for account in accounts.some(pool.redis, ready[:MAX_LISTED])}
    under_way = sorted(state.pairings.values(), key=lambda paired: -paired.at)
    return {
        "ready_count": len(ready),
        "ready": [_ready(state, account, played) for account in known.values()],
        "boards": _by_board(state, ready),
        "under_way_count": len(under_way),
        "under_way": [_pairing(paired) for paired in under_way[:MAX_LISTED]],
        "today": _today(sums),
        "rating_range": RATING_RANGE,
    }


def _ready(state: State, account: Account, played: dict[str, int]) -> ReadyPlayer:
    entry = state.entries[account.id]
    return {
        "player": account.player.as_json(),
        "preferences": entry.preferences,
        "test_passed": has_passed(state, account),
        "games_today": played.get(account.id, 0),
        "games_under_way": state.under_way(account.id),
        "waiting_since": as_time(entry.since),
    }


def _by_board(state: State, ready: Iterable[str]) -> list[ReadyOnBoard]:
    count = Counter(board for player in ready for board in state.entries[player].boards)
    return [{"board": board, "ready": count[board]} for board in sorted(count)]


def _pairing(paired: Pairing) -> PoolPairing:
    shown: PoolPairing = {
        "id": paired.id,
        "board": paired.board,
        "clock": paired.clock,
        "players": paired.players,
        "games": paired.games,
        "finished": paired.finished,
        "at": as_time(paired.at),
    }
    if paired.test:
        shown["test"] = True
    return shown


def _today(sums: dict[str, int]) -> PoolToday:
    pairings, people = sums.get("pairings", 0), sums.get("people", 0)
    shown: PoolToday = {
        "pairings": pairings,
        "games": sums.get("games", 0),
        "with_built_in": sums.get("with_built_in", 0),
        "tests_passed": sums.get("tests_passed", 0),
        "removals": {
            "timeout": sums.get("removed_timeout", 0),
            "illegal": sums.get("removed_illegal", 0),
            "resigned": sums.get("removed_resigned", 0),
        },
    }
    if pairings:
        difference = sums.get("rating_difference", 0) / 1000
        shown["mean_rating_difference"] = round(difference / pairings, 2)
        shown["mean_wait"] = round(sums.get("waited", 0) / 1000 / people, 2)
    return shown
