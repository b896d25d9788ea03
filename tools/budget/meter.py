"""Counts what some work costs: calls, commands to Redis, bytes. No count depends on the machine."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from urllib.parse import unquote, urlsplit

import orjson

from tools.budget import still

PYTHON, C, JSON = "python calls", "C calls", "JSON texts written or read"
SENDS = "round trips to Redis"
COMMANDS = "Redis commands, those in scripts included"
SENT, RECEIVED = "bytes to Redis", "bytes from Redis"
# How much of them compression takes off may depend on the processor.
ANSWER = "bytes of the answer, before compression"
Costs = dict[str, dict[str, float]]  # operation -> what is counted -> how much, for one
ORDER = (PYTHON, C, JSON, SENDS, COMMANDS, SENT, RECEIVED, ANSWER)
JSON_FUNCTIONS = {orjson.dumps, orjson.loads}
JSON_CODES = {json.JSONEncoder.encode.__code__, json.JSONDecoder.decode.__code__}


class Meter:
    """Counts the calls of one thread, and what one Redis is asked."""

    def __init__(self, redis_url: str):
        self.counts: Counter[str] = Counter()
        self.is_on = False  # whether calls are counted now
        self._redis = socket.socket(socket.AF_UNIX)
        self._redis.connect(unquote(urlsplit(redis_url).path))

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, *_: object) -> None:
        self._redis.close()

    def follow_this_thread(self) -> None:
        """Follow the calls of this thread: while ``is_on``, count them."""
        sys.setprofile(self._on_event)

    def follow_new_threads(self) -> None:
        """Also follow the calls of every thread that is started from now on."""
        threading.setprofile(self._on_event)

    @contextmanager
    def counting(self) -> Iterator[Counter[str]]:
        """Count what Redis is asked until the block ends, and the calls while ``is_on``; the counts
        are complete after the block."""
        self.counts = counts = Counter()
        commands, sent, received, last_reply = self._redis_totals()
        try:
            yield counts
        finally:
            self.is_on = False
            now_commands, now_sent, now_received, _ = self._redis_totals()
            counts[COMMANDS] = now_commands - commands
            counts[SENT] = now_sent - sent - len(_INFO)
            counts[RECEIVED] = now_received - received - last_reply

    def _on_event(self, frame: FrameType, event: str, function: Callable[..., object]) -> None:
        if not self.is_on:
            return
        counts = self.counts
        if event == "call":
            code = frame.f_code
            # the clock and the random bytes are C functions where nothing stands still
            counts[C if code.co_filename == still.__file__ else PYTHON] += 1
            if code in JSON_CODES:
                counts[JSON] += 1
        elif event == "c_call":
            counts[C] += 1
            if function in JSON_FUNCTIONS:
                counts[JSON] += 1
            elif function.__name__ in ("send", "sendall"):
                owner = getattr(function, "__self__", None)
                if isinstance(owner, socket.socket) and owner.family == socket.AF_UNIX:
                    counts[SENDS] += 1

    def _redis_totals(self) -> tuple[int, int, int, int]:
        """Return what Redis has counted until now: commands, bytes received and bytes sent, the
        reply to this question not yet among them; and how long that reply is."""
        self._redis.sendall(_INFO)
        reply = self._redis.recv(1 << 16)
        head, _, body = reply.partition(b"\r\n")
        length = len(head) + 2 + int(head[1:]) + 2
        while len(reply) < length:
            reply += self._redis.recv(1 << 16)
        _, _, body = reply.partition(b"\r\n")
        rows = dict(line.split(":", 1) for line in body.decode().split("\r\n") if ":" in line)
        commands = sum(
            int(values.partition("calls=")[2].partition(",")[0])
            for name, values in rows.items()
            if name.startswith("cmdstat_") and name != "cmdstat_info"
        )
        return (
            commands,
            int(rows["total_net_input_bytes"]),
            int(rows["total_net_output_bytes"]),
            length,
        )


_INFO = b"INFO stats commandstats\r\n"


def per(counts: Mapping[str, int], times: int) -> dict[str, float]:
    """Return what one of so many operations costs, in the order in which it is written down."""
    return {name: round(counts[name] / times, 2) for name in ORDER if name in counts}
