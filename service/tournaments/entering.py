"""Setting a tournament up, entering it, leaving it, starting and ending it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from hmac import compare_digest, digest
from typing import Any

from domain.entry import IdempotencyKey
from domain.errors import Refused
from domain.tournament.commands import (
    ChangeTeam,
    CreateTournament,
    Disqualify,
    Edit,
    End,
    Enter,
    Start,
    Withdraw,
)
from domain.tournament.events import RULES_VERSION, TournamentCreated
from domain.tournament.fold import decide
from domain.tournament.state import OPEN, Tournament
from service.accounts import accounts, bots
from service.accounts.accounts import Account
from service.errors import Changed, NotYours, UnknownThing
from service.store import quotas
from service.store.conflicts import Conflict
from service.store.tournaments import LoadedTournament
from service.times import as_time, now
from service.tournaments import qualifying
from service.tournaments.tables import changed_players
from service.tournaments.tournaments import Decision, Tournaments


def create(
    tournaments: Tournaments, account: Account, body: dict, once: IdempotencyKey | None = None
) -> LoadedTournament:
    """Create a tournament that is open for entries."""
    new = tournaments.store.new_id(once)
    if once and (made := tournaments.store.made(new, once)):
        return made
    lots = digest(tournaments.games.secret, f"lots\n{new}".encode(), "sha256").hex()
    empty = LoadedTournament(Tournament())
    settings = _settings(tournaments, empty.state, {
        "tournament": new, "creator": account.id, "lots": lots, "rules_version": RULES_VERSION},
        body)
    events = decide(empty.state, CreateTournament(settings))
    if who := account.answers_for:
        quotas.reserve(tournaments.store, "tournaments", who, new)
    try:
        return tournaments.append(empty, events, once)
    except Conflict:
        if made := tournaments.store.made(new, once):  # the same request was running twice
            return made
        raise


def edit(
    tournaments: Tournaments, account: Account, tournament_id: str, body: dict, version: int | None
) -> LoadedTournament:
    """Change settings; None removes one. Raise Changed if the tournament is not at the ``version``,
    unless that is None."""

    def decision(known: LoadedTournament) -> Edit:
        _check_organiser(account, known)
        if "organisers" in body and account.id != known.state.settings.creator:
            raise NotYours("only the creator of a tournament names its organisers")
        if version not in (None, known.state.version):
            raise Changed(known.state.version)
        state = known.state
        return Edit(_settings(tournaments, state, asdict(state.settings), body))

    return tournaments.do(tournament_id, decision)


def _settings(
    tournaments: Tournaments, state: Tournament, known: Mapping[str, Any], body: dict
) -> TournamentCreated:
    """Return the ``known`` settings with those of a request. Raise Refused if a tournament in this
    state cannot have them."""
    new: dict[str, Any] = {**known, **body}
    games = tournaments.games
    if body.get("starts_at"):
        new["starts_at"] = _time(body["starts_at"], "starts_at")
        _check_future(new["starts_at"], "starts_at")
    if "round_times" in body:
        new["round_times"] = _round_times(state, body["round_times"] or ())
    if ranked := (body.get("qualification") or {}).get("ranked"):
        tournaments.get(ranked["tournament"])
    for organiser in body.get("organisers", ()):
        accounts.get(games.redis, organiser)
    new["boards"] = tuple(new["boards"])
    new["organisers"] = tuple(new.get("organisers") or ()) or None
    if new.get("visibility") == "public":
        new["visibility"] = None
    for place, board_id in enumerate(new["boards"]):
        board = games.store.board(board_id)
        if new["seats"] not in board.players:
            least, most = board.players[0], board.players[-1]
            raise Refused("wrong-number-of-seats", "1",
                          f"{board.name} is for {least} to {most} players, not {new['seats']}",
                          f"boards.{place}")
    new["least"] = max(games.store.boards[b].players[0] for b in new["boards"])
    return TournamentCreated(**new)


def enter(
    tournaments: Tournaments, account: Account, tournament_id: str, body: dict,
    ratings: qualifying.Ratings,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Enter the caller; an organiser may also enter a built-in bot. ``ratings`` answers for an
    account's rating, if the tournament asks for one."""

    def decision(known: LoadedTournament) -> Enter:
        is_own = account.id in known.state.organisers
        if bot := body.get("bot"):
            if not is_own:
                raise NotYours("only organisers enter built-in bots")
            return Enter(bot, bots.player(bots.offered(bot, "bot"), 0), body.get("team"))
        if known.state.settings.entry == "invitation" and not is_own:
            code = body.get("invitation", "")
            if not compare_digest(code, tournaments.invitation(tournament_id)):
                raise NotYours("entering this tournament takes an invitation")
        if asked := known.state.settings.qualification:
            qualifying.check(tournaments, account, asked, ratings)
        return Enter(account.id, account.player, body.get("team"))

    return tournaments.do(tournament_id, decision, once)


