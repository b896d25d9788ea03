"""The gunicorn worker of the web processes: a greenlet a connection, thousands of them."""

from __future__ import annotations

import resource

from gunicorn.workers.ggevent import GeventWorker

CONNECTIONS = 10_000  # at a time and process; streams are connections
STALLED = 80  # seconds for which a client may send or take nothing; longer than keep-alive


class Worker(GeventWorker):
    """Serves with gevent, drops clients that have stalled, and may open as many files as the
    system allows."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.worker_connections = CONNECTIONS
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    def handle(self, listener, client, addr):
        """Serve a connection. Half-open ones would stay for ever without a timeout."""
        client.settimeout(STALLED)
        super(GeventWorker, self).handle(listener, client, addr)
