"""A tournament is a fold, as a game is. Its rules are functions: each returns the events of a
command, or raises Refused if it is not allowed. ``evolve`` holds the changes.

The results of a deal are recorded together, so that none is known while the deal is still being
played.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, Literal

from domain.errors import Refused
from domain.game.commands import Player
from domain.tournament import events
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

ABSENT = 3  # consecutive tables lost by time after which an entrant counts as absent
TEXTS = frozenset(("name", "description", "rules"))  # settings that may change until the end
UNTIL_START = frozenset(("entry",))  # settings that nobody who has entered relies on
MOST_DEALS = 3  # deals that a table of a knockout may take
Step = Callable[[Tournament], list[events.TournamentEvent]]  # a rule, with what it is about


def evolve(state: Tournament, entry: Iterable[events.TournamentEvent]) -> Tournament:
    for event in entry:
        state = EVOLVES[type(event)](state, event)
    return replace(state, version=state.version + 1)


def game_id(tournament: str, number: int, table: int, rotation: int, who: Iterable[str]) -> str:
    """Return the id of a game. It is deterministic, so that the game is created once."""
    named = "\n".join(["game of", tournament, str(number), str(table), str(rotation), *who])
    return f"g_{sha256(named.encode()).hexdigest()[:20]}"


# Rules


def create(settings: events.TournamentCreated) -> list[events.TournamentEvent]:
    if settings.format == events.KNOCKOUT and settings.rounds:
        raise Refused("knockout-rounds", None, "a knockout goes on until one is left", "rounds")
    return [settings]


def edit(state: Tournament, settings: events.TournamentCreated) -> list[events.TournamentEvent]:
    create(settings)
    was, now = state.settings.as_json(), settings.as_json()
    changes = {name: now.get(name) for name in sorted(was | now) if was.get(name) != now.get(name)}
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    for name in sorted(changes.keys() - TEXTS):
        field = "max_entrants" if name == "most" else name
        if state.status != OPEN:
            raise Refused(
                "tournament-started",
                None,
                f"the tournament has begun, so {field} stays as it is",
                field,
            )
        if state.is_fixed and name not in UNTIL_START:
            raise _fixed(field)
    return [events.TournamentEdited(changes)] if changes else []


def _fixed(field: str) -> Refused:
    return Refused(
        "tournament-fixed",
        None,
        f"others have entered and rely on the settings, so {field} stays as it is",
        field,
    )


def enter(state: Tournament, entrant: str, player: Player) -> list[events.TournamentEvent]:
    """Enter an account, or a built-in bot under its name."""
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if state.last_round:
        raise _ending(state)
    if state.status == RUNNING:
        raise Refused("tournament-started", None, "the tournament has begun")
    if entrant in state.active:
        raise Refused("already-entered", None, f"{player.name} has entered already")
    is_creators = player.is_built_in or entrant == state.settings.creator
    if state.settings.entry == events.CLOSED and not is_creators:
        raise Refused("entry-closed", None, "its creator has closed the entries")
    if len(state.active) >= state.settings.most:
        raise Refused("tournament-full", None, f"it is full: {state.settings.most} have entered")
    new = Entrant(entrant, player, "")
    if new.responsible in {gone.entrant.responsible for gone in state.disqualified.values()}:
        raise Refused("disqualified", None, "the creator has disqualified this owner's entry")
    if new.responsible in {gone.entrant.responsible for gone in state.kept_out.values()}:
        raise Refused("kept-out", None, "the creator keeps this owner's entries out")
    if (most := state.settings.per_owner) and not player.is_built_in:
        answer_for = [
            state.entrants[e].responsible
            for e in state.active
            if not state.entrants[e].player.is_built_in
        ]
        if answer_for.count(new.responsible) >= most:
            raise Refused(
                "owner-entered",
                None,
                f"an owner, with all bots of theirs, may enter {most} times here",
            )
    return [events.EntrantEntered(entrant, player.as_json())]


def withdraw(
    state: Tournament,
    entrant: str,
    by: str | None = None,
    at: str | None = None,
    why: str | None = None,
    *,
    keep_out: bool = False,
) -> list[events.TournamentEvent]:
    """``by``, ``at`` and ``why`` are set if the creator removes the entrant. With ``keep_out``, no
    account of the same owner can enter again."""
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if entrant not in state.active:
        raise Refused("not-entered", None, "this entrant has not entered, or has withdrawn")
    if keep_out and state.status != OPEN:
        raise Refused(
            "tournament-started", None, "the tournament has begun, so nobody enters", "keep_out"
        )
    return [events.EntrantWithdrew(entrant, None, by, at, why, keep_out or None)]


def disqualify(
    state: Tournament, entrant: str, reason: str, by: str, at: str, final_at: str | None = None
) -> list[events.TournamentEvent]:
    """Rank an entrant last, and before the end also withdraw them. ``final_at`` is the time from
    which standings are final, None before the end."""
    if entrant not in state.entrants:
        raise Refused("not-entered", None, "this entrant has not entered, or has withdrawn")
    if entrant in state.disqualified:
        raise Refused("already-disqualified", None, "this entrant is disqualified already")
    _check_provisional(at, final_at)
    return [events.EntrantDisqualified(entrant, reason, by, at)]


def reinstate(
    state: Tournament, entrant: str, by: str, at: str, final_at: str | None = None
) -> list[events.TournamentEvent]:
    """Lift a disqualification, once for each entrant, or let a removed entrant enter again.
    ``final_at`` is as in ``disqualify``."""
    if entrant not in state.barred:
        raise Refused("not-disqualified", None, "this entrant is not disqualified")
    _check_provisional(at, final_at)
    if entrant in state.disqualified and entrant in {gone.entrant.id for gone in state.lifted}:
        raise Refused(
            "already-reinstated", None, "reinstated once before, so this disqualification stands"
        )
    return [events.EntrantReinstated(entrant, by, at)]


def _check_provisional(at: str, final_at: str | None) -> None:
    if final_at and at >= final_at:
        raise Refused("standings-final", None, f"the standings are final since {final_at}")


def start(
    state: Tournament, players: Mapping[str, Player], at: str
) -> list[events.TournamentEvent]:
    """Start with the current entrants. ``players``: those who have changed since they entered."""
    if state.status != OPEN:
        raise Refused("tournament-started", None, "the tournament has begun")
    starts_at = state.settings.starts_at
    if state.is_fixed and starts_at and at < starts_at:
        raise _fixed("starts_at")
    if len(state.active) < state.settings.least:
        raise Refused(
            "too-few-entrants",
            None,
            f"{len(state.active)} have entered, and {state.settings.least} are needed",
        )
    changed = {
        entrant: player.as_json()
        for entrant, player in players.items()
        if entrant in state.entrants
    }
    return [events.TournamentStarted(changed or None)]


def pair_round(state: Tournament, at: str) -> list[events.TournamentEvent]:
    """Pair the next round, or end if there is none."""
    if state.status != RUNNING:
        raise Refused("tournament-not-running", None, "the tournament is not under way")
    if state.rounds and not state.rounds[-1].is_over:
        raise Refused("round-not-over", None, "games of the last round are still under way")
    number, settings = len(state.rounds) + 1, state.settings
    if 0 < state.last_round < number:
        return [events.TournamentEnded("ended")]
    if number > last_round(state):
        return [events.TournamentEnded("complete")]
    if settings.format == events.KNOCKOUT and state.rounds and len(contenders(state)) < 2:
        return [events.TournamentEnded("complete")]
    if len(contenders(state)) < settings.least:
        return [events.TournamentEnded("too_few")]
    if (due := next_round_at(state)) and at < due:
        raise Refused("round-not-due", None, f"the next round is not paired before {due}")
    tables, byes = next_tables(state)
    return [events.RoundPaired(number, state.next_board, tuple(tables), tuple(byes))]


def record_table(
    state: Tournament, number: int, at_table: int, games: tuple[tuple[events.SeatResult, ...], ...]
) -> list[events.TournamentEvent]:
    """Record all games of a deal of a round's table, by rotation and seat."""
    if state.status != RUNNING:
        raise Refused("tournament-not-running", None, "the tournament is not under way")
    table = state.rounds[number - 1].tables[at_table - 1]
    if table.is_over:
        raise Refused("already-recorded", None, "this table's results are in")
    entry: list[events.TournamentEvent] = [
        events.GameRecorded(number, at_table, rotation, results)
        for rotation, results in zip(table.under_way, games, strict=True)
    ]
    now = replace(table, results=table.results + games)
    if state.settings.format == events.KNOCKOUT and table.deals < MOST_DEALS:
        there = [entrant for entrant in leaders(now) if not state.entrants[entrant].withdrawn]
        if len(there) > 1:
            return [*entry, events.DealAdded(number, at_table)]
    absent = [entrant for entrant in table.entrants if _is_absent(state, now, entrant)]
    return entry + [events.EntrantWithdrew(entrant, "absent") for entrant in absent]