def change_team(
    tournaments: Tournaments, account: Account, tournament_id: str, entrant: str, team: str | None
) -> LoadedTournament:
    """Let the caller play for another team, or for none; an organiser may change anybody's."""

    def decision(known: LoadedTournament) -> ChangeTeam:
        if entrant not in known.state.entrants:
            raise UnknownThing("entrant", entrant)
        if account.id not in (entrant, *known.state.organisers):
            raise NotYours("this entry is another's")
        return ChangeTeam(entrant, team)

    return tournaments.do(tournament_id, decision)


def withdraw(
    tournaments: Tournaments, account: Account, tournament_id: str, entrant: str,
    why: str | None = None,
) -> LoadedTournament:
    """Withdraw the caller. An organiser may also withdraw a built-in bot, and before the start
    anybody, which leaves a trace."""

    def decision(known: LoadedTournament) -> Withdraw:
        is_own = account.id in known.state.organisers
        if entrant not in known.state.entrants:
            raise UnknownThing("entrant", entrant)
        may = is_own and (known.state.status == OPEN or entrant in bots.BOTS)
        if entrant != account.id and not may:
            raise NotYours("this entry is another's")
        return Withdraw(entrant) if entrant == account.id else Withdraw(
            entrant, account.id, now(), why)

    return tournaments.do(tournament_id, decision)


def disqualify(
    tournaments: Tournaments, account: Account, tournament_id: str, entrant: str, reason: str,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Withdraw an entrant for good and rank them last; only an organiser may."""

    def decision(known: LoadedTournament) -> Disqualify:
        _check_organiser(account, known)
        if entrant not in known.state.entrants:
            raise UnknownThing("entrant", entrant)
        return Disqualify(entrant, reason, account.id, now())

    return tournaments.do(tournament_id, decision, once)


def start(
    tournaments: Tournaments, account: Account, tournament_id: str,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Start with the present entrants; only an organiser may."""
    def decision(known: LoadedTournament) -> Start:
        _check_organiser(account, known)
        return Start(changed_players(tournaments.games, known.state))

    return tournaments.do(tournament_id, decision, once)


def end(
    tournaments: Tournaments, account: Account, tournament_id: str, why: str | None = None,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """End a tournament early, as a ladder has to be; only an organiser may. The round under way is
    finished first, and counts."""
    command = End("ended", account.id, now(), why)
    return tournaments.do(tournament_id, _by_organiser(account, command), once)


def _by_organiser(account: Account, command: object) -> Decision:
    """Return a decision for this command that raises NotYours unless the account organises it."""
    def decision(known: LoadedTournament) -> object:
        _check_organiser(account, known)
        return command

    return decision


def _check_organiser(account: Account, known: LoadedTournament) -> None:
    if account.id not in known.state.organisers:
        raise NotYours("only organisers of a tournament may do this")


def _round_times(state: Tournament, written: Sequence[str]) -> tuple[str, ...] | None:
    """Return the earliest times of rounds as they are stored, None if there are none. Those of
    rounds to come have to be in the future, unless they stay as they are."""
    known = state.settings.round_times or () if state.created else ()
    times = tuple(_time(at, f"round_times.{place}") for place, at in enumerate(written))
    for place, at in enumerate(times):
        if place and at <= times[place - 1]:
            raise Refused("wrong-order-of-times", None, "each round is later than the one before",
                          f"round_times.{place}")
        if place >= len(state.rounds) and at not in known[place:place + 1]:
            _check_future(at, f"round_times.{place}")
    return times or None


def _check_future(at: str, field: str) -> None:
    if at <= now():
        raise Refused("time-passed", None, "that time has passed", field)


def _time(written: str, field: str) -> str:
    """Return a time as it is stored: RFC 3339 in UTC, to the millisecond."""
    try:
        return as_time(round(datetime.fromisoformat(written).timestamp() * 1000))
    except (ValueError, OverflowError) as error:
        raise Refused("no-such-time", None, f"there is no {written}", field) from error
