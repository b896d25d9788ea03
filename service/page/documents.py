"""Pages next to the API: the index, openapi.yaml, Swagger UI, the docs, and the metrics."""

import re
from functools import cache
from pathlib import Path

import flask
import flask_swagger_ui
from flask import Response, request, send_from_directory
from marshmallow import fields, validate
from werkzeug.exceptions import NotFound

from service.http.answers import JSON, answer, best_form
from service.http.caching import tag_of, unless_had
from service.http.headers import OPEN, POLICIES, Policy
from service.http.markdown import page_of
from service.http.problems import problem_of_http
from service.http.requests import READERS
from service.http.schemas.base import Asked
from service.page.files import shell, shell_of_nothing

blueprint = flask.Blueprint("pages", __name__)
DESCRIPTION = Path(__file__).with_name("openapi.yaml")  # a link to the one at the root
FOR_BOTS = Path(__file__).with_name("openapi-for-bots.yaml")
DOCS = Path(__file__).with_name("docs")  # a link to docs/ at the root
SWAGGER = Path(flask_swagger_ui.__file__).parent / "dist"
HTML, MARKDOWN = "text/html", "text/markdown"
CACHED = {"Cache-Control": "public, no-cache", "Vary": "Accept"}
WAYS = {
    "docs": "/docs",
    "openapi": "/openapi.yaml",
    "openapi_without_examples": "/openapi-without-examples.yaml",
    "openapi_for_bots": "/openapi.yaml?for=bot",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fogg API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/web/icon.svg"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body></html>
"""
START = """SwaggerUIBundle({
  url: "/openapi.yaml", dom_id: "#ui", deepLinking: true, tryItOutEnabled: true,
  persistAuthorization: false, docExpansion: "list", defaultModelsExpandDepth: 0,
});
"""

# Swagger UI: its own files, styles in its elements, icons as data:, and calls to this API
SWAGGER_POLICY = Policy(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
POLICIES["docs"] = lambda _path, _query: SWAGGER_POLICY
OPEN.update([WAYS["openapi"], WAYS["openapi_without_examples"]])


_query = READERS["query"](
    Asked.from_dict({"for": fields.String(validate=validate.OneOf(["bot"]))})()
)


@blueprint.route("/openapi.yaml")
@blueprint.route("/openapi-without-examples.yaml")
def openapi():
    """Serve the API's description, or the part that a bot needs, with ``for=bot``."""
    text, tag = _description(request.path, _query(request).get("for"))
    return unless_had(
        {"ETag": tag, "Cache-Control": "public, no-cache"},
        lambda: Response(text, mimetype="application/yaml"),
    )


@cache
def _description(path: str, reader: str | None) -> tuple[bytes, str]:
    """Return a description and its ETag; all answers share the same bytes."""
    text = (FOR_BOTS if reader else DESCRIPTION).read_text(encoding="utf-8")
    body = (text if path == WAYS["openapi"] else without_examples(text)).encode()
    return body, tag_of(body)


def without_examples(text: str) -> str:
    """Return a description without the lines of its ``examples``, which are indented deeper."""
    return re.sub(r"^( *)examples:\n(?:\1 .*\n|\n)*", "", text, flags=re.MULTILINE)


@blueprint.route("/")
@blueprint.route("/v1")
def show_ways():
    """Serve the index: links to the API, its description and the docs. At the root, browsers get
    the web page instead."""
    pages = [f"/docs/{name}.md" for name in _pages()]
    if _wants_html() and request.path == "/":
        return shell()
    if _wants_html():
        links = "\n".join(f"- [{path}]({path})" for path in (*WAYS.values(), *pages))
        text = f"# Fogg\n\nThe API is under `/v1`. What is to be read of it:\n\n{links}\n"
        return Response(page_of(text), mimetype=HTML, headers=CACHED)
    return answer({"name": "Fogg", "api": "/v1", **WAYS, "pages": pages}, headers=CACHED)


@blueprint.app_errorhandler(404)
def show_nothing(error: NotFound):
    """Answer requests for unknown addresses: browsers get the page, which says so in words; all
    others, and all below the API's address, get a problem."""
    if request.path.split("/")[1] in ("v1", "web") or not _wants_html():
        return problem_of_http(error)
    return shell_of_nothing()


def _wants_html() -> bool:
    """Return whether the caller prefers HTML to JSON, as browsers do."""
    return best_form(JSON, HTML) == HTML


@blueprint.route("/docs")
def docs():
    """Serve Swagger UI, without any file from other hosts."""
    return Response(PAGE, mimetype="text/html")


@blueprint.route("/docs/start.js")
def start():
    return Response(START, mimetype="text/javascript")


@blueprint.route("/docs/<string:name>.md")
def page(name: str):
    """Serve a page of docs/: as HTML to browsers, else as Markdown."""
    text = _pages().get(name)
    if text is None:
        raise NotFound
    shown, kind = (page_of(text), HTML) if _wants_html() else (text, MARKDOWN)
    return unless_had(
        {"ETag": tag_of(shown.encode())} | CACHED, lambda: Response(shown, mimetype=kind)
    )


@cache
def _pages() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}


@blueprint.route("/docs/<path:name>")
def asset(name: str):
    """Serve a picture of docs/, or a file of Swagger UI."""
    return send_from_directory(DOCS if (DOCS / name).suffix == ".svg" else SWAGGER, name)
