"""People play in real browsers, by nothing but what the page offers them."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from fogg_client.client import Client
from playwright.sync_api import Page, expect

from tests.proxies import CuttingProxy
from tests.service.players import (
    GREEDY,
    OPEN,
    RANDOM,
    begun,
    play_first,
    resign,
    seated,
    sign_up,
)

READY = ".playing[aria-busy=false] .prompt.mine, .prompt.over"
OFFERED = """() => {  // the first that is offered: what was begun, a lit track, the deck
  const offered = (...kinds) => kinds.flatMap((one) => [...document.querySelectorAll(one)])
    .filter((one) => one.getAttribute('aria-disabled') !== 'true');
  const [begun] = offered('.offer li input:not(:checked)', '.deeds .main', '.deeds .cancel');
  if (begun) return begun;
  for (const space of offered('[data-lit=helps] rect', '[data-lit=can] rect')) {
    const { left, top, width, height } = space.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (document.elementFromPoint(x, y) === space) return { x, y };
  }
  return offered('[data-deck] button', '.draws button')[0];
}"""
TABLE = "document.querySelector('.game').table"
HEAR = """
  window.heard = [];
  const ask = window.fetch;
  window.fetch = async (...what) => {
    const answer = await ask(...what);
    const hear = async (reader) => {
      const mine = window.heard.push("") - 1;
      for (let part; (part = await reader.read()).value;) window.heard[mine] += part.value;
    };
    const body = answer.clone().body?.pipeThrough(new TextDecoderStream());
    if (body && !answer.url.includes('/v1/boards/')) hear(body.getReader()).catch(() => {});
    return answer;
  };
"""
ROUTES = re.compile(r'"route": ?(?:"[^"]*"|\[[^]]*\])')  # some are called as a ticket is
FOR_ONE = {"hand", "offered", "tickets", "kept", "refused"}  # whole only for whose they are


@pytest.fixture
def ann(stack):
    return Client(stack.url).sign_up("Ann")


@pytest.fixture
def bob(stack):
    return Client(stack.url).sign_up("Bob")


def sits(window, client, game, **options):
    """Open a game's page as an account, and keep in `heard` what its service says."""
    made = window(by=client, **options)
    made.page.add_init_script(HEAR)
    made.open(f"/games/{game}")
    return made


def play(client, game):
    """Play the first of the legal actions as long as there are any."""
    while (view := client.view(game))["you"]["legal_actions"]:
        client.play(view, view["you"]["legal_actions"][0])


def draw_two_each(*clients, game):
    """Draw two unseen cards for each player in turn."""
    for client in clients:
        for _ in range(2):
            client.play(client.view(game), {"type": "draw_card", "from": "deck"})


def press(page, goal, key):
    """Go to a control by the Tab key, and press a key there."""
    page.wait_for_selector(f"{goal}:not([aria-disabled=true])")
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate("(goal) => document.activeElement.matches(goal)", goal):
            return page.keyboard.press(key)
    raise AssertionError(f"{goal} cannot be reached by the Tab key")


def told(value, seat=None):
    """Yield the seats whose own secrets a value tells."""
    if isinstance(value, list):
        for each in value:
            yield from told(each, seat)
    elif isinstance(value, dict):
        seat = value.get("seat", seat)
        # a row that is swept away (3.6) was seen by all
        dealt = isinstance(value.get("cards"), list) and value.get("type") != "row_discarded"
        drawn = value.get("from") == "deck" and "card" in value
        if dealt or drawn or any(isinstance(value.get(name), (list, dict)) for name in FOR_ONE):
            yield seat
        for each in value.values():
            yield from told(each, seat)


@pytest.mark.parametrize(
    ("board", "touches"),
    [("europe", False), ("paris", False), ("london", True)],
    ids=["europe-by-clicks", "paris-by-clicks", "london-by-touch"],
)
def test_a_person_plays_a_whole_game_against_two_bots(window, ann, board, touches):
    game = seated(ann, others=(RANDOM, GREEDY), board=board)
    phone = {"viewport": {"width": 375, "height": 800}, "has_touch": True} if touches else {}
    its = sits(window, ann, game, **phone)
    its.expected = "412"  # the bots choose tickets at the same time; the page tries again then
    page = its.page
    page.emulate_media(reduced_motion="reduce")  # or the moves of the bots would come one by one
    clicks = 0
    while not page.wait_for_selector(READY).evaluate("(one) => one.matches('.over')"):
        offered = page.evaluate_handle(OFFERED)
        if element := offered.as_element():
            element.tap() if touches else element.click()
        else:
            (page.touchscreen.tap if touches else page.mouse.click)(**offered.json_value())
        clicks += 1
    view = ann.view(game)
    assert view["ending"] == "final_turns"
    assert not view["seats"][0].get("left")
    assert clicks > 20
    best = max(seat["result"]["total"] for seat in view["seats"])
    assert str(best) in page.inner_text(".prompt.over")


