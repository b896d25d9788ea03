"""What a crash left undone: what was to be told and was not, and lanes that nobody speaks for."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from domain.errors import FoggError
from service.games.notices import Fact, challenges, facts, invitations
from service.times import in_ms, now_in_ms
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import key
from service.webhooks.webhooks import Webhook

LATE = 60_000  # milliseconds after which something that happened has been seen for sure
log = logging.getLogger(__name__)


Versions = dict[str, int | None]  # of games, by id; None where there is none


@dataclass(frozen=True)
class Backlog:
    """Of what a webhook may not have been told: its account's games, by id, since a time, and
    invitations and challenges if it has any."""

    webhook: Webhook
    since: int
    games: frozenset[str]
    is_invited: bool
    is_challenged: bool


class Sweep:
    """Looks after deliveries; it knows what it has looked at, and looks at nothing twice."""

    def __init__(self, deliveries: Deliveries):
        self._deliveries, self._games = deliveries, deliveries.games
        self._seen: dict[str, Versions] = {}  # by webhook, what was looked at

    def run(self) -> None:
        """Note whatever is to be told and was not, and call workers for what is due."""
        start = now_in_ms()
        self._deliveries.refresh()
        backlogs = self._with_finished(list(self._backlogs(start)))
        ids = sorted(frozenset().union(*(backlog.games for backlog in backlogs)))
        heads = dict(zip(ids, self._games.store.heads(ids), strict=True))
        before, self._seen = self._seen, {}
        from_others = cache(self._from_others)  # an account may have several webhooks
        for backlog in backlogs:
            versions = {game: heads[game] and heads[game]["version"] for game in backlog.games}
            seen = before.get(backlog.webhook.id, {})
            changed = [game for game in versions if seen.get(game) != versions[game]
                       and heads[game] and in_ms(heads[game]["updated"]) > backlog.since]
            for fact in (*self._news(backlog, changed), *from_others(
                    backlog.webhook.account, backlog.is_invited, backlog.is_challenged)):
                if fact.at > backlog.since:
                    self._deliveries.note(backlog.webhook, fact)
            self._seen[backlog.webhook.id] = versions
        for backlog in backlogs:
            self._move_on(backlog, start)

    def _backlogs(self, start: int) -> Iterator[Backlog]:
        """Yield what is to be looked at for each webhook, having called workers for what is due."""
        deliveries, enabled = self._deliveries, self._deliveries.enabled
        pipe = deliveries.redis.pipeline(transaction=False)
        for webhook in enabled:
            pipe.get(key(webhook.id, "since"))
            pipe.zrangebyscore(key(webhook.id, "due"), "-inf", start)
            pipe.zrange(f"player:{webhook.account}:current", 0, -1)
            pipe.exists(f"player:{webhook.account}:invited")
            pipe.exists(f"player:{webhook.account}:offers")
        answers = iter(pipe.execute())
        for webhook, since, due, current, is_invited, is_challenged in zip(
                enabled, *[answers] * 5, strict=True):
            for lane in sorted({int(member[:1]) for member in due}):
                deliveries.call_worker_if_free(webhook, lane)
            if since is None:  # whoever switched it on died before it had begun
                deliveries.begin(webhook)
            else:
                games = frozenset(raw.decode() for raw in current)
                yield Backlog(webhook, int(since), games, bool(is_invited), bool(is_challenged))

    def _with_finished(self, backlogs: list[Backlog]) -> list[Backlog]:
        """Return backlogs with the games that are over since; they are asked for after those that
        are not, so that none slips through between."""
        pipe = self._deliveries.redis.pipeline(transaction=False)
        for backlog in backlogs:
            pipe.zrangebyscore(f"player:{backlog.webhook.account}:over", backlog.since, "+inf")
        return [replace(backlog, games=backlog.games | {raw.decode() for raw in over})
                for backlog, over in zip(backlogs, pipe.execute(), strict=True)]

    def _news(self, backlog: Backlog, changed: list[str]) -> Iterator[Fact]:
        player = backlog.webhook.account
        for game_id in changed:
            try:
                yield from facts(self._games.get(game_id), player)
            except FoggError as error:  # whatever is wrong with one, the others are told
                log.warning("%s has nothing to tell: %s", game_id, error)

    def _from_others(self, player: str, is_invited: bool, is_challenged: bool) -> list[Fact]:
        found = [fact for fact, _ in invitations(self._games, player)] if is_invited else []
        if is_challenged:
            found += [fact for fact, _ in challenges(self._games, player)]
        return found

    def _move_on(self, backlog: Backlog, start: int) -> None:
        """Forget, now and then, what was told of a past that is not looked at any more."""
        if start - backlog.since > 2 * LATE:
            pipe = self._deliveries.redis.pipeline(transaction=False)
            pipe.set(key(backlog.webhook.id, "since"), start - LATE, xx=True)
            pipe.zremrangebyscore(key(backlog.webhook.id, "told"), "-inf", start - LATE)
            pipe.execute()
