"""A tournament as the API shows it."""

from collections.abc import Iterable, Sequence
from typing import Annotated, NotRequired, TypedDict, cast

from domain.described import Positive, Time, choice
from domain.game.clock import Clock, ClockJson
from domain.game.commands import PlayerJson
from domain.skill import OWNERS
from domain.tournament.events import (
    DEALS,
    ENDINGS,
    ENTRIES,
    FORMATS,
    INVITATION,
    KNOCKOUT,
    LADDER,
    SeatResult,
)
from domain.tournament.rounds import last_round
from domain.tournament.standings import Standing, annulled, standings
from domain.tournament.state import FINISHED, OPEN, Entrant, Removal, Round, Table, Tournament
from service.tournaments.store import AboutTournament, LoadedTournament, TournamentStore
from service.tournaments.tournaments import Tournaments


class Settings(TypedDict):
    """The settings of a tournament."""

    boards: Annotated[Sequence[str], "Ids of the boards, used in turn."]
    seats: Annotated[int, {"minimum": 2}, "Seats at a table."]
    format: Annotated[
        str,
        choice((*FORMATS, LADDER)),
        "The format, which decides the pairings. Only former "
        "tournaments are a `ladder`, which is paired like a `swiss`.",
    ]
    deals: Annotated[
        str,
        choice(DEALS),
        "Whether a table plays one game (`independent`), or the same deal from "
        "each seat (`duplicate`).",
    ]
    clock: Annotated[ClockJson, "The time that entrants have."]
    entry: Annotated[str, choice(ENTRIES), "Who may enter, as in the request."]
    max_entrants: Annotated[int, {"minimum": 2}, "The maximum number of entrants."]
    per_owner: NotRequired[Annotated[Positive, "The maximum number of entries of one owner."]]
    rounds: NotRequired[
        Annotated[
            Positive,
            "The number of rounds: as requested or, once the tournament has started, the "
            "actual number.",
        ]
    ]
    round_times: NotRequired[Annotated[Sequence[Time], "The earliest times of the first rounds."]]
    rules_version: Annotated[Positive, "The version of the tournament rules."]
    lots_seed: NotRequired[
        Annotated[
            str,
            "Once it is over: the random text of the last tie-break. The entrant with the lower "
            "SHA-256 of this text, a newline and the entrant's id ranks first.",
        ]
    ]


class EntrantJson(TypedDict):
    """An entrant."""

    entrant: Annotated[str, "The account's id, or the name of a built-in bot."]
    player: Annotated[PlayerJson, "The player. A built-in bot uses one account for each seat."]
    withdrawn: NotRequired[
        Annotated[bool, "`true` if the entrant was withdrawn and is not paired any more."]
    ]
    annulled: NotRequired[
        Annotated[
            bool,
            "`true` if the tables of this entrant count for nobody and are byes for the "
            "opponents, since the entrant withdrew from a round robin for two before having played "
            "half of them.",
        ]
    ]
    absent: NotRequired[
        Annotated[
            bool,
            "`true` if the service withdrew the entrant because it lost every game of three "
            "tables in a row on time.",
        ]
    ]


class Trace(TypedDict):
    """A decision of the creator."""

    by: Annotated[str, "The id of the account that decided."]
    at: Annotated[Time, "When it was decided."]
    reason: NotRequired[Annotated[str, "The reason, if one was given."]]


class Removed(Trace):
    """An entrant that was removed or disqualified. A disqualification always has a reason."""

    entrant: Annotated[str, "The entrant's id."]
    player: Annotated[PlayerJson, "The player."]
    kept_out: NotRequired[
        Annotated[
            bool,
            "`true` if no account of the same owner can enter; only in `removed`, the "
            "disqualified cannot either.",
        ]
    ]
    lifted_at: NotRequired[
        Annotated[Time, "When the disqualification was lifted, or entering allowed again."]
    ]


