"""A tournament as the API shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain.game.clock import Clock
from domain.tournament.events import KNOCKOUT
from domain.tournament.rounds import last_round
from domain.tournament.standings import annulled, standings
from domain.tournament.state import FINISHED, OPEN, Entrant, Removal, Round, Table, Tournament
from service.store.tournaments import LoadedTournament, TournamentStore
from service.tournaments.tournaments import Tournaments


def view(
    tournaments: Tournaments, tournament: LoadedTournament, viewer: str | None, rounds: int
) -> dict:
    """Return a tournament as the API shows it to an account (``viewer``; None: to anybody), with
    this number of its latest rounds."""
    state = tournament.state
    shown: dict = {**TournamentStore.head(tournament)}
    del shown["entered"], shown["boards"]
    shown |= {
        "settings": _settings(state),
        "entrants": _entrants(tournaments, state),
        "rounds": [_round(row) for row in (state.rounds[-rounds:] if rounds else ())],
        "standings": standings(state),
    }
    shown |= {name: value for name in ("description", "rules")
              if (value := getattr(state.settings, name))}
    if state.last_round:
        shown["last_round"] = state.last_round
    if state.ending:
        shown["ending"] = state.ending
    if tournament.final_at:
        shown["standings_final_at"] = tournament.final_at
    if state.removed:
        shown["removed"] = _removals(tournaments, state.removed)
    if state.ended:
        shown["ended_early"] = _said(state.ended)
    if state.disqualified:
        shown["disqualified"] = _removals(tournaments, state.disqualified.values())
    if state.lifted:
        shown["reinstated"] = _removals(tournaments, state.lifted)
    if state.settings.entry == "invitation" and viewer == state.settings.creator:
        shown["invitation"] = tournaments.invitation(state.id)
    return shown


def unrated_because(tournaments: Tournaments, state: Tournament) -> str:
    """Return why games of a tournament that is open for entries will not be rated, or those with
    built-in bots, entered or not; empty if all may be."""
    own = state.settings
    if own.entry == "invitation" or own.visibility:
        return "not everybody can find and enter it"
    clock = Clock.of(own.clock, own.on_timeout)
    entered = [entrant.player.bot or "" for entrant in state.entrants.values()
               if entrant.player.is_built_in]
    strengths = tournaments.games.strengths
    return strengths.unrated_clock(clock, entered or [""]) if clock else ""


def _settings(state: Tournament) -> dict:
    """Return a tournament's settings as the API shows them."""
    own = state.settings
    clock = Clock.of(own.clock, own.on_timeout)
    assert clock
    shown: dict[str, Any] = {
        "boards": own.boards, "seats": own.seats, "format": own.format, "deals": own.deals,
        "entry": own.entry, "max_entrants": own.most, "rules_version": own.rules_version,
        **{name: value for name in ("per_owner", "round_times")
           if (value := getattr(own, name))},
        "clock": clock.as_json(),
    }
    is_known = own.rounds or (state.status != OPEN and own.format != KNOCKOUT)
    shown |= {"rounds": last_round(state)} if is_known else {}
    return shown | ({"lots_seed": own.lots} if state.status == FINISHED else {})


def _entrants(tournaments: Tournaments, state: Tournament) -> list[dict]:
    shown = [_entrant(entrant) | ({"annulled": True} if entrant.id in annulled(state) else {})
             for entrant in state.entrants.values()]
    tournaments.games.store.deleted.hide(shown)
    return shown


def _removals(tournaments: Tournaments, removals: Iterable[Removal]) -> list[dict]:
    """Return removals or disqualifications as the API shows them."""
    rows = [{"entrant": row.entrant.id, "player": row.entrant.player.as_json(), "by": row.by,
             "at": row.at, "reason": row.reason, "lifted_at": row.lifted_at} for row in removals]
    shown = [{name: value for name, value in row.items() if value is not None} for row in rows]
    tournaments.games.store.deleted.hide(shown)
    return shown


def _said(trace: Mapping[str, str]) -> dict:
    """Return a decision of the creator as the API shows it."""
    shown = {"by": trace["by"], "at": trace["at"]}
    return shown | ({"reason": trace["why"]} if trace.get("why") else {})


def _entrant(entrant: Entrant) -> dict:
    shown: dict[str, Any] = {"entrant": entrant.id, "player": entrant.player.as_json()}
    shown |= {"withdrawn": True} if entrant.withdrawn else {}
    return shown | ({"absent": True} if entrant.is_absent else {})


def _round(paired: Round) -> dict:
    return {"round": paired.number, "board": paired.board, "byes": paired.byes,
            "tables": [_table(table) for table in paired.tables]}


def _table(table: Table) -> dict:
    games = []
    for rotation, game in enumerate(table.games):
        shown: dict[str, Any] = {"game": game, "seats": table.seated(rotation)}
        if rotation < len(table.results):
            shown["results"] = table.results[rotation]
        games.append(shown)
    return {"table": table.number, "games": games}
