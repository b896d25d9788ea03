"""The notices of an account about its games: paired, started, your turn, over, lost; about
invitations: invited, declined; and about the tournaments that it takes part in or organises.

Notices are not stored. They are derived from histories and indexes whenever the account listens, so
none can be lost. The cursor that comes with each says which notices the account has received, so
that none comes twice (``service.games.cursors``).
"""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from operator import itemgetter
from typing import Annotated, NotRequired, Protocol, TypedDict

from domain.described import Positive, Time, choice
from domain.errors import BrokenHistory
from domain.game.commands import Player
from domain.game.legal import Listed
from domain.game.state import FINISHED, PLAYING
from domain.tournament.announcing import CHANGES
from domain.tournament.events import ENDINGS
from service import settings
from service.accounts import accounts
from service.accounts.tokens import Caller
from service.errors import UnknownThing
from service.eventlog.store import Store
from service.games import rollbacks, visibility
from service.games.cursors import OVERLAP_MS, SentNotices
from service.games.games import Games
from service.games.shown import View
from service.games.store import LoadedGame
from service.games.streams import SILENCE_S, check_token
from service.games.visibility import seat_of
from service.redis.deleted import NAME
from service.times import in_ms, now_in_ms

PAIRED, STARTED, YOUR_TURN, OVER, INVITED, DECLINED, LOST, TOURNAMENT = NOTICES = (
    "paired",
    "started",
    "your_turn",
    "over",
    "invited",
    "declined",
    "lost",
    "tournament",
)
# anybody can cause these, under any name, or name the tournament
FROM_OTHERS = (INVITED, DECLINED, TOURNAMENT)
HOUR = 3_600_000  # milliseconds
SOON_S = 1.0  # seconds until the next try to send delayed notices


class Situation(TypedDict, total=False):
    """The members that notices and calls have in common."""

    player: Annotated[Player, "With `declined`: the player who was invited."]
    tournament: Annotated[str, "The tournament's id, with `paired` and `tournament`."]
    change: Annotated[
        str,
        choice(CHANGES),
        "With `tournament`. `begun`: it has started. `round`: a round was "
        "paired; only the creator and entrants with a bye get this (the others get `paired`). "
        "`removed`: the creator has removed `entrant`. `withdrawn`: `entrant` is not paired any "
        "more. `disqualified`: `entrant` is disqualified. `reinstated`: the disqualification of "
        "`entrant` is lifted. `last_round`: the creator has ended it, `round` is the last one. "
        "`ended`: it is over, see `ending`. Notices about one entrant go to that entrant and the "
        "creator.",
    ]
    name: Annotated[str, "The tournament's name, with `tournament`."]
    at: Annotated[Time, "When it happened, with `tournament`."]
    round: Annotated[Positive, "The number of the round, with `paired` and `tournament`."]
    board: Annotated[str, "The board of the round, with `round`."]
    bye: Annotated[bool, "True if you have a bye in the round, with `round`."]
    entrant: Annotated[Player, "The entrant whom it is about."]
    reason: Annotated[
        str,
        "Why: the creator's reason; `absent` if the service has withdrawn the entrant, as no "
        "action came. With `declined`: the reason of the invited player, or `expired`.",
    ]
    ending: Annotated[
        str,
        choice(ENDINGS),
        "How it ended, with `ended`: `complete`: all rounds were played; "
        "`too_few`: at the time of its start there were too few entrants; `ended`: the creator has "
        "ended it; `expired`: nobody has started it.",
    ]
    pool: Annotated[str, "The pairing's id, with `paired` by the pool."]
    version: Annotated[
        int,
        "The game's version; missing before the game starts. With `lost`, the version that is "
        "left, or 0 if none is.",
    ]
    previous_version: Annotated[Positive, "With `lost`: the version before the rollback."]
    view: Annotated[View, "The game as you may see it, with `your_turn`, `over` and `invited`."]
    by: Annotated[Player, "With `invited`: the player who invited you."]


class Notice(Situation):
    """A notice for an account about one of its games, or a tournament that it takes part in or
    organises."""

    type: Annotated[
        str,
        choice(NOTICES),
        "`paired`: a tournament or the pool has created a game for you. "
        "`started`: the first tickets are dealt. `your_turn`: the game waits for your decision. "
        "`over`: it is over. `invited`: a seat is reserved for you. `declined`: an invitation of "
        "yours was declined or has expired. `lost`: it was rolled back because a server lost "
        "entries; get it again. `tournament`: something has happened in a tournament, see "
        "`change`.",
    ]
    game: Annotated[
        str, "The game's id; with `tournament`, the tournament's id, as there may be no game."
    ]
    cursor: NotRequired[
        Annotated[
            str,
            "The cursor to resume from after this notice. If several notices come together, only "
            "the last has it.",
        ]
    ]


