"""Send one request to an address from a user, which may be malicious.

The host name is resolved, every address of it must be public, and the connection goes to such an
address, not to the name. So the name cannot change its meaning in between (DNS rebinding). The
certificate must match the name. Redirections are not followed, proxies are not used, and the whole
request, from the look-up to the end of the response, takes ten seconds at most.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address

import urllib3
from fogg_client.problems import retry_after

TIMEOUT_S = 10.0  # seconds for the whole request
MAX_BODY_BYTES = 64 * 1024  # bytes read from a response
PORTS = (80, 443)
MIN_PORT = 1025
# The registries of special-purpose addresses (RFC 6890), as our own table: Python's knowledge of
# them changes with its version. These are rejected as a webhook's address.
SPECIAL_4 = [
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
]
GLOBAL = IPv6Network("2000::/3")  # public IPv6 addresses are all in this network
SPECIAL_6 = [
    IPv6Network(block)
    for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
]
TRANSLATED = IPv6Network("64:ff9b::/96")  # NAT64: the last 32 bits are an IPv4 address

Resolve = Callable[[str, int], list[str]]
_names = ThreadPoolExecutor(128, "names")  # a look-up cannot be interrupted, only abandoned


class NotConnected(Exception):
    """No connection could be made to an address."""


class NotSent(Exception):
    """There was no response. The message gives the reason and holds no text from the receiver."""


@dataclass(frozen=True)
class Answer:
    """A response; ``body`` is None if too long, ``retry_after`` in seconds, 0 without it."""

    status: int
    body: bytes | None
    retry_after: float


def is_public(address: str) -> bool:
    """Return whether an address is public; in IPv6, also the IPv4 address that it stands for."""
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv4Address):
        return not any(parsed in block for block in SPECIAL_4)
    if parsed.ipv4_mapped:
        return is_public(str(parsed.ipv4_mapped))
    if parsed in TRANSLATED:
        return is_public(str(IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed in GLOBAL and not any(parsed in block for block in SPECIAL_6)


def resolve(host: str, port: int) -> list[str]:
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def send(
    url: str,
    body: bytes,
    headers: dict,
    *,
    is_private_allowed: bool = False,
    resolve: Resolve = resolve,
    limit: float = TIMEOUT_S,
) -> Answer:
    """Post a body; return the response with any status. Raise NotSent if there is none."""
    end = time.monotonic() + limit
    parts = urllib3.util.parse_url(url)
    host, port = parts.host or "", parts.port or (443 if parts.scheme == "https" else 80)
    if parts.scheme != "https" and not is_private_allowed:
        raise NotSent("the address is not https")
    if port not in PORTS and port < MIN_PORT and not is_private_allowed:
        raise NotSent("the port is not allowed")
    addresses = _addresses(host.strip("[]"), port, resolve, limit)
    if not is_private_allowed and not all(map(is_public, addresses)):
        raise NotSent("the address is not public")
    for address in addresses:
        try:
            return _post(parts, address, port, body, headers, end)
        except NotConnected:
            continue  # not sent yet: the next address may work
        except (HTTPException, OSError, ValueError) as error:
            raise NotSent(_words(error, end, limit)) from None
    raise NotSent("no connection could be made")


def _addresses(host: str, port: int, resolve: Resolve, limit: float) -> list[str]:
    looked_up: Future = _names.submit(resolve, host, port)
    try:
        addresses = looked_up.result(limit)
    except TooLate:
        raise NotSent("the name was not found in time") from None
    except (OSError, UnicodeError):
        addresses = []
    if not addresses:
        raise NotSent("the name was not found")
    return addresses


def _post(
    parts: urllib3.util.Url, address: str, port: int, body: bytes, headers: dict, end: float
) -> Answer:
    try:
        opened = socket.create_connection((address, port), max(0.01, end - time.monotonic()))
    except OSError as error:
        raise NotConnected from error
    with _cut_off_at(opened, end), closing(HTTPConnection(address, port)) as connection:
        connection.sock = (
            opened
            if parts.scheme != "https"
            else _trusted().wrap_socket(opened, server_hostname=(parts.host or "").strip("[]"))
        )
        connection.request(
            "POST",
            parts.request_uri,
            body,
            headers | {"Host": parts.netloc, "Accept-Encoding": "identity", "Connection": "close"},
        )
        answer = connection.getresponse()
        return Answer(answer.status, _read(answer, end), retry_after(answer))


@contextmanager
def _cut_off_at(opened: socket.socket, end: float) -> Iterator[None]:
    """Cut a connection off at a deadline, even while a response arrives byte by byte."""
    with opened.dup() as other:  # stays valid when TLS takes the socket over

        def cut() -> None:
            with suppress(OSError):  # it is closed already
                other.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(max(0, end - time.monotonic()), cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            opened.close()


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _read(answer: HTTPResponse, end: float) -> bytes | None:
    body = b""
    while len(body) <= MAX_BODY_BYTES:
        if time.monotonic() > end:
            raise TimeoutError
        part = answer.read1(MAX_BODY_BYTES)
        if not part:
            if answer.length:
                raise IncompleteRead(body, answer.length)
            return body
        body += part
    return None


def _words(error: Exception, end: float, limit: float) -> str:
    if time.monotonic() >= end or isinstance(error, TimeoutError):
        return f"no answer within {limit:g} seconds"
    if isinstance(error, ssl.SSLCertVerificationError):
        return "the certificate is not valid for this name"
    if isinstance(error, ssl.SSLError):
        return "no safe connection could be made"
    return "the answer was cut off, or is none"
