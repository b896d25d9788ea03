"""The tournaments of a service: get, decide, append. What may be asked of them is in ``entering``,
what is shown in ``views``; ``director`` moves them on."""

from __future__ import annotations

from collections.abc import Callable

from redis import Redis

from domain.entry import Once
from domain.errors import Refused
from domain.tournament.events import TournamentEvent
from domain.tournament.fold import decide
from service.games.games import Games
from service.store import secret
from service.store.histories import Conflict
from service.store.tournaments import KnownTournament, TournamentStore
from service.tournaments import index

Decision = Callable[[KnownTournament], object]  # a tournament -> the command to be done


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
            index.file(self.store, new)
        return new

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

    def invitation(self, tournament_id: str) -> str:
        """Return the code that lets people enter a tournament that is not open to all."""
        return secret.invitation(self.games.secret, tournament_id)