KEYS = """() => ['.offer li input:not(:checked)', '.deeds .main',
  '.claimable li button', '.deeds button[aria-pressed=false]', '[data-deck] button',
  '.draws button'].map((one) => `${one}:not([aria-disabled=true])`)
  .find((one) => document.querySelector(one))"""


def test_a_person_plays_a_whole_game_by_keyboard_alone(window, ann):
    game = seated(ann, others=(GREEDY,))
    its = sits(window, ann, game)
    its.expected = "412"  # the bot chooses tickets at the same time; the page tries again then
    page = its.page
    page.emulate_media(reduced_motion="reduce")  # or the moves of the bot would come one by one
    while not page.wait_for_selector(READY).evaluate("(one) => one.matches('.over')"):
        goal = page.evaluate(KEYS)
        press(page, goal, "Space" if "input" in goal else "Enter")
    assert ann.view(game)["ending"] == "final_turns"
    assert not ann.view(game)["seats"][0].get("left")


COVERED = """() => [...document.querySelectorAll('.ticket, .points, .deeds button')].filter(one => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return ![[left, top], [right, top], [left, bottom], [right, bottom]].every(([x, y]) =>
    one.contains(document.elementFromPoint(x < right ? x + 4 : x - 4, y < bottom ? y + 4 : y - 4)));
}).map((one) => one.innerText)"""


TWO_FRAMES = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
LAPTOPS = [(1400, 900), (1366, 768), (1280, 720), (1024, 768)]


def covered_by_size(page) -> dict[tuple[int, int], list[str]]:
    """Return the tickets of which a part cannot be seen, by the size of the window."""
    covered = {}
    for width, height in LAPTOPS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)  # observers of sizes have run
        covered[width, height] = page.evaluate(COVERED)
    return {size: tickets for size, tickets in covered.items() if tickets}


def counting(window, ann, bob, width, height) -> tuple[Page, dict]:
    """Return a page of this size on which points begin to be added up, and the result."""
    game, page = with_a_clock_that_stands(window, ann, bob)
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 1000)")
    resign(bob, game)
    page.clock.run_for(700)
    expect(page.locator(".scoring .said")).to_have_text("Nothing is counted yet.")
    return page, ann.view(game)["seats"][0]["result"]


@pytest.mark.parametrize(("board", "deal"), [("europe", "52"), ("usa", "27"), ("usa", "92")])
def test_all_tickets_on_offer_can_be_seen_and_clicked_on_a_laptop(window, ann, bob, board, deal):
    """At first, and later, when one also has tickets and cards of many colours. These deals have
    the longest names of 256."""
    game = seated(ann, bob, board=board, seed=deal * 32)
    page = sits(window, ann, game, viewport={"width": 1400, "height": 900}).page
    expect(page.locator(".offer label")).to_have_count(4 if board == "europe" else 3)
    assert covered_by_size(page) == {}
    for client in (ann, bob):
        play_first(client, game)
    for _ in range(8):
        draw_two_each(ann, bob, game=game)
    ann.play(ann.view(game), {"type": "draw_tickets"})
    expect(page.locator(".tickets li")).not_to_have_count(0)
    expect(page.locator(".offer label")).to_have_count(3)
    assert covered_by_size(page) == {}


def test_four_own_tickets_can_be_seen_on_a_laptop_and_looking_back_keeps_a_large_map(
    window, ann, bob
):
    game = seated(ann, bob, board="europe", seed="28" * 32)  # with the longest names
    view = ann.view(game)
    ann.play(view, max(view["you"]["legal_actions"], key=lambda one: len(one["tickets"])))
    play_first(bob, game)
    page = sits(window, ann, game, viewport={"width": 1400, "height": 900}).page
    expect(page.locator("section.tickets .ticket")).to_have_count(4)
    expect(page.locator("section.tickets")).to_contain_text("Constantinople")
    covered = covered_by_size(page)
    covered.pop((1280, 720), None)  # so low a window scrolls them
    assert covered == {}
    before = ann.view(game)["version"]
    resign(bob, game)
    page = sits(window, ann, game, viewport={"width": 1280, "height": 720}).page
    expect(page.locator("section.tickets .ticket")).to_have_count(4)
    expect(page.locator(".replay .controls")).to_be_visible()
    at_the_end = page.locator("section.map").bounding_box()["height"]
    page.goto(f"{page.url}?at={before}")
    expect(page.locator("section.tickets .ticket")).to_have_count(4)
    expect(page.locator(".replay .controls")).to_be_visible()
    assert page.locator("section.map").bounding_box()["height"] >= at_the_end > 260