class NoticesJson(TypedDict):
    """A page of notices."""

    items: Annotated[list[Notice], "The notices."]
    next: Annotated[str, "The `after` of the next request."]


@dataclass(frozen=True)
class Fact:
    """A pending notice about a game: its type, the version since which it is true, 0 if that does
    not matter, and its time, in milliseconds since 1970. About an invitation, ``since`` is the
    seat; about a tournament, ``game`` is its id and ``since`` the number of the announcement."""

    type: str
    game: str
    since: int
    at: int


class NoticeSource(Protocol):
    """Notices of one type that are not about games, from another feature (``Games.notices``)."""

    type: str

    def index(self, player: str) -> str:
        """Return the key of the sorted set of everything that an account got such notices about, by
        the time of the last one."""

    def since(self, player: str, since: int) -> Iterator[tuple[Fact, dict]]:
        """Yield the notices to an account after a time, each with its fact."""

    def of(self, fact: Fact, player: str) -> dict | None:
        """Return the notice of a fact, None if it is no longer true."""


def facts(game: LoadedGame, player: str) -> Iterator[Fact]:
    """Yield the notices to an account that a game's present state leads to, in order."""
    state, seat = game.state, seat_of(game.state, player)
    if invitation := state.invitation_of(player):
        yield Fact(INVITED, state.id, invitation.seat, in_ms(game.created))
    if player == state.terms.creator:
        for closed, at in zip(state.closed_invitations, game.closed_at, strict=True):
            if closed.reason != "withdrawn":
                yield Fact(DECLINED, state.id, closed.seat, in_ms(at))
    if seat is None:
        return
    if state.terms.tournament or state.terms.pool:
        yield Fact(PAIRED, state.id, 0, in_ms(game.created))
    if state.was_begun:
        yield Fact(STARTED, state.id, 0, in_ms(game.started))
    if state.status == PLAYING and (since := game.since.get(seat)):
        yield Fact(YOUR_TURN, state.id, since[0], in_ms(since[1]))
    if state.status == FINISHED:
        yield Fact(OVER, state.id, 0, in_ms(game.updated))


def notice(
    games: Games, game: LoadedGame, player: str, fact: Fact, listed: Listed = "true"
) -> dict:
    """Return the notice of a fact about a game as the account receives it."""
    kind = fact.type
    shown = {"type": kind, "game": game.state.id, "version": game.state.version}
    if kind == PAIRED and (place := game.state.terms.tournament):
        return shown | {"tournament": place["id"], "round": place["round"]}
    if kind == PAIRED and (pairing := game.state.terms.pool):
        return shown | {"pool": pairing["id"]}
    if kind == DECLINED:
        [closed] = [one for one in game.state.closed_invitations if one.seat == fact.since]
        row = {"player": closed.player}
        games.store.deleted.hide([row])
        return shown | row | {"reason": closed.reason}
    if kind == INVITED:
        creator = accounts.some(games.redis, [game.state.terms.creator])
        shown["by"] = (
            creator[0].player.as_json()
            if creator
            else {"id": game.state.terms.creator, "name": NAME}
        )
    if kind in (YOUR_TURN, OVER, INVITED):
        return shown | {"view": visibility.Viewer(games, game, player).view(listed)}
    return shown


def lost_games(games: Games, player: str) -> Iterator[tuple[Fact, dict]]:
    """Yield the recent rollbacks of an account's games, each with its notice."""
    for game_id, rollback in rollbacks.rollbacks_of(games, player).items():
        yield (
            Fact(LOST, game_id, rollback["previous_version"], in_ms(rollback["at"])),
            {
                "type": LOST,
                "game": game_id,
                "version": rollback["version"],
                "previous_version": rollback["previous_version"],
            },
        )


def recorded(store: Store, player: str, since: int) -> Set[str]:
    """Return the recorded histories that an account has got notices of since a time. All that is
    newer than FOGG_KEEP_HOURS is still in Redis."""
    kept = now_in_ms() - settings.KEEP_HOURS.value() * HOUR
    return store.records.over(player, since) if since < kept else set()


