"""A bot tried offline against other bots of one kind."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean

from cli.offline.arena import Arena, Result
from cli.offline.strength import share


def trial(bot: str, against: str, board: str, **settings) -> Arena:
    """Return the arena of a trial. Each deal is played from each seat, so that neither cards nor
    the order of play favour a bot. The first fault ends it."""
    return Arena((bot,), (board,), against=(against,), duplicate=True, strict=True, **settings)


def summary(arena: Arena, results: list[Result], seconds: float) -> dict:
    """Return the result of a trial as JSON members; ``seconds`` is the time that it took."""
    [bot], [against], [board] = arena.bots, arena.against, arena.boards
    played = [(result, -result.game.number % arena.seats) for result in results]  # the bot's seat
    won = defaultdict(list)
    for result, seat in played:
        won[board, result.game.deal].append(result.shares()[seat][1])
    chance, count = share(won), len(results)
    mine = [result.totals[seat] for result, seat in played if result.totals]
    others = [total for result, seat in played for other, total in enumerate(result.totals or ())
              if other != seat]
    decisions = sum(result.decisions[seat] for result, seat in played)
    thinking = sum(result.seconds[seat] for result, seat in played)
    return {
        "bot": bot, "against": against, "board": board, "seats": arena.seats, "seed": arena.seed,
        "games": count, "complete": count == len(arena.schedule),
        "wins": round(chance.value * count, 3), "win_share": round(chance.value, 4),
        "interval": chance.bounds(4),
        "mean_total": round(mean(mine), 1) if mine else None,
        "mean_total_against": round(mean(others), 1) if others else None,
        "decisions": decisions, "ms_per_decision": round(1000 * thinking / max(1, decisions), 3),
        "slowest_ms": round(1000 * max(result.slowest[seat] for result, seat in played), 1),
        "actions": sum(sum(result.decisions) for result in results),
        "games_per_second": round(count / seconds, 2),
    }
