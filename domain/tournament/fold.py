"""A tournament is a fold, as a game is: ``decide`` holds the rules, ``evolve`` the facts.

Entrants are ids: an account's, or the name of a built-in bot. A round has tables, a table is played
in one game, or, where every deal is played from each seat, in as many as it has seats. The results
of a table come in all at once, so that none is known while its deal is still being played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from math import ceil, log2
from typing import Literal

from domain.codec import Tagged, from_json, registry
from domain.errors import BrokenHistory, Refused
from domain.game.commands import Player
from domain.tournament import collusion, pairing, standings

OPEN, RUNNING, FINISHED = STATUSES = ("open", "running", "finished")
ROUND_ROBIN, SWISS, KNOCKOUT, LADDER = FORMATS = ("round_robin", "swiss", "knockout", "ladder")
INDEPENDENT, DUPLICATE = DEALS = ("independent", "duplicate")
MOST_ROUNDS = 1000
ABSENT = 3  # games in a row lost by the clock after which an entrant counts as absent

# Events: what has happened


class Event(Tagged):
    """A fact of a tournament's history."""

    __slots__ = ()


_event = dataclass(frozen=True, slots=True)


@_event
class TournamentCreated(Event):
    """A tournament was set up. ``least`` is the fewest that make a table on all of its boards,
    ``lots`` is secret until the end: who comes before whom among equals follows from it."""

    tournament: str
    creator: str
    name: str
    boards: tuple[str, ...]
    seats: int
    least: int
    format: Literal["round_robin", "swiss", "knockout", "ladder"]
    deals: Literal["independent", "duplicate"]
    clock: Mapping[str, float]
    on_timeout: Literal["resign", "act"]
    entry: Literal["open", "invitation"]
    most: int
    rounds: int | None = None
    starts_at: str | None = None
    per_owner: int | None = None
    lots: str | None = None


@_event
class EntrantEntered(Event):
    """An account entered, or a built-in bot was entered."""

    entrant: str
    player: Mapping[str, str]


@_event
class EntrantWithdrew(Event):
    """An entrant is not to be paired any more; the service sees to it for who is absent."""

    entrant: str
    reason: Literal["absent"] | None = None


@_event
class TournamentStarted(Event):
    """The first round may be paired."""


@_event
class RoundPaired(Event):
    """The tables of a round, the entrants of each in the order of seats, and who has a bye."""

    round: int
    board: str
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


@_event
class GameRecorded(Event):
    """A game of a table ended; ``results`` has total and rank of every seat, and why it left."""

    round: int
    table: int
    rotation: int
    results: tuple[Mapping[str, object], ...]


@_event
class TournamentEnded(Event):
    """It is over."""

    reason: Literal["complete", "too_few", "ended", "expired"]


EVENTS = registry(TournamentCreated, EntrantEntered, EntrantWithdrew, TournamentStarted,
                  RoundPaired, GameRecorded, TournamentEnded)


def event_from_json(value: dict) -> Event:
    """Return the event that a stored JSON object stands for; raise ValueError where it is none."""
    return from_json(EVENTS, value)


# Commands: what may be asked


@dataclass(frozen=True)
class CreateTournament:
    """Set up a tournament; the members are those of its event."""

    settings: TournamentCreated


@dataclass(frozen=True)
class Enter:
    """Enter an account, or a built-in bot under its name."""

    entrant: str
    player: Player


@dataclass(frozen=True)
class Withdraw:
    """Take an entrant out."""

    entrant: str


@dataclass(frozen=True)
class Start:
    """Start with those who are there."""


@dataclass(frozen=True)
class PairRound:
    """Pair the next round, or end if there is none."""


@dataclass(frozen=True)
class RecordTable:
    """Record all games of a table, by rotation and seat."""

    round: int
    table: int
    results: tuple[tuple[Mapping[str, object], ...], ...]


@dataclass(frozen=True)
class End:
    """End, whatever has been played."""

    reason: Literal["too_few", "ended", "expired"] = "ended"


# The state


@dataclass(frozen=True)
class Entrant:
    """Who takes part. Of equals the lower ``lot`` comes first, whoever entered first."""

    id: str
    player: Player
    lot: str
    withdrawn: bool = False
    is_absent: bool = False

    @property
    def responsible(self) -> str:
        """The account that answers for this one: its owner, or itself."""
        return self.player.owner or self.id


