"""Counts the standings of a tournament from the histories of its games.

This is a second implementation of the rules of docs/tournaments.md, to compare the service with. It
shares no code with the service and reads over HTTP. From the tournament it takes the pairings, the
byes and which of them are wins, and who withdrew; seats, departures and results come from the
histories. It does not rank knockouts.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from math import exp, lgamma, pi, sqrt
from urllib.request import urlopen

import click

Seat = tuple[str, int, int, str]  # entrant, total, rank, why it left or ""
Game = tuple[tuple[str, ...], list[Seat]]  # the games of its deal, its seats
CLOSE = 2e-3  # the service rounds to four places, of sums as well


def game_of(history: Iterable[dict]) -> Game:
    """Return the deal, seats and results of a finished tournament game from its history."""
    players, left, deal, results = {}, {}, (), []
    for event in (event for entry in history for event in entry["events"]):
        match event["type"]:
            case "game_created":
                deal = tuple(event["tournament"]["games"])
            case "seat_taken":
                players[event["seat"]] = event["player"]
            case "resigned":
                left[event["seat"]] = event["reason"]
            case "game_ended":
                results = event["results"]
    return deal, [
        (_entrant(players[seat]), row["total"], row["rank"], left.get(seat, ""))
        for seat, row in enumerate(results)
    ]


def _entrant(player: dict) -> str:
    return player["bot"] if player["id"].startswith("bot_") else player["id"]


def recount(cup: dict, history: Callable[[str], Iterable[dict]]) -> list[dict]:
    """Return the standings of a finished tournament; ``history`` returns the entries of a game."""
    rows: dict[str, dict] = {row["entrant"]: defaultdict(float) for row in cup["entrants"]}
    met: dict[str, list[str]] = defaultdict(list)
    totals: dict[str, list[int]] = defaultdict(list)
    margins: list[dict[str, float]] = []
    annulled = _annulled(cup, history)
    for paired in cup["rounds"]:
        for entrant in paired["byes"]:
            rows[entrant]["byes"] += 1
        for table in paired["tables"]:
            games = [game_of(history(game["game"])) for game in table["games"]]
            who = sorted(seat[0] for seat in games[0][1])
            if annulled.intersection(who):
                for entrant in set(who) - annulled:
                    rows[entrant]["byes"] += 1
                continue
            for entrant in who:
                rows[entrant]["tables"] += 1
                met[entrant] += [other for other in who if other != entrant]
            for _, seats in games:
                for entrant, _, rank, why in seats:
                    beaten = sum((other[2] > rank) + (other[2] == rank) / 2 for other in seats)
                    rows[entrant]["points"] += (beaten - 0.5) / (len(seats) - 1) / len(games)
                    rows[entrant]["games"] += 1
                    rows[entrant]["wins"] += rank == 1
                    rows[entrant]["forfeits"] += bool(why)
            margins.append(_margins(games, who, totals))
    for row in cup.get("standings", ()):
        if "walkovers" in row:
            rows[row["entrant"]]["walkovers"] = row["walkovers"]
            rows[row["entrant"]]["points"] += row["walkovers"] / 2
    for row in rows.values():
        row["points"] += row["byes"] / 2
    for entrant, row in rows.items():
        row["opponents_points"] = sum(rows[other]["points"] for other in met[entrant])
        mine = [table[entrant] for table in margins if entrant in table]
        if mine:
            row["margin"] = sum(mine) / len(mine)
            row["mean_total"] = sum(totals[entrant]) / len(totals[entrant])
    _add_intervals(rows, [table for table in margins if table])
    return _ranked(rows, {row["entrant"] for row in cup.get("disqualified", ())})


def _was_away(games: list[Game], entrant: str) -> bool:
    """Return whether an entrant lost all games of a table on time."""
    return all(seat[3] == "time" for _, seats in games for seat in seats if seat[0] == entrant)


def _annulled(cup: dict, history: Callable[[str], Iterable[dict]]) -> set[str]:
    """Return the entrants of a round robin for two who withdrew before half of their tables."""
    settings = cup["settings"]
    if settings["seats"] > 2 or cup["format"] != "round_robin":
        return set()
    tables = [
        [game_of(history(game["game"])) for game in table["games"]]
        for paired in cup["rounds"]
        for table in paired["tables"]
    ]
    count = len(cup["entrants"])
    whole = (count - 1) * (settings["rounds"] // (count - 1 + count % 2))
    return {
        row["entrant"]
        for row in cup["entrants"]
        if row.get("withdrawn")
        and 2
        * sum(
            any(seat[0] == row["entrant"] for seat in games[0][1])
            and not _was_away(games, row["entrant"])
            for games in tables
        )
        < whole
    }


def _margins(games: list[Game], who: list[str], totals: dict[str, list[int]]) -> dict[str, float]:
    """Return each entrant's margin at a table, of deals that it has played out; its totals in these
    are added."""
    margins: dict[str, list[float]] = defaultdict(list)
    for deal in dict.fromkeys(of for of, _ in games):
        seats = [seat for of, seats in games if of == deal for seat in seats]
        stayed = [e for e in who if not any(why for name, _, _, why in seats if name == e)]
        if len(stayed) < 2:
            continue
        mean = {e: sum(t for name, t, _, _ in seats if name == e) / len(deal) for e in stayed}
        for entrant in stayed:
            margins[entrant].append(mean[entrant] - sum(mean.values()) / len(mean))
            totals[entrant] += [t for name, t, _, _ in seats if name == entrant]
    return {entrant: sum(values) / len(values) for entrant, values in margins.items()}


def _ranked(rows: dict[str, dict], disqualified: set[str]) -> list[dict]:
    last = [rows[entrant] for entrant in disqualified & rows.keys()]

    def place(row: dict) -> tuple:
        return (
            row in last,
            -round(row["points"], 3),
            -round(row["opponents_points"], 3),
            row["forfeits"],
            -round(row.get("margin", 0), 3),
        )

    places = sorted(map(place, rows.values()))
    shown = [
        {"entrant": entrant, "rank": places.index(place(row)) + 1} | row
        for entrant, row in rows.items()
    ]
    return sorted(shown, key=lambda row: row["rank"])


# Confidence intervals of margins


def _add_intervals(rows: dict[str, dict], tables: list[dict[str, float]]) -> None:
    """Fit a strength for each entrant by least squares, solving the normal equations at once."""
    names = sorted({entrant for table in tables for entrant in table})
    place = {entrant: i for i, entrant in enumerate(names)}
    matrix = [[0.0] * (len(names) + 1) for _ in names]
    for table in tables:
        for one, margin in table.items():
            row = matrix[place[one]]
            row[-1] += margin
            row[place[one]] += 1
            for other in table:
                row[place[other]] -= 1 / len(table)
    sums = [row[-1] for row in matrix]
    strengths, rank = _solved(matrix)
    squares = sum(margin**2 for table in tables for margin in table.values())
    freedom = sum(len(table) - 1 for table in tables) - rank
    if freedom < 1:
        return
    explained = sum(a * b for a, b in zip(strengths, sums, strict=True))
    variance = max(0.0, squares - explained) / freedom
    for entrant in names:
        sizes = [len(table) for table in tables if entrant in table]
        half = _student(freedom) * sqrt(variance * sum(1 - 1 / size for size in sizes)) / len(sizes)
        margin = rows[entrant]["margin"]
        rows[entrant]["margin_interval"] = [margin - half, margin + half]


def _solved(matrix: list[list[float]]) -> tuple[list[float], int]:
    """Return a solution of linear equations that have one, and their rank (Gauss and Jordan)."""
    count, pivots = len(matrix), {}
    for column in range(count):
        free = [row for row in range(count) if row not in pivots.values()]
        best = max(free, key=lambda row: abs(matrix[row][column]), default=None)
        if best is None or abs(matrix[best][column]) < 1e-9:
            continue
        pivots[column] = best
        top = matrix[best] = [value / matrix[best][column] for value in matrix[best]]
        for row in range(count):
            if row != best and (factor := matrix[row][column]):
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], top, strict=True)]
    return [
        matrix[pivots[column]][-1] if column in pivots else 0.0 for column in range(count)
    ], len(pivots)


def _student(freedom: int) -> float:
    """Return what holds 95 % of Student's t, by integrating its density."""
    middle = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    total, at, step = 0.0, 0.0, 1e-3
    while total < 0.475:
        total += step * middle * (1 + (at + step / 2) ** 2 / freedom) ** (-(freedom + 1) / 2)
        at += step
    return at


