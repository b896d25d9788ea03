"""The panel in which a route is paid: next to the route, in sight, and never over it."""

from functools import cache, partial

import pytest
from playwright.sync_api import expect

from tests.service.page.test_play import READY, draw_two_each, sits
from tests.service.players import begun, sign_up

SIZES = [(1400, 900), (1280, 720), (375, 800)]
# the shapes of a track, of the panel and of the window, as [left, top, right, bottom]
BOXES = """(route) => {
    const box = (one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return [left, top, right, bottom];
    };
    return {
      track: [...document.querySelectorAll(`.map [data-route="${route}"] rect`)].map(box),
      panel: box(document.querySelector(".panel:not([hidden])")),
      buttons: [...document.querySelectorAll(".tools button")].map(box),
      map: box(document.querySelector("section.map")),
      window: [0, 0, innerWidth, innerHeight]};
}"""
MIDDLE = """(route) => {
    const rects = [...document.querySelectorAll(`.map [data-route="${route}"] rect`)];
    const middle = (one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    // of an even number, both in the middle: an end is nearer to a place than to a finger's route
    const [one, other] = [rects[(rects.length - 1) >> 1], rects[rects.length >> 1]].map(middle);
    return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}"""


@pytest.fixture(scope="module")
def to_pay(stack):
    """Return a function that makes a game in which Ann can pay some routes in several ways; it
    returns the game, Ann and these routes."""
    return cache(partial(_game, stack))


def _game(stack, board, least_ways=2, **options):
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = begun(ann, bob, board=board, **options)
    # on a phone, the two tracks of a double route are too narrow to aim at one of them
    ends = [(route["a"], route["b"]) for route in ann.get(f"/v1/boards/{board}")["routes"]]
    doubles = {"--".join(pair) + end for pair in ends if ends.count(pair) > 1
               for end in ("", "--2")}
    for _ in range(40):
        ways = {}
        for action in ann.view(game)["you"]["legal_actions"]:
            if action["type"] == "claim_route":
                ways.setdefault(action["route"], set()).add(str(action["cards"]))
        routes = sorted(route for route, cards in ways.items()
                        if len(cards) >= least_ways and route not in doubles)
        if len(routes) > 3:
            return game, ann, routes
        draw_two_each(ann, bob, game=game)
    raise AssertionError("no choice")


def meets(one, other) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def within(one, other) -> bool:
    return (one[0] >= other[0] and one[1] >= other[1] and one[2] <= other[2]
            and one[3] <= other[3])


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_route_is_paid_beside_it_in_sight_and_escape_takes_it_back(
    window, to_pay, board, width, height
):
    game, ann, routes = to_pay(board)
    page = sits(window, ann, game, viewport={"width": width, "height": height},
                has_touch=width < 500).page
    page.wait_for_selector(READY)
    for route in routes[:8]:
        page.click(".tools button:last-child")  # the whole map: two taps might have zoomed
        x, y = page.evaluate(MIDDLE, route)
        (page.mouse.click if width > 500 else page.touchscreen.tap)(x, y)
        expect(page.locator(".panel .way").nth(1)).to_be_visible()
        expect(page.locator(".panel .way.main")).to_be_focused()
        boxes = page.evaluate(BOXES, route)
        assert within(boxes["panel"], boxes["map"]), route
        assert within(boxes["panel"], boxes["window"]), route
        avoided = [*boxes["track"], *boxes["buttons"]]
        assert not [one for one in avoided if meets(one, boxes["panel"])], route
        page.keyboard.press("Escape")
        expect(page.locator(".panel")).to_be_hidden()


@pytest.mark.parametrize(("board", "route"), [
    ("london", "british-museum--piccadilly-circus"), ("usa", "denver--santa-fe")])
def test_where_the_panel_is_too_high_for_the_room_beside_a_route_it_is_scrolled(
    window, stack, board, route
):
    game, ann, routes = _game(stack, board, least_ways=9, seed="5" * 64)
    assert route in routes
    page = sits(window, ann, game, viewport={"width": 375, "height": 800}, has_touch=True).page
    page.wait_for_selector(READY)
    page.touchscreen.tap(*page.evaluate(MIDDLE, route))
    expect(page.locator(".panel .way.main")).to_be_focused()
    boxes = page.evaluate(BOXES, route)
    assert within(boxes["panel"], boxes["map"])
    assert not [one for one in boxes["track"] if meets(one, boxes["panel"])]
    cancel = page.locator(".panel .cancel")
    expect(cancel).not_to_be_in_viewport()
    cancel.click()  # it can be scrolled to
    expect(page.locator(".panel")).to_be_hidden()


@pytest.mark.quick
def test_the_thriftiest_payment_is_first_and_played_by_the_enter_key(window, stack):
    game, ann, routes = _game(stack, "usa")
    page = sits(window, ann, game).page
    page.wait_for_selector(READY)
    page.click(".listed summary")
    page.click(f".listed [data-listed='{routes[0]}']")
    said = page.locator(".panel .way").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-label'))")
    wild = [text.count("Locomotive") for text in said]
    assert wild == sorted(wild)
    page.keyboard.press("Tab")
    expect(page.locator(".panel .way").nth(1)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".panel")).to_be_hidden()
    assert [claim["route"] for claim in ann.view(game)["claims"]] == [routes[0]]


def test_the_focus_goes_back_where_it_was_and_the_panel_follows_the_map(window, to_pay):
    game, ann, routes = to_pay("europe")
    page = sits(window, ann, game).page
    page.wait_for_selector(READY)
    page.click(".deeds button[aria-pressed]")  # the list of routes that may be claimed
    page.locator(".claimable li button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".panel .way.main")).to_be_focused()
    before = page.locator(".panel").bounding_box()
    page.click(".tools button:nth-child(2)", click_count=3)  # the panel does not come under it
    boxes = page.evaluate(BOXES, routes[0])
    assert within(boxes["panel"], boxes["map"])
    assert not [one for one in boxes["buttons"] if meets(one, boxes["panel"])]
    assert page.locator(".panel").bounding_box() != before
    page.locator(".panel .cancel").click()
    expect(page.locator(".panel")).to_be_hidden()
