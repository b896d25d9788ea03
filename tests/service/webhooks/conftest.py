"""The application, served over HTTP to what runs here as in a worker, and somebody to be called."""

import threading
from functools import cache

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from service.accounts import bots
from service.app import create_app
from service.http.serving import services
from service.webhooks.deliveries import Deliveries
from service.webhooks.sweep import Sweep
from tests.receivers import receiver
from workers import deliver, queue, tokens
from workers.lanes import Shares


class Silent(WSGIRequestHandler):
    def log_request(self, *_):
        pass


@pytest.fixture(autouse=True)
def private(monkeypatch, worker_queue):
    monkeypatch.setenv("FOGG_WEBHOOKS_PRIVATE", "1")


@pytest.fixture
def app(redis, connection, monkeypatch):
    """The application, also served over HTTP to what runs as in a worker."""
    monkeypatch.setattr(tokens, "of_bots", cache(lambda: bots.register(redis)))
    app = create_app(connection)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("FOGG_URL", f"http://127.0.0.1:{server.server_port}")
    tokens.forget()
    yield app
    tokens.forget()
    server.shutdown()
    server.server_close()


@pytest.fixture
def deliveries(app):
    return services(app).find(Deliveries)


@pytest.fixture
def sweep(deliveries):
    """Do what a crash left undone, as a web process does every few seconds."""
    return Sweep(deliveries).run


@pytest.fixture
def lanes():
    """Take a lane whose turn it is, as a worker would; None if none waits."""
    return Shares(deliver.MAX_DELIVERIES).take


@pytest.fixture
def jobs(lanes):
    """Serve the lanes that wait, as a worker would, until there is none; return how many."""

    def run() -> int:
        count = 0
        while job := lanes():
            deliver.deliver(job.name)
            queue.take({}, ended=[job])
            count += 1
        return count

    return run


@pytest.fixture
def heard():
    with receiver() as server:
        yield server
