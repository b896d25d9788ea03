"""A tournament is a fold, as a game is: ``decide`` holds the rules, ``evolve`` the changes.

The results of a deal are recorded together, so that none is known while the deal is still being
played.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from domain.errors import Refused
from domain.game.commands import Player
from domain.tournament import commands, events
from domain.tournament.rounds import contenders, last_round, next_round_at, next_tables
from domain.tournament.standings import leaders
from domain.tournament.state import (
    FINISHED,
    OPEN,
    RUNNING,
    Entrant,
    Removal,
    Round,
    Table,
    Tournament,
)

ABSENT = 3  # consecutive games lost by time after which an entrant counts as absent
TEXTS = frozenset(("name", "description", "rules"))  # settings that may change until the end
MOST_DEALS = 3  # deals that a table of a knockout may take


def decide(state: Tournament, command: object) -> list[events.TournamentEvent]:
    """Return a command's events; raise Refused if it is not allowed."""
    return DECIDES[type(command)](state, command)


def evolve(state: Tournament, entry: Iterable[events.TournamentEvent]) -> Tournament:
    for event in entry:
        state = EVOLVES[type(event)](state, event)
    return replace(state, version=state.version + 1)


def game_id(tournament: str, number: int, table: int, rotation: int, who: Iterable[str]) -> str:
    """Return the id of a game. It is deterministic, so that the game is created once."""
    named = "\n".join(["game of", tournament, str(number), str(table), str(rotation), *who])
    return f"g_{sha256(named.encode()).hexdigest()[:20]}"


# Rules


def _create(_state: Tournament, command: commands.CreateTournament) -> list[events.TournamentEvent]:
    settings = command.settings
    if settings.format == events.KNOCKOUT and settings.rounds:
        raise Refused("knockout-rounds", None, "a knockout goes on until one is left", "rounds")
    return [settings]


def _edit(state: Tournament, command: commands.Edit) -> list[events.TournamentEvent]:
    [settings] = _create(state, commands.CreateTournament(command.settings))
    was, now = state.settings.as_json(), settings.as_json()
    changes = {name: now.get(name) for name in sorted(was | now) if was.get(name) != now.get(name)}
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    for name in sorted(changes.keys() - TEXTS):
        field = "max_entrants" if name == "most" else name
        if state.status != OPEN:
            raise Refused("tournament-started", None,
                          f"the tournament has begun, so {field} stays as it is", field)
        if state.is_fixed:
            raise _fixed(field)
    return [events.TournamentEdited(changes)] if changes else []


def _fixed(field: str) -> Refused:
    return Refused("tournament-fixed", None,
                   f"others have entered and rely on the settings, so {field} stays as it is",
                   field)


def _enter(state: Tournament, command: commands.Enter) -> list[events.TournamentEvent]:
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if state.last_round:
        raise Refused("tournament-ending", None, "the tournament ends with this round")
    if state.status == RUNNING:
        raise Refused("tournament-started", None, "the tournament has begun")
    if command.entrant in state.active:
        raise Refused("already-entered", None, f"{command.player.name} has entered already")
    if len(state.active) >= state.settings.most:
        raise Refused("tournament-full", None, f"it is full: {state.settings.most} have entered")
    new = Entrant(command.entrant, command.player, "")
    if new.responsible in {gone.entrant.responsible for gone in state.disqualified.values()}:
        raise Refused("disqualified", None, "the creator has disqualified this owner's entry")
    if (most := state.settings.per_owner) and not new.player.is_built_in:
        answer_for = [state.entrants[e].responsible for e in state.active
                      if not state.entrants[e].player.is_built_in]
        if answer_for.count(new.responsible) >= most:
            raise Refused("owner-entered", None,
                          f"an owner, with all bots of theirs, may enter {most} times here")
    return [events.EntrantEntered(command.entrant, command.player.as_json())]


def _withdraw(state: Tournament, command: commands.Withdraw) -> list[events.TournamentEvent]:
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if command.entrant not in state.active:
        raise Refused("not-entered", None, "this entrant has not entered, or has withdrawn")
    return [events.EntrantWithdrew(command.entrant, None, command.by, command.at, command.why)]


def _disqualify(state: Tournament, command: commands.Disqualify) -> list[events.TournamentEvent]:
    if command.entrant not in state.entrants:
        raise Refused("not-entered", None, "this entrant has not entered, or has withdrawn")
    if command.entrant in state.disqualified:
        raise Refused("already-disqualified", None, "this entrant is disqualified already")
    _check_provisional(command)
    return [events.EntrantDisqualified(command.entrant, command.reason, command.by, command.at)]


def _reinstate(state: Tournament, command: commands.Reinstate) -> list[events.TournamentEvent]:
    if command.entrant not in state.disqualified:
        raise Refused("not-disqualified", None, "this entrant is not disqualified")
    _check_provisional(command)
    return [events.EntrantReinstated(command.entrant, command.by, command.at)]


