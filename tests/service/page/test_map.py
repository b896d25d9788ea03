"""The map in a real browser: drawn from the layout, to be zoomed, pointed at and read as a list."""

import re
from functools import cache

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from tests.service.page.conftest import unfair
from tests.service.page.test_panel import MIDDLE
from tests.service.players import seated, sign_up
from tools.histories.kept import read

PHONE = {"viewport": {"width": 375, "height": 800}}
BOX = "document.querySelector('.chart').getAttribute('viewBox')"


@pytest.fixture(scope="module")
def game(stack, put):
    """The end of a whole game, on the board that has most to draw."""
    return Client(stack.url).view(put(read("europe")))


@pytest.fixture(scope="module")
def game_on(stack):
    """Return a function that returns a game on a board, which bots play."""
    ann = Client(stack.url).sign_up("Ann")

    @cache
    def made(board: str) -> str:
        return ann.post("/v1/games", {"board": board, "seats": [{"bot": "random"}] * 2})["id"]

    return made


@pytest.mark.quick
def test_the_map_shows_what_is_claimed_at_any_version_and_says_so_in_a_list(window, game):
    page = window().open(f"/games/{game['id']}")
    claims = page.locator(".claims > g")
    expect(claims).to_have_count(len(game["claims"]))
    expect(page.locator(".pieces > g")).to_have_count(len(game["stations"]))
    page.locator(".listed summary").click()
    owned = page.locator(".listed li .badge")
    expect(owned).to_have_count(len(game["claims"]))
    page.locator(".listed input").fill("kobenhavn")
    expect(page.locator(".listed li")).to_have_count(4)
    expect(page.locator(".listed li").first).to_contain_text("København")
    page.evaluate("document.querySelector('.game').table.show(1)")
    expect(claims).to_have_count(0)
    expect(owned).to_have_count(0)


def test_a_finger_points_at_the_route_that_it_taps(window, game):
    """Though Chromium moves the click of a finger to an element that it takes for its goal."""
    page = window(**PHONE, has_touch=True).open(f"/games/{game['id']}?at=1")
    for route, said in (
        ("bruxelles--dieppe", "Bruxelles.*Dieppe"),
        ("roma--venezia", "Roma.*Venezia"),
        ("barcelona--pamplona", "Barcelona.*Pamplona"),
    ):
        page.click(".tools button:last-child")  # the whole map: two taps might have zoomed
        page.touchscreen.tap(*page.evaluate(MIDDLE, route))
        expect(page.locator(".map .hint strong")).to_have_text(re.compile(said))


def test_the_map_is_zoomed_by_wheel_drag_and_keys_and_never_leaves_its_frame(window, game):
    page = window().open(f"/games/{game['id']}?at=1")
    chart = page.locator(".chart")
    chart.focus()
    whole = page.evaluate(BOX)
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(BOX) == whole
    page.keyboard.press("+")
    assert page.evaluate(BOX) != whole
    page.keyboard.press("0")
    assert page.evaluate(BOX) == whole
    at = chart.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -800)
    page.wait_for_function(f"{BOX} !== '{whole}'")
    closer = page.evaluate(BOX)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30, steps=3)
    page.mouse.up()
    assert page.evaluate(BOX) not in (whole, closer)
    expect(page.locator(".map .hint")).to_be_hidden()  # a drag chooses nothing
    page.locator(".tools button").last.click()
    assert page.evaluate(BOX) == whole


def test_a_track_that_is_pointed_at_or_nearly_says_what_it_is(window, game):
    page = window(**PHONE, has_touch=True).open(f"/games/{game['id']}?at=1")
    hint = page.locator(".map .hint")
    at = page.locator("[data-route=amsterdam--london] rect").first.bounding_box()
    page.touchscreen.tap(at["x"] + at["width"] / 2, at["y"] - 5)
    expect(hint).to_contain_text("Amsterdam \N{EN DASH} London")
    expect(hint).to_contain_text("ferry: at least 2 Locomotives")
    page.locator(".listed summary").click()
    page.locator("[data-listed=angora--constantinople]").focus()
    expect(hint).to_contain_text("tunnel")
    assert page.locator("[data-route=angora--constantinople].pointed").count() == 1


