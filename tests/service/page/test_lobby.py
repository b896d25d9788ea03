"""The first screen: what is being played, a new game, one's account, invitations, notices."""

import json
import re

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem
from playwright.sync_api import Page, expect

from tests.service.players import OPEN, RANDOM, play_first, resign, seated

EASY_FIRST = ["London", "Paris", "USA", "USA, 10th anniversary", "Europe"]
# scores and claims in the game on the first screen
POSITION = """() => [...document.querySelectorAll(".hero :is(.seats, .claims)")]
    .map((part) => part.textContent + part.children.length).join()"""
MOVED = f"(was) => document.querySelector('.hero .seats li') && ({POSITION})() !== was"
SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput }) => {
      if (!hadRecentInput) window.shifted += value;
    })).observe({ type: "layout-shift", buffered: true });
}"""
FIRST_SHOWN = """() => {
    const waiting = setInterval(() => {
      window.first_shown = document.querySelector(".game")?.table.shown;
      if (window.first_shown) clearInterval(waiting);
    }, 20);
}"""
KEPT = "() => JSON.parse(localStorage.getItem('fogg-account'))"


@pytest.fixture
def bea(stack) -> Client:
    return Client(stack.url).sign_up("Bea")


@pytest.fixture
def cleo(stack) -> Client:
    return Client(stack.url).sign_up("Cleo")


def as_who_sits_there(page: Page, url: str) -> Client:
    """Return a client that is the account of a window."""
    page.wait_for_function("() => localStorage.getItem('fogg-account')")
    return Client(url, token=page.evaluate(KEPT)["token"])


@pytest.mark.quick
def test_a_game_is_begun_in_two_clicks(window):
    its = window()
    page = its.open("/")
    page.locator(".creating").get_by_label("Board").select_option("london")
    page.click("button.play")
    page.wait_for_url(re.compile(r"/games/g_[0-9a-f]{20}$"))
    account = page.evaluate(KEPT)
    view = Client(its.url, token=account["token"]).view(page.url.rpartition("/")[2])
    assert (view["board"], view["seats"][0]["player"]["id"]) == ("london", account["id"])
    assert [seat["player"].get("bot") for seat in view["seats"][1:]] == ["planner", "greedy"]
    page.click(".chip")
    assert account["token"] not in page.content()
    assert not any("fogg_" in address for address in its.addresses)


def test_a_newcomer_plays_in_one_click_and_is_one_no_more_then(window):
    """The lesson is in test_feel.py."""
    its = window()
    its.expected = "412"  # the bots choose tickets at the same time; the page tries again then
    page = its.open("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".lesson")).to_contain_text("names two places")
    view = as_who_sits_there(page, its.url).view(page.url.rpartition("/")[2])
    assert view["board"] == "london"
    assert [seat["player"].get("bot") for seat in view["seats"]] == [None, "planner", "greedy"]
    page.locator(".offer label").first.click()
    page.get_by_role("button", name="Keep 1").click()
    page.reload()
    expect(page.locator(".lesson")).to_contain_text("draw two cards")
    page.click(".home")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".prompt.mine")).to_be_visible()
    expect(page.locator(".lesson")).to_have_count(0)  # an account that has played is no newcomer


def test_two_clicks_on_a_poster_lead_to_the_first_decision(window):
    its = window()
    its.expected = "412"
    page = its.open("/")
    posters = page.locator(".posters li")
    expect(posters.locator("h2")).to_have_text(EASY_FIRST)
    expect(posters.locator("svg .cities")).to_have_count(5)
    differ = [text for text in posters.locator("p").all_text_contents() if "69 tickets" in text]
    assert len(differ) == 1
    page.get_by_role("button", name="Play Paris").click()
    page.locator(".offer label").first.click()
    view = as_who_sits_there(page, its.url).view(page.url.rpartition("/")[2])
    assert view["board"] == "paris"
    assert [seat["player"].get("bot") for seat in view["seats"]] == [None, "planner", "greedy"]


def test_posters_of_all_boards_lead_to_the_form_with_all_choices(window):
    page = window().open("/boards")
    expect(page.locator(".posters h2")).to_have_text(EASY_FIRST)
    page.locator(".posters li", has_text="Europe").get_by_role("link", name="Play").click()
    page.wait_for_url("**/?board=europe")
    expect(page.locator("h1")).to_have_text("New game")
    chosen = page.locator(".creating").get_by_label("Board")
    assert chosen.evaluate("one => one.value") == "europe"
    expect(page.locator("button.play")).to_be_in_viewport(ratio=1)
    page.click(".home")
    page.get_by_role("button", name="All choices").click()
    expect(page.locator("#new-game")).to_be_in_viewport()


def test_friends_get_a_link_by_one_click(window, bea):
    its = window()
    page = its.open("/")
    page.get_by_role("region", name="Play with friends").get_by_role("button").click()
    link = page.locator(".joining .link input").input_value()
    hers = window(by=bea).open(link.removeprefix(its.url))
    hers.get_by_role("button", name="Sit down").first.click()
    expect(page.get_by_role("button", name="Start with 2 players")).to_be_visible()


def test_those_with_games_under_way_see_them_first(window, bea):
    seated(bea, others=(OPEN,))
    page = window(by=bea).open("/")
    expect(page.locator(".hero .scene")).to_be_visible()
    expect(page.locator(".landing + section[aria-labelledby=boards]")).to_be_visible()
    game = seated(bea, others=(RANDOM,))
    page.reload()
    expect(page.locator(f".asked + .mine [href='/games/{game}']")).to_be_visible()
    page.evaluate(SHIFTS)
    expect(page.locator(".hero .scene")).to_be_visible()
    assert page.evaluate("shifted") < 0.002


def test_the_first_screen_replays_a_game_of_the_service_or_one_that_ships_with_the_page(
    window, paris
):
    """It has a link to watch it whole, it can be stopped, and does not move the page."""
    its = window(viewport={"width": 1280, "height": 720})
    page = its.open("/")
    page.evaluate(SHIFTS)
    whole = page.locator(".hero").get_by_role("link", name="Watch it whole")
    expect(whole).to_have_attribute("href", re.compile(r"/games/g_[0-9a-f]{20}\?at=1"))
    expect(page.locator("#main .hero")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=1)
    page.wait_for_function(MOVED, arg=page.evaluate(POSITION))
    page.locator(".hero").get_by_role("button", name="Pause").click()
    here = page.evaluate(POSITION)
    page.wait_for_timeout(2_000)
    assert page.evaluate(POSITION) == here
    page.locator(".hero").get_by_role("button", name="Go on").click()
    page.wait_for_function(MOVED, arg=here)
    assert page.evaluate("shifted") < 0.002
    whole.click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".replay .controls button").first).to_be_visible()

    its.context.route(
        "**/v1/games?*", lambda route: route.fulfill(json={"items": [], "next": None})
    )
    page = its.open("/")
    page.wait_for_function(MOVED, arg=page.evaluate(POSITION))
    expect(page.locator(".hero .seats li")).to_have_count(3)
    page.evaluate(FIRST_SHOWN)
    page.get_by_role("button", name="Watch bots play").click()
    page.wait_for_url("**/games/*")
    view = Client(its.url).view(re.search("g_[0-9a-f]{20}", page.url)[0])
    assert all(seat["player"]["bot"] for seat in view["seats"])
    # from its beginning, though the bots are quick
    page.wait_for_function("() => window.first_shown")
    assert page.evaluate("first_shown") <= 5
    its.context.unroute("**/v1/games?*")


def test_with_reduced_motion_the_first_screen_shows_the_end_of_a_game(window):
    page = window().open("/boards")
    page.emulate_media(reduced_motion="reduce")
    page.click(".home")
    expect(page.locator(".hero .won").first).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    here = page.evaluate(POSITION)
    page.wait_for_timeout(2_000)
    assert page.evaluate(POSITION) == here


def test_a_guest_is_offered_no_seat_that_is_kept_for_somebody(window, stack, bea):
    kept = invite(Client(stack.url).sign_up("Ann"), bea.get("/v1/me")["id"])
    free = seated(bea, others=(OPEN,))
    page = window().open("/")
    expect(page.locator(f".joinable a[href='/games/{free}']")).to_be_visible()
    expect(page.locator(f".joinable a[href='/games/{kept}']")).to_have_count(0)


def test_seats_and_rules_of_a_new_game_can_be_chosen(window):
    its = window()
    page = its.open("/")
    page.get_by_role("button", name="Remove seat 3").click()
    page.locator(".who-plays select").nth(1).select_option("open")
    expect(page.locator("button.play")).to_have_text("Set up and wait for players")
    page.get_by_text("More choices").click()
    clock, unrated = page.get_by_label("Clock"), page.get_by_text("Not rated:")
    assert clock.evaluate("one => one.selectedOptions[0].label") == "1 day per player"
    clock.select_option(label="5 minutes for each decision")
    expect(unrated).to_have_count(0)
    page.locator(".who-plays select").nth(1).select_option("planner")
    expect(unrated).to_be_visible()
    clock.select_option("0")
    expect(unrated).to_have_count(0)
    assert clock.evaluate("one => one.selectedOptions[0].label") == "2 hours per player"
    page.get_by_text("More choices").click()
    page.get_by_role("button", name="Add a seat").click()  # for a second planner
    expect(unrated).to_be_visible()
    page.get_by_role("button", name="Remove seat 3").click()
    expect(unrated).to_have_count(0)
    page.get_by_text("More choices").click()
    page.locator(".who-plays select").nth(1).select_option("open")
    clock.select_option(label="5 minutes for each decision")
    page.get_by_label("Who sees it").select_option("unlisted")
    page.get_by_label("First player").select_option("1")
    expect(unrated).to_be_visible()
    page.click("button.play")
    page.wait_for_url("**/games/*")
    view = as_who_sits_there(page, its.url).view(page.url.rpartition("/")[2])
    assert re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", view["seats"][0]["player"]["name"])
    assert (view["status"], len(view["seats"])) == ("lobby", 2)
    assert view["clock"] == {"per_decision": 300.0, "on_timeout": "resign"}
    assert view["visibility"] == "unlisted"


@pytest.mark.quick
def test_an_account_is_renamed_saved_lost_and_taken_up_elsewhere(window):
    its = window()
    page = its.open("/")
    page.click(".chip")
    page.get_by_label("Name").fill("Ann")
    page.get_by_role("button", name="Make an account").click()
    expect(page.locator(".chip bdi")).to_have_text("Ann")
    page.get_by_label("Name").fill("Anna")
    page.get_by_role("button", name="Change").click()
    expect(page.locator(".chip bdi")).to_have_text("Anna")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the token").click()
    saved = download.value.path()
    account = page.evaluate(KEPT)
    assert json.loads(saved.read_text()) == {"service": its.url, **account}
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator(".chip")).to_contain_text("Guest")
    assert page.evaluate(KEPT) is None

    hers = window()
    hers.expected = "ERR_INCOMPLETE_CHUNKED"  # the account's stream is cut as the account goes
    other = hers.open("/")
    other.click(".chip")
    other.set_input_files(
        "input[type=file]",
        files=[{"name": "no.txt", "mimeType": "text/plain", "buffer": b"nothing"}],
    )
    expect(other.locator("dialog [role=alert]")).to_have_text("There is no token in this file.")
    other.set_input_files(
        "input[type=file]",
        files=[{"name": "fogg.json", "mimeType": "text/plain", "buffer": saved.read_bytes()}],
    )
    expect(other.locator(".chip bdi")).to_have_text("Anna")
    other.click(".chip")
    other.get_by_role("button", name="Delete the account").click()
    other.get_by_role("button", name="Delete the account", exact=True).click()
    expect(other.locator("dialog [role=status]")).to_have_text("The account is deleted.")
    with pytest.raises(Problem, match="no player"):
        Client(its.url).get(f"/v1/players/{account['id']}")


def test_an_account_that_the_service_does_not_know_is_forgotten_and_said_so(window):
    its = window()
    its.page.add_init_script("""localStorage.fogg ??= localStorage.setItem("fogg-account",
        '{"id": "p_0", "name": "Ann", "token": "fogg_gone"}') ?? "set";""")
    page = its.open("/")
    expect(page.locator(".forgotten")).to_contain_text("no longer exists")
    page.wait_for_selector(".lobby")
    assert page.evaluate(KEPT) is None
    assert all("401" in error or "404" in error for error in its.errors)
    its.errors.clear()


@pytest.mark.quick
def test_a_public_game_is_joined_and_its_turns_are_noticed_elsewhere(window, bea):
    game = seated(bea, others=(OPEN,))
    page = window().open("/")
    page.locator(".joinable li", has=page.locator(f"a[href='/games/{game}']")).get_by_role(
        "button", name="Join"
    ).click()
    page.wait_for_url(f"**/games/{game}")
    assert bea.view(game)["status"] == "playing"
    page.click(".home")
    expect(page.locator(".turn")).to_have_text("Your turn in a game")
    expect(page).to_have_title("(1) Fogg")
    expect(page.locator(".mine .yours")).to_contain_text("your turn")
    card = page.locator(f".now [data-game='{game}']")
    card.scroll_into_view_if_needed()
    expect(card.locator("svg")).to_be_visible()
    play_first(bea, game)
    resign(bea, game)
    expect(card).to_contain_text("over")
    expect(page.locator(".turn")).to_have_count(0)


def test_games_that_are_played_keep_their_places_and_ones_own_have_one(window):
    """Also if a game of one's own is seen last."""
    page = window().open("/")
    page.wait_for_selector(".lobby")
    assert page.evaluate("""async () => {
      const load = (name) => import(new URL(name, document.querySelector('script[src]').src));
      const { NowPlaying } = await load('lobby/now.mjs');
      const { account, signedIn } = await load('account.mjs');
      await signedIn('Ann');
      const now = new NowPlaying(document.createElement('div'), new Map());
      now.close();
      const game = (id, at, seats = []) => ({ id, board: 'x', status: 'playing', seats,
        deciding: [], created: String(at) });
      const shown = () => {
        now.update();
        return now.shown.join('');
      };
      now.happened(new Map([...'abcdefgh'].map((id, at) => [id, game(id, 9 - at)])), {});
      const all = [shown()];
      now.games.delete('b');
      all.push(shown());
      const seats = [{ player: { id: account().id, name: 'Ann' } }];
      for (const id of 'mn') {
        now.happened(now.games.set(id, game(id, 0, seats)), { type: 'begun' });
        all.push(shown());
      }
      return all;
    }""") == ["abcdef", "agcdef", "agcdem", "agcdnm"]


