from collections.abc import Iterable
from functools import partial

from domain.tournament.state import OPEN
from service.accounts.accounts import Account
from service.feature import Feature, Job, Loop, Services
from service.records.keeping import add_kind
from service.redis.guarding import log_errors
from service.tournaments import entering, index
from service.tournaments.director import run_due
from service.tournaments.records import (
    KeptTournaments,
    TournamentRecorder,
    TournamentRows,
    tournament_records,
)
from service.tournaments.store import TournamentStore
from service.tournaments.tournaments import TournamentNotices, Tournaments

MAX_NAMES = 40  # entrants that a preview names
WORDS = {"en": "Tournament, {} entered: {}", "de": "Turnier, {} angemeldet: {}"}
OF_ALL = {
    "en": "Tournaments of people and bots: open, under way and over.",
    "de": "Turniere von Menschen und Bots: offen, im Gang und beendet.",
}


def _build(services: Services) -> None:
    games = services.games
    store = TournamentStore(games.redis, tournament_records(games.database))
    tournaments = Tournaments(games, store)
    services.add(tournaments)
    games.notices.append(TournamentNotices(store))
    games.projections.append(partial(TournamentRows, store))
    add_kind(games, KeptTournaments(store, games.store), [tournaments.reproject])


def _jobs(services: Services) -> Iterable[Job]:
    store = services.find(Tournaments).store
    yield Job(TournamentRecorder(store, services.games.database).run, 60.0)


def _leave_all(services: Services, account: Account) -> None:
    tournaments = services.find(Tournaments)
    for some_id in index.under_way(tournaments.store):
        with log_errors(f"{some_id} was not left"):  # it has ended in between, or is broken
            _leave(tournaments, account, some_id)


def _leave(tournaments: Tournaments, account: Account, tournament: str) -> None:
    """Withdraw; end a tournament that would wait for its creator for ever."""
    state = tournaments.get(tournament).state
    if account.id in state.active:
        entering.withdraw(tournaments, account, tournament, account.id)
    if state.settings.creator == account.id and state.status == OPEN:
        entering.end(tournaments, account, tournament)


def _preview(services: Services, tournament_id: str, language: str) -> tuple[str, str]:
    """Return the title and the sentence that other sites show for a link to a tournament."""
    state = services.find(Tournaments).get(tournament_id).state
    rows = [{"player": state.entrants[entrant].player.as_json()} for entrant in state.active]
    services.games.store.deleted.hide(rows)
    names = [row["player"]["name"] for row in rows]
    more = ["…"] if len(names) > MAX_NAMES else []
    return state.settings.name, WORDS.get(language, WORDS["en"]).format(
        len(names), ", ".join([*names[:MAX_NAMES], *more])
    )


FEATURE = Feature(
    "tournaments",
    _build,
    lambda services: [
        Loop("director", 0.25, partial(run_due, services.find(Tournaments)), is_shared=True)
    ],
    _jobs,
    on_account_closed=_leave_all,
    previews={
        "/tournaments/ID": _preview,
        "/tournaments": lambda _services, _id, language: (
            "Fogg",
            OF_ALL.get(language, OF_ALL["en"]),
        ),
    },
)
