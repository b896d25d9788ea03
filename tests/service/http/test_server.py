"""Bad clients: too much data, too little, too slow, or no HTTP at all."""

import json
import os
import re
import signal
import socket
import statistics
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import gevent
import pytest
import urllib3
from fogg_client.client import Client

from service.http.connections import Connections
from service.http.reading import CODES
from service.operation.stack import Stack
from service.starting import MAX_BODY_BYTES
from tools.processes import children

POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
NAME = b'{"name":"Ann"}'


@pytest.fixture
def connect(stack):
    """Return a connection to the service, which is closed in the end."""
    at = urlsplit(stack.url)
    with ExitStack() as opened:
        yield lambda: opened.enter_context(socket.create_connection((at.hostname, at.port), 10))


@pytest.fixture
def said(connect):
    """Return all that the service answers to some bytes, up to the end of the connection."""

    def said(data: bytes, *, ends: bool = False) -> bytes:
        connection = connect()
        with suppress(ConnectionError):
            connection.sendall(data)
            if ends:
                connection.shutdown(socket.SHUT_WR)
        return everything(connection)

    return said


def everything(connection: socket.socket) -> bytes:
    answer = b""
    with suppress(ConnectionError):
        while more := connection.recv(65536):
            answer += more
    return answer


def one_answer(connection: socket.socket) -> bytes:
    answer = b""
    while not (match := re.search(rb"Content-Length: (\d+)\r\n.*?\r\n\r\n", answer, re.DOTALL)) or (
        len(answer) < match.end() + int(match[1])
    ):
        more = connection.recv(65536)
        assert more, answer
        answer += more
    return answer


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", answer)]


