"""A learned policy: a small network that scores each legal action by its features.

It plays with numpy alone, in the simulator or, as a bot that chooses from views, on a service.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from domain.codec import Json
from fogg_simulator.arrays import Records, sizes
from fogg_simulator.chart import chart_of, ways_of, work_type
from fogg_simulator.features import NAMES, ROWS, describe
from fogg_simulator.views import Views, board_of

Rows = NDArray[np.float32]
MAX_WEIGHT = 1_000_000  # of a weight, so that scores stay finite
MAX_BYTES = 50_000_000  # of a file's arrays
BATCH = 32  # rows in a product: numpy would spread a larger one over several cores, which is slower


def fields(records: Records) -> SimpleNamespace:
    """Return the fields of a record as attributes. Whole numbers are Python's, which are faster,
    except where numpy's decide that a result has double precision."""
    numbers = {name: records[0][name] for name in records.dtype.names or ()}
    return SimpleNamespace(
        **{
            name: number.tolist()
            if number.dtype.kind in "iu"
            and number.ndim < 2
            and name not in ("count", "ticket_points")
            else number
            for name, number in numbers.items()
        }
    )


class Features:
    """The features of one position at a time, by numpy alone."""

    def __init__(self, board: Board, seats: int):
        size = sizes(board, seats)
        self._chart = fields(chart_of(board, seats))
        self._ways = ways_of(board, seats).astype(np.int64)
        self._work = fields(np.zeros(1, work_type(size)))
        self._work.values = np.zeros(len(self._work.values))
        self._work.rows = self._work.rows[:, : self._chart.width].copy()

    def of(
        self, observation: NDArray[np.int16], mask: NDArray[np.uint8]
    ) -> tuple[Rows, NDArray[np.int64]]:
        """Return the rows, a column for each of NAMES, and the number of each row's action."""
        rows = np.zeros((ROWS, len(NAMES)), np.float32)
        actions = np.zeros(ROWS, np.int64)
        count = describe(  # type: ignore[no-untyped-call]
            self._chart,
            self._ways,
            self._work,
            [observation.tolist()],
            mask[None],
            0,
            rows,
            actions,
            0,
        )
        return rows[:count], actions[:count]


class NoPolicy(ValueError):
    """A file that holds no policy for the features of this version."""


class Policy:
    """The weights of a network with one hidden layer, and a direct way past it, by name."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]):
        self.weights = weights

    @classmethod
    def new(cls, hidden: int, random: np.random.Generator) -> Policy:
        """Return a policy with random weights; at first it likes all actions equally."""
        first = random.normal(0, 1 / np.sqrt(len(NAMES)), (len(NAMES), hidden))
        return cls(
            {
                "hidden": first.astype(np.float32),
                "bias": np.zeros(hidden, np.float32),
                "out": np.zeros(hidden, np.float32),
                "direct": np.zeros(len(NAMES), np.float32),
            }
        )

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Policy:
        """Read a policy from a file. Raise NoPolicy, a ValueError, if it holds none that can be
        played, and OSError if it cannot be read."""
        weights = _arrays(path)
        if weights.pop("features", np.array([])).tolist() != list(NAMES):
            raise NoPolicy("it was not made for the features of this version")
        if missing := {"hidden", "bias", "out", "direct"} - weights.keys():
            raise NoPolicy(f"{' and '.join(sorted(missing))} should be in it")
        hidden = weights["out"].size
        for name, shape in (
            ("hidden", (len(NAMES), hidden)),
            ("bias", (hidden,)),
            ("out", (hidden,)),
            ("direct", (len(NAMES),)),
        ):
            if weights[name].shape != shape:
                raise NoPolicy(f"{name} should be an array of the shape {shape}")
            numbers = weights[name]
            if numbers.dtype.kind not in "fiu" or not (np.abs(numbers) <= MAX_WEIGHT).all():
                raise NoPolicy(f"{name} should be numbers from -{MAX_WEIGHT:,} to {MAX_WEIGHT:,}")
        return cls(weights)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the policy to a file with the ending .npz, whole or not at all."""
        beside = Path(f"{path}.new.npz")
        np.savez_compressed(beside, features=np.array(NAMES), **self.weights)  # type: ignore[arg-type]
        beside.replace(path)

    def scores(self, rows: Rows) -> Rows:
        if len(rows) > BATCH:
            return np.concatenate(
                [self.scores(rows[at : at + BATCH]) for at in range(0, len(rows), BATCH)]
            )
        weights = self.weights
        hidden = np.maximum(rows @ weights["hidden"] + weights["bias"], 0)
        scores: Rows = hidden @ weights["out"] + rows @ weights["direct"]
        return scores


def _arrays(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the arrays in a file, by name; raise NoPolicy if it is damaged, or no such file."""
    try:
        with Path(path).open("rb") as opened, np.load(opened) as file:
            if sum(member.file_size for member in file.zip.infolist()) > MAX_BYTES:
                raise NoPolicy(f"its arrays have more than {MAX_BYTES:,} bytes")
            return {name: np.asarray(file[name]) for name in file}
    except (OSError, NoPolicy):
        raise
    except Exception as error:  # numpy and zipfile raise many kinds
        raise NoPolicy("it is damaged, or no file that Policy.save writes") from error


class PolicyBot:
    """A bot that plays the action its policy likes best. Subclasses set ``policy``."""

    policy: Policy

    def __init__(self, board: Json, _rng: Random):
        """``board``: the table from the API. It uses no randomness."""
        self._board = board

    def choose(self, view: Any) -> Json:
        views, features = readers(self._board, len(view["seats"]))
        observation, mask = views.observation(view)
        rows, actions = features.of(observation, mask)
        best = int(actions[np.argmax(self.policy.scores(rows))])
        return views.action(best, views.offered(observation))


def bot_class(path: str) -> type[PolicyBot]:
    return type(Path(path).stem, (PolicyBot,), {"policy": Policy.load(path)})


_readers: dict[tuple[str, int], tuple[Views, Features]] = {}  # by a board's digest, and seats


def readers(described: Json, seats: int) -> tuple[Views, Features]:
    """Return the readers of a board's views; making them takes longer than a decision."""
    key = described["digest"], seats
    if key not in _readers:
        board = board_of(described)
        _readers[key] = Views(board, seats), Features(board, seats)
    return _readers[key]
