"""A benchmark's report in the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group

from cli.views.tables import table

HEADINGS = ("against", "games", "won %", "95 % sure", "total", "theirs", "margin", "95 % sure")


def report_text(shown: dict[str, Any]) -> Group:
    answers, effort, clean = shown["answers"], shown["effort"], shown["without_fallbacks"]
    cost = effort["cost_per_game"]
    dollars = "cost unknown" if cost is None else f"${cost:.4f}"
    lines = [
        "",
        f"Decisions: {answers['decisions']}, requests {answers['requests']}. Of the requests "
        f"{_percent(answers['illegal_rate'])} illegal, "
        f"{_percent(answers['unreadable_rate'])} unreadable, "
        f"{_percent(answers['no_answer_rate'])} without an answer.",
        f"Fallbacks: {answers['fallbacks']} decisions ({_percent(answers['fallback_rate'])}) in "
        f"{answers['games_with_fallbacks']} games.",
        f"A game: {_number(effort['prompt_tokens_per_game'])} tokens read, "
        f"{_number(effort['completion_tokens_per_game'])} written, "
        f"{dollars}, {_number(effort['seconds_per_game'])} seconds."]
    if not shown["complete"]:
        lines.append("Not all games were played: run the same command again.")
    title = (f"{shown['model']} on {shown['board']}, {shown['games']} games, legal actions "
             f"{shown['track']}, planning {'on' if shown['planning'] else 'off'}")
    parts: list[Any] = [_strength(title, shown)]
    if 0 < clean["games"] < shown["games"]:
        parts += ["", _strength(f"Only the {clean['games']} games without fallbacks", clean)]
    return Group(*parts, *lines)


def _strength(title: str, shown: dict[str, Any]) -> Any:
    rows = [(
        row["anchor"], str(row["games"]), f"{100 * row['win_share']:.1f}",
        _bounds(row["win_interval"], 100, ".1f"), f"{row['mean_total']:.1f}",
        f"{row['mean_total_against']:.1f}", f"{row['margin']:+.1f}",
        _bounds(row["margin_interval"], 1, "+.1f")) for row in shown["strength"]]
    return table(HEADINGS, rows, ["against"], title)


def _bounds(interval: list[float] | None, times: float, form: str) -> str:
    if interval is None:
        return "one deal"
    low, high = (times * bound for bound in interval)
    return f"{low:{form}} to {high:{form}}"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:,.0f}"
