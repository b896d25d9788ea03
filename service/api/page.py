"""Serves the page to play, watch and replay, at the addresses of what it shows; and its files.

It is a client as any other: nothing here knows what it does, but which files an address will ask
for, so that a browser can ask for all of them at once. Files are at ``/web/NAME`` for those
who build on them; the page asks for them at ``/web/DIGEST/NAME``, the digest being that of all,
and need not ask again until one has changed. There its modules come without the comments that stand
on lines of their own, a quarter of their bytes.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath

import flask
from flask import Response, request
from werkzeug.exceptions import NotFound

from service.api.caching import for_ever, unless_had
from service.api.headers import EMBEDDED, is_embedded

blueprint = flask.Blueprint("page", __name__)
FOLDER = Path(__file__).parents[1] / "page"
KINDS = {".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css",
         ".svg": "image/svg+xml", ".ts": "text/plain", ".json": "application/json"}
ADDRESSES = ("/games/<id_>", "/tournaments", "/tournaments/<id_>", "/leaderboards",
             "/leaderboards/<id_>", "/players/<id_>", "/boards", "/boards/<id_>")
# a block that begins a line and ends one
COMMENT = re.compile(rb"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n", re.MULTILINE)
START = "app.mjs"
# in START: a screen's part of the address, whether an id follows, its module and its styles' name
SCREEN = re.compile(r'\["([^"]*)", (true|false), \(\) => import\("\./([^"]+)"\), (\w+)\]')
STYLES = re.compile(r'^const (\w+) = "([^"]+\.css)";$', re.MULTILINE)
# what a module imports, as all of it begins; not what it fetches when it is needed
IMPORTED = re.compile(r'(?:^|;)(?:import|export)\b(?:[^;"\']*\bfrom)?\s*"(\.[^"]+)"', re.MULTILINE)
KEPT = {"Cache-Control": "public, no-cache"}


def shell() -> Response:
    """Return the page, whose code reads the address; it names what that will need."""
    first, _, rest = request.path.strip("/").partition("/")
    in_frame = is_embedded(request.path, request.query_string.decode("latin-1"))
    text = _shell(f"{first}?{EMBEDDED}" if in_frame else first, bool(rest))
    return unless_had({"ETag": _tag(text), "Vary": "Accept"} | KEPT,
                      lambda: Response(text, mimetype="text/html"))


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
    headers = {"ETag": _tag(text)} | (for_ever("public") if is_named else KEPT)
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
def _tag(text: bytes) -> str:
    return f'"{sha256(text).hexdigest()[:32]}"'


@cache
def _digest() -> str:
    whole = sha256()
    for name, text in _files().items():
        whole.update(name.encode() + b"\n" + sha256(text).digest())
    return whole.hexdigest()[:16]


@cache
def _shell(kind: str, has_id: bool) -> bytes:
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    links = [f'<link rel="{"stylesheet" if name.endswith(".css") else "modulepreload"}" '
             f'href="/web/{{digest}}/{name}">' for name in needed(kind, has_id)]
    return text.replace("{needed}", "\n".join(links)).replace("{digest}", _digest()).encode()


def needed(kind: str, has_id: bool) -> list[str]:
    """Return the style sheets of the screen at a kind of address, and all modules that it cannot
    begin without, each after those that ask for it first."""
    table = _lean(START).decode()
    styles = dict(STYLES.findall(table))
    for name, is_one, module, dress in SCREEN.findall(table):
        if (name, is_one) == (kind, "true" if has_id else "false"):
            return [*styles[dress].split(), *_closure(START, module)]
    return [*_closure(START)]


def _closure(*names: str) -> dict[str, None]:
    """Return modules and all that they import, whenever they are loaded."""
    found, to_read = dict.fromkeys(names), [*names]
    for name in to_read:
        for path in IMPORTED.findall(_lean(name).decode()):
            other = normpath(join(dirname(name), path))
            if other not in found:
                found[other] = None
                to_read.append(other)
    return found
