"""Whole games with everything that a stored history has: salts, times, a clock, hashes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

from domain.board.board import Board
from domain.boards import boards_by_digest, load_folder
from domain.entry import SALT_BYTES, IdempotencyKey, new_entry, salt_after, with_hash
from domain.game.clock import ACT, action_for
from domain.game.commands import ClaimRoute, Command, CreateGame, Player, Resign, TimeOut
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import PLAYING, State
from domain.game.timing import Times

BOARDS = load_folder()
BY_DIGEST = boards_by_digest()
START = 1_790_000_000_000  # milliseconds since 1970


@dataclass
class History:
    """A game being written down, as the service would; what is random is so by its seed."""

    board: Board
    random: Random
    entries: list[dict] = field(default_factory=list)
    state: State | None = None
    times: Times = field(default_factory=Times)
    now: int = START

    def play(self, seat: int | None, command: object, *, late: bool = False) -> None:
        """Append a command's events a while later; ``late``: the time is over, and the due event
        happens."""
        state = self.state or State(self.board)
        timed = state.clock and seat in self.times.since and type(command) is not Resign
        arrived = self.now + self.random.randint(1, 400)
        self.now = arrived + 3
        timing = {}
        if late:
            self.now += 10_000_000
            acts = state.clock.on_timeout == ACT
            command = action_for(legal_actions(state, seat)) if acts else TimeOut()
            timing = {"available": self.times.since[seat], "timed_out": True}
        elif timed:
            timing = {"available": self.times.since[seat], "arrived": written(arrived)}
            if self.random.random() < 0.05:
                self.now += 2000
                timing["paused"] = 1
        events, after = play(state, seat, command)
        salt, key, is_action = self.salt(after.version), None, isinstance(command, Command)
        if is_action:
            key = str(IdempotencyKey(*(self.random.randbytes(count).hex() for count in (16, 8))))
        entry = new_entry(
            after.version,
            written(self.now),
            events,
            salt=salt,
            timing=timing,
            seat=seat if is_action or timing else None,
            action=command.as_json() if is_action else None,
            command=key,
        )
        self.times = self.times.after(state, after, entry)
        self.state = after
        self.entries.append(with_hash(entry, self.entries[-1]["hash"] if self.entries else ""))

    def salt(self, version: int) -> str:
        if version == 1:
            return self.random.randbytes(SALT_BYTES).hex()
        return salt_after(self.entries[0]["salt"], version)

    def due(self, seat: int) -> Command:
        """Something that a seat may do now."""
        return hasty(self.state, seat, self.random)

    def play_on(self, chosen: Callable[[State, int, Random], Command] | None = None) -> History:
        while self.state.status == PLAYING:
            seat, _ = self.random.choice(self.state.deciding())
            self.play(seat, (chosen or hasty)(self.state, seat, self.random))
        return self


def written(ms: int) -> str:
    """A time as histories have it."""
    at = datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
    return at.replace("+00:00", "Z")


def hasty(state: State, seat: int, random: Random) -> Command:
    """The longest claim there is, else anything: a short game."""
    actions = legal_actions(state, seat)
    claims = [action for action in actions if type(action) is ClaimRoute]
    if claims and random.random() < 0.8:
        return max(claims, key=lambda claim: (sum(claim.cards.values()), random.random()))
    return random.choice(actions)


def player(number: int) -> Player:
    return Player(
        f"p_{number:020x}",
        ("Ada", 'Grace "H"', "Émilie\n", "Sofja \U0001f682", "Hypatia\u2028", "Mary")[number],
    )


def begun(
    board: str | Board = "usa", seats: int = 2, seed: int = 0, *, open_seats: int = 0, **options
) -> History:
    """Return a game that has been created, with the last seats open; ``board`` is a board, its
    id, or the digest of a former table."""
    random = Random(seed)
    history = History(
        board if isinstance(board, Board) else BOARDS.get(board) or BY_DIGEST[board], random
    )
    taken = tuple((player(seat), "a-b_" * seat or None) for seat in range(seats - open_seats))
    history.play(
        None,
        CreateGame(
            game=f"g_{random.randbytes(10).hex()}",
            creator=player(0).id,
            seats=taken + (None,) * open_seats,
            seed=random.randbytes(32),
            **options,
        ),
    )
    return history


def game(board: str = "usa", seats: int = 2, seed: int = 0, **options) -> list[dict]:
    return begun(board, seats, seed, **options).play_on().entries
