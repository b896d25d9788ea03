"""Setting a tournament up, entering it, leaving it, starting and ending it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime
from hmac import compare_digest, digest
from typing import Any

from domain.entry import IdempotencyKey
from domain.errors import Refused
from domain.tournament import fold
from domain.tournament.events import INVITATION, RULES_VERSION, TournamentCreated, TournamentEvent
from domain.tournament.state import OPEN, Tournament
from service.accounts import bots
from service.accounts.accounts import Account
from service.accounts.names import distinct_name
from service.errors import NotYours, RecordsUnavailable, UnknownThing
from service.eventlog import quotas
from service.redis.conflicts import Conflict
from service.times import as_time, now
from service.tournaments.store import LoadedTournament
from service.tournaments.tournaments import Decision, Tournaments


def create(
    tournaments: Tournaments, account: Account, body: dict, once: IdempotencyKey | None = None
) -> LoadedTournament:
    new = tournaments.store.new_id(once)
    with suppress(RecordsUnavailable):
        if once and (made := tournaments.store.made(new, once)):
            return made
    lots = digest(tournaments.games.secret, f"lots\n{new}".encode(), "sha256").hex()
    empty = LoadedTournament(Tournament())
    settings = _settings(
        tournaments,
        empty.state,
        {"tournament": new, "creator": account.id, "lots": lots, "rules_version": RULES_VERSION},
        body,
    )
    events = fold.create(settings)
    if who := account.answers_for:
        quotas.reserve(tournaments.store, "tournaments", who, new)
    try:
        return tournaments.append(empty, events, once)
    except Conflict:
        if made := tournaments.store.made(new, once):  # the same request was running twice
            return made
        raise


def edit(
    tournaments: Tournaments, account: Account, tournament_id: str, body: dict
) -> LoadedTournament:
    """Change settings of a tournament; a value of None removes the setting."""
    return tournaments.do(
        tournament_id,
        _by_creator(
            account,
            lambda known: fold.edit(
                known.state, _settings(tournaments, known.state, asdict(known.state.settings), body)
            ),
        ),
    )


def _settings(
    tournaments: Tournaments, state: Tournament, known: Mapping[str, Any], body: dict
) -> TournamentCreated:
    """Return the ``known`` settings, changed by a request; raise Refused if they cannot be."""
    new: dict[str, Any] = {**known, **body}
    games = tournaments.games
    if body.get("starts_at"):
        new["starts_at"] = _time(body["starts_at"], "starts_at")
        _check_future(new["starts_at"], "starts_at")
    if "round_times" in body:
        new["round_times"] = _round_times(state, body["round_times"] or ())
    if "max_entrants" in body:
        new["most"] = new.pop("max_entrants")
    new["boards"] = tuple(new["boards"])
    if new.get("visibility") == "public":
        new["visibility"] = None
    for place, board_id in enumerate(new["boards"]):
        board = games.store.board(board_id)
        if new["seats"] not in board.players:
            least, most = board.players[0], board.players[-1]
            raise Refused(
                "wrong-number-of-seats",
                "1",
                f"{board.name} is for {least} to {most} players, not {new['seats']}",
                f"boards.{place}",
            )
        for entrant in state.entrants if "boards" in body else ():
            if entrant in bots.BOTS:
                bots.offered(entrant, f"boards.{place}", board)
    new["least"] = max(games.store.boards[b].players[0] for b in new["boards"])
    return TournamentCreated(**new)


def enter(
    tournaments: Tournaments,
    account: Account,
    tournament_id: str,
    body: dict,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Enter the caller; the creator may also enter a built-in bot. Of names that look alike, the
    later one is marked."""

    def decision(known: LoadedTournament) -> list[TournamentEvent]:
        is_own = account.id == known.state.settings.creator
        if bot := body.get("bot"):
            if not is_own:
                raise NotYours("only the creator enters built-in bots")
            boards = [
                board
                for name, board in tournaments.games.store.boards.items()
                if name in known.state.settings.boards
            ]
            player = bots.player(bots.offered(bot, "bot", *boards), 0)
            return fold.enter(known.state, bot, player)
        if known.state.settings.entry == INVITATION and not is_own:
            code = body.get("invitation", "")
            if not compare_digest(code, tournaments.invitation(tournament_id)):
                raise NotYours("entering this tournament takes an invitation")
        names = [
            entrant.player.name
            for entrant in known.state.entrants.values()
            if entrant.id != account.id
        ]
        name = distinct_name(account.name, account.id, names)
        return fold.enter(known.state, account.id, replace(account.player, name=name))

    return tournaments.do(tournament_id, decision, once)


