"""Sockets of connections: sending answers, and detecting clients that have gone or do not read."""

import socket
from typing import Any

STALLED_S = 30  # seconds that sent bytes may stay unread
UNREAD = 128 * 1024  # bytes of the send buffer; the system doubles the number
ESTABLISHED = 1  # as Linux numbers the states of TCP
LARGE = 64 * 1024  # bytes; a larger part is sent without copying it behind the head


class AnswerSocket:
    """A connection that sends the head of an answer together with the beginning of its body. Each
    further piece would cost a system call and wake the client."""

    def __init__(self, connection: socket.socket):
        self._connection = connection
        self._head: bytes | None = None  # None once an answer's head has come

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def begin(self) -> None:
        """Begin an answer: the next part is its head."""
        self._head = b""

    def sendall(self, data: bytes) -> None:
        """Send a part of an answer. Keep the first part, the head, to send it with the next."""
        if self._head == b"":
            self._head = data
            return
        if self._head and len(data) <= LARGE:
            data, self._head = self._head + data, None
        self.flush()
        self._connection.sendall(data)

    def sendfile(self, *args: Any, **options: Any) -> int:
        self.flush()
        return self._connection.sendfile(*args, **options)

    def flush(self) -> None:
        """Send the head, unless it was sent already."""
        head, self._head = self._head, None
        if head:
            self._connection.sendall(head)


def drop_when_stalled(connection: socket.socket) -> None:
    """Make a connection fail once the client has been gone, or has not read, for ``STALLED_S``
    seconds."""
    connection.settimeout(STALLED_S)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    if hasattr(socket, "TCP_USER_TIMEOUT") and connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_S * 1000)


def has_hung_up(connection: socket.socket) -> bool:
    """Return whether the client is known to have closed a connection. Without a write, the process
    would not notice it."""
    try:
        state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    except (OSError, AttributeError):  # no TCP, or no Linux
        return False
    return state != ESTABLISHED
