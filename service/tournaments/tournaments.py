"""What can be done with tournaments: get, decide, append. ``director`` moves them on.

``tournaments``         all of them, by time of creation; derived, as are
``tournaments:STATUS``  those of a status
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest, digest

from redis import Redis

from domain.entry import Once
from domain.errors import Refused
from domain.game.clock import Clock
from domain.game.commands import CreateGame, Player
from domain.tournament.commands import CreateTournament, End, Enter, Start, Withdraw
from domain.tournament.events import DUPLICATE, LADDER, TournamentCreated, TournamentEvent
from domain.tournament.fold import decide
from domain.tournament.rounds import last_round
from domain.tournament.standings import standings
from domain.tournament.state import FINISHED, OPEN, STATUSES, Round, Table, Tournament
from service.accounts import bots
from service.accounts.accounts import Account
from service.errors import NotYours, UnknownThing
from service.games.creating import set_out
from service.games.games import TRIES, Games
from service.store.store import Conflict
from service.store.tournaments import KnownTournament, TournamentStore
from service.times import as_time, in_ms, now


class Tournaments:
    """The tournaments of a service, beside its games."""

    def __init__(self, games: Games):
        self.games = games
        self.store = TournamentStore(games.redis)

    @property
    def redis(self) -> Redis:
        return self.games.redis

    def get(self, tournament_id: str) -> KnownTournament:
        """Return a tournament as it is now; raise UnknownThing if there is none."""
        return self.store.load(tournament_id)

    def after(self, tournament_id: str, version: int, seconds: float) -> KnownTournament:
        """Return a tournament once it has come past a version, or after so many seconds."""
        found = self.get(tournament_id)
        if seconds and found.state.version <= version:
            self.games.news.wait(tournament_id, seconds,
                                 lambda: self.get(tournament_id).state.version > version)
            found = self.get(tournament_id)
        return found

    def append(
        self, known: KnownTournament, events: list[TournamentEvent], once: Once | None = None
    ) -> KnownTournament:
        """Make events the next entry; raise Conflict, and write nothing, unless the history still
        ends where ``known`` does."""
        new = self.store.append(known, events, once)
        if new.state.status != known.state.status or not known.state.version:
            self.file(new)
        return new

    def do(
        self, tournament_id: str, decided: Callable[[KnownTournament], object],
        once: Once | None = None,
    ) -> KnownTournament:
        """Decide and append, again if others were quicker; what was done already under the same
        key is not done again. Returns the tournament as it is right after."""
        for _ in range(TRIES):
            known = self.get(tournament_id)
            if once and (version := known.version_of(once)):
                return self.store.at(tournament_id, version)
            try:
                return self.append(known, decide(known.state, decided(known)), once)
            except Conflict:
                continue
        raise Refused("too-busy", None, "others were quicker too often; try again")

    # What may be asked

    def create(self, account: Account, wish: dict, once: Once | None = None) -> KnownTournament:
        """Set up a tournament, to be entered by others."""
        new = self.store.new_id(once)
        if once and (made := self.store.made(new, once)):
            return made
        settings = self._settings(new, account, wish)
        self.redis.zadd(f"tournaments:{OPEN}", {new: in_ms(now())})
        empty = KnownTournament(Tournament())
        try:
            return self.append(empty, decide(empty.state, CreateTournament(settings)), once)
        except Conflict:  # the same request was under way twice
            return self.store.made(new, once)

    def _settings(self, new: str, account: Account, wish: dict) -> TournamentCreated:
        """Return a wish as the settings of a new tournament, if it can be played."""
        starts_at = _time(wish["starts_at"]) if "starts_at" in wish else None
        if starts_at and starts_at <= now():
            raise Refused("time-passed", None, "that time has passed", "starts_at")
        for place, board_id in enumerate(wish["boards"]):
            board = self.games.store.boards.get(board_id)
            if board is None:
                raise UnknownThing("board", board_id)
            if wish["seats"] not in board.players:
                least, most = board.players[0], board.players[-1]
                raise Refused("wrong-number-of-seats", "1",
                              f"{board.name} is for {least} to {most} players, not "
                              f"{wish['seats']}", f"boards.{place}")
        least = max(self.games.store.boards[b].players[0] for b in wish["boards"])
        lots = digest(self.games.secret, f"lots\n{new}".encode(), "sha256").hex()
        return TournamentCreated(tournament=new, creator=account.id, least=least, lots=lots,
                                 **wish | {"boards": tuple(wish["boards"]),
                                           "starts_at": starts_at})

    def enter(
        self, account: Account, tournament_id: str, wish: dict, once: Once | None = None
    ) -> KnownTournament:
        """Enter the caller, or, by the creator, a built-in bot."""

        def decided(known: KnownTournament) -> Enter:
            is_own = account.id == known.state.settings.creator
            if bot := wish.get("bot"):
                if not is_own:
                    raise NotYours("only the creator enters built-in bots")
                return Enter(bot, bots.player(bot, 0))
            if known.state.settings.entry == "invitation" and not is_own:
                code = wish.get("invitation", "")
                if not compare_digest(code, self.invitation(tournament_id)):
                    raise NotYours("entering this tournament takes an invitation")
            return Enter(account.id, account.player)

        return self.do(tournament_id, decided, once)

    def withdraw(self, account: Account, tournament_id: str, entrant: str) -> KnownTournament:
        """Take the caller out; or, by the creator, a built-in bot, and before the start anybody."""

        def decided(known: KnownTournament) -> Withdraw:
            is_own = account.id == known.state.settings.creator
            if entrant not in known.state.entrants:
                raise UnknownThing("entrant", entrant)
            may = is_own and (known.state.status == OPEN or entrant in bots.BOTS)
            if entrant != account.id and not may:
                raise NotYours("this entry is another's")
            return Withdraw(entrant)

        return self.do(tournament_id, decided)

    def start(
        self, account: Account, tournament_id: str, once: Once | None = None
    ) -> KnownTournament:
        """Start with those who have entered; only the creator may."""
        return self.do(tournament_id, lambda known: _own(known, account, Start()), once)

    def end(
        self, account: Account, tournament_id: str, once: Once | None = None
    ) -> KnownTournament:
        """End before everything is played, as a ladder has to be; only the creator may. Games
        under way are played on, and do not count."""
        return self.do(tournament_id, lambda known: _own(known, account, End()), once)

    def invitation(self, tournament_id: str) -> str:
        """Return the code that lets people enter a tournament that is not open to all."""
        secret = self.games.secret
        return sha256(secret + f"\ninvitation\n{tournament_id}".encode()).hexdigest()[:20]

    # What is shown

    def seen(self, found: KnownTournament, viewer: str | None, rounds: int) -> dict:
        """Return a tournament as an account, or anybody, may see it, with so many of its latest
        rounds: the API's tournament object."""
        state = found.state
        shown = TournamentStore.head(found)
        del shown["entered"]
        shown |= {
            "settings": settings(state),
            "entrants": [_entrant(entrant) for entrant in state.entrants.values()],
            "rounds": [_round(row) for row in (state.rounds[-rounds:] if rounds else ())],
            "standings": standings(state),
        }
        if state.ending:
            shown["ending"] = state.ending
        is_own = viewer == state.settings.creator
        if state.settings.entry == "invitation" and is_own:
            shown["invitation"] = self.invitation(found.state.id)
        return shown

    def listed(
        self, status: str | None, before: str | None, limit: int
    ) -> tuple[list[dict], str | None]:
        """Return tournaments, the newest first, and the cursor of the next page, None at the
        end."""
        key = f"tournaments:{status}" if status else "tournaments"
        score, _, last = (before or "+inf.").partition(".")
        found: list[dict] = []
        while True:
            same = self.redis.zrevrangebyscore(key, score, score) if last else []
            rows = [member for member in same if member.decode() < last]
            rows += self.redis.zrevrangebyscore(key, f"({score}" if last else score, "-inf",
                                                start=0, num=limit)
            ids = [member.decode() for member in rows]
            scores = self.redis.zmscore(key, ids) if ids else ()
            for tournament_id, at, row in zip(ids, scores, self.store.heads(ids), strict=True):
                score, last = str(int(at)), tournament_id
                if row and status in (None, row["status"]):
                    found.append(row)
                    if len(found) == limit:
                        return found, f"{score}.{last}"
            if not rows:
                return found, None

    # Indexes

    def file(self, found: KnownTournament) -> None:
        """Put a tournament where its status says."""
        row = {found.state.id: in_ms(found.created)}
        pipe = self.redis.pipeline(transaction=False)
        pipe.zadd("tournaments", row)
        for status in STATUSES:
            if status == found.state.status:
                pipe.zadd(f"tournaments:{status}", row)
            else:
                pipe.zrem(f"tournaments:{status}", found.state.id)
        pipe.execute()

    def rebuild(self) -> int:
        """Make every index and head anew from the histories; return how many there are."""
        count = 0
        for found in self.store.refold_all():
            self.file(found)
            count += 1
        return count

    # Games

    def set_out(self, state: Tournament, paired: Round, table: Table, rotation: int) -> None:
        """Create a game of a table, once however often it is asked for. The seed is the same for
        all rotations, and nobody's to know who has not the service's secret."""
        tournament, board = state.settings.tournament, self.games.store.boards.get(paired.board)
        if board is None:
            raise UnknownThing("board", paired.board)
        deal = f"deal\n{tournament}\n{paired.number}\n{table.number}".encode()
        is_duplicate = state.settings.deals == DUPLICATE
        set_out(self.games, CreateGame(
            game=table.games[rotation], creator=tournament,
            seats=tuple((_player(state.entrants[entrant].player, seat), None)
                        for seat, entrant in enumerate(table.seated(rotation))),
            seed=digest(self.games.secret, deal, "sha256"),
            first_seat=0, clock=state.settings.clock, on_timeout=state.settings.on_timeout,
            visibility="unlisted" if is_duplicate else None, spectators=not is_duplicate,
            tournament={"id": tournament, "round": paired.number, "table": table.number,
                        "games": table.games},
        ), board)

    def results(self, game_id: str) -> tuple[dict, ...]:
        """Return what is recorded of a game that is over: every seat's total and rank, and why it
        left, if it did."""
        state = self.games.get(game_id).state
        return tuple(
            {"total": result["total"], "rank": result["rank"]} | ({"left": left} if left else {})
            for result, left in zip(state.results, state.left, strict=True))


