"""Reading replies of Redis without a greenlet switch before each command."""

from __future__ import annotations

import select

from gevent.monkey import get_original
from redis.connection import DefaultParser

POLL = get_original("select", "poll")  # the system's own, even where gevent has patched it


class Parser(DefaultParser):
    """redis-py's parser, with another check before each command. The check finds closed connections
    and unread bytes. Here it calls the system's poll, as gevent's poll would first switch to every
    other greenlet. On TLS, which buffers received bytes, redis-py's check is used."""

    def can_read(self, timeout: float = 0) -> bool:
        """Return whether there are bytes to read, or the server has closed the connection."""
        is_plain = self._reader and not hasattr(self._sock, "pending")
        if is_plain and not timeout and not self._reader.has_data():
            poll = POLL()
            poll.register(self._sock, select.POLLIN)
            if not poll.poll(0):
                return False
        return super().can_read(timeout)
