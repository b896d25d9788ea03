"""The units of deploy/systemd: systemd itself checks them, and web processes take its socket.

Without systemd, its own check is skipped.
"""

import re
import shutil
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from typing import IO

import pytest
import urllib3

from service.processes import Child
from tests.deploy.parts import COMPOSE, DEPLOY, ROOT, ask
from tests.waiting import until

UNITS = DEPLOY / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
# Becomes a web process as systemd starts it: the socket is the first file after stderr.
AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.executable, [sys.executable, "-m", "service.web"])
"""
SAFE = "20"  # of a hundred: what may be seen and done from within, as systemd counts it

needs_systemd = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="needs systemd-analyze, which is part of systemd"
)


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A folder laid out as a machine on which Fogg is installed; the programs do nothing."""
    root = tmp_path_factory.mktemp("machine")
    shutil.copytree(UNITS, root / "etc/systemd/system")
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    (root / "opt/fogg/bin").mkdir(parents=True)
    for name in ("python", "fogg"):
        program = root / "opt/fogg/bin" / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return root


def analyze(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)


def instance(unit: str) -> str:
    return unit.replace("@.", "@1.")


@needs_systemd
@pytest.mark.parametrize("unit", [*SERVICES, "fogg.target", "fogg-web.socket", "fogg-backup.timer"])
def test_systemd_finds_no_fault_in_a_unit(machine, unit):
    done = analyze("verify", "--man=no", f"--root={machine}", instance(unit))
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_a_fault_would_be_found(machine):
    unit = machine / "etc/systemd/system/fogg-faulty.service"
    unit.write_text("[Service]\nExecStart=/opt/fogg/bin/other\nKillMood=mixed\n")
    done = analyze("verify", "--man=no", f"--root={machine}", unit.name)
    assert "KillMood" in done.stderr
    assert "/opt/fogg/bin/other is not executable" in done.stderr


@needs_systemd
@pytest.mark.parametrize("unit", SERVICES)
def test_a_unit_may_do_little(machine, unit):
    done = analyze(
        "security", "--offline=true", f"--threshold={SAFE}", f"--root={machine}", instance(unit)
    )
    assert done.returncode == 0, done.stdout


def test_the_units_run_what_compose_runs():
    programs = {
        name: re.search(
            r"^ExecStart=/opt/fogg/bin/(.+)$", (UNITS / name).read_text(), re.MULTILINE
        )[1]
        for name in SERVICES
    }
    assert programs["fogg-workers@.service"].split() == COMPOSE["services"]["workers"]["command"]
    assert programs["fogg-recorder.service"].split() == COMPOSE["services"]["recorder"]["command"]
    assert (
        programs["fogg-deliveries.service"].split()
        == (COMPOSE["services"]["deliveries"]["command"])
    )
    assert programs["fogg-web.service"].startswith("python -m service.web ")
    assert programs["fogg-up.service"].startswith("fogg up ")


def test_a_name_among_the_units_is_one_of_theirs():
    named = {
        name
        for path in UNITS.glob("fogg*.*")
        if path.is_file()
        for name in re.findall(
            r"\bfogg[\w-]*@?\w*\.(?:service|socket|target|timer)", path.read_text()
        )
    }
    assert {name.replace("@1.", "@.") for name in named} <= {path.name for path in UNITS.iterdir()}


def test_compiling_is_forbidden_in_units_that_compile_nothing():
    strict = {
        name for name in SERVICES if "MemoryDenyWriteExecute=yes" in (UNITS / name).read_text()
    }
    assert strict == {
        "fogg-backup.service",
        "fogg-web.service",
        "fogg-recorder.service",
        "fogg-deliveries.service",
    }


def test_while_web_processes_start_anew_nobody_is_turned_away(redis_server, tmp_path):
    """The socket stays open, held by systemd: here by this test."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    url, number = f"http://127.0.0.1:{listening.getsockname()[1]}", listening.fileno()
    answers, refused, over = [], [], threading.Event()

    def start(log: IO) -> Child:
        return Child(
            [sys.executable, "-c", AS_SYSTEMD, str(number)],
            pass_fds=[number],
            cwd=ROOT,
            env={"FOGG_REDIS_URL": redis_server.url},
            output=log,
        )

    def go_on_asking() -> None:
        while not over.wait(0.01):
            try:
                answers.append(ask(f"{url}/readyz", headers={"Connection": "close"}).status)
            except urllib3.exceptions.NewConnectionError as error:
                refused.append(error)
            except urllib3.exceptions.HTTPError:
                pass  # one that was under way may be cut off, and is sent again

    with listening, (tmp_path / "web.log").open("wb") as log, ExitStack() as running:
        running.callback(over.set)
        web = start(log)
        running.callback(lambda: web.stop())  # whichever is the last
        asking = threading.Thread(target=go_on_asking)
        asking.start()
        until(lambda: len(answers) > 5, 120, "the web process")
        web.stop()
        web, before = start(log), len(answers)
        until(lambda: len(answers) > before + 5, 120, "the next one")
        over.set()
        asking.join()
    assert refused == []
    assert set(answers) == {200}