@pytest.mark.quick
def test_two_windows_never_show_each_others_cards(window, ann, bob):
    """Neither on the page nor in its memory nor in what the service sends it. Ann plays by
    clicking, Bob by keyboard alone: tickets, then two unseen cards."""
    game = seated(ann, bob)
    pages = [sits(window, one, game).page for one in (ann, bob)]
    for number in (1, 2):
        pages[0].click(f".offer li:nth-child({number}) input")
    pages[0].click(".deeds .main")
    press(pages[1], ".offer input", "Space")
    press(pages[1], ".deeds .main", "Enter")
    for seat, page in enumerate(pages):
        for cards in (3, 4):
            page.wait_for_selector(READY)
            if seat == 0:
                page.click("[data-deck] button")
            else:
                press(page, "[data-deck] button", "Enter")
            page.wait_for_selector(f"[data-seat='{seat}'] >> text={cards} cards")
    views = [one.view(game) for one in (ann, bob)]
    board = ann.get("/v1/boards/london")
    names = {one["id"]: one["name"] for one in board["locations"]}
    ends = {
        one["id"]: f"{names[one['a']]} \N{EN DASH} {names[one['b']]}" for one in board["tickets"]
    }
    for seat, page in enumerate(pages):
        page.wait_for_selector(f".playing[data-version='{views[0]['version']}']")
        memory = page.evaluate(f"""() => ({{ now: {TABLE}.now, entries: {TABLE}.entries,
          views: {TABLE}.entries.map(({{ version }}) => {TABLE}.at(version)) }})""")
        heard = "\n".join(page.evaluate("heard"))
        said = [
            json.loads(text) for text in re.findall(r"^(?:data: ?)?({.*})$", heard, re.MULTILINE)
        ]
        assert len(said) > 4
        assert {*told([memory, said])} == {seat}
        page_says = page.inner_text(".tray") + page.inner_text(".side")
        for ticket in views[1 - seat]["you"]["tickets"]:
            assert ends[ticket] not in page_says
            assert f'"{ticket}"' not in ROUTES.sub("", heard)


@pytest.mark.quick
def test_a_dropped_connection_heals_and_the_game_goes_on(window, stack, ann, bob):
    game = seated(ann, bob)
    fate = ["well"]
    with CuttingProxy(stack.url, lambda _: fate[0]) as proxy:
        made = sits(window, ann, game, url=proxy.url)
        made.expected = "net::ERR"
        page = made.page
        page.click(".offer label")
        page.click(".deeds .main")
        page.wait_for_selector(".offer", state="detached")
        fate[0] = "before"
        proxy.cut()
        expect(page.locator(".late")).to_have_text("The service cannot be reached. Trying again …")
        play(bob, game)
        fate[0] = "well"
        expect(page.locator(".late")).to_be_empty()
        for cards in (3, 4):
            page.wait_for_selector(READY)
            page.click("[data-deck] button")
            page.wait_for_selector(f"[data-seat='0'] >> text={cards} cards")
        play(bob, game)
        page.wait_for_selector(READY)
        api, shown = ann.view(game), page.evaluate(f"{TABLE}.view")
    for name in ("version", "row", "deck", "claims", "ticket_deck", "status"):
        assert api[name] == shown[name]
    assert api["you"]["hand"] == shown["you"]["hand"]


@pytest.mark.parametrize("wrong", [timedelta(hours=1), timedelta(hours=-1)], ids=str)
def test_a_deadline_is_counted_by_the_service_not_by_the_browser(window, ann, wrong):
    game = seated(ann, others=(RANDOM,), clock={"per_decision": 86_400})
    its = window(by=ann, alone=True)  # as all its windows have that time from now on
    its.context.clock.install(time=datetime.now(UTC) + wrong)
    page = its.open(f"/games/{game}")
    expect(page.locator("[data-seat='0'] .clock")).to_have_text(re.compile(r"^23 h 5\d min$"))


