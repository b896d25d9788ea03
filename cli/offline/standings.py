"""The ranking of an arena's bots by strength, and the result of a trial of one bot."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product
from statistics import mean
from typing import Any

from cli.offline.arena import Arena, Result
from cli.offline.strength import Mean, clustered_mean, share
from domain.skill import rated


def standings(arena: Arena, results: Iterable[Result], *, is_complete: bool = True) -> dict:
    """Return the standings, overall and for each board, for people and programs. Each bot has a
    row, the best mean margin first, with its distance to the next. If a bot has left a game, by a
    fault or by resigning, the rows are sorted by games won, and its distances are judged by them.
    ``pairs`` are overall, too. ``complete``: all games of the arena were played."""
    results = sorted(results, key=lambda result: result.game.number)
    parts = {board: [r for r in results if r.game.board == board] for board in arena.boards}
    overall = _rows(arena.names, results)
    pairs = (
        product(arena.bots, arena.against)
        if arena.against
        else combinations([row["bot"] for row in overall], 2)
    )
    return {
        "boards": list(arena.boards),
        "seats": arena.seats,
        "duplicate": arena.duplicate,
        "against": list(arena.against),
        "seed": arena.seed,
        "complete": is_complete,
        "games": len(results),
        "deals": len({(r.game.board, r.game.deal) for r in results}),
        "faults": [
            {"bot": r.game.bots[seat], "what": what} for r in results for seat, what in r.faults
        ],
        "overall": overall,
        "by_board": {board: _rows(arena.names, part) for board, part in parts.items() if part},
        "pairs": [*_pairs(pairs, results)],
    }


def _rows(bots: tuple[str, ...], results: list[Result]) -> list[dict]:
    """Return the standings after some results."""
    wins, margins = _by_deal(results, Result.shares), _by_deal(results, Result.margins)
    ratings = rated(_ranks(result) for result in results)
    rows = [
        _row(bot, results, share(wins[bot]), _mean(margins[bot]), ratings[bot])
        for bot in bots
        if bot in wins
    ]
    rows.sort(
        key=_by_wins if any(map(_left, rows)) else lambda row: (-row["margin"], -row["win_share"])
    )
    for row, other in pairwise(rows):
        pair = row["bot"], other["bot"]
        gaps = {"wins": _ahead(wins, *pair), "margins": _mean(_gaps(margins, *pair))}
        by = "wins" if _left(row) or _left(other) else "margins"
        row["before_next"] = _distance(**gaps) | {
            "by": by,
            "certain": bool((gap := gaps[by]) and gap.is_not_zero and gap.value > 0),
        }
    return rows


def _pairs(pairs: Iterable[tuple[str, str]], results: list[Result]) -> Iterator[dict]:
    """Yield a row for each pair of bots that met: the games, those won by each, the first one's
    share of the victories, and by how many points it beat the other in whole games."""
    for pair in pairs:
        met = [result for result in results if {*pair} <= {*result.game.bots}]
        if not met:
            continue
        won, margins = _by_deal(met, Result.victories), _by_deal(met, Result.margins)
        first = share(won[pair[0]])
        # with n seats, the gap between two margins is n / (n - 1) times that between totals
        lead = _mean(
            {
                deal: [gap * (1 - 1 / len(met[0].ranks))]
                for deal, [gap] in _gaps(margins, *pair).items()
            }
        )
        yield {
            "bots": list(pair),
            "games": len(met),
            "wins": [round(sum(map(sum, won[bot].values())), 3) for bot in pair],
            "win_share": round(first.value, 4),
            "win_interval": _bounds(first, 4),
            "margin": _value(lead),
            "margin_interval": _bounds(lead),
        }


def _left(row: dict) -> int:
    """Return how many games a bot has left, by a fault or by resigning."""
    return row["faults"] + row["resigned"]


def _by_wins(row: dict) -> tuple[float, ...]:
    """Return a key to sort rows by games won. Leaving a lost game keeps it out of the margin, so
    the number of games left comes before it."""
    return -row["win_share"], _left(row), -(row["margin"] or 0)


def _row(bot: str, results: list[Result], won: Mean, margin: Mean | None, rating: tuple) -> dict:
    seats = [(r, seat) for r in results for seat, name in enumerate(r.game.bots) if name == bot]
    totals = [r.totals[seat] for r, seat in seats if r.totals]
    decisions = sum(r.decisions[seat] for r, seat in seats)
    return {
        "bot": bot,
        "games": len(seats),
        "wins": round(won.value * len(seats), 3),
        "win_share": round(won.value, 4),
        "win_interval": _bounds(won, 4),
        "mean_total": round(mean(totals), 1) if totals else None,
        "margin": _value(margin),
        "margin_interval": _bounds(margin),
        "mu": round(rating[0], 2),
        "sigma": round(rating[1], 2),
        "faults": sum(seat == faulty for r, seat in seats for faulty, _ in r.faults),
        "resigned": sum(seat in r.resigned for r, seat in seats),
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


def _gaps(values: dict, one: str, other: str) -> dict[tuple, list[float]]:
    """Return the difference of two bots' mean values in each deal that both played."""
    return {
        deal: [mean(values[one][deal]) - mean(values[other][deal])]
        for deal in values[one]
        if deal in values[other]
    }


