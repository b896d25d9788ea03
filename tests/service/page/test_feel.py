"""Feel: help that knows one's tickets, movement, sound, the first lesson."""

import re
from math import inf

import pytest
from playwright.sync_api import expect

from tests.service.page.conftest import unfair
from tests.service.page.test_play import READY, TABLE, TOLD, draw_two_each, press, sits
from tests.service.players import begun, resign, sign_up

LIT = """() => Object.fromEntries(['helps', 'would', 'can'].map((kind) => [kind,
  [...document.querySelectorAll(`[data-lit=${kind}]`)].map((one) => one.dataset.route)]))"""


def on_ways(board, view) -> set[str]:
    """Return the unclaimed routes on the shortest ways of the tickets that a seat can complete, of
    equally long ways those with the fewest routes."""
    seat = view["you"]["seat"]
    owners = {claim["route"]: claim["seat"] for claim in view["claims"]}
    is_single = len(view["seats"]) in board["doubles_closed_for"]
    costs = {}
    for route in board["routes"]:
        twin = owners.get(route.get("twin"))
        if owners.get(route["id"]) == seat:
            costs[route["id"]] = (0, 0)
        elif route["id"] not in owners and twin != seat and not (is_single and twin is not None):
            costs[route["id"]] = (route["length"], 1)
    steps = [
        (one["id"], one["a"], one["b"], costs[one["id"]])
        for one in board["routes"]
        if one["id"] in costs
    ]
    places = [one["id"] for one in board["locations"]]
    far = {(a, b): (0, 0) if a == b else (inf, inf) for a in places for b in places}

    def longer(*parts):
        return tuple(map(sum, zip(*parts, strict=True)))

    for _, a, b, cost in steps:
        far[a, b] = far[b, a] = min(far[a, b], cost)
    for by in places:
        for a in places:
            for b in places:
                far[a, b] = min(far[a, b], longer(far[a, by], far[by, b]))
    tickets = {one["id"]: one for one in board["tickets"]}
    ends = [(tickets[id_]["a"], tickets[id_]["b"]) for id_ in view["you"]["tickets"]]
    return {
        id_
        for a, b in ends
        if 0 < far[a, b][0] <= view["seats"][seat]["trains"]
        for id_, one, other, cost in steps
        if cost[0]
        and far[a, b]
        in (longer(far[a, one], cost, far[other, b]), longer(far[a, other], cost, far[one, b]))
    }


@pytest.mark.parametrize("board", ["europe", "london"])
def test_the_routes_on_ways_of_ones_tickets_are_lit_strongly_the_others_faintly(
    window, stack, board
):
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = begun(ann, bob, board=board, seed="7" * 64)
    its = sits(window, ann, game)
    described = ann.get(f"/v1/boards/{board}")
    found = []
    for _ in range(4):
        draw_two_each(ann, bob, game=game)
        view = ann.view(game)
        its.page.wait_for_selector(f"[data-version='{view['version']}'][aria-busy=false] .mine")
        lit = {kind: {*routes} for kind, routes in its.page.evaluate(LIT).items()}
        legal = {one["route"] for one in view["you"]["legal_actions"] if "route" in one}
        ways = on_ways(described, view)
        assert lit == {"helps": ways & legal, "would": ways - legal, "can": legal - ways}
        found += [*ways]
        for client in (ann, bob):  # whose ways others may be then
            now = client.view(game)
            claims = [one for one in now["you"]["legal_actions"] if one["type"] == "claim_route"]
            client.play(now, next((one for one in claims if one["route"] in ways), claims[0]))
            if client.view(game).get("tunnel"):
                client.play(client.view(game), client.view(game)["you"]["legal_actions"][0])
    assert found