class TableGame(TypedDict):
    """A game of a table."""

    game: Annotated[str, "The game's id."]
    seats: Annotated[Sequence[str], "The entrants in seat order; the first begins."]
    results: NotRequired[
        Annotated[Sequence[SeatResult], "The results by seat, once all games of the deal are over."]
    ]


class TableJson(TypedDict):
    """A table of a round."""

    table: Annotated[Positive, "The number, from 1."]
    games: Annotated[
        list[TableGame],
        "Its game, or one game for each seat with the same deal. In a knockout "
        "there are more after a tie.",
    ]


class RoundJson(TypedDict):
    """A round of a tournament."""

    round: Annotated[Positive, "The number, from 1."]
    board: Annotated[str, "The board's id."]
    byes: Annotated[Sequence[str], "Entrants who do not play in this round."]
    tables: Annotated[list[TableJson], "The tables."]


class TournamentJson(AboutTournament):
    """A tournament."""

    description: NotRequired[Annotated[str, "Its description."]]
    rules: NotRequired[Annotated[str, "Its rules in words."]]
    unrated: NotRequired[
        Annotated[
            str,
            "Why its games, or those with built-in bots, are not rated; missing if all may be. "
            "It is settled when the tournament starts.",
        ]
    ]
    removed: NotRequired[
        Annotated[
            list[Removed],
            "Entrants that the creator has removed: the last removal of each.",
        ]
    ]
    ended_early: NotRequired[Annotated[Trace, "The decision to end it early, if there was one."]]
    disqualified: NotRequired[
        Annotated[
            list[Removed],
            "The disqualified. They are ranked last; those who were disqualified before "
            "the start are not in `entrants`.",
        ]
    ]
    reinstated: NotRequired[
        Annotated[
            list[Removed], "Disqualifications that were lifted, first to last. They have no effect."
        ]
    ]
    settings: Annotated[Settings, "Its settings."]
    entrants: Annotated[list[EntrantJson], "The entrants, in the order of entry."]
    rounds: Annotated[list[RoundJson], "The latest rounds."]
    standings: Annotated[list[Standing], "The standings, best first."]
    standings_final_at: NotRequired[
        Annotated[
            Time,
            "Once it is over: when the standings become final, 72 hours after the end. Until "
            "then the creator may disqualify entrants or lift disqualifications.",
        ]
    ]
    last_round: NotRequired[
        Annotated[Positive, "The last round, if the creator has ended the tournament."]
    ]
    ending: NotRequired[
        Annotated[
            str,
            choice(ENDINGS),
            "Once it is over: all rounds were played (`complete`), too few "
            "entrants were left (`too_few`), the creator ended it (`ended`), or nobody started it "
            "in time (`expired`).",
        ]
    ]
    invitation: NotRequired[
        Annotated[str, "The code for entering, if one is required; only the creator sees it."]
    ]


def view(
    tournaments: Tournaments, tournament: LoadedTournament, viewer: str | None, rounds: int
) -> TournamentJson:
    """Return a tournament as an account sees it, or anybody, with its latest rounds."""
    state = tournament.state
    own = state.settings
    about = {
        name: value
        for name, value in TournamentStore.head(tournament).items()
        if name not in ("boards", "entered")
    }
    entrants = [
        _entrant(entrant, is_annulled=entrant.id in annulled(state))
        for entrant in state.entrants.values()
    ]
    tournaments.games.store.deleted.hide(entrants)
    shown: TournamentJson = {
        **cast(AboutTournament, about),  # type: ignore[typeddict-item]  # further members follow
        "settings": _settings(state),
        "entrants": entrants,
        "rounds": [_round(row) for row in (state.rounds[-rounds:] if rounds else ())],
        "standings": standings(state),
    }
    early = state.ended and {"by": state.ended["by"], "at": state.ended["at"]} | (
        {"reason": state.ended["why"]} if state.ended.get("why") else {}
    )
    if_any = {
        "description": own.description,
        "rules": own.rules,
        "last_round": state.last_round,
        "ending": state.ending,
        "standings_final_at": tournament.final_at,
        "removed": _removals(tournaments, state.removed.values()),
        "ended_early": early,
        "disqualified": _removals(tournaments, state.disqualified.values()),
        "reinstated": _removals(tournaments, state.lifted),
        "unrated": _unrated_because(tournaments, state),
    }
    shown |= cast(TournamentJson, {name: value for name, value in if_any.items() if value})
    if own.entry == INVITATION and viewer == own.creator:
        shown["invitation"] = tournaments.invitation(state.id)
    return shown


