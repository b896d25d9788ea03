"""A game is watched as it goes on, and gone through when it is over."""

import re
from random import Random

import pytest
from fogg_client.client import Client
from playwright.sync_api import Page, expect

from domain.entry import with_hash
from tests.service.page.conftest import unfair
from tests.service.players import OPEN, play_first, resign, seated, sign_up
from tools.histories.kept import expected, read

NAME = "<img src=x onerror=alert(1)>\N{RIGHT-TO-LEFT OVERRIDE}\N{POP DIRECTIONAL ISOLATE}אבג"


@pytest.fixture(scope="module")
def europe(put):
    """A whole game on the board of Europe."""
    return put(read("europe"))


def slider(page: Page):
    return page.locator(".replay input[type=range]")


def shown(page: Page):
    """The line of the log that is marked."""
    return page.locator(".log [aria-current]")


def version_of(entries: list[dict], event: str) -> int:
    """The first version at which something like this happened."""
    return next(
        entry["version"] for entry in entries if event in [one["type"] for one in entry["events"]]
    )


def views_in(page: Page) -> list[dict]:
    """The view that the page shows at each version, once it has all views."""
    return page.evaluate("""async () => {
      const { table } = document.querySelector('.game');
      await table.whole;
      return table.entries.map(({ version }) => table.at(version));
    }""")


def views_of(by: Client, game: str) -> list[dict]:
    """The view at each version, asked for one by one."""
    last = by.get(f"/v1/games/{game}")["version"]
    return [
        by.get(f"/v1/games/{game}?at={version}&legal_actions=false")
        for version in range(1, last + 1)
    ]


def test_every_version_is_shown_as_the_api_shows_it_while_the_game_goes_on_and_after(window, stack):
    """No secret is in the page's memory either: the views are those of the player."""
    ada, eve = sign_up(stack.url, "Ada", "Eve")
    game = seated(ada, eve)
    page = window(by=ada).open(f"/games/{game}")
    page.wait_for_selector(".playing")
    for player in (ada, eve, ada, ada, eve, eve):
        play_first(player, game)
    last = ada.get(f"/v1/games/{game}")["version"]
    page.wait_for_function(f"() => document.querySelector('.game').table.version === {last}")
    shown, due = views_in(page), views_of(ada, game)
    for view in shown + due:  # members of the latest view alone
        view["you"].pop("grouped_actions", None)
        for row in view["deciding"]:
            row.pop("deadline", None)
    assert shown == due
    resign(eve, game)
    page.wait_for_function("() => document.querySelector('.game').table.at(3).seats[0].revealed")
    assert views_in(page)[:-1] == views_of(ada, game)[:-1]
    assert all("revealed" in seat for seat in views_in(page)[5]["seats"])


def test_the_kinds_of_jumps_are_named_from_the_first_decision(window, stack):
    """Nobody has had a turn yet, which one jumps by unasked: the choice was empty."""
    ada, eve = sign_up(stack.url, "Ada", "Eve")
    game = seated(ada, eve, board="paris")
    play_first(ada, game)
    page = window().open(f"/games/{game}")
    expect(page.get_by_title("Jump by")).to_have_value("tickets")


def test_a_game_is_watched_live_from_before_its_first_card_to_its_end(window, stack):
    ada, eve = sign_up(stack.url, "Ada", "Eve")
    game = seated(ada, others=(OPEN,), board="paris")
    page = window().open(f"/games/{game}")
    expect(page.locator(".log li")).to_have_count(1)

    eve.post(f"/v1/games/{game}/seats", {})
    random = Random(7)
    looked_back = False
    for _ in range(500):
        view = ada.view(game)
        if view["status"] == "finished":
            break
        mine = next(one for one in (ada, eve) if one.view(game)["you"].get("legal_actions"))
        actions = mine.view(game)["you"]["legal_actions"]
        claims = [action for action in actions if action["type"] == "claim_route"]
        mine.post(f"/v1/games/{game}/actions", random.choice(claims or actions))
        if not looked_back and view["version"] > 6:
            looked_back = True
            expect(page.locator(".replay .live")).to_be_visible()
            slider(page).focus()
            page.keyboard.press("Home")
            expect(shown(page)).to_contain_text("Ada sits down")
            expect(slider(page)).to_have_value("1")
            page.get_by_role("button", name="Back to live").click()
            expect(page.locator(".replay .live")).to_be_visible()
    expect(shown(page)).to_contain_text("The game is over")
    expect(page.locator(".replay .live")).to_have_count(0)
    expect(page.get_by_label("Hands")).to_be_visible()  # it is an open book now


