"""The tournaments of a service: get, decide, append. ``entering`` has the requests of users,
``views`` the representation in the API, and ``director`` advances tournaments."""

from collections.abc import Callable, Iterator
from time import sleep

from redis import Redis

from domain.entry import IdempotencyKey
from domain.errors import BrokenHistory, Refused
from domain.game.state import FINISHED
from domain.tournament.announcing import Announcement
from domain.tournament.events import TournamentEvent
from domain.tournament.fold import evolve
from domain.tournament.state import RUNNING
from service.errors import UnknownThing
from service.eventlog.loaded import Rollback
from service.eventlog.store import NewEntry
from service.games.games import Games
from service.games.notices import TOURNAMENT, Fact, recorded
from service.games.store import LoadedGame
from service.redis import secret
from service.redis.conflicts import Conflict
from service.redis.schedule import Schedule
from service.times import in_ms, now_in_ms
from service.tournaments import index
from service.tournaments.store import LoadedTournament, TournamentStore
from service.tournaments.tables import Tables

CHECK_AFTER_MS = 5_000  # after an append began until the director checks the tournament
PAUSE = 0.01  # seconds between two checks for a game that is being created
Decision = Callable[[LoadedTournament], list[TournamentEvent]]


class Tournaments:
    """The tournaments of a service, next to its games."""

    def __init__(self, games: Games, store: TournamentStore):
        self.games, self.store = games, store
        self.due, self.tables = Schedule(games.redis), Tables(games)
        games.listeners.append(self.on_append)
        games.creators[store.letter] = self.creator_of

    @property
    def redis(self) -> Redis:
        return self.games.redis

    def get(self, tournament_id: str) -> LoadedTournament:
        """Return the present state of a tournament; raise UnknownThing if it does not exist."""
        return self.store.load(tournament_id)

    def creator_of(self, tournament_id: str) -> str:
        """Return the account that has created a tournament; the id itself if there is none."""
        [head] = self.store.heads([tournament_id])
        return head["creator"] if head else tournament_id

    def after(self, tournament_id: str, version: int, seconds: float) -> LoadedTournament:
        """Return a tournament once it has another version, or after so many seconds."""
        tournament = self.get(tournament_id)
        if seconds and tournament.state.version == version:
            self.games.news.wait(
                tournament_id, seconds, lambda: self.get(tournament_id).state.version != version
            )
            tournament = self.get(tournament_id)
        return tournament

    def wait_for_games(self, tournament: LoadedTournament) -> None:
        """Wait until the games of the present round exist, which the director creates right after
        it has named them. Stop waiting after ``CHECK_AFTER_MS``."""
        rounds = tournament.state.rounds[-1:] if tournament.state.status == RUNNING else ()
        named = [
            table.games[-1] for paired in rounds for table in paired.tables if not table.is_over
        ]
        while (
            named
            and now_in_ms() - in_ms(tournament.updated) < CHECK_AFTER_MS
            and None in self.games.store.heads(named)
        ):
            sleep(PAUSE)

    def append(
        self,
        known: LoadedTournament,
        events: list[TournamentEvent],
        once: IdempotencyKey | None = None,
    ) -> LoadedTournament:
        """Append an entry. Raise Conflict if the history has grown since ``known`` was loaded."""
        state = evolve(known.state, events)
        some_id = state.id
        self.due.add(index.DUE, some_id, now_in_ms() + CHECK_AFTER_MS)  # in case this process dies
        new, _ = self.store.append(known, NewEntry(events, state, once=once))
        is_new = new.state.status != known.state.status or not known.state.version
        news = [*new.announced[len(known.announced) :]]
        if is_new or news or new.state.entrants.keys() != known.state.entrants.keys():
            index.project(self.store, new, known)
        if news:
            self.games.news.publish(*frozenset().union(*(each.to for each in news)))
            for each in news:
                fact = Fact(TOURNAMENT, some_id, each.number, in_ms(each.at))
                for listener in self.games.on_notice:
                    listener(fact, each.to)
        if is_new:
            self.due.add(index.DUE, some_id, now_in_ms())
        return new

    def on_append(self, game: LoadedGame) -> None:
        """Schedule a check of a finished game's tournament for now."""
        if game.state.status == FINISHED and (place := game.state.terms.tournament):
            self.due.add(index.DUE, place["id"], now_in_ms())

    def do(
        self, tournament_id: str, decision: Decision, once: IdempotencyKey | None = None
    ) -> LoadedTournament:
        """Decide and append; retry after a conflict. It is idempotent under the key ``once``.
        Return the tournament right after the entry. Raise Refused after too many conflicts."""

        def attempt(known: LoadedTournament) -> LoadedTournament:
            events = decision(known)
            if events:
                return self.append(known, events, once)
            if self.get(tournament_id).state.version != known.state.version:
                raise Conflict  # this state is old: the command may change the present one
            return known

        try:
            return self.store.do(tournament_id, attempt, once)[0]
        except Conflict:
            raise Refused("too-busy", None, "others were quicker too often; try again") from None

    def reproject(self, rollback: Rollback[LoadedTournament]) -> None:
        """After a rollback, put a tournament into its present lists, and wake its followers."""
        if rollback.now:
            index.project(self.store, rollback.now, rollback.was)
        self.games.news.publish(rollback.was.state.id)

    def invitation(self, tournament_id: str) -> str:
        """Return the code that lets people enter a tournament that is not open to all."""
        return secret.invitation(self.games.secret, tournament_id)


class TournamentNotices:
    """What was announced about tournaments (``service.games.notices.NoticeSource``)."""

    type = TOURNAMENT

    def __init__(self, store: TournamentStore):
        self._store = store

    def index(self, player: str) -> str:
        return index.announced_key(player)

    def since(self, player: str, since: int) -> Iterator[tuple[Fact, dict]]:
        """Yield what was announced to an account after a time, each with its notice."""
        raw = self._store.redis.zrangebyscore(index.announced_key(player), f"({since}", "inf")
        ids = dict.fromkeys(some_id.decode() for some_id in raw)
        for some_id in ids | dict.fromkeys(recorded(self._store, player, since)):
            try:
                tournament = self._store.load(some_id)
            except (UnknownThing, BrokenHistory):  # the notices about other tournaments go on
                continue
            for announcement in reversed(tournament.announced):
                if (at := in_ms(announcement.at)) <= since:
                    break
                if player in announcement.to:
                    yield (
                        Fact(TOURNAMENT, tournament.state.id, announcement.number, at),
                        (_of_tournament(tournament, announcement, player)),
                    )

    def of(self, fact: Fact, player: str) -> dict | None:
        """Return the notice of a fact about a tournament; None if it is no longer true, as a
        server has lost entries."""
        tournament = self._store.load(fact.game)
        for announcement in tournament.announced[fact.since - 1 : fact.since]:
            if player in announcement.to and in_ms(announcement.at) == fact.at:
                return _of_tournament(tournament, announcement, player)
        return None


def _of_tournament(tournament: LoadedTournament, announcement: Announcement, player: str) -> dict:
    return {
        "type": TOURNAMENT,
        "game": tournament.state.id,
        "tournament": tournament.state.id,
        "name": tournament.state.settings.name,
        **announcement.shown_to(player),
    }
