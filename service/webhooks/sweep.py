"""Repair deliveries after a crash: store those that are missing, and call workers for lanes without
a lease."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from service.games.notices import Fact, NoticeSource, facts
from service.redis.gathering import gather
from service.redis.guarding import log_errors
from service.times import in_ms, now_in_ms
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import Delivery, key
from service.webhooks.webhooks import Webhook

SETTLED_MS = 60_000  # after which the sweep has surely seen an event

Versions = dict[str, int | None]  # of games, by id; None where there is none


@dataclass(frozen=True)
class Backlog:
    """Where to look for missing deliveries of a webhook: the account's games, by id, with events
    after ``since``; and the other sources of notices that have some since then."""

    webhook: Webhook
    since: int
    games: frozenset[str]
    sources: tuple[NoticeSource, ...]


class Sweep:
    """Finds missing deliveries. It remembers which versions of games it has checked."""

    def __init__(self, deliveries: Deliveries):
        self._deliveries, self._games = deliveries, deliveries.games
        self._seen: dict[str, Versions] = {}  # webhook -> versions that were checked

    def run(self) -> None:
        """Store the deliveries that are missing, and call workers for those that are due."""
        start = now_in_ms()
        self._deliveries.refresh()
        backlogs = self._with_finished(list(self._backlogs(start)))
        ids = sorted(frozenset().union(*(backlog.games for backlog in backlogs)))
        heads = dict(zip(ids, self._games.store.heads(ids), strict=True))
        before, self._seen = self._seen, {}
        for backlog in backlogs:
            versions = {game: heads[game] and heads[game]["version"] for game in backlog.games}
            seen = before.get(backlog.webhook.id, {})
            changed = [
                game
                for game in versions
                if seen.get(game) != versions[game]
                and heads[game]
                and in_ms(heads[game]["updated"]) > backlog.since
            ]
            for fact in self._news(backlog, changed):
                if fact.at > backlog.since:
                    self._deliveries.note(backlog.webhook, fact)
            for source in backlog.sources:
                for fact, _ in source.since(backlog.webhook.account, backlog.since):
                    self._deliveries.note(backlog.webhook, fact)
            self._seen[backlog.webhook.id] = versions
        for backlog in backlogs:
            self._move_on(backlog, start)

    def _backlogs(self, start: int) -> Iterator[Backlog]:
        """Call workers for due deliveries, and yield the backlog of each enabled webhook."""
        deliveries, enabled = self._deliveries, self._deliveries.enabled
        sources = self._games.notices
        pipe = deliveries.redis.pipeline(transaction=False)
        for webhook in enabled:
            pipe.get(key(webhook.id, "since"))
            pipe.zrangebyscore(key(webhook.id, "due"), "-inf", start)
            pipe.zrange(f"player:{webhook.account}:current", 0, -1)
            pipe.zrange(f"player:{webhook.account}:invited", 0, -1)
            pipe.zrange(f"player:{webhook.account}:declined", 0, -1)
            for source in sources:
                pipe.zrange(source.index(webhook.account), -1, -1, withscores=True)
        answers = iter(pipe.execute())
        for webhook, since, due, current, invited, declined, *last in zip(
            enabled, *[answers] * (5 + len(sources)), strict=True
        ):
            lanes = {Delivery.of(webhook.id, member.decode()).lane for member in due}
            gather([partial(deliveries.call_worker_if_free, webhook, lane) for lane in lanes])
            if since is None:  # the process that enabled it died before it started it
                deliveries.begin(webhook)
            else:
                games = frozenset(raw.decode() for raw in (*current, *invited, *declined))
                yield Backlog(
                    webhook,
                    int(since),
                    games,
                    tuple(
                        source
                        for source, rows in zip(sources, last, strict=True)
                        if any(at > int(since) for _, at in rows)
                    ),
                )

    def _with_finished(self, backlogs: list[Backlog]) -> list[Backlog]:
        """Add the games that ended after ``since`` to backlogs. This is read after the current
        games, so that a game that ends in between is not missed."""
        pipe = self._deliveries.redis.pipeline(transaction=False)
        for backlog in backlogs:
            pipe.zrangebyscore(f"player:{backlog.webhook.account}:over", backlog.since, "+inf")
        return [
            replace(backlog, games=backlog.games | {game.decode() for game in over})
            for backlog, over in zip(backlogs, pipe.execute(), strict=True)
        ]

    def _news(self, backlog: Backlog, changed: list[str]) -> Iterator[Fact]:
        player = backlog.webhook.account
        for game_id in changed:
            with log_errors(f"{player} is not notified of {game_id}"):
                yield from facts(self._games.get(game_id), player)

    def _move_on(self, backlog: Backlog, start: int) -> None:
        """From time to time, move ``since`` forward and remove older members of ``seen``."""
        if start - backlog.since > 2 * SETTLED_MS:
            pipe = self._deliveries.redis.pipeline(transaction=False)
            pipe.set(key(backlog.webhook.id, "since"), start - SETTLED_MS, xx=True)
            pipe.zremrangebyscore(key(backlog.webhook.id, "seen"), "-inf", start - SETTLED_MS)
            pipe.execute()