def _is_absent(state: Tournament, now: Table, entrant: str) -> bool:
    """Return whether an entrant has lost its last tables by time; ``now`` is the last of them. One
    outage counts once, as all games of a deal run at the same time."""
    one = state.entrants[entrant]
    if one.withdrawn or one.player.is_built_in:
        return False
    earlier = [
        table
        for paired in state.rounds[:-1]
        for table in paired.tables
        if entrant in table.entrants
    ]
    last = [*earlier, now][-ABSENT:]
    return len(last) == ABSENT and all(entrant in table.absent for table in last)


def end(
    state: Tournament,
    reason: Literal["too_few", "ended", "expired"] = "ended",
    by: str | None = None,
    at: str | None = None,
    why: str | None = None,
) -> list[events.TournamentEvent]:
    """End after the round under way, so that a creator cannot cancel a round that goes against
    them. At tables for two end after an even number of rounds, so that nobody keeps the first seat
    by ending. ``by``, ``at`` and ``why`` are set if the creator ends it."""
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if state.last_round:
        raise _ending(state)
    number = last = len(state.rounds)
    is_under_way = not all(paired.is_over for paired in state.rounds)
    if state.settings.seats == 2:
        last = min(number + number % 2, last_round(state))
    if is_under_way or last > number:
        return [events.LastRoundSet(last, by, at, why)]
    return [events.TournamentEnded(reason, by, at, why)]