def test_a_finished_game_is_watched_from_before_anybody_sat_down(window, stack):
    """A game in the lobby has no place for the scoring, which is shown where there is one."""
    ada, eve = sign_up(stack.url, "Ada", "Eve")
    game = seated(ada, others=(OPEN,), board="paris")
    eve.post(f"/v1/games/{game}/seats", {})
    for player in (ada, eve):
        play_first(player, game)
    resign(eve, game)
    page = window().open(f"/games/{game}?at=1")
    expect(slider(page)).to_have_value("1")
    expect(page.locator(".scoring table")).to_have_count(0)
    slider(page).focus()
    page.keyboard.press("End")
    expect(page.locator(".scoring table")).to_be_visible()


@pytest.mark.quick
def test_the_tunnel_of_a_game_is_found_by_jumps_by_the_log_and_by_keys(window, europe):
    entries = read("europe")
    tunnel = version_of(entries, "tunnel_attempted")
    page = window().open(f"/games/{europe}?at=3")
    expect(slider(page)).to_have_value("3")
    expect(shown(page)).to_contain_text("keeps 2 of 4 tickets")

    page.get_by_label("Jump by").select_option("tunnels")
    page.get_by_role("button", name="Next").click()
    expect(slider(page)).to_have_value(str(tunnel))
    expect(shown(page)).to_contain_text("tries the tunnel")
    expect(shown(page)).to_contain_text("Turned up:")
    page.wait_for_url(f"**/games/{europe}?at={tunnel}")
    page.reload()
    expect(slider(page)).to_have_value(str(tunnel))

    slider(page).focus()
    for key, due in (
        ("ArrowRight", tunnel + 1),
        ("ArrowLeft", tunnel),
        ("Home", 1),
        ("End", len(entries)),
    ):
        page.keyboard.press(key)
        expect(slider(page)).to_have_value(str(due))
    assert "The game is over" in slider(page).get_attribute("aria-valuetext")
    withdrawn = version_of(entries, "tunnel_withdrawn")
    page.locator(f".log li[data-version='{withdrawn}'] button").click()
    expect(shown(page)).to_contain_text("withdraws from the tunnel")
    expect(slider(page)).to_have_value(str(withdrawn))

    # an open book, as one seat saw the game
    drawn = next(
        entry
        for entry in entries
        if entry["events"][0].get("from") == "deck" and entry["seat"] != 0
    )
    page.get_by_role("spinbutton", name="Move").fill(str(drawn["version"]))
    page.keyboard.press("Enter")
    expect(shown(page)).to_contain_text(f"{drawn['events'][0]['card']} from the deck")
    held = page.locator("[data-seat='1'] .held")
    kept = next(
        event["kept"]
        for entry in entries
        for event in entry["events"]
        if event["type"] == "tickets_kept" and event["seat"] == 1
    )
    held.locator("summary").click()
    expect(held.locator("button")).to_have_count(len(kept))
    held.locator("button").first.focus()
    expect(page.locator("section.map .wanted")).to_have_count(2)
    page.get_by_label("Hands").select_option("0")
    expect(held).to_have_count(0)
    expect(shown(page)).to_contain_text("draws a card from the deck")
    page.wait_for_url(f"**/games/{europe}?at={drawn['version']}&seat=0")


def test_a_replay_goes_on_by_itself_and_stops_at_a_key(window, europe):
    page = window().open(f"/games/{europe}?at=270")
    page.get_by_label("Speed").select_option("Infinity")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(slider(page)).to_have_value(str(len(read("europe"))))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.get_by_label("Speed").select_option("1")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.quick
