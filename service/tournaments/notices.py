"""The notices of an account about tournaments that it takes part in or organises."""

from collections.abc import Iterator

from domain.errors import BrokenHistory
from domain.tournament.announcing import Announcement
from service.errors import UnknownThing
from service.games.notices import TOURNAMENT, Fact, recorded
from service.times import in_ms
from service.tournaments import index
from service.tournaments.store import LoadedTournament, TournamentStore


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
                    yield Fact(TOURNAMENT, tournament.state.id, announcement.number, at), (
                        _of_tournament(tournament, announcement, player))

    def of(self, fact: Fact, player: str) -> dict | None:
        """Return the notice of a fact about a tournament; None if it is no longer true, as a
        server has lost entries."""
        tournament = self._store.load(fact.game)
        for announcement in tournament.announced[fact.since - 1 : fact.since]:
            if player in announcement.to and in_ms(announcement.at) == fact.at:
                return _of_tournament(tournament, announcement, player)
        return None


def _of_tournament(tournament: LoadedTournament, announcement: Announcement, player: str) -> dict:
    return {"type": TOURNAMENT, "game": tournament.state.id, "tournament": tournament.state.id,
            "name": tournament.state.settings.name, **announcement.shown_to(player)}
