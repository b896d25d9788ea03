"""Serves the page to play, watch and replay, at the addresses of what it shows; and its files.

It is a client as any other: nothing here knows what it does. Files are at ``/web/NAME`` for those
who build on them; the page asks for them at ``/web/DIGEST/NAME``, the digest being that of all,
and need not ask again until one has changed. There its modules come without the comments that stand
on lines of their own, a quarter of their bytes.
"""

from __future__ import annotations

import re
from functools import lru_cache
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
Stamps = tuple[tuple[str, int, int], ...]  # of each file: its name, when it was changed, its size


def shell() -> Response:
    """Return the page: the same whatever the address, which its code reads."""
    digest = _digest(_stamps())
    return unless_had({"ETag": f'"{digest}"', "Vary": "Accept"} | KEPT,
                      lambda: Response(_shell(digest), mimetype="text/html"))


for address in ADDRESSES:
    blueprint.add_url_rule(address, view_func=lambda id_="": shell(), endpoint=address.strip("/"))


@blueprint.route("/web/<path:name>")
def file(name: str):
    """Serve a file of the page."""
    stamps = _stamps()
    digest, _, rest = name.partition("/")
    is_named = digest == _digest(stamps)
    known = {stamp[0]: stamp for stamp in stamps}
    found = known.get(name) or known.get(rest)  # an old digest leads to what there is now
    if found is None:
        raise NotFound
    text = _lean(*found) if is_named else _text(*found)
    headers = {"ETag": f'"{sha256(text).hexdigest()[:32]}"'}
    headers |= for_ever("public") if is_named else KEPT
    kind = KINDS[Path(found[0]).suffix]
    return unless_had(headers, lambda: Response(text, mimetype=kind))


def _stamps() -> Stamps:
    """Return the files that are served; what has changed on the disk is seen at once."""
    found = ((path, path.stat()) for path in FOLDER.rglob("*") if path.suffix in KINDS)
    return tuple(sorted((path.relative_to(FOLDER).as_posix(), stat.st_mtime_ns, stat.st_size)
                        for path, stat in found))


@lru_cache(maxsize=256)
def _text(name: str, _changed: int, _size: int) -> bytes:
    return (FOLDER / name).read_bytes()


@lru_cache(maxsize=256)
def _lean(name: str, *stamp: int) -> bytes:
    text = _text(name, *stamp)
    return COMMENT.sub(b"", text) if name.endswith(".mjs") else text


@lru_cache(maxsize=4)
def _digest(stamps: Stamps) -> str:
    whole = sha256()
    for stamp in stamps:
        whole.update(stamp[0].encode() + b"\n" + sha256(_text(*stamp)).digest())
    return whole.hexdigest()[:16]


def _shell(digest: str) -> str:
    return (FOLDER / "index.html").read_text(encoding="utf-8").replace("{digest}", digest)
