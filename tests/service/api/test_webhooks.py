"""Webhooks: registered, told in time and in order, at least once, to nobody who may not know.

The worker's part runs here as it does in its process, and speaks to the application over HTTP.
"""

import base64
import hashlib
import hmac
import json
import logging
import re
import threading
import time

import pytest
from rq import Queue
from werkzeug.serving import WSGIRequestHandler, make_server

from service.accounts import bots
from service.api.app import create_app
from service.api.serving import services
from service.times import as_time
from service.webhooks import webhooks
from service.webhooks.deliveries import LEASE, Call, pause
from tests.receivers import receiver
from tests.service.api.callers import Caller, begin, keep_tickets, sign_up
from workers import deliver

HOOKS = "/v1/me/webhooks"
DRAW = {"type": "draw_card", "from": "deck"}


class Silent(WSGIRequestHandler):
    def log_request(self, *_):
        pass


@pytest.fixture(autouse=True)
def private(monkeypatch):
    monkeypatch.setenv("FOGG_WEBHOOKS_PRIVATE", "1")


@pytest.fixture
def service(redis, connection, tmp_path, monkeypatch):
    """The application, also served over HTTP to what runs as in a worker."""
    bots.write_tokens(tmp_path / "bots.json")
    monkeypatch.setenv("FOGG_BOTS", str(tmp_path / "bots.json"))
    app = create_app(connection)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("FOGG_URL", f"http://127.0.0.1:{server.server_port}")
    deliver._service.cache_clear()
    yield app
    deliver._service.cache_clear()
    server.shutdown()
    server.server_close()


@pytest.fixture
def app(service):
    return service


@pytest.fixture
def calls(service):
    return services(service).calls


@pytest.fixture
def jobs(redis):
    """Run the jobs in the queue, as a worker would, until there is none."""
    queue = Queue("deliveries", connection=redis)

    def run() -> int:
        count = 0
        while job := queue.dequeue_any([queue], None, connection=redis):
            deliver.make_calls(*job[0].args)
            count += 1
        return count

    return run


@pytest.fixture
def heard():
    with receiver() as found:
        yield found


def register(caller: Caller, url: str, **wish) -> dict:
    made = caller.post(HOOKS, {"url": url} | wish)
    assert made.status_code == 201, made.json
    return made.json


def attempts(caller: Caller, hook: dict) -> list[dict]:
    return caller.get(f"{HOOKS}/{hook['id']}/deliveries").json["items"]


def due_now(redis, hook: dict) -> int:
    """Let what is put off be due, and lanes that rest be free; return how many calls there are."""
    key = f"{{w:{hook['id']}}}"
    rows = redis.zrange(f"{key}:due", 0, -1)
    for row in rows:
        redis.zadd(f"{key}:due", {row: 1})
    for lane in range(4):
        redis.delete(f"{key}:lane:{lane}")
    return len(rows)


# Registering


def test_a_webhook_is_made_seen_changed_and_deleted(ada, fits):
    made = ada.post(HOOKS, {"url": "https://bots.example/hook"})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    assert made.headers["Location"] == f"{HOOKS}/{made.json['id']}"
    fits("NewWebhook", made.json)
    hook = {name: value for name, value in made.json.items() if name != "secret"}
    assert hook["events"] == ["paired", "started", "your_turn", "over", "invited"]
    assert ada.get(HOOKS).json == {"items": [hook], "next": None}
    path = f"{HOOKS}/{hook['id']}"
    assert ada.get(path).json == hook
    changed = ada.patch(path, {"url": "https://bots.example:8443/", "events": ["your_turn"]})
    assert changed.json == hook | {"url": "https://bots.example:8443/", "events": ["your_turn"]}
    off = ada.patch(path, {"enabled": False}).json
    fits("Webhook", off)
    assert (off["enabled"], off["disabled"]["reason"]) == (False, "its owner has switched it off")
    assert ada.patch(path, {"enabled": True}).json == changed.json
    assert ada.delete(path).status_code == 204
    assert ada.get(path).status_code == 404
    assert ada.get(HOOKS).json["items"] == []


