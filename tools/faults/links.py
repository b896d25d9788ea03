"""Links that can be cut and delayed: what carries the bytes between a service and its clients, and
between it and its Redis.

A link hands all through, both ways. A test may have it cut the next request that holds some bytes:
``before`` the other side has heard of it, ``after`` it has answered, ``half`` way through the
answer; or pass the answer on ``late``. Nothing else of the traffic is touched.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

CHUNK = 1 << 18
LATE = 6.0  # seconds, more than the service waits for Redis

Address = tuple[str, int] | Path  # TCP, or a Unix socket


@dataclass(frozen=True, eq=False)
class Fate:
    """A fault for the next request that holds some bytes."""

    moment: str
    holding: bytes
    met: threading.Event = field(default_factory=threading.Event)


class Link:
    """A link from an address that it listens on to one that it reaches; a context manager."""

    def __init__(self, listens: Address, reaches: Address):
        self.listens, self._reaches = listens, reaches
        self._latency, self._is_silent = 0.0, False
        self._fates: list[Fate] = []
        self._pairs: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = set()
        self._tasks: set[asyncio.Task] = set()  # one for each connection
        self._is_over = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="link", daemon=True)

    def __enter__(self) -> Link:
        self._thread.start()
        self._server = self._run(_server(self._accept, self.listens))
        if not isinstance(self.listens, Path):
            self.listens = self._server.sockets[0].getsockname()[:2]
        return self

    def __exit__(self, *_) -> None:
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # Controls for tests

    def cut(self, moment: str, holding: bytes, timeout: float = 2.0) -> bool:
        """Break the next request that holds some bytes; return whether there was one in time."""
        fate = Fate(moment, holding)
        self._fates.append(fate)
        if not fate.met.wait(timeout):
            self._loop.call_soon_threadsafe(self._forget, fate)
        return fate.met.is_set()

    def cut_all(self) -> None:
        self._run(self._close_all())

    def delay(self, seconds: float) -> None:
        """Delay all traffic by so many seconds in each direction."""
        self._latency = seconds

    def silence(self, is_silent: bool) -> None:
        """Pass nothing on, either way, though connections stay, until told otherwise."""
        self._is_silent = is_silent

    def lead_to(self, reaches: Address) -> None:
        """Reach another address from now on; what is open is cut."""
        self._reaches = reaches
        self.cut_all()

    # Proxying

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    def _forget(self, fate: Fate) -> None:
        if fate in self._fates:
            self._fates.remove(fate)

    async def _close_all(self) -> None:
        for pair in tuple(self._pairs):
            _close(*pair)

    async def _end(self) -> None:
        self._is_over = True
        await asyncio.sleep(0)  # tasks made just now begin: before that, they close nothing
        for writer in (writer for pair in self._pairs for writer in pair):
            writer.transport.abort()  # which waits for nobody to take what is left
        for task in self._tasks:
            task.cancel()
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.gather(*others, return_exceptions=True)
        self._server.close()  # which would forget a connection that it has not handed over yet
        await asyncio.sleep(0.01)  # closed connections are notified

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_over:
            writer.transport.abort()
            return
        task = self._loop.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            other_reader, other_writer = await _connection(self._reaches)
        except (OSError, asyncio.CancelledError):
            _close(writer)
            return
        pair = writer, other_writer
        self._pairs.add(pair)
        fates: list[Fate] = []  # of the request under way, if it has one
        both = [
            self._loop.create_task(work)
            for work in (
                self._ask(reader, other_writer, fates),
                self._answer(other_reader, writer, fates),
            )
        ]
        try:
            await asyncio.gather(*both)
        except (OSError, _Cut, asyncio.CancelledError):
            pass
        finally:
            for task in both:
                task.cancel()
            self._pairs.discard(pair)
            _close(*pair)

    async def _ask(self, reader, writer, fates: list[Fate]) -> None:
        """Forward requests until the connection ends."""
        while data := await reader.read(CHUNK):
            if not fates and (
                fate := next((one for one in self._fates if one.holding in data), None)
            ):
                self._forget(fate)
                if fate.moment == "before":
                    fate.met.set()
                    raise _Cut
                fates.append(fate)
            await self._pass_on(data, writer)
        raise _Cut

    async def _answer(self, reader, writer, fates: list[Fate]) -> None:
        """Forward responses until the connection ends."""
        while data := await reader.read(CHUNK):
            if fates:
                fate = fates.pop()
                fate.met.set()
                if fate.moment == "half":
                    writer.write(data[: len(data) // 2])
                if fate.moment != "late":
                    raise _Cut
                await asyncio.sleep(LATE)
            await self._pass_on(data, writer)
        raise _Cut

    async def _pass_on(self, data: bytes, writer: asyncio.StreamWriter) -> None:
        if self._latency:
            await asyncio.sleep(self._latency)
        while self._is_silent:
            await asyncio.sleep(0.02)
        writer.write(data)
        await writer.drain()


class _Cut(Exception):
    """The connection is over."""


def _close(*writers: asyncio.StreamWriter) -> None:
    for writer in writers:
        with suppress(OSError, RuntimeError):
            writer.close()


async def _server(serve, address: Address):
    if isinstance(address, Path):
        address.unlink(missing_ok=True)
        return await asyncio.start_unix_server(serve, address)
    return await asyncio.start_server(serve, *address)


async def _connection(address: Address):
    if isinstance(address, Path):
        return await asyncio.open_unix_connection(address)
    return await asyncio.open_connection(*address)
