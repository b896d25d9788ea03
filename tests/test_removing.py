"""A feature is removed by deleting its folder and its two lines in service/app.py: the rest starts,
plays and passes its tests."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.records.database import sqlite_url
from tools.generators.rooms import ROOT, modules, room_of

COPIED = ("service", "domain", "cli", "workers", "tests", "docs", "client", "deploy")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", ".venv", "page", "recorded")
REMOVED = ("webhooks", "analyses")
REST = ("tests/service/games/test_leaving.py", "tests/service/tournaments/test_round_times.py")
PLAY = """
import sys
import threading
from random import Random

from fogg_client.client import Client
from werkzeug.serving import make_server

from service.recorder import Jobs
from service.http.serving import services
from service.app import create_app
from service.redis.connection import connect

app = create_app(connect(sys.argv[1]), sweeping=True)
recorder = Jobs(services(app))
recorder.run()
server = make_server("127.0.0.1", 0, app, threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
service, choose = Client(f"http://127.0.0.1:{server.port}"), Random(1).choice
ann, bob = (service.sign_up(name) for name in ("Ann", "Bob"))
game = ann.post("/v1/games", {"board": "london", "seats": [{"player": "me"}, {"open": True}]})["id"]
path = f"/v1/games/{game}"
bob.post(f"{path}/seats", {})
while (view := ann.get(path))["status"] == "playing":
    for bot in (ann, bob):
        view = bot.get(path)
        if actions := view.get("you", {}).get("legal_actions"):
            bot.play(view, choose(actions))
recorder.run()
assert service.get("/v1/log")["items"][0]["game"] == game
print(view["status"])
"""


@pytest.fixture(scope="module")
def rest(tmp_path_factory) -> Path:
    """A copy of the code without some features."""
    copy = tmp_path_factory.mktemp("rest")
    for name in COPIED:
        shutil.copytree(
            ROOT / name,
            copy / name,
            ignore=LEFT_OUT
            if name == "tests"
            else shutil.ignore_patterns("__pycache__", "node_modules", ".venv"),
        )
    for name in ("openapi.yaml", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    for name, path in modules().items():
        if room_of(name) in {f"service.{feature}" for feature in REMOVED}:
            (copy / path.relative_to(ROOT)).unlink()
    app, named = copy / "service" / "app.py", "|".join(REMOVED)
    text, count = re.subn(
        rf"^(from service.* import feature as | +)({named}),?\n",
        "",
        app.read_text(),
        flags=re.MULTILINE,
    )
    assert count == 2 * len(REMOVED)
    app.write_text(text)
    return copy


def run(copy: Path, *words: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_rest_plays_and_records_a_game(rest, redis, redis_server, tmp_path):
    said = run(
        rest,
        "-c",
        PLAY,
        redis_server.url,
        FOGG_DATABASE=sqlite_url(tmp_path / "records.sqlite3"),
    )
    assert said == "finished\n"


def test_the_rest_passes_its_tests(rest):
    run(rest, "-m", "pytest", "-q", "-p", "no:cacheprovider", *REST)