@pytest.mark.parametrize("url", [
    "http://bots.example/", "https://ada:pass@bots.example/", "https://bots.example:22/",
    "https://bots.example/#part", "https://localhost/", "https://127.0.0.1/", "https://10.0.0.1/",
    "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://127.1/", "https://2130706433/",
    "https://0x7f.1/", "https:///path", "https://", "ftp://bots.example/", "hook",
    "https://bots.example/\nX: y", "https://bots.example/ hook", "https://b\u00fccher.example/",
    "https://bots.example:99999/", "https://bots.example/" + "x" * 500, "https://bots.example:x/"])
def test_an_address_that_may_not_be_called_is_refused_with_its_field(
    ada, url, is_problem, monkeypatch
):
    monkeypatch.delenv("FOGG_WEBHOOKS_PRIVATE")
    answer = ada.post(HOOKS, {"url": url})
    assert is_problem(answer, 422, answer.json["code"])["field"] == "url"
    hook = register(ada, "https://bots.example/")
    assert ada.patch(f"{HOOKS}/{hook['id']}", {"url": url}).status_code == 422
    assert ada.get(HOOKS).json["items"][0]["url"] == "https://bots.example/"


@pytest.mark.parametrize("wish", [
    {}, {"url": 7}, {"url": "https://a.example/", "events": []},
    {"url": "https://a.example/", "events": ["over", "over"]},
    {"url": "https://a.example/", "events": ["moved"]},
    {"url": "https://a.example/", "enabled": True}, {"url": "https://a.example/", "secret": "x"}])
def test_a_malformed_wish_is_refused(ada, wish, is_problem):
    is_problem(ada.post(HOOKS, wish), 422, "malformed")


def test_an_account_has_only_so_many(ada, is_problem):
    for _ in range(webhooks.MOST):
        register(ada, "https://bots.example/")
    is_problem(ada.post(HOOKS, {"url": "https://bots.example/"}), 409, "too-many-webhooks")


def test_the_same_key_makes_one_webhook_with_one_secret(ada, is_problem):
    headers = {"Idempotency-Key": "a-key-that-nobody-guesses"}
    first, again = (ada.post(HOOKS, {"url": "https://bots.example/"}, headers=headers)
                    for _ in range(2))
    assert first.json == again.json
    assert len(ada.get(HOOKS).json["items"]) == 1
    is_problem(ada.post(HOOKS, {"url": "https://else.example/"}, headers=headers), 422,
               "key-reused")


def test_only_a_token_that_may_make_tokens_may_make_webhooks(app, ada, grace, is_problem):
    hook = register(ada, "https://bots.example/")
    path = f"{HOOKS}/{hook['id']}"
    for scopes in (["read"], ["read", "play"]):
        token = ada.post("/v1/me/tokens", {"scopes": scopes}).json["token"]
        caller = Caller(app, {"token": token})
        for answer in (caller.get(HOOKS), caller.post(HOOKS, {"url": "https://bots.example/"}),
                       caller.get(path), caller.patch(path, {}), caller.delete(path),
                       caller.post(f"{path}/pings", {}), caller.get(f"{path}/deliveries")):
            is_problem(answer, 403, "missing-scope")
    for answer in (grace.get(path), grace.patch(path, {}), grace.delete(path),
                   grace.post(f"{path}/pings", {}), grace.get(f"{path}/deliveries")):
        is_problem(answer, 404, "unknown-webhook")


def test_a_bot_registers_with_its_own_token(app, ada, jobs, heard):
    made = ada.post("/v1/me/bots", {"name": "Adabot"}).json
    bot = Caller(app, made)
    hook = register(bot, heard.url)
    game = begin(ada, bot)
    jobs()
    assert [call["type"] for call in heard.calls] == ["started", "your_turn"]
    assert heard.calls[1]["view"]["you"]["seat"] == 1
    assert heard.calls[1]["game"] == game
    assert ada.get(HOOKS).json["items"] == []
    assert bot.get(HOOKS).json["items"][0]["id"] == hook["id"]


