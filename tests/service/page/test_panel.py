"""How a route is paid: by buttons in the tray, all of them in sight."""

from functools import cache, partial

import pytest
from playwright.sync_api import expect

from tests.service.page.test_play import READY, draw_two_each, sits
from tests.service.players import begun, sign_up

SIZES = [(1400, 900), (1280, 720), (820, 1180), (375, 800)]
# the buttons of the decision of which a corner is out of sight or covered
HIDDEN = """() => {
  const all = [...document.querySelectorAll(".deeds :is(button, input)")];
  return all.filter((one) => one.checkVisibility()).filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return !(left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)
      || ![[left, top], [right, top], [left, bottom], [right, bottom]].every(([x, y]) =>
        one.contains(document.elementFromPoint(
          x < right ? x + 4 : x - 4, y < bottom ? y + 4 : y - 4)));
  }).map((one) => one.innerText);
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
    doubles = {
        "--".join(pair) + end for pair in ends if ends.count(pair) > 1 for end in ("", "--2")
    }
    for _ in range(40):
        ways = {}
        for action in ann.view(game)["you"]["legal_actions"]:
            if action["type"] == "claim_route":
                ways.setdefault(action["route"], set()).add(str(action["cards"]))
        routes = sorted(
            route
            for route, cards in ways.items()
            if len(cards) >= least_ways and route not in doubles
        )
        if len(routes) > 3:
            return game, ann, routes
        draw_two_each(ann, bob, game=game)
    raise AssertionError("no choice")


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
@pytest.mark.parametrize(("width", "height"), [SIZES[1], SIZES[3]])
def test_a_route_is_paid_by_buttons_in_sight_and_escape_takes_it_back(
    window, to_pay, board, width, height
):
    game, ann, routes = to_pay(board)
    page = sits(
        window, ann, game, viewport={"width": width, "height": height}, has_touch=width < 500
    ).page
    page.wait_for_selector(READY)
    for route in routes[:4]:
        page.click(".tools button:last-child")  # the whole map: two taps might have zoomed
        x, y = page.evaluate(MIDDLE, route)
        (page.mouse.click if width > 500 else page.touchscreen.tap)(x, y)
        expect(page.locator(".deeds .way").nth(1)).to_be_visible()
        expect(page.locator(".deeds .way.main")).to_be_focused()
        assert page.evaluate(HIDDEN) == [], route
        page.keyboard.press("Escape")
        expect(page.locator(".deeds .way")).to_have_count(0)


@pytest.mark.parametrize(
    ("board", "route"),
    [("london", "british-museum--piccadilly-circus"), ("usa", "denver--santa-fe")],
)
def test_all_of_many_ways_to_pay_are_in_sight(window, stack, board, route):
    game, ann, routes = _game(stack, board, least_ways=9, seed="5" * 64)
    assert route in routes
    page = sits(window, ann, game, viewport={"width": 375, "height": 800}, has_touch=True).page
    page.wait_for_selector(READY)
    page.touchscreen.tap(*page.evaluate(MIDDLE, route))
    expect(page.locator(".deeds .way").nth(8)).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(HIDDEN) == [], width
    page.click(".deeds .cancel")
    expect(page.locator(".deeds .way")).to_have_count(0)


@pytest.mark.quick
def test_the_thriftiest_payment_is_first_and_played_by_the_enter_key(window, stack):
    game, ann, routes = _game(stack, "usa")
    page = sits(window, ann, game).page
    page.wait_for_selector(READY)
    page.click(".listed summary")
    page.click(f".listed [data-listed='{routes[0]}']")
    said = page.locator(".deeds .way").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('aria-label'))"
    )
    wild = [text.count("Locomotive") for text in said]
    assert wild == sorted(wild)
    page.keyboard.press("Tab")
    expect(page.locator(".deeds .way").nth(1)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".deeds .way")).to_have_count(0)
    assert [claim["route"] for claim in ann.view(game)["claims"]] == [routes[0]]


def test_a_route_of_the_list_is_taken_back_and_the_focus_goes_back_where_it_was(window, to_pay):
    game, ann, _ = to_pay("europe")
    page = sits(window, ann, game).page
    page.wait_for_selector(READY)
    page.click(".deeds button[aria-pressed]")  # the list of routes that may be claimed
    first = page.locator(".claimable li button").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".deeds .way.main")).to_be_focused()
    page.click(".deeds .cancel")
    expect(page.locator(".deeds .way")).to_have_count(0)
    expect(first).to_be_focused()
