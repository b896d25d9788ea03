"""Trains a policy: it imitates ``planner``, then improves by playing against itself and earlier
versions of itself. docs/learning.md tells what came of it.

    .venv/bin/python simulator/examples/learned.py policy.npz --minutes 30

The network scores actions by ``fogg_simulator.features``; it is the same for all boards. All runs
on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from fogg_simulator import Simulator
from fogg_simulator.features import POSITION
from fogg_simulator.policy import Features, Policy
from fogg_simulator.rivals import rival_of

RANDOM = np.random.default_rng(1)  # of rivals
GAMES = 128  # of each board at once
IMITATED = 200  # games of planner on each board
HIDDEN = 64
BATCH = 24_000  # decisions for each improvement of the policy
EPOCHS, MINIBATCH = 3, 2_000
CLIP, LAMBDA, ENTROPY = 0.2, 0.97, 0.003
POINTS = 40  # points of margin that are a reward of 1


def choices(policy, rows, ends, random=None):
    """Return for each game the row that the policy likes best; with ``random``, one that it
    samples."""
    scores = policy.scores(rows)
    starts = np.r_[0, ends[:-1]]
    sizes = ends - starts
    if random is not None:
        scores = scores - np.log(-np.log(random.random(len(scores)) + 1e-12) + 1e-12)
    best = np.maximum.reduceat(scores, starts)
    places = np.flatnonzero(scores == np.repeat(best, sizes))
    return places[np.searchsorted(places, starts)]


def log_probabilities(scores, starts, sizes):
    most = np.repeat(np.maximum.reduceat(scores, starts), sizes)
    weights = np.exp(scores - most)
    total = np.repeat(np.add.reduceat(weights, starts), sizes)
    return scores - most - np.log(total)


class Adam:
    """The optimizer of Kingma and Ba."""

    def __init__(self, weights, rate):
        self.weights, self.rate, self.step = weights, rate, 0
        self.mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in weights.items()}

    def update(self, gradients):
        self.step += 1
        for name, gradient in gradients.items():
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient**2 - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.step)
            square = self.square[name] / (1 - 0.999**self.step)
            self.weights[name] -= self.rate * mean / (np.sqrt(square) + 1e-8)


def gradients(weights, rows, by_score):
    """Return the gradients of the weights, given those of the scores."""
    before = rows @ weights["hidden"] + weights["bias"]
    active = before > 0
    hidden = before * active
    by_hidden = (by_score[:, None] * weights["out"]) * active
    return {"hidden": rows.T @ by_hidden, "bias": by_hidden.sum(0), "out": hidden.T @ by_score,
            "direct": rows.T @ by_score}


def take(data, picked):
    """Return the rows of some decisions, where each begins, and how many rows it has."""
    starts, sizes = data["starts"][picked], data["sizes"][picked]
    firsts = np.r_[0, np.cumsum(sizes)[:-1]]
    index = np.repeat(starts - firsts, sizes) + np.arange(sizes.sum())
    return data["rows"][index], firsts, sizes


def imitate(policy, data, epochs, random):
    """Raise the probability of the actions that were chosen."""
    adam, count = Adam(policy.weights, 2e-3), len(data["starts"])
    for epoch in range(epochs):
        right, loss = 0, 0.0
        adam.rate = 2e-3 * (1 - epoch / epochs) + 1e-4
        order = random.permutation(count)
        for at in range(0, count, 1000):
            picked = order[at : at + 1000]
            rows, firsts, sizes = take(data, picked)
            scores = policy.scores(rows)
            logs = log_probabilities(scores, firsts, sizes)
            chosen = firsts + data["chosen"][picked]
            right += (scores[chosen] >= np.maximum.reduceat(scores, firsts)).sum()
            loss -= logs[chosen].sum()
            by_score = np.exp(logs)
            by_score[chosen] -= 1
            by_score = (by_score / len(picked)).astype(np.float32)
            adam.update(gradients(policy.weights, rows, by_score))
    return {"right": round(float(right / count), 3), "loss": round(float(loss / count), 3)}


def watch(boards, games, teacher="planner", policy=None, seed=10_000_000):
    """Return decisions of a built-in bot: in its own games, or in those of a policy."""
    found = defaultdict(list)
    for board in boards:
        played = Simulator(board, 2, min(GAMES, games), seed)
        bots, ways, done = rival_of(teacher, played), played.ways, 0
        while done < games:
            rows, actions, ends = played.features()
            starts = np.r_[0, ends[:-1]]
            chosen = bots(played, np.arange(len(ends)), RANDOM)
            step = list(chosen)
            if policy is not None:
                step = actions[choices(policy, rows, ends)].tolist()
            for game, action in enumerate(chosen):
                near = np.flatnonzero(actions[starts[game] : ends[game]] == action)
                if not near.size:
                    near = same_route(ways, actions[starts[game] : ends[game]], action)
                if near.size and ends[game] - starts[game] > 1:
                    found["rows"].append(rows[starts[game] : ends[game]].copy())
                    found["chosen"].append(near[0])
                found["missed"].append(not near.size)
            finished, _ = played.step(step)
            done += int(finished.sum())
    sizes = np.array([len(rows) for rows in found["rows"]])
    return {"rows": np.concatenate(found["rows"]), "sizes": sizes,
            "starts": np.r_[0, np.cumsum(sizes)[:-1]], "chosen": np.array(found["chosen"]),
            "missed": float(np.mean(found["missed"]))}


def same_route(ways, actions, action):
    """Return the places of the actions that do the same as one without a row, with another
    payment."""
    return np.flatnonzero((ways[actions][:, :2] == ways[action][:2]).all(axis=1))


def margins(policy, board, rival, deals, seats=2, seed=20_000_000):
    """Return the policy's margin in each deal, played once from each seat, against a rival: a
    built-in bot or a policy."""
    total = np.zeros((seats, deals))
    wins = np.zeros((seats, deals))
    for own in range(seats):
        simulator = Simulator(board, seats, deals, seed, restarts=False)
        bots = rival_of(rival, simulator) if isinstance(rival, str) else None
        while not simulator.finished.all():
            rows, actions, ends = simulator.features()
            starts = np.r_[0, ends[:-1]]
            going = np.flatnonzero(ends > starts)
            places = choices(policy, rows, ends[going])
            step = np.full(deals, -1)
            step[going] = actions[places]
            others = going[simulator.seat[going] != own]
            if bots:
                step[others] = bots(simulator, others, RANDOM)
            elif others.size:
                places = choices(rival, rows, ends[going])
                step[others] = actions[places[simulator.seat[going] != own]]
            simulator.step(step, step >= 0)
        scores = simulator.scores
        mine = scores[:, own]
        rest = (scores.sum(1) - mine) / (seats - 1)
        total[own] = mine - rest
        best = simulator.ranks == 1
        wins[own] = best[:, own] / best.sum(1)
    return total.mean(0), wins.mean(0)


def shown(values):
    """Return a mean, and half its 95 % interval."""
    reach = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return round(float(values.mean()), 3), round(float(reach), 3)


class Critic:
    """Estimates the margin to come from the features of a position."""

    def __init__(self, random):
        size = len(POSITION) + 2
        self.weights = {"w1": random.normal(0, 1 / np.sqrt(size), (size, 64)).astype(np.float32),
                        "b1": np.zeros(64, np.float32),
                        "w2": np.zeros(64, np.float32), "b2": np.zeros(1, np.float32)}
        self.adam = Adam(self.weights, 1e-3)

    def values(self, positions):
        hidden = np.maximum(positions @ self.weights["w1"] + self.weights["b1"], 0)
        return hidden @ self.weights["w2"] + self.weights["b2"][0]

    def learn(self, positions, targets):
        before = positions @ self.weights["w1"] + self.weights["b1"]
        active = before > 0
        off = (before * active) @ self.weights["w2"] + self.weights["b2"][0] - targets
        off = (off / len(off)).astype(np.float32)
        by_hidden = off[:, None] * self.weights["w2"] * active
        self.adam.update({"w1": positions.T @ by_hidden, "b1": by_hidden.sum(0),
                          "w2": (before * active).T @ off, "b2": off.sum(keepdims=True)})


class Collector:
    """Plays games of a policy with itself, in some against earlier versions of it, and keeps its
    decisions until their game is over."""

    def __init__(self, boards, seats, seed, random):
        self.games = [Simulator(board, count, GAMES, seed + 1_000_000 * n)
                      for n, (board, count) in enumerate((b, s) for b in boards for s in seats)]
        self.random = random
        self.going = [[[[] for _ in range(each.seats)] for _ in range(GAMES)]
                      for each in self.games]
        self.pool: list[Policy] = []  # earlier versions, the first one first
        self.rivals: list[list[Policy | None]] = [[None] * GAMES for _ in self.games]
        self.done: list = []
        self.margin: list[float] = []

    def collect(self, policy, critic, count):
        """Return so many decisions of games that are over, with their advantages and targets."""
        self.done, self.margin = [], []
        collected = 0
        while collected < count:
            for n, simulator in enumerate(self.games):
                collected += self._step(n, simulator, policy, critic)
        return self._joined()

    def _step(self, n, simulator, policy, critic):
        rows, actions, ends = simulator.features()
        starts = np.r_[0, ends[:-1]]
        sizes = ends - starts
        scores = policy.scores(rows)
        logs = log_probabilities(scores, starts, sizes)
        noisy = scores - np.log(-np.log(self.random.random(len(scores)) + 1e-12) + 1e-12)
        best = np.maximum.reduceat(noisy, starts)
        places = np.flatnonzero(noisy == np.repeat(best, sizes))
        places = places[np.searchsorted(places, starts)]
        learns = np.ones(GAMES, bool)
        rivals = [rival if seat == 0 else None
                  for rival, seat in zip(self.rivals[n], simulator.seat, strict=True)]
        for rival in {*rivals} - {None}:
            theirs = [game for game, other in enumerate(rivals) if other is rival]
            some, firsts, counts = take({"rows": rows, "starts": starts, "sizes": sizes}, theirs)
            found = choices(rival, some, firsts + counts, self.random)
            places[theirs], learns[theirs] = starts[theirs] + found - firsts, False
        board = np.zeros((GAMES, 2), np.float32)
        board[:, n % 2] = 1
        positions = np.concatenate([rows[starts][:, : len(POSITION)], board], axis=1)
        values = critic.values(positions)
        seats = simulator.seat.copy()
        for game in np.flatnonzero(learns):
            self.going[n][game][seats[game]].append((
                rows[starts[game] : ends[game]].copy(), places[game] - starts[game],
                logs[places[game]], values[game], positions[game]))
        finished, scores = simulator.step(actions[places])
        count = 0
        for game in np.flatnonzero(finished):
            for seat, decisions in enumerate(self.going[n][game]):
                rest = (scores[game].sum() - scores[game][seat]) / (simulator.seats - 1)
                if decisions:
                    self.done.append((decisions, (scores[game][seat] - rest) / POINTS))
                    count += len(decisions)
            self.margin.append(float(scores[game].mean()))
            self.going[n][game] = [[] for _ in range(simulator.seats)]
            self.rivals[n][game] = self._rival(game)
        return count

    def _rival(self, game):
        """Return who has seat 0 in a new game: in half of the games None, the policy itself, in a
        quarter the first version, in the others any earlier one."""
        if game % 2 or not self.pool:
            return None
        return self.pool[self.random.integers(len(self.pool)) if game % 4 else 0]

    def _joined(self):
        advantages, targets, flat = [], [], []
        for decisions, reward in self.done:
            values = np.array([decision[3] for decision in decisions] + [0.0])
            deltas = values[1:] - values[:-1]
            deltas[-1] += reward
            found, running = np.zeros(len(decisions)), 0.0
            for at in range(len(decisions) - 1, -1, -1):
                running = deltas[at] + LAMBDA * running
                found[at] = running
            advantages.append(found)
            targets.append(found + values[:-1])
            flat += decisions
        sizes = np.array([len(decision[0]) for decision in flat])
        return {
            "rows": np.concatenate([decision[0] for decision in flat]), "sizes": sizes,
            "starts": np.r_[0, np.cumsum(sizes)[:-1]],
            "chosen": np.array([decision[1] for decision in flat]),
            "logs": np.array([decision[2] for decision in flat], np.float32),
            "positions": np.array([decision[4] for decision in flat], np.float32),
            "advantages": np.concatenate(advantages).astype(np.float32),
            "targets": np.concatenate(targets).astype(np.float32)}


def improve(policy, critic, adam, data, random, learns_policy=True):
    """Change the policy towards what did better than expected (PPO), and the critic."""
    advantages = (data["advantages"] - data["advantages"].mean()) / data["advantages"].std()
    count, moved = len(advantages), []
    for _ in range(EPOCHS):
        order = random.permutation(count)
        for at in range(0, count, MINIBATCH):
            picked = order[at : at + MINIBATCH]
            critic.learn(data["positions"][picked], data["targets"][picked])
            if not learns_policy:
                continue
            rows, firsts, sizes = take(data, picked)
            logs = log_probabilities(policy.scores(rows), firsts, sizes)
            chosen = firsts + data["chosen"][picked]
            ratio = np.exp(logs[chosen] - data["logs"][picked])
            gain = advantages[picked]
            counts = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            weight = counts * gain * ratio
            chances = np.exp(logs)
            by_score = chances * np.repeat(weight, sizes)
            by_score[chosen] -= weight
            entropy = -np.add.reduceat(chances * logs, firsts)
            by_score += ENTROPY * chances * (logs + np.repeat(entropy, sizes))
            adam.update(gradients(policy.weights, rows,
                                  (by_score / len(picked)).astype(np.float32)))
            moved.append(float(np.mean(data["logs"][picked] - logs[chosen])))
    return np.mean(moved) if moved else 0.0


def check(boards):
    """Compare the compiled features with those that numpy alone computes."""
    for board in boards:
        simulator = Simulator(board, 2, 4, 1)
        features, random = Features(simulator.board, 2), np.random.default_rng(1)
        for _ in range(100):
            rows, actions, ends = simulator.features()
            observations, mask = simulator.observe()
            found, numbers = features.of(observations[0], mask[0])
            assert (numbers == actions[: ends[0]]).all()
            assert np.allclose(found, rows[: ends[0]], atol=1e-5)
            simulator.step(simulator.sample(random))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--boards", nargs="+", default=["usa", "europe"])
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--start", help="a policy to go on from, instead of imitating")
    parser.add_argument("--clone", help="the policy that imitates planner, with --start")
    parser.add_argument("--deals", type=int, default=60)
    options = parser.parse_args()
    if not Path(options.path).parent.is_dir():
        parser.error(f"there is no folder {Path(options.path).parent}")
    random, begun = np.random.default_rng(1), time.process_time()

    def report(**members):
        minutes = round((time.process_time() - begun) / 60, 2)
        print(json.dumps({"minutes": minutes} | members), flush=True)

    def judge(policy, rivals, deals):
        for board in options.boards:
            for rival in rivals:
                margin, wins = margins(policy, board, rival, deals)
                report(board=board, rival=rival, margin=shown(margin), wins=shown(wins))

    check(options.boards)
    report(checked=True)
    if options.start:
        policy = Policy.load(options.start)
    else:
        policy = Policy.new(HIDDEN, random)
        data = watch(options.boards, IMITATED)
        report(decisions=len(data["starts"]), missed=data["missed"], rows=len(data["rows"]))
        report(imitated=imitate(policy, data, 8, random))
        policy.save(options.path + ".clone.npz")
    policy.save(options.path)
    judge(policy, ["planner"], options.deals)
    collector, critic = Collector(options.boards, [2], 1, random), Critic(random)
    adam = Adam(policy.weights, options.rate)
    collector.pool = [Policy.load(options.clone or options.path)]
    improve(policy, critic, adam, collector.collect(policy, critic, BATCH), random, False)
    improve(policy, critic, adam, collector.collect(policy, critic, BATCH), random, False)
    round_, next_judged = 0, 4.0
    while (spent := (time.process_time() - begun) / 60) < options.minutes:
        adam.rate = options.rate * max(0.1, 1 - spent / options.minutes)
        if round_ % 15 == 0:
            now = Policy({name: weights.copy() for name, weights in policy.weights.items()})
            collector.pool = [*collector.pool[:1], *collector.pool[1:][-3:], now]
        data = collector.collect(policy, critic, BATCH)
        moved = improve(policy, critic, adam, data, random)
        explained = 1 - np.var(data["advantages"]) / np.var(data["targets"])
        if round_ % 5 == 0:
            report(round=round_, points=round(float(np.mean(collector.margin)), 1),
                   moved=round(float(moved), 4), explained=round(float(explained), 2))
        round_ += 1
        policy.save(options.path)
        if spent >= next_judged:
            next_judged += 5
            judge(policy, ["planner"], options.deals)
    judge(policy, ["planner"], 200)


if __name__ == "__main__":
    main()
