"""The files in deploy/ work, as far as that can be tested without containers.

The image's contents are made by the Containerfile's own list of files; Redis, web processes,
workers and the proxy are then started with the commands of compose.yaml, names and ports put in
place, and bots play a game through them. Images themselves are neither fetched nor built.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress

import pytest
from fogg_client.client import Client
from redis import AuthenticationError, Redis
from sqlalchemy import NullPool, create_engine, text

from service.processes import Child
from service.redis.connection import server_binary
from tests import servers
from tests.deploy.parts import (
    CADDYFILE,
    COMPOSE,
    CONTAINERFILE,
    ROOT,
    VARIABLE,
    ask,
    copied,
    proxy,
)
from tests.programs import output
from tests.waiting import until
from tools.ports import free_port

pytestmark = pytest.mark.deep

BOTS = [{"bot": "greedy"}, {"bot": "random"}]
NO_CACHE = "/dev/null/cache"  # or the worker would compile the expert, who plays in no game here
PASSWORDS = {"REDIS_PASSWORD": "of-the-games", "QUEUE_PASSWORD": "of-the-queue"}
DATABASE = "postgresql+psycopg://fogg:@postgres/fogg"  # with no password


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A folder with the packages that the image would have of ours."""
    context, installed = tmp_path_factory.mktemp("context"), tmp_path_factory.mktemp("image")
    for source, target in copied():
        place = context / target
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, place)
    [ours] = re.findall(
        r"^RUN pip install (--no-build-isolation --no-deps .+)$", CONTAINERFILE, re.MULTILINE
    )
    output(
        sys.executable,
        "-m",
        "pip",
        "--quiet",
        "--disable-pip-version-check",
        "install",
        "--target",
        installed,
        *ours.split(),
        cwd=context,
    )
    return installed


@pytest.fixture(scope="module")
def deployed(image, postgresql_server, tmp_path_factory):
    """Everything in compose.yaml, running, with the server of tests as PostgreSQL. Give the
    addresses of the proxy and of the web, the ports of both Redis by their passwords, the folder of
    all files, and the URL of the records."""
    folder = tmp_path_factory.mktemp("deployed")
    redis, queue, web = free_port(), free_port(), free_port()
    places = {
        "@redis:6379": f"@127.0.0.1:{redis}",
        "@queue:6379": f"@127.0.0.1:{queue}",
        "http://web:8000": f"http://127.0.0.1:{web}",
        "0.0.0.0:8000": f"127.0.0.1:{web}",
        "/data": str(folder),
    }

    def here(text) -> str:
        text = VARIABLE.sub(lambda found: found[2] or PASSWORDS.get(found[1], ""), str(text))
        for there, place in places.items():
            text = text.replace(there, place)
        return text

    def start(name: str, program: list[str], *more: str) -> Child:
        service = COMPOSE["services"][name]
        words = [here(word) for word in service["command"]]
        environment = {name: here(value) for name, value in service.get("environment", {}).items()}
        environment |= {
            "PYTHONPATH": str(image),
            "TMPDIR": str(folder),
            "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
            "FOGG_CACHE": NO_CACHE,
            "HEARTBEAT_FILE": str(folder / f"{name}.heartbeat"),
        }
        with (folder / f"{name}.log").open("wb") as log:
            return Child([*program, *words[1:], *more], env=environment, output=log, cwd=folder)

    with ExitStack() as running:
        places[DATABASE] = running.enter_context(postgresql_server.database())
        for name, program, more in (
            ("redis", [server_binary()], ("--port", str(redis), "--bind", "127.0.0.1")),
            ("queue", [server_binary()], ("--port", str(queue), "--bind", "127.0.0.1")),
            ("web", [sys.executable], ()),
            ("recorder", [sys.executable], ()),
            ("workers", [sys.executable], ()),
            ("deliveries", [sys.executable], ()),
        ):
            running.callback(start(name, program, *more).stop)
            if name == "web":
                until(lambda: ask(f"http://127.0.0.1:{web}/readyz").status == 200, 120, name)
        url = running.enter_context(proxy(folder / "proxy", web))
        ports = dict(zip(PASSWORDS.values(), (redis, queue), strict=True))
        yield url, f"http://127.0.0.1:{web}", ports, folder, places[DATABASE]


@pytest.fixture
def stub(tmp_path):
    """A web process in whose place we say what it answers; gives (the proxy's url, what came)."""
    came, go_on = [], threading.Event()

    class Answer(servers.Handler):
        def do_GET(self):
            came.append(dict(self.headers))
            self.send_response(200)
            self.send_header("Content-Type", self.headers["Accept"])
            self.end_headers()
            self.wfile.write(b"first\n")
            go_on.wait(20)
            self.wfile.write(b"last\n")

    with servers.listening(Answer) as stub, proxy(tmp_path, int(stub.rpartition(":")[2])) as url:
        yield url, came, go_on
        go_on.set()


def test_bots_play_a_game_through_what_compose_starts(deployed):
    ann = Client(deployed[0]).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": BOTS})["id"]
    entries = list(ann.entries(game))
    assert ann.view(game)["status"] == "finished"
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))
    engine = create_engine(deployed[4], poolclass=NullPool)
    with engine.connect() as records:
        until(lambda: records.scalar(text("SELECT count(*) FROM game")), 120, "the record")
    assert ask(f"{deployed[0]}/docs").status == 200
    assert ask(f"{deployed[0]}/openapi.yaml").data == (ROOT / "openapi.yaml").read_bytes()