class Notices:
    """The notices that one account receives over one connection."""

    def __init__(self, games: Games, player: str, cursor: str | None, listed: Listed = "true"):
        """``cursor``: that of the last notice that the account has received, None to begin now."""
        self._games, self._player, self._listed = games, player, listed
        # Notices of before are not sent if they are there at the first look. One that is seen later
        # is new: its time is that of a request, which may have taken a while to be stored.
        self._begin = 0 if cursor else now_in_ms()
        self._sent = SentNotices(cursor)
        self._is_first = True
        self._turns: dict[str, int] = {}  # game -> the version since which its decision is there
        self._waits: int | None = None  # the time of the first delayed notice
        self.following: set[str] = set()  # the account's games that are not over

    @property
    def cursor(self) -> str:
        return self._sent.cursor(self._waits)

    @property
    def is_behind(self) -> bool:
        """Whether notices are delayed because a cursor cannot name so many."""
        return self._waits is not None

    def unsent(self, games: set[str] | None = None) -> Iterator[dict]:
        """Yield the new notices about these games, by default about all, the earliest first."""
        if games is not None:
            yield from self._new(row for game in sorted(games) for row in self._of(game))
            return
        start, self._waits = now_in_ms(), None
        yield from self._rollbacks()
        yield from self._of_others()
        yield from self.unsent(
            self._ids("current")
            | self._ids("over", self._sent.since)
            | self._ids("invited")
            | self._ids("declined", self._sent.since)
            | recorded(self._games.store, self._player, self._sent.since)
        )
        self._is_first = False
        self._sent.move_on(start - 2 * OVERLAP_MS)

    def _ids(self, which: str, since: int = 0) -> set[str]:
        key = f"player:{self._player}:{which}"
        return {game.decode() for game in self._games.redis.zrangebyscore(key, since, "+inf")}

    def _of(self, game_id: str) -> Iterator[tuple[int, Fact, LoadedGame]]:
        """Yield (time, fact, game) for each notice about a game. Its stages come in their order."""
        try:
            game = self._games.get(game_id)
        except (UnknownThing, BrokenHistory):  # the notices about other games go on
            self.following.discard(game_id)
            return
        state = game.state
        if state.status == FINISHED or seat_of(state, self._player) is None:
            self.following.discard(game_id)
            self._turns.pop(game_id, None)
        else:
            self.following.add(game_id)
        at = 0
        for fact in facts(game, self._player):
            at = max(at, fact.at)
            yield at, fact, game

    def _new(self, pending: Iterable[tuple[int, Fact, LoadedGame]]) -> Iterator[dict]:
        for _, fact, game in sorted(pending, key=itemgetter(0)):
            is_new = self._is_turn_new if fact.type == YOUR_TURN else self._is_new
            if is_new(fact):
                yield notice(self._games, game, self._player, fact, self._listed)

    def _rollbacks(self) -> Iterator[dict]:
        """Yield the notices of rollbacks; later notices about these games are then sent again."""
        for fact, shown in lost_games(self._games, self._player):
            if self._is_new(fact):
                self._turns.pop(fact.game, None)
                self._sent.forget(OVER, fact.game)
                yield shown

    def _of_others(self) -> Iterator[dict]:
        pending = [
            row
            for source in self._games.notices
            for row in source.since(self._player, self._sent.since)
        ]
        for fact, shown in sorted(pending, key=lambda one: (one[0].at, one[0].since)):
            if self._is_new(fact):
                yield shown

    def _is_turn_new(self, fact: Fact) -> bool:
        if self._turns.get(fact.game) == fact.since:
            return False
        self._turns[fact.game] = fact.since
        return True

    def _is_new(self, fact: Fact) -> bool:
        """Return whether a notice was not sent yet and can be sent now, and note it as sent."""
        thing = (
            f"{fact.game}.{fact.at}"
            if fact.type == LOST
            else f"{fact.game}.{fact.at}.{fact.since}"
            if fact.type in (DECLINED, TOURNAMENT)
            else fact.game
        )
        if self._sent.has(fact.type, thing, fact.at):
            return False
        if self._sent.is_full(fact.at):
            self._waits = min(fact.at, self._waits or fact.at)
            return False
        self._sent.add(fact.type, thing, fact.at)
        return not self._is_first or fact.at > self._begin or fact.type == INVITED


def follow(
    games: Games,
    caller: Caller,
    cursor: str | None,
    silence: float = SILENCE_S,
    listed: Listed = "true",
) -> Iterator[tuple[list[dict], str]]:
    """Yield (notices, cursor): at once, and then whenever there are new notices, for ever. After
    ``silence`` seconds without any, yield (none, cursor)."""
    notices = Notices(games, caller.account.id, cursor, listed)
    own = {caller.account.id, caller.token}
    with games.news.follow(*own) as follower:
        woken: set[str] = set()
        looked_at: set[str] | None = None  # the games to look at, None for all
        while True:
            unsent = list(notices.unsent(looked_at))
            for game_id in notices.following - follower.topics:
                follower.add(game_id)
                unsent += notices.unsent({game_id})  # changes before it was followed
            for topic in follower.topics - notices.following - own:
                follower.drop(topic)
            if unsent or not woken:
                yield unsent, notices.cursor
            woken = follower.wait(SOON_S if notices.is_behind else silence)
            if caller.token in woken:
                check_token(games.redis, caller.token)
            looked_at = None if caller.account.id in woken or notices.is_behind else woken
