"""Deliveries and their answers, which may hold an action; nobody hears who may not know."""

import base64
import json
import logging
import re

import pytest

from service.games.store import GameStore
from service.webhooks import webhooks as signing
from tests.service.callers import Caller, begin
from tests.service.looks import everything
from tests.service.webhooks.hooks import DRAW, HOOKS, attempts, due_now, register
from workers import deliver, tokens


def test_pings_are_limited_and_need_a_webhook_that_is_on(ada, heard, is_problem, jobs):
    hook = register(ada, heard.url)
    path = f"{HOOKS}/{hook['id']}"
    headers = {"Idempotency-Key": "one"}
    assert (
        ada.post(f"{path}/pings", {}, headers=headers).json
        == ada.post(f"{path}/pings", {}, headers=headers).json
    )
    jobs()
    assert len(heard.calls) == 1
    while (answer := ada.post(f"{path}/pings", {})).status_code == 202:
        pass
    assert int(answer.headers["Retry-After"]) > 0
    is_problem(answer, 429, "too-many-requests")
    ada.patch(path, {"enabled": False})
    is_problem(ada.post(f"{path}/pings", {}), 409, "webhook-off")


def test_an_answer_may_hold_the_action_to_play(ada, grace, game, jobs, heard):
    heard.answer = lambda call: (200, {"action": DRAW, "version": call["view"]["version"]})
    hook = register(ada, heard.url, events=["your_turn"])
    version = ada.view(game)["version"]
    jobs()
    assert ada.view(game)["version"] == version + 2  # the second card is a call of its own
    assert ada.view(game)["deciding"][0]["seat"] == 1
    assert [row["version"] for row in attempts(ada, hook)] == [version + 2, version + 1]


@pytest.mark.parametrize("said", [b"", b"ok", b"[]", b'{"ok": true}', b"[" * 60_000, b"{" * 70_000])
def test_an_answer_without_an_action_plays_nothing(ada, grace, game, jobs, heard, said):
    heard.answer = lambda _: (200, said)
    hook = register(ada, heard.url)
    version = ada.view(game)["version"]
    jobs()
    assert ada.view(game)["version"] == version
    [row] = attempts(ada, hook)
    assert (row["status"], "version" in row, "failure" in row) == (200, False, False)


@pytest.mark.parametrize(
    ("wish", "kind"),
    [
        ({"action": {"type": "pass"}}, "cannot-pass"),
        ({"action": {"type": "fly"}}, "malformed"),
        ({"action": 7}, "malformed"),
        ({"action": None}, "malformed"),
        ({"action": DRAW, "version": 1}, "stale-version"),
        ({"action": DRAW, "version": "now"}, "malformed"),
    ],
)
def test_a_refused_action_is_listed_and_asked_for_again(
    redis, ada, grace, game, jobs, heard, wish, kind, sweep
):
    heard.answer = lambda _: (200, wish)
    hook = register(ada, heard.url)
    version = ada.view(game)["version"]
    jobs()
    [row] = attempts(ada, hook)
    assert row["refused"]["type"] == f"urn:fogg:problem:{kind}"
    assert row["refused"]["detail"]
    assert row["retry_at"]
    assert ada.view(game)["version"] == version
    heard.answer = lambda call: (200, {"action": DRAW}) if len(heard.calls) < 3 else (204,)
    due_now(redis, hook)
    sweep()
    jobs()
    assert ada.view(game)["version"] == version + 1


def test_an_action_is_played_once_however_often_the_call_is_made(ada, grace, game, heard):
    heard.answer = lambda _: (200, {"action": DRAW})
    hook = register(ada, heard.url)
    version = ada.view(game)["version"]
    path = f"/internal/webhooks/{hook['id']}/lanes/{game}"
    call = tokens.service().post(path, {})
    first, second = deliver.report_on(call), deliver.report_on(call)
    assert first["version"] == second["version"] == version + 1
    assert ada.view(game)["version"] == version + 1


def test_only_a_turn_is_answered_with_an_action(ada, grace, jobs, heard):
    heard.answer = lambda _: (200, {"action": {"type": "resign"}})
    hook = register(ada, heard.url, events=["started"])
    game = begin(ada, grace)
    jobs()
    assert ada.view(game)["status"] == "playing"
    assert "version" not in attempts(ada, hook)[0]


def test_only_the_services_own_workers_get_deliveries(app, ada, anybody, heard, is_problem):
    hook = register(ada, heard.url)
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    path = f"/internal/webhooks/{hook['id']}/lanes/0"
    for caller in (ada, bot):
        is_problem(caller.post(path, {}), 403, "not-yours")
    is_problem(anybody.post(path, {}), 401, "not-signed-in")


def test_a_deleted_webhook_or_one_whose_token_is_revoked_is_not_called(
    redis, ada, grace, game, jobs, heard
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


def test_no_secret_is_kept_logged_or_queued(redis, ada, grace, game, jobs, heard, caplog):
    caplog.set_level(logging.DEBUG)
    heard.answer = lambda _: (200, {"action": DRAW})
    hook = register(ada, heard.url)
    token = signing.token(redis, hook["id"])
    raw = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    secrets = [
        hook["secret"].removeprefix("whsec_").encode(),
        raw,
        raw.hex().encode(),
        token.encode(),
    ]
    queued = everything(redis)
    jobs()
    assert heard.calls
    kept = queued + everything(redis)
    assert hook["id"].encode() in kept
    said = caplog.text.encode()
    assert [secret for secret in secrets if secret in kept or secret in said] == []
    assert b"hush" not in said  # an address may hold a secret of its owner's
    assert token not in json.dumps(
        [
            ada.get(path).json
            for path in (
                HOOKS,
                f"{HOOKS}/{hook['id']}",
                f"{HOOKS}/{hook['id']}/deliveries",
                "/v1/me/tokens",
            )
        ]
    )
    assert b"legal_actions" not in queued


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


def test_a_rollback_is_delivered_and_the_turn_again(redis, ada, grace, game, jobs, heard):
    register(ada, heard.url, events=["your_turn", "lost"])
    jobs()
    keys = [GameStore.key(game, part) for part in ("log", "head")]
    held = [redis.dump(key) for key in keys]
    version = ada.view(game)["version"]
    for _ in range(2):
        ada.play(game, DRAW)
    jobs()
    heard.calls.clear()
    for key, value in zip(keys, held, strict=True):
        redis.restore(key, 0, value, replace=True)
    ada.view(game)
    jobs()
    told = {call["type"]: call for call in heard.calls}
    assert told.keys() == {"lost", "your_turn"}
    assert (told["lost"]["version"], told["lost"]["previous_version"]) == (version, version + 2)
    assert told["your_turn"]["view"] == ada.view(game)