def differences(cup: dict, counted: list[dict]) -> list[str]:
    """Return a line for each value of the service's standings that differs from the counted one."""
    own, lines = {row["entrant"]: row for row in counted}, []
    for row in cup["standings"]:
        other = own[row["entrant"]]
        for member, value in row.items():
            if member == "entrant":
                continue
            mine = other.get(member, 0)
            pairs = zip(value, mine, strict=True) if isinstance(value, list) else [(value, mine)]
            loose = 0.01 * (value[1] - value[0]) if member == "margin_interval" else 0
            if any(abs(a - b) > CLOSE + loose for a, b in pairs):
                lines.append(f"{row['entrant']}: {member} {value}, counted {mine}")
    return lines


@click.command()
@click.argument("url")
@click.argument("tournament")
def main(url: str, tournament: str) -> None:
    """Count a tournament's standings from the histories of its games, and compare.

    \b
    Example:
      python -m tools.recount http://127.0.0.1:8000 c_0123456789abcdef0123
    """

    def ask(path: str) -> str:
        with urlopen(f"{url}{path}") as answer:
            return answer.read().decode()

    cup = json.loads(ask(f"/v1/tournaments/{tournament}?rounds=1000"))
    counted = recount(
        cup, lambda game: map(json.loads, ask(f"/v1/games/{game}/history").splitlines())
    )
    for row in counted:
        click.echo(json.dumps(row))
    for line in (wrong := differences(cup, counted)):
        click.echo(line, err=True)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