def test_a_key_says_what_those_signs_mean_that_a_board_and_a_game_have(window, game):
    its = window(**PHONE, color_scheme="dark")
    page = its.open(f"/games/{game['id']}")
    page.locator(".chart").focus()
    page.keyboard.press("?")
    key = page.get_by_role("dialog", name="Key to the map")
    for word in (
        "Locomotive: replaces any colour",
        "Ferry",
        "Tunnel",
        "Two tracks",
        "Train Station",
        *(seat["player"]["name"] for seat in game["seats"]),
    ):
        expect(key).to_contain_text(word)
    expect(key).not_to_contain_text("district")
    expect(key).not_to_contain_text("You can claim it now")  # spectators have no cards
    assert key.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    assert unfair(page, "dialog") == []
    page.keyboard.press("Escape")
    expect(key).to_have_count(0)
    expect(page.locator(".chart")).to_be_focused()

    its.open("/boards/london")
    page.get_by_role("button", name="Key to the map").click()
    expect(key).to_contain_text("its number and colour show its district")
    expect(key).not_to_contain_text("Tunnel")
    expect(key).not_to_contain_text("Highlights")


NAMES = """() => [...document.querySelectorAll('.names text')]
  .filter((one) => one.getAttribute('display') !== 'none').map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { name: one.dataset.name, left, right, top, bottom,
      size: parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a };
  })"""
SPOTS = """() => [...document.querySelectorAll('.chart .spot')]
  .map((one) => one.getBoundingClientRect())
  .map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))"""


def resize(page, width, height):
    """Change the size of the window, and wait until the page has it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height]
    )


FITS = """(() => {
  const chart = document.querySelector(".chart");
  const { width, height } = chart.viewBox.baseVal;
  return Math.abs(width / height - chart.clientWidth / chart.clientHeight) < .01;
})()"""


def shown(page, function):
    """Return what a function finds in the page once the map has taken the shape of its element,
    which others may change in the same frame."""
    return page.wait_for_function(f"() => {FITS} && ({function})()").json_value()


def meets(one, other):
    """Return whether boxes have more than a line of a letter's edge in common."""
    return (
        min(one["right"], other["right"]) - max(one["left"], other["left"]) > 2
        and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 4
    )


@pytest.fixture
def named(window, game_on):
    """Return a function that opens a game on a board, and waits for the names on its map."""

    def named(board: str, **options):
        page = window(**PHONE | options).open(f"/games/{game_on(board)}?at=1")
        page.wait_for_selector(".names text[display=inline]")
        return page

    return named


@pytest.mark.parametrize("board", ["europe", "london"])
def test_names_on_the_map_can_be_read_and_cover_neither_another_nor_a_place(named, board):
    page = named(board)
    for width, height in ((375, 800), (1280, 720), (1400, 900)):
        resize(page, width, height)
        names, spots = shown(page, f"() => [({NAMES})(), ({SPOTS})()]")
        assert len(names) > 10
        assert min(one["size"] for one in names) >= 8.99
        for at, one in enumerate(names):
            assert not [other["name"] for other in names[:at] if meets(one, other)], one["name"]
            assert not [spot for spot in spots if meets(one, spot)], one["name"]


def test_a_phone_begins_where_ones_tickets_are_and_can_be_scrolled_over_the_whole_map(
    window, stack
):
    ann, bea = sign_up(stack.url, "Ann", "Bea")
    game = seated(ann, bea, board="usa", seed="3" * 64)
    page = window(by=ann, **PHONE, has_touch=True).open(f"/games/{game}")
    page.wait_for_selector(".chart.closer")
    tickets = {one["id"]: one for one in ann.get("/v1/boards/usa")["tickets"]}
    ends = {tickets[id_][end] for id_ in ann.view(game)["you"]["offered"] for end in "ab"}
    chart = page.locator(".chart").bounding_box()
    for end in ends:
        box = page.locator(f"[data-location='{end}']").bounding_box()
        assert 0 <= box["x"] - chart["x"] <= chart["width"] - box["width"]
        assert 0 <= box["y"] - chart["y"] <= chart["height"] - box["height"]
    touch = "getComputedStyle(document.querySelector('.chart')).touchAction"
    assert page.evaluate(touch) == "none"
    page.locator(".tools button").last.click()
    assert page.evaluate(touch) == "pan-y"
    for _ in range(2):  # a double tap zooms where it is
        page.touchscreen.tap(chart["x"] + 150, chart["y"] + 40)
    page.wait_for_selector(".chart.closer")


HIDDEN_BY_NAMES = """() => [...document.querySelectorAll('.names tspan')].map((line) => {
  const { left, right, top, bottom } = line.getBoundingClientRect();
  const heights = [.3, .5, .7].map((part) => top + (bottom - top) * part);
  const isTrack = (x, y) => document.elementsFromPoint(x, y)
    .some((one) => one.matches('[data-route] rect'));
  const columns = Array.from({ length: Math.ceil((right - left) / 3) }, (_, i) => left + 3 * i);
  return [line.textContent, columns.filter((x) => heights.some((y) => isTrack(x, y))).length];
}).filter(([, columns]) => columns > 3)"""  # of three pixels: a line of a letter's edge may touch


