"""Commands of ``fogg`` run in the process of the test: to start one takes longer than most tests.

For what belongs to a process (signals, a terminal, the import path) tests start one.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from click.testing import CliRunner

from cli.commands import fogg
from cli.commands.common import STOPPING


@contextmanager
def handlers_kept() -> Iterator[None]:
    """Restore at the end how the signals that end a command are handled."""
    handlers, hook = {name: signal.getsignal(name) for name in STOPPING}, sys.unraisablehook
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for name, handler in handlers.items():
            signal.signal(name, handler)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit files to a number of bytes. A write beyond it fails, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def run(*words: object, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Return what a command prints, and its exit status; ``env`` is added to the environment.

    An exception that a command does not handle is raised.
    """
    with handlers_kept():
        done = CliRunner().invoke(fogg, [*map(str, words)], prog_name="fogg", env=env)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def report(*words: object) -> dict:
    """Run a command that has to succeed, with ``--json``; return its report."""
    done = run(*words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)