def settings(state: Tournament) -> dict:
    """Return a tournament's settings as the API shows them."""
    own = state.settings
    shown = {
        "boards": own.boards, "seats": own.seats, "format": own.format, "deals": own.deals,
        "entry": own.entry, "most": own.most,
        **({"per_owner": own.per_owner} if own.per_owner else {}),
        "clock": Clock.of(own.clock, own.on_timeout).as_json(),
    }
    is_known = own.rounds or (state.status != OPEN and own.format not in (LADDER, "knockout"))
    shown |= {"rounds": last_round(state)} if is_known else {}
    return shown | ({"lots": own.lots} if own.lots and state.status == FINISHED else {})


def _entrant(entrant) -> dict:
    shown = {"entrant": entrant.id, "player": entrant.player.as_json()}
    shown |= {"withdrawn": True} if entrant.withdrawn else {}
    return shown | ({"absent": True} if entrant.is_absent else {})


def _round(paired: Round) -> dict:
    return {"round": paired.number, "board": paired.board, "byes": paired.byes,
            "tables": [_table(table) for table in paired.tables]}


def _table(table: Table) -> dict:
    games = []
    for rotation, game in enumerate(table.games):
        shown = {"game": game, "seats": table.seated(rotation)}
        if table.results:
            shown["results"] = table.results[rotation]
        games.append(shown)
    return {"table": table.number, "games": games}


def _player(player: Player, seat: int) -> Player:
    return bots.player(player.bot, seat) if player.is_built_in else player


def _time(written: str) -> str:
    """Return a time as it is stored: RFC 3339 in UTC, to the millisecond."""
    try:
        return as_time(round(datetime.fromisoformat(written).timestamp() * 1000))
    except (ValueError, OverflowError) as error:
        raise Refused("no-such-time", None, f"there is no {written}", "starts_at") from error


def _own(known: KnownTournament, account: Account, command: object) -> object:
    if account.id != known.state.settings.creator:
        raise NotYours("only the creator of a tournament may do this")
    return command