@pytest.mark.parametrize("password", PASSWORDS.values())
def test_a_redis_answers_nobody_who_lacks_its_own_password(deployed, password):
    port = deployed[2][password]
    for given in {None, *PASSWORDS.values()} - {password}:
        with Redis(port=port, password=given) as stranger, pytest.raises(AuthenticationError):
            stranger.ping()
    with Redis(port=port, password=password) as known:
        assert known.ping()


@pytest.mark.parametrize("name", ["workers", "recorder"])
def test_a_probe_finds_the_file_that_a_process_touches(deployed, name):
    file = deployed[3] / f"{name}.heartbeat"
    test = COMPOSE["services"][name]["healthcheck"]["test"][1].replace("$$", "$")
    probe = ["sh", "-c", test.replace("/tmp/heartbeat", str(file))]
    until(lambda: subprocess.run(probe).returncode == 0, 120, "the first heartbeat")
    os.utime(file, (0, 0))
    assert subprocess.run(probe).returncode == 1
    ann = Client(deployed[0]).sign_up("Ann")
    ann.post("/v1/games", {"board": "london", "seats": BOTS})
    until(lambda: subprocess.run(probe).returncode == 0, 120, "a heartbeat")


@pytest.mark.parametrize(
    "path",
    [
        "/metrics",
        "/metrics/",
        "/metrics?x",
        "/Metrics",
        "/%6detrics",
        "//metrics",
        "/x/../metrics",
        "/./metrics",
        "/metrics%2f",
        "/metrics;x",
        "/internal/webhooks/w_1/lanes/0",
    ],
)
def test_nobody_outside_sees_the_metrics_or_the_deliveries(deployed, path):
    outside, inside, *_ = deployed
    answer = ask(outside + path, headers={"Connection": "close"})
    assert answer.status in (404, 308)
    assert b"fogg_" not in answer.data
    assert b"fogg_requests_total" in ask(inside + "/metrics").data


@pytest.mark.parametrize("size", [70_000, 100_000, 500_000])
def test_a_body_that_is_too_large_is_refused(deployed, size):
    body, kind = b'"' + b"a" * size + b'"', {"Content-Type": "application/json"}
    told = ask(f"{deployed[0]}/v1/players", "POST", body=body, headers=kind)
    assert told.status == 413
    assert size > 128_000 or told.json()["code"] == "request-entity-too-large"
    untold = ask(f"{deployed[0]}/v1/players", "POST", body=iter([body]), headers=kind)
    assert untold.status in (400, 413)


@pytest.mark.parametrize("first", [b"", b"a" * 70_000])
def test_a_body_that_comes_slowly_is_ended_by_the_proxy(tmp_path, first):
    """Here after a second, so that the test need not wait for 30."""
    text = CADDYFILE.replace("read_body 30s", "read_body 1s")
    with (
        servers.listening(servers.Handler) as stub,
        proxy(tmp_path, int(stub.rpartition(":")[2]), text=text) as url,
    ):
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=15) as connection:
            connection.sendall(
                b"POST /v1/players HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Length: 100000\r\n\r\n" + first
            )
            while connection.recv(65536):
                pass


@pytest.mark.parametrize("first", [1_000_000, 310_000, 200_000, 129_000, 120_000])
def test_the_rest_of_a_refused_body_is_not_taken_for_a_request(deployed, first):
    """Also if most of it comes once Fogg itself has refused what came first."""
    host, port = deployed[0].removeprefix("http://").split(":")
    left = b"GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n" % host.encode()
    body = b'"' + b"a" * 300_000 + left * 6000
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        request = (
            b"POST /v1/players HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
            % (host.encode(), len(body), body)
        )
        with suppress(OSError):
            connection.sendall(request[:first])
            time.sleep(0.05)
            connection.sendall(request[first:])
        answers = b""
        with suppress(OSError):
            while more := connection.recv(65536):
                answers += more
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) in ([b"413"], [])


def test_an_etag_passes_the_proxy_unchanged_also_to_a_browser(deployed):
    ann = Client(deployed[0]).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": BOTS})["id"]
    for _ in ann.entries(game):
        pass
    answer = ask(f"{deployed[0]}/v1/games/{game}", headers={"Accept-Encoding": "gzip, zstd"})
    assert re.fullmatch(
        f'"{ann.view(game)["version"]}-[0-9a-f]{{16}}-gzip"', answer.headers["ETag"]
    )


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson"])
def test_the_proxy_passes_a_stream_on_as_it_is_written(stub, kind):
    url, _, go_on = stub
    with ask(
        f"{url}/v1/games/g/events",
        headers={"Accept": kind, "Accept-Encoding": "gzip"},
        preload_content=False,
    ) as answer:
        assert answer.readline() == b"first\n"
        assert not go_on.is_set()
        go_on.set()
        assert answer.readline() == b"last\n"


def test_the_proxy_sets_the_address_of_the_client_and_trusts_no_header(stub):
    url, came, go_on = stub
    go_on.set()
    ask(f"{url}/v1", headers={"Accept": "text/plain", "X-Forwarded-For": "203.0.113.9"})
    assert came[0]["X-Forwarded-For"] == "127.0.0.1"
