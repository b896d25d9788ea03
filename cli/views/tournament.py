"""A tournament in the terminal: its standings as they change, and its games."""

from collections.abc import Iterator
from contextlib import nullcontext

from fogg_client import Client
from fogg_client.client import segment
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from cli.views.bots import with_reason
from cli.views.tables import table

WAIT = 20  # seconds that the service may hold an answer until there is news


def watch(client: Client, tournament: str, console: Console | None = None) -> Iterator[dict]:
    """Yield a tournament whenever it has changed, until it is over; show it on the console."""
    version = 0
    with Live(console=console, auto_refresh=False) if console else nullcontext() as live:
        while True:
            cup = client.get(
                f"/v1/tournaments/{segment(tournament)}", rounds=1, after=version, wait=WAIT
            )
            if cup["version"] != version:
                version = cup["version"]
                if live:
                    live.update(Group(standings(cup), games(cup)), refresh=True)
                yield cup
            if cup["status"] == "finished":
                return


def listed(rows: list[dict]) -> Table:
    return table(
        ("id", "name", "status", "format", "boards", "entered", "round"),
        [
            (
                row["id"],
                row["name"],
                row["status"],
                row["format"],
                ", ".join(row["boards"]),
                str(row["entered"]),
                str(row["round"] or ""),
            )
            for row in rows
        ],
        ["name", "boards"],
    )


def standings(cup: dict) -> Table:
    names = _names(cup)
    stage = cup["status"] + (f", {cup['ending']}" if "ending" in cup else "")
    if cup["rounds"]:
        tables = cup["rounds"][-1]["tables"]
        over = sum("results" in one["games"][-1] for one in tables)
        stage += f", round {cup['round']}: {over} of {len(tables)} tables over"
    if "next_round_at" in cup:
        stage += f", next round not before {cup['next_round_at']}"
    if "standings_final_at" in cup and cup["rounds"]:
        stage += f", final at {cup['standings_final_at']}"
    rows = []
    for row in cup["standings"]:
        low, high = row.get("margin_interval", (None, None))
        rows.append(
            (
                str(row["rank"]),
                names[row["entrant"]],
                f"{row['points']:g}",
                f"{row['opponents_points']:g}",
                f"{row['margin']:+.1f}" if "margin" in row else "",
                "" if low is None else f"±{(high - low) / 2:.1f}",
                f"{row['mean_total']:.1f}" if "mean_total" in row else "",
                str(row["wins"]),
                str(row["games"]),
                *(str(row[name]) if row[name] else "" for name in ("forfeits", "byes")),
            )
        )
    return table(
        (
            "",
            "entrant",
            "points",
            "opponents",
            "margin",
            "95 %",
            "mean",
            "wins",
            "games",
            "left",
            "byes",
        ),
        rows,
        ["entrant"],
        f"{cup['name']} ({stage})",
    )


def games(cup: dict) -> Table:
    """Return the games of the rounds in hand, with who sat where and how they ended."""
    names, rows = _names(cup), []
    for paired in cup["rounds"]:
        for row in paired["tables"]:
            for game in row["games"]:
                seats = [names[entrant] for entrant in game["seats"]]
                said = (
                    [
                        with_reason(f"{name} {result['total']}", result.get("left"))
                        for name, result in zip(seats, game["results"], strict=True)
                    ]
                    if "results" in game
                    else seats
                )
                rows.append(
                    (
                        str(paired["round"]),
                        str(row["table"]),
                        paired["board"],
                        game["game"],
                        ", ".join(said),
                    )
                )
        rows += [
            (str(paired["round"]), "", "", "", f"{names[entrant]}: bye")
            for entrant in paired["byes"]
        ]
    return table(
        ("round", "table", "board", "game", "seats and totals"), rows, ["seats and totals"], "Games"
    )


def _names(cup: dict) -> dict[str, str]:
    disqualified = {row["entrant"] for row in cup.get("disqualified", ())}
    return {
        row["entrant"]: row["player"]["name"]
        + (
            " (disqualified)"
            if row["entrant"] in disqualified
            else " (out)"
            if row.get("withdrawn")
            else ""
        )
        for row in cup["entrants"]
    }
