"""Health, the API's description and its browser."""

from __future__ import annotations

from pathlib import Path

import flask
import flask_swagger_ui
from flask import Response, current_app, send_from_directory

from service.api.http import Blueprint, answer, games
from service.api.schemas.others import HealthSchema

blueprint = Blueprint("operation", __name__, description="For those who run the service.")
pages = flask.Blueprint("pages", __name__)
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


@blueprint.route("/healthz")
@blueprint.doc(operationId="getHealth", security=[])
@blueprint.problems(422)
@blueprint.response(200, HealthSchema, description="The process lives.")
def healthz():
    """Ask whether the process lives

    It answers by itself, whatever else has failed."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.doc(operationId="getReadiness", security=[])
@blueprint.problems(422, 503)
@blueprint.response(200, HealthSchema, description="Requests can be served.")
def readyz():
    """Ask whether requests can be served

    That is, whether the store answers."""
    games().store.redis.ping()
    return answer({"status": "ok"})


@pages.route("/openapi.yaml")
def openapi():
    """Serve the API's description."""
    return Response(current_app.extensions["openapi"](), mimetype="application/yaml",
                    headers={"Cache-Control": "no-cache"})


@pages.route("/docs")
def docs():
    """Serve a page on which the API can be read and tried; it needs nothing from elsewhere."""
    return Response(PAGE, mimetype="text/html")


@pages.route("/docs/start.js")
def start():
    return Response(START, mimetype="text/javascript")


@pages.route("/docs/<path:name>")
def asset(name: str):
    return send_from_directory(SWAGGER, name)
