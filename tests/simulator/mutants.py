"""Faults put into the simulator's rules, one at a time: the comparison with the domain finds each.

``python -m tests.simulator.mutants`` tries all of them and prints the ones that were not found. The
rules run without being compiled, as that takes less time than to compile each. ``NAME ...`` tries
only those in files of these names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "simulator" / "fogg_simulator"
SECONDS = 240  # for one mutant
DIFFERS = 7  # the exit code of a search that has found a difference


class Mutant(NamedTuple):
    """A fault: in the file of that name, this text becomes another."""

    file: str
    text: str
    becomes: str


MUTANTS = (
    Mutant("chance", "<< np.uint64(32) | np.uint64(game.state[1, lane])",
           "<< np.uint64(32)"),
    Mutant("chance", "game.next_number += LANES", "game.next_number += LANES - 1"),
    Mutant("chance", "for i in range(count - 1, 0, -1):", "for i in range(count - 1, 1, -1):"),
    Mutant("chance", "at = write_number(game.text, at, number)", "pass"),
    Mutant("claiming", "return not board.doubles_closed and game.owner[twin] != seat",
           "return not board.doubles_closed"),
    Mutant("claiming", "return not board.doubles_closed and game.owner[twin] != seat",
           "return game.owner[twin] != seat"),
    Mutant("claiming", "most = min(best + hand[wild], game.trains[seat])",
           "most = best + hand[wild]"),
    Mutant("claiming", "if board.kind[route] != kind:", "if kind == NONE:"),
    Mutant("claiming", "(color - first) * length + wilds", "(color - first) * length"),
    Mutant("claiming", "fewest = max(board.ferry[route], length - hand[color])",
           "fewest = max(0, length - hand[color])"),
    Mutant("claiming", "min(hand[wild], length - 1) + 1", "min(hand[wild], length - 1)"),
    Mutant("claiming", "if hand[wild] >= length:", "if hand[wild] > length:"),
    Mutant("districts", "group = here", "pass"),
    Mutant("drawing", "WILDS_TOO_MANY = 3", "WILDS_TOO_MANY = 4"),
    Mutant("drawing", "return plain >= WILDS_TOO_MANY", "return plain >= 20"),
    Mutant("drawing", "whole_turn = color == board.wild", "whole_turn = False"),
    Mutant("drawing", "if color != board.wild or game.step == TURN:", "if True:"),
    Mutant("drawing", "fill_row(board, game, place)", "pass"),
    Mutant("drawing", "game.shuffles += 1", "pass"),
    Mutant("ending", "FEW_TRAINS = 2", "FEW_TRAINS = 3"),
    Mutant("ending", "for i in range(1, board.seats + 1):", "for i in range(1, board.seats):"),
    Mutant("ending", "if game.passes >= active(board, game):",
           "if game.passes > active(board, game):"),
    Mutant("flags", "POINTS = 4", "POINTS = 5"),
    Mutant("flags", "game.discards[board.color[route]] -= 1", "pass"),
    Mutant("flags", "if stripe != NONE and not game.flag[game.turn, stripe]:",
           "if stripe != NONE:"),
    Mutant("flags", "discard(board, game, seat)\n", "game.flag[seat] = 0\n"),
    Mutant("leaving", "drawing.fill_row(board, game, NONE)", "pass"),
    Mutant("leaving", "game.holder[ticket] = NONE", "pass"),
    Mutant("leaving", "return TURN_OVER if on_turn else GO_ON", "return TURN_OVER"),
    Mutant("leaving", "tickets.return_refused(board, game)", "game.refused_count[:] = 0"),
    Mutant("leaving", "ending.remove_final(game, seat)", "pass"),
    Mutant("network", "return max(best, total)", "return max(best, total - (odd == 2))"),
    Mutant("network", "left_out = (odd - (degree[at] & 1)) // 2 * shortest",
           "left_out = (odd + 2) // 2 * shortest"),
    Mutant("scoring", "return game.left[one] == 0 or (", "return game.left[one] != 0 or ("),
    Mutant("scoring", "for i in range(-1, board.tie_breaks):", "for i in range(-1, 0):"),
    Mutant("settling", "game.points[seat] += board.points[route]",
           "game.points[seat] += board.length[route]"),
    Mutant("setup", "offer_long(board, game)\n    shuffle", "shuffle"),
    Mutant("stations", "UNUSED = 4", "UNUSED = 3"),
    Mutant("stations", "and (a == location or b == location)", "and a == location"),
    Mutant("stations", "game.owner[other] != NONE and game.owner[other] != seat",
           "game.owner[other] != seat"),
    Mutant("stations", "count = game.built[seat] + 1\n    taking", "count = 1\n    taking"),
    Mutant("stations", "if game.stations[seat, i] == location:", "if False:"),
    Mutant("stations", "choice[:built] = NONE", "choice[:built] = NONE\n    built = min(built, 1)"),
    Mutant("taking", "max(0, game.taken[seat, color] - count)", "game.taken[seat, color]"),
    Mutant("tickets", "if bits >= keep:", "if bits > keep:"),
    Mutant("tickets", "game.ticket_deck[game.ticket_count] = game.refused[seat, i]",
           "game.ticket_deck[game.ticket_count] = game.refused[seat, 0]"),
    Mutant("tickets", "points -= board.ticket_points[ticket]", "pass"),
    Mutant("tunnels", "TURNED = 3", "TURNED = 2"),
    Mutant("tunnels", "game.extra += card == color or card == board.wild",
           "game.extra += card == color"),
    Mutant("tunnels", "game.discards[game.turned[at]] += 1", "pass"),
    Mutant("tunnels", "copy(game.taken[game.turn], game.taken_before)", "pass"),
    Mutant("tunnels", "mask[board.withdraw] = 1", "pass"),
)


def path(mutant: Mutant, package: Path = PACKAGE) -> Path:
    """Return the file that a mutant changes."""
    return package / "rules" / f"{mutant.file}.py"


def is_found(mutant: Mutant) -> bool:
    """Return whether the comparison finds a mutant."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "fogg_simulator"
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
        file = path(mutant, package)
        file.write_text(file.read_text().replace(mutant.text, mutant.becomes))
        paths = os.pathsep.join([folder, str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        try:
            done = subprocess.run(
                [sys.executable, "-m", "tests.simulator.uncompiled"], cwd=ROOT,
                env=os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
                capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False
    if done.returncode not in (0, DIFFERS):
        print(done.stderr, file=sys.stderr)
    return done.returncode == DIFFERS


def main(files: list[str]) -> None:
    """Try the mutants; exit with an error if one is not found."""
    chosen = [mutant for mutant in MUTANTS if not files or mutant.file in files]
    missed = []
    for mutant in chosen:
        found = is_found(mutant)
        print("found " if found else "MISSED", mutant.file, repr(mutant.becomes), flush=True)
        missed += [] if found else [mutant]
    print(f"{len(chosen) - len(missed)} of {len(chosen)} mutants were found")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main(sys.argv[1:])
