"""The stage of a game stands still: no decision moves the map or hides one of its buttons."""

import pytest
from playwright.sync_api import Page, expect

from tests.service.page.test_panel import HIDDEN, SIZES
from tests.service.page.test_play import READY, TWO_FRAMES, draw_two_each, sits
from tests.service.players import RANDOM, begun, play_first, resign, seated, sign_up

# positions of the map's places in the document
PLACES = """() => [...document.querySelectorAll(".map [data-location] circle")].map((one) => {
    const { x, y, width } = one.getBoundingClientRect();
    return [x + width / 2 + scrollX, y + width / 2 + scrollY];
})"""
# the tickets of the board of which what floats over the map would hide an end
COVERED = """async () => {
    const load = (name) => import(new URL(name, document.querySelector('script[src]').src));
    const [{ Notes }, { html }] = await Promise.all(
      ['play/notes.mjs', 'vendor/lit-html/lit-html.js'].map(load));
    const root = document.querySelector("section.map");
    const notes = new Notes(Object.assign(new EventTarget(), { root, buttons: () => [] }));
    const hides = (id) => {
      const [one, end] = [notes.root, root.querySelector(`[data-location="${id}"] circle`)]
        .map((each) => each.getBoundingClientRect());
      return one.left < end.right && one.right > end.left
        && one.top < end.bottom && one.bottom > end.top;
    };
    const hidden = document.querySelector('.game').table.board.tickets.filter(({ a, b }) => {
      notes.show(html`<p>${a} ${b} 16 trains to go You lack: 4 4 2, 3 for grey</p>`, [a, b]);
      return hides(a) || hides(b);
    });
    notes.close();
    return hidden.map(({ id }) => id);
}"""


# rows and columns of the score that are not whole in sight
CUT = """() => [...document.querySelectorAll(".scoring :is(th, td:not(:empty))")].filter((one) => {
    const [box, frame] = [one, one.closest(".scoring")].map((each) => each.getBoundingClientRect());
    return box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom
      || box.bottom > innerHeight;
}).map((one) => one.innerText)"""


class Stage:
    """A page in four sizes of its window, and where the map's places were at first in each."""

    def __init__(self, page: Page):
        self.page = page
        self.places: dict[tuple[int, int], list[list[float]]] = {}

    def check(self, what: str, *, buttons: int = 1) -> None:
        """Hold that at each size all buttons can be seen and the map is where it was."""
        for size in SIZES:
            self.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            self.page.evaluate("scrollTo(0, 0)")
            self.page.evaluate(TWO_FRAMES)  # observers of sizes have run
            assert self.page.locator(".deeds :is(button, input)").count() >= buttons, what
            assert self.page.evaluate(HIDDEN) == [], (what, size)
            now = self.page.evaluate(PLACES)
            before = self.places.setdefault(size, now)
            moved = max(
                abs(one - other)
                for place, former in zip(now, before, strict=True)
                for one, other in zip(place, former, strict=True)
            )
            assert moved <= 1, (what, size)
        self.page.set_viewport_size({"width": 1400, "height": 900})


@pytest.mark.parametrize("board", ["europe", "london", "paris", "usa", "usa-10th"])
def test_no_decision_moves_the_map_or_hides_a_button(window, stack, board):
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = seated(ann, bob, board=board)
    page = sits(window, ann, game, viewport={"width": 1400, "height": 900}).page
    stage = Stage(page)
    page.click(".offer li:first-child input")
    stage.check("first tickets")
    for client in (ann, bob):
        play_first(client, game)
    for _ in range(5):
        draw_two_each(ann, bob, game=game)
    page.wait_for_selector(READY)
    stage.check("turn", buttons=2)
    legal = ann.view(game)["you"]["legal_actions"]
    routes = {one["id"]: one for one in ann.get(f"/v1/boards/{board}")["routes"]}
    can = [one["route"] for one in legal if one["type"] == "claim_route"]

    page.click("section.tickets .ticket >> nth=0")
    expect(page.locator(".notes .plan")).to_be_visible()
    stage.check("plan of a ticket", buttons=2)
    page.click("section.tickets .ticket >> nth=0")
    page.click(".listed summary")
    for route in [one for one in routes if one not in can][:2]:
        page.click(f".listed [data-listed='{route}']")
        expect(page.locator(".notes .why")).to_be_visible()
        stage.check("a refused click", buttons=2)
    page.click(f".listed [data-listed='{max(can, key=can.count)}']")
    expect(page.locator(".deeds .way").nth(1)).to_be_visible()
    stage.check("payment", buttons=3)
    page.click(".deeds .cancel")
    page.click(".listed summary")
    page.click(".deeds [aria-pressed] >> nth=0")
    stage.check("list of routes", buttons=2)
    page.keyboard.press("Escape")
    if board == "europe":
        page.click(".deeds [aria-pressed] >> nth=1")
        stage.check("place for a station", buttons=2)
        page.locator("[data-location=wien] circle").click()
        expect(page.locator(".deeds .way").first).to_be_visible()
        stage.check("payment of a station", buttons=2)
        page.click(".deeds .cancel")
    page.click("text=Resign")
    stage.check("resignation", buttons=2)
    page.keyboard.press("Escape")
    page.click("[data-deck] button")
    expect(page.locator(".prompt")).to_contain_text("Take a second card")
    stage.check("second card")
    page.click("[data-deck] button")
    expect(page.locator(".prompt")).to_contain_text("Bob to play")
    for _ in range(2):
        bob.play(bob.view(game), {"type": "draw_card", "from": "deck"})
    page.wait_for_selector(READY)
    page.click("[data-tickets] button")
    stage.check("question before tickets", buttons=2)
    page.click(".asks .main")
    page.click(".offer li:first-child input")
    stage.check("drawn tickets")
    page.click(".deeds .main")
    expect(page.locator(".prompt")).to_contain_text("Bob to play")
    resign(bob, game)
    page.get_by_role("button", name="Show the result").click()
    expect(page.locator(".prompt.over")).to_contain_text("wins")
    stage.check("end", buttons=2)


