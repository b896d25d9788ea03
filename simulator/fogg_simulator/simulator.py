"""Many games of one board at once, played by the compiled rules."""

from functools import cached_property
from hashlib import sha256
from operator import index
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from domain import boards
from domain.board.board import Board
from domain.codec import Json
from fogg_simulator import arrays, fold, records, tables, view, worlds
from fogg_simulator.actions import Actions
from fogg_simulator.arrays import NONE, RANK, RESULT
from fogg_simulator.compiled import rules_digest
from fogg_simulator.layout import layout, size_of
from fogg_simulator.rendering import MODES, Rendered
from fogg_simulator.rules import flags, stations
from fogg_simulator.threads import cores, in_parts, parts
from fogg_simulator.views import Views

SEED_BYTES, STAMP_BYTES, CHECKSUM_BYTES = 32, 16, 4


class IllegalAction(ValueError):
    """An action that the rules do not allow now; nothing was played in any game."""


class Simulator:
    """Games of one board, all with the same number of seats.

    The arrays are changed in place; what a method returns is valid until the next step. By game:
    ``seat`` (who decides next), ``mask`` (1 for each legal action), ``scores`` by seat, and
    ``finished``: whether the game ended with the last step; if games do not begin again, whether it
    is over.
    """

    def __init__(
        self,
        board: Board | str,
        seats: int = 2,
        games: int = 1,
        seed: int = 0,
        *,
        restarts: bool = True,
        threads: int | None = None,
    ):
        """``board`` is the name of one of Fogg's boards, the path of a table, or a Board. Game i
        begins with the seed ``seed + i``. A game that is over begins again, with a seed that is
        larger by ``games``, unless ``restarts`` is False. ``step``, ``observe`` and ``features``
        use so many threads, by default one for each core; the results are the same. Raise
        NotCompiled for a board with a rule that has no compiled counterpart."""
        self.board = board if isinstance(board, Board) else load(board)
        if seats not in self.board.players:
            least, most = self.board.players[0], self.board.players[-1]
            raise ValueError(f"{self.board.name} is for {least} to {most} players, not {seats}")
        if threads is not None and threads < 1:
            raise ValueError(f"there is at least 1 thread, not {threads}")
        self.seats = seats
        size = arrays.sizes(self.board, seats)
        self.sizes = size
        self._tables = tables.tables(self.board, seats, size)
        self._actions = Actions(self.board, self._tables)
        self._games: arrays.Records = np.zeros(games, arrays.game_type(size))
        self._stride = games if restarts else 0
        self._seeds = np.zeros((games, SEED_BYTES), np.uint8)
        self._results = np.zeros((games, seats, len(RESULT)), np.int64)
        self.actions = int(self._tables.record[0]["actions"])
        self.mask = np.zeros((games, self.actions), np.uint8)
        self.seat = np.zeros(games, np.int32)
        self.scores = np.zeros((games, seats), np.int32)
        self.finished = np.zeros(games, np.bool_)
        self._rows: Any = None
        self._parts = parts(games, cores() if threads is None else threads)
        self._layout = layout(self.board, seats)
        self._largest = records.largest(self.board, self._tables.record[0])
        self._observation = np.zeros((games, size_of(self._layout)), np.int16)
        stamp = f"{rules_digest()} {self.board.digest} {seats}".encode()
        self._stamp = sha256(stamp).digest()[:STAMP_BYTES]
        for game in range(games):
            self._seeds[game] = as_bytes(seed + game)
        self._run(np.full(games, fold.BEGIN, np.int64), slice(games))

    def __len__(self) -> int:
        return len(self._games)

    def _run(self, chosen: NDArray[np.int64], part: slice, *, brief: bool = False) -> None:
        """Play or begin some of the games, by an action for each of them."""
        fold.run(
            self._tables.record,
            self._tables.ways,
            self._games[part],
            chosen,
            self._seeds[part],
            self._stride,
            self.mask[part],
            brief,
            self.seat[part],
            self.scores[part],
            self.finished[part],
            self._results[part],
        )

    def _run_one(self, game: int, chosen: int) -> None:
        first = range(len(self))[game]
        self._run(np.array([chosen], np.int64), slice(first, first + 1))

    @property
    def records(self) -> tuple[arrays.Records, arrays.Records]:
        """The board's record (an array of length 1) and those of the games, which hold all secrets:
        for compiled policies (``arrays``)."""
        return self._tables.record, self._games

    def advance(self, actions: NDArray[np.int64], count: int | None = None) -> None:
        """Play one action in each of the first games, all by default, without checking that it is
        legal; NONE (-1) plays nothing. The masks then lack claims and stations, which take most of
        the time, and may allow to pass instead."""
        chosen = actions[:count]
        self._run(chosen, slice(len(chosen)), brief=True)

    def step(
        self, actions: ArrayLike, games: ArrayLike = True
    ) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        """Play one action in each game, or in those that ``games`` is true for; return ``finished``
        and ``scores``.

        Raise IllegalAction if any action is illegal, and TypeError if they are not whole
        numbers; nothing is played then. The scores of a game that has finished are its final ones;
        its mask is then that of the next game, or empty if games do not begin again.
        """
        chosen = as_actions(actions)
        if chosen.shape != (len(self),):
            raise ValueError(f"there are {len(self)} games, not {chosen.shape}")
        played = np.where(chosen < 0, self.actions, chosen)  # only here NONE is no action
        if games is not True:
            if (among := np.asarray(games)).dtype != np.bool_:
                raise TypeError("games should say True or False of each game")
            played[~np.broadcast_to(among, chosen.shape)] = NONE
        if (game := fold.first_illegal(played, self.mask)) != NONE:
            inside = 0 <= (action := int(chosen[game])) < self.actions
            what = (
                "the game is over"
                if self.finished[game] and not self._stride
                else self.describe(action)
                if inside
                else "no action of this board"
            )
            raise IllegalAction(f"in game {game}, action {action} is not legal: {what}")
        in_parts(lambda _, part: self._run(played[part], part), self._parts)
        return self.finished, self.scores

    def observe(self) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
        """Return the observation of the seat that decides, and the mask, by game. ``layout`` names
        what is where. The arrays are the same ones at every call."""
        in_parts(self._observe, self._parts)
        return self._observation, self.mask

    def _observe(self, _: int, part: slice) -> None:
        view.observe(
            self._tables.record, self._games[part], self.seat[part], self._observation[part]
        )

    def observe_as(self, game: int, seat: int) -> NDArray[np.int16]:
        one = slice(index := range(len(self))[game], index + 1)
        row = np.zeros((1, self._observation.shape[1]), np.int16)
        view.observe(
            self._tables.record,
            self._games[one],
            np.array([range(self.seats)[seat]], np.int32),
            row,
        )
        observation: NDArray[np.int16] = row[0]
        return observation

    @cached_property
    def views(self) -> Views:
        return Views(self.board, self.seats)

    def view(self, game: int, seat: int | None = None) -> Json:
        """Return the API's view of a game for a seat, by default the one to act, as ``Views.view``
        does; of a game that is over and stays so, with each seat's ``result``."""
        seat = int(self.seat[game]) if seat is None else range(self.seats)[seat]
        shown = self.views.view(
            self.observe_as(game, seat), self.mask[game] * (seat == self.seat[game])
        )
        if shown["status"] == "finished":
            for row, result in zip(shown["seats"], self.results(game), strict=True):
                row["result"] = result
        return shown

    def render(self, game: int = 0, seat: int | None = None, mode: str = "svg") -> Rendered:
        """Return a game as a seat sees it, by default the one to act: a picture (``svg``), which a
        notebook shows, or text (``ansi``). The picture has no secrets of any seat."""
        if mode not in MODES:
            raise ValueError(f"there is no render mode {mode}; there are {', '.join(MODES)}")
        return Rendered(MODES[mode](self.board, self.view(game, seat)))

    @property
    def most_points(self) -> int:
        """An upper bound of margins: a score less the mean of the others'."""
        board, record = self.board, self._tables.record[0]
        routes = sum(board.points[route.length] + flags.POINTS for route in board.routes)
        tickets = sum(ticket.points for ticket in board.tickets)
        bonuses = record["longest_path_bonus"] + record["globetrotter_bonus"]
        return int(
            routes
            + tickets
            + bonuses
            + record["district_points"].sum()
            + stations.UNUSED * record["stations"]
        )

    @property
    def ways(self) -> NDArray[np.int16]:
        """A row for each action, of five numbers. The first is its kind (``arrays.DRAW`` ...). The
        second is its route, location or card, or the tickets as bits. The third is the colour, the
        fourth the number of wilds. The fifth is the number of cards; for a claim it is 1 if a card
        for the flag is kept."""
        return self._tables.ways

    def features(self) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
        """Return features of the legal actions, a column for each of ``features.NAMES``: the rows
        of all games one after the other, the number of each row's action, and where the rows of
        each game end. Actions that differ only in a worse payment have no row. The arrays are the
        same ones at every call. The first call ever compiles for half a minute."""
        from fogg_simulator import compiling

        if self._rows is None:
            self._rows = compiling.Rows(  # type: ignore[no-untyped-call]
                self.board, self.seats, len(self), self._parts
            )
        rows, actions, ends = self._rows.of(self._observe, self._observation, self.mask)
        return rows, actions, ends

    def layout(self) -> dict[str, slice]:
        """Return where each part of an observation is, by its name (docs/simulator.md)."""
        return dict(self._layout)

    def save(self, game: int) -> bytes:
        """Return a game as bytes for ``load``, of this version, board and number of seats."""
        state = bytes(self._games[game].tobytes()) + self.seed(game)
        return self._stamp + crc32(state).to_bytes(CHECKSUM_BYTES) + state

    def load(self, game: int, state: bytes) -> None:
        """Replace a game by one that was saved here, or in another Simulator of the same board.
        Where games begin again, a finished one does so at once."""
        size, start = self._games.itemsize, STAMP_BYTES + CHECKSUM_BYTES
        if len(state) != start + size + SEED_BYTES or state[:STAMP_BYTES] != self._stamp:
            raise ValueError("this is no game of the same board, number of seats and version")
        if crc32(state[start:]) != int.from_bytes(state[STAMP_BYTES:start]):
            raise ValueError("this game was damaged after it was saved")
        self._games[game] = np.frombuffer(state, self._games.dtype, 1, start)[0]
        self._seeds[game] = np.frombuffer(state, np.uint8, SEED_BYTES, start + size)
        self._run_one(game, int(NONE))

    def put(self, game: int, observation: NDArray[np.int16]) -> None:
        """Replace a game by one that looks the same to the observer of an observation, who then is
        to act. ``determinize`` shuffles what it cannot see. docs/simulator.md says how members that
        a view does not show are set. Raise ValueError, and change nothing, if no game under way on
        this board looks like this."""
        records.check(observation, self._largest, self._layout)
        record = np.zeros_like(self._games[:1])
        records.fill(record[0], self.board, self._tables.record[0], observation)
        self._games[game] = record[0]
        self._run_one(game, int(NONE))

    def determinize(self, game: int, seed: int | bytes) -> None:
        """Deal again the cards and tickets that the deciding seat does not see, so that it cannot
        tell this world from the true one. The seed also decides all later shuffles."""
        one = slice(index := range(len(self))[game], index + 1)
        worlds.determinize(
            self._tables.record, self._games[one], int(self.seat[game]), as_bytes(seed)
        )

    def sample(self, random: np.random.Generator) -> NDArray[np.int64]:
        """Return a random legal action of each game, NONE (-1) in one that is over."""
        actions = np.empty(len(self), np.int64)
        view.sample(self.mask, random.random(len(self)), actions)
        return actions

    def resign(self, game: int, seat: int) -> None:
        """Resign a seat for good, also when it is not its turn (8.2)."""
        record, seat = self._games[game], range(self.seats)[seat]
        if record["step"] == arrays.FINISHED or record["left"][seat]:
            raise IllegalAction(f"in game {game}, seat {seat} is no longer in play")
        self._run_one(game, self.actions + seat)

    def begin(self, game: int, seed: int | bytes) -> None:
        """Begin a game with a seed: a number, or the 32 bytes of a game of the service whose seats
        added no entropy of their own."""
        self._seeds[game] = as_bytes(seed)
        self._run_one(game, fold.BEGIN)

    def seed(self, game: int) -> bytes:
        """Return the seed of a game as the service has it: 32 bytes."""
        return bytes(self._seeds[game])

    def describe(self, action: int) -> str:
        """Return an action's description in words; raise IndexError if there is no such action."""
        return self._actions.describe(action)

    def action(self, game: int, action: int) -> Json:
        """Return an action as the service takes it, as JSON; raise IndexError if there is none."""
        record, seat = self._games[game], self.seat[game]
        offered = record["offered"][seat][: record["offered_count"][seat]]
        return self._actions.json(action, offered.tolist())

    def results(self, game: int) -> list[dict[str, int]]:
        """Return each seat's result in the game that finished last, as the service shows it; parts
        that the board does not have are 0."""
        return [dict(zip(RESULT, row, strict=True)) for row in self._results[game].tolist()]

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Each seat's rank in the games that finished last; 1 is the best."""
        return self._results[:, :, RANK]


def load(board: str) -> Board:
    """Return one of Fogg's boards by its name, or that of a table's path."""
    shipped = boards.load_folder()
    if board in shipped:
        return shipped[board]
    if not Path(board).is_file():
        raise ValueError(
            f"there is no board {board}, and no such file; Fogg's own boards are "
            f"{', '.join(shipped)}"
        )
    return boards.load(board)


def as_bytes(seed: int | bytes) -> NDArray[np.uint8]:
    """Return a seed as 32 bytes; a number's last digit is the last byte."""
    if isinstance(seed, bytes):
        data = seed
    elif 0 <= (number := index(seed)) < 1 << 8 * SEED_BYTES:
        data = number.to_bytes(SEED_BYTES)
    else:
        raise ValueError(f"a seed is from 0 to 2**{8 * SEED_BYTES} - 1, not {number}")
    if len(data) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(data)}")
    return np.frombuffer(data, np.uint8)


def as_actions(actions: ArrayLike) -> NDArray[np.int64]:
    """Return actions as whole numbers; raise TypeError if they are others."""
    chosen = np.asarray(actions)
    if chosen.dtype.kind not in "iu" and chosen.size:
        raise TypeError("actions should be whole numbers")
    return chosen.astype(np.int64, copy=False)
