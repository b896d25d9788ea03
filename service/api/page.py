"""Serves the page to play, watch and replay, at the addresses of what it shows; and its files.

It is a client as any other: nothing here knows what it does. Files are at ``/web/NAME`` for those
who build on them; the page asks for them at ``/web/DIGEST/NAME``, the digest being that of all,
and need not ask again until one has changed. There its modules come without the comments that stand
on lines of their own, a quarter of their bytes.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

import flask
from flask import Response
from werkzeug.exceptions import NotFound

from service.api.caching import for_ever, unless_had

blueprint = flask.Blueprint("page", __name__)
FOLDER = Path(__file__).parents[1] / "page"
KINDS = {".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css",
         ".svg": "image/svg+xml", ".ts": "text/plain", ".json": "application/json"}
ADDRESSES = ("/games/<id_>", "/tournaments", "/tournaments/<id_>", "/leaderboards",
             "/leaderboards/<id_>", "/players/<id_>", "/boards", "/boards/<id_>")
# a block that begins a line and ends one
COMMENT = re.compile(rb"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n", re.MULTILINE)
KEPT = {"Cache-Control": "public, no-cache"}


def shell() -> Response:
    """Return the page: the same whatever the address, which its code reads."""
    return unless_had({"ETag": f'"{_digest()}"', "Vary": "Accept"} | KEPT,
                      lambda: Response(_shell(), mimetype="text/html"))


for address in ADDRESSES:
    blueprint.add_url_rule(address, view_func=lambda id_="": shell(), endpoint=address.strip("/"))


@blueprint.route("/web/<path:name>")
def file(name: str):
    """Serve a file of the page."""
    digest, _, rest = name.partition("/")
    is_named = digest == _digest()
    found = name if name in _files() else rest  # an old digest leads to what there is now
    if found not in _files():
        raise NotFound
    text = _lean(found) if is_named else _files()[found]
    headers = {"ETag": f'"{sha256(text).hexdigest()[:32]}"'}
    headers |= for_ever("public") if is_named else KEPT
    kind = KINDS[Path(found).suffix]
    return unless_had(headers, lambda: Response(text, mimetype=kind))


@cache
def _files() -> dict[str, bytes]:
    """Return the files that are served, by name, as they were when the first was asked for: what
    one process serves fits together, whatever is installed meanwhile."""
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes()
            for path in sorted(FOLDER.rglob("*")) if path.suffix in KINDS}


@cache
def _lean(name: str) -> bytes:
    text = _files()[name]
    return COMMENT.sub(b"", text) if name.endswith(".mjs") else text


@cache
def _digest() -> str:
    whole = sha256()
    for name, text in _files().items():
        whole.update(name.encode() + b"\n" + sha256(text).digest())
    return whole.hexdigest()[:16]


@cache
def _shell() -> str:
    return (FOLDER / "index.html").read_text(encoding="utf-8").replace("{digest}", _digest())
