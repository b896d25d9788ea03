"""What ratings say of a game before it, against what came of it.

Bots of many levels, planners that play so many of their moves at random, have met in the arena, and
``calibration.json`` says what came of it. Games are drawn of these, rated one after the other as
the service does, and each was predicted before it was rated.
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import mean

import click
from openskill.models import PlackettLuce

from benchmarks.compare import show
from cli.offline.arena import Arena, results
from domain.skill import Rating, Skill, plain, predicted
from workers.bots.planner import Planner

PLAYED = Path(__file__).with_name("calibration.json")
PLOT = Path(__file__).parents[1] / "docs" / "calibration.svg"
GAMES, FIRST = 8000, 400  # drawn, and of them only rated: nothing is known yet
STEP = 0.05  # of the probability, in a row of the result
SIDE, EDGE = 360, 50
LEVELS = (0, 5, 10, 20, 35, 60)  # of a hundred moves so many are random
BOARDS = {"usa": 12, "london": 40}  # games of each pair


class Level(Planner):
    """The planner, now and then playing anything."""

    random = 0.0

    def __init__(self, board: dict, rng: Random):
        super().__init__(board, rng)
        self._chance = rng

    def choose(self, view: dict) -> dict:
        """Return one of the view's legal actions."""
        if self._chance.random() < self.random:
            return self._chance.choice(view["you"]["legal_actions"])
        return super().choose(view)


for level in LEVELS:
    globals()[f"Level{level}"] = type(f"Level{level}", (Level,), {
        "random": level / 100, "__module__": __name__})


def play(seed: int = 0) -> dict[str, list[float]]:
    """Return for "BOARD ONE OTHER" the share of the victory that the first had in each game."""
    bots = (*(f"benchmarks.calibration:Level{level}" for level in LEVELS), "greedy", "random")
    found: dict[str, list[float]] = {}
    for board, games in BOARDS.items():
        for pair in combinations(bots, 2):
            names = " ".join(bot.rpartition(":")[2] for bot in pair)
            found[f"{board} {names}"] = [dict(result.shares())[pair[0]] for result in results(
                Arena(pair, (board,), games, 2, seed=seed))]
    return found


def outcomes(played: dict[str, list[float]], seed: int = 1) -> list[tuple[float, float, float]]:
    """Return (what we, what openskill predicted for who was more likely to win, how much of the
    victory it had) for games drawn of those played."""
    chance, model, found = Random(seed), PlackettLuce(), []
    known: defaultdict[str, Rating] = defaultdict(lambda: Skill()[:2])
    for number in range(GAMES):
        pair = chance.choice([*played])
        names, share = pair.split(" ")[1:], chance.choice(played[pair])
        before = [known[name] for name in names]
        ours = predicted(before)[0]
        theirs = model.predict_win([[model.rating(*rating)] for rating in before])[0]
        if number >= FIRST:
            found.append((ours, theirs, share) if ours >= 0.5 else
                         (1 - ours, 1 - theirs, 1 - share))
        known |= zip(names, plain(before, [1 - share, share]), strict=True)
    return found


def by_step(
    found: list[tuple[float, float, float]], which: int
) -> list[tuple[float, float, int]]:
    """Return (predicted, observed, how many games) for each step of the probability."""
    steps = defaultdict(list)
    for row in found:
        steps[int(row[which] / STEP)].append((row[which], row[2]))
    return [(mean(p for p, _ in rows), mean(o for _, o in rows), len(rows))
            for _, rows in sorted(steps.items()) if len(rows) >= 50]


def measure(seed: int = 1) -> dict:
    """Return predicted against observed wins, and write the plot."""
    found = outcomes(json.loads(PLAYED.read_text()), seed)
    rows = {"Fogg": by_step(found, 0), "openskill's predict_win": by_step(found, 1)}
    PLOT.write_text(plot(rows))
    figures = {f"{who}, predicted {predicted:.2f} in {count} games": f"observed {observed:.2f}"
               for who, steps in rows.items() for predicted, observed, count in steps}
    for who, steps in rows.items():
        total = sum(count for *_, count in steps)
        figures[f"{who}, mean error"] = sum(
            abs(predicted - observed) * count for predicted, observed, count in steps) / total
    return {"benchmark": "calibration", "figures": figures}


def plot(rows: dict[str, list[tuple[float, float, int]]]) -> str:
    """Return the plot: what is on the line has come true."""
    def at(share: float) -> float:
        return (share - 0.5) * 2 * SIDE

    ink, colors = "#2b2a28", ("#00808f", "#c0562b")
    parts = [f'<path d="M{EDGE} {EDGE + SIDE}h{SIDE}M{EDGE} {EDGE + SIDE}v-{SIDE}" stroke="{ink}"/>'
             f'<path d="M{EDGE} {EDGE + SIDE}l{SIDE} -{SIDE}" stroke="#c9c2b4"/>']
    for share in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        parts += [f'<text x="{EDGE + at(share):.0f}" y="{EDGE + SIDE + 18}" text-anchor="middle">'
                  f"{share:.1f}</text>",
                  f'<text x="{EDGE - 8}" y="{EDGE + SIDE - at(share) + 4:.0f}" text-anchor="end">'
                  f"{share:.1f}</text>"]
    for number, (who, steps) in enumerate(rows.items()):
        color = colors[number]
        parts += [f'<circle cx="{EDGE + at(p):.1f}" cy="{EDGE + SIDE - at(o):.1f}" '
                  f'r="{2 + (count / 200) ** 0.5:.1f}" fill="{color}" fill-opacity="0.7">'
                  f"<title>{who}: predicted {p:.2f}, observed {o:.2f}, {count} games</title>"
                  "</circle>"
                  for p, o, count in steps]
        parts.append(f'<text x="{EDGE + 12}" y="{EDGE + 18 * number}" fill="{color}">{who}</text>')
    parts += [f'<text x="{EDGE + SIDE / 2:.0f}" y="{EDGE + SIDE + 40}" text-anchor="middle">'
              "predicted share of wins</text>",
              f'<text x="14" y="{EDGE + SIDE / 2:.0f}" text-anchor="middle" '
              f'transform="rotate(-90 14 {EDGE + SIDE / 2:.0f})">observed</text>']
    size = SIDE + 2 * EDGE
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" '
            f'height="{size}" font-family="sans-serif" font-size="13" fill="{ink}">\n'
            f"<title>Predicted against observed wins</title>\n"
            f'<rect width="{size}" height="{size}" fill="#fffdf7"/>\n' + "\n".join(parts)
            + "\n</svg>\n")


@click.command()
@click.option("--play", "is_played", is_flag=True, help="Play the games anew, in some minutes.")
@click.option("--seed", default=1, show_default=True, help="Which games are drawn.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def main(is_played: bool, seed: int, as_json: bool) -> None:
    """Compare predicted with observed wins, and write docs/calibration.svg.

    \b
    Example:
      python -m benchmarks.calibration
    """
    if is_played:
        PLAYED.write_text(json.dumps(play()) + "\n")
    show(measure(seed), as_json)


if __name__ == "__main__":
    main()
