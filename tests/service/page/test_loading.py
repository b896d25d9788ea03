"""Opening an address makes a browser request all that its screen needs, at once and only once."""

import re
from collections import Counter

import pytest
from playwright.sync_api import expect

from service.page.files import needed
from service.page.screens import addressed
from tests.service.players import seated, sign_up

NAMED = re.compile(r'<link rel="(?:modulepreload|stylesheet)" href="([^"]+)">')
SCREENS = [  # an address, and an element that is there once the screen is
    ("/", ".lobby .now"),
    ("/games/{}", ".replay .controls button"),
    ("/games/{}?embed=1", ".replay .controls button"),
]
OFFLINE = "Object.defineProperty(Navigator.prototype, 'onLine', { value: false })"
HINT = re.compile(r'<link rel="modulepreload" href="[^"]+">\n')


@pytest.fixture(scope="module")
def watched(stack):
    """A game that goes on, and its first player."""
    ann, bea = sign_up(stack.url, "Ann", "Bea")
    return seated(ann, bea), ann


def asked_for(window, path, there):
    """Return how often each module and style sheet is asked for, until something is there."""
    expect(window.open(path).locator(there).first).to_be_attached()
    return Counter(
        address.removeprefix(window.url)
        for address in window.addresses
        if re.search(r"/web/.*\.(mjs|js|css)$", address)
    )


@pytest.mark.parametrize(
    ("path", "there"),
    [*SCREENS, ("/boards/london", "main h1")],
)
def test_the_page_names_what_its_screen_loads_and_nothing_else(window, watched, path, there):
    """The requests of a screen are visible if the page names no files in advance. The bar of a
    replay is loaded for those who only look, which the service cannot know."""
    framed, own = (
        {*needed(addressed("/games/g_0"), is_framed, "en")} for is_framed in (True, False)
    )
    later = (
        {name for name in framed - own if not name.endswith("/frame.mjs")}
        if path == "/games/{}"
        else set()
    )
    path, bare, named = path.format(watched[0]), window(alone=True), []

    def without_hints(route):
        shown = route.fetch()
        named.extend(NAMED.findall(shown.text()))
        route.fulfill(response=shown, body=HINT.sub("", shown.text()))

    bare.context.route(bare.url + path, without_hints)
    for its in (bare, window(alone=True)):
        asked = asked_for(its, path, there)
        bar = [name for name in asked if name.split("/", 3)[3] in later]
        assert len(bar) == len(later)
        assert asked == Counter(named) + Counter(bar)


@pytest.mark.quick
def test_a_part_that_cannot_be_loaded_offline_is_reported_and_loads_once_online(window):
    its = window(alone=True)
    its.expected = "net::ERR"
    page = its.open("/")
    expect(page.locator(".lobby .now")).to_be_attached()
    its.context.set_offline(True)
    page.click("nav a[href='/leaderboards']")
    page.click(".chip")
    expect(page.locator(".late")).to_contain_text("The service cannot be reached.")
    expect(page.locator("h1")).to_have_count(1)
    its.context.set_offline(False)
    expect(page.locator("h1")).to_have_text("Leaderboards")
    expect(page.locator("dialog.account")).to_be_visible()
    expect(page.locator(".late")).to_be_empty()


@pytest.mark.parametrize(("path", "there"), SCREENS)
def test_a_service_that_answers_is_used_by_a_browser_that_calls_itself_offline(
    window, watched, path, there
):
    """Chromium does so while only the loopback interface is up."""
    its = window()
    its.page.add_init_script(OFFLINE)
    page = its.open(path.format(watched[0]))
    expect(page.locator(there).first).to_be_visible()
    expect(page.locator(".late")).to_be_empty()


@pytest.mark.parametrize(("failures", "heading"), [(2, "Leaderboards"), (3, "not be shown")])
def test_a_part_that_cannot_be_loaded_is_tried_again_and_then_given_up_in_words(
    window, failures, heading
):
    """The service can be reached, but not this part: a proxy between, or a broken upgrade."""
    its, asked = window(alone=True), []
    its.expected = "net::ERR"
    page = its.open("/")
    expect(page.locator(".lobby .now")).to_be_attached()

    def fail(route):
        asked.append(route.request.url)
        if len(asked) <= failures:
            route.abort()
        else:
            route.continue_()

    its.context.route("**/screens/leaderboards.mjs", fail)
    page.click("nav a[href='/leaderboards']")
    expect(page.locator("h1")).to_contain_text(heading)
    if failures == 3:
        expect(page.locator("[role=alert]")).to_have_text(
            "A part of this page could not be loaded."
        )
        page.click("main button")
        expect(page.locator("h1")).to_have_text("Leaderboards")
    assert len(asked) == failures + 1


@pytest.mark.parametrize(
    ("module", "button", "shown"),
    [
        ("lobby/dialog.mjs", ".chip", "dialog.account h2"),
        ("map/key.mjs", ".tools button", "dialog.key"),
        ("replay/more.mjs", ".parts button", "dialog.more"),
    ],
)
def test_a_dialog_that_cannot_be_loaded_says_so_and_opens_at_the_next_click(
    window, watched, module, button, shown
):
    its = window(alone=True)
    its.expected = "net::ERR"
    page = its.open(f"/games/{watched[0]}")
    expect(page.locator(".replay .controls button").first).to_be_visible()
    its.context.route(f"**/{module}", lambda route: route.abort())
    page.locator(button).first.click()
    expect(page.locator(".late")).to_have_text("A part of this page could not be loaded.")
    its.context.unroute(f"**/{module}")
    page.locator(button).first.click()
    expect(page.locator(shown)).to_be_visible()
    expect(page.locator(".late")).to_be_empty()


def test_a_players_choices_that_cannot_be_loaded_come_at_the_next_click(window, watched):
    game, ann = watched
    its = window(alone=True, by=ann)
    its.expected = "net::ERR"
    its.context.route("**/play/offers.mjs", lambda route: route.abort())
    page = its.open(f"/games/{game}")
    expect(page.locator(".late")).to_have_text("A part of this page could not be loaded.")
    expect(page.locator(".offer")).to_have_count(0)
    its.context.unroute("**/play/offers.mjs")
    page.click(".prompt p")
    expect(page.locator(".offer label")).to_have_count(2)