def test_a_slow_answer_is_reported_and_a_failed_stream_is_followed_again(window, ann, bob):
    game = begun(ann, bob)
    its = window(by=ann)
    failed, held = [], []

    def fail(route) -> None:
        if failed or "event-stream" not in route.request.headers["accept"]:
            route.continue_()
        else:
            failed.append(route.fulfill(status=500, json={"status": 500, "code": "internal"}))

    its.page.route(f"**/v1/games/{game}/events?*", fail)
    page = its.open(f"/games/{game}")
    trouble = page.locator(".late")
    expect(trouble).to_have_text("The service cannot be reached. Trying again …")
    expect(trouble).to_be_empty()
    page.route(f"**/v1/games/{game}/actions?*", lambda route: held.append(route), times=1)
    page.locator("[data-deck] button").dblclick()
    expect(trouble).to_have_text("The service has not answered yet. Trying again …")
    held.pop().continue_()
    expect(page.locator("[data-seat='0']")).to_contain_text("3 cards")
    expect(trouble).to_be_empty()
    assert "500" in its.errors.pop()


@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_token_that_is_revoked_while_one_looks_is_forgotten_and_said_why(
    window, ann, stack, is_deleted
):
    [bob] = sign_up(stack.url, "Bob")
    game = seated(ann, bob)
    its = window(by=bob)
    page = its.open(f"/games/{game}")
    expect(page.locator(".offer")).to_be_visible()
    [token] = bob.get("/v1/me/tokens")["items"]
    bob.post("/v1/me/tokens", {})  # the last one may not be revoked
    bob.delete("/v1/me" if is_deleted else f"/v1/me/tokens/{token['id']}")
    said = "no longer exists" if is_deleted else "load another of its tokens"
    expect(page.locator(".forgotten")).to_contain_text(said)
    expect(page.locator(".offer")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('fogg-account')") is None
    assert all(re.search("40[14]|CHUNKED", error) for error in its.errors), its.errors
    its.errors.clear()


def test_a_player_who_signs_in_after_watching_sees_the_own_cards(window, ann, bob):
    """The browser may keep what anybody may see."""
    game = begun(ann, bob)
    resign(ann, game)
    its = window()
    expect(its.open(f"/games/{game}").locator(".prompt.over")).to_be_visible()
    expect(its.open("/boards").locator("main h1")).to_be_visible()
    its.be(bob)
    page = its.open(f"/games/{game}")
    expect(page.locator(".prompt.over")).to_be_visible()
    assert page.evaluate(f"{TABLE}.seat") == 1
    expect(page.locator("section.tickets .ticket")).not_to_have_count(0)


HIDDEN = """(isHidden) => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_player_who_joins_on_the_games_screen_gets_the_room_of_the_replay(window, ann, bob):
    page = sits(window, bob, seated(ann, others=(OPEN,))).page
    page.click("text=Sit down")
    expect(page.locator(".game.at-play .offer label")).to_have_count(2)
    expect(page.locator(".replay input[type=range]")).to_have_count(0)
    page.click("text=Look back")
    page.click("[aria-label='To the beginning']")
    expect(page.get_by_text("Back to live")).to_be_visible()
    page.click("text=Back to play")
    expect(page.locator(".game.at-play .offer label")).to_have_count(2)
    expect(page.locator(".replay input[type=range]")).to_have_count(0)
    page.click("text=Look back")
    expect(page.locator(".replay input[type=range]")).to_be_visible()


@pytest.mark.quick
def test_why_a_route_or_a_pile_is_closed_is_said_and_escape_takes_a_choice_back(window, ann, bob):
    game = begun(ann, bob)
    while not (
        claims := [
            one for one in ann.view(game)["you"]["legal_actions"] if one["type"] == "claim_route"
        ]
    ):
        draw_two_each(ann, bob, game=game)
    page = sits(window, ann, game).page
    page.wait_for_selector(READY)
    page.click(".listed summary")

    def choose(route):
        page.click(f".listed [data-listed='{route}']")

    choose(claims[0]["route"])
    expect(page.locator(".deeds .way").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".deeds .way")).to_have_count(0)
    lacking = next(
        one["id"]
        for one in page.evaluate(f"{TABLE}.board.routes")
        if one["id"] not in {claim["route"] for claim in claims}
    )
    choose(lacking)
    expect(page.locator(".notes .why")).to_contain_text("now. You need ")
    ann.play(ann.view(game), claims[0])
    play(bob, game)
    page.wait_for_selector(READY)
    choose(claims[0]["route"])
    expect(page.locator(".notes .why")).to_contain_text("You have claimed it.")
    page.click("[data-deck] button")
    expect(page.locator(".prompt")).to_contain_text("Take a second card")
    choose(lacking)
    hint = page.locator(".notes .why")
    expect(hint).to_contain_text("You have drawn a card: take your second")
    page.click("[data-tickets] button", force=True)  # a button that is closed but can be clicked
    expect(hint).to_have_text("You have drawn a card: take your second one.")
    page.click("[data-deck] button")
    expect(page.locator(".prompt")).to_contain_text("Bob to play")
    expect(hint).to_have_count(0)
    page.click("[data-deck] button", force=True)
    expect(hint).to_have_text("It is not your turn.")


@pytest.mark.quick
def test_a_waiting_room_shows_the_board_and_starts_with_the_players_present(window, ann):
    page = sits(window, ann, seated(ann, others=(OPEN, RANDOM))).page
    page.wait_for_selector(".joining h2")  # which moves the tray
    tray, words = (page.locator(one).bounding_box() for one in (".tray", ".joining h2"))
    assert words["x"] - tray["x"] >= 10
    assert words["y"] - tray["y"] >= 10
    expect(page.locator(".joining")).to_contain_text("17 buses; there are 20 tickets")
    expect(page.locator(".joining .badge-number")).to_have_text(["1", "2", "3"])
    expect(page.get_by_role("button", name="Look back")).to_be_hidden()  # to nothing
    page.get_by_role("button", name="Start with 2 players").click()
    expect(page.locator(".offer label")).to_have_count(2)
    expect(page.locator(".log [data-since]")).to_have_count(0)  # there is no last turn yet


def with_a_clock_that_stands(window, ann, bob) -> tuple[str, Page]:
    """Return a begun game of the two, and Ann's page of it, whose clock only the test advances."""
    game = begun(ann, bob)
    its = window(by=ann, alone=True)
    its.context.clock.install()
    page = its.open(f"/games/{game}")
    page.wait_for_selector(READY)
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    return game, page


def test_the_moves_of_others_are_shown_one_by_one_and_at_once_after_a_click(window, ann, bob):
    """The page's clock stands still unless the test advances it."""
    game, page = with_a_clock_that_stands(window, ann, bob)

    def shown() -> int:
        return page.evaluate(f"{TABLE}.view.version")

    def goes_on(milliseconds: int) -> int:
        """Advance the clock in steps of five milliseconds; return the version that is shown."""
        for _ in range(0, milliseconds, 5):
            page.clock.run_for(5)
        return shown()

    def two_cards_of_each() -> int:
        """Return the version before Bob's cards; Ann's are seen at once."""
        draw_two_each(ann, bob, game=game)
        end = ann.view(game)["version"]
        for _ in range(200):
            if goes_on(5) == end - 2:
                break
        page.wait_for_timeout(300)
        assert goes_on(100) == end - 2
        return end - 2

    version = two_cards_of_each()
    assert goes_on(700) == version + 1
    assert goes_on(700) == version + 2
    expect(page.locator(".prompt")).to_contain_text("Your turn")
    version = two_cards_of_each()
    page.click(".seats")
    expect(page.locator(".prompt")).to_contain_text("Your turn")
    assert shown() == version + 2


@pytest.mark.quick
def test_nothing_reveals_the_result_before_it_is_added_up(window, ann, bob):
    page, result = counting(window, ann, bob, 1280, 720)
    prompt, seat, log = (page.locator(one) for one in (".prompt.over", "[data-seat='0']", ".log"))
    total = result["total"]
    assert total
    expect(prompt).to_contain_text("The points are being added up.")
    expect(seat.locator(".score")).not_to_contain_text(str(total))
    for one in (prompt, seat, page.locator(".scoring"), log):
        assert not re.search(rf"win|rank 1|{total} points", one.inner_text())
    page.get_by_role("button", name="Show the result").click()
    expect(prompt).to_contain_text(f"Ann wins with {total} points.")
    expect(seat.locator(".score")).to_contain_text(str(total))
    expect(seat).to_contain_text("winner")
    expect(log).to_contain_text(f"1. Ann: {total} points")
    expect(page.locator(".scoring")).to_contain_text(f"Ann wins with {total} points.")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".joining")).to_be_visible()