# What is told


def test_a_call_is_what_the_stream_tells_with_when_it_was(ada, grace, jobs, heard, fits):
    cursor = ada.get("/v1/me/events").json["next"]
    register(ada, heard.url)
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    grace.play(game, {"type": "resign"})
    assert jobs()
    told = ada.get(f"/v1/me/events?after={cursor}").json["items"]
    assert [call["type"] for call in heard.calls] == ["started", "over"]
    for call, notice in zip(heard.calls, told, strict=True):
        fits("Call", call)
        assert {name: value for name, value in call.items() if name != "timestamp"} == notice
    last = ada.get(f"/v1/games/{game}/events").json["items"][-1]
    assert heard.calls[1]["timestamp"] == last["at"]


def test_every_decision_is_told_once_with_its_view(ada, grace, jobs, heard):
    register(ada, heard.url, events=["your_turn"])
    game = begin(ada, grace)
    jobs()
    keep_tickets(game, ada, grace)
    jobs()
    ada.play(game, DRAW)
    jobs()
    ada.play(game, DRAW)
    jobs()
    seen = [call["view"]["deciding"][0]["decision"] for call in heard.calls]
    assert seen == ["keep_tickets", "turn", "second_card"]
    assert all(call["view"]["you"]["legal_actions"] for call in heard.calls)
    assert len({headers["webhook-id"] for headers in heard.headers}) == 3


def test_a_call_shows_what_the_player_may_see_and_no_more(ada, grace, game, jobs):
    with receiver() as mine, receiver() as hers:
        register(ada, mine.url)
        register(grace, hers.url)
        jobs()
        ada.play(game, DRAW)
        ada.play(game, DRAW)
        jobs()
        for other, found, seat in ((grace, mine, 0), (ada, hers, 1)):
            text = b"".join(found.raw).decode()
            assert json.dumps(other.view(game)["you"]["hand"], separators=(",", ":")) not in text
            assert [ticket for ticket in other.view(game)["you"]["tickets"] if ticket in text] == []
            assert found.calls[-1]["view"]["you"]["seat"] == seat
        assert hers.calls[-1]["view"] == grace.view(game)


def test_a_webhook_that_is_switched_on_is_told_who_waits_and_nothing_of_the_past(
    ada, grace, game, calls, jobs, heard
):
    hook = register(ada, heard.url)
    jobs()
    calls.sweep()
    jobs()
    assert [(call["type"], call["game"]) for call in heard.calls] == [("your_turn", game)]
    path = f"{HOOKS}/{hook['id']}"
    ada.patch(path, {"enabled": False})
    other = begin(ada, grace)
    ada.play(game, DRAW)
    calls.sweep()
    assert jobs() == 0
    ada.patch(path, {"enabled": True})
    jobs()
    assert {(call["type"], call["game"]) for call in heard.calls[1:]} == {
        ("your_turn", game), ("your_turn", other)}


def test_an_invitation_and_a_pairing_are_told(app, ada, grace, calls, jobs, heard):
    register(grace, heard.url, events=["invited", "paired"])
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}],
            "options": {"visibility": "private"}}
    made = ada.post("/v1/games", wish).json
    assert ada.post(f"/v1/games/{made['id']}/invitations",
                    {"player": grace.id}).status_code == 204
    calls.sweep()
    jobs()
    [call] = heard.calls
    assert (call["type"], call["invitation"]) == ("invited", made["invitation"])
    cup = ada.post("/v1/tournaments", {"name": "Cup"}).json["id"]
    for caller in (ada, grace):
        assert caller.post(f"/v1/tournaments/{cup}/entries", {}).status_code == 201
    ada.post(f"/v1/tournaments/{cup}/start", {})
    from service.tournaments.director import direct

    direct(services(app).tournaments)
    jobs()
    assert {call["type"] for call in heard.calls[1:]} == {"paired"}
    assert heard.calls[1]["tournament"] == cup


