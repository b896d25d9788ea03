"""Setting a tournament up, entering it, leaving it, starting and ending it."""

from __future__ import annotations

from datetime import datetime
from hmac import compare_digest, digest

from domain.entry import IdempotencyKey
from domain.errors import Refused
from domain.tournament.commands import CreateTournament, End, Enter, Start, Withdraw
from domain.tournament.events import RULES_VERSION, TournamentCreated
from domain.tournament.fold import decide
from domain.tournament.state import OPEN, Tournament
from service.accounts import bots
from service.accounts.accounts import Account
from service.errors import NotYours, UnknownThing
from service.games.games import Games
from service.store import quotas
from service.store.conflicts import Conflict
from service.store.tournaments import LoadedTournament
from service.times import as_time, now
from service.tournaments.tournaments import Decision, Tournaments


def create(
    tournaments: Tournaments, account: Account, body: dict, once: IdempotencyKey | None = None
) -> LoadedTournament:
    """Create a tournament that is open for entries."""
    new = tournaments.store.new_id(once)
    if once and (made := tournaments.store.made(new, once)):
        return made
    settings = _settings(tournaments.games, new, account, body)
    empty = LoadedTournament(Tournament())
    events = decide(empty.state, CreateTournament(settings))
    if who := account.answers_for:
        quotas.reserve(tournaments.store, "tournaments", who, new)
    try:
        return tournaments.append(empty, events, once)
    except Conflict:
        if made := tournaments.store.made(new, once):  # the same request was running twice
            return made
        raise


def _settings(games: Games, new: str, account: Account, body: dict) -> TournamentCreated:
    """Return the settings that a request asks for. Raise Refused if a tournament cannot have
    them."""
    starts_at = _time(body["starts_at"]) if "starts_at" in body else None
    if starts_at and starts_at <= now():
        raise Refused("time-passed", None, "that time has passed", "starts_at")
    for place, board_id in enumerate(body["boards"]):
        board = games.store.board(board_id)
        if body["seats"] not in board.players:
            least, most = board.players[0], board.players[-1]
            raise Refused("wrong-number-of-seats", "1",
                          f"{board.name} is for {least} to {most} players, not {body['seats']}",
                          f"boards.{place}")
    least = max(games.store.boards[b].players[0] for b in body["boards"])
    lots = digest(games.secret, f"lots\n{new}".encode(), "sha256").hex()
    body = body | {"boards": tuple(body["boards"]), "starts_at": starts_at}
    return TournamentCreated(tournament=new, creator=account.id, least=least, lots=lots,
                             rules_version=RULES_VERSION, **body)


def enter(
    tournaments: Tournaments, account: Account, tournament_id: str, body: dict,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Enter the caller; the creator may also enter a built-in bot."""

    def decision(known: LoadedTournament) -> Enter:
        is_own = account.id == known.state.settings.creator
        if bot := body.get("bot"):
            if not is_own:
                raise NotYours("only the creator enters built-in bots")
            return Enter(bot, bots.player(bots.offered(bot, "bot"), 0))
        if known.state.settings.entry == "invitation" and not is_own:
            code = body.get("invitation", "")
            if not compare_digest(code, tournaments.invitation(tournament_id)):
                raise NotYours("entering this tournament takes an invitation")
        return Enter(account.id, account.player)

    return tournaments.do(tournament_id, decision, once)


def withdraw(
    tournaments: Tournaments, account: Account, tournament_id: str, entrant: str
) -> LoadedTournament:
    """Withdraw the caller. The creator may also withdraw a built-in bot, and before the start
    anybody."""

    def decision(known: LoadedTournament) -> Withdraw:
        is_own = account.id == known.state.settings.creator
        if entrant not in known.state.entrants:
            raise UnknownThing("entrant", entrant)
        may = is_own and (known.state.status == OPEN or entrant in bots.BOTS)
        if entrant != account.id and not may:
            raise NotYours("this entry is another's")
        return Withdraw(entrant)

    return tournaments.do(tournament_id, decision)


def start(
    tournaments: Tournaments, account: Account, tournament_id: str,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """Start with the present entrants; only the creator may."""
    return tournaments.do(tournament_id, _by_creator(account, Start()), once)


def end(
    tournaments: Tournaments, account: Account, tournament_id: str,
    once: IdempotencyKey | None = None,
) -> LoadedTournament:
    """End a tournament early, as a ladder has to be; only the creator may. The round under way is
    finished first, and counts."""
    return tournaments.do(tournament_id, _by_creator(account, End()), once)


def _by_creator(account: Account, command: object) -> Decision:
    """Return a decision for this command that raises NotYours unless the account is the creator."""
    def decision(known: LoadedTournament) -> object:
        if account.id != known.state.settings.creator:
            raise NotYours("only the creator of a tournament may do this")
        return command

    return decision


def _time(written: str) -> str:
    """Return a time as it is stored: RFC 3339 in UTC, to the millisecond."""
    try:
        return as_time(round(datetime.fromisoformat(written).timestamp() * 1000))
    except (ValueError, OverflowError) as error:
        raise Refused("no-such-time", None, f"there is no {written}", "starts_at") from error
