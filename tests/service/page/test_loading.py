"""What a browser asks for when an address is opened: all that its screen needs, at once, once."""

import re
from collections import Counter

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

NAMED = re.compile(r'<link rel="(?:modulepreload|stylesheet)" href="([^"]+)">')
HINT = re.compile(r'<link rel="modulepreload" href="[^"]+">\n')


@pytest.fixture(scope="module")
def watched(stack):
    """A game that goes on, and that anybody may watch."""
    ann, bea = (Client(stack.url).sign_up(name) for name in ("Ann", "Bea"))
    game = ann.post("/v1/games", {"board": "london", "seats": [{"player": "me"}, {"open": True}]})
    bea.post(f"/v1/games/{game['id']}/seats", {})
    return game["id"]


def asked_for(window, path, there):
    """Return how often each module and style sheet is asked for, until something is there."""
    expect(window.open(path).locator(there).first).to_be_attached()
    return Counter(address.removeprefix(window.url) for address in window.addresses
                   if re.search(r"/web/.*\.(mjs|js|css)$", address))


@pytest.mark.parametrize(("path", "there"), [
    ("/", ".lobby .now"), ("/games/{}", ".replay .controls button"),
    ("/games/{}?embed=1", ".replay .controls button"), ("/boards/london", "main h1")])
def test_the_page_names_what_its_screen_loads_and_nothing_else(window, watched, path, there):
    """What a screen loads is seen where nothing is named beforehand."""
    path, bare, named = path.format(watched), window(alone=True), []

    def without_hints(route):
        shown = route.fetch()
        named.extend(NAMED.findall(shown.text()))
        route.fulfill(response=shown, body=HINT.sub("", shown.text()))

    bare.context.route(bare.url + path, without_hints)
    assert asked_for(bare, path, there) == Counter(named)
    assert asked_for(window(alone=True), path, there) == Counter(named)
