"""Serves the page to play, watch and replay, at the addresses of its screens; and its files.

The page is a client like any other: this module only knows which files each screen needs, so that a
browser can ask for all of them at once. It also tells the page the clock of games whose creator
names none. Files are at ``/web/NAME`` for those who build on them; the page asks for them at
``/web/DIGEST/NAME``. The digest is that of all files: a browser keeps them until one has changed.
There, modules and style sheets come without indents and comments, nearly a third of their bytes.
A wheel has them in bundles (hatch_build.py), which the page then asks for in their place.
"""

import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath

import flask
from flask import Response, request
from werkzeug.exceptions import NotFound

from service.games.creating import usual_clock
from service.http.caching import for_ever, tag_of, unless_had
from service.http.headers import OPEN, POLICIES, Policy
from service.page.previews import tags
from service.page.screens import ANY_ID, MANIFEST, SCREENS, Screen, addressed, is_embedded

blueprint = flask.Blueprint("page", __name__)
FOLDER = Path(__file__).parents[1] / "page"
KINDS = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ts": "text/plain",
    ".json": "application/json",
    ".ndjson": "application/x-ndjson",
    ".webmanifest": "application/manifest+json",
}
# Text that browsers ignore, by kind of file: comments, indents (in a template of HTML, the end of
# the line is enough), and in style sheets most other space.
NEEDLESS = {
    ".mjs": re.compile(
        rb"""^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n  # a whole comment
                                   |/\*\*(?:[^*]|\*(?!/))*\*/[ ]?  # a type within a line
                                   |^[ \t]*//[^\n]*\n|[ \t]+//[ ][^\n]*$
                                   |^\n|^[ \t]+""",
        re.MULTILINE | re.VERBOSE,
    ),
    ".css": re.compile(
        rb"/\*(?:[^*]|\*(?!/))*\*/\n?|^[ \t]+|(?<=[;{}:])\s+|\s+(?=[{}])", re.MULTILINE
    ),
}
START, BASE_STYLES = "app.mjs", "base.css"
BUNDLE, BUNDLED_STYLES = "bundle.mjs", "bundle.css"
TEXTS = "texts/{}.mjs"
WORKER, OFFLINE = "worker.mjs", "/offline"
LANGUAGE = re.compile(r"texts/([a-z]{2,3}(?:-\w+)?)\.mjs")
# imports at a module's start, without those that it loads later
IMPORTED = re.compile(r'(?:^|;)(?:import|export)\b(?:[^;"\']*\bfrom)?\s*"(\.[^"]+)"', re.MULTILINE)
CACHED = {"Cache-Control": "public, no-cache"}
# The page loads its own files and asks this API; what it writes as HTML, lit-html has made.
CONTENT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html worker; "
    "frame-ancestors {by}"
)
ALONE = Policy(CONTENT.format(by="'none'"))
EMBEDDED = Policy(CONTENT.format(by="*"), is_embedded=True)
tag_of_file = cache(tag_of)  # the files stay the same


def shell_of_nothing() -> Response:
    """Return the HTML page for an address without a screen: its code says so."""
    response = shell()
    response.status_code = 404
    response.headers["Content-Security-Policy"] = ALONE.content
    return response


def shell() -> Response:
    """Return the HTML page. Its code reads the address; the page names the files that the address'
    screen needs, and what other sites show for a link to it."""
    screen = addressed(request.path)
    is_framed = is_embedded(request.path, request.query_string.decode("latin-1"))
    language = _language()
    preview = tags(screen, language)
    text = _shell(screen, is_framed, language).replace(b"{preview}", preview.encode())
    return unless_had(
        {"ETag": tag_of(text), "Vary": "Accept, Accept-Language, Cookie"} | CACHED,
        lambda: Response(text, mimetype="text/html"),
    )


def _language() -> str:
    """Return the language that the reader has chosen, else the one that their browser asks for."""
    chosen = request.cookies.get("language", "")
    return (
        chosen
        if chosen in languages()
        else (request.accept_languages.best_match(languages(), "en"))
    )


def _policy(path: str, query: str) -> Policy:
    return EMBEDDED if is_embedded(path, query) else ALONE


OPEN.add("web")
POLICIES["offline"] = POLICIES["worker.js"] = _policy
for screen in SCREENS:
    POLICIES[screen.first] = _policy
    rule = screen.address.replace(ANY_ID, "<id_>")
    if rule != "/":  # programs are answered there, too: see service/page/documents.py
        blueprint.add_url_rule(rule, view_func=lambda id_="": shell(), endpoint=rule.strip("/"))