def test_games_in_the_lobby_keep_their_places_while_others_come_and_go(window, bea):
    """Nobody is led to another game than they were about to click on."""
    first, second = (seated(bea, others=(OPEN,)) for _ in range(2))
    its = window(alone=True)
    its.context.clock.install()
    page = its.open("/")
    rows = page.locator(".joinable .game-row .name")
    expect(rows.nth(1)).to_have_attribute("href", f"/games/{first}")
    third = seated(bea, others=(OPEN,))
    with page.expect_response(lambda answer: "status=lobby" in answer.url):
        page.clock.run_for(15_000)
    expect(page.locator(f".joinable [href='/games/{third}']")).to_be_visible()
    links = [row.get_attribute("href").rpartition("/")[2] for row in rows.all()]
    assert links[:2] == [second, first]


def invite(caller: Client, other: str, board: str = "london", **options) -> str:
    """Create a game of a caller and an invited account; return its id."""
    return caller.post(
        "/v1/games",
        {"board": board, "options": options, "seats": [{"player": "me"}, {"invite": other}]},
    )["id"]


@pytest.mark.quick
def test_every_screen_shows_an_invitation_until_it_is_answered_in_the_lobby(window, bea, cleo):
    me = cleo.get("/v1/me")["id"]
    page = window(by=cleo).open("/boards")
    private = invite(bea, me, visibility="private")
    hint = page.get_by_role("link", name="Somebody wants to play with you")
    expect(hint).to_be_visible()
    page.get_by_role("link", name="Leaderboards").click()
    page.wait_for_url("**/leaderboards")
    expect(hint).to_be_visible()
    hint.click()
    asked = page.get_by_role("region", name="For you")
    expect(asked).to_contain_text("Cleo (invited)")
    expect(hint).to_have_count(0)
    invite(bea, me, "paris")
    expect(asked.get_by_role("listitem")).to_have_count(2)
    paris = asked.get_by_role("listitem").filter(has_text="Paris")
    paris.get_by_role("button", name="Decline").click()
    expect(asked.get_by_role("listitem")).to_have_count(1)
    asked.get_by_role("link", name="London").click()
    page.wait_for_url(f"**/games/{private}")
    expect(page.get_by_role("button", name="Decline")).to_be_visible()
    page.go_back()
    asked.get_by_role("button", name="Accept").click()
    page.wait_for_url(f"**/games/{private}")
    assert cleo.view(private)["status"] == "playing"