def _ending(state: Tournament) -> Refused:
    return Refused("tournament-ending", None, f"the tournament ends with round {state.last_round}")


# Facts


def _created(state: Tournament, event: events.TournamentCreated) -> Tournament:
    if event.rules_version != events.RULES_VERSION:
        raise ValueError(f"rules version {event.rules_version} is unknown")
    return replace(state, created=event)


def _edited(state: Tournament, event: events.TournamentEdited) -> Tournament:
    changes: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in event.changes.items()
    }
    return replace(state, created=replace(state.settings, **changes))


def _entered(state: Tournament, event: events.EntrantEntered) -> Tournament:
    lot = sha256(f"{state.settings.lots}\n{event.entrant}".encode()).hexdigest()
    is_invited = state.settings.entry == events.INVITATION
    entrant = Entrant(event.entrant, Player(**event.player), lot, is_invited=is_invited)
    return replace(state, entrants={**state.entrants, event.entrant: entrant})


def _withdrew(state: Tournament, event: events.EntrantWithdrew) -> Tournament:
    if state.status == OPEN:
        rest = {name: e for name, e in state.entrants.items() if name != event.entrant}
    else:
        gone = replace(
            state.entrants[event.entrant], withdrawn=True, is_absent=event.reason == "absent"
        )
        rest = {**state.entrants, event.entrant: gone}
    if event.by and event.at:
        trace = Removal(
            state.entrants[event.entrant],
            event.by,
            event.at,
            event.why,
            keeps_out=bool(event.keep_out),
        )
        state = replace(state, removed={**state.removed, event.entrant: trace})
    return replace(state, entrants=rest)


def _disqualified(state: Tournament, event: events.EntrantDisqualified) -> Tournament:
    entrant = state.entrants[event.entrant]
    if not entrant.withdrawn and state.status != FINISHED:
        state = _withdrew(state, events.EntrantWithdrew(event.entrant))
    removal = Removal(entrant, event.by, event.at, event.reason)
    return replace(state, disqualified={**state.disqualified, event.entrant: removal})


def _reinstated(state: Tournament, event: events.EntrantReinstated) -> Tournament:
    """Lift a disqualification. An entrant who was removed before the start may enter again."""
    if event.entrant not in state.disqualified:
        gone = replace(state.removed[event.entrant], keeps_out=False, lifted_at=event.at)
        return replace(state, removed={**state.removed, event.entrant: gone})
    disqualified = {**state.disqualified}
    lifted = replace(disqualified.pop(event.entrant), lifted_at=event.at)
    state = replace(state, disqualified=disqualified, lifted=(*state.lifted, lifted))
    if event.entrant not in state.entrants or state.status == FINISHED:
        return state
    return replace(state, entrants={**state.entrants, event.entrant: lifted.entrant})


def _started(state: Tournament, event: events.TournamentStarted) -> Tournament:
    changed = {
        entrant: replace(state.entrants[entrant], player=Player(**player))
        for entrant, player in (event.players or {}).items()
    }
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
    games = tuple(
        game_id(state.id, number, table.number, rotation, (board, *table.entrants))
        for rotation in range(len(table.games), len(table.games) + more)
    )
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
    return replace(
        state,
        rounds=(
            *state.rounds[: paired.number - 1],
            replace(paired, tables=tables),
            *state.rounds[paired.number :],
        ),
    )


def _last_round_set(state: Tournament, event: events.LastRoundSet) -> Tournament:
    return replace(state, last_round=event.round, ended=_trace(event))


def _ended(state: Tournament, event: events.TournamentEnded) -> Tournament:
    return replace(state, status=FINISHED, ending=event.reason, ended=state.ended or _trace(event))


def _trace(event: events.LastRoundSet | events.TournamentEnded) -> Mapping[str, str]:
    return {name: value for name in ("by", "at", "why") if (value := getattr(event, name))}


EVOLVES: dict[type, Callable[[Tournament, Any], Tournament]] = {
    events.TournamentCreated: _created,
    events.TournamentEdited: _edited,
    events.EntrantEntered: _entered,
    events.EntrantWithdrew: _withdrew,
    events.EntrantDisqualified: _disqualified,
    events.EntrantReinstated: _reinstated,
    events.TournamentStarted: _started,
    events.RoundPaired: _round_paired,
    events.GameRecorded: _recorded,
    events.DealAdded: _deal_added,
    events.LastRoundSet: _last_round_set,
    events.TournamentEnded: _ended,
}
