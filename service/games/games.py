"""What can be done with games: get, decide, append. HTTP is above, the store below."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from hmac import compare_digest

import orjson
from redis import Redis
from rq import Queue

from domain.board.board import Board
from domain.chance import SEED_BYTES
from domain.entry import Once
from domain.errors import FoggError, Refused
from domain.game.clock import ACT, action_for
from domain.game.commands import (
    AbortGame,
    Command,
    CreateGame,
    Fork,
    LeaveSeat,
    Player,
    StartGame,
    TakeSeat,
    TimeOut,
)
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import FINISHED, LOBBY, State
from domain.game.view import view
from domain.rules.forking import position_of
from service.accounts import accounts, bots
from service.accounts.accounts import Account
from service.errors import BadRequest, NotYours, Revoked, Stale, UnknownThing
from service.games import index
from service.games.clocks import GRACE, Clocks, is_timed
from service.store.games import GameStore, KnownGame
from service.store.news import News
from service.store.secret import service_secret
from service.store.store import Conflict
from service.times import as_time, in_ms, now, now_in_ms

LEASE = 5_000  # milliseconds a worker may be silent before its game's bots are called again
INVITED = 30 * 86_400  # seconds for which an invitation is remembered
TRIES = 50  # how often a decision is made anew because others were quicker


@dataclass(frozen=True)
class Games:
    """Everything that the application functions need."""

    store: GameStore
    news: News
    queue: Queue
    clocks: Clocks
    file: Callable[[Redis, KnownGame, State], None]  # puts a game where lists and records look
    # told of every append
    listeners: list[Callable[[KnownGame], None]] = field(default_factory=list)

    @property
    def redis(self) -> Redis:
        return self.store.redis

    @cached_property
    def secret(self) -> bytes:
        """The service's secret, from which invitation codes are made."""
        return service_secret(self.redis)

    def get(self, game_id: str) -> KnownGame:
        """Return a game as it is now."""
        return self.store.load(game_id)

    def get_for(self, viewer: str | None, game_id: str) -> KnownGame:
        """Return a game as it is now, if an account, by its id, or anybody, may look at it."""
        game = self.get(game_id)
        if not is_duplicate(game.state) or self.is_sealed(game.state):
            _check_sight(game.state, viewer)
        return game

    def is_sealed(self, state: State) -> bool:
        """Return whether others still play the deal of this game, so that nobody may learn its
        cards, though it be over."""
        return is_duplicate(state) and any(
            head is None or head["status"] != FINISHED
            for head in self.store.heads(state.tournament["games"]))

    def is_open_book(self, state: State, then: bool = False) -> bool:
        """Return whether a game has no secrets any more. ``then``: in the answer to the action that
        ended it, which is to be the same whenever it is asked for again."""
        is_kept = is_duplicate(state) and then
        return state.status == FINISHED and not (is_kept or self.is_sealed(state))

    def seen(
        self, game: KnownGame, viewer: str | None, with_legal_actions: bool = True, *,
        then: bool = False,
    ) -> dict:
        """Return a game as an account, or anybody, may see it: the API's view object. ``then``
        is for an answer that is to be the same whenever it is asked for again."""
        state = game.state
        shown = view(state, seat_of(state, viewer), with_legal_actions=with_legal_actions,
                     sealed=state.status == FINISHED and not self.is_open_book(state, then))
        if state.clock:
            deadlines = self.clocks.deadlines(game, in_ms(game.updated) if then else None)
            for row in shown["deciding"]:
                row["deadline"] = as_time(deadlines[row["seat"]])
            if state.clock.per_decision is None and state.was_begun:
                for seat, bank in zip(shown["seats"], game.banks, strict=True):
                    seat["bank"] = bank / 1000
        if state.visibility != "public" and viewer == state.creator:
            shown["invitation"] = self.invitation(state.id)
        return shown

    def invitation(self, game_id: str) -> str:
        """Return the code that lets people join a game that is not public."""
        return sha256(self.secret + f"\ninvitation\n{game_id}".encode()).hexdigest()[:20]

    def create(
        self, account: Account, board_id: str, seats: list[dict], options: dict,
        once: Once | None = None,
    ) -> KnownGame:
        """Set out a board; the game starts at once if no seat is open."""
        board = self.store.boards.get(board_id)
        if board is None:
            raise UnknownThing("board", board_id)
        return self._create(self._wish(account, seats, options, once), board, once)

    def fork(
        self, account: Account, origin: dict, seats: list[dict], options: dict,
        once: Once | None = None,
    ) -> KnownGame:
        """Go on from a position of a finished game, with other players perhaps."""
        if not self.is_open_book(self.get_for(account.id, origin["game"]).state):
            raise Refused("game-not-finished", "7", "only a finished game can be forked",
                          "fork.game")
        then = self.store.at(origin["game"], origin["version"]).state
        fork = Fork(then.id, then.version, origin["cards"], position_of(then))
        wish = replace(self._wish(account, seats, options, once), fork=fork, first_seat=None)
        return self._create(wish, then.board, once)

    def _wish(
        self, account: Account, seats: list[dict], options: dict, once: Once | None
    ) -> CreateGame:
        seed = options.get("seed")
        visibility = options.get("visibility", "public")
        return CreateGame(
            game=self.store.new_id(once),
            creator=account.id,
            seats=tuple(_seated(account, seat, row) for seat, row in enumerate(seats)),
            seed=bytes.fromhex(seed) if seed else secrets.token_bytes(SEED_BYTES),
            seed_known=bool(seed),
            first_seat=options.get("first_seat"),
            clock=options.get("clock"),
            on_timeout=options.get("on_timeout"),
            visibility=None if visibility == "public" else visibility,
            spectators=options.get("spectators", visibility != "private"),
        )

    def set_out(self, command: CreateGame, board: Board) -> KnownGame:
        """Create a game whose id is the same whenever it is asked for: if it is there, that one."""
        return self._create(command, board)

    def rematch(self, account: Account, game_id: str, once: Once | None = None) -> KnownGame:
        """Sit down for another game of the same players, each a seat further on; the first who
        asks creates it, and it starts once all have asked."""
        over = self.get_for(account.id, game_id).state
        seat = seat_of(over, account.id)
        if seat is None:
            raise NotYours("you had no seat in this game")
        if over.status != FINISHED:
            raise Refused("game-not-finished", "7", "the game is not over")
        key = f"{{g:{game_id}}}:rematch"
        new = self.store.new_id()
        if not self.redis.set(key, new, nx=True):
            new = self.redis.get(key).decode()
        count = len(over.players)
        turned = [over.players[(place - 1) % count] for place in range(count)]
        try:
            self.get(new)
        except UnknownThing:
            clock = over.clock and over.clock.as_json()
            self._create(CreateGame(
                game=new, creator=account.id,
                seats=tuple((bots.player(p.bot, place), None) if p and p.is_built_in else None
                            for place, p in enumerate(turned)),
                seed=secrets.token_bytes(SEED_BYTES),
                clock=clock and {k: v for k, v in clock.items() if k != "on_timeout"},
                on_timeout=clock and clock["on_timeout"],
                visibility="private" if over.visibility == "private" else "unlisted",
                spectators=over.spectators,
            ), over.board)
        place = (seat + 1) % count
        game = self.get(new)
        is_there = seat_of(game.state, account.id) == place
        if is_there and not (once and game.version_of(once)):
            return game
        return self._do(new, lambda _: (None, TakeSeat(account.player, seat=place)), once)[0]

    def join(
        self, account: Account, game_id: str, wish: dict, once: Once | None = None
    ) -> tuple[KnownGame, int]:
        """Take an open seat; return the game and the seat."""
        def allowed(game: KnownGame) -> tuple[None, Command]:
            state = game.state
            if state.visibility != "public" and not _takes_part(state, account.id):
                code = wish.get("invitation", "")
                if not compare_digest(code, self.invitation(game_id)):
                    if state.visibility == "private" and not state.spectators:
                        raise UnknownThing("game", game_id)
                    raise NotYours("joining this game takes an invitation")
            return None, TakeSeat(account.player, wish.get("entropy"), wish.get("seat"))

        game, entry = self._do(game_id, allowed, once)
        taken = next(e for e in entry["events"] if e["type"] == "seat_taken")
        return game, taken["seat"]

    def leave(self, account: Account, game_id: str, seat: int) -> KnownGame:
        """Free a seat in the lobby: one's own, or, for the creator, anybody's."""

        def allowed(game: KnownGame) -> tuple[int, Command]:
            state = game.state
            _check_sight(state, account.id)
            if seat not in state.seats:
                raise UnknownThing("seat", str(seat))
            player = state.players[seat]
            if player and account.id not in (player.id, state.creator):
                raise NotYours("this seat is another player's")
            return seat, LeaveSeat()

        return self._do(game_id, allowed)[0]

    def start(self, account: Account, game_id: str, once: Once | None = None) -> KnownGame:
        """Start with the players that are there; only the creator may."""
        return self._do(game_id, _by_creator(account, StartGame()), once)[0]

    def abort(self, account: Account, game_id: str, once: Once | None = None) -> KnownGame:
        """Call a game off before its first turn; only the creator may."""
        return self._do(game_id, _by_creator(account, AbortGame("aborted")), once)[0]

    def invite(self, account: Account, game_id: str, player_id: str) -> None:
        """Tell an account that it may join a game (``service.games.notices``)."""
        game = self.get_for(account.id, game_id)
        if not _takes_part(game.state, account.id):
            raise NotYours("only the creator and the players of a game may invite")
        if game.state.status != LOBBY:
            raise Refused("game-started", "2.2", "the game has begun, its seats are settled")
        accounts.get(self.redis, player_id)
        by = {"id": account.id, "name": account.name}
        key = f"player:{player_id}:invited"
        self.redis.hset(key, game_id, orjson.dumps({"by": by, "at": now()}))
        self.redis.expire(key, INVITED)
        self.news.tell(player_id)

    def act(
        self,
        account: Account,
        game_id: str,
        action: Command,
        once: Once | None = None,
        version: int | None = None,
        token: str | None = None,
    ) -> tuple[KnownGame, dict]:
        """Play an action on the caller's seat; return the game as it was then and the action's
        entry.

        The same key again is the same action, played once. ``version`` makes the action count
        only if the game is still there; raise Stale otherwise. ``token`` is the key of a token that
        was good a while ago: that it is not revoked is found out in the same step.
        """
        def decided(game: KnownGame) -> tuple[int, Command]:
            seat = seat_of(game.state, account.id)
            if seat is None:
                _check_sight(game.state, account.id)
                raise NotYours("you have no seat in this game")
            if version is not None and game.state.version != version:
                raise Stale(game.state.version, version)
            return seat, action

        return self._do(game_id, decided, once, token)

    def time_out(self, game_id: str) -> None:
        """Act, or resign, for a seat whose time is over; note when to look next."""
        game = self.get(game_id)
        deadlines = self.clocks.deadlines(game)
        late = [seat for seat, ms in deadlines.items() if ms + GRACE <= now_in_ms()]
        if not late:
            return self.clocks.file(game, deadlines, looked_at=True)
        seat, state = late[0], game.state
        acts = state.clock.on_timeout == ACT
        command = action_for(legal_actions(state, seat)) if acts else TimeOut()
        events, after = play(state, seat, command)
        timing = {"available": game.since[seat][1], "timed_out": True}
        try:
            self._append(game, events, after, seat, command, timing=timing)
        except Conflict:  # the seat or another process was quicker: look again
            return None

    def expire(self, game_id: str) -> None:
        """Call off a game that nobody has come to."""
        self._do(game_id, lambda game: (None, AbortGame("expired")))

    def _create(self, command: CreateGame, board: Board, once: Once | None = None) -> KnownGame:
        game = KnownGame(State(board))
        if once and (made := self.store.made(command.game, once)):
            return made
        events, state = play(game.state, None, command)
        self.store.keep_table(board)
        index.announce(self.redis, state)
        try:
            return self._append(game, events, state, once=once)
        except Conflict:  # the same request was under way twice
            return self.store.made(command.game, once) or self.get(command.game)

    def _do(
        self, game_id: str, decided: Callable[[KnownGame], tuple], once: Once | None = None,
        token: str | None = None,
    ) -> tuple[KnownGame, dict]:
        """Decide on the game and append, again if others were quicker; return the game as it is
        right after, and the entry. What was done already under the same key is not done again.

        What this process last saw of the game mostly is how it stands, so that is tried first: the
        append finds out if it is old, and a refusal counts only if it is not.
        """
        arrived = now_in_ms()
        game = self.store.last_known(game_id)
        for _ in range(TRIES):
            is_new = game is None
            game = game or self.get(game_id)
            try:
                if once and (version := game.version_of(once)):
                    self._check_token(token)
                    game = self.store.at(game_id, version)
                    return game, game.last
                seat, command = decided(game)
                events, state = play(game.state, seat, command)
                timed = is_timed(game, seat, command)
                timing = self.clocks.timing(game, seat, arrived) if timed else None
                game = self._append(game, events, state, seat, command, once, timing, token)
                return game, game.last
            except Conflict:
                game = None
            except FoggError:
                if is_new:
                    self._check_token(token)
                    raise
                game = None
        raise Refused("too-busy", "9", "others were quicker too often; try again")

    def _check_token(self, token: str | None) -> None:
        if token and not self.redis.exists(token):
            raise Revoked

    def _append(
        self,
        game: KnownGame,
        events: list,
        state: State,
        seat: int | None = None,
        command: object = None,
        once: Once | None = None,
        timing: dict | None = None,
        token: str | None = None,
    ) -> KnownGame:
        is_action = isinstance(command, Command)
        new, called = self.store.append(
            game, events, state,
            seat=seat if is_action or timing else None,
            action=command if is_action else None,
            once=once,
            timing=timing,
            lease=_lease(state, seat),
            token=token,
        )
        if not is_action or new.state.status != game.state.status:
            self.file(self.redis, new, game.state)
        if state.clock:
            self.clocks.file(new, self.clocks.deadlines(new, in_ms(new.updated)))
        if called:
            seat = bots_to_play(state)[0]
            bots.call(self.queue, state.id, state.players[seat].id)
        for listener in self.listeners:
            listener(new)
        return new


