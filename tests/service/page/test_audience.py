"""Reactions at the table, and how many watch: what others see, hear, and may refuse to see."""

import time

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from tests.service.page.test_play import game_of, play_first, sits

CHIPS = ".audience .reactions button"
SAID = "[data-seat='{}'] .bubble"
HEIGHTS = "() => [...document.querySelectorAll('.seat, .audience')].map((one) => one.offsetHeight)"


@pytest.fixture
def ann(stack):
    return Client(stack.url).sign_up("Ann")


@pytest.fixture
def bob(stack):
    return Client(stack.url).sign_up("Bob")


def react(client, game, reaction="well_played"):
    return client.post(f"/v1/games/{game}/reactions", {"reaction": reaction})


def test_a_reaction_is_shown_at_the_seat_for_some_seconds_and_moves_nothing(window, ann, bob):
    game = game_of(ann, bob)
    anns, bobs = (sits(window, client, game).page for client in (ann, bob))
    strangers = window().open(f"/games/{game}")
    for page in (anns, bobs, strangers):
        page.wait_for_selector(".audience:not([hidden])")
    expect(strangers.locator(CHIPS)).to_have_count(0)  # who only watches says nothing
    heights = anns.evaluate(HEIGHTS)
    bobs.get_by_role("button", name="Good luck!").click()
    for page in (anns, bobs, strangers):
        expect(page.locator(SAID.format(1))).to_have_text("Good luck!")
        expect(page.locator(".audience [role=status]")).to_have_text("Bob: Good luck!")
        expect(page.locator(SAID.format(0))).to_have_count(0)
    assert [before for before, now in zip(heights, anns.evaluate(HEIGHTS), strict=True)
            if before != now] in ([], [heights[-1]])  # the bar may tell of spectators meanwhile
    expect(bobs.locator(CHIPS).first).to_have_attribute("aria-disabled", "true")
    for page in (anns, bobs, strangers):
        expect(page.locator(".bubble")).to_have_count(0)
        expect(page.locator(".audience [role=status]")).to_be_empty()
    expect(bobs.locator(CHIPS).first).not_to_have_attribute("aria-disabled", "true")


def test_whoever_hides_reactions_sees_none_and_sends_none_until_they_are_shown_again(
    window, ann, bob
):
    game = game_of(ann, bob)
    page = sits(window, ann, game).page
    page.get_by_role("button", name="Hide reactions").click()
    expect(page.locator(CHIPS)).to_have_count(0)
    react(bob, game)
    page.reload()
    page.wait_for_selector(".audience:not([hidden])")
    time.sleep(1)
    expect(page.locator(".bubble")).to_have_count(0)
    page.get_by_role("button", name="Show reactions").click()
    expect(page.locator(CHIPS)).to_have_count(6)
    expect(page.locator(".bubble")).to_have_count(0)  # it has passed
    react(bob, game, "oops")
    expect(page.locator(SAID.format(1))).to_have_text("Oops!")


def test_nothing_is_said_where_one_looks_back(window, ann, bob):
    game = game_of(ann, bob)
    play_first(ann, game)
    play_first(bob, game)
    page = sits(window, ann, game).page
    page.wait_for_selector(".audience:not([hidden])")
    page.get_by_role("button", name="Look back").click()
    page.get_by_role("button", name="One back").click()
    expect(page.locator(".audience")).to_be_hidden()
    react(bob, game)
    time.sleep(1)
    expect(page.locator(".bubble")).to_have_count(0)
    expect(page.locator(".audience")).to_be_hidden()


def test_the_number_of_spectators_is_shown(window, ann, bob):
    game = game_of(ann, bob)
    others = [window().open(f"/games/{game}") for _ in range(2)]
    expect(others[-1].locator(".watchers")).to_have_text("2 watching")
    page = sits(window, ann, game).page
    expect(page.locator(".watchers")).to_have_text("2 watching")
    others[0].goto("about:blank")
    expect(page.locator(".watchers")).to_have_text("1 watching")


def test_players_can_thank_each_other_after_the_end_and_a_replay_is_silent(window, ann, bob):
    game = game_of(ann, bob)
    play_first(ann, game)
    play_first(bob, game)
    page = sits(window, ann, game).page
    page.wait_for_selector(".audience:not([hidden])")
    bob.post(f"/v1/games/{game}/actions", {"type": "resign"})
    page.wait_for_selector(".prompt.over")
    react(bob, game, "good_game")
    expect(page.locator(SAID.format(1))).to_have_text("Good game!")
    page.get_by_role("button", name="Thanks!").click()
    expect(page.locator(SAID.format(0))).to_have_text("Thanks!")
    later = sits(window, bob, game).page
    later.wait_for_selector(".prompt.over")
    expect(later.locator(".audience")).to_be_hidden()


def test_reactions_are_said_in_the_readers_language(window, ann, bob):
    game = game_of(ann, bob)
    page = sits(window, ann, game, locale="de-DE").page
    page.wait_for_selector(".audience:not([hidden])")
    react(bob, game)
    expect(page.locator(SAID.format(1))).to_have_text("Gut gespielt!")
