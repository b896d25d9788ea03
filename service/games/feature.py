from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

from prometheus_client import Counter, Histogram
from prometheus_client.core import Metric

from domain.game.state import LOBBY
from service.accounts.accounts import Account
from service.accounts.bots import BOTS
from service.eventlog.loaded import Rollback
from service.eventlog.store import NewEntry
from service.feature import Feature, Loop, Services
from service.games import index, inviting, listing, lobby, playing, rollbacks, visibility, workers
from service.games.games import Games
from service.games.live import Live
from service.games.store import LoadedGame
from service.games.sweep import sweep
from service.http.metrics import COUNTED, SLOW, count, gauge, gauges
from service.redis.guarding import log_errors
from service.redis.queue import Crew

APPENDS = Counter("fogg_appends", "Entries appended to histories.", registry=COUNTED)
CONFLICTS = Counter(
    "fogg_conflicts", "Appends that found the history moved on; decided anew.", registry=COUNTED
)
BOT_ACTIONS = Histogram(
    "fogg_bot_action_seconds",
    "From the entry before to a built-in bot's own: the queue, its thinking and its request.",
    ["bot"],
    buckets=SLOW,
    registry=COUNTED,
)


def _build(services: Services) -> None:
    games = services.games
    services.add(Live(games.store, games.news))
    games.store.on_append.append(_count_append)
    games.store.on_conflict.append(CONFLICTS.inc)
    games.on_rollback.append(partial(_on_rollback, games))


def _on_rollback(games: Games, rollback: Rollback[LoadedGame]) -> None:
    rollbacks.note(games, rollback)
    if rollback.now:
        listing.move(games.store, rollback.now.state.id, rollback.was.state)


def _count_append(known: LoadedGame, after: LoadedGame, new: NewEntry) -> None:
    """Count an entry; of a built-in bot, also how long its action took."""
    count(APPENDS)
    if new.action is not None:
        bot = new.state.players[new.seat].bot
        if bot in BOTS:
            BOT_ACTIONS.labels(bot).observe(_seconds(known.updated, after.updated))


def _seconds(since: str, until: str) -> float:
    """Return the seconds between two times; not less than 0, as two machines' clocks may differ."""
    return max(0.0, (datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds())


def _measures(services: Services) -> Iterator[Metric]:
    queues = services.games.queues
    guests = queues.count(workers.GUESTS)
    yield gauge(
        "fogg_queue_length",
        "Games whose bots wait for a worker.",
        guests + queues.count(workers.BOTS),
    )
    yield gauge(
        "fogg_queue_guests",
        "Of these, games that others than built-in bots play in, who wait as well.",
        guests,
    )
    yield gauges(
        "fogg_games", "Games, as they are listed.", "status", index.counts(services.games.store)
    )


def _loops(services: Services) -> Iterable[Loop]:
    games = services.games
    yield Loop("sweep", 2.0, partial(sweep, games), is_shared=True)
    yield Loop("beat", 0.25, games.clocks.beat)
    yield Loop("clocks", 0.25, partial(playing.enforce_deadlines, games), is_shared=True)


def _leave_all(services: Services, account: Account) -> None:
    """Decline invitations and leave games. Log those that have ended in between or are broken."""
    games = services.games
    decline = partial(inviting.close, player=account.id, reason="generic")
    for which, leave in (("invited", decline), ("current", _leave)):
        for raw in games.redis.zrange(f"player:{account.id}:{which}", 0, -1):
            with log_errors(f"{raw.decode()} was not left"):
                leave(games, account, raw.decode())


def _leave(games: Games, account: Account, game: str) -> None:
    """Resign a game under way. Before its start free the seat, or abort the own game."""
    state = games.get(game).state
    if state.status != LOBBY:
        playing.resign(games, account, game)
    elif state.terms.creator == account.id:
        lobby.abort(games, account, game)
    elif (seat := visibility.seat_of(state, account.id)) is not None:
        lobby.leave(games, account, game, seat)


FEATURE = Feature(
    "games",
    _build,
    _loops,
    works=(workers.GUESTS, workers.BOTS),
    blueprints=[f"api.{module}:blueprint" for module in ("games", "playing", "live", "notices")],
    crew=Crew(workers.BOTS.queue, "plays built-in bots", "games"),
    measures=_measures,
    on_account_closed=_leave_all,
)
