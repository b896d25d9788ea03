"""A game is fetched and checked by those who may see it."""

import json
import re

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from tests.service.players import begun, resign, sign_up
from tests.waiting import until


@pytest.fixture(scope="module")
def private(stack):
    """A private game that is over, and one of its players."""
    ann, bea = sign_up(stack.url, "Ann", "Bea")
    game = begun(ann, bea, visibility="private")
    resign(ann, game)
    return game, bea


def line_of(client: Client, game: str) -> dict:
    """Return the line that a finished game gets in the log."""
    *_, last = client.entries(game)
    return until(
        lambda: next(
            (
                line
                for line in client.get("/v1/log", limit=1000)["items"]
                if line["last"] == last["hash"]
            ),
            None,
        )
    )


def opened(window, client, address, part="Share"):
    """Open a part of the replay's dialog as an account; return the window, and its page."""
    its = window(by=client)
    page = its.open(address)
    page.locator(".parts").get_by_role("button", name=part).click()
    return its, page


@pytest.mark.quick
def test_the_players_of_a_private_game_get_its_picture_and_its_history(window, private):
    game, bea = private
    its, page = opened(window, bea, f"/games/{game}?at=4")
    with page.expect_download() as picture:
        page.get_by_role("button", name="Picture of this position").click()
    assert picture.value.suggested_filename == f"{game}-4.svg"
    assert picture.value.path().read_text().startswith("<svg")
    with page.expect_download() as history:
        page.get_by_role("button", name="Download the history").click()
    lines = history.value.path().read_text().splitlines()
    assert [json.loads(line)["version"] for line in lines] == list(range(1, len(lines) + 1))
    assert not any(bea.token in address for address in its.addresses)
    assert bea.token not in page.content()


def test_a_game_is_found_in_the_log_in_the_browser_and_a_forged_line_too(window, private):
    game, bea = private
    _, page = opened(window, bea, f"/games/{game}", "Verify")
    dialog, check = page.get_by_role("dialog"), page.get_by_role("button", name="Check now")
    expect(dialog).not_to_contain_text("Not checked here")
    own = line_of(bea, game)
    check.click()
    expect(dialog).to_contain_text("The log has the game as you see it here")
    expect(dialog).to_contain_text(own["hash"])
    expect(dialog).to_contain_text("the rules, the clock and the final score")

    def forge(route) -> None:
        answer = route.fetch()
        body = answer.json()
        next(line for line in body["items"] if line["n"] == own["n"])["last"] = "0" * 64
        route.fulfill(response=answer, json=body)

    page.route(re.compile("/v1/log"), forge)
    check.click()
    expect(dialog).to_contain_text(f"line {own['n']} of the log does not follow")


def test_a_page_without_the_browsers_cryptography_names_the_program_that_checks(window, private):
    """Browsers have it on pages with https and from localhost only."""
    game, bea = private
    its = window(by=bea)
    its.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page = its.open(f"/games/{game}")
    page.locator(".parts").get_by_role("button", name="Verify").click()
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"fogg verify {its.url}/v1/games/{game}")
