"""The pool as the API shows it."""

from __future__ import annotations

from collections.abc import Iterable

from domain.pool import RATING_RANGE
from service.accounts import accounts
from service.accounts.accounts import Account
from service.matching.pool import Pairing, Pool, State, day
from service.matching.pool_sweep import DAYS, has_passed
from service.times import as_time, now_in_ms

MAX_LISTED = 200  # entries, or pairings, to list; their total number is given too
REASONS = ("timeout", "illegal", "resigned")


def own_view(pool: Pool, account: Account) -> dict:
    """Return the status of an account in the pool."""
    state, at = pool.state(), now_in_ms()
    entry = state.entries.get(account.id)
    shown: dict = {
        "status": _status(state, account, at),
        "games_today": int(pool.redis.hget(day("games", at), account.id) or 0),
        "under_way": [_pairing(paired) for paired in _of(state, account.id)]}
    if entry:
        shown |= {"preferences": entry.preferences,
                  "ready_until": as_time(state.expiry.get(account.id, at))}
    elif (removal := pool.removal(account.id)).get("reason"):
        shown["removal"] = {"reason": removal["reason"], "game": removal["game"],
                            "retry_at": as_time(removal["retry_at"])}
    return shown


def _status(state: State, account: Account, at: int) -> str:
    if account.id not in state.entries:
        return "out"
    if not state.is_ready(account.id, at):
        return "away"
    return "ready" if has_passed(state, account) else "testing"


def _of(state: State, player: str) -> list[Pairing]:
    return [paired for paired in state.pairings.values()
            if any(row["id"] == player for row in paired.players)]


def view(pool: Pool) -> dict:
    """Return the ready accounts, the pairings under way, and today's statistics."""
    state, at = pool.state(), now_in_ms()
    ready = sorted((player for player in state.entries if state.is_ready(player, at)),
                   key=lambda player: state.entries[player].since)
    pipe = pool.redis.pipeline(transaction=False)
    for name in DAYS:
        pipe.hgetall(day(name, at))
    played, _, sums = ({name.decode(): int(count) for name, count in rows.items()}
                       for rows in pipe.execute())
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


def _ready(state: State, account: Account, played: dict[str, int]) -> dict:
    entry = state.entries[account.id]
    return {"player": account.player.as_json(), "preferences": entry.preferences,
            "test_passed": has_passed(state, account), "games_today": played.get(account.id, 0),
            "games_under_way": state.under_way(account.id), "waiting_since": as_time(entry.since)}


def _by_board(state: State, ready: Iterable[str]) -> list[dict]:
    count: dict[str, int] = {}
    for player in ready:
        for board in state.entries[player].boards:
            count[board] = count.get(board, 0) + 1
    return [{"board": board, "ready": count[board]} for board in sorted(count)]


def _pairing(paired: Pairing) -> dict:
    shown = {"id": paired.id, "board": paired.board, "clock": paired.clock,
             "players": paired.players, "games": paired.games, "finished": paired.finished,
             "at": as_time(paired.at)}
    return shown | ({"test": True} if paired.test else {})


def _today(sums: dict[str, int]) -> dict:
    """Return the day's statistics; leave a mean out if nothing was counted."""
    pairings, people = sums.get("pairings", 0), sums.get("people", 0)
    shown: dict = {name: sums.get(name, 0) for name in (
        "pairings", "games", "with_built_in", "tests_passed")}
    shown["removals"] = {reason: sums.get(f"removed_{reason}", 0) for reason in REASONS}
    if pairings:
        difference = sums.get("rating_difference", 0) / 1000
        shown["mean_rating_difference"] = round(difference / pairings, 2)
        shown["mean_wait"] = round(sums.get("waited", 0) / 1000 / people, 2)
    return shown
