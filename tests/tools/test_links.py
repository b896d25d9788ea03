"""Links that end."""

import gc
import socket
import time
from contextlib import suppress

import pytest

from tools.faults.links import Link


@pytest.fixture
def full():
    """The address of a server whose queue of new connections is full."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as server,
        socket.create_connection(server.getsockname()),
    ):
        yield server.getsockname()


def test_a_link_closes_what_it_has_accepted_and_not_passed_on(full):
    gc.disable()  # or it would close connections that the link has forgotten
    try:
        with Link(("127.0.0.1", 0), full) as link:
            callers = [socket.create_connection(link.listens) for _ in range(20)]
        for caller in callers:
            with caller:
                caller.settimeout(5)
                with suppress(ConnectionResetError):
                    assert caller.recv(1) == b""
    finally:
        gc.enable()


def test_a_link_ends_though_it_is_silent_and_one_side_has_gone():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        Link(("127.0.0.1", 0), server.getsockname()) as link,
    ):
        link.silence(True)
        with socket.create_connection(link.listens):
            other, _ = server.accept()
            with other:
                other.sendall(b"not passed on")
                time.sleep(0.1)
        time.sleep(0.1)
