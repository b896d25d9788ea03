"""The report on a model, from the games of a run."""

from collections.abc import Iterable
from statistics import mean
from typing import Any

from cli.bench.player import ILLEGAL, NO_ANSWER, UNREADABLE
from cli.bench.run import Bench
from cli.offline.strength import clustered_mean, share

MOST_FALLBACKS = 0.1  # of a model's decisions; with more, its games do not measure its strength


def report(bench: Bench, rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the report of the games that were played. ``strength`` counts all games as they ended,
    ``without_fallbacks`` only those in which models have chosen all of their actions. Both are
    empty unless the run is ``measured``: too many decisions were drawn by lot."""
    rows = sorted(rows, key=lambda row: row["game"])  # sums depend on the order
    rivals = [row["rival"] for row in rows if "rival" in row]
    answers, rival_answers = _answers(rows), _answers(rivals)
    most = max(answers["fallback_rate"], rival_answers["fallback_rate"])
    is_measured = most <= MOST_FALLBACKS
    measured = rows if is_measured else []
    clean = [
        row
        for row in measured
        if not row["fallbacks"] and not row.get("rival", {}).get("fallbacks")
    ]
    shown = {
        **bench.fixed,
        "deals": bench.deals,
        "games": len(rows),
        "complete": len(rows) == len(bench.games()),
        "measured": is_measured,
        "strength": by_anchor(bench, measured),
        "without_fallbacks": {"games": len(clean), "strength": by_anchor(bench, clean)},
        "answers": answers,
        "effort": _effort(rows),
    }
    return shown | (
        {"rival_answers": rival_answers, "rival_effort": _effort(rivals)} if rivals else {}
    )


def by_anchor(bench: Bench, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the model's results against each opponent that it has met."""
    return [
        {"anchor": anchor} | strength(part)
        for anchor in bench.against
        if (part := [row for row in rows if row["anchor"] == anchor])
    ]


def strength(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the model's results in some games. The games of one deal are not independent."""
    deals = {row["deal"]: [one for one in rows if one["deal"] == row["deal"]] for row in rows}
    wins = share({("", deal): [row["win"] for row in part] for deal, part in deals.items()})
    margin = clustered_mean(
        {("", deal): [row["margin"] for row in part] for deal, part in deals.items()}
    )
    return {
        "games": len(rows),
        "deals": len(deals),
        "win_share": round(wins.value, 4),
        "win_interval": wins.bounds(4),
        "margin": round(margin.value, 2),
        "margin_interval": margin.bounds(2),
        "mean_total": round(mean(row["total"] for row in rows), 1),
        "mean_total_against": round(mean(row["total_against"] for row in rows), 1),
    }


def _answers(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the rates of answers that could not be played. They are shares of all requests; the
    rate of fallbacks is a share of all decisions."""
    requests, decisions = _sum(rows, "requests"), _sum(rows, "decisions")
    return {
        "decisions": decisions,
        "requests": requests,
        **{
            f"{kind}_rate": _rate(_sum(rows, kind), requests)
            for kind in (ILLEGAL, UNREADABLE, NO_ANSWER)
        },
        "fallbacks": _sum(rows, "fallbacks"),
        "fallback_rate": _rate(_sum(rows, "fallbacks"), decisions),
        "games_with_fallbacks": sum(row["fallbacks"] > 0 for row in rows),
    }


def _effort(rows: list[dict[str, Any]]) -> dict[str, float | None]:
    """Return tokens, cost and seconds; None for values that the responses do not report."""
    sums: dict[str, float | None] = {}
    for name in ("prompt_tokens", "completion_tokens", "cost", "seconds"):
        counts = [row[name] for row in rows if row[name] is not None]
        sums[f"{name}_per_game"] = round(mean(counts), 4) if counts else None
    costs = [row["cost"] for row in rows if row["cost"] is not None]
    sums["cost"] = round(sum(costs), 4) if costs else None
    seconds, decisions = _sum(rows, "seconds"), _sum(rows, "decisions")
    sums["seconds_per_decision"] = round(seconds / decisions, 3) if decisions else None
    return sums


def _sum(rows: list[dict[str, Any]], name: str) -> Any:
    return sum(row[name] or 0 for row in rows)


def _rate(count: int, of: int) -> float:
    return round(count / of, 4) if of else 0.0