def _unrated_because(tournaments: Tournaments, state: Tournament) -> str:
    """Return why games of a tournament will not be rated, or those with built-in bots; empty if all
    may be. While it is open, as many owners and built-in bots as it allows may still enter."""
    own, is_open = state.settings, state.status == OPEN
    owners = own.most if is_open else state.owners
    if state.is_by_invitation or own.visibility:
        return "not everybody can find and enter it"
    if owners < OWNERS:  # a table may have fewer seats than others, or has when somebody leaves
        return "games of two are not rated where fewer than four owners take part"
    clock = Clock.of(own.clock, own.on_timeout)
    built_in = [
        entrant.player.bot or ""
        for entrant in state.entrants.values()
        if entrant.player.is_built_in
    ]
    if is_open and not built_in:
        built_in = [""]  # any one
    return tournaments.games.strengths.unrated_clock(clock, built_in) if clock else ""


def _settings(state: Tournament) -> Settings:
    own = state.settings
    clock = Clock.of(own.clock, own.on_timeout)
    assert clock
    shown: Settings = {
        "boards": own.boards,
        "seats": own.seats,
        "format": own.format,
        "deals": own.deals,
        "entry": own.entry,
        "max_entrants": own.most,
        "rules_version": own.rules_version,
        "clock": clock.as_json(),
    }
    if own.per_owner:
        shown["per_owner"] = own.per_owner
    if own.round_times:
        shown["round_times"] = own.round_times
    if own.rounds or (state.status != OPEN and own.format != KNOCKOUT):
        shown["rounds"] = last_round(state)
    if state.status == FINISHED:
        shown["lots_seed"] = own.lots
    return shown


def _entrant(entrant: Entrant, *, is_annulled: bool) -> EntrantJson:
    marks = {"withdrawn": entrant.withdrawn, "annulled": is_annulled, "absent": entrant.is_absent}
    return cast(
        EntrantJson,
        {
            "entrant": entrant.id,
            "player": entrant.player.as_json(),
            **{name: True for name, is_so in marks.items() if is_so},
        },
    )


def _removals(tournaments: Tournaments, removals: Iterable[Removal]) -> list[Removed]:
    shown = [*map(_removal, removals)]
    tournaments.games.store.deleted.hide(shown)
    return shown


def _removal(removal: Removal) -> Removed:
    shown = {
        "entrant": removal.entrant.id,
        "player": removal.entrant.player.as_json(),
        "by": removal.by,
        "at": removal.at,
        "reason": removal.reason,
        "kept_out": removal.keeps_out or None,
        "lifted_at": removal.lifted_at,
    }
    return cast(Removed, {name: value for name, value in shown.items() if value is not None})


def _round(paired: Round) -> RoundJson:
    return {
        "round": paired.number,
        "board": paired.board,
        "byes": paired.byes,
        "tables": [_table(table) for table in paired.tables],
    }


def _table(table: Table) -> TableJson:
    games = []
    for rotation, game in enumerate(table.games):
        shown: TableGame = {"game": game, "seats": table.seated(rotation)}
        if rotation < len(table.results):
            shown["results"] = table.results[rotation]
        games.append(shown)
    return {"table": table.number, "games": games}