@pytest.mark.parametrize(("seat", "shown"), [(RANDOM, False), (OPEN, True)])
def test_a_clock_of_days_is_shown_if_somebody_waits_and_begins_with_the_whole_time(
    window, ann, bob, seat, shown
):
    """Other spans are in test_languages.py."""
    game = seated(ann, others=(seat,), clock={"per_decision": 71 * 3600})
    page = sits(window, ann, game).page
    if shown:
        bob.post(f"/v1/games/{game}/seats", {})
    expect(page.locator("[data-seat='0'] .until")).to_have_text("time left: 2 days 23 h")
    expect(page.locator("[data-seat='0'] .clock")).to_be_visible(visible=shown)


def test_moves_since_the_last_own_turn_are_shown_in_a_strip_on_a_phone(window, ann, bob):
    game = begun(ann, bob)
    page = sits(window, ann, game, viewport={"width": 375, "height": 800}).page
    strip = page.locator(".lately")
    expect(strip).to_contain_text("Since your last turn: 2 Bob")
    page.click("[data-deck] button")
    expect(strip).to_have_count(0)
    page.click("[data-deck] button")
    draw_two_each(bob, game=game)
    expect(strip).to_contain_text("Bob draws a card from the deck (2 times)")
    expect(strip).not_to_contain_text("keep")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(strip).to_be_hidden()
    divided = page.locator(".log [data-since]")
    expect(divided).to_contain_text("Bob draws a card from the deck")
    assert divided.get_attribute("data-since") == "Since your last turn:"


