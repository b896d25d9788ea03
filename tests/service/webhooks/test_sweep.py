"""The sweep finishes deliveries that a crash left undone."""

import json
import time

import pytest
from rq import Queue

from service.app import create_app
from service.http.serving import services
from service.tournaments import director, index
from service.tournaments.tournaments import Tournaments
from service.webhooks import webhooks
from service.webhooks.deliveries import Deliveries
from service.webhooks.sweep import Sweep
from tests.service.webhooks.hooks import DRAW, expire_leases, register


def test_events_that_a_dead_process_did_not_record_are_found_by_another(
    app, connection, ada, grace, game, jobs, heard
):
    """The first process appends, and dies before it stores the deliveries."""
    sweep = Sweep(services(create_app(connection)).find(Deliveries)).run
    register(ada, heard.url, events=["over", "your_turn"])
    jobs()
    listeners = services(app).games.listeners
    noting = listeners[:]
    listeners.clear()
    ada.play(game, DRAW)
    ada.play(game, DRAW)
    grace.play(game, {"type": "resign"})
    assert jobs() == 0
    listeners += noting
    sweep()
    assert jobs()
    assert [call["type"] for call in heard.calls] == ["your_turn", "over"]
    sweep()
    assert jobs() == 0


def test_delivered_ids_are_deleted_once_they_cannot_recur(
    redis, ada, grace, game, jobs, heard, sweep
):
    hook = register(ada, heard.url, events=["your_turn"])
    jobs()
    ada.play(game, DRAW)
    jobs()
    key = f"{{w:{hook['id']}}}"
    for call in redis.zrange(f"{key}:seen", 0, -1):
        redis.zadd(f"{key}:seen", {call: 1})
    redis.set(f"{key}:since", int(time.time() * 1000) - 121_000)
    sweep()
    assert redis.zcard(f"{key}:seen") == 0
    assert int(redis.get(f"{key}:since")) > time.time() * 1000 - 62_000


def test_a_webhook_half_made_is_forgotten_and_one_half_begun_is_begun(
    redis, ada, grace, game, jobs, heard, sweep, deliveries
):
    hook = register(ada, heard.url)
    deliveries.forget(hook["id"])
    webhooks.save(redis, webhooks.find(redis, hook["id"]))  # and here it dies
    expire_leases(redis, hook)
    sweep()
    jobs()
    assert [call["type"] for call in heard.calls] == ["your_turn"]
    redis.hset("webhooks", "w_1", json.dumps(hook | {"id": "w_1", "account": ada.id}))
    sweep()
    jobs()
    assert redis.hkeys("webhooks") == [hook["id"].encode()]
    assert len(heard.calls) == 1


@pytest.mark.parametrize("keeps_names", [False, True])
def test_a_flushed_queue_is_refilled(redis, ada, grace, game, jobs, heard, sweep, keeps_names):
    hook = register(ada, heard.url)
    queue = Queue("deliveries", connection=redis, serializer="json")
    queue.empty()
    if not keeps_names:
        redis.delete(*redis.scan_iter("queue:*"))
    sweep()
    assert queue.count == 0  # a worker may have taken the lane: it has some seconds
    expire_leases(redis, hook)
    sweep()
    assert queue.count == 1
    assert jobs() == 1
    assert len(heard.calls) == 1


def test_the_sweep_finds_missing_notices_of_a_tournament(
    app, ada, grace, jobs, heard, sweep, redis
):
    """It has appended, and died before it could update the index or tell."""
    register(grace, heard.url, events=["tournament"])
    tournaments = services(app).find(Tournaments)
    cup = ada.post("/v1/tournaments", {"name": "Cup"}).json["id"]
    for who in (ada, grace):
        who.post(f"/v1/tournaments/{cup}/entries", {})
    listeners = tournaments.games.on_notice[:]
    tournaments.games.on_notice.clear()
    ada.post(f"/v1/tournaments/{cup}/start", {})
    for who in (ada, grace):
        redis.delete(index.announced_key(who.id))
    tournaments.games.on_notice.extend(listeners)
    sweep()
    assert jobs() == 0
    director.run_due(tournaments)
    sweep()
    assert jobs()
    assert [call["change"] for call in heard.calls] == ["begun"]
    sweep()
    assert jobs() == 0