# the most animations at once since the page was opened
WATCH = """
  window.most = 0;
  (function look() {
    window.most = Math.max(window.most, document.getAnimations().length);
    window.flown ||= Boolean(document.querySelector('.flying'));
    window.moved ||= Boolean(window.places) && window.places !== window.placed?.();
    requestAnimationFrame(look);
  })();
"""
# hold where everything is, and whether anything flew or moved anything else since then
HOLD = """() => {
  window.placed = () => JSON.stringify([
    ...document.querySelectorAll('[data-location] circle, .tray')]
    .map((one) => one.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)));
  [window.most, window.flown, window.moved, window.places] = [0, false, false, window.placed()];
}"""
WAY = ("british-museum--covent-garden", "covent-garden--st-pauls")  # of a ticket of Ann's


def claim(client, game, route) -> None:
    view = client.view(game)
    client.play(
        view, next(one for one in view["you"]["legal_actions"] if one.get("route") == route)
    )


def shown(page, client, game) -> None:
    """Wait until a page shows a game's latest version, and nothing moves on it."""
    page.wait_for_selector(f"[data-version='{client.view(game)['version']}']")
    page.wait_for_function("() => !document.getAnimations().length")


@pytest.fixture
def on_the_way(window, stack):
    """Return a function that opens Ann's page of a game in which she can claim `WAY`; with Ann,
    Bob and the game. The page has a counter of animations and a list of tones."""

    def opened(**media):
        ann, bob = sign_up(stack.url, "Ann", "Bob")
        game = begun(ann, bob, seed="7" * 64)
        for _ in range(3):
            draw_two_each(ann, bob, game=game)
        page = window(by=ann, viewport={"width": 1400, "height": 900}).page
        page.emulate_media(**media)
        for script in (WATCH, TOLD):
            page.add_init_script(script)
        page.goto(f"{stack.url}/games/{game}")
        page.wait_for_selector(READY)
        shown(page, ann, game)
        return page, ann, bob, game

    return opened


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_claims_cards_and_tickets_move_unless_people_prefer_reduced_motion(on_the_way, motion):
    """Movement takes no room: all else stays where it is."""
    page, ann, bob, game = on_the_way(reduced_motion=motion)
    page.evaluate(HOLD)
    for route in WAY:
        claim(ann, game, route)
        page.wait_for_selector(".prompt:not(.mine)")
        shown(page, ann, game)
        draw_two_each(bob, game=game)
        page.wait_for_selector(READY)
    done = page.locator(".tickets .ticket.done")
    expect(done).to_have_count(1)
    stamp = "(one) => getComputedStyle(one, '::after').width"
    assert done.locator(".points").evaluate(stamp).startswith("28.")
    shown(page, ann, game)
    expect(page.locator(".flying")).to_have_count(0)
    most, flown, moved = page.evaluate("[most, flown, moved]")
    assert (most > 0, flown, moved) == (motion != "reduce", motion != "reduce", False)


def test_a_jump_over_many_claims_moves_nothing(window, paris):
    its = window()
    its.page.add_init_script(WATCH)
    page = its.open(f"/games/{paris}?at=3")
    page.wait_for_selector(".replay .controls")
    page.wait_for_function("() => !document.getAnimations().length")
    page.evaluate(f"most = 0; {TABLE}.show({TABLE}.version - 1)")
    expect(page.locator(".claims > g")).not_to_have_count(0)
    page.wait_for_timeout(300)
    assert page.locator(".claims > g").count() > 10
    assert page.evaluate("most") == 0


def heard(page, tones: int) -> None:
    """Wait until so many tones have been played, and no others."""
    page.wait_for_function("(tones) => told.length >= tones", arg=tones)
    assert page.evaluate("told.splice(0)") == ["tone"] * tones


