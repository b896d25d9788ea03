"""The gunicorn worker of the web processes: a greenlet a connection, thousands of them."""

import gc
import secrets
import socket
import time
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from types import FrameType
from typing import Any

import gevent
import orjson
from gevent.event import Event
from gevent.pool import Pool
from gevent.server import StreamServer
from gunicorn.sock import ssl_context
from gunicorn.workers.ggevent import GeventWorker

from service.http.reading import Ended, Refusal, Requests, length_of
from service.http.sockets import AnswerSocket

BEING_REFUSED = 200  # connections that may get a refusal, in addition to the served ones
LARGE = 64 * 1024  # bytes; an answer of this size or more is counted until the client has read it
STALLED_S = 80  # seconds that sending may block because the client does not read
LINGER, LEFT = 2, 16 * 1024 * 1024  # seconds, and bytes, to read from a refused client
HEADERS = "".join(
    f"{name}: {value}\r\n"
    for name, value in (
        ("Connection", "close"),
        ("Content-Type", "application/problem+json"),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Access-Control-Allow-Origin", "*"),
    )
)


class Worker(GeventWorker):
    """A gevent worker that limits the number of connections and drops stalled ones."""

    connections: Any = None  # a Connections, from the start of ``run``

    def run(self) -> None:
        """Serve until the process is stopped. gunicorn's worker checks for the end once a second;
        here an event ends the wait."""
        # imported only here, as gevent must patch the modules that it uses first
        from service.http.connections import Connections

        self._ending = Event()
        self.connections = Connections()
        most, tls = self.connections.most + BEING_REFUSED, {}
        if self.cfg.is_ssl:
            tls["ssl_context"] = ssl_context(self.cfg)
        servers = []
        for listener in self.sockets:
            listener.setblocking(True)
            servers.append(
                StreamServer(
                    listener, handle=partial(self.handle, listener), spawn=Pool(most), **tls
                )
            )
            if self.cfg.workers > 1:
                servers[-1].max_accept = 1
            servers[-1].start()
        while self.alive:
            self.notify()
            self._ending.wait(1)
        for server in servers:
            server.close()
        end = time.monotonic() + self.cfg.graceful_timeout
        for server in servers:
            while server.pool and (left := end - time.monotonic()) > 0:
                self.notify()
                server.pool.join(min(left, 1))
        if any(server.pool for server in servers):
            self.log.warning("Worker graceful timeout (pid:%s)", self.pid)
            for server in servers:
                server.stop(timeout=1)

    def load_wsgi(self) -> None:
        """Load the application with garbage collection off, and exclude the loaded objects from
        later collections. Collecting takes a third of the start and frees nothing."""
        gc.disable()
        super().load_wsgi()
        self._app: Any = self.wsgi
        self.wsgi: Any = self._answer
        gc.freeze()
        gc.enable()

    def _answer(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Answer a request; limit the memory for large answers that clients have not read."""
        body = self._app(environ, start_response)
        length = length_of(start_response)
        if length < LARGE or isinstance(body, environ["wsgi.file_wrapper"]):
            return body
        return self.connections.send(environ["gunicorn.socket"], length, body)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop. Requests under way are still answered; idle connections are closed at once."""
        super().handle_exit(sig, frame)
        if self.connections:
            self._ending.set()
            gevent.spawn(self.connections.end_idle)

    def handle(self, listener: Any, client: socket.socket, addr: Any) -> None:
        """Serve a connection until either side closes it."""
        try:
            self.connections.enter(client, addr[0] if isinstance(addr, tuple) else "")
            self._serve(listener.getsockname(), client, addr)
        except (Ended, StopIteration):  # gunicorn raises the latter after the last answer
            pass
        except Refusal as refusal:
            self.log.info("a connection was refused: %s", refusal.code)
            write_problem(client, refusal)
        except OSError as error:  # the client has gone, or does not read
            self.log.debug("a connection broke: %s", error)
        except Exception:
            self.log.exception("an unexpected error")
            write_problem(client, Refusal(500, "the log says more", "internal-error"))
        finally:
            self.connections.leave(client)
            with suppress(OSError):
                client.close()

    def _serve(self, listener_name: object, client: socket.socket, addr: object) -> None:
        requests, answers = Requests(self.cfg, client, addr), AnswerSocket(client)
        while True:
            self.connections.wait(client)
            request = requests.next()
            self.connections.serve(client)
            body = requests.read_body(request)
            if requests.are_pipelined:
                self.connections.take_turn(client)
            client.settimeout(STALLED_S)
            answers.begin()
            try:
                self.handle_request(listener_name, request, answers, addr)
            finally:
                answers.flush()
                if body.refusal:
                    linger(client)
            gevent.sleep(0)


def write_problem(connection: socket.socket, refusal: Refusal) -> None:
    """Send a problem document as the connection's last answer."""
    status = refusal.status
    body = orjson.dumps(
        {
            "type": f"urn:fogg:problem:{refusal.code}",
            "title": "The request is not served",
            "status": status,
            "code": refusal.code,
            "detail": str(refusal),
            "request_id": secrets.token_hex(8),
        }
    )
    later = "Retry-After: 5\r\n" if status in (429, 503) else ""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{HEADERS}{later}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with suppress(OSError):
        connection.setblocking(False)
        connection.sendall(head.encode() + body)
    linger(connection)


def linger(connection: socket.socket) -> None:
    """Stop sending, but read from the client for a while. If the connection were closed while the
    client sends, the client could not read the answer."""
    end, left = time.monotonic() + LINGER, LEFT
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while left > 0 and (seconds := end - time.monotonic()) > 0:
            connection.settimeout(seconds)
            data = connection.recv(64 * 1024)
            if not data:
                return
            left -= len(data)
            gevent.sleep(0)