def _check_provisional(command: commands.Disqualify | commands.Reinstate) -> None:
    if command.final_at and command.at >= command.final_at:
        raise Refused("standings-final", None, f"the standings are final since {command.final_at}")


def _start(state: Tournament, command: commands.Start) -> list[events.TournamentEvent]:
    if state.status != OPEN:
        raise Refused("tournament-started", None, "the tournament has begun")
    starts_at = state.settings.starts_at
    if state.is_fixed and starts_at and command.at and command.at < starts_at:
        raise _fixed("starts_at")
    if len(state.active) < state.settings.least:
        raise Refused("too-few-entrants", None,
                      f"{len(state.active)} have entered, and {state.settings.least} are needed")
    players = {entrant: player.as_json() for entrant, player in command.players.items()
               if entrant in state.entrants}
    return [events.TournamentStarted(players or None)]


def _pair(state: Tournament, command: commands.PairRound) -> list[events.TournamentEvent]:
    if state.status != RUNNING:
        raise Refused("tournament-not-running", None, "the tournament is not under way")
    if state.rounds and not state.rounds[-1].is_over:
        raise Refused("round-not-over", None, "games of the last round are still under way")
    if state.last_round:
        return [events.TournamentEnded("ended")]
    number, settings = len(state.rounds) + 1, state.settings
    if number > last_round(state):
        return [events.TournamentEnded("complete")]
    if settings.format == events.KNOCKOUT and state.rounds and len(contenders(state)) < 2:
        return [events.TournamentEnded("complete")]
    if len(contenders(state)) < settings.least:
        return [events.TournamentEnded("too_few")]
    due = next_round_at(state)
    if due and command.at and command.at < due:
        raise Refused("round-not-due", None, f"the next round is not paired before {due}")
    tables, byes = next_tables(state)
    return [events.RoundPaired(number, state.next_board, tuple(tables), tuple(byes))]


def _record(state: Tournament, command: commands.RecordTable) -> list[events.TournamentEvent]:
    if state.status != RUNNING:
        raise Refused("tournament-not-running", None, "the tournament is not under way")
    table = state.rounds[command.round - 1].tables[command.table - 1]
    if table.is_over:
        raise Refused("already-recorded", None, "this table's results are in")
    entry: list[events.TournamentEvent] = [
        events.GameRecorded(command.round, command.table, rotation, results)
        for rotation, results in zip(table.under_way, command.results, strict=True)]
    now = replace(table, results=table.results + command.results)
    absent = [entrant for entrant in table.entrants if _is_absent(state, now, entrant)]
    entry += [events.EntrantWithdrew(entrant, "absent") for entrant in absent]
    if state.settings.format == events.KNOCKOUT and table.deals < MOST_DEALS:
        there = [entrant for entrant in leaders(now)
                 if not state.entrants[entrant].withdrawn and entrant not in absent]
        if len(there) > 1:
            entry.append(events.DealAdded(command.round, command.table))
    return entry


def _is_absent(state: Tournament, now: Table, entrant: str) -> bool:
    if state.entrants[entrant].withdrawn or state.entrants[entrant].player.is_built_in:
        return False
    if now.results_of(entrant)[-1].get("left") != "time":
        return False
    tables = [table for paired in state.rounds for table in paired.tables
              if table.games != now.games] + [now]
    left = [row.get("left") for table in tables if entrant in table.entrants
            for row in table.results_of(entrant)]
    return len(left) >= ABSENT and set(left[-ABSENT:]) == {"time"}


def _end(state: Tournament, command: commands.End) -> list[events.TournamentEvent]:
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if state.last_round:
        raise Refused("tournament-ending", None, "the tournament ends with this round")
    if state.rounds and not state.rounds[-1].is_over:
        return [events.LastRoundSet(len(state.rounds), command.by, command.at, command.why)]
    return [events.TournamentEnded(command.reason, command.by, command.at, command.why)]


DECIDES: dict[type, Callable[[Tournament, Any], list[events.TournamentEvent]]] = {
    commands.CreateTournament: _create, commands.Edit: _edit, commands.Enter: _enter,
    commands.Withdraw: _withdraw, commands.Disqualify: _disqualify,
    commands.Reinstate: _reinstate, commands.Start: _start, commands.PairRound: _pair,
    commands.RecordTable: _record, commands.End: _end}

# Facts


def _created(state: Tournament, event: events.TournamentCreated) -> Tournament:
    if event.rules_version != events.RULES_VERSION:
        raise ValueError(f"rules version {event.rules_version} is unknown")
    return replace(state, created=event)


def _edited(state: Tournament, event: events.TournamentEdited) -> Tournament:
    changes: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in event.changes.items()}
    return replace(state, created=replace(state.settings, **changes))


