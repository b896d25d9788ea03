"""Listeners who do not read, and those who have hung up."""

import socket
from contextlib import suppress

import pytest

from service.http import sockets


@pytest.fixture
def both_sides():
    """A connection's two sides: the service's, and the listener's, who takes in little."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        listener.connect(server.getsockname())
        ours, _ = server.accept()
        with ours:
            yield ours, listener


def test_little_unread_data_is_buffered_and_not_for_long(both_sides, monkeypatch):
    monkeypatch.setattr(sockets, "STALLED_S", 1)
    ours, _listener = both_sides
    sockets.drop_when_stalled(ours)
    sent = 0
    with suppress(TimeoutError):
        while sent < 1 << 20:
            sent += ours.send(bytes(65536))
    assert sent < 1 << 20


def test_a_closed_connection_is_detected_before_sending(both_sides):
    ours, listener = both_sides
    assert not sockets.has_hung_up(ours)
    listener.sendall(b"something more")
    assert not sockets.has_hung_up(ours)
    listener.close()
    assert sockets.has_hung_up(ours)


def test_a_socket_other_than_tcp_counts_as_open():
    ours, other = socket.socketpair()
    with ours, other:
        assert not sockets.has_hung_up(ours)
        sockets.drop_when_stalled(ours)


class Pieces:
    """A connection that notes what it is given to send, and when."""

    def __init__(self):
        self.sent: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.sent.append(data)

    def sendfile(self, file) -> int:
        self.sent.append(file)
        return len(file)


@pytest.mark.parametrize(
    ("parts", "pieces"),
    [
        ([b"head", b"body"], [b"headbody"]),
        ([b"head"], [b"head"]),
        ([b"head", b"first", b"second", b"third"], [b"headfirst", b"second", b"third"]),
        ([b"head", bytes(sockets.LARGE + 1)], [b"head", bytes(sockets.LARGE + 1)]),
        ([], []),
    ],
)
def test_a_head_goes_out_in_one_piece_with_the_beginning_of_its_body(parts, pieces):
    connection = Pieces()
    answers = sockets.AnswerSocket(connection)
    for _ in range(2):  # one answer after the other
        answers.begin()
        for part in parts:
            answers.sendall(part)
        answers.flush()
    assert connection.sent == 2 * pieces


def test_a_head_goes_out_before_a_file():
    connection = Pieces()
    answers = sockets.AnswerSocket(connection)
    answers.begin()
    answers.sendall(b"head")
    answers.sendfile(b"file")
    assert connection.sent == [b"head", b"file"]
