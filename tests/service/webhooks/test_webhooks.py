"""Webhooks over the API: registering, showing, changing and deleting them."""

import pytest

from service.settings import CAP_DEFAULTS
from service.webhooks.deliveries import Deliveries
from service.webhooks.lanes import Delivery, key
from tests.service.callers import Caller
from tests.service.webhooks.hooks import HOOKS, register
from tools.generators.openapi_tape import Tape


@pytest.fixture(autouse=True)
def private(monkeypatch):
    monkeypatch.setenv("FOGG_WEBHOOKS_PRIVATE", "1")


def test_a_webhook_is_made_seen_changed_and_deleted(ada):
    made = ada.post(HOOKS, {"url": "https://bots.example/hook"})
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    assert made.headers["Location"] == f"{HOOKS}/{made.json['id']}"
    hook = {name: value for name, value in made.json.items() if name != "secret"}
    assert hook["events"] == [
        "paired",
        "started",
        "your_turn",
        "over",
        "invited",
        "declined",
        "tournament",
    ]
    assert ada.get(HOOKS).json == {"items": [hook], "next": None}
    path = f"{HOOKS}/{hook['id']}"
    assert ada.get(path).json == hook
    changed = ada.patch(path, {"url": "https://bots.example:8443/", "events": ["your_turn"]})
    assert changed.json == hook | {"url": "https://bots.example:8443/", "events": ["your_turn"]}
    off = ada.patch(path, {"enabled": False}).json
    assert (off["enabled"], off["disabled"]["reason"]) == (False, "its owner has switched it off")
    assert ada.patch(path, {"enabled": True}).json == changed.json
    assert ada.delete(path).status_code == 204
    assert ada.get(path).status_code == 404
    assert ada.get(HOOKS).json["items"] == []


@pytest.mark.parametrize(
    "url",
    [
        "http://bots.example/",
        "https://ada:pass@bots.example/",
        "https://bots.example:22/",
        "https://bots.example/#part",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://10.0.0.1/",
        "https://224.0.0.1/",
        "https://[ff0e::1]/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https:///path",
        "https://",
        "ftp://bots.example/",
        "hook",
        "https://bots.example/\nX: y",
        "https://bots.example/ hook",
        "https://b\u00fccher.example/",
        "https://bots.example:99999/",
        "https://bots.example/" + "x" * 500,
        "https://bots.example:x/",
    ],
)
def test_an_address_that_may_not_be_called_is_refused_with_its_field(
    ada, url, is_problem, monkeypatch
):
    monkeypatch.delenv("FOGG_WEBHOOKS_PRIVATE")
    answer = ada.post(HOOKS, {"url": url})
    assert is_problem(answer, 422, answer.json["code"])["field"] == "url"
    hook = register(ada, "https://bots.example/")
    assert ada.patch(f"{HOOKS}/{hook['id']}", {"url": url}).status_code == 422
    assert ada.get(HOOKS).json["items"][0]["url"] == "https://bots.example/"


def test_an_account_has_only_so_many(ada, is_problem):
    for _ in range(CAP_DEFAULTS["webhooks"]):
        register(ada, "https://bots.example/")
    is_problem(ada.post(HOOKS, {"url": "https://bots.example/"}), 409, "too-many-webhooks")


def test_the_same_key_makes_one_webhook_with_one_secret_and_a_malformed_wish_none(ada, is_problem):
    headers = {"Idempotency-Key": "a-key-that-nobody-guesses"}
    first, again = (
        ada.post(HOOKS, {"url": "https://bots.example/"}, headers=headers) for _ in range(2)
    )
    assert first.json == again.json
    assert len(ada.get(HOOKS).json["items"]) == 1
    is_problem(
        ada.post(HOOKS, {"url": "https://else.example/"}, headers=headers), 422, "key-reused"
    )
    for wrong in (
        {"events": []},
        {"events": ["over", "over"]},
        {"events": ["moved"]},
        {"enabled": True},
        {"secret": "x"},
    ):
        is_problem(ada.post(HOOKS, {"url": "https://a.example/"} | wrong), 422, "malformed")


def test_only_a_token_that_may_make_tokens_may_make_webhooks(app, ada, grace, is_problem):
    hook = register(ada, "https://bots.example/")
    path = f"{HOOKS}/{hook['id']}"
    for scopes in (["read"], ["read", "play"]):
        token = ada.post("/v1/me/tokens", {"scopes": scopes}).json["token"]
        caller = Caller(app, {"token": token})
        for answer in (
            caller.get(HOOKS),
            caller.post(HOOKS, {"url": "https://bots.example/"}),
            caller.get(path),
            caller.patch(path, {}),
            caller.delete(path),
            caller.post(f"{path}/pings", {}),
            caller.get(f"{path}/deliveries"),
        ):
            is_problem(answer, 403, "missing-scope")
    for answer in (
        grace.get(path),
        grace.patch(path, {}),
        grace.delete(path),
        grace.post(f"{path}/pings", {}),
        grace.get(f"{path}/deliveries"),
    ):
        is_problem(answer, 404, "unknown-webhook")


# Examples for openapi.yaml


def show_webhooks(tape: Tape) -> None:
    """Create a webhook and read its deliveries."""
    path = "/v1/me/webhooks"
    wish = {"url": "https://bots.example/fogg", "events": ["your_turn", "over"]}
    made = tape.call("createWebhook", "webhook", "A new webhook", "POST", path, wish, "ada")
    tape.call(
        "createWebhook",
        "bad-request",
        "An address that is not allowed",
        "POST",
        path,
        {"url": "https://127.0.0.1/fogg"},
        "ada",
    )
    tape.call("listWebhooks", "webhooks", "All webhooks", "GET", path, by="ada")
    path = f"{path}/{made['id']}"
    tape.call("getWebhook", "on", "An active webhook", "GET", path, by="ada")
    tape.call("pingWebhook", "ping", "A test call", "POST", f"{path}/pings", {}, "ada")
    deliveries = tape.find(Deliveries)
    for member in deliveries.redis.zrange(key(made["id"], "due"), 0, -1):
        lane = Delivery.of(made["id"], member.decode()).lane
        while asked := deliveries.next_request(made["id"], lane, "here"):
            deliveries.record(
                made["id"],
                {
                    "call": asked["call"],
                    "attempt": asked["attempt"],
                    "status": 204,
                    "milliseconds": 42,
                },
            )
    tape.call("listDeliveries", "delivered", "A test call", "GET", f"{path}/deliveries", by="ada")
    tape.call(
        "changeWebhook", "off", "The webhook is disabled", "PATCH", path, {"enabled": False}, "ada"
    )
    tape.call(
        "pingWebhook", "webhook-off", "The webhook is disabled", "POST", f"{path}/pings", {}, "ada"
    )
    tape.call("deleteWebhook", "deleted", "Already deleted", "DELETE", path, by="ada")
    tape.call("getWebhook", "unknown-webhook", "No such webhook", "GET", path, by="ada")
