"""Many games of one board, played out by the compiled policy, under the simulator's rules."""

import numpy as np
from fogg_simulator import Board, Simulator
from fogg_simulator.arrays import NONE, TUNNEL, TURN, Records
from fogg_simulator.simulator import load as load_board
from numpy.typing import NDArray

from workers.bots.search import kernel, minds
from workers.bots.search.minds import Mind
from workers.bots.search.styles import PLANNER, Style

MAX_CLAIMS, MAX_STATIONS = 12, 8  # to try
LAST = 2_000  # decisions after which a playout ends as it stands

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Playouts:
    """Memory for many games at once. ``style_of`` says by game and seat which of the ``styles`` the
    seat plays in, the first by default. ``chosen`` has the action that the policy chose last in
    each game."""

    def __init__(self, board: Board, seats: int, games: int, styles: Style):
        self.simulator = Simulator(board, seats, games, restarts=False)
        self.styles, self.style_of = styles, np.zeros((games, seats), np.int64)
        self._board, self._games = self.simulator.records
        self._minds = minds.new_minds(games, self.simulator.sizes)
        self._usual_minds = minds.new_minds(len(styles), self.simulator.sizes)  # by style
        self._room = minds.new_room(self._board[0], self.simulator.sizes)
        self.chosen = np.empty(games, np.int64)

    def think(
        self,
        task: np.int64,
        count: int,
        games: Records | None = None,
        seed: int = 0,
        chosen: Ints | None = None,
    ) -> None:
        kernel.think(
            task,
            self._board,
            self._games[:count] if games is None else games,
            self._minds[:count],
            self._room,
            self.styles,
            self.style_of[:count],
            self.simulator.mask[:count],
            self.simulator.seat[:count],
            self.chosen[:count] if chosen is None else chosen,
            seed,
        )

    def usual(self, style: int = 0, mind: Mind | None = None) -> int:
        """Return the action of the seat on turn in the first game in one of its styles, with a new
        plan. ``mind`` is its memory after its last decision, if known. Store its present memory;
        playouts in this style begin with it."""
        self.style_of[0] = style
        minds.forget(self._minds)
        if mind is None:
            self.think(kernel.CHOOSE, 1)  # for a plan, as the style depends on the last one
        else:
            self._minds[0] = mind
        self.renew_plans(self.simulator.seat[0])
        self.think(kernel.CHOOSE, 1)
        self._usual_minds[style] = self._minds[0]
        return int(self.chosen[0])

    def mind(self, style: int) -> Mind:
        return self._usual_minds[style].copy()

    def options(self, style: int, every_card: bool) -> list[int]:
        """Return the promising legal actions of the first game in a style: for each route and
        station one of the ways to pay, of the claims those of the plan and with the most points,
        and of the cards the one that helps the plan most, or ``every_card``."""
        self.style_of[0] = style
        record, game, mind = self._board[0], self._games[0], self._minds[0]
        others = self.simulator.mask[0].copy()
        if not every_card:  # they differ by less than playouts can tell where games are long
            others[: record["draw_tickets"]] = 0
        others[record["first_claim"][0] : record["do_pass"]] = 0
        if game["step"] == TUNNEL:
            others[record["withdraw"]] = 1
        options: list[int] = np.flatnonzero(others).tolist()
        if game["step"] == TURN:
            mind["stale"] = minds.OUTDATED
            routes, seat = int(record["routes"]), self.simulator.seat[0]
            actions = np.full(routes + record["locations"] + 1, NONE)
            self.think(kernel.OPTIONS, 1, chosen=actions)
            planned = {
                *mind["needed"][seat][: mind["needed_count"][seat]].tolist(),
                *mind["extra"][seat][: mind["extra_count"][seat]].tolist(),
            }
            ranked = sorted(
                np.flatnonzero(actions[:routes] != NONE).tolist(),
                key=lambda route: (route not in planned, -record["points"][route]),
            )
            options += actions[ranked[:MAX_CLAIMS]].tolist()
            stations = actions[routes:-1]
            options += stations[stations != NONE].tolist()[:MAX_STATIONS]
            options += actions[-1:][actions[-1:] != NONE].tolist()
        return options

    def renew_plans(self, seat: int) -> None:
        """Mark a seat's plan as outdated in all games in which it is at the start of its turn."""
        is_turn = (self.simulator.seat == seat) & (self._games["step"] == TURN)
        minds.renew_plans(self._minds, is_turn, seat)

    def put_aside(self, style: int, random: np.random.Generator) -> Records:
        """Return a copy of the first game; prepare guesses, if rivals played in this style."""
        self.style_of[0] = style
        self.think(kernel.SUPPOSE, 1, self._games[:1].copy(), int(random.integers(1 << 32)))
        return self._games[:1].copy()

    def worlds(self, seen: Records, seat: int, count: int, random: np.random.Generator) -> Records:
        """Return so many guesses of a game as a seat sees it."""
        worlds = np.repeat(seen, count)
        for pad in ("inner", "outer"):  # of the key of all later shuffles
            worlds[pad] = random.integers(1 << 32, size=(count, 8), dtype=np.uint32)
        self.simulator.seat[:count] = seat
        self.think(kernel.GUESS, count, worlds, int(random.integers(1 << 32)))
        return worlds

    def leads(
        self, worlds: Records, actions: Ints, styles: Ints, rivals: Ints, seat: int
    ) -> Floats:
        """Play each action in each world, and then the policy in that action's style, to the end.
        ``rivals`` has the styles of all rivals: a row for each world, a column for each seat.
        Return a seat's lead over its best rival: a row for each world."""
        count = len(worlds) * len(actions)
        games = self._games[:count]
        games[:] = np.repeat(worlds, len(actions))
        self.chosen[:count] = np.tile(actions, len(worlds))
        self.style_of[:count] = np.repeat(rivals, len(actions), axis=0)
        self.style_of[:count, seat] = np.tile(styles, len(worlds))
        self._minds[:count] = self._usual_minds[self.style_of[:count, seat]]
        self.play(count, seat)
        scores = self.simulator.scores[:count].astype(np.float64)
        own = scores[:, seat].copy()
        scores[:, seat] = -np.inf
        scores[:, : self.simulator.seats][games["left"][:, : self.simulator.seats] > 0] = -np.inf
        return (own - scores.max(axis=1)).reshape(len(worlds), len(actions))

    def play(self, count: int, seat: int) -> None:
        """Play the chosen actions in the first games, and then the policy, to the end. A seat makes
        a new plan at each of its turns; the others keep theirs while it can be completed."""
        for _ in range(LAST):
            self.simulator.advance(self.chosen, count)
            self.renew_plans(seat)
            self.think(kernel.CHOOSE, count)
            if (self.chosen[:count] == NONE).all():
                break


def run_once() -> None:
    """Call each compiled function once, so that it is compiled or loaded."""
    board = load_board("london")
    playouts = Playouts(board, 2, 1, PLANNER[None])
    playouts.usual()
