"""A tournament on a screen in a room: nobody presses anything, and everything is visible."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.service.players import resign, sign_up
from tests.waiting import until

NAMES = ["Ada", "Grace", "Mary", "A name as long as it may be, thirty-two"[:32]]
FITS = """() => [document.documentElement.scrollWidth <= innerWidth,
  document.documentElement.scrollHeight <= innerHeight,
  [...document.querySelectorAll(".room :is(table, .boards > li, .where, h1)")].every((one) => {
    const { top, left, bottom, right } = one.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top;
  })]"""
TURN_S = 12  # seconds for which the screen shows each part of a long table
SIZE = "() => document.querySelectorAll('*').length"


class Cup:
    """A tournament of four people under way, two at a table."""

    def __init__(self, url: str, more: int = 0, name="Saturday cup", **settings):
        self.people = sign_up(url, *NAMES, *(f"Number {number}" for number in range(more)))
        self.by_id = {one.get("/v1/me")["id"]: one for one in self.people}
        made = self.people[0].post(
            "/v1/tournaments",
            {
                "name": name,
                "boards": ["london"],
                "format": "swiss",
                "rounds": 2,
                "clock": {"per_decision": 3600},
                **settings,
            },
        )
        self.path = f"/tournaments/{made['id']}"
        for one in self.people:
            one.post(f"/v1{self.path}/entries", {})

    def start(self) -> None:
        self.people[0].post(f"/v1{self.path}/start", {})

    def games(self) -> list[str]:
        rounds = until(lambda: self.people[0].get(f"/v1{self.path}")["rounds"])
        tables = rounds[-1]["tables"]
        return [game["game"] for table in tables for game in table["games"]]

    def play_until_scored(self, game: str) -> None:
        """Play until somebody has claimed a route, and all who can have."""
        view = self.people[0].view(game)
        while not all(seat["score"] for seat in view["seats"]):
            one = self.by_id[view["seats"][view["deciding"][0]["seat"]]["player"]["id"]]
            mine = one.view(game)
            legal = mine["you"]["legal_actions"]
            view = one.play(
                mine,
                next((action for action in legal if action["type"] == "claim_route"), legal[0]),
            )["view"]

    def resign(self, game: str) -> None:
        view = self.people[0].view(game)
        resign(self.by_id[view["seats"][0]["player"]["id"]], game)


@pytest.fixture(scope="module")
def cup(stack):
    cup = Cup(stack.url)
    cup.start()
    return cup


@pytest.mark.parametrize(
    ("width", "height", "scheme", "locale"),
    [(1280, 720, "light", "en"), (1920, 1080, "dark", "de")],
)
def test_all_of_it_is_visible_on_a_projector(window, cup, width, height, scheme, locale):
    for game in cup.games():
        cup.play_until_scored(game)
    its = window(viewport={"width": width, "height": height}, color_scheme=scheme, locale=locale)
    page = its.open(f"{cup.path}/screen")
    expect(page.locator("h1")).to_have_text("Saturday cup")
    expect(page.locator(".status")).to_contain_text(
        {"en": "0 of 2 tables over", "de": "0 von 2 Tischen beendet"}[locale]
    )
    expect(page.locator(".room tbody tr")).to_have_count(4)
    expect(page.locator(".boards > li")).to_have_count(2)
    expect(page.locator(".boards path.claimed")).to_have_count(4)
    expect(page.locator(".boards b")).to_have_count(4)
    expect(page.locator(".where")).to_contain_text(cup.path)
    assert page.evaluate(FITS) == [True] * 3
    assert not page.locator(".bar").is_visible()
    assert page.locator(".room :is(a, button, input)").count() == 0


def test_a_name_of_forty_letters_leaves_all_in_view(window, stack):
    cup = Cup(stack.url, name="Spring Open 2027, London and then Paris!")
    cup.start()
    its = window()
    for width, height in (1400, 900), (1920, 1080):
        its.page.set_viewport_size({"width": width, "height": height})
        page = its.open(f"{cup.path}/screen")
        expect(page.locator(".boards .name")).to_have_count(4)
        assert page.evaluate(FITS) == [True] * 3, width


def test_it_follows_games_and_comes_back_after_an_outage(window, stack):
    cup = Cup(stack.url)
    its = window(alone=True, viewport={"width": 1280, "height": 720})
    its.expected = "net::ERR"
    page = its.open(f"{cup.path}/screen")
    expect(page.locator(".room caption")).to_have_text("Entrants")
    expect(page.locator(".boards")).to_have_count(0)
    cup.start()
    expect(page.locator(".boards .name")).to_have_count(4)
    first, second = cup.games()
    its.context.set_offline(True)
    expect(page.locator(".late")).not_to_be_empty()
    cup.resign(first)
    its.context.set_offline(False)
    expect(page.locator(".status")).to_contain_text("1 of 2 tables over")
    expect(page.locator(".boards > li")).to_have_count(1)
    expect(page.locator(".late")).to_be_empty()
    cup.resign(second)
    expect(page.locator(".status")).to_contain_text("Round 2 of 2")
    expect(page.locator(".boards > li")).to_have_count(2)
    for game in cup.games():
        cup.resign(game)
    expect(page.locator(".status")).to_contain_text("All rounds are complete.")
    expect(page.locator(".boards")).to_have_count(0)


def test_long_standings_take_turns_and_nothing_grows(window, stack):
    cup = Cup(stack.url, more=22)
    its = window(viewport={"width": 1280, "height": 720}, alone=True)
    its.context.clock.install()
    page = its.open(f"{cup.path}/screen")
    names = page.locator(".room tbody th")
    expect(page.locator(".room caption")).to_contain_text(re.compile(r"/ 26\s*$"))
    page.clock.pause_at((time.time() // TURN_S + 50) * TURN_S + 1)  # just after a turn has begun
    seen, size = set(), page.evaluate(SIZE)
    for _ in range(3):
        part = names.all_inner_texts()
        assert len(part) in (12, 2)
        seen |= {*part}
        assert page.evaluate(FITS) == [True] * 3
        page.clock.fast_forward(TURN_S * 1000)
        expect(names.first).not_to_have_text(part[0])
    assert len(seen) == 26
    assert page.evaluate(SIZE) <= size  # the first part is shown again


@pytest.mark.quick
def test_sealed_games_show_who_plays_and_nothing_else(window, stack):
    cup = Cup(stack.url, deals="duplicate")
    cup.start()
    its = window(viewport={"width": 1280, "height": 720})
    page = its.open(f"{cup.path}/screen")
    expect(page.locator(".boards > li")).to_have_count(4)
    expect(page.locator(".boards")).to_contain_text("being played, closed")
    expect(page.locator(".boards .map")).to_have_count(0)
    assert page.evaluate(FITS) == [True] * 3