def test_sounds_are_off_until_they_are_switched_on_and_that_is_remembered(on_the_way):
    page, ann, bob, game = on_the_way()
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.click(".prompt")
    claim(ann, game, WAY[0])
    shown(page, ann, game)
    assert page.evaluate("told") == []
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    heard(page, 2)  # to hear how it sounds
    draw_two_each(bob, game=game)
    page.wait_for_selector(READY)
    shown(page, ann, game)
    page.reload()
    page.wait_for_selector(READY)
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.click(".prompt")
    claim(ann, game, WAY[1])
    shown(page, ann, game)
    heard(page, 3 + 2)  # wagons, and a whistle
    switch.click()
    assert page.evaluate("told") == []
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_the_count_ends_with_facts_and_the_winners_network_and_can_be_shared(on_the_way):
    page, ann, bob, game = on_the_way(reduced_motion="reduce")
    claim(ann, game, WAY[0])
    resign(bob, game)
    said, traced = page.locator(".scoring .said"), page.locator(".over .traced")
    expect(said).to_contain_text("Ann wins with ")
    page.get_by_role("button", name="One step back").click()
    expect(said).to_have_text(
        re.compile(r"largest route is Ann.s: British Museum . Covent Garden, length 1.\s*$")
    )
    expect(traced).to_have_count(1)
    page.get_by_role("button", name="One step on").click()
    expect(said).to_contain_text("Ann wins with ")
    expect(traced).to_have_count(1)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this position")
    assert f"/games/{game}?at=" in link.input_value()
    page.get_by_role("button", name="Close").click()
    page.evaluate("void (navigator.share = async ({ url }) => { told.push(url); })")
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("told") == [f"{page.url.partition('/games/')[0]}/games/{game}"]
    expect(link).to_be_hidden()


def test_a_newcomer_goes_through_the_lesson_by_keyboard_and_never_has_it_again(window):
    its = window()
    its.expected = "412"  # the bots choose tickets at the same time; the page tries again then
    page = its.open("/")
    page.emulate_media(reduced_motion="reduce")  # or the moves of the bots would come one by one
    page.get_by_role("button", name="Play now").click()
    lesson = page.get_by_role("region", name="Your first lesson")
    expect(lesson.get_by_role("status")).to_contain_text("Lesson 1 of 5. A Destination Ticket")
    assert unfair(page) == []
    page.emulate_media(color_scheme="dark")
    assert unfair(page) == []
    press(page, ".offer input", "Space")
    press(page, ".deeds .main", "Enter")
    expect(lesson).to_contain_text("Lesson 2 of 5. Now draw two cards")

    def draw():
        for _ in range(2):
            page.wait_for_selector(READY)
            version = page.evaluate(f"{TABLE}.version")
            press(page, "[data-deck] button", "Enter")
            page.wait_for_function(f"() => {TABLE}.version > {version}")
        page.wait_for_selector(READY)

    draw()
    expect(lesson).to_contain_text("Lesson 3 of 5. Tracks with a thick yellow edge")
    press(page, ".listed summary", "Enter")
    press(page, ".listed [data-listed]", "Enter")
    expect(lesson).to_contain_text("Lesson 4 of 5.")
    routes = ".deeds button[aria-pressed=false]"
    while not page.locator(routes).count():
        expect(lesson).to_contain_text("Draw cards until a track has a yellow edge")
        draw()
    press(page, routes, "Enter")
    press(page, ".claimable li button", "Enter")
    press(page, ".deeds .way.main", "Enter")
    expect(lesson).to_contain_text("Lesson 5 of 5. Points for you: ")
    chart = page.locator(".chart").bounding_box()
    press(page, ".lesson button", "Enter")
    expect(lesson).to_have_count(0)
    assert page.locator(".chart").bounding_box() == chart
    page.evaluate("localStorage.removeItem('fogg-account')")  # as another newcomer
    before = len(its.addresses)
    its.open("/").get_by_role("button", name="Play now").click()
    page.wait_for_selector(READY)
    expect(lesson).to_have_count(0)
    assert not [one for one in its.addresses[before:] if "lesson" in one]


def test_the_lesson_can_be_skipped_by_a_finger(window):
    its = window(viewport={"width": 375, "height": 800}, has_touch=True)
    its.expected = "412"
    page = its.open("/")
    page.get_by_role("button", name="Play now").tap()
    page.get_by_role("button", name="Skip the lesson").tap()
    expect(page.locator(".lesson")).to_be_hidden()
    page.reload()
    page.wait_for_selector(".offer")
    expect(page.locator(".lesson")).to_have_count(0)
