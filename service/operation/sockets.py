"""Connections on which a long answer goes out."""

from __future__ import annotations

import socket

STALLED = 30  # seconds that a listener may leave what is sent unread
UNREAD = 128 * 1024  # bytes of it that are held for the listener; the system doubles it
ESTABLISHED = 1  # as Linux numbers the states of TCP


def drop_when_stalled(connection: socket.socket) -> None:
    """Let a connection fail once the listener has been gone, or has not read, for a while."""
    connection.settimeout(STALLED)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
    if hasattr(socket, "TCP_USER_TIMEOUT") and connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED * 1000)


def has_hung_up(connection: socket.socket) -> bool:
    """Return whether the other side is known to have ended a connection, on which nothing may have
    been sent since: then it is not noticed otherwise."""
    try:
        state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    except (OSError, AttributeError):  # no TCP, or no Linux
        return False
    return state != ESTABLISHED
