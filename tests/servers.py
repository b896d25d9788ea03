"""HTTP servers of a test: on a thread of its process, or the service's own in another process."""

import socket
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from service import settings
from service.processes import Child


class Handler(BaseHTTPRequestHandler):
    """Answers requests without a log."""

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Send a whole answer; an underscore in a header's name stands for a hyphen."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    """Ends its connections, and so their threads, when it is closed."""

    daemon_threads = True
    request_queue_size = 128  # with the usual 5, some of 64 calls at once wait for seconds

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self._connections = set()

    def process_request(self, request, client_address):
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self._connections.discard(request)
        super().shutdown_request(request)

    def server_close(self):
        super().server_close()
        for connection in tuple(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def listening(handler: type[Handler]) -> Iterator[str]:
    """Serve requests by a handler; yield the address."""
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class WebService:
    """The service's own web server over a Redis and a database, as a context manager. It can be
    stopped, and started again at its address with another application."""

    def __init__(self, redis_url: str, database_url: str, app: str):
        """``app`` is what gunicorn loads: ``module:call()``."""
        self._app = app
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._env = {
            settings.REDIS_URL.name: redis_url,
            settings.DATABASE.name: database_url,
            settings.URL.name: self.url,
        }
        self._process: Child | None = None

    def __enter__(self) -> "WebService":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, app: str = "") -> None:
        """Serve an application, by default the same as before; return once it answers."""
        if self._socket.fileno() < 0:
            self._socket = socket.create_server(
                ("127.0.0.1", int(self.url.rpartition(":")[2])), backlog=128
            )
        self._app = app or self._app
        number = self._socket.fileno()
        self._process = Child(
            [sys.executable, "-m", "service.web", self._app, "--bind", f"fd://{number}"],
            env=self._env,
            pass_fds=[number],
        )
        with urllib.request.urlopen(f"{self.url}/healthz", timeout=60):
            pass

    def stop(self) -> None:
        """Stop; the address refuses connections then."""
        self._socket.close()
        if self._process:
            self._process.stop()
            self._process = None
