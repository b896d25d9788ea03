"""The page of metrics."""

from __future__ import annotations

import hmac
from ipaddress import ip_address

import flask
from flask import Response, request

from service import settings
from service.errors import NotSignedIn, NotYours
from service.http.serving import services
from service.operation import measures

blueprint = flask.Blueprint("metrics", __name__)


@blueprint.route("/metrics")
def show_metrics():
    """Serve the metrics to operators."""
    _check_operator()
    return Response(measures.page(services()), mimetype="text/plain; version=0.0.4",
                    headers={"Cache-Control": "no-store"})


def _check_operator() -> None:
    """Raise unless the caller sent FOGG_METRICS_TOKEN. If it is not set, the request has to come
    from this machine directly, not through a proxy."""
    if token := settings.METRICS_TOKEN.value():
        sent = request.headers.get("Authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            raise NotSignedIn("send the header Authorization: Bearer, with FOGG_METRICS_TOKEN")
    elif not _is_here(request.remote_addr or "") or "X-Forwarded-For" in request.headers:
        raise NotYours("only from this machine, or with FOGG_METRICS_TOKEN, once that is set")


def _is_here(address: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