def is_problem(answer: bytes, status: int, fits) -> dict:
    """Assert that it is one answer, a problem that ends the connection; return it."""
    assert statuses(answer) == [status], answer
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Content-Type: application/problem+json" in head
    assert b"Connection: close" in head
    assert b"Cache-Control: no-store" in head
    assert b"Access-Control-Allow-Origin: *" in head
    problem = json.loads(body)
    fits("Problem", problem)
    assert problem["status"] == status
    assert problem["code"] == {**CODES, 422: "malformed"}[status]
    return problem


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (GET + b"X: 1\r\n" * 200 + b"\r\n", 431),
        (GET + b"X: " + b"1" * 20_000 + b"\r\n\r\n", 431),
        (GET + b"".join(b"X%d: %s\r\n" % (n, b"1" * 2000) for n in range(60)) + b"\r\n", 431),
        (b"GET /" + b"1" * 9_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nA B: c\r\n\r\n", 400),
        (b"GET / HTTP/1.1\nHost: x\n\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", 400),
        (GET + b"X\x00Y: z\r\n\r\n", 400),
        (GET + b"X: y\x00z\r\n\r\n", 400),
        (GET + b"X\xc3\xa9: y\r\n\r\n", 400),
        (GET + b": y\r\n\r\n", 400),
        (GET + b"X : y\r\n\r\n", 400),
        (GET + b"X: y\r\n z\r\n\r\n", 400),
        (GET + b"no colon\r\n\r\n", 400),
        (GET + b"Host: y\r\n\r\n", 400),
        *(
            (b"GET /healthz HTTP/1.1\r\n" + host + b"\r\n", 400)
            for host in (
                b"",
                b"Host:\r\n",
                b"Host: a b\r\n",
                b'Host: x"><y\r\n',
                b"Host: a@b\r\n",
                b"Host: a/b\r\n",
                b"Host: a:b\r\n",
                b"Host: a,b:80\r\n",
                b"Host: [::1\r\n",
                b"Host: \xe9\r\n",
            )
        ),
        (b"GET /healthz HTTP/1.0\r\nHost: a b\r\n\r\n", 400),
        (b"GET /healthz#x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (GET + b"Expect: a miracle\r\n\r\n", 417),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"get / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET example.org:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        (POST + b"Content-Length: -1\r\n\r\n", 400),
        (POST + b"Content-Length: 1e3\r\n\r\n", 400),
        (POST + b"Content-Length: \xb2\r\n\r\n", 400),
        (POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", 400),
        (POST + b"Content-Length: 14\r\nContent-Length: 14\r\n\r\n" + NAME, 400),
        (POST + b"Content-Length: 14, 14\r\n\r\n" + NAME, 400),
        (POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: gzip\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: gzip, chunked, gzip\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: nonsense\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: xchunked\r\n\r\n", 400),
        (POST.replace(b"1.1", b"1.0", 1) + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (POST + b"Content-Length: 65537\r\n\r\n", 413),
        (POST + b"Content-Length: 50000000\r\nExpect: 100-continue\r\n\r\n", 413),
        (
            b"GET /v1/boards HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
            413,
        ),
        *(
            (CHUNKED + chunks, 400)
            for chunks in (
                b"x\r\n",
                b"\r\n\r\n",
                b" e\r\n",
                b"-1\r\n",
                b"+e\r\n",
                b"0x0e\r\n",
                b"e_e\r\n",
                b"e;\r\n",
                b"e\n" + NAME + b"\n0\n\n" + b"1" * 9000,
                b"e\r\n" + NAME + b"xx0\r\n\r\n",
                b"\xff\r\n",
                b'e;a="\r\n',
                b"1" * 9000,
                b"e\r\n" + NAME + b"\r\n0\r\nContent-Length: 5\r\n\r\n",
                b"e\r\n" + NAME + b"\r\n0\r\nno colon\r\n\r\n",
                b"0\r\nX: y\nZ: z\r\n\r\n",
            )
        ),
        *(
            (CHUNKED + chunks, 413)
            for chunks in (
                b"fffffffffffffffffffff\r\n" + b"a" * 70_000,
                b"10001\r\n" + b"a" * 65537,
                b"1\r\na\r\n" * 2000,
                b"e;a=" + b"a" * 7000 + b"\r\n" + NAME,
            )[:3]
        ),
    ],
)
def test_invalid_or_too_large_requests_are_refused_and_the_connection_closed(
    said, fits, request_, status
):
    is_problem(said(request_ + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"), status, fits)


@pytest.mark.parametrize(
    "host",
    [
        b"fogg",
        b"FOGG.example.",
        b"fogg_web:8000",
        b"127.0.0.1:80",
        b"[::1]:80",
        b"[fe80::1%25eth0]",
        b"xn--frd-8na.example",
        b"a%20b",
        b"fogg:",
    ],
)
def test_a_valid_host_is_served_and_http_1_0_needs_none(said, host):
    asked = GET.replace(b"Host: x", b"Host: " + host) + b"Connection: close\r\n\r\n"
    assert statuses(said(asked)) == [200]
    assert b" 200 OK\r\n" in said(b"GET /healthz HTTP/1.0\r\n\r\n")


@pytest.mark.parametrize(
    "name", [b"Host", b"X-Request-Id", b"Idempotency-Key", b"Last-Event-ID", b"X-Forwarded-For"]
)
def test_no_header_is_carried_into_an_answer(said, name):
    """Line ends in a header's value cannot be sent; what can be must not come back as another."""
    host = b"" if name == b"Host" else b"Host: x\r\n"
    answer = said(
        b"GET /v1/me HTTP/1.1\r\n" + host + name + b": a%0d%0aSet-Cookie: b=c\r"
        b"Set-Cookie: d=e\r\nConnection: close\r\n\r\n"
    )
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith((b"http/1.1 4", b"http/1.0 4"))
    assert b"set-cookie" not in head


@pytest.mark.parametrize(
    "headers",
    [
        b"SCRIPT_NAME: /x\r\n",
        b"Path_Info: /x\r\n",
        b"_: y\r\n",
        b"X: \xff\r\n",
        b"Cookie: " + b"a" * 8000 + b"\r\n",
    ],
)
def test_headers_that_mean_nothing_change_nothing(said, headers):
    assert statuses(said(GET + headers + b"Connection: close\r\n\r\n")) == [200]


def test_a_whole_body_is_read_in_pieces_of_any_size(connect):
    for sent in (
        POST + b"Content-Length: 14\r\n\r\n" + NAME,
        CHUNKED + b'5;a="b"\r\n' + NAME[:5] + b"\r\n9\r\n" + NAME[5:] + b"\r\n0\r\nX: y\r\n\r\n",
    ):
        connection = connect()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(sent), 7):
            connection.sendall(sent[at : at + 7])
            time.sleep(0.001)
        assert statuses(one_answer(connection)) == [201]


def test_expect_100_continue_is_answered(connect):
    connection = connect()
    connection.sendall(POST + b"Content-Length: 14\r\nExpect: 100-continue\r\n\r\n")
    assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
    connection.sendall(NAME)
    assert statuses(one_answer(connection)) == [201]


def test_a_body_of_the_maximum_size_is_read(said, fits):
    body = b'{"name":"' + b"a" * (MAX_BODY_BYTES - 11) + b'"}'
    assert len(body) == MAX_BODY_BYTES
    for sent in (
        b"Content-Length: 65536\r\n\r\n" + body,
        b"Transfer-Encoding: chunked\r\n\r\n10000\r\n" + body + b"\r\n0\r\n\r\n",
    ):
        answer = said(POST + b"Connection: close\r\n" + sent)
        assert is_problem(answer, 422, fits)["field"] == "name"


@pytest.mark.parametrize("framing", ["length", "chunk", "chunks"])
def test_an_action_that_has_not_come_whole_is_not_played(stack, said, fits, framing):
    ann = Client(stack.url).sign_up("Ann")
    view = ann.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"bot": "random"}]})
    action = b'{"type":"resign"}'
    head = (
        f"POST /v1/games/{view['id']}/actions HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: Bearer {ann.token}\r\nContent-Type: application/json\r\n"
    ).encode()
    rest = {
        "length": b"Content-Length: 5000\r\n\r\n" + action,
        "chunk": b"Transfer-Encoding: chunked\r\n\r\n1388\r\n" + action,
        "chunks": b"Transfer-Encoding: chunked\r\n\r\n11\r\n" + action + b"\r\n",
    }[framing]
    is_problem(said(head + rest, ends=True), 400, fits)
    assert ann.view(view["id"])["status"] == "playing"


