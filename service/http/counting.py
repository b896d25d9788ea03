"""Rate limits: counting requests and streams, and the headers that report what is left."""

from contextlib import suppress
from operator import attrgetter
from socket import socket

from flask import Response, after_this_request, request

from service import settings
from service.errors import TooMany, TooManyStreams
from service.http import metrics
from service.http.context import context
from service.http.limits import Limits, Standing, Streams, counted_address, is_public
from service.http.serving import services
from service.http.sockets import has_hung_up

ACTIONS = "/v1/games/<string:game>/actions"  # the URL rule with a limit of its own
BEFORE_PROXIES = "werkzeug.proxy_fix.orig"  # what ProxyFix has replaced, in the environment
WHOSE = {"streams": "an account with its bots", "address_streams": "an address"}


def count(kind: str, who: str) -> None:
    """Count a request towards a limit; raise TooMany if none is left."""
    current = context()
    try:
        current.standing = current.services.find(Limits).take(kind, who)
    except TooMany:
        metrics.count_refusal(kind)
        raise


def count_address(kind: str = "address") -> None:
    """Count a request towards the limit of its IP address."""
    count(kind, counted_address(request.remote_addr or ""))


def count_request(who: str | None) -> None:
    """Count a request towards the limit of the account that answers for the caller, a bot's owner,
    and that of the client's address; report the limit that has less left. Built-in bots, for which
    nobody answers, have no limit."""
    current = context()
    current.payer = who
    if not who:
        return
    count("actions" if current.rule == ACTIONS else "requests", who)
    environ = request.environ
    address = environ["REMOTE_ADDR"]
    peer = environ[BEFORE_PROXIES]["REMOTE_ADDR"] if BEFORE_PROXIES in environ else address
    # a private address that no proxy has reported may be a proxy's, which many clients share
    if peer != address or is_public(address):
        of_account = current.standing
        count("address_requests", counted_address(address))
        current.standing = min(of_account, current.standing, key=attrgetter("remaining"))


def caller_or_address() -> str:
    """Return the account that answers for the caller; without a token, the client's address."""
    return context().payer or counted_address(request.remote_addr or "")


def count_stream() -> None:
    """Count a stream, or a request that waits, until its answer ends. Raise TooManyStreams if the
    caller (with all bots) or the address has too many open."""
    holders = [("address_streams", counted_address(request.remote_addr or ""))]
    if who := context().payer:
        holders.append(("streams", who))
    held, connection = services().find(Streams), request.environ.get("gunicorn.socket")
    caps = settings.CAPS.value()
    for kind, who in holders:
        if len(held[kind, who]) >= caps[kind]:  # drop those whose client has disconnected
            held[kind, who] = [c for c in held[kind, who] if c is None or not has_hung_up(c)]
        if len(held[kind, who]) >= caps[kind]:
            metrics.count_refusal(kind)
            raise TooManyStreams(WHOSE[kind], caps[kind])
    for holder in holders:
        held[holder].append(connection)

    @after_this_request
    def release_in_the_end(response: Response) -> Response:
        response.call_on_close(lambda: _release(held, holders, connection))
        return response


def _release(held: Streams, holders: list[tuple[str, str]], connection: socket | None) -> None:
    for holder in holders:
        with suppress(ValueError):  # already dropped: the client had disconnected
            held[holder].remove(connection)
        if not held[holder]:
            del held[holder]


def headers_of(standing: Standing) -> dict[str, str]:
    kind = standing.kind
    return {
        "RateLimit-Policy": f'"{kind}";q={standing.limit};w={standing.window}',
        "RateLimit": f'"{kind}";r={standing.remaining};t={standing.reset}',
    }