def test_nothing_is_told_of_before_the_first_decision(window, ann, bob):
    page = sits(window, ann, seated(ann, bob), viewport={"width": 375, "height": 800}).page
    expect(page.locator(".offer").first).to_be_attached()
    assert page.locator(".lately, [data-since]").all_inner_texts() == []


def test_the_moves_of_others_can_be_set_to_be_shown_slowly_or_at_once(window, ann, bob):
    game, page = with_a_clock_that_stands(window, ann, bob)
    for pace in ("at once", "slowly, one by one"):
        page.click(".chip")
        page.get_by_label("Show the moves of others").select_option(label=pace)
        page.click("dialog [aria-label=Close]")
        draw_two_each(ann, bob, game=game)
        end = ann.view(game)["version"]
        page.wait_for_function(f"() => {TABLE}.view.version >= {end - 2}")  # Ann's own moves
        advanced = 0  # milliseconds of the page's clock until Bob's two moves are shown
        while page.evaluate(f"{TABLE}.view.version") < end:
            page.clock.run_for(10)
            advanced += 10
            assert advanced < 6000
        assert advanced >= 3000 if pace != "at once" else advanced < 1400, pace


def test_the_map_is_above_the_points_that_are_added_up(window, ann, bob):
    page, _ = counting(window, ann, bob, 1280, 720)
    page.clock.run_for(100)
    count = page.locator("section.scoring").bounding_box()
    places = page.locator(".map [data-location]")
    assert places.count() > 10
    assert (
        max(place["y"] + place["height"] for place in (one.bounding_box() for one in places.all()))
        < count["y"]
    )
    page.get_by_role("button", name="Show the result").click()
    page.clock.run_for(100)
    left = page.locator(".chart").bounding_box()["x"]
    assert left == page.locator("section.map").bounding_box()["x"]  # it has all its room again


def test_on_a_phone_the_points_are_added_up_in_sight_below_the_map(window, ann, bob):
    page, _ = counting(window, ann, bob, 375, 800)
    for part in (".map", ".scoring .said", ".scoring tbody tr >> nth=0"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".tray")).not_to_contain_text("wins")


def said_of(board, route, hand, wild):
    """Return how the page says which cards a route takes and what a hand has of them."""
    colors = (
        [one for one in hand if one != "wild"] if route["color"] == "grey" else [route["color"]]
    )
    color = max(colors, key=lambda one: hand.get(one, 0))
    held = (
        ", ".join(
            [
                f"{hand[one]} {wild if one == 'wild' else one}"
                for one in (color, "wild")
                if hand.get(one)
            ]
        )
        or "none"
    )
    return (
        f"You need {route['length']} cards of one colour and have at most {held}."
        if route["color"] == "grey"
        else f"You need {route['length']} {color} and have {held}."
    )


def test_a_refused_click_says_what_that_route_or_place_lacks_also_on_touch(window, ann, bob):
    game = begun(ann, bob, board="europe")
    view, board = ann.view(game), ann.get("/v1/boards/europe")
    hand, legal = view["you"]["hand"], view["you"]["legal_actions"]
    page = sits(window, ann, game, viewport={"width": 375, "height": 800}, has_touch=True).page
    page.wait_for_selector(READY)
    hint = page.locator(".notes .why")
    closed = [
        one for one in board["routes"] if one["id"] not in {action.get("route") for action in legal}
    ]
    kinds = {(one["color"] == "grey", bool(one.get("ferry"))): one for one in closed}
    assert len(kinds) == 3
    page.click(".listed summary")
    for route in kinds.values():
        page.locator(f"[data-listed='{route['id']}']").tap()
        expect(hint).to_contain_text(said_of(board, route, hand, "Locomotive"))
        if route.get("ferry"):
            expect(hint).to_contain_text("Ferry: at least ")
    draw_two_each(ann, game=game)
    expect(page.locator(".prompt")).to_contain_text("Bob to play")
    page.locator(f"[data-listed='{closed[0]['id']}']").tap()
    expect(hint).to_contain_text("now. It is not your turn.")
    page.click(".listed summary")
    page.set_viewport_size({"width": 1400, "height": 900})
    page.click(".tools button >> nth=-1")
    page.evaluate(TWO_FRAMES)
    box = page.locator("[data-location=edinburgh] circle").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(hint).to_contain_text(re.compile("You cannot build a Train Station at .* your turn"))