def test_requests_that_are_sent_at_once_are_answered_one_by_one(said):
    many = GET + b"\r\n" + POST + b"Content-Length: 14\r\n\r\n" + NAME
    answer = said(many * 5 + GET + b"Connection: close\r\n\r\n")
    assert statuses(answer) == [200, 201] * 5 + [200]


def test_a_large_body_is_refused_at_its_head_and_read_no_further(connect):
    connection = connect()
    connection.sendall(POST + b"Content-Length: 50000000\r\n\r\n")
    began = time.monotonic()
    assert statuses(one_answer(connection)) == [413]
    sent = 0
    with suppress(OSError):
        while time.monotonic() < began + 10:
            sent += connection.send(bytes(1 << 20))
    assert sent < 40_000_000


# So many connections


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A service that takes few connections."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOGG_CAPS", "connections=30 address_connections=20")
        with Stack(tmp_path_factory.mktemp("small"), workers=0) as running:
            yield urlsplit(running.url)


@pytest.fixture
def open_from(small):
    """Return a connection to that service from one of this machine's addresses; 127.0.0.1 is the
    address of the readiness check."""
    with ExitStack() as opened:
        yield lambda host="127.0.0.2": opened.enter_context(
            socket.create_connection((small.hostname, small.port), 10, source_address=(host, 0))
        )