@dataclass(frozen=True)
class Table:
    """Entrants in the order of seats, their ``lots``, and, once all games are over, the results by
    rotation and seat."""

    number: int
    entrants: tuple[str, ...]
    games: tuple[str, ...]  # one for each rotation
    lots: Mapping[str, str] = field(default_factory=dict)
    results: tuple[tuple[Mapping[str, object], ...], ...] = ()

    @cached_property
    def scores(self) -> dict[str, standings.Score]:
        """What it was worth to each entrant, once the results are in."""
        return standings.scores(self)

    @property
    def absent(self) -> set[str]:
        """Who lost every game of the table by the clock; nobody before the results are in."""
        return {entrant for entrant in self.entrants if self.results and all(
            row.get("left") == "time" for row in self.results_of(entrant))}

    def results_of(self, entrant: str) -> list[Mapping[str, object]]:
        """Return what an entrant's games came to, by rotation."""
        return [results[self.seated(rotation).index(entrant)]
                for rotation, results in enumerate(self.results)]

    def seated(self, rotation: int) -> tuple[str, ...]:
        """Return who sits where once everybody has moved so many seats on."""
        return self.entrants[rotation:] + self.entrants[:rotation]


@dataclass(frozen=True)
class Round:
    """A round; numbers count from 1, as those of its tables do."""

    number: int
    board: str
    tables: tuple[Table, ...]
    byes: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether every table's results are in."""
        return all(table.results for table in self.tables)


@dataclass(frozen=True)
class State:
    """A tournament; ``version`` counts the entries of its history."""

    version: int = 0
    settings: TournamentCreated | None = None
    status: str = OPEN
    entrants: Mapping[str, Entrant] = field(default_factory=dict)
    entries: int = 0  # how many there have been
    rounds: tuple[Round, ...] = ()
    ending: str = ""

    @property
    def id(self) -> str:
        """The tournament's id."""
        return self.settings.tournament

    @property
    def active(self) -> list[str]:
        """The entrants who have not withdrawn, by lot."""
        return [entrant for entrant in self.drawn if not self.entrants[entrant].withdrawn]

    @cached_property
    def drawn(self) -> list[str]:
        """All entrants by lot, so that nothing depends on who entered first."""
        return sorted(self.entrants, key=lambda entrant: self.entrants[entrant].lot)

    @property
    def has_guests(self) -> bool:
        """Whether anybody but built-in bots is there: these alone would play on for ever."""
        return any(not self.entrants[entrant].player.is_built_in for entrant in self.active)

    @cached_property
    def standings(self) -> list[dict]:
        """How the entrants stand (``domain.tournament.standings``)."""
        return standings.standings(self)

    @cached_property
    def pairs(self) -> list[dict]:
        """Who may have fed whom (``domain.tournament.collusion``); this takes a moment."""
        return collusion.pairs(self)

    @property
    def past(self) -> pairing.Past:
        """What the rounds so far came to."""
        past = pairing.Past()
        for paired in self.rounds:
            past.add([table.entrants for table in paired.tables], paired.byes)
        return past

    @property
    def last_round(self) -> int:
        """How many rounds there are to be at most; a knockout's end by themselves."""
        settings, count = self.settings, max(2, len(self.entrants))
        match settings.format:
            case "round_robin" if settings.seats == 2:
                rounds = pairing.circle_length(count) * (settings.rounds or 1)
            case "round_robin":
                rounds = ceil((count - 1) / (settings.seats - 1)) * (settings.rounds or 1)
            case "swiss":
                rounds = settings.rounds or ceil(log2(count))
            case _:
                rounds = settings.rounds or MOST_ROUNDS
        return min(rounds, MOST_ROUNDS)

    @property
    def contenders(self) -> list[str]:
        """Who is to be paired: in a knockout those who have won, in the order of the tables they
        come from; in a swiss and a ladder the best first."""
        active = set(self.active)
        if self.settings.format in (SWISS, LADDER):
            return [row["entrant"] for row in self.standings if row["entrant"] in active]
        if self.settings.format == ROUND_ROBIN or not self.rounds:
            return self.active
        last = self.rounds[-1]
        through = [standings.winner(table) for table in last.tables] + list(last.byes)
        return [entrant for entrant in through if entrant in active]


