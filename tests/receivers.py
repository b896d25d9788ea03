"""A little HTTP server that is called, as somebody might write one."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """The calls received, in order: ``calls`` the bodies, ``headers`` theirs, ``raw`` the bytes.

    ``answer(call)`` returns a status, or a status and a JSON body, or a status and headers.
    """

    def __init__(self, answer: Callable[[dict], tuple] | None = None):
        self.answer = answer or (lambda _: (204,))
        self.calls, self.headers, self.raw = [], [], []
        self.url = ""

    def of(self, kind: str) -> list[dict]:
        return [call for call in self.calls if call["type"] == kind]


@contextmanager
def receiver(answer: Callable[[dict], tuple] | None = None) -> Iterator[Receiver]:
    """Give a receiver that listens on this machine."""
    receiver = Receiver(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            call = json.loads(raw)
            receiver.calls.append(call)
            receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
            receiver.raw.append(raw)
            status, *said = receiver.answer(call)
            self.send_response(status)
            body = b""
            for part in said:
                if isinstance(part, bytes):
                    body = part
                elif "action" in part:
                    body = json.dumps(part).encode()
                else:
                    for name, value in part.items():
                        self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128  # with the usual 5, some of many calls at once wait for seconds

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook?key=hush"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
