"""The tournaments of a service: get, decide, append. What may be asked of them is in ``entering``,
what is shown in ``views``; ``director`` moves them on."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep

from redis import Redis

from domain.entry import Once
from domain.errors import Refused
from domain.game.state import FINISHED
from domain.tournament.events import TournamentEvent
from domain.tournament.fold import decide, evolve
from domain.tournament.state import RUNNING
from service.games.games import Games
from service.store import secret
from service.store.conflicts import Conflict
from service.store.due import Due
from service.store.games import KnownGame
from service.store.known import Loss
from service.store.store import NewEntry
from service.store.tournaments import KnownTournament, TournamentStore
from service.times import in_ms, now_in_ms
from service.tournaments import index

PATIENCE = 5_000  # milliseconds after which the director looks at what was about to change
PAUSE = 0.01  # seconds between two looks for a game that is being created
Decision = Callable[[KnownTournament], object]  # a tournament -> the command to be done


class Tournaments:
    """The tournaments of a service, beside its games."""

    def __init__(self, games: Games):
        self.games = games
        self.store = TournamentStore(games.redis)
        self.due = Due(games.redis)
        games.listeners.append(self.heed)

    @property
    def redis(self) -> Redis:
        return self.games.redis

    def get(self, tournament_id: str) -> KnownTournament:
        """Return a tournament as it is now; raise UnknownThing if there is none."""
        return self.store.load(tournament_id)

    def after(self, tournament_id: str, version: int, seconds: float) -> KnownTournament:
        """Return a tournament once it is not at a version any more, or after so many seconds."""
        found = self.get(tournament_id)
        if seconds and found.state.version == version:
            self.games.news.wait(tournament_id, seconds,
                                 lambda: self.get(tournament_id).state.version != version)
            found = self.get(tournament_id)
        return found

    def wait_for_games(self, found: KnownTournament) -> None:
        """Return once the games that a tournament names are there, which the director creates right
        after it has named them; or once another look at it is due."""
        rounds = found.state.rounds[-1:] if found.state.status == RUNNING else ()
        named = [table.games[-1] for paired in rounds for table in paired.tables
                 if not table.is_over]
        while (named and now_in_ms() - in_ms(found.updated) < PATIENCE
               and None in self.games.store.heads(named)):
            sleep(PAUSE)

    def append(
        self, known: KnownTournament, events: list[TournamentEvent], once: Once | None = None
    ) -> KnownTournament:
        """Make events the next entry; raise Conflict, and write nothing, unless the history still
        ends where ``known`` does."""
        state = evolve(known.state, events)
        some_id = state.id
        self.due.put(index.DUE, some_id, now_in_ms() + PATIENCE)  # should this process die
        new, _ = self.store.append(known, NewEntry(events, state, once=once))
        if new.state.status != known.state.status or not known.state.version:
            index.file(self.store, new)
            self.look_at(some_id)
        return new

    def look_at(self, tournament_id: str) -> None:
        """Let the director look at a tournament at once."""
        self.due.put(index.DUE, tournament_id, now_in_ms())

    def heed(self, game: KnownGame) -> None:
        """Let the director look at the tournament of a game that is over."""
        if game.state.status == FINISHED and (place := game.state.tournament):
            self.look_at(place["id"])

    def do(
        self, tournament_id: str, decision: Decision, once: Once | None = None
    ) -> KnownTournament:
        """Decide and append, again if others were quicker; what was done already under the same
        key is not done again. Returns the tournament as it is right after."""
        def attempt(known: KnownTournament) -> KnownTournament:
            return self.append(known, decide(known.state, decision(known)), once)

        try:
            return self.store.do(tournament_id, attempt, once)[0]
        except Conflict:
            raise Refused("too-busy", None, "others were quicker too often; try again") from None

    def refile(self, loss: Loss[KnownTournament]) -> None:
        """Put a tournament that has gone back where it belongs now, and tell who follows it."""
        if loss.now:
            index.file(self.store, loss.now)
        self.games.news.tell(loss.was.state.id)

    def invitation(self, tournament_id: str) -> str:
        """Return the code that lets people enter a tournament that is not open to all."""
        return secret.invitation(self.games.secret, tournament_id)
