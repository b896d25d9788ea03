"""Deliver notices to webhooks: at least once, in the order of the events.

``{w:ID}:since``  events before this time are not delivered any more

A delivery is stored as the fact that it announces; its content is built when it is sent
(``contents``). The process that appends to a game also stores the deliveries. If it dies first, the
sweep finds the facts in the histories. If a job, a worker or the whole queue is lost, the sweep
finds due deliveries in a lane without a lease, and calls another worker. The worker requests one
delivery after the other over HTTP (service/webhooks/api.py), and reports the result of each.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Set
from functools import partial
from hashlib import sha256

import orjson
from redis import Redis

from service.eventlog.idempotency import create_once
from service.eventlog.loaded import Rollback
from service.games.games import Games
from service.games.index import accounts_of
from service.games.notices import YOUR_TURN, Fact, facts, lost_games
from service.games.store import LoadedGame, waits_for
from service.redis.gathering import gather
from service.redis.guarding import log_errors
from service.redis.queue import Leases
from service.redis.scripts import Script
from service.times import as_time, now_in_ms
from service.webhooks import attempts, webhooks
from service.webhooks.attempts import DROPPED, PING
from service.webhooks.contents import content, request
from service.webhooks.lanes import LEASE_MS, MAX_PAUSE_MS, WORK, Delivery, key
from service.webhooks.webhooks import Webhook

PUT, DUE = Script(__file__, "put.lua"), Script(__file__, "due.lua")
log = logging.getLogger(__name__)


class Deliveries:
    """The deliveries to all webhooks. ``count`` is called with the outcome of each attempt."""

    def __init__(self, games: Games, count: Callable[[str], None]):
        self.games, self._count = games, count
        self._leases = Leases(games.redis, games.queues, WORK, LEASE_MS, MAX_PAUSE_MS)
        self._enabled: dict[str, list[Webhook]] = {}  # account -> its enabled webhooks

    @property
    def redis(self) -> Redis:
        return self.games.redis

    @property
    def enabled(self) -> list[Webhook]:
        """The enabled webhooks, as of the last ``refresh``."""
        return [webhook for of_account in self._enabled.values() for webhook in of_account]

    def refresh(self) -> None:
        """Read from Redis which webhooks are enabled."""
        enabled = defaultdict(list)
        for raw in self.redis.hvals("webhooks"):
            webhook = Webhook.of_row(orjson.loads(raw))
            enabled[webhook.account].append(webhook)
        self._enabled = enabled

    def note_last_entry(self, game: LoadedGame) -> None:
        """Store the deliveries that the last entry of a game causes. This costs nothing where no
        player has a webhook. If Redis does not answer, the sweep does it later."""
        if not self._enabled:
            return
        for player in accounts_of(game.state) & self._enabled.keys():
            for webhook in self._enabled[player]:
                with log_errors(f"a delivery about {game.state.id} waits", outages=True):
                    for fact in facts(game, player):
                        if as_time(fact.at) == game.updated:
                            self.note(webhook, fact)

    def note_notice(self, fact: Fact, accounts: Set[str]) -> None:
        """Store the deliveries of a notice that is not about a game. If Redis does not answer, the
        sweep does it later."""
        for account in accounts & self._enabled.keys():
            for webhook in self._enabled[account]:
                with log_errors(f"a delivery about {fact.game} waits", outages=True):
                    self.note(webhook, fact)

    def on_rollback(self, rollback: Rollback[LoadedGame]) -> None:
        """Store deliveries for a rollback, and again for the turns that the game waits for now."""
        game = rollback.now or rollback.was
        for player in filter(None, game.state.players):
            for webhook in self._enabled.get(player.id, ()):
                for fact, _ in lost_games(self.games, player.id):
                    if fact.game == game.state.id:
                        self.note(webhook, fact)
                for fact in facts(rollback.now, player.id) if rollback.now else ():
                    if fact.type == YOUR_TURN:
                        member = Delivery(webhook.id, fact).member
                        self.redis.zrem(key(webhook.id, "seen"), member)  # it may come again
                        self.note(webhook, fact)

    def note(self, webhook: Webhook, fact: Fact) -> None:
        """Store a delivery of a fact, if the webhook is registered for facts of this type."""
        if fact.type in webhook.events:
            self._put(webhook, Delivery(webhook.id, fact))

    def _put(self, webhook: Webhook, delivery: Delivery) -> None:
        """Add a delivery unless it was there before, and call a worker if the lane is free."""
        at = delivery.fact.at
        if PUT(
            self.redis,
            seen=key(webhook.id, "seen"),
            due=key(webhook.id, "due"),
            lane=key(webhook.id, f"lane:{delivery.lane}"),
            delivery=delivery.member,
            at=at,
            due_at=min(at, now_in_ms()),
            lease_ms=LEASE_MS,
        ):
            self.games.queues.put(WORK, self._payer(webhook), f"{webhook.id}-{delivery.lane}")

    def begin(self, webhook: Webhook) -> None:
        """Start the deliveries of a webhook that was just enabled: announce the games that wait for
        its account, and everything from now on."""
        self.refresh()
        is_on = self.redis.hexists("webhooks", webhook.id)
        if not is_on or not self.redis.set(key(webhook.id, "since"), now_in_ms(), nx=True):
            return  # it was started already
        current = self.redis.zrange(f"player:{webhook.account}:current", 0, -1)
        gather(
            [
                partial(self._note_turn, webhook, head["id"])
                for head in self.games.store.heads(raw.decode() for raw in current)
                if head and waits_for(head, webhook.account)
            ]
        )

    def _note_turn(self, webhook: Webhook, game_id: str) -> None:
        for fact in facts(self.games.get(game_id), webhook.account):
            if fact.type == YOUR_TURN:
                self.note(webhook, fact)

    def forget(self, webhook_id: str) -> None:
        """Stop the deliveries of a webhook that was deleted or disabled."""
        self.redis.hdel("webhooks", webhook_id)
        names = ("due", "seen", "since", "tries", "failing")
        self.redis.delete(*(key(webhook_id, name) for name in names))
        self.refresh()

    def ping(self, webhook: Webhook, idempotency_key: str) -> str:
        """Store a test delivery; return its id. It is idempotent under the key."""
        name = f"ping\n{webhook.id}\n{idempotency_key}"
        at = create_once(self.redis, name, now_in_ms(), lambda _: None)
        delivery = Delivery(webhook.id, Fact(PING, sha256(name.encode()).hexdigest()[:20], 0, at))
        self._put(webhook, delivery)
        return delivery.id

    def call_worker_if_free(self, webhook: Webhook, lane: str) -> None:
        """Call a worker for a lane that has no lease."""
        self._leases.call(
            key(webhook.id, f"lane:{lane}"), self._payer(webhook), f"{webhook.id}-{lane}"
        )

    def leave(self, webhook_id: str, lane: str, worker: str, rest: int = 0) -> None:
        """End a worker's lease on a lane. The lane then pauses for ``rest`` milliseconds; if that
        is 0 and a delivery is due, call another worker at once."""
        if (webhook := webhooks.find(self.redis, webhook_id)) and (
            self._leases.leave(key(webhook_id, f"lane:{lane}"), worker, rest)
            and not rest
            and self._due(webhook_id, lane)
        ):
            self.call_worker_if_free(webhook, lane)

    def _due(self, webhook_id: str, lane: str) -> Delivery | None:
        member = DUE(self.redis, due=key(webhook_id, "due"), now=now_in_ms(), lane=lane)
        return Delivery.of(webhook_id, member.decode()) if member else None

    def _payer(self, webhook: Webhook) -> str:
        return self.games.answering_for(webhook.account)

    def next_request(self, webhook_id: str, lane: str, worker: str) -> dict | None:
        """Return the next due delivery of a lane as the request that a worker sends."""
        while webhook := self._callable(webhook_id):
            if not self._leases.hold(key(webhook_id, f"lane:{lane}"), worker):
                return None  # another worker has the lease
            if (delivery := self._due(webhook_id, lane)) is None:
                self.leave(webhook_id, lane, worker)
                return None
            if shown := content(self.games, webhook, delivery):
                attempt = attempts.tries_so_far(self.redis, delivery)[0] + 1
                return request(self.games, webhook, delivery, attempt, shown)
            self._end(delivery, DROPPED)
        self.forget(webhook_id)
        self.redis.delete(key(webhook_id, f"lane:{lane}"))
        return None

    def _callable(self, webhook_id: str) -> Webhook | None:
        """Return a webhook if it is enabled; disable it if its token was revoked."""
        webhook = webhooks.find(self.redis, webhook_id)
        if webhook is None or not webhook.enabled:
            return None
        if not webhooks.has_token(self.redis, webhook):
            self._switch_off(webhook, "its token was revoked")
            return None
        return webhook

    def record(self, webhook_id: str, report: dict) -> int:
        """Record a report of an attempt; return for how many milliseconds the lane pauses, 0 if its
        next delivery may be made at once."""
        redis, at = self.redis, now_in_ms()
        delivery = Delivery.of(webhook_id, report["call"])
        webhook = webhooks.find(redis, webhook_id)
        tries, first = attempts.tries_so_far(redis, delivery)
        due = key(webhook_id, "due")
        if (
            webhook is None
            or redis.zscore(due, delivery.member) is None
            or (tries >= report["attempt"])
        ):
            return 0  # reported before, or the webhook or delivery is gone
        first, is_test = first or at, delivery.fact.type == PING
        is_failure = not (attempts.has_succeeded(report) or is_test or report.get("status") == 410)
        failing = attempts.failing_since(redis, webhook_id, at) if is_failure else at
        verdict = attempts.verdict(report, is_test, at, first, failing)
        if verdict.then is None:
            self._end(delivery, verdict.outcome)
        else:
            redis.hset(key(webhook_id, "tries"), delivery.member, f"{report['attempt']} {first}")
            redis.zadd(due, {delivery.member: verdict.then}, xx=True)
            self._count(verdict.outcome)
        if attempts.has_succeeded(report):
            redis.delete(key(webhook_id, "failing"))
        if verdict.switch_off:
            self._switch_off(webhook, verdict.switch_off)
        attempts.store(redis, delivery, report, verdict.then)
        return verdict.rest

    def _end(self, delivery: Delivery, outcome: str) -> None:
        self.redis.zrem(key(delivery.webhook, "due"), delivery.member)
        self.redis.hdel(key(delivery.webhook, "tries"), delivery.member)
        self._count(outcome)

    def _switch_off(self, webhook: Webhook, why: str) -> None:
        webhooks.switch_off(self.redis, webhook, why)
        self.forget(webhook.id)
        log.info("webhook %s is switched off: %s", webhook.id, why)