def test_who_has_no_webhook_costs_no_request_to_redis(app, ada, grace, game, redis):
    register(sign_up(app, "Mary"), "https://bots.example/")
    before = redis.info("commandstats")
    ada.play(game, DRAW)
    counted = redis.info("commandstats")
    more = {name: counted[name]["calls"] - before.get(name, {"calls": 0})["calls"]
            for name in counted}
    assert more["cmdstat_evalsha"] == 1  # the append
    assert sum(count for name, count in more.items()
               if name in ("cmdstat_hvals", "cmdstat_zscore", "cmdstat_zadd")) == 0


# Signing


def test_the_signature_is_that_of_standard_webhooks():
    """The example of the specification's own libraries."""
    assert webhooks.signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
        '{"test": 2432232314}') == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_call_can_be_verified_with_the_secret_that_was_shown(ada, jobs, heard):
    hook = register(ada, heard.url)
    assert re.fullmatch("whsec_[A-Za-z0-9+/]{43}=", hook["secret"])
    ping = ada.post(f"{HOOKS}/{hook['id']}/pings", {})
    assert ping.status_code == 202
    jobs()
    [call], [headers], [raw] = heard.calls, heard.headers, heard.raw
    assert call == {"type": "ping", "timestamp": call["timestamp"], "webhook": hook["id"]}
    assert headers["webhook-id"] == ping.json["id"]
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 30
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + raw
    key = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{digest}"
    assert headers["content-type"] == "application/json"


def test_pings_are_limited_and_need_a_webhook_that_is_on(ada, heard, is_problem, jobs):
    hook = register(ada, heard.url)
    path = f"{HOOKS}/{hook['id']}"
    headers = {"Idempotency-Key": "one"}
    assert ada.post(f"{path}/pings", {}, headers=headers).json == ada.post(
        f"{path}/pings", {}, headers=headers).json
    jobs()
    assert len(heard.calls) == 1
    while (answer := ada.post(f"{path}/pings", {})).status_code == 202:
        pass
    assert int(answer.headers["Retry-After"]) > 0
    is_problem(answer, 429, "too-many-requests")
    ada.patch(path, {"enabled": False})
    is_problem(ada.post(f"{path}/pings", {}), 409, "webhook-off")


# Trying again


def test_what_fails_is_tried_again_under_the_same_id_and_ever_later(
    redis, ada, grace, calls, jobs, heard, fits
):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url, events=["started"])
    begin(ada, grace)
    for attempt in range(1, 4):
        jobs()
        latest = attempts(ada, hook)[0]
        fits("Delivery", latest)
        assert (latest["attempt"], latest["status"]) == (attempt, 500)
        assert latest["failure"] == "the answer was 500"
        assert latest["next"] > as_time(int(time.time() * 1000))
        assert due_now(redis, hook) == 1
        calls.sweep()
    heard.answer = lambda _: (204,)
    jobs()
    assert [row["attempt"] for row in attempts(ada, hook)] == [4, 3, 2, 1]
    assert "next" not in attempts(ada, hook)[0]
    assert len({headers["webhook-id"] for headers in heard.headers}) == 1
    assert len(set(heard.raw)) == 1
    assert due_now(redis, hook) == 0
    assert not redis.exists(f"{{w:{hook['id']}}}:failing")


def test_pauses_double_up_to_an_hour_and_differ():
    for attempt in range(1, 40):
        longest = min(3_600_000, 2_000 * 2 ** (attempt - 1)) * 1.2
        assert longest / 1.5 <= pause(attempt) <= longest
    assert len({pause(20) for _ in range(20)}) > 1


@pytest.mark.parametrize(("asked", "least", "most"), [
    ("600", 599, 601), ("999999", 3_599, 3_601), ("-5", 1, 3), ("soon", 1, 3), ("0", 1, 3)])
