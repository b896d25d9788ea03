"""Count the record of two players against each other, and how long each takes to decide.

``{stats}:players``        "A B", two players in the order of their ids, or "A" -> counts by name,
                           as JSON: of two "games", "BOARD games", "BOARD first" and "BOARD second"
                           (A's and B's wins), "BOARD played" (neither left) and "BOARD margin" (A's
                           totals less B's in these); of one what ``counted`` counts. Of two players
                           all versions count together, of one each version by itself
``{stats}:players:met``    "A GAMES B": the opponents of each player, ordered by their bytes
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import orjson
from redis import Redis

from service.projections.finished import PREFIX, Statistic
from service.records.rating_rules import rated_id
from service.store.games import LoadedGame
from service.store.pace import TIMED_OUT, counted, time_at
from service.store.pages import page_of_lines

NOBODY: dict[str, int] = {}


def tallies_of(game: LoadedGame) -> dict[str, Counter[str]]:
    """Return what a finished game adds to each tally."""
    state, tallies = game.state, dict[str, Counter[str]]()
    names = [rated_id(player) for player in state.players if player]
    for seat, name in enumerate(names):
        if pace := counted(game.pace, seat):
            tallies.setdefault(name, Counter()).update(pace)
    accounts = [name.partition("@")[0] for name in names]
    once = [(name, seat) for seat, name in enumerate(accounts) if accounts.count(name) == 1]
    for (a, one), (b, other) in combinations(sorted(once), 2):
        first, second = state.results[one], state.results[other]
        counts = tallies[f"{a} {b}"] = Counter({"games": 1, f"{state.board.id} games": 1})
        if first["rank"] != second["rank"]:
            won = "first" if first["rank"] < second["rank"] else "second"
            counts[f"{state.board.id} {won}"] = 1
        if state.left[one] is None and state.left[other] is None:
            counts[f"{state.board.id} played"] = 1
            counts[f"{state.board.id} margin"] = first["total"] - second["total"]
    return tallies


def read(redis: Redis, key: str) -> dict[str, dict[str, int]]:
    """Return all counts, by player or by pair of players."""
    return {name.decode(): orjson.loads(raw) for name, raw in redis.hscan_iter(key, count=1000)}


STATISTIC = Statistic("players", tallies_of, "tally", ("met",), read)
TALLIES, MET = STATISTIC.keys(PREFIX)


# For the API


def opponents(
    redis: Redis, player: str, before: str | None, limit: int
) -> tuple[list[tuple[str, dict]], str | None]:
    """Return a page of the opponents of a player, each with the record against them, the most
    often met first, and the cursor of the next page, None at the end."""
    lines, cursor = page_of_lines(redis, MET, player, before, limit, digits=9)
    names = [name for _, name in lines]
    return list(zip(names, _against(redis, player, names), strict=True)), cursor


def against(redis: Redis, player: str, opponent: str) -> dict | None:
    """Return a player's record against another, as the API shows it; None if they have not met."""
    record = _against(redis, player, [opponent])[0]
    return record if record["games"] else None


def conduct(redis: Redis, player: str) -> dict:
    """Return how long a player takes to decide, as the API shows it, an empty object without
    decisions."""
    counts = _read(redis, [player])[0]
    times = {int(name.split(" ")[1]): count for name, count in counts.items() if " " in name}
    decisions = sum(times.values())
    if not decisions:
        return {}
    late = counts.get(TIMED_OUT, 0)
    return {"decisions": decisions + late, "timeouts": late, "latency": {
        "median": _share(times, decisions * 0.5), "p95": _share(times, decisions * 0.95)}}


def _share(times: Mapping[int, int], share: float) -> int:
    """Return a quantile of the times of decisions, in milliseconds: ``share`` of them took no
    longer."""
    for place in sorted(times):
        share -= times[place]
        if share <= 0:
            break
    return time_at(place)


def _against(redis: Redis, player: str, opponents: list[str]) -> list[dict]:
    tallies = _read(redis, [" ".join(sorted((player, other))) for other in opponents])
    return [_record(counts, player < other)
            for counts, other in zip(tallies, opponents, strict=True)]


def _read(redis: Redis, names: list[str]) -> list[dict[str, int]]:
    return [orjson.loads(raw) if raw else NOBODY
            for raw in (redis.hmget(TALLIES, names) if names else ())]


def _record(counts: Mapping[str, int], is_first: bool) -> dict:
    """Return the record of the first or the second of two players, over all and by board."""
    boards = sorted(name.removesuffix(" games") for name in counts if name.endswith(" games"))
    rows = [{name: counts.get(f"{board} {name}", 0) for name in
             ("games", "first", "second", "played", "margin")} for board in boards]
    total = {name: sum(row[name] for row in rows) for name in
             ("games", "first", "second", "played", "margin")}
    return _shown(total, is_first) | {"boards": [
        {"board": board} | _shown(row, is_first) for board, row in zip(boards, rows, strict=True)]}


def _shown(row: Mapping[str, int], is_first: bool) -> dict:
    first, second = row["first"], row["second"]
    wins, losses = (first, second) if is_first else (second, first)
    shown: dict[str, float] = {"games": row["games"], "wins": wins,
                               "draws": row["games"] - wins - losses, "losses": losses}
    if row["played"]:
        shown["margin"] = round((1 if is_first else -1) * row["margin"] / row["played"], 4)
    return shown
