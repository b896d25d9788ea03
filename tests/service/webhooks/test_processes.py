"""Webhooks with real processes: the bot of docs/webhooks.md plays, and is called even if processes
are killed."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from fogg_client.client import Client

from service.operation.stack import Stack
from service.redis.connection import connect
from service.webhooks.webhooks import signature, token
from tests.mending import mended
from tests.receivers import receiver
from tests.waiting import until
from tools.ports import free_port

PAGE = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CALL = ("msg_f00d", '{"type":"ping"}')


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(PAGE) if name == language]


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("FOGG_WEBHOOKS_PRIVATE", "1")
    with Stack(tmp_path_factory.mktemp("stack")) as running:
        yield running
    patch.undo()


@pytest.fixture
def ann(stack):
    return Client(stack.url).sign_up("Ann")


def against_a_bot(client: Client, bot: str = "random") -> str:
    wish = {"board": "usa", "seats": [{"player": "me"}, {"bot": bot}]}
    return client.post("/v1/games", wish)["id"]


def first_action(call: dict) -> tuple:
    if call["type"] != "your_turn":
        return (204,)
    return 200, {"action": call["view"]["you"]["legal_actions"][0]}


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(program: str, *arguments: str, **environment: str):
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | environment,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.deep
def test_the_bot_of_the_page_plays_a_whole_game_by_answering(stack, ann):
    port = free_port()
    hook = ann.post("/v1/me/webhooks", {"url": f"http://127.0.0.1:{port}/"})
    program = "\n".join(blocks("python"))
    with running(program, str(port), SECRET=hook["secret"]):
        until(lambda: listens(port))  # a delivery that fails is tried again, and listed
        game = against_a_bot(ann, "greedy")
        for _ in ann.entries(game):
            pass
        path = f"/v1/me/webhooks/{hook['id']}/deliveries"
        until(lambda: ann.get(path)["items"][0]["event"] == "over")
    view = ann.view(game)
    assert view["ending"] in ("final_turns", "all_passed")
    assert view["seats"][0]["result"]["routes"] > 20
    rows = ann.get(path)["items"]
    assert [row for row in rows if row["status"] not in (200, 204) or "refused" in row] == []


@pytest.mark.parametrize(
    ("at", "body", "is_good"),
    [(0, CALL[1], True), (0, CALL[1] + " ", False), (-400, CALL[1], False)],
)
def test_the_page_verifies_signatures(at, body, is_good):
    secret, at = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", int(time.time()) + at
    headers = {
        "webhook-id": CALL[0],
        "webhook-timestamp": str(at),
        "webhook-signature": "v1,AAAA " + signature(secret, CALL[0], at, CALL[1]),
    }
    names = {}
    exec(blocks("python")[0], names)
    assert names["is_ours"](secret, headers, body.encode()) is is_good


@pytest.mark.deep
@pytest.mark.parametrize(
    ("what", "also"), [("deliveries", []), ("queue", ["deliveries", "worker"]), ("web", [])]
)
def test_every_turn_is_delivered_although_processes_are_killed(stack, ann, what, also):
    with receiver(first_action) as heard:
        ann.post("/v1/me/webhooks", {"url": heard.url})
        game = against_a_bot(ann)
        until(lambda: len(heard.of("your_turn")) > 5)
        getattr(stack, what).kill()
        if also:
            stack.deliveries.kill()
            stack.workers[0].kill()
        with mended(stack, what, *also):
            before = len(heard.calls)
            until(lambda: len(heard.calls) > before + 5)
            ann.post(f"/v1/games/{game}/actions", {"type": "resign"})
            assert until(lambda: heard.of("over"))[0]["game"] == game
        decided = [entry["version"] for entry in ann.entries(game) if entry.get("seat") == 0]
        ids = {headers["webhook-id"] for headers in heard.headers}
        assert len(ids) >= len(decided)  # each decision, the resigned one aside, and two more


@pytest.mark.deep
def test_deliveries_end_with_the_service_and_reveal_no_secret(stack, ann):
    with receiver(first_action) as heard:
        hook = ann.post("/v1/me/webhooks", {"url": heard.url})
        game = against_a_bot(ann)
        until(lambda: len(heard.of("your_turn")) > 3)
        os.kill(stack.deliveries.pid, signal.SIGTERM)
        until(lambda: not stack.deliveries.is_running, seconds=15)
        with mended(stack, "deliveries"):
            ann.post(f"/v1/games/{game}/actions", {"type": "resign"})
            until(lambda: heard.of("over"))
    said = b"".join(path.read_bytes() for path in stack.data.glob("*.log"))
    aof = b"".join(path.read_bytes() for path in (stack.data / "redis").rglob("*.aof"))
    with connect(stack.redis.url) as redis:
        kept = token(redis, hook["id"])
    for secret in (hook["secret"].removeprefix("whsec_"), kept):
        assert secret.encode() not in said
        assert secret.encode() not in aof
    assert b"key=hush" not in said
    assert b"internal-error" not in said