def test_a_game_is_checked_in_the_browser_and_a_forged_entry_found(window, europe):
    """And nobody is kept out, by the rules that axe-core knows."""

    def forge(route) -> None:
        answer = route.fetch()
        lines = answer.text().splitlines()
        lines[40] = lines[40].replace('"card":"', '"card":"x', 1)
        route.fulfill(response=answer, body="\n".join(lines))

    own = window()
    own.page.route(f"**/v1/games/{europe}/history", forge, times=1)
    page = own.open(f"/games/{europe}?at=120")
    page.get_by_role("button", name="Verify").click()
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Check now").click()
    expect(dialog).to_contain_text("Entry 41 is wrong: the hash is")
    page.get_by_role("button", name="Check now").click()
    expect(dialog).to_contain_text(f"All {len(read('europe'))} entries are right")
    expect(dialog).to_contain_text(expected()["europe"]["hash"])
    expect(dialog).to_contain_text("the seed is the one that was committed to")

    for part in ("dialog", ".replay", ".log"):
        assert unfair(page, part) == []


def test_one_goes_on_from_a_position_against_bots(window, europe):
    page = window().open(f"/games/{europe}?at=200")
    page.get_by_role("button", name="What if?").click()
    page.get_by_role("button", name="Play on from move 200").click()
    page.wait_for_url(lambda url: "/games/g_" in url and europe not in url)
    expect(page.locator(".log")).to_contain_text("It goes on from entry 200 of another game")


def test_names_made_of_markup_and_marks_of_direction_are_but_text(window, put):
    entries, before = [], ""
    for entry in read("paris"):
        for event in entry["events"]:
            if event["type"] == "game_created":
                event["game"] = "g_00000000000000000bad"
            if event["type"] == "seat_taken" and event["seat"] == 0:
                event["player"]["name"] = NAME
        entry.pop("hash")
        entries.append(with_hash(entry, before))
        before = entries[-1]["hash"]
    page = window().open(f"/games/{put(entries)}?at=1")
    names = page.locator(".log bdi", has_text="<img src=x")
    expect(names.first).to_be_visible()
    assert page.locator("main img").count() == 0
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in names.first.text_content()
    assert NAME.encode() not in page.content().encode()


def test_marks_numbers_and_real_time_lead_through_a_game(window, europe):
    """Marks above the slider; a number shows an open book as that seat saw it."""
    events = [event["type"] for entry in read("europe") for event in entry["events"]]
    page = window().open(f"/games/{europe}?at=120")
    expect(page.locator(".mark.claims")).to_have_count(events.count("route_claimed"))
    expect(page.locator(".mark.tickets")).to_have_count(events.count("tickets_kept"))
    expect(page.locator(".mark.last")).to_have_count(1)
    for key, hands in (("2", "1"), ("0", ""), ("3", "2")):
        page.keyboard.press(key)
        expect(page.get_by_label("Hands")).to_have_value(hands)
    page.keyboard.press("0")
    waits = page.evaluate("""async () => {
      const load = (name) => import(new URL(name, document.querySelector('script[src]').src));
      const { Playback, speedOf } = await load('replay/playback.mjs');
      const at = (seconds) => ({ at: new Date(seconds * 1000).toISOString() });
      const entries = [at(0), at(2.5), at(3600), at(3600)];
      return [1, 2, 3, null].map((shown) => {
        const playback = new Playback({ entries, shown, version: entries.length });
        playback.speed = speedOf('real');
        return playback.wait;
      });
    }""")
    assert waits == [2500, 10_000, 0, 0]
    for part, said in (
        ("Share", "Link to this position"),
        ("What if?", "In place of"),
        ("Verify", "Check now"),
        ("Keys", "play, pause"),
    ):
        page.locator(".parts").get_by_role("button", name=part).click()
        dialog = page.get_by_role("dialog")
        if part == "Share":
            expect(dialog.get_by_label(said)).to_have_value(re.compile(r"at=120$"))
        else:
            expect(dialog).to_contain_text(said)
        page.keyboard.press("Escape")
