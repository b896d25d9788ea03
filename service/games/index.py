"""Lists of games. Those of games that are not recorded yet are sorted sets in Redis, by time of
creation; recorded games are listed by the database (``service.records.reading``).

``{games:N}:all``      of a bucket (``service.games.buckets``), those that everybody may find
``{games:N}:STATUS``   those of a status
``player:ID:games``    a player's
``player:ID:current``  a player's that are not over
``player:ID:over``     a player's that are over, by when they ended; until they leave Redis
``player:ID:invited``  games to which the account has an open invitation
``player:ID:declined`` the newest games of a creator where an invitation was closed, by when it was;
                       until they leave Redis

A game is marked before an entry that changes its lists (``service.games.marks``): a crash
in between loses nothing, as the sweep lists it then.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from redis import Redis

from domain.game.state import FINISHED, LOBBY, PLAYING, State
from service.accounts.bots import BUILT_IN
from service.eventlog.histories import Records
from service.eventlog.pages import NewestFirst, page_of_newest, place_of
from service.eventlog.steps import Steps
from service.games import buckets
from service.games.store import GameHead, GameStore, LoadedGame
from service.redis.news import LIVE, add_news
from service.redis.scripts import Script
from service.times import in_ms, now

STATUSES = (LOBBY, PLAYING, FINISHED)
PLAYERS = ("games", "current", "over")
RECORDED = "recorded"  # games that are recorded and still in Redis (``service.records.recorder``)
MAX_DECLINED = 200  # games in the list of those where an invitation was closed
LIST = Script(__file__, "list.lua")


def add_steps(
    steps: Steps,
    game: LoadedGame,
    was: State | None = None,
    *,
    anew: bool = False,
    on_answer: Callable[[int], None] | None = None,
) -> None:
    """Add to ``steps`` the commands that put a game into the lists of its status and its players,
    remove it from those of players who have left since the state ``was``, and notify the players.
    A game that is already in the list of a later status stays there, as another process was
    quicker. With ``anew`` it always moves, to repair wrong lists.
    ``on_answer`` gets 0 if another process may have listed a later version at the same time."""
    state, here = game.state, accounts_of(game.state)
    if state.version > 1 and not anew and _is_further(steps.redis, state):
        return
    steps.next()
    pipe = steps.pipe
    rows = _rows(game)
    for key, at in rows.items():
        if at is None:
            pipe.zrem(key, state.id)
        else:
            pipe.zadd(key, {state.id: at})
    for key in _keys(was) - rows.keys() if was and was.players else ():
        pipe.zrem(key, state.id)
    if game.closed_at:
        declined = f"player:{state.terms.creator}:declined"
        pipe.zadd(declined, {state.id: in_ms(game.closed_at[-1])})
        pipe.zremrangebyrank(declined, 0, -MAX_DECLINED - 1)
    steps.next()
    tag = f"{{{buckets.tag_of(state.id)}}}:"
    steps.run(
        LIST,
        on_answer,
        all=tag + "all",
        lobby=tag + LOBBY,
        playing=tag + PLAYING,
        finished=tag + FINISHED,
        unfiled=tag + "unfiled",
        recorded=tag + RECORDED,
        game=state.id,
        created=in_ms(game.created),
        status=STATUSES.index(state.status),
        version=state.version,
        is_public=int(state.terms.visibility == "public"),
        anew=int(anew),
    )
    if state.status == FINISHED:
        pipe.zrem(tag + "deadlines", state.id)
    steps.next()
    is_begun = state.status == PLAYING and state.terms.visibility == "public"
    add_news(pipe, *here, *([LIVE] if is_begun else ()))


def _is_further(redis: Redis, state: State) -> bool:
    later = STATUSES[STATUSES.index(state.status) + 1 :]
    if not later:
        return False
    pipe = redis.pipeline(transaction=False)
    for status in later:
        pipe.zscore(buckets.key(state.id, status), state.id)
    return any(at is not None for at in pipe.execute())


def _rows(game: LoadedGame) -> dict[str, int | None]:
    """Return the score of a game in each list of its players, None where it should not be."""
    is_over, created = game.state.status == FINISHED, in_ms(game.created)
    scores = {
        "games": created,
        "current": None if is_over else created,
        "over": in_ms(game.updated) if is_over else None,
    }
    return {
        **{
            f"player:{player.id}:{name}": at
            for player in game.state.players
            if player
            for name, at in scores.items()
        },
        **{_invited(one.player["id"]): None for one in game.state.closed_invitations},
        **{_invited(one.player["id"]): created for one in game.state.invitations},
    }


def invited_to(store: GameStore, player: str) -> list[GameHead]:
    """Return the games in the lobby to which a player has an invitation that has not expired.
    Remove other games that a slow process has left in the list."""
    ids = [raw.decode() for raw in store.redis.zrange(_invited(player), 0, -1)]
    heads = dict(zip(ids, store.heads(ids), strict=True))
    if gone := [
        game
        for game, head in heads.items()
        if not head or all(seat.get("invited", {}).get("id") != player for seat in head["seats"])
    ]:
        store.redis.zrem(_invited(player), *gone)
    return [head for head in heads.values() if head and has_invited(head, player)]


def _invited(player: str) -> str:
    return f"player:{player}:invited"


def _keys(state: State) -> set[str]:
    """Return the keys of the lists of players that a state may be in. While there are invitations,
    those of seated players may still be listed, as the process in which they joined is slow."""
    players = [player.id for player in state.players if player]
    invited = [one.player["id"] for one in state.invitations]
    return {f"player:{player}:{name}" for player in players for name in PLAYERS} | {
        _invited(player) for player in (invited and [*invited, *players])
    }


def accounts_of(state: State) -> set[str]:
    """Return the accounts that get notices about a game: its players, those who are invited, and
    its creator once an invitation was closed."""
    return {
        *(player.id for player in state.players if player),
        *(one.player["id"] for one in state.invitations),
        *([state.terms.creator] if state.closed_invitations else ()),
    }


def leave(redis: Redis, state: State) -> None:
    """Remove a game that is recorded from the lists. Notices about it are still to be sent."""
    _remove(redis, state, {key for key in _keys(state) if not key.endswith(":over")})


def forget(redis: Redis, state: State) -> None:
    """Remove a game that leaves Redis from every list."""
    _remove(redis, state, _keys(state) | {f"player:{state.terms.creator}:declined"})


def _remove(redis: Redis, state: State, keys: set[str]) -> None:
    pipe = redis.pipeline(transaction=False)
    for key in keys | {buckets.key(state.id, name) for name in ("all", *STATUSES)}:
        pipe.zrem(key, state.id)
    pipe.execute()


def wrong_places(redis: Redis, game: LoadedGame) -> list[str]:
    """Return the keys of the lists in which a game is missing or should not be."""
    state, pipe = game.state, redis.pipeline(transaction=False)
    if redis.zscore(buckets.key(state.id, RECORDED), state.id) is not None:
        return []
    wanted = {buckets.key(state.id, status): status == state.status for status in STATUSES}
    wanted[buckets.key(state.id, "all")] = state.terms.visibility == "public"
    wanted |= {key: at is not None for key, at in _rows(game).items()}
    for key in wanted:
        pipe.zscore(key, state.id)
    return [
        key
        for key, at in zip(wanted, pipe.execute(), strict=True)
        if (at is not None) != wanted[key]
    ]


def counts(store: GameStore) -> dict[str, int]:
    pipe = store.redis.pipeline(transaction=False)
    for status in STATUSES:
        for key in buckets.keys(status):
            pipe.zcard(key)
    sizes = iter(pipe.execute())
    listed = {status: sum(next(sizes) for _ in buckets.TAGS) for status in STATUSES}
    return listed | {FINISHED: listed[FINISHED] + store.records.count()}


def created_before(redis: Redis, status: str, at: int) -> list[str]:
    """Return the games of a status that were created before a time, in milliseconds since 1970."""
    pipe = redis.pipeline(transaction=False)
    for key in buckets.keys(status):
        pipe.zrangebyscore(key, "-inf", f"({at}")
    return [member.decode() for members in pipe.execute() for member in members]


@dataclass(frozen=True)
class GameFilter:
    """Which games to list: None is any. ``since`` (included) and ``until`` (not) are when they
    were created, in milliseconds since 1970; ``bot`` is a built-in bot's name. ``opponent`` is an
    account that has a seat, too; all accounts of a built-in bot are one. ``invited`` is the id of
    an account with an open invitation. ``narrow`` leaves out more of some games."""

    status: str | None = None
    board: str | None = None
    player: str | None = None
    bot: str | None = None
    won_by: str | None = None
    since: int | None = None
    until: int | None = None
    opponent: str | None = None
    invited: str | None = None
    narrow: Callable[[list[GameHead]], list[GameHead]] | None = None

    @property
    def built_in_opponent(self) -> str | None:
        opponent = self.opponent or ""
        return (
            opponent.removeprefix(BUILT_IN).rpartition("_")[0]
            if opponent.startswith(BUILT_IN)
            else None
        )

    @property
    def keys(self) -> list[str]:
        """The shortest lists in Redis that contain all matching games."""
        if self.invited:
            return [_invited(self.invited)]
        if player := self.won_by or self.player:
            return [f"player:{player}:games"]
        if self.opponent and not self.opponent.startswith(BUILT_IN):
            return [f"player:{self.opponent}:games"]
        return buckets.keys(self.status or "all")

    def fits(self, head: GameHead) -> bool:
        seats = [(seat["player"], seat.get("rank")) for seat in head["seats"] if "player" in seat]
        return (
            self.status in (None, head["status"])
            and self.board in (None, head["board"])
            and (self.player is None or any(p["id"] == self.player for p, _ in seats))
            and (self.bot is None or any(is_bot(p, self.bot) for p, _ in seats))
            and (self.opponent is None or any(_is_same(p["id"], self.opponent) for p, _ in seats))
            and (self.invited is None or has_invited(head, self.invited))
            and (
                self.won_by is None
                or any(p["id"] == self.won_by and rank == 1 for p, rank in seats)
            )
        )


def _is_same(player: str, other: str) -> bool:
    return player == other or (
        other.startswith(BUILT_IN) and player.rpartition("_")[0] == other.rpartition("_")[0]
    )


def is_bot(player: dict, name: str) -> bool:
    """Return whether a player is the built-in bot of this name."""
    return player.get("bot") == name and "owner" not in player


def has_invited(head: GameHead, account: str) -> bool:
    """Return whether a game in the lobby has an invitation of an account that has not expired."""
    return head["status"] == LOBBY and any(
        seat.get("invited", {}).get("id") == account and seat["expires"] > now()
        for seat in head["seats"]
    )


def games_page(
    store: GameStore,
    which: GameFilter,
    *,
    before: str | None,
    limit: int,
    caller: str | None = None,
) -> tuple[list[GameHead], str | None]:
    """Return games, the newest first, and the cursor of the next page, None at the end; those
    that are not public only to ``caller`` when they are the caller's own.

    The number of games checked for one page is limited, so a page before the last may be short or
    empty. Raise RecordsUnavailable if some may be over and the database does not answer.
    """
    is_own = caller is not None and caller in (
        which.won_by,
        which.player,
        which.opponent,
        which.invited,
    )

    def fitting(heads: list[Any]) -> list[GameHead]:
        heads = [
            head for head in heads if ("visibility" not in head or is_own) and which.fits(head)
        ]
        store.deleted.hide(seat for head in heads for seat in head["seats"])
        return which.narrow(heads) if which.narrow else heads

    are_live = which.status in (LOBBY, PLAYING) or which.invited or which.narrow
    records = Records() if are_live else store.records
    return page_of_newest(
        fitting,
        store,
        NewestFirst(store.redis, which.keys, which.since),
        partial(records.newest, which),
        place_of(before, which.until),
        limit,
    )


def all_lists(redis: Redis) -> Iterator[str]:
    """Yield the keys of the lists of games, those of players included."""
    for name in ("all", *STATUSES):
        yield from buckets.keys(name)
    for name in (*PLAYERS, "invited", "declined"):
        keys = {key.decode() for key in redis.scan_iter(f"player:*:{name}", count=1000)}
        yield from sorted(key for key in keys if key.count(":") == 2)  # a quota's has 3


def games_in(redis: Redis, key: str) -> set[str]:
    return {game.decode() for game, _ in redis.zscan_iter(key, count=1000)}


def forget_others(store: GameStore) -> None:
    """Remove games without a history from all lists."""
    here = store.ids()
    for key in all_lists(store.redis):
        unknown = games_in(store.redis, key) - here
        if gone := [game_id for game_id in unknown if not store.has(game_id)]:
            store.redis.zrem(key, *gone)