def test_an_address_may_ask_for_a_pause_within_bounds(redis, ada, jobs, heard, asked, least, most,
                                                      grace):
    heard.answer = lambda _: (429, {"Retry-After": asked})
    hook = register(ada, heard.url, events=["started"])
    begin(ada, grace)
    jobs()
    [(_, then)] = redis.zrange(f"{{w:{hook['id']}}}:due", 0, -1, withscores=True)
    assert least <= then / 1000 - time.time() <= most


def test_410_switches_a_webhook_off_at_once(ada, grace, game, calls, jobs, heard):
    heard.answer = lambda _: (410,)
    hook = register(ada, heard.url)
    jobs()
    shown = ada.get(f"{HOOKS}/{hook['id']}").json
    assert (shown["enabled"], shown["disabled"]["reason"]) == (False, "the address answered 410")
    ada.play(game, DRAW)
    calls.sweep()
    assert jobs() == 0
    assert len(heard.calls) == 1
    heard.answer = lambda _: (204,)
    assert ada.patch(f"{HOOKS}/{hook['id']}", {"enabled": True}).json["enabled"]
    jobs()
    assert len(heard.calls) == 2


def test_a_day_without_a_success_switches_a_webhook_off(redis, ada, grace, calls, jobs, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    begin(ada, grace)
    jobs()
    redis.set(f"{{w:{hook['id']}}}:failing", int(time.time() * 1000) - 86_401_000)
    due_now(redis, hook)
    calls.sweep()
    jobs()
    shown = ada.get(f"{HOOKS}/{hook['id']}").json
    assert shown["disabled"]["reason"] == "no call has succeeded for a day"
    assert not redis.exists(f"{{w:{hook['id']}}}:due")


def test_one_call_that_fails_for_a_day_is_given_up_while_others_succeed(
    redis, ada, grace, calls, jobs, heard
):
    heard.answer = lambda call: (500,) if call["type"] == "started" else (204,)
    hook = register(ada, heard.url)
    begin(ada, grace)
    jobs()
    key = f"{{w:{hook['id']}}}"
    [(call, _)] = redis.hgetall(f"{key}:tries").items()
    redis.hset(f"{key}:tries", call, f"30 {int(time.time() * 1000) - 86_401_000}")
    for _ in range(2):  # one call of a lane has failed: the next is made a little later
        due_now(redis, hook)
        calls.sweep()
        jobs()
    assert due_now(redis, hook) == 0
    assert ada.get(f"{HOOKS}/{hook['id']}").json["enabled"]
    assert "next" not in next(row for row in attempts(ada, hook) if row["event"] == "started")


def test_a_turn_that_was_played_meanwhile_is_told_no_more(redis, ada, grace, game, calls, jobs,
                                                           heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    jobs()
    ada.play(game, DRAW)
    heard.answer = lambda _: (204,)
    due_now(redis, hook)
    calls.sweep()
    jobs()
    decisions = [call["view"]["deciding"][0]["decision"] for call in heard.calls]
    assert decisions == ["turn", "second_card"]


def test_an_address_where_nobody_is_is_told_in_words(ada, grace, game, jobs):
    hook = register(ada, "http://127.0.0.1:1/hook")
    jobs()
    [row] = attempts(ada, hook)
    assert row["failure"] == "no connection could be made"
    assert "status" not in row


def test_a_private_address_is_not_called_unless_the_operator_says_so(
    ada, grace, game, jobs, heard, monkeypatch
):
    hook = register(ada, heard.url)
    monkeypatch.delenv("FOGG_WEBHOOKS_PRIVATE")
    jobs()
    assert attempts(ada, hook)[0]["failure"] == "the address is not https"
    assert heard.calls == []


def test_who_fails_for_long_is_called_less_often(redis, ada, grace, game, jobs, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    key = f"{{w:{hook['id']}}}"
    redis.set(f"{key}:failing", int(time.time() * 1000) - 300_000)
    jobs()
    [rest] = [left for lane in range(4) if (left := redis.pttl(f"{key}:lane:{lane}")) > 0]
    assert 20_000 < rest <= 31_000
    assert 3_600_000 < redis.pttl(f"{key}:failing") <= 7_200_000


# Nothing lost


def test_what_a_dead_web_process_did_not_note_is_found(app, ada, grace, game, jobs, heard):
    """It has appended, and died before it could tell."""
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
    services(app).calls.sweep()
    assert jobs()
    assert [call["type"] for call in heard.calls] == ["your_turn", "over"]
    services(app).calls.sweep()
    assert jobs() == 0


def test_what_is_told_is_forgotten_once_it_cannot_come_again(redis, ada, grace, game, calls, jobs,
                                                             heard):
    hook = register(ada, heard.url, events=["your_turn"])
    jobs()
    ada.play(game, DRAW)
    jobs()
    key = f"{{w:{hook['id']}}}"
    for call in redis.zrange(f"{key}:told", 0, -1):
        redis.zadd(f"{key}:told", {call: 1})
    redis.set(f"{key}:since", int(time.time() * 1000) - 121_000)
    calls.sweep()
    assert redis.zcard(f"{key}:told") == 0
    assert int(redis.get(f"{key}:since")) > time.time() * 1000 - 62_000


def test_a_webhook_half_made_is_forgotten_and_one_half_begun_is_begun(redis, ada, grace, game,
                                                                       calls, jobs, heard):
    hook = register(ada, heard.url)
    calls.forget(hook["id"])
    webhooks.save(redis, webhooks.find(redis, hook["id"]))  # and here it dies
    redis.delete(*(f"{{w:{hook['id']}}}:lane:{lane}" for lane in range(4)))
    calls.sweep()
    jobs()
    assert [call["type"] for call in heard.calls] == ["your_turn"]
    redis.hset("webhooks", "w_1", json.dumps(hook | {"id": "w_1", "account": ada.id}))
    calls.sweep()
    jobs()
    assert redis.hkeys("webhooks") == [hook["id"].encode()]
    assert len(heard.calls) == 1


def test_another_process_finds_it_too(app, connection, ada, grace, game, jobs, heard):
    register(ada, heard.url, events=["over"])
    services(app).games.listeners.clear()
    grace.play(game, {"type": "resign"})
    services(create_app(connection)).calls.sweep()
    jobs()
    assert [call["type"] for call in heard.calls] == ["over"]


def test_a_flushed_queue_is_filled_anew(redis, ada, grace, game, calls, jobs, heard):
    hook = register(ada, heard.url)
    Queue("deliveries", connection=redis).empty()
    calls.sweep()
    assert jobs() == 0  # a worker may have taken the job: it has some seconds
    redis.delete(*(f"{{w:{hook['id']}}}:lane:{lane}" for lane in range(4)))
    calls.sweep()
    assert jobs() == 1
    assert len(heard.calls) == 1


def test_a_lane_is_free_again_seconds_after_its_worker_has_died(redis, ada, grace, game, heard):
    hook = register(ada, heard.url)
    left = [redis.pttl(f"{{w:{hook['id']}}}:lane:{lane}") for lane in range(4)]
    assert 0 < max(left) <= LEASE


def test_a_worker_that_dies_after_the_call_makes_it_again_under_the_same_id(
    redis, ada, grace, game, calls, heard
):
    hook = register(ada, heard.url)
    job = Queue("deliveries", connection=redis).jobs[0]
    path = f"/internal/webhooks/{hook['id']}/lanes/{job.args[1]}"
    deliver.made(deliver._service().post(path, {}))  # and here it dies, and tells nobody
    deliver.make_calls(*job.args)
    assert len(heard.calls) == 2
    assert len({headers["webhook-id"] for headers in heard.headers}) == 1
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_a_report_that_comes_twice_counts_once(redis, ada, grace, game, heard):
    heard.answer = lambda _: (500,)
    hook = register(ada, heard.url)
    job = Queue("deliveries", connection=redis).jobs[0]
    path = f"/internal/webhooks/{hook['id']}/lanes/{job.args[1]}"
    report = deliver.made(deliver._service().post(path, {}))
    for _ in range(2):
        assert deliver._service().post(path, report) is None
    assert [row["attempt"] for row in attempts(ada, hook)] == [1]


def test_only_the_services_own_workers_may_ask_whom_to_call(app, ada, anybody, heard, is_problem):
    hook = register(ada, heard.url)
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    path = f"/internal/webhooks/{hook['id']}/lanes/0"
    for caller in (ada, bot):
        is_problem(caller.post(path, {}), 403, "not-yours")
    is_problem(anybody.post(path, {}), 401, "not-signed-in")


def test_a_deleted_webhook_or_one_whose_token_is_revoked_is_not_called(
    redis, ada, grace, game, calls, jobs, heard
):
    hook = register(ada, heard.url)
    assert ada.delete(f"{HOOKS}/{hook['id']}").status_code == 204
    jobs()
    assert [key for key in redis.scan_iter("*") if hook["id"].encode() in key] == []
    assert [token.get("label") for token in ada.get("/v1/me/tokens").json["items"]] == [None]
    hook = register(ada, heard.url)
    token = next(token for token in ada.get("/v1/me/tokens").json["items"] if "label" in token)
    assert token["label"] == f"webhook {hook['id']}"
    assert token["scopes"] == ["play"]
    ada.delete(f"/v1/me/tokens/{token['id']}")
    jobs()
    assert heard.calls == []
    path = f"{HOOKS}/{hook['id']}"
    assert ada.get(path).json["disabled"]["reason"] == "its token was revoked"
    assert ada.patch(path, {"enabled": True}).json["code"] == "webhook-token-revoked"


# Answering with an action


def test_an_answer_may_hold_the_action_to_play(ada, grace, game, jobs, heard):
    heard.answer = lambda call: (200, {"action": DRAW, "version": call["view"]["version"]})
    hook = register(ada, heard.url, events=["your_turn"])
    version = ada.view(game)["version"]
    jobs()
    assert ada.view(game)["version"] == version + 2  # the second card is a call of its own
    assert ada.view(game)["deciding"][0]["seat"] == 1
    assert [row["played"] for row in attempts(ada, hook)] == [version + 2, version + 1]


@pytest.mark.parametrize("said", [b"", b"ok", b"[]", b'{"ok": true}', b"[" * 60_000, b"{" * 70_000])
def test_an_answer_without_an_action_plays_nothing(ada, grace, game, jobs, heard, said):
    heard.answer = lambda _: (200, said)
    hook = register(ada, heard.url)
    version = ada.view(game)["version"]
    jobs()
    assert ada.view(game)["version"] == version
    [row] = attempts(ada, hook)
    assert (row["status"], "played" in row, "failure" in row) == (200, False, False)


@pytest.mark.parametrize(("wish", "kind"), [
    ({"action": {"type": "pass"}}, "cannot-pass"),
    ({"action": {"type": "fly"}}, "malformed"), ({"action": 7}, "malformed"),
    ({"action": None}, "malformed"), ({"action": DRAW, "version": 1}, "stale-version"),
    ({"action": DRAW, "version": "now"}, "malformed")])
def test_an_action_that_is_refused_is_told_and_asked_for_again(
    redis, ada, grace, game, calls, jobs, heard, wish, kind
):
    heard.answer = lambda _: (200, wish)
    hook = register(ada, heard.url)
    version = ada.view(game)["version"]
    jobs()
    [row] = attempts(ada, hook)
    assert row["refused"]["type"] == f"urn:fogg:problem:{kind}"
    assert row["refused"]["detail"]
    assert row["next"]
    assert ada.view(game)["version"] == version
    heard.answer = lambda call: (200, {"action": DRAW}) if len(heard.calls) < 3 else (204,)
    due_now(redis, hook)
    calls.sweep()
    jobs()
    assert ada.view(game)["version"] == version + 1


def test_an_action_is_played_once_however_often_the_call_is_made(redis, ada, grace, game, heard):
    heard.answer = lambda _: (200, {"action": DRAW})
    hook = register(ada, heard.url)
    version = ada.view(game)["version"]
    job = Queue("deliveries", connection=redis).jobs[0]
    call = deliver._service().post(
        f"/internal/webhooks/{hook['id']}/lanes/{job.args[1]}", {})
    first, second = deliver.made(call), deliver.made(call)
    assert first["played"] == second["played"] == version + 1
    assert ada.view(game)["version"] == version + 1


def test_only_a_turn_is_answered_with_an_action(ada, grace, jobs, heard):
    heard.answer = lambda _: (200, {"action": {"type": "resign"}})
    hook = register(ada, heard.url, events=["started"])
    game = begin(ada, grace)
    jobs()
    assert ada.view(game)["status"] == "playing"
    assert "played" not in attempts(ada, hook)[0]


# Secrets


def test_no_secret_is_kept_logged_or_queued(redis, ada, grace, game, jobs, heard, caplog):
    caplog.set_level(logging.DEBUG)
    heard.answer = lambda _: (200, {"action": DRAW})
    hook = register(ada, heard.url)
    token = webhooks.token(redis, hook["id"])
    raw = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    secrets = [hook["secret"].removeprefix("whsec_").encode(), raw, raw.hex().encode(),
               token.encode()]
    queued = _everything(redis)
    jobs()
    assert heard.calls
    kept = queued + _everything(redis)
    assert hook["id"].encode() in kept
    said = caplog.text.encode()
    assert [secret for secret in secrets if secret in kept or secret in said] == []
    assert b"hush" not in said  # an address may hold a secret of its owner's
    assert token not in json.dumps([ada.get(path).json for path in (
        HOOKS, f"{HOOKS}/{hook['id']}", f"{HOOKS}/{hook['id']}/deliveries", "/v1/me/tokens")])
    assert b"legal_actions" not in queued


def _everything(redis) -> bytes:
    """All that Redis holds, jobs unpacked."""
    found = []
    for key in redis.scan_iter("*"):
        kind = redis.type(key)
        value = {b"string": lambda k: redis.get(k), b"hash": lambda k: redis.hgetall(k),
                 b"zset": lambda k: redis.zrange(k, 0, -1), b"set": lambda k: redis.smembers(k),
                 b"list": lambda k: redis.lrange(k, 0, -1), b"stream": lambda k: redis.xrange(k),
                 }[kind](key)
        values = value.values() if isinstance(value, dict) else value
        parts = [value] if isinstance(value, bytes) else values
        found += [key, *(part if isinstance(part, bytes) else repr(part).encode()
                         for part in parts)]
    for job in Queue("deliveries", connection=redis).jobs:
        found += [job.description.encode(), repr(job.args).encode()]
    return b"\n".join(found)


def test_calls_of_a_game_take_one_lane_and_the_same_fact_is_the_same_call(calls):
    from service.games.notices import Fact

    one, other = (Call("w_1", Fact(kind, "g_1", 0, 5)) for kind in ("started", "over"))
    assert one.lane == other.lane
    assert one.id != other.id
    assert Call.of("w_1", one.member) == one
    assert Call("w_2", one.fact).id != one.id


def test_operators_see_how_calls_go(app, ada, grace, game, jobs, heard):
    hook = register(ada, heard.url)
    jobs()
    heard.answer = lambda _: (500,)
    ada.post(f"{HOOKS}/{hook['id']}/pings", {})
    begin(ada, grace)
    page = Caller(app).get("/metrics").get_data(as_text=True)
    assert re.search(r'fogg_deliveries_total\{outcome="delivered"\} [1-9]', page)
    assert re.search("^fogg_deliveries_queue_length [1-9]", page, re.MULTILINE)
    assert re.search("^fogg_deliveries_waiting [2-9]", page, re.MULTILINE)
