"""The plugin that fails tests which leave threads or processes running."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
THREAD = """
import threading

def test_leaves_a_thread():
    threading.Thread(target=threading.Event().wait, daemon=True, name="forgotten").start()
"""
PROCESS = """
import subprocess

def test_leaves_a_process():
    assert subprocess.Popen(["sleep", "3"]).poll() is None
"""
ENDING = """
import subprocess, threading, time

import pytest

@pytest.fixture(scope="session")
def sleeping():
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()

def test_leaves_nothing(sleeping):
    threading.Thread(target=time.sleep, args=(0.2,)).start()
"""


@pytest.mark.parametrize(
    ("text", "code", "reported"),
    [(THREAD, 1, "thread forgotten"), (PROCESS, 1, "sleep 3"), (ENDING, 0, "1 passed")],
)
def test_leftovers_of_a_test_are_reported(tmp_path, text, code, reported):
    (tmp_path / "test_it.py").write_text(text)
    code_of_run = (
        "import tests.leftovers as plugin; plugin.END_WITHIN_S = 0.5; import pytest, sys; "
        "sys.exit(pytest.main(sys.argv[1:], [plugin]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code_of_run, "-q", f"--confcutdir={tmp_path}", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert (run.returncode, reported in run.stdout) == (code, True), run.stdout + run.stderr
