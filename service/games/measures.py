"""The counters and measures of games, for Prometheus."""

from collections.abc import Iterator
from datetime import datetime

from prometheus_client import Counter, Histogram
from prometheus_client.core import Metric

from service.accounts.bots import BOTS
from service.eventlog.store import NewEntry
from service.feature import Services
from service.games import index, workers
from service.games.store import LoadedGame
from service.http.metrics import COUNTED, SLOW, count, gauge, gauges

APPENDS = Counter("fogg_appends", "Entries appended to histories.", registry=COUNTED)
CONFLICTS = Counter("fogg_conflicts", "Appends that found the history moved on; decided anew.",
                    registry=COUNTED)
BOT_ACTIONS = Histogram("fogg_bot_action_seconds", "From the entry before to a built-in bot's own: "
                        "the queue, its thinking and its request.", ["bot"], buckets=SLOW,
                        registry=COUNTED)


def count_append(known: LoadedGame, after: LoadedGame, new: NewEntry) -> None:
    """Count an entry; of a built-in bot, also how long its action took."""
    count(APPENDS)
    if new.action is not None:
        bot = new.state.players[new.seat].bot
        if bot in BOTS:
            BOT_ACTIONS.labels(bot).observe(_seconds(known.updated, after.updated))


def _seconds(since: str, until: str) -> float:
    """Return the seconds between two times; not less than 0, as two machines' clocks may differ."""
    return max(0.0, (datetime.fromisoformat(until) - datetime.fromisoformat(since)).total_seconds())


def measures(services: Services) -> Iterator[Metric]:
    """Yield how many games wait for a worker, and how many there are."""
    queues = services.games.queues
    guests = queues.count(workers.GUESTS)
    yield gauge("fogg_queue_length", "Games whose bots wait for a worker.",
                guests + queues.count(workers.BOTS))
    yield gauge("fogg_queue_guests", "Of these, games that others than built-in bots play in, who "
                "wait as well.", guests)
    yield gauges("fogg_games", "Games, as they are listed.", "status",
                 index.counts(services.games.store))