@blueprint.route(OFFLINE)
def offline():
    """Serve the page that the service worker keeps for when there is no connection."""
    return shell()


@blueprint.route("/worker.js")
def worker():
    """Serve the service worker. It is another one for each version of the files it keeps."""
    language = _language()
    files = [f"/web/{_digest()}/{name}" for name in ("icon.svg", *needed(None, False, language))]
    kept = json.dumps([f"fogg-{_digest()}-{language}", OFFLINE, *dict.fromkeys(files)])
    text = _lean(WORKER).replace(b"{kept}", kept.encode())
    return unless_had(
        {"ETag": tag_of(text), "Vary": "Accept-Language, Cookie"} | CACHED,
        lambda: Response(text, mimetype="text/javascript"),
    )


@blueprint.route("/web/<path:name>")
def file(name: str):
    """Serve a file of the page."""
    digest, _, rest = name.partition("/")
    is_named = digest == _digest()
    known = name if name in _files() else rest  # an old digest leads to what there is now
    if known not in _files():
        raise NotFound
    text = _lean(known) if is_named else _files()[known]
    headers = {"ETag": tag_of_file(text)} | (for_ever("public") if is_named else CACHED)
    kind = KINDS[Path(known).suffix]
    return unless_had(headers, lambda: Response(text, mimetype=kind))


@cache
def languages() -> list[str]:
    """Return the languages of the page, English first, which those get who accept any: each is a
    file of texts, named by the language's tag."""
    names = [named[1] for name in _files() if (named := LANGUAGE.fullmatch(name))]
    return sorted(names, key=lambda tag: tag != "en")


@cache
def _files() -> dict[str, bytes]:
    """Return the files that are served, by name. They are read once, so that all files of a process
    fit together even if a newer version is installed meanwhile."""
    return {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in KINDS
    }


@cache
def _lean(name: str) -> bytes:
    kind, text = Path(name).suffix, _files()[name]
    if name in (BUNDLE, BUNDLED_STYLES) or kind not in NEEDLESS:  # or esbuild has done so
        return text
    return NEEDLESS[kind].sub(b"", text)


@cache
def _digest() -> str:
    whole = sha256()
    for name, text in _files().items():
        whole.update(name.encode() + b"\n" + sha256(text).digest())
    return whole.hexdigest()[:16]


@cache
def _shell(screen: Screen | None, is_framed: bool, language: str) -> bytes:
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    links = [
        f'<link rel="{"stylesheet" if name.endswith(".css") else "modulepreload"}" '
        f'href="/web/{{digest}}/{name}">'
        for name in needed(screen, is_framed, language)
    ]
    manifest = json.loads(MANIFEST.read_bytes()) | {
        "usual_clock": usual_clock(is_public=True),
        "usual_clock_with_bots": usual_clock(is_public=True, has_bots=True),
    }
    if _is_bundled():
        manifest["styles"] = {name: [BUNDLED_STYLES] for name in manifest["styles"]}
    return (
        text.replace("{needed}", "\n".join(links))
        .replace("{start}", BUNDLE if _is_bundled() else START)
        .replace("{digest}", _digest())
        .replace("{language}", language)
        .replace("{languages}", " ".join(languages()))
        .replace("{screens}", json.dumps(manifest, separators=(",", ":")))
        .encode()
    )


def needed(screen: Screen | None, is_framed: bool, language: str) -> list[str]:
    """Return the files that a screen needs to begin: its style sheets, and its modules and texts,
    each module after those that import it. Without a screen: those of the page that says that there
    is none."""
    if _is_bundled():
        return [BUNDLED_STYLES, BUNDLE]
    modules, texts = [START], TEXTS.format(language)
    if screen:
        name = screen.framed if is_framed and screen.framed else screen.module
        modules.append(f"screens/{name}.mjs")
    return [BASE_STYLES, *(screen.styles if screen else ()), *_closure(*modules), texts]


def _is_bundled() -> bool:
    return BUNDLE in _files()


def _closure(*names: str) -> dict[str, None]:
    """Return modules and all that they import, whenever they are loaded."""
    modules, to_read = dict.fromkeys(names), [*names]
    for name in to_read:
        for path in IMPORTED.findall(_lean(name).decode()):
            other = normpath(join(dirname(name), path))
            if other not in modules:
                modules[other] = None
                to_read.append(other)
    return modules