def _entered(state: Tournament, event: events.EntrantEntered) -> Tournament:
    lot = sha256(f"{state.settings.lots}\n{event.entrant}".encode()).hexdigest()
    entrant = Entrant(event.entrant, Player(**event.player), lot)
    return replace(state, entrants={**state.entrants, event.entrant: entrant})


def _withdrew(state: Tournament, event: events.EntrantWithdrew) -> Tournament:
    if state.status == OPEN:
        rest = {name: e for name, e in state.entrants.items() if name != event.entrant}
    else:
        gone = replace(state.entrants[event.entrant], withdrawn=True,
                       is_absent=event.reason == "absent")
        rest = {**state.entrants, event.entrant: gone}
    if event.by and event.at:
        trace = Removal(state.entrants[event.entrant], event.by, event.at, event.why)
        state = replace(state, removed=(*state.removed, trace))
    return replace(state, entrants=rest)


def _disqualified(state: Tournament, event: events.EntrantDisqualified) -> Tournament:
    entrant = state.entrants[event.entrant]
    if not entrant.withdrawn:
        state = _withdrew(state, events.EntrantWithdrew(event.entrant))
    removal = Removal(entrant, event.by, event.at, event.reason)
    return replace(state, disqualified={**state.disqualified, event.entrant: removal})


def _reinstated(state: Tournament, event: events.EntrantReinstated) -> Tournament:
    """Lift a disqualification. An entrant who was removed before the start may enter again."""
    disqualified = {**state.disqualified}
    lifted = replace(disqualified.pop(event.entrant), lifted_at=event.at)
    entrants = {name: lifted.entrant if name == event.entrant else entrant
                for name, entrant in state.entrants.items()}
    return replace(state, entrants=entrants, disqualified=disqualified,
                   lifted=(*state.lifted, lifted))


def _started(state: Tournament, event: events.TournamentStarted) -> Tournament:
    changed = {entrant: replace(state.entrants[entrant], player=Player(**player))
               for entrant, player in (event.players or {}).items()}
    return replace(state, status=RUNNING, entrants={**state.entrants, **changed})


def _round_paired(state: Tournament, event: events.RoundPaired) -> Tournament:
    tables = []
    for number, entrants in enumerate(map(tuple, event.tables), 1):
        lots = {entrant: state.entrants[entrant].lot for entrant in entrants}
        empty = Table(number, entrants, (), lots, deals=0)
        tables.append(_with_deal(state, event.round, event.board, empty))
    paired = Round(event.round, event.board, tuple(tables), event.byes)
    return replace(state, rounds=(*state.rounds, paired))


def _with_deal(state: Tournament, number: int, board: str, table: Table) -> Table:
    more = len(table.entrants) if state.settings.deals == events.DUPLICATE else 1
    games = tuple(game_id(state.id, number, table.number, rotation, (board, *table.entrants))
                  for rotation in range(len(table.games), len(table.games) + more))
    return replace(table, games=table.games + games, deals=table.deals + 1)


def _deal_added(state: Tournament, event: events.DealAdded) -> Tournament:
    paired = state.rounds[event.round - 1]
    table = _with_deal(state, paired.number, paired.board, paired.tables[event.table - 1])
    return _with_table(state, paired, table)


def _recorded(state: Tournament, event: events.GameRecorded) -> Tournament:
    paired = state.rounds[event.round - 1]
    table = paired.tables[event.table - 1]
    return _with_table(state, paired, replace(table, results=(*table.results, event.results)))


def _with_table(state: Tournament, paired: Round, table: Table) -> Tournament:
    tables = (*paired.tables[: table.number - 1], table, *paired.tables[table.number :])
    return replace(state, rounds=(*state.rounds[: paired.number - 1],
                                  replace(paired, tables=tables), *state.rounds[paired.number :]))


def _last_round_set(state: Tournament, event: events.LastRoundSet) -> Tournament:
    return replace(state, last_round=event.round, ended=_trace(event))


def _ended(state: Tournament, event: events.TournamentEnded) -> Tournament:
    return replace(state, status=FINISHED, ending=event.reason, ended=state.ended or _trace(event))


def _trace(event: events.LastRoundSet | events.TournamentEnded) -> Mapping[str, str]:
    return {name: value for name in ("by", "at", "why") if (value := getattr(event, name))}


EVOLVES: dict[type, Callable[[Tournament, Any], Tournament]] = {
    events.TournamentCreated: _created, events.TournamentEdited: _edited,
    events.EntrantEntered: _entered, events.EntrantWithdrew: _withdrew,
    events.EntrantDisqualified: _disqualified, events.EntrantReinstated: _reinstated,
    events.TournamentStarted: _started, events.RoundPaired: _round_paired,
    events.GameRecorded: _recorded, events.DealAdded: _deal_added,
    events.LastRoundSet: _last_round_set, events.TournamentEnded: _ended}