def _ahead(wins: dict, one: str, other: str) -> Mean | None:
    """Return how much more of the games one bot has won than another in the deals that both played,
    -1 to 1, with Wilson's bounds; None without such a deal."""
    shares = {
        deal: [(1 + gap) / 2] * len(wins[one][deal])
        for deal, [gap] in _gaps(wins, one, other).items()
    }
    if not shares:
        return None
    won = share(shares)
    return Mean(2 * won.value - 1, 2 * won.low - 1, 2 * won.high - 1)


def _mean(values: dict) -> Mean | None:
    return clustered_mean(values) if values else None


def _distance(wins: Mean | None, margins: Mean | None) -> dict:
    """Return the lead of one bot over another, as JSON members."""
    return {
        "margin": _value(margins),
        "interval": _bounds(margins),
        "win_share": _value(wins, 4),
        "win_interval": _bounds(wins, 4),
    }


def _value(estimate: Mean | None, places: int = 2) -> float | None:
    return None if estimate is None else round(estimate.value, places)


def _bounds(estimate: Mean | None, places: int = 2) -> list[float] | None:
    return estimate and estimate.bounds(places)


def _ranks(result: Result) -> dict[str, float]:
    """Return the rank of each bot, the mean of its seats' ranks."""
    ranks = defaultdict(list)
    for bot, rank in zip(result.game.bots, result.ranks, strict=True):
        ranks[bot].append(rank)
    return {bot: mean(row) for bot, row in ranks.items()}


def trial(bot: str, against: str, board: str, **settings) -> Arena:
    """Return the arena of a trial. Each deal is played from each seat, so that neither cards nor
    the order of play favour a bot. The first fault ends it."""
    return Arena((bot,), (board,), against=(against,), duplicate=True, strict=True, **settings)


def trial_summary(arena: Arena, results: list[Result], seconds: float) -> dict:
    """Return the result of a trial as JSON members; ``seconds`` is the time that it took."""
    [bot], [against], [board] = arena.bots, arena.against, arena.boards
    played = [(result, -result.game.number % arena.seats) for result in results]  # the bot's seat
    won = defaultdict(list)
    for result, seat in played:
        won[board, result.game.deal].append(result.shares()[seat][1])
    chance, count = share(won), len(results)
    mine = [result.totals[seat] for result, seat in played if result.totals]
    others = [
        total
        for result, seat in played
        for other, total in enumerate(result.totals or ())
        if other != seat
    ]
    decisions = sum(result.decisions[seat] for result, seat in played)
    thinking = sum(result.seconds[seat] for result, seat in played)
    return {
        "bot": bot,
        "against": against,
        "board": board,
        "seats": arena.seats,
        "seed": arena.seed,
        "games": count,
        "complete": count == len(arena.schedule),
        "wins": round(chance.value * count, 3),
        "win_share": round(chance.value, 4),
        "interval": chance.bounds(4),
        "mean_total": round(mean(mine), 1) if mine else None,
        "mean_total_against": round(mean(others), 1) if others else None,
        "decisions": decisions,
        "ms_per_decision": round(1000 * thinking / max(1, decisions), 3),
        "slowest_ms": round(1000 * max(result.slowest[seat] for result, seat in played), 1),
        "actions": sum(sum(result.decisions) for result in results),
        "games_per_second": round(count / seconds, 2),
    }
