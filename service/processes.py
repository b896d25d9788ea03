"""Child processes that end when this one does."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import IO

# Runs in place of the child until it becomes the child: asks Linux to send it SIGTERM (and, as
# that lasts across exec, the program after it) once its parent dies, however the parent dies. A
# program of its own, because Python code between fork and exec can deadlock a threaded parent.
TIE_TO_PARENT = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # 1 is PR_SET_PDEATHSIG
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""


class Child:
    """A program that this process runs. It ends when this process ends (on Linux, however that
    happens)."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: dict[str, str] | None = None,
        output: IO | None = None,
        cwd: str | os.PathLike | None = None,
        pass_fds: Sequence[int] = (),
    ):
        """Start it; ``env`` is added to this process's own, ``output`` gets its stdout and
        stderr."""
        if sys.platform == "linux":
            command = [sys.executable, "-ISc", TIE_TO_PARENT, str(os.getpid()), *command]
        # Linux counts the end of the thread that started a child as its parent's death, so the
        # starting is done by a thread that stays.
        self._launcher = ThreadPoolExecutor(1, "launcher")
        self._process = self._launcher.submit(
            subprocess.Popen,
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output and subprocess.STDOUT,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            pass_fds=pass_fds,
            start_new_session=True,  # the terminal's Ctrl-C is for us, who then stop it
        ).result()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> int:
        """Return its exit code; end it first if it is still running."""
        if self.is_running:
            self.kill()
        self._launcher.shutdown()
        return self._process.returncode

    def stop(self, timeout: float = 10) -> None:
        """Ask it to end and wait; kill it once ``timeout`` seconds have passed."""
        self._end(signal.SIGTERM, timeout)

    def kill(self) -> None:
        """Kill it, and every process that it has started, as a crash would."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._end(signal.SIGKILL, None)

    def _end(self, how: signal.Signals, timeout: float | None) -> None:
        self._process.send_signal(how)
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._launcher.shutdown()
