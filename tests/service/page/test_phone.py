"""A game on a phone: the map by touch, and the sheet of cards that is pulled over it."""

import re

import pytest
from playwright.sync_api import expect

from tests.service.page.test_panel import MIDDLE
from tests.service.page.test_play import READY, sits
from tests.service.players import begun, seated, sign_up
from tools.histories.kept import read

BOARDS = ["europe", "london", "paris", "usa", "usa-10th"]
HOLD_MS = 700  # milliseconds: a long press


@pytest.fixture
def phone(window, stack):
    """Return a function that opens a game of Ann's on a phone after the first tickets."""

    def opened(board: str, **options):
        ann, bob = sign_up(stack.url, "Ann", "Bob")
        game = begun(ann, bob, board=board, seed="3" * 64)
        page = sits(
            window, ann, game, viewport={"width": 375, "height": 800}, has_touch=True, **options
        ).page
        page.wait_for_selector(READY)
        page.wait_for_selector(".tickets .ticket")
        return page, ann, game

    return opened


def hold(page, x, y):
    """Hold a finger on a point of the window."""
    touch = page.context.new_cdp_session(page)
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    page.wait_for_timeout(HOLD_MS)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


BOX = "document.querySelector('.chart').getAttribute('viewBox')"
STILL = f"""async () => {{  // the part of the map that is shown, once it moves no more
  for (let was = '';;) {{
    const now = {BOX};
    if (now === was) return now;
    was = now;
    await new Promise((done) => setTimeout(done, 150));
  }}
}}"""


@pytest.mark.parametrize("board", BOARDS)
def test_a_tap_on_a_ticket_shows_both_of_its_cities_and_a_second_tap_goes_back(phone, board):
    page, ann, game = phone(board)
    its = ann.get(f"/v1/boards/{board}")
    tickets = {one["id"]: one for one in its["tickets"]}
    names = {one["id"]: one["name"] for one in its["locations"]}
    before = page.evaluate(STILL)
    for id_ in ann.view(game)["you"]["tickets"]:
        ends = [tickets[id_][end] for end in "ab"]
        ticket = page.locator(".ticket", has_text=" \N{EN DASH} ".join(names[end] for end in ends))
        ticket.tap()
        page.evaluate(STILL)
        chart = page.locator(".chart").bounding_box()
        plan = page.locator(".plan").bounding_box()
        for end in ends:
            box = page.locator(f".chart [data-location='{end}']").bounding_box()
            assert 0 <= box["x"] - chart["x"] <= chart["width"] - box["width"], end
            assert 0 <= box["y"] - chart["y"] <= chart["height"] - box["height"], end
            assert not (
                plan["x"] < box["x"] + box["width"]
                and box["x"] < plan["x"] + plan["width"]
                and plan["y"] < box["y"] + box["height"]
                and box["y"] < plan["y"] + plan["height"]
            ), end
        ticket.tap()
        assert page.evaluate(STILL) == before


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
def test_a_long_press_says_the_price_of_a_track_and_claims_nothing(phone, board):
    page, ann, game = phone(board)
    before = ann.view(game)
    payable = page.locator("[data-lit=can]").first.get_attribute("data-route")
    routes = {one["id"]: one for one in ann.get(f"/v1/boards/{board}")["routes"]}
    lacking = next(one for one in routes.values() if one["length"] == 4)
    page.click(".tools button:last-child")
    for route in (routes[payable], lacking):
        hold(page, *page.evaluate(MIDDLE, route["id"]))
        hint = page.locator(".map .hint")
        expect(hint).to_contain_text(re.compile(rf"{route['length']} .*\d+ points?", re.DOTALL))
        expect(hint).to_contain_text(
            "You can claim it" if route is routes[payable] else "more needed"
        )
        expect(page.locator(".deeds .way, .notes .hint")).to_have_count(0)
    assert ann.view(game)["version"] == before["version"]
    page.touchscreen.tap(*page.evaluate(MIDDLE, payable))  # a tap still asks
    expect(page.locator(".deeds .way.main")).to_be_visible()


@pytest.mark.parametrize("board", BOARDS)
def test_every_city_has_its_name_once_the_map_is_closer(phone, board):
    page, *_ = phone(board)
    page.click(".tools button:last-child")
    page.focus(".chart")
    for _ in range(3):
        page.keyboard.press("+")
        page.evaluate(STILL)
        page.wait_for_timeout(300)
        assert page.locator(".names text[display=none]").count() == 0


WHOLE = """(one) => {  // whether all of a control can be seen and clicked
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
    && [left + 4, right - 4].every((x) => [top + 4, bottom - 4].every((y) =>
      one.contains(document.elementFromPoint(x, y))));
}"""


@pytest.mark.parametrize("height", [667, 800])
@pytest.mark.parametrize("board", BOARDS)
def test_at_the_first_decision_all_tickets_and_keep_are_in_view(window, stack, board, height):
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = seated(ann, bob, board=board)
    page = sits(window, ann, game, viewport={"width": 375, "height": height}, has_touch=True).page
    page.wait_for_selector(".offer label")
    keep = page.get_by_role("button", name="Keep")
    assert keep.evaluate(WHOLE)
    for ticket in page.locator(".offer label").all():
        assert ticket.evaluate(WHOLE)
    map_ = page.locator(".map").bounding_box()
    assert map_["height"] > height * 0.4
    for ticket in page.locator(".offer label").all():
        ticket.tap()
    assert page.locator(".map").bounding_box() == map_
    assert keep.evaluate(WHOLE)
    keep.tap()
    expect(page.locator(".offer")).to_have_count(0)


def test_the_sheet_is_pulled_over_a_map_that_keeps_its_place_and_a_ticket_sends_it_down(phone):
    page, *_ = phone("usa")
    before = page.locator(".map").bounding_box()
    for card in page.locator(".draws button, .hand li, .deeds button").all():
        assert card.evaluate(WHOLE)
    page.mouse.move(180, 700)
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => scrollY > 200")
    assert page.locator(".map").bounding_box() == before
    assert page.locator(".tickets .ticket").first.evaluate(WHOLE)
    page.locator(".tickets .ticket").first.tap()
    page.wait_for_function("() => scrollY === 0")
    assert page.locator(".map").bounding_box() == before


SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
  }).observe({ type: 'layout-shift', buffered: true });
"""


def test_hardly_anything_shifts_while_a_replay_loads(window, put):
    game = put(read("europe"))
    its = window(viewport={"width": 375, "height": 800})
    its.page.add_init_script(SHIFTS)
    page = its.open(f"/games/{game}")
    page.wait_for_selector(".scoring tbody tr")
    page.wait_for_timeout(1000)
    assert page.evaluate("window.shifted") < 0.1
