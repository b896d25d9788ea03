"""What is served beside the API: its description, a page to try it on, and the metrics."""

from __future__ import annotations

import hmac
import os
from functools import cache
from ipaddress import ip_address
from pathlib import Path

import flask
import flask_swagger_ui
from flask import Response, request, send_from_directory

from service.api.serving import games
from service.errors import NotSignedIn, NotYours
from service.operation import metrics

blueprint = flask.Blueprint("pages", __name__)
DESCRIPTION = Path(__file__).with_name("openapi.yaml")  # leads to the committed one
SWAGGER = Path(flask_swagger_ui.__file__).parent / "dist"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fogg API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
START = """SwaggerUIBundle({
  url: "/openapi.yaml", dom_id: "#ui", deepLinking: true, tryItOutEnabled: true,
  persistAuthorization: false, docExpansion: "list", defaultModelsExpandDepth: 0,
});
"""


@blueprint.route("/metrics")
def show_metrics():
    """Serve what the service counts, to those who run it."""
    _check_operator()
    return Response(metrics.page(games()), mimetype="text/plain; version=0.0.4",
                    headers={"Cache-Control": "no-store"})


@blueprint.route("/openapi.yaml")
def openapi():
    """Serve the API's description."""
    return Response(_description(), mimetype="application/yaml",
                    headers={"Cache-Control": "no-cache"})


@cache
def _description() -> bytes:
    """Return the file, which those who are sent it at a time share."""
    return DESCRIPTION.read_bytes()


@blueprint.route("/docs")
def docs():
    """Serve a page on which the API can be read and tried; it needs nothing from elsewhere."""
    return Response(PAGE, mimetype="text/html")


@blueprint.route("/docs/start.js")
def start():
    return Response(START, mimetype="text/javascript")


@blueprint.route("/docs/<path:name>")
def asset(name: str):
    return send_from_directory(SWAGGER, name)


def _check_operator() -> None:
    """Raise unless the caller holds FOGG_METRICS_TOKEN or, where none is set, is on this machine
    and not somebody whom a proxy here speaks for."""
    if token := os.environ.get("FOGG_METRICS_TOKEN"):
        sent = request.headers.get("Authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            raise NotSignedIn("send the header Authorization: Bearer, with FOGG_METRICS_TOKEN")
    elif not _is_here(request.remote_addr or "") or "X-Forwarded-For" in request.headers:
        raise NotYours("only from this machine, or with FOGG_METRICS_TOKEN, once that is set")


def _is_here(address: str) -> bool:
    """Return whether an address is this machine's own."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