def test_tickets_stay_on_offer_while_others_keep_theirs(window, ann, bob):
    """Bob's move comes with the view after it, so nothing is asked for; Ann's choice stays."""
    game = seated(ann, bob)
    page = sits(window, ann, game).page
    page.locator(".offer input").first.check()
    asked = []
    page.route(f"**/v1/games/{game}?*", lambda route: asked.append(route))
    play_first(bob, game)
    page.wait_for_function(f"() => {TABLE}.view.version === {ann.view(game)['version']}")
    page.wait_for_timeout(300)
    expect(page.locator(".offer input:checked")).to_have_count(1)
    assert asked == []
    page.unroute(f"**/v1/games/{game}?*")


TOLD = """
  window.told = [];
  window.Notification = class {
    static permission = "default";
    static async requestPermission() { return (this.permission = "granted"); }
    constructor(title, { body }) { told.push(body); }
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { told.push("tone"); start.call(this, at); };
"""


def test_players_who_want_it_are_notified_of_their_turn_while_they_look_elsewhere(window, ann, bob):
    game = begun(ann, bob)
    its = window(by=ann)
    its.page.add_init_script(TOLD)
    page = its.open(f"/games/{game}")
    icon = "document.querySelector('link[rel=icon]').href.split('/').pop()"
    page.click(".chip")
    page.get_by_label("Notify me").check()
    page.get_by_label("chime").check()
    expect(page.get_by_label("Notify me")).to_be_checked()
    page.click("dialog [aria-label=Close]")
    assert page.evaluate("told.splice(0)") == ["tone", "tone"]
    for _ in range(2):
        page.wait_for_selector(READY)
        page.click("[data-deck] button")
    expect(page.locator(".prompt")).to_contain_text("Bob to play")
    assert page.evaluate(icon) == "icon.svg"
    page.evaluate(HIDDEN, True)
    expect(page).to_have_title("London · Fogg")  # it has learned that it is Bob's turn
    play(bob, game)
    expect(page).to_have_title("(1) London · Fogg")
    page.wait_for_function("() => told.length")
    assert page.evaluate("told") == ["Your turn in a game", "tone", "tone"]
    assert page.evaluate(icon) == "turn.svg"
    there = "fetch(document.querySelector('link[rel=icon]').href).then((one) => one.ok)"
    assert page.evaluate(there)
    page.evaluate(HIDDEN, False)
    page.wait_for_function(f"() => {icon} === 'icon.svg'")
    expect(page).to_have_title("London · Fogg")
    expect(page.locator(".prompt")).to_contain_text("Your turn")


def test_two_bots_of_a_kind_are_distinguished_by_their_seats(window, ann):
    page = sits(window, ann, seated(ann, others=(RANDOM, RANDOM))).page
    page.click(".offer input >> nth=0")
    page.click(".deeds .main")
    names = page.locator(".seats .name bdi")
    expect(names).to_have_text(["Ann", "random (2)", "random (3)"])
    for name in ("random (2)", "random (3)"):
        expect(page.locator(".log .who", has_text=name).first).to_be_visible()
    page.click(".tools button >> nth=0")
    expect(page.get_by_role("dialog")).to_contain_text("random (3)")


def test_a_ticket_that_is_tapped_shows_its_way_and_what_that_lacks(window, ann, bob):
    game = begun(ann, bob)
    page = sits(window, ann, game, viewport={"width": 375, "height": 800}, has_touch=True).page
    page.wait_for_selector(READY)
    ticket, plan = page.locator("section.tickets .ticket").first, page.locator(".map .plan")
    expect(plan).to_be_hidden()
    ticket.tap()
    expect(plan).to_contain_text(ticket.locator(".ends").inner_text())
    expect(plan).to_contain_text(ticket.locator(".needs").inner_text())
    routes = {one["id"]: one for one in ann.get("/v1/boards/london")["routes"]}
    glow = page.evaluate("document.querySelectorAll('.glow circle.lit.wanted').length")
    assert glow == 2
    wanted = page.evaluate("""[...document.querySelectorAll('[data-route][data-lit=wanted]')]
      .map((one) => one.dataset.route)""")
    hand, lacks, grey = ann.view(game)["you"]["hand"], {}, 0
    for route in (routes[one] for one in wanted):
        if route["color"] == "grey":
            grey += route["length"]
        else:
            lacks[route["color"]] = lacks.get(route["color"], 0) + route["length"]
    for color, count in lacks.items():
        if (more := count - hand.get(color, 0)) > 0:
            expect(plan).to_contain_text(f"{more} {color}")
    if grey:
        expect(plan).to_contain_text(f"{grey} for grey tracks")
    ticket.tap()


