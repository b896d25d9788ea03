"""People play in real browsers, by nothing but what the page offers them."""

import json

import pytest
from fogg_client.client import Client

READY = ".playing[aria-busy=false] .prompt.mine, .prompt.over"
OFFERED = """() => {  // the first that is offered of: what was begun, a track, the deck
  const all = ['.offer li input:not(:checked)', '.ways button', '.tray button.main:not(.over *)',
    '.map [data-route].can rect', '[data-deck] button', '.draws button', '.tunnel button'];
  return all.flatMap((one) => [...document.querySelectorAll(one)])
    .find((one) => one.getAttribute('aria-disabled') !== 'true');
}"""
TABLE = "document.querySelector('.game').table"


def sits(window, client, path, **options):
    """Open a page as an account."""
    made = window(**options)
    account = json.dumps({"id": client.get("/v1/me")["id"], "name": "Ann", "token": client.token})
    made.context.add_init_script(
        f"localStorage.setItem('fogg-account', {json.dumps(account)})")
    made.open(path)
    return made


@pytest.fixture
def ann(stack):
    return Client(stack.url).sign_up("Ann")


@pytest.fixture
def bob(stack):
    return Client(stack.url).sign_up("Bob")


def game_of(ann, bob):
    """Return a London game of the two, Ann to begin."""
    game = ann.post("/v1/games", {"board": "london", "seats": [{"player": "me"}, {"open": True}],
                                  "options": {"first_seat": 0}})["id"]
    bob.post(f"/v1/games/{game}/seats", {})
    return game


def test_a_person_plays_a_whole_game_against_two_bots_by_clicking_only(window, ann):
    game = ann.post("/v1/games", {"board": "london", "seats": [
        {"player": "me"}, {"bot": "random"}, {"bot": "greedy"}]})["id"]
    page = sits(window, ann, f"/games/{game}").page
    played = 0
    while True:
        page.wait_for_selector(READY)
        if page.query_selector(".prompt.over"):
            break
        page.evaluate_handle(OFFERED).as_element().click()
        played += 1
    view = ann.view(game)
    assert view["ending"] == "final_turns"
    assert not view["seats"][0].get("left")
    assert played > 20
    said = page.inner_text(".prompt.over")
    best = max(seat["result"]["total"] for seat in view["seats"])
    assert str(best) in said