@pytest.mark.parametrize("board", ["europe", "london", "paris", "usa"])
def test_names_lie_beside_the_tracks_where_there_is_room(named, board):
    page = named(board, viewport={"width": 1400, "height": 900})
    assert shown(page, HIDDEN_BY_NAMES) == []


# At first, a phone shows a part of the map. A place outside of it is not drawn: nothing hides it.
UNDER_BUTTONS = """() => {
  const boxOf = (one) => one.getBoundingClientRect();
  const meet = (one, other) => one.left < other.right && one.right > other.left
    && one.top < other.bottom && one.bottom > other.top;
  const chart = boxOf(document.querySelector('.chart'));
  const buttons = [...document.querySelectorAll('.tools button, .listed summary')].map(boxOf);
  return [...document.querySelectorAll('[data-location]')].filter((place) => {
    const box = boxOf(place.querySelector('circle'));
    return meet(box, chart) && buttons.some((one) => meet(box, one));
  }).map((place) => place.dataset.location);
}"""


SIZES = [
    (375, 800),
    (820, 1180),
    (961, 600),
    (961, 720),
    (1024, 768),
    (1100, 800),
    (1280, 720),
    (1366, 768),
    (1400, 900),
    (1920, 1080),
]


@pytest.mark.parametrize("board", ["europe", "usa"])
def test_no_place_lies_under_the_buttons_of_the_map_in_any_window(window, stack, board):
    ann, bea = sign_up(stack.url, "Ann", "Bea")
    page = window(by=ann, **PHONE).open(f"/games/{seated(ann, bea, board=board)}")
    page.wait_for_selector(".offer label")
    assert shown(page, UNDER_BUTTONS) == []
    page.locator(".tools button").last.click()
    covered = {}
    for width, height in SIZES:
        resize(page, width, height)
        covered[width, height] = shown(page, UNDER_BUTTONS)
    assert {size: hidden for size, hidden in covered.items() if hidden} == {}


CUT = """() => {
  const chart = document.querySelector('.chart').getBoundingClientRect();
  const isIn = ({ left, top, right, bottom }) => left >= chart.left && right <= chart.right
    && top >= chart.top && bottom <= chart.bottom;
  const there = [...document.querySelectorAll('.names text')].filter((text) =>
    text.getAttribute('display') === 'inline' && isIn(document.querySelector(
      `[data-location="${CSS.escape(text.dataset.name)}"]`).getBoundingClientRect()));
  return [there.length, there.filter((text) => !isIn(text.getBoundingClientRect())).length];
}"""


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
def test_names_that_the_edge_of_a_closer_map_cuts_off_stand_on_another_side(named, board):
    page = named(board)
    page.focus(".chart")
    for _ in range(3):
        page.keyboard.press("+")
    seen = cut = 0
    for keys in (["ArrowLeft"], ["ArrowUp"], ["ArrowRight"] * 2, ["ArrowDown"] * 2, ["ArrowLeft"]):
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_timeout(500)
        names = page.evaluate(CUT)
        seen, cut = seen + names[0], cut + names[1]
    assert seen > 20
    assert cut < seen / 25, (seen, cut)


# of each track on the screen: its id, how thick it is, and where its first space is, in pixels
TRACKS = """() => [...document.querySelectorAll('[data-route]')].map((track) => {
  const rect = track.querySelector('rect');
  const { c, d, e, f } = rect.getScreenCTM();
  return { id: track.dataset.route, thick: Math.hypot(c, d) * rect.height.baseVal.value, at: [e, f],
    across: [c / Math.hypot(c, d), d / Math.hypot(c, d)] };
})"""


@pytest.mark.parametrize("board", ["europe", "london", "usa"])
def test_tracks_are_thick_enough_on_a_phone_and_double_ones_stay_apart(named, board):
    page = named(board)
    tracks = {one["id"]: one for one in page.evaluate(TRACKS)}
    assert min(one["thick"] for one in tracks.values()) > 4.4
    doubles = [
        (tracks[id_.removesuffix("--2")], one) for id_, one in tracks.items() if id_.endswith("--2")
    ]
    assert len(doubles) > 8
    for one, other in doubles:
        apart = sum(
            (a - b) * c for a, b, c in zip(one["at"], other["at"], one["across"], strict=True)
        )
        assert abs(apart) > one["thick"], one["id"]