def decide(state: State, command: object) -> list[Event]:
    """Return the events that a command leads to; raise Refused where it may not be."""
    return DECIDES[type(command)](state, command)


def evolve(state: State, events: Iterable[Event]) -> State:
    """Return the state after one more entry."""
    for event in events:
        state = EVOLVES[type(event)](state, event)
    return replace(state, version=state.version + 1)


def replay(entries: Iterable[Iterable[Event]]) -> State:
    """Return the state that a history leads to; raise BrokenHistory at an entry that cannot be."""
    state = State()
    for events in entries:
        try:
            state = evolve(state, events)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise BrokenHistory(state.version + 1, f"cannot be folded: {error!r}") from error
    return state


def game_id(tournament: str, number: int, table: int, rotation: int, who: Iterable[str]) -> str:
    """Return the id of a game: the same whenever it is asked for, so that it is created once."""
    named = "\n".join(["game of", tournament, str(number), str(table), str(rotation), *who])
    return f"g_{sha256(named.encode()).hexdigest()[:20]}"


# Rules


def _create(_state: State, command: CreateTournament) -> list[Event]:
    settings = command.settings
    if settings.format == KNOCKOUT and settings.rounds:
        raise Refused("knockout-rounds", None, "a knockout goes on until one is left", "rounds")
    return [settings]


def _enter(state: State, command: Enter) -> list[Event]:
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if state.status == RUNNING and state.settings.format != LADDER:
        raise Refused("tournament-started", None, "the tournament has begun")
    if command.entrant in state.active:
        raise Refused("already-entered", None, f"{command.player.name} has entered already")
    if len(state.active) >= state.settings.most:
        raise Refused("tournament-full", None, f"{state.settings.most} have entered")
    new = Entrant(command.entrant, command.player, "")
    if (most := state.settings.per_owner) and not new.player.is_built_in:
        answer_for = [state.entrants[e].responsible for e in state.active
                      if not state.entrants[e].player.is_built_in]
        if answer_for.count(new.responsible) >= most:
            raise Refused("owner-entered", None,
                          f"an owner with all of his bots may enter {most} times here")
    return [EntrantEntered(command.entrant, command.player.as_json())]


def _withdraw(state: State, command: Withdraw) -> list[Event]:
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    if command.entrant not in state.active:
        raise Refused("not-entered", None, f"{command.entrant} is no entrant")
    return [EntrantWithdrew(command.entrant)]


def _start(state: State, _command: Start) -> list[Event]:
    if state.status != OPEN:
        raise Refused("tournament-started", None, "the tournament has begun")
    if len(state.active) < state.settings.least and state.settings.format != LADDER:
        raise Refused("too-few-entrants", None,
                      f"{len(state.active)} have entered, a table takes {state.settings.least}")
    return [TournamentStarted()]


def _pair(state: State, _command: PairRound) -> list[Event]:
    if state.status != RUNNING:
        raise Refused("tournament-not-running", None, "the tournament is not under way")
    if state.rounds and not state.rounds[-1].is_over:
        raise Refused("round-not-over", None, "games of the last round are still under way")
    number, settings = len(state.rounds) + 1, state.settings
    if number > state.last_round:
        return [TournamentEnded("complete")]
    if settings.format == KNOCKOUT and state.rounds and len(state.contenders) < 2:
        return [TournamentEnded("complete")]
    if len(state.contenders) < settings.least:
        if settings.format == LADDER:
            raise Refused("too-few-entrants", None, "the ladder waits for entrants")
        return [TournamentEnded("too_few")]
    tables, byes = paired(state)
    board = settings.boards[(number - 1) % len(settings.boards)]
    return [RoundPaired(number, board, tuple(tables), tuple(byes))]


def paired(state: State) -> tuple[pairing.Tables, list[str]]:
    """Return the tables and byes of the next round, for which there are enough entrants."""
    settings, past, order = state.settings, state.past, state.contenders
    if settings.format == ROUND_ROBIN and settings.seats == 2:
        pairs = pairing.circle(state.drawn, len(state.rounds))
        tables = [pair for pair in pairs if set(order).issuperset(pair)]
        at_tables = {entrant for pair in tables for entrant in pair}
        return tables, [entrant for entrant in order if entrant not in at_tables]
    knockout = settings.format == KNOCKOUT
    there, byes = pairing.set_aside(order, settings.seats, settings.least, past, first=knockout)
    group = {KNOCKOUT: pairing.neighbours, ROUND_ROBIN: pairing.balanced}.get(
        settings.format, pairing.grouped)
    return group(there, settings.seats, past), byes


