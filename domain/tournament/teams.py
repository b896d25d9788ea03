"""Teams: how they stand, and who of the same team meet too early."""

from __future__ import annotations

from itertools import permutations
from typing import TypedDict

from domain.tournament.pairing import Past
from domain.tournament.standings import Standing, standings
from domain.tournament.state import Tournament, once_each

PLACES = 4


class TeamStanding(TypedDict):
    """A team's standing in the API. ``members`` are in the order of the standings, ``counted`` are
    those whose points make the team's."""

    rank: int
    team: str
    points: float
    opponents: float
    members: list[str]
    counted: list[str]


def spelling(state: Tournament, team: str) -> str:
    """Return the name of a team as its first member wrote it: case does not matter."""
    known = (entrant.team for entrant in state.entrants.values() if entrant.team)
    return next((name for name in known if name.casefold() == team.casefold()), team)


def avoid_team_mates(state: Tournament, past: Past) -> None:
    """Count team mates as if they had met once more often than any two entrants have. So they are
    only paired if nobody else is left."""
    often = 1 + max(past.met.values(), default=0)
    for one, other in permutations(state.entrants.values(), 2):
        if one.team and one.team == other.team:
            past.met[one.id, other.id] += often


@once_each
def team_standings(state: Tournament) -> list[TeamStanding]:
    """Return a row for each team, the best first. A team has the points of its best members, of as
    many as ``team_best`` says; teams with equal points are ranked by the points of these members'
    opponents. The disqualified do not count."""
    most = state.settings.team_best or 0
    teams: dict[str, list[Standing]] = {}
    for row in standings(state):
        if team := state.entrants[row["entrant"]].team:
            teams.setdefault(team, []).append(row)
    found: list[TeamStanding] = []
    for team, rows in teams.items():
        honest = [row for row in rows if row["entrant"] not in state.disqualified]
        best = sorted(honest, key=lambda row: (-row["points"], -row["opponents"]))[:most]
        found.append({
            "rank": 0, "team": team, "points": round(sum(row["points"] for row in best), PLACES),
            "opponents": round(sum(row["opponents"] for row in best), PLACES),
            "members": [row["entrant"] for row in rows],
            "counted": [row["entrant"] for row in best]})
    found.sort(key=_order)
    places = [_order(row) for row in found]
    for team_row, place in zip(found, places, strict=True):
        team_row["rank"] = places.index(place) + 1
    return found


def _order(row: TeamStanding) -> tuple[float, float]:
    return -row["points"], -row["opponents"]
