"""Every screen, for everybody: read aloud, on a phone, in the dark, and on a slow line."""

import pytest
from fogg_client.client import Client

from tests.service.page.conftest import unfair
from tests.service.players import OPEN, RANDOM, begun, resign, seated, sign_up

RTL = "<img src=x onerror=alert(1)> \u05e9\u05dc\u05d5\u05dd"  # markup, and letters from the right
# links outside sentences that are hard to hit with a finger
LOW_LINKS = """() => [...document.querySelectorAll("a:not(p a, .skip)")]
    .map((link) => [link.textContent.trim(), link.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && height < 24)
    .map(([words, { height }]) => `a link ${words} of ${height} pixels`)"""
LONG = "Donaudampfschifffahrtsgesellschaftskapit"
LOADED = """(name) => performance.getEntriesByType("resource")
    .some((one) => one.name.endsWith(name))"""


@pytest.fixture(scope="module")
def ann(stack):
    return Client(stack.url).sign_up(RTL)


@pytest.fixture(scope="module")
def over(stack, ann) -> tuple[str, Client]:
    """A game that is over, and the player who has won it."""
    bea = Client(stack.url).sign_up("Bea")
    game = begun(ann, bea)
    resign(ann, game)
    return game, bea


@pytest.fixture(scope="module")
def addresses(stack, ann, over) -> list[str]:
    """An address of every screen, of a game of every kind; players have names made to do harm."""
    waiting = seated(Client(stack.url).sign_up(f"Bea {RTL}"), others=(OPEN,))
    live = seated(ann, others=(RANDOM,), board="europe")
    tournament = ann.post(
        "/v1/tournaments", {"boards": ["london"], "name": RTL, "format": "round_robin"}
    )["id"]
    for bot in ("greedy", "planner"):
        ann.post(f"/v1/tournaments/{tournament}/entries", {"bot": bot})
    ann.post(f"/v1/tournaments/{tournament}/start", {})
    return [
        "/",
        f"/games/{waiting}",
        f"/games/{live}",
        f"/games/{over[0]}",
        "/tournaments",
        f"/tournaments/{tournament}",
        f"/tournaments/{tournament}/screen",
        "/leaderboards",
        "/leaderboards/london",
        f"/players/{ann.get('/v1/me')['id']}",
        "/players/bot_planner_0",
        "/boards",
        "/boards/europe",
    ]


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (375, "dark")])
def test_every_screen_is_for_everybody(window, addresses, over, width, scheme):
    """On a wide window in the light, on a phone in the dark: axe finds no fault, and nothing
    scrolls sideways. A player who looks at a game that is over loads most parts."""
    its = window(viewport={"width": width, "height": 800}, color_scheme=scheme)
    faults = []
    game, player = over
    for address, parts in [
        *((address, []) for address in addresses),
        (f"/games/{game}", [".scoring table", ".tray section.tickets", ".prompt.over"]),
    ]:
        if parts:
            its.be(player)
        page = its.open(address)
        for part in ["main:not([aria-busy]) .screen", *parts]:
            page.wait_for_selector(part, state="attached")
        if parts:
            page.wait_for_function(LOADED, arg="lobby/notices.mjs")
        if top := page.evaluate("document.querySelector('.bar').getBoundingClientRect().top"):
            faults.append(f"the bar of {address} is {top} from the top")
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            faults.append(f"{address} is {wide} wide")
        if page.locator("img[src=x]").count():
            faults.append(f"{address} takes a name for markup")
        faults += [f"{address} has {link}" for link in page.evaluate(LOW_LINKS)]
        faults += [f"{address} {fault}" for fault in unfair(page)]
    page.click(".who .chip")
    page.wait_for_selector("dialog[open]")
    faults += [f"the account: {fault}" for fault in unfair(page)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("width", [375, 360])
def test_the_bar_fits_on_a_phone_while_many_games_wait(window, stack, width):
    """Every link of it can be seen and touched, next to a long name."""
    cat = Client(stack.url).sign_up("Catherine the Second of Anhalt")
    for _ in range(11):
        seated(cat, others=(RANDOM,))
    page = window(by=cat, viewport={"width": width, "height": 700}).open("/boards")
    page.wait_for_selector(".turn")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    links = page.evaluate("""() => [...document.querySelectorAll(".bar :is(a:not(.skip), button)")]
      .map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return [left + 1, (left + right) / 2, right - 1].every(
          (x) => one.contains(document.elementFromPoint(x, middle)));
      })""")
    assert links == [True] * 8
    assert page.get_by_role("link", name="Your turn in 11 games").is_visible()


def test_long_names_push_nothing_out_of_sight_on_a_phone(window, stack):
    ann, bea = sign_up(stack.url, LONG, "Bea")
    cup = ann.post("/v1/tournaments", {"boards": ["london"], "name": LONG, "format": "swiss"})["id"]
    for client in (ann, bea):
        client.post(f"/v1/tournaments/{cup}/entries", {})
    ann.post(f"/v1/tournaments/{cup}/start", {})
    its = window(viewport={"width": 375, "height": 800})

    def with_a_long_board(route):
        body = route.fetch().json()
        for board in body["items"]:
            board["name"] = board["name"].replace("London", 2 * LONG)
        route.fulfill(json=body)

    its.context.route("**/v1/boards", with_a_long_board)
    for address, there in (
        ("/", f".posters >> text={LONG}"),
        (f"/tournaments/{cup}", ".pairing"),
        ("/leaderboards", "main h1"),
        ("/leaderboards/london", f"h1 >> text={LONG}"),
    ):
        page = its.open(address)
        page.wait_for_selector(there)
        assert page.evaluate("document.documentElement.scrollWidth") == 375, address
    page = its.open(f"/tournaments/{cup}")
    for seen in (page.get_by_role("columnheader", name="Points"), page.locator(".pairing a").last):
        box = seen.bounding_box()
        assert box["x"] + box["width"] <= 375
    its.context.unroute("**/v1/boards")


@pytest.mark.parametrize("width", [375, 320])
def test_a_waiting_room_and_a_game_of_long_names_fit_on_a_phone(window, stack, width):
    ann, bea = sign_up(stack.url, LONG[:39] + "A", LONG[:39] + "B")
    game = ann.post(
        "/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}, {"open": True}]}
    )["id"]
    bea.post(f"/v1/games/{game}/seats", {})
    page = window(by=ann, viewport={"width": width, "height": 800}).open(f"/games/{game}")
    page.wait_for_selector(".joining li:nth-child(2) button")
    whole = "document.documentElement.scrollWidth"
    assert page.evaluate(whole) == width
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".offer label")
    assert page.evaluate(whole) == width
    for each in page.locator(".seats, .offer label, .tray button").all():
        box = each.bounding_box()
        assert box["x"] >= 0, box
        assert box["x"] + box["width"] <= width, box


@pytest.mark.quick
def test_text_that_is_assigned_as_html_is_refused(window):
    its = window()
    page = its.open("/")
    page.wait_for_selector("main h1")
    assert (
        page.evaluate("""() => {
        try { document.body.innerHTML = "<b>"; } catch (error) { return error.name; }
    }""")
        == "TypeError"
    )
    assert its.errors.pop().startswith("This document requires 'TrustedHTML' assignment")
