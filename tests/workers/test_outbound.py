"""Requests to addresses from users, over real sockets."""

import shutil
import socket
import ssl
import subprocess
import threading
import time
from contextlib import contextmanager

import pytest

from workers import outbound as sending
from workers.outbound import MAX_BODY_BYTES, NotSent, is_public, send

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"


@contextmanager
def listening(answer, context=None):
    """A server that reads a request and lets ``answer(connection)`` do the rest; gives its port and
    what it was sent."""
    came = []

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            try:
                with connection:
                    if context:
                        connection = context.wrap_socket(connection, server_side=True)
                    connection.settimeout(20)
                    came.append(connection.recv(65536))
                    answer(connection)
                    connection.shutdown(socket.SHUT_RDWR)
                    connection.close()
            except OSError:
                pass

    server = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, daemon=True).start()
    try:
        yield server.getsockname()[1], came
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def says(raw: bytes):
    return lambda connection: connection.sendall(raw)


def post(port: int, **kwargs):
    return send(f"http://127.0.0.1:{port}/hook?a=b", b"{}", {}, is_private_allowed=True, **kwargs)


PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize(
    "address",
    [
        *PUBLIC,
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
        "::ffff:127.0.0.1",
        "::ffff:a9fe:a9fe",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:808:808::",
        "2001::1",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "5f00::1",
        "192.0.0.1",
        "192.0.0.9",
        "192.0.0.170",
        "192.88.99.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.175.48.1",
        "198.51.100.7",
        "203.0.113.7",
        "239.1.2.3",
        "::ffff:192.0.0.9",
        "64:ff9b::c000:9",
        "2001:1::1",
        "2001:20::1",
        "2001:4:112::1",
        "2620:4f:8000::1",
    ],
)
def test_only_addresses_of_the_internet_are_public(address):
    assert is_public(address) == (address in PUBLIC)


def test_an_address_that_is_not_public_is_not_connected_to():
    with listening(says(ANSWER)) as (port, came):
        for addresses in (["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"]):
            with pytest.raises(NotSent, match="not public"):
                send(f"https://hook.example:{port}/", b"{}", {}, resolve=lambda *_, f=addresses: f)
        assert came == []


def test_a_name_that_changes_its_mind_is_asked_once_a_call():
    """Rebinding: the first look-up is what is judged, and what is connected to."""
    asked = []

    def resolve(host, port):
        asked.append(host)
        return ["203.0.113.7"] if len(asked) > 1 else ["127.0.0.1"]

    with listening(says(ANSWER)) as (port, came):
        answer = send(
            f"http://hook.example:{port}/", b"{}", {}, is_private_allowed=True, resolve=resolve
        )
        assert answer.status == 200
        assert asked == ["hook.example"]
        assert f"Host: hook.example:{port}".encode() in came[0]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://hook.example/", "not https"),
        ("https://hook.example:22/", "port"),
        ("ftp://hook.example/", "not https"),
    ],
)
def test_other_schemes_and_ports_are_refused_before_anything_is_looked_up(url, words):
    with pytest.raises(NotSent, match=words):
        send(url, b"{}", {}, resolve=lambda *_: pytest.fail("it was looked up"))


def test_a_missing_name_a_slow_one_and_a_port_without_a_listener_are_errors():
    def missing(*_):
        raise socket.gaierror(-2, "secret words")

    for resolve, words in (
        (missing, "the name was not found"),
        (lambda *_: [], "not found"),
        (lambda *_: time.sleep(1) or ["127.0.0.1"], "in time"),
    ):
        with pytest.raises(NotSent, match=words) as failure:
            send("https://hook.example/", b"{}", {}, resolve=resolve, limit=0.2)
        assert "secret" not in str(failure.value)
    with pytest.raises(NotSent, match="no connection"):
        post(1)


def test_an_answer_with_any_status_is_read():
    for status in (200, 204, 404, 410, 503):
        raw = f"HTTP/1.1 {status} Words\r\nContent-Length: 0\r\nRetry-After: 17.5\r\n\r\n".encode()
        with listening(says(raw)) as (port, came):
            answer = post(port)
            assert (answer.status, answer.body, answer.retry_after) == (status, b"", 17.5)
            assert came[0].startswith(b"POST /hook?a=b HTTP/1.1\r\n")


def test_a_redirection_is_not_followed():
    with listening(says(ANSWER)) as (secret, came):
        there = f"http://127.0.0.1:{secret}/"
        raw = f"HTTP/1.1 307 Go\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n"
        with listening(says(raw.encode())) as (port, _):
            assert post(port).status == 307
        assert came == []


def test_no_proxy_of_the_environment_is_used(monkeypatch):
    with listening(says(ANSWER)) as (proxy, came), listening(says(ANSWER)) as (port, _):
        for name in ("http_proxy", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy}")
        assert post(port).status == 200
        assert came == []


def test_a_long_answer_is_not_read_to_its_end_and_a_compressed_one_is_left_as_it_is():
    sent = []

    def answer(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            sent.append(connection.send(b"x" * 65536))

    with listening(answer) as (port, _):
        assert post(port).body is None
    assert sum(sent) < 200 * MAX_BODY_BYTES
    raw = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nbomb"
    with listening(says(raw)) as (port, _):
        assert post(port).body == b"bomb"


def dripping(start: bytes, drop: bytes):
    def answer(connection):
        connection.sendall(start)
        while True:
            time.sleep(0.05)
            connection.sendall(drop)

    return answer


@pytest.mark.parametrize(
    "answer",
    [
        lambda connection: time.sleep(5),
        dripping(b"", b"H"),
        dripping(b"HTTP/1.1 200 OK\r\n", b"X"),
        dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", b"x"),
        dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["silence", "status", "headers", "body", "chunks", "continues"],
)
def test_everything_together_takes_so_long_and_no_longer(answer):
    with listening(answer) as (port, _):
        began = time.monotonic()
        with pytest.raises(NotSent, match=r"no answer within 0\.5 seconds"):
            post(port, limit=0.5)
        assert 0.4 < time.monotonic() - began < 3


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0\1\2 secret words\r\n\r\n",
        b"HTTP/1.1 secret words\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nsecret words",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsecret words",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 500 + b"\r\n",
    ],
)
def test_an_invalid_response_is_reported_in_our_own_words(raw):
    with listening(says(raw)) as (port, _), pytest.raises(NotSent) as failure:
        post(port)
    assert str(failure.value) == "the answer was cut off, or is none"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for hook.example that nobody but us trusts, with its key, as a file."""
    if not shutil.which("openssl"):
        pytest.skip("making a certificate takes openssl")
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            "key.pem",
            "-out",
            "certificate.pem",
            "-days",
            "2",
            "-subj",
            "/CN=hook.example",
            "-addext",
            "subjectAltName=DNS:hook.example",
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


def call(name: str, port: int) -> sending.Answer:
    return send(
        f"https://{name}:{port}/",
        b"{}",
        {},
        is_private_allowed=True,
        resolve=lambda *_: ["127.0.0.1"],
    )


def test_the_certificate_has_to_be_trusted_and_that_of_the_name(certificate, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
    named = []
    context.sni_callback = lambda connection, name, _: named.append(name)
    with listening(says(ANSWER), context) as (port, _):
        sending._trusted.cache_clear()
        with pytest.raises(NotSent, match="certificate is not valid"):
            call("hook.example", port)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
        sending._trusted.cache_clear()
        assert call("hook.example", port).body == b"ok"
        with pytest.raises(NotSent, match="certificate is not valid"):
            call("other.example", port)
        sending._trusted.cache_clear()
    assert named == ["hook.example", "hook.example", "other.example"]