@pytest.mark.parametrize(("seed", "least", "pays"), [(33, 1, 1), (1, 1, 0), (9, 4, 1), (2, 4, 0)])
def test_the_buttons_of_a_tunnel_that_costs_more_are_in_sight(window, stack, seed, least, pays):
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = begun(ann, bob, board="europe", seed=f"{seed:064x}")
    tunnels = {one["id"] for one in ann.get("/v1/boards/europe")["routes"] if one.get("tunnel")}
    page = sits(window, ann, game, viewport={"width": 1400, "height": 900}).page
    stage = Stage(page)
    while not (
        tries := [
            one
            for one in ann.view(game)["you"]["legal_actions"]
            if one.get("route") in tunnels
            and sum(one["cards"].values()) >= least
            and (least < 3 or len(one["cards"]) > 1)
        ]
    ):
        draw_two_each(ann, bob, game=game)
    page.wait_for_selector(READY)
    stage.check("before", buttons=2)
    ann.play(ann.view(game), tries[0])
    expect(page.locator(".tunnel")).to_be_visible()
    expect(page.locator(".deeds .way")).to_have_count(pays)
    stage.check("tunnel", buttons=1 + pays)
    page.click(".deeds .cancel")
    expect(page.locator(".prompt")).to_contain_text("Bob to play")
    stage.check("after")


@pytest.mark.parametrize("board", ["europe", "usa"])
def test_what_floats_over_the_map_hides_no_end_of_a_ticket(window, stack, board):
    [ann] = sign_up(stack.url, "Ann")
    page = sits(window, ann, seated(ann, others=(RANDOM,), board=board)).page
    page.wait_for_selector(".offer")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        assert page.evaluate(COVERED) == [], width
    page.hover(".offer label")
    ends = page.locator(".notes .plan strong")
    expect(ends).to_have_text(page.locator(".offer .ends").first.inner_text())


@pytest.mark.parametrize("board", ["europe", "usa"])
def test_the_result_of_five_is_a_table_in_sight_without_scrolling(window, stack, board):
    """Also next to the replay's bar; at first without it, as those see it who have played."""
    people = sign_up(stack.url, "Ann", "Bartholomew the Elder", "Catherine", "Dora", "Emil")
    game = begun(*people, board=board)
    routes = people[0].get(f"/v1/boards/{board}")["routes"]
    plain = {one["id"] for one in routes if not one.get("tunnel")}
    for one in people:
        view = one.view(game)
        claims = [each for each in view["you"]["legal_actions"] if each.get("route") in plain]
        if claims:
            one.play(view, claims[0])
        else:
            draw_two_each(one, game=game)
    page = sits(window, people[0], game).page
    page.wait_for_selector(READY)
    for one in people[1:]:
        resign(one, game)
    page.get_by_role("button", name="Show the result").click()
    for _ in range(2):
        page.wait_for_selector(".prompt.over")
        expect(page.locator(".scoring tbody tr")).to_have_count(5)
        expect(page.locator(".draws")).to_have_count(0)
        for width, height in SIZES[:2]:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(TWO_FRAMES)
            assert page.evaluate(CUT) == [], (width, height)
        ranks = [
            int(rank) for rank in page.locator(".scoring td:first-child").all_inner_texts() if rank
        ]
        assert ranks == sorted(ranks)
        page.reload()