def test_all_invitations_are_declined_at_once(window, bea, cleo):
    me = cleo.get("/v1/me")["id"]
    games = [invite(bea, me), invite(bea, me, "paris")]
    page = window(by=cleo).open("/")
    asked = page.get_by_role("region", name="For you")
    expect(asked.get_by_role("listitem")).to_have_count(2)
    asked.get_by_role("button", name="Decline all").click()
    expect(asked).to_have_count(0)
    assert {bea.view(game)["status"] for game in games} == {"finished"}


def test_an_account_blocks_players_and_chooses_which_invitations_it_takes(window, bea, cleo):
    its = window(by=cleo)
    me, other = (client.get("/v1/me")["id"] for client in (cleo, bea))
    page = its.open(f"/players/{other}")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("Blocked: this player and their bots")).to_be_visible()
    with pytest.raises(Problem, match="other player"):
        invite(bea, me)
    page.reload()
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    page.click(".chip")
    dialog = page.locator("dialog.account")
    dialog.get_by_text("Invitations to you").click()
    dialog.get_by_label("Shortest clock").fill("2.5")
    dialog.get_by_label("Most invitations").fill("5")
    dialog.get_by_label("Paris").check()
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_text("Saved.")).to_be_visible()
    own = cleo.get("/v1/me")
    assert own["invitations"] == {"shortest_clock": 2.5, "boards": ["paris"], "open": 5}
    assert own["blocked"] == [other]
    dialog.get_by_role("listitem").filter(has_text="Bea").get_by_role("button").click()
    expect(dialog.get_by_text("Nobody is blocked.")).to_be_visible()
    assert cleo.get("/v1/me")["blocked"] == []
    page.goto(f"{its.url}/players/{me}")
    expect(page.locator("h1")).to_have_text("Cleo")
    assert page.get_by_role("button", name="Block").count() == 0


