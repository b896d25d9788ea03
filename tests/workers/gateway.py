"""GET /v1/me/events in front of a service, as the API describes it, told from the service's own
lists and views; everything else is handed through."""

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import urllib3

from workers.client import Client

BRIEFLY = 0.4  # seconds after which every stream is cut, so that clients have to come back


@contextmanager
def gateway(url: str, invitations: list[dict] = ()):
    """Serve a stream for each account, cut again and again; give (url, the streams' counts)."""
    pool, streams = urllib3.PoolManager(maxsize=64), []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.path != "/v1/me/events":
                return self.hand_through()
            streams.append(self.headers.get("Last-Event-ID"))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            client = Client(url, self.headers["Authorization"].removeprefix("Bearer "))
            end, told = time.monotonic() + BRIEFLY, set()
            self.wfile.write(b": hello\n\n")
            for message in invitations:
                self.tell(message)
            while time.monotonic() < end:
                for row in client.get("/v1/games", player="me")["items"]:
                    seen = row["id"], row["version"]
                    if seen in told:
                        continue
                    told.add(seen)
                    view = client.view(row["id"])
                    about = {"game": view["id"], "version": view["version"], "view": view}
                    if view["status"] == "finished":
                        self.tell({"type": "over"} | about)
                    elif view["you"].get("legal_actions"):
                        self.tell({"type": "your_turn"} | about)
                time.sleep(0.02)
            return None

        def tell(self, message: dict):
            self.wfile.write(
                f"event: {message['type']}\nid: c{len(streams)}\n"
                f"data: {json.dumps(message)}\n\n".encode())

        def hand_through(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = pool.request(self.command, url + self.path, body=body,
                                  headers=dict(self.headers), retries=False)
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers.get("Content-Type", ""))
            self.send_header("Content-Length", str(len(answer.data)))
            self.end_headers()
            self.wfile.write(answer.data)

        do_POST = hand_through

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            """A client that has gone is no error."""

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", streams
        server.shutdown()
