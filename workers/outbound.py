"""One request to an address that a stranger has given us, which may be meant to do harm.

The name is looked up, every address that it stands for has to be a public one, and the connection
goes to such an address, not to the name: so it cannot come to mean another in between. The
certificate has to be that of the name. Redirections are not followed, proxies not used, and
everything together, from the name to the end of the answer, takes ten seconds at most.
"""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

LIMIT = 10.0  # seconds for everything
LARGEST = 64 * 1024  # bytes read of an answer
PORTS = (80, 443)
LEAST_PORT = 1025
# The registries of special-purpose addresses (RFC 6890), as a table of our own: what Python knows
# of them changes with its version. Nobody's webhook is at any of them, private or not.
SPECIAL_4 = [IPv4Network(block) for block in (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
    "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4")]
GLOBAL = IPv6Network("2000::/3")  # whatever is not in it is no address of the internet
SPECIAL_6 = [IPv6Network(block) for block in (
    "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")]
TRANSLATED = IPv6Network("64:ff9b::/96")  # NAT64: the last 32 bits are an IPv4 address

Resolve = Callable[[str, int], list[str]]
_names = ThreadPoolExecutor(128, "names")  # a look-up cannot be interrupted, only left behind


class NotSent(Exception):
    """Nothing was answered; the words say why and hold nothing that came from there."""


@dataclass(frozen=True)
class Answer:
    """What was answered: ``body`` is None if it was longer than we read, ``retry_after`` seconds,
    None if it did not say."""

    status: int
    body: bytes | None
    retry_after: int | None


def is_public(address: str) -> bool:
    """Return whether an address is one of the internet, and no way to one that is not."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv4Address):
        return not any(found in block for block in SPECIAL_4)
    if found.ipv4_mapped:
        return is_public(str(found.ipv4_mapped))
    if found in TRANSLATED:
        return is_public(str(IPv4Address(int(found) & 0xFFFFFFFF)))
    return found in GLOBAL and not any(found in block for block in SPECIAL_6)


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses that a name stands for."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def send(
    url: str, body: bytes, headers: dict, *, is_private_allowed: bool = False,
    resolve: Resolve = resolve, limit: float = LIMIT,
) -> Answer:
    """Post a body; return what is answered, whatever its status. Raise NotSent if nothing is."""
    end = time.monotonic() + limit
    parts = urllib3.util.parse_url(url)
    host, port = parts.host or "", parts.port or (443 if parts.scheme == "https" else 80)
    if parts.scheme != "https" and not is_private_allowed:
        raise NotSent("the address is not https")
    if port not in PORTS and port < LEAST_PORT and not is_private_allowed:
        raise NotSent("the port is not allowed")
    addresses = _addresses(host.strip("[]"), port, resolve, limit)
    if not is_private_allowed and not all(map(is_public, addresses)):
        raise NotSent("the address is not public")
    for address in addresses:
        try:
            return _post(parts, address, port, body, headers, end)
        except (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError):
            continue  # nothing was sent: the next address may do
        except (urllib3.exceptions.HTTPError, HTTPException, OSError, ValueError) as error:
            raise NotSent(_words(error, end, limit)) from None
    raise NotSent("no connection could be made")


def _addresses(host: str, port: int, resolve: Resolve, limit: float) -> list[str]:
    looked_up: Future = _names.submit(resolve, host, port)
    try:
        found = looked_up.result(limit)
    except TooLate:
        raise NotSent("the name was not found in time") from None
    except (OSError, UnicodeError):
        found = []
    if not found:
        raise NotSent("the name was not found")
    return found


def _post(
    parts: urllib3.util.Url, address: str, port: int, body: bytes, headers: dict, end: float
) -> Answer:
    host = (parts.host or "").strip("[]")
    kind: type[HTTPConnection] = HTTPConnection
    more: dict[str, Any] = {}
    if parts.scheme == "https":
        kind, more = HTTPSConnection, {"server_hostname": host, "ssl_context": _trusted()}
    with _cut_off_at(kind(address, port, timeout=max(0.01, end - time.monotonic()), **more),
                  end) as connection:
        connection.request("POST", parts.request_uri, body=body, preload_content=False,
                           decode_content=False, headers=headers | {
                               "Host": parts.netloc, "Accept-Encoding": "identity",
                               "Connection": "close"})
        answer = connection.getresponse()
        read = _read(answer, end)
        return Answer(answer.status, read, _retry_after(answer))


@contextmanager
def _cut_off_at(connection: HTTPConnection, end: float) -> Iterator[HTTPConnection]:
    """Give a connection that is cut off at a time, whatever it is waiting for: limits of single
    reads do not help against an answer that comes byte by byte."""
    opened: list[socket.socket] = []
    open_socket = connection._new_conn

    def _new_conn() -> socket.socket:
        made = open_socket()
        opened.append(made.dup())  # stays valid when TLS takes the socket over
        return made

    connection._new_conn = _new_conn  # type: ignore[method-assign]

    def cut() -> None:
        for one in opened:
            with suppress(OSError):  # it has ended by itself
                one.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0, end - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield connection
    finally:
        timer.cancel()
        connection.close()
        for one in opened:
            one.close()


@cache
def _trusted() -> ssl.SSLContext:
    """Return what tells a certificate that is right for a name: what the system trusts."""
    return ssl.create_default_context()


def _read(answer: urllib3.HTTPResponse, end: float) -> bytes | None:
    """Return a body, None if it is longer than is read or comes too late."""
    found = b""
    while len(found) <= LARGEST:
        if time.monotonic() > end:
            raise TimeoutError
        part = answer.read1(LARGEST)
        if not part:
            return found
        found += part
    return None


def _retry_after(answer: urllib3.HTTPResponse) -> int | None:
    value = answer.headers.get("Retry-After")
    try:
        return int(urllib3.util.Retry().parse_retry_after(value)) if value else None
    except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
        return None


def _words(error: Exception, end: float, limit: float) -> str:
    """Return what went wrong, in our words alone."""
    late = (TimeoutError, urllib3.exceptions.TimeoutError)
    if time.monotonic() >= end or isinstance(error, late):
        return f"no answer within {limit:g} seconds"
    if isinstance(error, ssl.SSLCertVerificationError):
        return "the certificate is not valid for this name"
    if isinstance(error, ssl.SSLError):
        return "no safe connection could be made"
    return "the answer was cut off, or is none"
