"""Connections that are half open or unread, and headers that try to break an answer."""

import socket
from urllib.parse import urlsplit

import pytest
from fogg_client.client import Client

from service.operation.stack import Stack

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("network"), workers=0, web=2) as running:
        yield running


def test_half_open_connections_and_unread_streams_keep_nobody_from_playing(stack):
    at = urlsplit(stack.url)
    ann = Client(stack.url).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": [
        {"player": "me"}, {"open": True}]})["id"]
    beginnings = (b"", b"GET /v1/boards HTT", b"POST /v1/players HTTP/1.1\r\nHost: x\r\n",
                  b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{\"na",
                  f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\n"
                  f"Accept: text/event-stream\r\n\r\n".encode())
    held = []
    try:
        for number in range(200):
            connection = socket.create_connection((at.hostname, at.port), 5)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            connection.sendall(beginnings[number % len(beginnings)])
            held.append(connection)
        bob = Client(stack.url, patience=10).sign_up("Bob")
        view = bob.post(f"/v1/games/{game}/seats", {})
        view = bob.play(view, view["you"]["legal_actions"][0])["view"]
        assert ann.view(game)["version"] == view["version"]
    finally:
        for connection in held:
            connection.close()


@pytest.mark.parametrize("name", [
    "Host", "X-Request-Id", "Idempotency-Key", "Last-Event-ID", "X-Forwarded-For"])
def test_no_header_is_carried_into_an_answer(stack, name):
    """Line ends in a header's value cannot be sent; what can be must not come back as another."""
    at = urlsplit(stack.url)
    with socket.create_connection((at.hostname, at.port), 5) as connection:
        host = b"" if name == "Host" else b"Host: x\r\n"
        connection.sendall(b"GET /v1/me HTTP/1.1\r\n" + host + name.encode()
                           + b": a%0d%0aSet-Cookie: b=c\rSet-Cookie: d=e\r\n"
                           b"Connection: close\r\n\r\n")
        answer = b""
        while data := connection.recv(65536):
            answer += data
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith((b"http/1.1 4", b"http/1.0 4"))
    assert b"set-cookie" not in head
