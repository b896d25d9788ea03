"""Bots in any language: a program that reads views and writes actions, each a line of JSON.

A game starts the program anew for each of its seats (docs/bots.md, "Any language offline"). What
goes wrong with it is a fault of the bot, which loses the game: it ends, is too slow, uses too much
memory or processor time, or writes what is no action.
"""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from random import Random
from typing import IO, ClassVar

import orjson
from fogg_client.bot import Bot, NoBot

PREFIX = "exec:"
LONGEST_LINE = 65_536  # bytes of an action
CHUNK = 65_536  # bytes read or written at a time
QUOTED = 400  # last characters of stderr in a fault
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What a program may use: ``wait`` seconds for each decision; for a game, ``cpu`` seconds of
    processor time and ``memory`` megabytes, in each process."""

    wait: float = 10.0
    cpu: int = 60
    memory: int = 1024


class Stopped(Exception):
    """The program has gone, or said too little, too late or too much."""


class Program(Bot):
    """A program that plays one seat of one game; it is started for the first decision."""

    command: ClassVar[str]
    limits: ClassVar[Limits]

    def __init__(self, board: dict, rng: Random):
        self._first = {"board": board, "seed": rng.getrandbits(32)}
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._read = b""

    def choose(self, view):
        """Send a view; return the action that the program answers with."""
        lines = orjson.dumps({"view": view}) + b"\n"
        if self._process is None:
            self._start()
            lines = orjson.dumps(self._first) + b"\n" + lines
        return orjson.loads(self._exchange(lines, time.monotonic() + self.limits.wait))

    def close(self) -> None:
        """End the program and all that it has started."""
        if self._process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout, self._errors):
                if pipe:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()
            self._process = None

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors, bufsize=0, start_new_session=True, preexec_fn=self._limit)
        for pipe in (self._process.stdin, self._process.stdout):
            os.set_blocking(pipe.fileno(), False)

    def _limit(self) -> None:
        cpu, memory = self.limits.cpu, self.limits.memory * MEGABYTE
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def _exchange(self, lines: bytes, until: float) -> bytes:
        """Write lines; return the line that comes back. Raise Stopped if none does in time."""
        assert self._process
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        with selectors.DefaultSelector() as pipes:
            pipes.register(stdin, selectors.EVENT_WRITE)
            pipes.register(stdout, selectors.EVENT_READ)
            while b"\n" not in self._read:
                ready = pipes.select(max(0.0, until - time.monotonic()))
                if not ready:
                    raise Stopped(f"it did not answer within {self.limits.wait:g} seconds")
                for key, _ in ready:
                    if key.fileobj is stdin:
                        lines = self._written(stdin, lines)
                        if not lines:
                            pipes.unregister(stdin)
                    elif chunk := stdout.read(CHUNK):
                        self._read += chunk
                    else:
                        raise Stopped(self._why_ended())
                if len(self._read) > LONGEST_LINE:
                    raise Stopped(f"it wrote a line of more than {LONGEST_LINE} bytes")
        line, _, self._read = self._read.partition(b"\n")
        return line

    @staticmethod
    def _written(stdin: IO[bytes], lines: bytes) -> bytes:
        """Write as much as the pipe takes; return the rest, nothing if nobody reads it."""
        try:
            return lines[os.write(stdin.fileno(), lines[:CHUNK]):]
        except BrokenPipeError:
            return b""

    def _why_ended(self) -> str:
        assert self._process
        assert self._errors
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip()[-QUOTED:]
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"it ended ({how})" + (f":\n{said}" if said else "")


def program(command: str, limits: Limits) -> type[Program]:
    """Return the class of a program's bots; raise NoBot if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NoBot(f"{command} is no command: {error}") from None
    name = words[0] if words else "''"
    if not shutil.which(name):
        raise NoBot(f"there is no program {name} to run")
    return type("Program", (Program,), {"command": command, "limits": limits})