def withdraw(
    tournaments: Tournaments,
    account: Account,
    tournament_id: str,
    entrant: str,
    why: str | None = None,
    *,
    keep_out: bool = False,
) -> LoadedTournament:
    """Withdraw the caller. The creator may also withdraw a built-in bot and, before the start,
    anybody; that is shown as a removal, and may keep the entrant's owner out."""

    def decision(known: LoadedTournament) -> list[TournamentEvent]:
        if entrant not in known.state.entrants:
            raise UnknownThing("entrant", entrant)
        if entrant == account.id and not keep_out:
            return fold.withdraw(known.state, entrant)
        may_be_removed = known.state.status == OPEN or entrant in bots.BOTS or keep_out
        if account.id != known.state.settings.creator or not may_be_removed:
            raise NotYours("only the creator removes others, and people before the start only")
        return fold.withdraw(known.state, entrant, account.id, now(), why, keep_out=keep_out)

    return tournaments.do(tournament_id, decision)


def disqualify(
    tournaments: Tournaments,
    account: Account,
    tournament_id: str,
    entrant: str,
    reason: str,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Disqualify an entrant; only the creator may, until standings are final."""

    def decision(known: LoadedTournament) -> list[TournamentEvent]:
        if entrant not in known.state.entrants:
            raise UnknownThing("entrant", entrant)
        return fold.disqualify(known.state, entrant, reason, account.id, now(), known.final_at)

    return tournaments.do(tournament_id, _by_creator(account, decision), once)


def reinstate(
    tournaments: Tournaments, account: Account, tournament_id: str, entrant: str
) -> LoadedTournament:
    """Lift a disqualification, or let a removed entrant enter again. Only the creator may, until
    the standings are final."""

    def decision(known: LoadedTournament) -> list[TournamentEvent]:
        state = known.state
        if entrant not in (state.entrants.keys() | state.barred.keys()):
            raise UnknownThing("entrant", entrant)
        return fold.reinstate(state, entrant, account.id, now(), known.final_at)

    return tournaments.do(tournament_id, _by_creator(account, decision))


def start(
    tournaments: Tournaments,
    account: Account,
    tournament_id: str,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Start with the present entrants; only the creator may."""
    return tournaments.do(
        tournament_id,
        _by_creator(
            account,
            lambda known: fold.start(
                known.state, tournaments.tables.changed_players(known.state), now()
            ),
        ),
        once,
    )


def end(
    tournaments: Tournaments,
    account: Account,
    tournament_id: str,
    why: str | None = None,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """End a tournament after the round under way or the next one; only the creator may."""
    return tournaments.do(
        tournament_id,
        _by_creator(account, lambda known: fold.end(known.state, "ended", account.id, now(), why)),
        once,
    )


def _by_creator(account: Account, decision: Decision) -> Decision:
    """Return a decision that refuses anybody but the creator."""

    def of_creator(known: LoadedTournament) -> list[TournamentEvent]:
        if account.id != known.state.settings.creator:
            raise NotYours("only the creator of a tournament may do this")
        return decision(known)

    return of_creator


def _round_times(state: Tournament, written: Sequence[str]) -> tuple[str, ...] | None:
    """Return the earliest times of rounds in stored form. Only new ones must be in the future."""
    known = state.settings.round_times or () if state.created else ()
    times = tuple(_time(at, f"round_times.{place}") for place, at in enumerate(written))
    for place, at in enumerate(times):
        if place and at <= times[place - 1]:
            raise Refused(
                "wrong-order-of-times",
                None,
                "each round is later than the one before",
                f"round_times.{place}",
            )
        if at not in known:
            _check_future(at, f"round_times.{place}")
    return times or None


def _check_future(at: str, field: str) -> None:
    if at <= now():
        raise Refused("time-passed", None, "that time has passed", field)


def _time(written: str, field: str) -> str:
    """Return a time in stored form: RFC 3339 in UTC, to the millisecond."""
    try:
        return as_time(round(datetime.fromisoformat(written).timestamp() * 1000))
    except (ValueError, OverflowError) as error:
        raise Refused("no-such-time", None, f"there is no {written}", field) from error
