"""Bots in any language: a program that reads views and writes actions, each a line of JSON.

A game starts the program once for each of its seats (docs/bots.md, "Any language"). The bot
loses the game by a fault if its program ends, is too slow, uses too much memory or processor time,
or writes anything but an action.
"""

import contextlib
import os
import resource
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import IO, ClassVar

import orjson
from fogg_client.bot import Bot, NoBot

from cli.processes import signals_put_off

PREFIX = "exec:"
CHUNK = 65_536  # bytes read or written at a time, and kept of what a program writes to stderr
POLL_S = 0.05  # between two looks whether a program has ended that closed its output
QUOTED = 400  # last characters of stderr in a fault
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of a program: ``wait`` seconds for each answer of ``line`` bytes at most; for each
    start, ``cpu`` seconds of processor time and ``memory`` megabytes, in each process, unless they
    are None."""

    wait: float = 10.0
    cpu: int | None = 60
    memory: int | None = 1024
    line: int = 65_536


class Stopped(NoBot):
    """The program has ended, or wrote too little, too late or too much."""


class Process:
    """A program that answers lines with lines; it is started for the first one."""

    def __init__(self, command: str, limits: Limits):
        self._command, self._limits = command, limits
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self.said = b""  # the end of what it wrote to stderr

    @property
    def is_running(self) -> bool:
        """Whether the program was started and not closed."""
        return self._process is not None

    def answer(self, lines: bytes) -> bytes:
        """Write lines; return the line that comes back. Raise Stopped if none does in time."""
        if self._process is None:
            self._start()
        return self._exchange(lines, time.monotonic() + self._limits.wait)

    def close(self) -> None:
        """End the program and all that it has started."""
        if self._process:
            self._end()
            self._process, self._read, self.said = None, b"", b""

    def _start(self) -> None:
        is_limited = self._limits.cpu or self._limits.memory  # preexec_fn: not with threads
        with signals_put_off():  # until the process to end is known
            self._process = subprocess.Popen(
                shlex.split(self._command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                preexec_fn=self._limit if is_limited else None,
            )
            self._end = weakref.finalize(self, _end, self._process)  # at the latest when we end
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            os.set_blocking(pipe.fileno(), False)

    def _limit(self) -> None:
        if cpu := self._limits.cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        if self._limits.memory:
            memory = self._limits.memory * MEGABYTE
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def _exchange(self, lines: bytes, until: float) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        with selectors.DefaultSelector() as pipes:
            pipes.register(stdin, selectors.EVENT_WRITE)
            pipes.register(stdout, selectors.EVENT_READ)
            pipes.register(self._process.stderr, selectors.EVENT_READ)
            while b"\n" not in self._read:
                left = until - time.monotonic()
                for key, _ in pipes.select(max(0.0, left)):
                    if key.fileobj is stdin:
                        lines = self._written(stdin, lines)
                        if not lines:
                            pipes.unregister(stdin)
                    elif key.fileobj is not stdout:
                        if self._read_stderr() == b"":
                            pipes.unregister(key.fileobj)
                    elif chunk := stdout.read(CHUNK):
                        self._read += chunk
                    else:
                        raise Stopped(self._why_ended(until))
                if len(self._read) > self._limits.line:
                    raise Stopped(f"it wrote a line of more than {self._limits.line} bytes")
                if left <= 0 and b"\n" not in self._read:
                    raise Stopped(f"it did not answer within {self._limits.wait:g} seconds")
        line, _, self._read = self._read.partition(b"\n")
        return line

    @staticmethod
    def _written(stdin: IO[bytes], lines: bytes) -> bytes:
        """Write as much as the pipe takes; return the rest, nothing if nobody reads it."""
        try:
            return lines[os.write(stdin.fileno(), lines[:CHUNK]) :]
        except BrokenPipeError:
            return b""

    def _read_stderr(self) -> bytes | None:
        """Read from stderr, and keep the last bytes. Return the bytes read: None if there are none
        now, empty at its end."""
        chunk = self._process.stderr.read(CHUNK)
        self.said = (self.said + (chunk or b""))[-CHUNK:]
        return chunk

    def _why_ended(self, until: float) -> str:
        """Return why a program closed its output. It may still run, so wait for its end as long as
        for an answer. Read stderr meanwhile, because a full pipe could keep it from ending."""
        while (code := self._process.poll()) is None and time.monotonic() < until:
            if not self._read_stderr():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(POLL_S)
        while self._read_stderr() and time.monotonic() < until:
            pass
        said = self.said.decode(errors="replace").strip()[-QUOTED:]
        how = (
            f"it closed its output and did not end within {self._limits.wait:g} seconds"
            if code is None
            else f"it ended ({_signal(-code)})"
            if code < 0
            else f"it ended (exit code {code})"
        )
        return how + (f":\n{said}" if said else "")


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # most real-time signals have no name
        return f"signal {number}"


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


class Program(Bot):
    """A program that plays one seat of one game."""

    command: ClassVar[str]
    limits: ClassVar[Limits]

    def __init__(self, board: dict, rng: Random):
        self._first = {"board": board, "seed": rng.getrandbits(32)}
        self._process = Process(self.command, self.limits)
        self.close = self._process.close

    def choose(self, view):
        lines = orjson.dumps({"view": view}) + b"\n"
        if not self._process.is_running:
            lines = orjson.dumps(self._first) + b"\n" + lines
        answer = self._process.answer(lines)
        try:
            return orjson.loads(answer)
        except orjson.JSONDecodeError as error:
            line = answer.decode(errors="replace")
            raise Stopped(f"it wrote a line that is no JSON ({error}): {line[:QUOTED]!r}") from None


def program(command: str, limits: Limits) -> type[Program]:
    """Return the class of a program's bots, called like the file that the command ends with; raise
    NoBot if there is no such program."""
    check(command)
    name = Path(shlex.split(command)[-1]).stem
    return type(name, (Program,), {"command": command, "limits": limits})


def check(command: str) -> None:
    """Raise NoBot if a command names no program."""
    try:
        command.encode()  # it is the bot's name in histories and reports
        words = shlex.split(command)
    except ValueError as error:
        raise NoBot(f"{command} is no command: {error}") from None
    name = words[0] if words else "''"
    if not shutil.which(name):
        raise NoBot(f"there is no program {name} to run")