def streaming(connection: socket.socket, game: str) -> socket.socket:
    """Return a connection on which something goes on, and is not read."""
    connection.sendall(
        f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\n"
        "Accept: text/event-stream\r\n\r\n".encode()
    )
    assert connection.recv(17) == b"HTTP/1.1 200 OK\r\n"
    return connection


def test_a_new_connection_ends_the_one_that_was_idle_for_longest(open_from):
    held = [open_from() for _ in range(20)]
    for connection in held[::-1]:  # the last ones are idle for longest
        connection.sendall(GET + b"\r\n")
        assert statuses(one_answer(connection)) == [200]
    new = [open_from() for _ in range(5)]
    for connection in new + held[:15]:
        connection.sendall(GET + b"\r\n")
        assert statuses(one_answer(connection)) == [200]
    assert [everything(connection) for connection in held[15:]] == [b""] * 5


def test_half_a_request_is_idle_too(open_from):
    for _ in range(50):
        open_from().sendall(b"GET /healthz HTTP/1.1\r\nHo")
    connection = open_from()
    connection.sendall(GET + b"\r\n")
    assert statuses(one_answer(connection)) == [200]


@pytest.fixture(scope="module")
def game(small) -> str:
    ann = Client(small.geturl()).sign_up("Ann")
    seats = [{"player": "me"}, {"open": True}]
    return ann.post("/v1/games", {"board": "usa", "seats": seats})["id"]


def test_a_new_connection_ends_those_that_were_hung_up_before_an_idle_one(open_from, game):
    idle = open_from()
    for connection in [streaming(open_from(), game) for _ in range(19)]:
        connection.close()
    for connection in (open_from(), idle):
        connection.sendall(GET + b"\r\n")
        assert statuses(one_answer(connection)) == [200]


def test_if_all_connections_are_busy_a_new_one_is_refused(open_from, game):
    held = [streaming(open_from(), game) for _ in range(20)]
    answer = everything(open_from())
    assert statuses(answer) == [429]
    assert b"Retry-After: 5" in answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "too-many-connections"
    # the last of these ends the idle one of the game's creator
    others = [streaming(open_from("127.0.0.3"), game) for _ in range(10)]
    assert statuses(everything(open_from("127.0.0.4"))) == [503]
    held[0].close()
    others[0].close()
    for host in ("127.0.0.2", "127.0.0.4"):
        connection = open_from(host)
        connection.sendall(GET + b"\r\n")
        assert statuses(one_answer(connection)) == [200]


# Answers that nobody reads

