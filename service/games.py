"""What can be done with games: get, decide, append. HTTP is above, the store below."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from rq import Queue

from domain.chance import SEED_BYTES
from domain.commands import (
    Command,
    CreateGame,
    LeaveSeat,
    Player,
    TakeSeat,
    action_from_json,
)
from domain.errors import FoggError, Refused
from domain.game import play
from domain.state import State
from service import bots, index
from service.errors import BadRequest, KeyReused, NotYours, Stale, UnknownThing
from service.live import News
from service.players import new_id
from service.store import Conflict, Game, Store

LEASE = 5_000  # milliseconds a worker may be silent before its game's bots are called again
TRIES = 50  # how often a decision is made anew because others were quicker


@dataclass(frozen=True)
class Games:
    """Everything that the application functions need."""

    store: Store
    news: News
    queue: Queue

    def get(self, game_id: str) -> Game:
        """Return a game as it is now."""
        return self.store.load(game_id)

    def create(self, account: dict, board_id: str, seats: list[dict], options: dict) -> Game:
        """Set out a board; the game starts at once if no seat is open."""
        board = self.store.boards.get(board_id)
        if board is None:
            raise UnknownThing("board", board_id)
        seed = options.get("seed")
        command = CreateGame(
            game=new_id("g"),
            creator=account["id"],
            seats=tuple(_seated(account, seat, row) for seat, row in enumerate(seats)),
            seed=bytes.fromhex(seed) if seed else secrets.token_bytes(SEED_BYTES),
            seed_known=bool(seed),
            first_seat=options.get("first_seat"),
        )
        game = Game(State(board))
        events, state = play(game.state, None, command)
        self.store.keep_table(board)
        index.announce(self.store.redis, state)
        return self._append(game, events, state)

    def join(self, account: dict, game_id: str, entropy: str | None) -> Game:
        """Take the first open seat."""
        command = TakeSeat(_player(account), entropy)
        return self._do(game_id, lambda game: (None, command))

    def leave(self, account: dict, game_id: str, seat: int) -> Game:
        """Leave one's seat in the lobby."""

        def mine(game: Game) -> tuple[int, Command]:
            if seat not in game.state.seats:
                raise UnknownThing("seat", str(seat))
            player = game.state.players[seat]
            if player and player.id != account["id"]:
                raise NotYours("this seat is another player's")
            return seat, LeaveSeat()

        return self._do(game_id, mine)

    def act(
        self,
        account: dict,
        game_id: str,
        action: Command,
        key: str | None = None,
        version: int | None = None,
    ) -> tuple[Game, dict]:
        """Play an action on the caller's seat; return the game and the action's entry.

        The same ``key`` again is the same action, played once. ``version`` makes the action count
        only if the game is still there; raise Stale otherwise.
        """
        command_id = key and sha256(f"{account['id']}\n{key}".encode()).hexdigest()[:32]

        def decided(game: Game) -> tuple[int, Command]:
            seat = seat_of(game.state, account)
            if seat is None:
                raise NotYours("you have no seat in this game")
            if version is not None and game.state.version != version:
                raise Stale(game.state.version, version)
            return seat, action

        game = self._do(game_id, decided, command_id)
        version = game.commands.get(command_id, game.state.version)
        entry = game.last if version == game.state.version else self.store.entry(game_id, version)
        if action_from_json(entry["action"]) != action:
            raise KeyReused
        return game, entry

    def _do(
        self, game_id: str, decided: Callable[[Game], tuple], command_id: str | None = None
    ) -> Game:
        """Decide on the game and append, again if others were quicker.

        What this process last saw of the game mostly is how it stands, so that is tried first: the
        append finds out if it is old, and a refusal counts only if it is not.
        """
        game = self.store.kept(game_id)
        for _ in range(TRIES):
            is_new = game is None
            game = game or self.get(game_id)
            if command_id in game.commands:
                return game
            try:
                seat, command = decided(game)
                events, state = play(game.state, seat, command)
                return self._append(game, events, state, seat, command, command_id)
            except Conflict:
                game = None
            except FoggError:
                if is_new:
                    raise
                game = None
        raise Refused("too-busy", "9", "others were quicker too often; try again")

    def _append(
        self,
        game: Game,
        events: list,
        state: State,
        seat: int | None = None,
        command: Command | None = None,
        command_id: str | None = None,
    ) -> Game:
        is_action = isinstance(command, Command)
        new, called = self.store.append(
            game, events, state,
            seat=seat if is_action else None,
            action=command if is_action else None,
            command=command_id,
            lease=_lease(state, seat),
        )
        if not is_action or new.state.status != game.state.status:
            index.file(self.store.redis, state, new.created, was=game.state)
        if called:
            seat = bots_to_play(state)[0]
            bots.call(self.queue, state.id, seat, state.players[seat].bot)
        return new


def seat_of(state: State, account: dict | None) -> int | None:
    """Return the seat that an account has in a game, None if it has none."""
    if account is None:
        return None
    return next((s for s, p in enumerate(state.players) if p and p.id == account["id"]), None)


def bots_to_play(state: State) -> list[int]:
    """Return the seats of built-in bots that the game waits for."""
    return [seat for seat, _ in state.deciding() if state.players[seat].bot in bots.BOTS]


def _lease(state: State, seat: int | None) -> tuple[str, int] | None:
    if not bots_to_play(state):
        return None
    by_bot = seat is not None and state.players[seat].bot is not None
    return "refresh" if by_bot else "take", LEASE


def _player(account: dict) -> Player:
    return Player(account["id"], account["name"], account.get("bot"))


def _seated(account: dict, seat: int, row: dict) -> tuple[Player, str | None] | None:
    if row.get("open"):
        return None
    if "bot" in row:
        if row["bot"] not in bots.BOTS:
            raise BadRequest(f"built-in bots are {', '.join(bots.BOTS)}", f"seats.{seat}.bot")
        return bots.player(row["bot"], seat), None
    return _player(account), row.get("entropy")
