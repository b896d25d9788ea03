"""Which games there are: sorted sets derived from the histories, by time of creation.

``{games:N}:all``      of a bucket (``service.games.buckets``), those that everybody may find
``{games:N}:STATUS``   those of a status
``player:ID:games``    a player's
``player:ID:current``  a player's that are not over
``player:ID:over``     a player's that are over, by when they ended

A game is marked before an entry that changes where it is filed (``service.games.marks``): a crash
in between loses nothing, as the sweep files it then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from redis import Redis

from domain.game.state import FINISHED, LOBBY, PLAYING, State
from service.games import buckets
from service.store.games import GameHead, GameStore, LoadedGame
from service.store.news import LIVE, add_news
from service.store.pages import NewestFirst, page_of_newest
from service.store.steps import Steps
from service.times import in_ms

STATUSES = (LOBBY, PLAYING, FINISHED)
PLAYERS = ("games", "current", "over")

# KEYS all, lobby, playing, finished, unfiled. ARGV the game, when it was created, the number of its
# status, its version, whether everybody may find it, and '1' to file a marked game even if it is in
# the list of a later status. Returns whether it was filed.
FILE = """
local game, at, status, version = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local mark = redis.call('HGET', KEYS[5], game)
local is_last = mark and tonumber(string.match(mark, '%d+')) <= version
if ARGV[6] == '0' or not is_last then
  for place = status + 3, 4 do
    if redis.call('ZSCORE', KEYS[place], game) then return 0 end
  end
end
redis.call('ZADD', KEYS[status + 2], at, game)
if ARGV[5] == '1' then redis.call('ZADD', KEYS[1], at, game) end
for place = 2, 4 do
  if place ~= status + 2 then redis.call('ZREM', KEYS[place], game) end
end
if is_last then redis.call('HDEL', KEYS[5], game) end
return 1
"""


def add_steps(
    steps: Steps, game: LoadedGame, was: State | None = None, *, anew: bool = False
) -> None:
    """Add to ``steps`` the commands that put a game into the lists of its status and its players,
    remove it from those of players who have left since the state ``was``, and notify the players.
    If the game is already in the list of a later status, it stays there. With ``anew``, for a
    marked game, it moves to the list of its present status anyway."""
    state, here = game.state, {player.id for player in game.state.players if player}
    if state.version > 1 and not anew and _is_further(steps.redis, state):
        return
    steps.next()
    pipe = steps.pipe
    for name, at in _rows(game).items():
        for player in here:
            if at is None:
                pipe.zrem(f"player:{player}:{name}", state.id)
            else:
                pipe.zadd(f"player:{player}:{name}", {state.id: at})
    for player in {p.id for p in was.players if p} - here if was else ():
        for name in PLAYERS:
            pipe.zrem(f"player:{player}:{name}", state.id)
    steps.next()
    tag = buckets.tag_of(state.id)
    steps.run(FILE, [f"{{{tag}}}:{name}" for name in ("all", *STATUSES, "unfiled")],
              [state.id, in_ms(game.created), STATUSES.index(state.status), state.version,
               int(state.visibility == "public"), int(anew)])
    steps.next()
    is_begun = state.status == PLAYING and state.visibility == "public"
    add_news(pipe, *here, *([LIVE] if is_begun else ()))


def _is_further(redis: Redis, state: State) -> bool:
    """Return whether the lists have a game with a later status than this one."""
    later = STATUSES[STATUSES.index(state.status) + 1 :]
    if not later:
        return False
    pipe = redis.pipeline(transaction=False)
    for status in later:
        pipe.zscore(buckets.key(state.id, status), state.id)
    return any(at is not None for at in pipe.execute())


def _rows(game: LoadedGame) -> dict[str, int | None]:
    """Return the score that a game has in each list of its players: list -> milliseconds since
    1970, None for a list that should not have it."""
    is_over, created = game.state.status == FINISHED, in_ms(game.created)
    return {"games": created, "current": None if is_over else created,
            "over": in_ms(game.updated) if is_over else None}


def forget(redis: Redis, state: State) -> None:
    """Remove a finished game from every list."""
    pipe = redis.pipeline(transaction=False)
    for name in ("all", *STATUSES):
        pipe.zrem(buckets.key(state.id, name), state.id)
    for player in {player.id for player in state.players if player}:
        for name in PLAYERS:
            pipe.zrem(f"player:{player}:{name}", state.id)
    pipe.execute()


def wrong_places(redis: Redis, game: LoadedGame) -> list[str]:
    """Return the keys of the lists that lack a game or should not have it."""
    state = game.state
    wanted = {buckets.key(state.id, status): status == state.status for status in STATUSES}
    wanted[buckets.key(state.id, "all")] = state.visibility == "public"
    for name, at in _rows(game).items():
        for player in filter(None, state.players):
            wanted[f"player:{player.id}:{name}"] = at is not None
    pipe = redis.pipeline(transaction=False)
    for key in wanted:
        pipe.zscore(key, state.id)
    found = [score is not None for score in pipe.execute()]
    return [key for (key, is_wanted), has in zip(wanted.items(), found, strict=True)
            if has != is_wanted]


def counts(redis: Redis) -> dict[str, int]:
    """Return how many games there are of each status."""
    pipe = redis.pipeline(transaction=False)
    for status in STATUSES:
        for key in buckets.keys(status):
            pipe.zcard(key)
    found = iter(pipe.execute())
    return {status: sum(next(found) for _ in buckets.TAGS) for status in STATUSES}


def created_before(redis: Redis, status: str, at: int) -> list[str]:
    """Return the games of a status that were created before a time, in milliseconds since 1970."""
    pipe = redis.pipeline(transaction=False)
    for key in buckets.keys(status):
        pipe.zrangebyscore(key, "-inf", f"({at}")
    return [member.decode() for members in pipe.execute() for member in members]


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
    def keys(self) -> list[str]:
        """The shortest sets that have all of them."""
        if player := self.won_by or self.player:
            return [f"player:{player}:games"]
        return buckets.keys(self.status or "all")

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

    The number of games checked for one page is limited, so a page before the last may be short or
    empty.
    """
    is_own = caller is not None and caller in (which.won_by, which.player)

    def fitting(ids: list[str]) -> list[GameHead | None]:
        return [head if head and ("visibility" not in head or is_own) and which.fits(head) else None
                for head in store.listed(ids)]

    return page_of_newest(fitting, NewestFirst(store.redis, which.keys, which.since, which.until),
                          before, limit)


def strangers(redis: Redis, game_ids: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the lists with games that are not among ``game_ids``: (key, those games)."""
    keys = [key for name in ("all", *STATUSES) for key in buckets.keys(name)]
    for name in PLAYERS:
        keys += [key.decode() for key in redis.scan_iter(f"player:*:{name}", count=1000)]
    for key in keys:
        rows = {row.decode() for row, _ in redis.zscan_iter(key, count=1000)}
        if gone := rows - game_ids:
            yield key, sorted(gone)


def forget_others(redis: Redis, game_ids: set[str]) -> None:
    """Remove all games from the lists that are not among ``game_ids``."""
    for key, gone in strangers(redis, game_ids):
        redis.zrem(key, *gone)