def _record(state: State, command: RecordTable) -> list[Event]:
    if state.status != RUNNING:
        raise Refused("tournament-not-running", None, "the tournament is not under way")
    table = state.rounds[command.round - 1].tables[command.table - 1]
    if table.results:
        raise Refused("already-recorded", None, "this table's results are in")
    recorded = [GameRecorded(command.round, command.table, rotation, results)
                for rotation, results in enumerate(command.results)]
    now = replace(table, results=command.results)
    return recorded + [EntrantWithdrew(entrant, "absent") for entrant in table.entrants
                       if _is_absent(state, now, entrant)]


def _is_absent(state: State, now: Table, entrant: str) -> bool:
    """Return whether an entrant who has not withdrawn has lost its last games by the clock."""
    if state.entrants[entrant].withdrawn or state.entrants[entrant].player.is_built_in:
        return False
    tables = [table for paired in state.rounds for table in paired.tables] + [now]
    left = [row.get("left") for table in tables if entrant in table.entrants
            for row in table.results_of(entrant)]
    return len(left) >= ABSENT and set(left[-ABSENT:]) == {"time"}


def _end(state: State, command: End) -> list[Event]:
    if state.status == FINISHED:
        raise Refused("tournament-finished", None, "the tournament is over")
    return [TournamentEnded(command.reason)]


DECIDES = {CreateTournament: _create, Enter: _enter, Withdraw: _withdraw, Start: _start,
           PairRound: _pair, RecordTable: _record, End: _end}

# Facts


def _created(state: State, event: TournamentCreated) -> State:
    return replace(state, settings=event)


def _entered(state: State, event: EntrantEntered) -> State:
    lot = f"{state.entries:09}"  # of tournaments from before there were lots
    if state.settings.lots:
        lot = sha256(f"{state.settings.lots}\n{event.entrant}".encode()).hexdigest()
    elif before := state.entrants.get(event.entrant):
        lot = before.lot
    entrant = Entrant(event.entrant, Player(**event.player), lot)
    return replace(state, entrants={**state.entrants, event.entrant: entrant},
                   entries=state.entries + 1)


def _withdrew(state: State, event: EntrantWithdrew) -> State:
    if state.status == OPEN:
        rest = {name: e for name, e in state.entrants.items() if name != event.entrant}
    else:
        gone = replace(state.entrants[event.entrant], withdrawn=True,
                       is_absent=event.reason == "absent")
        rest = {**state.entrants, event.entrant: gone}
    return replace(state, entrants=rest)


def _started(state: State, _event: TournamentStarted) -> State:
    return replace(state, status=RUNNING)


def _round_paired(state: State, event: RoundPaired) -> State:
    settings, tables = state.settings, []
    for number, entrants in enumerate(map(tuple, event.tables), 1):
        rotations = len(entrants) if settings.deals == DUPLICATE else 1
        who = (event.board, *entrants)
        games = tuple(game_id(settings.tournament, event.round, number, rotation, who)
                      for rotation in range(rotations))
        lots = {entrant: state.entrants[entrant].lot for entrant in entrants}
        tables.append(Table(number, entrants, games, lots))
    paired = Round(event.round, event.board, tuple(tables), event.byes)
    return replace(state, rounds=(*state.rounds, paired))


def _recorded(state: State, event: GameRecorded) -> State:
    paired = state.rounds[event.round - 1]
    table = paired.tables[event.table - 1]
    table = replace(table, results=(*table.results, event.results))
    tables = (*paired.tables[: event.table - 1], table, *paired.tables[event.table :])
    return replace(state, rounds=(*state.rounds[: event.round - 1], replace(paired, tables=tables),
                                  *state.rounds[event.round :]))


def _ended(state: State, event: TournamentEnded) -> State:
    return replace(state, status=FINISHED, ending=event.reason)


EVOLVES = {TournamentCreated: _created, EntrantEntered: _entered, EntrantWithdrew: _withdrew,
           TournamentStarted: _started, RoundPaired: _round_paired, GameRecorded: _recorded,
           TournamentEnded: _ended}