def seat_of(state: State, player: str | None) -> int | None:
    """Return the seat that an account, by its id, has in a game, None if it has none."""
    if player is None:
        return None
    return next((seat for seat, p in enumerate(state.players) if p and p.id == player), None)


def is_duplicate(state: State) -> bool:
    """Return whether a game's deal is played several times, by the same players on other seats."""
    return state.tournament is not None and not state.spectators


def bots_to_play(state: State) -> list[int]:
    """Return the seats of built-in bots that the game waits for."""
    return [seat for seat, _ in state.deciding() if state.players[seat].is_built_in]


def _takes_part(state: State, player: str | None) -> bool:
    return player is not None and (
        player == state.creator or seat_of(state, player) is not None)


def _check_sight(state: State, viewer: str | None) -> None:
    """Refuse those who may not look at a game; a private one does not exist for them."""
    if state.spectators or _takes_part(state, viewer):
        return
    if state.visibility == "private":
        raise UnknownThing("game", state.id)
    raise NotYours("this game is not open to spectators")


def _by_creator(account: Account, command: object) -> Callable[[KnownGame], tuple]:
    """Return the decision on what only the creator of a game may do."""
    def decided(game: KnownGame) -> tuple[None, object]:
        _check_sight(game.state, account.id)
        if account.id != game.state.creator:
            raise NotYours("only the creator of a game may do this")
        return None, command

    return decided


def _lease(state: State, seat: int | None) -> tuple[str, int] | None:
    if not bots_to_play(state):
        return None
    by_bot = seat is not None and state.players[seat].is_built_in
    return "refresh" if by_bot else "take", LEASE


def _seated(account: Account, seat: int, row: dict) -> tuple[Player, str | None] | None:
    if row.get("open"):
        return None
    if "bot" in row:
        if row["bot"] not in bots.BOTS:
            raise BadRequest(f"built-in bots are {', '.join(bots.BOTS)}", f"seats.{seat}.bot")
        return bots.player(row["bot"], seat), None
    return account.player, row.get("entropy")
