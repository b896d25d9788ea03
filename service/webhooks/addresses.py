"""Check the URL of a webhook."""

from __future__ import annotations

from ipaddress import ip_address

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from service import settings
from service.errors import BadRequest

MAX_URL_LENGTH = 500  # characters
MIN_PORT = 1025  # and 443


def callable_address(url: str) -> str:
    """Return the URL if a webhook may have it; reject any other. The host is resolved and checked
    at each call (workers/outbound.py)."""
    try:
        parts = parse_url(url)
    except LocationParseError:
        parts = Url()
    host, is_free = (parts.host or "").strip("[]"), settings.WEBHOOKS_PRIVATE.value()
    if parts.scheme != "https" and not (is_free and parts.scheme == "http"):
        raise BadRequest("the address should begin with https://", "url")
    if not host or not url.isascii() or len(url) > MAX_URL_LENGTH or parts.fragment:
        raise BadRequest("the address should have a host, no fragment, and at most "
                         f"{MAX_URL_LENGTH} ASCII characters", "url")
    if parts.auth is not None:
        raise BadRequest("the address should have no user and no password in it", "url")
    if is_free:
        return url
    if parts.port not in (None, 443) and parts.port < MIN_PORT:
        raise BadRequest(f"the port should be 443, or {MIN_PORT} or more", "url")
    if not _may_be_public(host):
        raise BadRequest("the address should be one that the whole internet can reach", "url")
    return url


def _may_be_public(host: str) -> bool:
    try:
        address = ip_address(host)
        return address.is_global and not address.is_multicast
    except ValueError:
        return "." in host.strip(".") and not host[-1].isdigit()
