"""Which games there are: sorted sets derived from the histories, by time of creation.

``games``              all those that everybody may find
``games:STATUS``       all of a status
``player:ID:games``    a player's
``player:ID:current``  a player's that are not over
``player:ID:over``     a player's that are over, by when they ended

A game is announced before its first entry, and whatever the indexes say beyond what the histories
do is put right by the sweep and by ``fogg rebuild``: a crash in between loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from redis import Redis

from domain.game.state import FINISHED, LOBBY, PLAYING, State
from service.store.games import GameHead, GameStore, KnownGame
from service.store.news import NEWS
from service.times import in_ms, now

STATUSES = (LOBBY, PLAYING, FINISHED)
LOOKED_AT = 1000  # games that one page of a list looks at, at most


def announce(redis: Redis, state: State) -> None:
    """Put a game that is about to be created where ``sweep`` will look."""
    redis.zadd(f"games:{LOBBY}", {state.id: in_ms(now())})


def file(redis: Redis, game: KnownGame, was: State | None = None) -> None:
    """Put a game where its status and its players say, and tell them; ``was`` tells who may have
    left."""
    state = game.state
    row = {state.id: in_ms(game.created)}
    pipe = redis.pipeline(transaction=False)
    if state.visibility == "public":
        pipe.zadd("games", row)
    for status in STATUSES:
        if status == state.status:
            pipe.zadd(f"games:{status}", row)
        else:
            pipe.zrem(f"games:{status}", state.id)
    here = {player.id for player in state.players if player}
    for player in here:
        pipe.zadd(f"player:{player}:games", row)
        if state.status == FINISHED:
            pipe.zrem(f"player:{player}:current", state.id)
            pipe.zadd(f"player:{player}:over", {state.id: in_ms(game.updated)})
        else:
            pipe.zadd(f"player:{player}:current", row)
        pipe.publish(NEWS, player)
    for player in {p.id for p in was.players if p} - here if was else ():
        pipe.zrem(f"player:{player}:games", state.id)
        pipe.zrem(f"player:{player}:current", state.id)
    pipe.execute()


@dataclass(frozen=True)
class GameFilter:
    """Which games to list: None is any. ``since`` (included) and ``until`` (not) are when they
    were created, in milliseconds since 1970; ``bot`` is a built-in bot's name."""

    status: str | None = None
    board: str | None = None
    player: str | None = None
    bot: str | None = None
    won_by: str | None = None
    since: int | None = None
    until: int | None = None

    @property
    def key(self) -> str:
        """The shortest set that has all of them."""
        if player := self.won_by or self.player:
            return f"player:{player}:games"
        return f"games:{self.status}" if self.status else "games"

    def fits(self, head: GameHead) -> bool:
        """Return whether a game is one of them."""
        seats = [(seat["player"], seat.get("rank")) for seat in head["seats"] if "player" in seat]
        return (self.status in (None, head["status"]) and self.board in (None, head["board"])
                and (self.player is None or any(p["id"] == self.player for p, _ in seats))
                and (self.bot is None or any(is_bot(p, self.bot) for p, _ in seats))
                and (self.won_by is None
                     or any(p["id"] == self.won_by and rank == 1 for p, rank in seats)))


def is_bot(player: dict, name: str) -> bool:
    """Return whether a player is the built-in bot of this name."""
    return player.get("bot") == name and "owner" not in player


def games_page(
    store: GameStore, which: GameFilter, *, before: str | None, limit: int,
    caller: str | None = None,
) -> tuple[list[GameHead], str | None]:
    """Return games, the newest first, and the cursor of the next page, None at the end; those
    that are not public only to ``caller`` when they are the caller's own.

    Looks at so many games and no more, so that a page may be short, or empty, before the end.
    """
    found: list[GameHead] = []
    looked, is_own = 0, caller is not None and caller in (which.won_by, which.player)
    while looked < LOOKED_AT:
        rows = _older(store.redis, which, before, limit)
        heads = store.heads([game_id for game_id, _ in rows])
        for (_, before), head in zip(rows, heads, strict=True):
            if head and ("visibility" not in head or is_own) and which.fits(head):
                found.append(head)
                if len(found) == limit:
                    return found, before
        if len(rows) < limit:
            return found, None
        looked += len(rows)
    return found, before


def forget_others(redis: Redis, game_ids: set[str]) -> None:
    """Take out of every index what is not among all the games that there are."""
    for key in (b"games", *(f"games:{status}".encode() for status in STATUSES),
                *redis.scan_iter("player:*:games", count=1000),
                *redis.scan_iter("player:*:current", count=1000),
                *redis.scan_iter("player:*:over", count=1000)):
        gone = [row for row, _ in redis.zscan_iter(key) if row.decode() not in game_ids]
        if gone:
            redis.zrem(key, *gone)


def _older(
    redis: Redis, which: GameFilter, before: str | None, limit: int
) -> list[tuple[str, str]]:
    """Return the next (id, cursor) down from a cursor, which need not be in the set any more."""
    score, _, last = (before or "+inf.").partition(".")
    if which.until is not None and (before is None or int(score) >= which.until):
        score, last = f"({which.until}", ""
    least = "-inf" if which.since is None else which.since
    rows: list[tuple[str, str]] = []
    start = 0
    while page := redis.zrevrangebyscore(
        which.key, score, least, start=start, num=limit, withscores=True, score_cast_func=float
    ):
        found = ((member.decode(), str(int(at))) for member, at in page)
        rows += [(i, f"{at}.{i}") for i, at in found if at != score or i < last]
        if len(rows) >= limit or len(page) < limit:
            break
        start += limit
    return rows[:limit]
