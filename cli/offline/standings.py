"""The ranking of an arena's bots by strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from statistics import mean
from typing import Any

from cli.offline.arena import Arena, Result
from cli.offline.strength import Mean, clustered_mean, share
from domain.skill import rated


def standings(arena: Arena, results: Iterable[Result], *, is_complete: bool = True) -> dict:
    """Return the standings, overall and for each board, for people and programs. Each bot has a
    row, the best mean margin first, with its distance to the next. ``complete``: all games of the
    arena were played."""
    results = sorted(results, key=lambda result: result.game.number)
    parts = {board: [r for r in results if r.game.board == board] for board in arena.boards}
    return {
        "boards": list(arena.boards), "seats": arena.seats, "duplicate": arena.duplicate,
        "seed": arena.seed, "complete": is_complete, "games": len(results),
        "deals": len({(r.game.board, r.game.deal) for r in results}),
        "faults": [{"bot": r.game.bots[r.fault[0]], "what": r.fault[1]}
                   for r in results if r.fault],
        "overall": _rows(arena.bots, results),
        "by_board": {board: _rows(arena.bots, part) for board, part in parts.items() if part},
    }


def _rows(bots: tuple[str, ...], results: list[Result]) -> list[dict]:
    """Return the standings after some results."""
    wins, margins = _by_deal(results, Result.shares), _by_deal(results, Result.margins)
    ratings = rated(_ranks(result) for result in results)
    rows = [_row(bot, results, share(wins[bot]), _mean(margins[bot]), ratings[bot])
            for bot in bots if bot in wins]
    rows.sort(key=lambda row: (-row["margin"], -row["win_share"]))
    for row, other in pairwise(rows):
        gap = _mean(_gaps(margins, row["bot"], other["bot"]))
        row["before_next"] = _as_json(gap) | {"certain": gap.is_not_zero and gap.value > 0}
    return rows


def _row(bot: str, results: list[Result], won: Mean, margin: Mean, rating: tuple) -> dict:
    seats = [(r, seat) for r in results for seat, name in enumerate(r.game.bots) if name == bot]
    totals = [r.totals[seat] for r, seat in seats if r.totals]
    decisions = sum(r.decisions[seat] for r, seat in seats)
    return {
        "bot": bot, "games": len(seats), "wins": round(won.value * len(seats), 3),
        "win_share": round(won.value, 4), "win_interval": [round(won.low, 4), round(won.high, 4)],
        "mean_total": round(mean(totals), 1) if totals else None,
        "margin": round(margin.value, 2), "margin_interval": _as_json(margin)["interval"],
        "mu": round(rating[0], 2), "sigma": round(rating[1], 2),
        "faults": sum(bool(r.fault) and r.fault[0] == seat for r, seat in seats),
        "ms_per_decision": round(1000 * sum(r.seconds[s] for r, s in seats) / max(1, decisions), 2),
        "slowest_ms": round(1000 * max(r.slowest[seat] for r, seat in seats), 1),
    }


def _by_deal(results: list[Result], values: Any) -> dict[str, dict[tuple, list[float]]]:
    """Return each bot's values by deal. A deal has one value for each seat that the bot had."""
    by_deal: dict = defaultdict(lambda: defaultdict(list))
    for result in results:
        for bot, value in values(result):
            by_deal[bot][result.game.board, result.game.deal].append(value)
    return by_deal


def _gaps(margins: dict, one: str, other: str) -> dict[tuple, list[float]]:
    """Return the difference of two bots' mean margins in each deal that both played."""
    return {deal: [mean(margins[one][deal]) - mean(margins[other][deal])]
            for deal in margins[one] if deal in margins[other]}


def _mean(values: dict) -> Mean:
    return clustered_mean(values) if values else Mean(0.0, None, None)


def _as_json(margin: Mean) -> dict:
    bounds = None if margin.low is None else [round(margin.low, 2), round(margin.high, 2)]
    return {"margin": round(margin.value, 2), "interval": bounds}


def _ranks(result: Result) -> dict[str, float]:
    """Return the rank of each bot, the mean of its seats' ranks."""
    ranks = defaultdict(list)
    for bot, rank in zip(result.game.bots, result.ranks, strict=True):
        ranks[bot].append(rank)
    return {bot: mean(row) for bot, row in ranks.items()}