@pytest.fixture(scope="module")
def first_look(module_window, stack) -> Page:
    """A game before its first decision, as a player sees it; nobody plays on."""
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    page = sits(module_window, ann, seated(ann, bob)).page
    page.wait_for_selector(".offer")
    return page


def test_a_station_that_is_left_may_still_complete_a_ticket(first_look):
    """Its route may be borrowed: the ticket is not lost before the last station is built."""
    states = first_look.evaluate("""async () => {
      const load = (name) => import(new URL(name, document.querySelector('script[src]').src));
      const { read } = await load('play/tickets.mjs');
      const { board, view } = document.querySelector('.game').table;
      const ticket = board.tickets[0];
      const claims = board.routes.filter(({ a, b }) => [a, b].includes(ticket.a))
        .map(({ id }) => ({ route: id, seat: 1 }));
      return [0, 1].map((stations) => read({ board }, { ...view, claims,
        seats: view.seats.map((seat) => ({ ...seat, stations })) }, ticket.id).state);
    }""")
    assert states == ["missed", "lent"]


def test_a_wild_card_does_not_look_like_a_white_one(first_look):
    paints = first_look.evaluate("""async () => {
        const load = (name) => import(new URL(name, document.querySelector('script[src]').src));
        const [{ face }, { render }] = await Promise.all(
          ['play/cards.mjs', 'vendor/lit-html/lit-html.js'].map(load));
        return ['white', 'wild'].map((color) => {
          const root = document.createElement('div');
          render(face(document.querySelector('.game').table.board, color), root);
          return [...root.querySelectorAll('rect')].map((one) => one.getAttribute('fill'));
        });
      }""")
    assert len(set(paints[1])) > len(set(paints[0])) == 1


def test_a_ticket_that_can_no_longer_be_completed_is_grey(first_look):
    colors = first_look.evaluate("""async () => {
      const load = (name) => import(new URL(name, document.querySelector('script[src]').src));
      const [{ own }, { render }] = await Promise.all(
        ['play/tickets.mjs', 'vendor/lit-html/lit-html.js'].map(load));
      const root = document.querySelector('.spread').appendChild(document.createElement('div'));
      const ticket = (state) => (
        { id: state, names: ['A', 'B'], points: 4, state, way: null, marks: [] });
      render(own({ tickets: ['open', 'missed', 'short'].map(ticket), title: '', train: 'bus',
        pinned: null, point() {}, pin() {} }), root);
      const colors = [...root.querySelectorAll('.ticket')]
        .map((one) => getComputedStyle(one).color);
      root.remove();
      return colors;
    }""")
    assert colors[1] == colors[2] != colors[0]


def test_drawing_tickets_is_asked_once_and_a_plan_marks_the_cards_that_it_takes(window, ann, bob):
    game = begun(ann, bob)
    page = sits(window, ann, game).page
    page.wait_for_selector(READY)
    before = ann.view(game)["version"]
    for taken_back in (
        partial(page.keyboard.press, "Escape"),
        page.get_by_role("button", name="Cancel").click,
    ):
        page.click("[data-tickets] button")
        expect(page.locator(".prompt")).to_contain_text("Destination Tickets take the whole turn")
        taken_back()
        expect(page.locator(".asks")).to_have_count(0)
    assert ann.view(game)["version"] == before
    page.click("section.tickets .ticket")
    page.mouse.move(1, 1)
    routes = {one["id"]: one["color"] for one in ann.get("/v1/boards/london")["routes"]}
    page.wait_for_selector("[data-lit=wanted]")
    colors = {
        routes[one]
        for one in page.evaluate(
            "[...document.querySelectorAll('[data-lit=wanted]')].map((one) => one.dataset.route)"
        )
    }
    hand = ann.view(game)["you"]["hand"]
    assert {
        *page.evaluate(
            "[...document.querySelectorAll('.hand [data-planned]')].map((one) => one.dataset.card)"
        )
    } == colors & hand.keys()
    marked = page.evaluate(
        "[...document.querySelectorAll('.draws [data-planned]')].map((one) => one.dataset.color)"
    )
    assert {*marked} <= colors - {"grey"}
    page.click("[data-tickets] button")
    page.click(".asks .main")
    expect(page.locator(".offer legend")).to_be_visible()
    assert ann.view(game)["version"] == before + 1