UNREAD = 2_000_000  # bytes
DESCRIPTION = b"GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"
MANY = 40  # answers, so many that the buffers of the system hold a part of them only


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory):
    """A service that keeps few bytes of answers for those who do not read them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOGG_CAPS", f"unread={UNREAD}")
        with Stack(tmp_path_factory.mktemp("forgetful"), workers=0, web=1) as running:
            yield urlsplit(running.url)


def test_unread_responses_are_closed_for_others(forgetful):
    """Of a dozen clients that read nothing as many keep their connection as there is room for; one
    that reads is answered whole."""
    at, size, held = (forgetful.hostname, forgetful.port), 0, []
    with ExitStack() as opened:
        for _ in range(12):
            connection = opened.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(20)
            connection.connect(at)
            connection.sendall(DESCRIPTION * MANY)
            held.append(connection)
        reader = opened.enter_context(socket.create_connection(at, 20))
        for _ in range(5):
            reader.sendall(DESCRIPTION)
            answer = one_answer(reader)
            assert statuses(answer) == [200]
            size = len(answer)
        most = UNREAD // (size - 1000)
        end = time.monotonic() + 60
        while (dropped := refused(forgetful, "unread")) < len(held) - most:
            assert time.monotonic() < end, dropped
            time.sleep(0.1)
        whole = sum(comes_whole(connection, MANY * size) for connection in held)
        assert whole == len(held) - refused(forgetful, "unread") > 0


def refused(at, limit: str) -> int:
    """Return how often a limit has refused somebody."""
    return _sum(at.geturl(), rf'fogg_rate_limited_total{{limit="{limit}"}} (\S+)')


def comes_whole(connection: socket.socket, size: int) -> bool:
    """Return whether so many bytes still come."""
    with suppress(ConnectionError):
        while size > 0 and (data := connection.recv(1 << 20)):
            size -= len(data)
    return size <= 0


# Others have their turn

ATTACKS = {
    "a body of 50 MB": POST + b"Content-Length: 50000000\r\n\r\n" + bytes(50_000_000),
    "50 MB in one chunk": CHUNKED + b"2faf080\r\n" + bytes(50_000_000),
    "chunks of a byte": CHUNKED + b"1\r\na\r\n" * 2_000_000,
    "a head of 12 MB": GET + b"X: y\r\n" * 2_000_000,
    "a line of 12 MB": b"GET /" + b"a" * 12_000_000,
    "requests without end": (GET + b"\r\n") * 20_000,
}


def test_no_client_keeps_a_process_from_answering_others(connect):
    """Compare the longest wait of other clients with their wait without the slow one."""
    quiet = slowest(connect, 0.5)
    under_attack = {name: during(connect, sent) for name, sent in ATTACKS.items()}
    assert max(under_attack.values()) < max(0.5, 50 * quiet), (quiet, under_attack)


def test_requests_whose_clients_have_hung_up_are_not_answered(stack, connect):
    """The web processes are stopped meanwhile, so that they find all clients gone."""
    before = served(stack)
    with ExitStack() as stopped:
        for process in children(stack.web.pid):
            stopped.callback(os.kill, process, signal.SIGCONT)
            os.kill(process, signal.SIGSTOP)
        for _ in range(40):
            with connect() as connection:
                connection.sendall((GET + b"\r\n") * 100)
    connection = connect()
    connection.sendall(GET + b"Connection: close\r\n\r\n")
    assert statuses(everything(connection)) == [200]
    assert served(stack) - before == 1


def served(stack: Stack) -> int:
    return _sum(stack.url, r'fogg_requests_total{[^}]*route="/healthz"[^}]*} (\S+)')


def _sum(url: str, row: str) -> int:
    """Return the sum of the metrics in rows of a form."""
    text = urllib3.request("GET", f"{url}/metrics").data.decode()
    return int(sum(map(float, re.findall(row, text))))


def test_the_connections_of_an_address_share_its_turns():
    turns, connections, greenlets = Counter(), Connections(), []

    def take_turns(client: socket.socket, address: str) -> None:
        connections.enter(client, address)
        while True:
            connections.take_turn(client)
            turns[address] += 1

    with ExitStack() as opened:
        for address in ["192.0.2.1"] * 40 + ["192.0.2.2"]:
            pair = [opened.enter_context(end) for end in socket.socketpair()]
            greenlets.append(gevent.spawn(take_turns, pair[0], address))
        with gevent.Timeout(20):
            while turns["192.0.2.2"] < 50:
                gevent.sleep(0.001)
        gevent.killall(greenlets)
    assert 25 < turns["192.0.2.1"] < 100  # 2,000 if each connection had turns of its own


def during(connect, attack: bytes) -> float:
    """Return how long a process takes to answer while four clients attack it."""

    def send() -> None:
        connection = connect()
        with suppress(OSError):
            connection.settimeout(5)
            connection.sendall(attack)

    with ThreadPoolExecutor(4) as attackers:
        for _ in range(4):
            attackers.submit(send)
        return slowest(connect, 0.8)


def slowest(connect, seconds: float) -> float:
    """Return how long a process takes to answer at worst, but for one time in a hundred."""
    connection, times = connect(), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        connection.sendall(GET + b"\r\n")
        assert statuses(one_answer(connection)) == [200]
        times.append(time.monotonic() - began)
        time.sleep(0.002)
    return statistics.quantiles(times, n=100)[98]