def test_a_player_is_invited_from_their_page(window, bea, cleo):
    page = window(by=cleo).open(f"/players/{bea.get('/v1/me')['id']}")
    page.get_by_role("link", name="Invite to a game").click()
    page.get_by_role("button", name="Set up and wait").click()
    page.wait_for_url(re.compile(r"/games/g_[0-9a-f]{20}$"))
    expect(page.locator(".joining li").nth(1)).to_contain_text("Bea (invited)")
    assert page.locator(".joining .link").count() == 0  # no seat is open to others
    page.get_by_role("button", name="Withdraw the invitation").click()
    expect(page.get_by_text("It was aborted.")).to_be_visible()


def test_the_invited_join_a_private_game_with_one_click(window, bea):
    game = bea.post(
        "/v1/games",
        {
            "board": "london",
            "seats": [{"player": "me"}, {"open": True}],
            "options": {"visibility": "private"},
        },
    )
    its = window()
    page = its.open(f"/games/{game['id']}#join={game['invitation']}")
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_function("() => !location.hash")
    assert bea.view(game["id"])["status"] == "playing"
    assert not any(game["invitation"] in address for address in its.addresses)
    assert all("404" in error for error in its.errors)  # until one sits there, it is not to be seen
    its.errors.clear()


def test_the_page_is_gone_through_by_keyboard_and_by_the_browsers_buttons(window):
    page = window().open("/")
    page.wait_for_selector("main h1")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.get_by_role("link", name="Boards", exact=True).click()
    expect(page.locator("main h1")).to_be_focused()
    expect(page.locator("nav [aria-current]")).to_have_text("Boards")
    page.go_back()
    page.wait_for_selector(".lobby")
    expect(page).to_have_title("Fogg")


def test_an_open_seat_for_some_ratings_is_found_in_the_lobby_by_those_who_have_one(
    window, bea, cleo
):
    page = window(by=cleo).open("/")
    made = {
        rating: bea.post(
            "/v1/games",
            {"board": "paris", "seats": [{"player": "me"}, {"open": True, "rating_from": rating}]},
        )["id"]
        for rating in (-5, 30)
    }
    row = page.locator(".joinable .game-row")
    page.get_by_role("button", name="Rated", exact=True).click()
    expect(row.filter(has_text="for ratings from -5")).to_have_count(1)
    expect(row.filter(has_text="for ratings from 30")).to_have_count(0)
    row.filter(has_text="for ratings from -5").get_by_role("button", name="Join").click()
    page.wait_for_url(f"**/games/{made[-5]}")
    bea.delete("/v1/me")
