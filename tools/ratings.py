"""Computes the ratings of a service again, from the histories on standard input, as docs/ratings.md
describes them: overall, or on the board of which the histories are, if one is named.

This is a second implementation, to compare the service with. It needs only openskill, and shares no
code with the service.
"""

import json
import math
import sys
from collections import Counter, defaultdict
from itertools import combinations

from openskill.models import PlackettLuce

BOARDS = ["usa", "usa-10th", "europe", "london", "paris"]
STRENGTHS = {
    "random": (-10,) * 5,
    "greedy": (0, 0, 0, 0, 3),
    "planner": (25,) * 5,
    "learned": (29, 30, 26, 13, 1),
    "expert": (54, 47, 47, 37, 55),
}  # mu on these boards
# seconds for a decision, as in GET /v1/bots
CLOCKS = {"random": 0.5, "greedy": 0.5, "planner": 0.5, "learned": 1.0, "expert": 2.0}
model = PlackettLuce()
games = {game["game"]: game for game in map(json.loads, filter(str.strip, sys.stdin))}
ratings, shown, met, last = defaultdict(model.rating), Counter(), Counter(), {}


def first(game):
    return game["entries"][0]["events"][0]


def deal(game):
    place = first(game).get("tournament") or first(game).get("pool") or {}
    return place.get("games", [game["game"]])


def counts(game):
    return max(games[other]["finished"] for other in deal(game)), game["game"]


def is_built_in(player):
    return "bot" in player and "owner" not in player


def account(player, game):
    if not is_built_in(player):
        return player["id"]
    is_apart = first(game).get("rating_rules", 1) > 3 and len(sys.argv) == 1
    name = player["name"] + (f":{game['board']}" if is_apart else "")
    if is_apart and name not in ratings and player["name"] in STRENGTHS and game["board"] in BOARDS:
        mu = STRENGTHS[player["name"]][BOARDS.index(game["board"])]
        ratings[name] = model.rating(mu, 25 / 12)
    return name


def has_fixed_first_seat(game):
    seat = first(game).get("first_seat")
    closed = [
        event
        for entry in game["entries"]
        for event in entry["events"]
        if event["type"] == "open_seats_closed"
    ]
    return seat is not None and all(seat in event["seats"] for event in closed)


def is_rated(players, game):
    created = first(game)
    place = created.get("tournament", {})
    clock = {
        of: round(1000 * limit)  # clocks run in whole milliseconds
        for of, limit in created.get("clock", {"per_decision": 1e9}).items()
    }
    pace = clock.get("per_decision") or clock["bank"] / 100 + clock.get("increment", 0)
    pace = min(pace, clock.get("total", math.inf) / 100) / 1000
    owners = {player.get("owner") or player.get("bot") or player["id"] for player in players}
    rules = created.get("rating_rules", 1)
    least = 0.5 if rules > 1 else 0
    longest = 100 * clock.get("per_decision", clock.get("increment", 0)) + clock.get("bank", 0)
    may_last = (
        rules > 2
        and "clock" in created
        and not (place and rules == 3)
        and min(longest, clock.get("total", longest)) > (86_400_000 if rules == 3 else 7_200_000)
    )
    is_chosen = rules > 3 and not place and "pool" not in created and has_fixed_first_seat(game)
    return (
        len(owners) == len(players)
        and not created["seed_known"]
        and not is_chosen
        and place.keys().isdisjoint(["entry", "visibility"])
        and (len(players) > 2 or place.get("owners", 4) >= 4)
        and "test" not in created.get("pool", {})
        and not (may_last and any(map(is_built_in, players)))
        and all(pace >= max(least, CLOCKS.get(player.get("bot"), 0)) for player in players)
    )


def is_foreseen(before):
    c = math.sqrt(sum(rating.sigma**2 + (25 / 6) ** 2 for rating in before))
    chances = [math.exp(rating.mu / c) for rating in before]
    return max(chances) / sum(chances) > 0.95


def count(game):
    players, rules = [seat["player"] for seat in game["seats"]], first(game).get("rating_rules", 1)
    if not is_rated(players, game):
        return
    built_in, ids = [*map(is_built_in, players)], [account(player, game) for player in players]
    names = [
        f"{i}@{player['version']}" if "version" in player else i
        for i, player in zip(ids, players, strict=True)
    ]
    for i, name in zip(ids, names, strict=True):
        if (was := last.get(i, i)) != name and (rules > 1 or name not in ratings):
            old = ratings.get(was, model.rating())
            wider = min(25 / 3, (old.sigma**2 + (25 / 12) ** 2) ** 0.5)
            ratings[name] = model.rating(old.mu, old.sigma if name in ratings else wider)
            shown[name] = shown[was]
    last.update(zip(ids, names, strict=True))
    ranks, seats = [seat["rank"] for seat in game["seats"]], range(len(players))
    if rules > 1 and len(deal(game)) > 1:  # one result, which the last game stands for
        if game["game"] != max(deal(game)):
            return
        sums = Counter()
        for other in deal(game):
            for seat in games[other]["seats"]:
                sums[account(seat["player"], game)] += seat["rank"]
        ranks = [1 + sum(other < sums[i] for other in sums.values()) for i in ids]
    posted = Counter(
        entry["seat"] for entry in game["entries"] if "action" in entry and "timed_out" not in entry
    )
    before, gained, month = [ratings[name] for name in names], Counter(), counts(game)[0][:7]

    def pair(i, j):
        return month, *sorted([ids[i], ids[j]])

    def new(i, j):
        if not built_in[i] and not built_in[j]:
            return 3 / (3 + met[pair(i, j)])
        return 3 / (3 + max(0, met[pair(i, j)] - 10)) if rules > 1 else 1

    most = 1
    accounts = [pair(i, j) for i, j in combinations(seats, 2) if not (built_in[i] or built_in[j])]
    if rules > 1 and len(players) > 2 and accounts:
        closest = max(met[one] for one in accounts)
        most = 3 / (3 + closest) if closest < 20 else 0
    proven = [
        1 if ours else min(1, shown[name] / 10) for name, ours in zip(names, built_in, strict=True)
    ]
    for i in seats:
        others = [j for j in seats if i != j and (posted[j] >= 10 or ranks[j] < ranks[i])]
        if others and not (rules > 1 and is_foreseen(before)):
            weights = {j: min(most, new(i, j)) for j in others}
            weight = sum(max(0.05, proven[j]) * weights[j] for j in others) / len(others)
            gained[names[i]] = (
                (posted[i] >= 10) * sum(proven[j] * weights[j] for j in others) / len(others)
            )
            [now], *_ = model.rate(
                [[before[j]] for j in [i, *others]], ranks=[float(ranks[j]) for j in [i, *others]]
            )
            was = before[i]
            ratings[names[i]] = model.rating(
                was.mu + weight * (now.mu - was.mu), was.sigma + weight * (now.sigma - was.sigma)
            )
    shown.update(gained)
    met.update(
        pair(i, j) for i, j in combinations(seats, 2) if built_in[i] + built_in[j] < min(2, rules)
    )


whole = [game for game in games.values() if games.keys() >= set(deal(game))]
for game in sorted(whole, key=counts):
    count(game)
for name, rating in sorted(ratings.items(), key=lambda item: -item[1].ordinal()):
    print(f"{rating.ordinal():8.4f} {rating.mu:8.4f} {rating.sigma:7.4f}  {name}")
