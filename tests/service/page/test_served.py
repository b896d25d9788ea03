"""How the page is served: where, with which files, and what it may do."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from service.page.screens import SCREENS
from tests.service.page.nodejs import output_of

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "service" / "page"
VENDORED = PAGE / "vendor" / "lit-html"
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ADDRESSES = [screen.address for screen in SCREENS]


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_shows_the_page_which_may_run_its_own_code_and_ask_this_service(
    anybody, address
):
    answer = anybody.get(address, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert (
        anybody.get(
            address, headers=BROWSER | {"If-None-Match": answer.headers["ETag"]}
        ).status_code
        == 304
    )
    policy = answer.headers["Content-Security-Policy"]
    said = dict(part.split(" ", 1) for part in policy.split("; "))
    assert said["default-src"] == "'none'"
    assert {said[f"{what}-src"] for what in ("script", "style", "img", "connect")} == {"'self'"}
    assert said["require-trusted-types-for"] == "'script'"
    assert said["trusted-types"] == "lit-html worker"  # the latter makes one constant address
    assert said["frame-ancestors"] == said["base-uri"] == said["form-action"] == "'none'"


def test_only_a_game_that_is_to_be_embedded_may_be_framed_by_others(anybody):
    for address, ancestors in (
        ("/games/g_0?embed=1", "*"),
        ("/games/g_0?at=2&embed=1", "*"),
        ("/games/g_0?%65mbed=1", "*"),
        ("/games/g_0?embed=%31", "*"),
        ("/games/g_0?embed=10", "'none'"),
        ("/?embed=1", "'none'"),
        ("/games/g_0?embed=0&embed=1", "'none'"),
        ("/games/g_0?embed=1&embed=0", "'none'"),
        ("/games/g_0?embed=1&embed", "'none'"),
        ("/games/g_0?embed=1&embed=1", "'none'"),
        ("/games/g_0?embed=1&%65mbed=0", "'none'"),
        ("/players/p_0?embed=1", "'none'"),
    ):
        policy = anybody.get(address, headers=BROWSER).headers["Content-Security-Policy"]
        assert policy.endswith(f"frame-ancestors {ancestors}"), address


def test_files_are_kept_for_good_under_the_digest_that_the_page_names(anybody):
    shown = anybody.get("/", headers=BROWSER).text
    named = re.findall(r'(?:src|href)="(/web/[^"]+)"', shown)
    assert len(named) > 2
    for address in named:
        answer = anybody.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        _, _, digest, name = address.split("/", 3)
        plain = anybody.get(f"/web/{name}")
        if not name.endswith((".mjs", ".css")):
            assert answer.data == plain.data
        assert plain.headers["Cache-Control"] == "public, no-cache"
        old = anybody.get(f"/web/{'0' * len(digest)}/{name}")
        assert "immutable" not in old.headers["Cache-Control"]
        assert plain.headers["Access-Control-Allow-Origin"] == "*"  # others may build on them


def test_modules_and_styles_mean_the_same_without_what_is_left_out(anybody, window):
    """A parser finds the same tokens in a module, and a browser the same rules in a sheet."""

    def served(kind: str) -> list[dict]:
        digest = re.search(r'"/web/([0-9a-f]+)/app.mjs"', anybody.get("/", headers=BROWSER).text)[1]
        names = [path.relative_to(PAGE).as_posix() for path in sorted(PAGE.rglob(f"*{kind}"))]
        return [
            {
                "name": name,
                "whole": anybody.get(f"/web/{name}").text,
                "sent": anybody.get(f"/web/{digest}/{name}").text,
            }
            for name in names
        ]

    modules, styles = served(".mjs"), served(".css")
    assert len(modules) > 80
    assert json.loads(output_of("parsed.mjs", lines=[modules])) == []
    page = window().open("/")
    assert (
        page.evaluate(
            """(styles) => {
      const rules = (text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        return [...sheet.cssRules].map(({ cssText }) => cssText.replace(/\\s+/g, " ")).join();
      };
      return styles.filter(({ whole, sent }) => !rules(whole) || rules(whole) !== rules(sent))
        .map(({ name }) => name);
    }""",
            styles,
        )
        == []
    )
    for one in modules + styles:
        assert len(one["sent"]) < len(one["whole"])
    assert not [one["name"] for one in styles if "/*" in one["sent"]]


@pytest.mark.parametrize(
    "name",
    [
        "index.html",
        "nothing.mjs",
        "../api/page.py",
        "%2e%2e/api/page.py",
        "vendor",
        "vendor/",
        "texts/../app.mjs",
        "vendor/lit-html/LICENSE",
        "app.mjs/x",
    ],
)
def test_nothing_but_the_files_of_the_page_is_served(anybody, is_problem, name):
    is_problem(anybody.get(f"/web/{name}"), 404, "not-found")


@pytest.mark.parametrize("address", ["/nothing", "/games/g_0/x", "/docs/nothing.md"])
def test_a_browser_gets_the_page_at_an_unknown_address(anybody, is_problem, address):
    answer = anybody.get(address, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert answer.headers["Cache-Control"] == "no-store"
    assert '<script type="module"' in answer.text
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    is_problem(anybody.get(address), 404, "not-found")


def test_a_browser_that_asks_for_what_the_api_lacks_gets_a_problem(anybody, is_problem):
    for address in ("/v1/nothing", "/web/nothing.mjs"):
        is_problem(anybody.get(address, headers=BROWSER), 404, "not-found")


def test_vendored_files_are_those_that_their_authors_published():
    """The digests are of the package's files; VERSION was written when they were copied."""
    digests = dict(
        reversed(line.split()) for line in (VENDORED / "VERSION").read_text().splitlines()[2:]
    )
    files = {
        path.relative_to(VENDORED).as_posix(): path
        for path in VENDORED.rglob("*")
        if path.is_file() and path.name != "VERSION"
    }
    assert {name: sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == digests


def test_no_file_writes_markup_of_what_others_wrote():
    for path in PAGE.rglob("*.*"):
        if path.suffix in (".mjs", ".css", ".html") and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|unsafe|\beval\b", text), (
                path
            )
            assert not re.search(r"""<[a-z-]+ [^>]*\bstyle=""", text), path  # the policy forbids it


def test_the_page_names_no_board():
    boards = [path.stem for path in (ROOT / "domain" / "boards").glob("*.json")]
    for path in PAGE.rglob("*.mjs"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(rf"""["'`]({"|".join(boards)})["'`]""", text), path
