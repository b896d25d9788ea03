"""A benchmark's report in the terminal, and the leaderboard of reports as Markdown."""

import json
import re
from typing import Any

from rich.console import Group
from rich.table import Table

from cli.views.tables import table

HEADINGS = ("against", "games", "won %", "95 % sure", "total", "theirs", "margin", "95 % sure")
INTRODUCTION = """# Language models at Ticket to Ride

The games of each report have been verified: they keep the rules, have the deals of their set, and
give the numbers below. No check shows who has chosen the actions. The rates of fallbacks, which are
actions drawn by lot, are as reported. Margins are in points; intervals have 95 %."""

NOT_MEASURED = (
    "This run does not measure strength: more than a tenth of the decisions were drawn by lot."
)


def report_text(shown: dict[str, Any]) -> Group:
    clean, rival = shown["without_fallbacks"], shown.get("rival")
    title = (
        f"{shown['model']} on {shown['board']}, {shown['games']} games, legal actions "
        f"{shown['track']}, planning {'on' if shown['planning'] else 'off'}"
    )
    parts: list[Any] = [_strength(title, shown)] if shown["measured"] else [NOT_MEASURED, "", title]
    if 0 < clean["games"] < shown["games"]:
        parts += ["", _strength(f"Only the {clean['games']} games without fallbacks", clean)]
    parts += [
        "",
        *([f"{shown['model']}:"] if rival else []),
        *_conduct(shown["answers"], shown["effort"]),
    ]
    if rival:
        parts += [
            "",
            f"{rival['model']}:",
            *_conduct(shown["rival_answers"], shown["rival_effort"]),
        ]
    if not shown["complete"]:
        parts.append("Not all games were played: run the same command again.")
    return Group(*parts)


def _conduct(answers: dict[str, Any], effort: dict[str, Any]) -> list[str]:
    cost = effort["cost_per_game"]
    dollars = "cost unknown" if cost is None else f"${cost:.4f}"
    return [
        f"Decisions: {answers['decisions']}, requests {answers['requests']}. Of the requests "
        f"{_percent(answers['illegal_rate'])} illegal, "
        f"{_percent(answers['unreadable_rate'])} unreadable, "
        f"{_percent(answers['no_answer_rate'])} without an answer.",
        f"Fallbacks: {answers['fallbacks']} decisions ({_percent(answers['fallback_rate'])}) in "
        f"{answers['games_with_fallbacks']} games.",
        f"A game: {_number(effort['prompt_tokens_per_game'])} tokens read, "
        f"{_number(effort['completion_tokens_per_game'])} written, "
        f"{dollars}, {_number(effort['seconds_per_game'])} seconds.",
    ]


def _strength(title: str, shown: dict[str, Any]) -> Table:
    rows = [
        (
            row["anchor"],
            str(row["games"]),
            *_won(row),
            f"{row['mean_total']:.1f}",
            f"{row['mean_total_against']:.1f}",
            *_margin(row),
        )
        for row in shown["strength"]
    ]
    return table(HEADINGS, rows, ["against"], title)


def _won(row: dict[str, Any]) -> tuple[str, str]:
    return f"{100 * row['win_share']:.1f}", _bounds(row["win_interval"], 100, ".1f")


def _margin(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['margin']:+.1f}", _bounds(row["margin_interval"], 1, "+.1f")


def leaderboard_text(rows: list[dict[str, Any]]) -> str:
    """Return a leaderboard as Markdown: a table for each kind of run, with rows in this order."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(_kind(row), []).append(row)
    return "\n\n".join(
        [
            INTRODUCTION,
            *(f"{kind}\n\n{_markdown(_standings(kinds[kind]))}" for kind in sorted(kinds)),
        ]
    )


def _kind(row: dict[str, Any]) -> str:
    """Return the settings that models have to share to be compared, as Markdown."""
    against = ", ".join(_anchors(row)) or "another model"
    return (
        f"## {'invented boards' if row['board'] == 'fresh' else row['board']}, legal actions "
        f"{row['track']}, planning {'on' if row['planning'] else 'off'}\n\n"
        f"{row['deals']} deals of the set {_escaped(row['set'])}, each from both seats against "
        f"{_escaped(against)}. Commitment: {row['commitment']}"
    )


def _anchors(row: dict[str, Any]) -> list[str]:
    return [] if "rival" in row else [one["anchor"] for one in row["strength"]]


def _standings(rows: list[dict[str, Any]]) -> Table:
    """Return a table of models; the columns of anchors have the margin against each."""
    cells = [
        (
            " against ".join(map(_model, [row, row["rival"]] if "rival" in row else [row])),
            *_won(row),
            *_margin(row),
            *(_margin(one)[0] for one in row["strength"] if "rival" not in row),
            " / ".join(f"{100 * rate:.1f}" for rate in row["fallback_rates"]),
        )
        for row in rows
    ]
    return table(
        ("model", "won %", "95 % sure", "margin", "95 % sure", *_anchors(rows[0]), "fallbacks %"),
        cells,
        ["model"],
    )


def _model(shown: dict[str, Any]) -> str:
    """Return a model's name, with the options of its requests if it has any."""
    options = shown["options"]
    return shown["model"] + (f" {json.dumps(options)}" if options else "")


def _markdown(shown: Table) -> str:
    columns = [
        [
            _escaped(str(cell)).replace(" ", "\N{NO-BREAK SPACE}" if column.no_wrap else " ")
            for cell in (column.header, *column.cells)
        ]
        for column in shown.columns
    ]
    lines = [" | ".join(line) for line in zip(*columns, strict=True)]
    rule = "|".join("---:" if column.justify == "right" else "---" for column in shown.columns)
    return "\n".join([lines[0], rule, *lines[1:]])


def _escaped(text: str) -> str:
    return re.sub(r"([!-/:-@[-`{-~])", r"\\\1", text)


def _bounds(interval: list[float] | None, times: float, form: str) -> str:
    if interval is None:
        return "one deal"
    low, high = (times * bound for bound in interval)
    return f"{low:{form}} to {high:{form}}"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:,.0f}"
