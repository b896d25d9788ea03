"""Bad networks: a proxy that cuts connections, and a service that streams what a test says."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import unquote, urlsplit

from tests import servers

LATE = 0.2  # seconds


class _Link:
    """Takes connections, each of which ``_serve`` serves in a thread of its own."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._at = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self):
        self._accepting.start()
        return self

    def __exit__(self, *_):
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # closing it would not end the thread's wait
        self._accepting.join()
        self._socket.close()
        self.cut()

    def cut(self) -> None:
        """Cut every connection there is."""
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            self._note(caller)
            threading.Thread(target=self._serve_one, args=(caller,), daemon=True).start()

    def _serve_one(self, caller: socket.socket):
        with suppress(OSError), self._kept(caller):
            self._serve(caller)

    def _note(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)

    @contextmanager
    def _kept(self, connection: socket.socket):
        """Let ``cut`` cut a connection until the block ends, which closes it."""
        self._note(connection)
        try:
            yield connection
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()


class CuttingProxy(_Link):
    """Hands TCP through to a service. ``fate(n)`` says what becomes of its n-th connection:

    ``before``: cut before the service has heard anything; ``after``: cut once the service has
    answered, of which nothing is passed on; ``half``: cut in the middle of the answer; ``twice``:
    sent to the service twice, at the same time; ``late``: passed on after a while; ``lost``: never
    answered, and not cut either; ``silent``: after a while nothing more of the answer comes, and it
    is not cut; ``well``: passed on whole, or up to the time that a connection lasts, if any. A
    connection is good for one request, so that each request has a fate of its own. ``given_up``:
    after how many seconds callers gave up the connections that were lost.
    """

    def __init__(self, url: str, fate: Callable[[int], str] = lambda _: "well", lasts=None):
        super().__init__()
        parts = urlsplit(url)
        self._service, self._fate = (parts.hostname, parts.port), fate
        self.url = f"http://{self._at}"
        self.connections, self._lasts = 0, lasts
        self.given_up: list[float] = []

    def _serve(self, caller: socket.socket):
        with self._lock:
            fate = self._fate(self.connections)
            self.connections += 1
        self._pass(caller, fate)

    def _pass(self, caller: socket.socket, fate: str):
        with ExitStack() as stack:
            request = whole_request(caller)
            if not request or fate == "before":
                return
            if fate == "lost":
                start = time.monotonic()
                wait_for_end(caller)
                self.given_up.append(time.monotonic() - start)
                return
            request = request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            if fate == "late":
                time.sleep(LATE)
            service, *_ = [
                stack.enter_context(self._kept(socket.create_connection(self._service)))
                for _ in range(2 if fate == "twice" else 1)
            ]
            for connection in (*_, service):
                connection.sendall(request)
            if fate == "silent":
                for data in received(service, LATE):
                    caller.sendall(data)
                wait_for_end(caller)
                return
            if fate in ("well", "late", "twice"):
                for data in received(service, self._lasts):
                    caller.sendall(data)
                return
            answer = b"".join(received(service, self._lasts or 2.0))
            if fate == "half":
                caller.sendall(answer[: len(answer) // 2])


def received(service: socket.socket, lasts: float | None):
    """Yield what comes until the end, or for so many seconds."""
    end = time.monotonic() + (lasts or 3600)
    with suppress(TimeoutError):
        while (left := end - time.monotonic()) > 0:
            service.settimeout(left)
            if not (data := service.recv(65536)):
                return
            yield data


def wait_for_end(caller: socket.socket):
    """Wait until the caller gives a silent connection up."""
    while caller.recv(65536):
        pass


def whole_request(caller: socket.socket) -> bytes:
    """Read one request, head and body."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = caller.recv(65536)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ),
        0,
    )
    while len(body) < length:
        body += caller.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def service(*answers: tuple[int, dict, list[bytes] | bytes]):
    """Serve these answers, one for each request, the last for ever; give (url, requests).

    An answer is (status, headers, body); a body that is a list is sent in chunks, and cut off
    without the end of a chunked answer where its last member is None. Requests are
    (method, path, headers, body).
    """
    requests = []

    class Handler(servers.Handler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            requests.append((self.command, self.path, dict(self.headers), body))
            status, headers, content = answers[min(len(requests), len(answers)) - 1]
            if not isinstance(content, list):
                self.answer(status, content, **headers)
                return
            self.send_response(status)
            for name, value in (headers | {"Transfer-Encoding": "chunked"}).items():
                self.send_header(name, value)
            self.end_headers()
            for chunk in content:
                if chunk is None:
                    self.close_connection = True
                    return
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            self.wfile.write(b"0\r\n\r\n")

        do_POST = do_GET

    with servers.listening(Handler) as url:
        yield url, requests


class RedisLink(_Link):
    """Hands TCP through to a Redis at a Unix socket; it can be cut when a command was done there.

    ``cut_after(word)``: of the next command with this word in it, nobody hears the answer.
    """

    def __init__(self, url: str):
        super().__init__()
        self._path = unquote(urlsplit(url).path)
        self.url = f"redis://{self._at}"
        self._word: bytes | None = None
        self.cuts = 0

    def cut_after(self, word: str) -> None:
        """Cut the connection that carries the next command with this word once it is done."""
        self._word = word.encode()

    def _serve(self, caller: socket.socket):
        with self._kept(socket.socket(socket.AF_UNIX)) as server:
            server.connect(self._path)
            answering = threading.Thread(target=_pass_on, args=(server, caller), daemon=True)
            answering.start()
            try:
                self._pass_commands(caller, server)
            finally:
                with suppress(OSError):
                    server.shutdown(socket.SHUT_RDWR)
                answering.join()

    def _pass_commands(self, caller: socket.socket, server: socket.socket):
        while command := caller.recv(65536):
            is_cut = self._word is not None and self._word in command
            if is_cut:
                self._word, self.cuts = None, self.cuts + 1
                caller.shutdown(socket.SHUT_WR)  # the server's response is dropped
            server.sendall(command)
            if is_cut:
                time.sleep(LATE)
                return


def _pass_on(source: socket.socket, target: socket.socket):
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
