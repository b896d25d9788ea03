"""Tournaments, leaderboards, players and boards in a browser: what the API says, as it happens."""

import re
from decimal import ROUND_HALF_UP, Decimal

import pytest
from fogg_client.client import Client
from playwright.sync_api import Page, expect

from tests.service.players import resign, sign_up
from tests.waiting import until

HOSTILE = "<img src=x onerror=alert(1)> \u05d0\u05d1\u05d2"
BOTS = ("greedy", "planner")


def rows(page: Page, caption: str) -> list[str]:
    """The texts of a table's rows."""
    page.wait_for_selector("main h1")
    return page.get_by_role("region", name=caption, exact=True).locator("tr").all_inner_texts()[1:]


def number(value: float, places: int = 1) -> str:
    """A number as the page writes it: 12.25 is 12.3 and -0.04 is 0.0, unlike in Python."""
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return str(rounded or abs(rounded)).replace("-", "\u2212")


@pytest.fixture(scope="module")
def creator(stack):
    return Client(stack.url).sign_up(HOSTILE)


@pytest.fixture(scope="module")
def cup(stack, creator):
    """A tournament of two built-in bots on London, the same deal from both seats, which is over."""
    made = creator.post(
        "/v1/tournaments", {"name": HOSTILE, "boards": ["london"], "deals": "duplicate"}
    )["id"]
    for bot in BOTS:
        creator.post(f"/v1/tournaments/{made}/entries", {"bot": bot})
    creator.post(f"/v1/tournaments/{made}/start", {})
    return until(
        lambda: (cup := creator.get(f"/v1/tournaments/{made}"))["status"] == "finished" and cup
    )


@pytest.fixture(scope="module")
def rated(creator):
    """Two games of built-in bots on London are over and rated."""
    wish = {"board": "london", "seats": [{"bot": bot} for bot in BOTS]}
    games = {creator.post("/v1/games", wish)["id"] for _ in range(2)}
    path = "/v1/players/bot_planner_0/ratings"
    until(lambda: games <= {row["game"] for row in creator.get(path)["items"]})


@pytest.mark.quick
def test_a_tournament_is_set_up_entered_left_and_started_and_others_see_it_as_it_goes(window):
    host = window().open("/tournaments")
    host.locator("summary").click()
    host.get_by_label("Name").fill(HOSTILE)
    host.get_by_label("Description").fill(f"On Saturday {HOSTILE}")
    host.get_by_label("Rules of the competition").fill("Be fair.")
    host.get_by_label("Europe").uncheck()
    for label in ("London", *BOTS):
        host.get_by_label(label, exact=True).check()
    host.locator("form.setting-up button").click()
    host.wait_for_url("**/tournaments/c_*")
    expect(host.locator("h1")).to_have_text(HOSTILE)
    path = host.url.removeprefix(host.url.split("/tournaments")[0])
    entrants = host.get_by_role("region", name="Entrants").locator("tbody tr")
    expect(entrants).to_have_count(2)
    assert host.locator("main img").count() == 0
    other = window().open(path)
    other.get_by_role("button", name="Enter the tournament").click()
    expect(other.get_by_text("You have entered.")).to_be_visible()
    expect(other.get_by_text(f"On Saturday {HOSTILE}")).to_be_visible()
    expect(other.get_by_text("Be fair.")).to_be_visible()
    expect(entrants).to_have_count(3)  # told by nothing but the API
    other.get_by_role("button", name="Withdraw").click()
    expect(entrants).to_have_count(2)
    assert other.get_by_role("button", name="Start now").count() == 0
    host.get_by_role("button", name="Start now").click()
    expect(other.get_by_role("link", name=re.compile("Watch|Game$"))).to_have_count(1)
    expect(other.get_by_text("All rounds are complete.")).to_be_visible()
    [game] = other.evaluate(f"""async () => (await (await fetch("/v1{path}")).json())
        .rounds[0].tables[0].games""")
    assert other.get_by_role("link", name="Game", exact=True).get_attribute("href") == (
        f"/games/{game['game']}"
    )
    shown = other.locator(".pairing tbody td").all_inner_texts()
    assert [re.sub(r"\D*$", "", text) for text in shown] == [
        number(result["total"], 0) for result in game["results"]
    ]


def test_a_tournament_shows_the_time_of_its_next_round(window, creator):
    made = creator.post(
        "/v1/tournaments", {"name": "League", "round_times": ["2090-01-05T18:00:00Z"]}
    )["id"]
    page = window().open(f"/tournaments/{made}")
    expect(page.get_by_role("status").get_by_text("2090")).to_be_visible()


def test_the_creator_edits_removes_disqualifies_and_ends_and_everybody_sees_why(window, stack):
    people = sign_up(stack.url, "Ann", "Ben", "Cleo", "Dan", "Eve")
    ann = people[0]
    wish = {"name": "Cup", "boards": ["london"], "format": "swiss", "clock": {"per_decision": 3600}}
    cup = ann.post("/v1/tournaments", wish)["id"]
    for who in people:  # without Cleo and Ben, a table is still under way at the end
        who.post(f"/v1/tournaments/{cup}/entries", {})
    host, other = window(by=ann).open(f"/tournaments/{cup}"), window().open(f"/tournaments/{cup}")

    def send(title: str, button: str, **given: str) -> None:
        form = host.locator(".organising details", has_text=title)
        form.locator("summary").click()
        for label, value in given.items():
            field = form.get_by_label(label)
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(label=value)
            else:
                field.fill(value)
        form.get_by_role("button", name=button).click()

    send("Edit name", "Save", Name="Night Cup", Description="Until dawn")
    expect(other.locator("h1")).to_have_text("Night Cup")
    expect(other.get_by_text("Until dawn")).to_be_visible()
    assert other.locator(".organising").count() == 0
    send("Change who may enter", "Save", Entry="closed")
    expect(other.locator("dl", has_text="Entry")).to_contain_text("closed")
    expect(other.get_by_role("button", name="Enter the tournament")).to_have_count(0)
    send("Remove an entrant", "Remove", Entrant="Cleo", Reason="Not a bot")
    expect(other.locator(".traces")).to_contain_text("Removed before the start: Cleo: Not a bot")
    host.get_by_role("button", name="Start now").click()
    until(lambda: ann.get(f"/v1/tournaments/{cup}")["rounds"])
    send("Disqualify", "Disqualify", Entrant="Ben", Reason="Two programs")
    expect(other.locator(".traces")).to_contain_text("Disqualified: Ben: Two programs")
    send("Let an entrant back", "Let", Entrant="Ben")
    expect(other.locator(".traces")).to_contain_text("Disqualification lifted: Ben: Two programs")
    send("End the tournament", "End", Reason="The hall closes")
    expect(other.locator(".traces")).to_contain_text("Ended early by the creator: The hall closes")
    expect(host.locator(".organising summary")).to_have_text(
        ["Edit name, description and rules", "Disqualify an entrant"]
    )


def test_standings_are_those_of_the_api_with_both_games_of_a_deal(window, creator, cup):
    page = window().open(f"/tournaments/{cup['id']}")
    expect(page.locator("h1")).to_have_text(HOSTILE)
    texts = rows(page, "Standings")
    players = {row["entrant"]: row["player"]["name"] for row in cup["entrants"]}
    for row, text in zip(cup["standings"], texts, strict=True):
        assert players[row["entrant"]] in text
        assert number(row["points"]) in text
        assert number(row["mean_total"]) in text
    assert page.locator(".pairing thead a").count() == 2
    expect(page.get_by_text("Duplicate deals")).to_be_visible()
    expect(page.get_by_text("The standings are provisional until")).to_be_visible()
    assert page.get_by_role("link", name="All games (zip)").count() == 0
    host = window(by=creator).open(f"/tournaments/{cup['id']}")
    form = host.locator(".organising details", has_text="Download all games (zip)")
    form.locator("summary").click()
    with host.expect_download() as download:
        form.get_by_role("button").click()
    assert download.value.suggested_filename == f"{cup['id']}.zip"
    page.goto(page.url.rsplit("/", 1)[0])
    expect(page.get_by_role("link", name=HOSTILE).first).to_be_visible()


def test_a_busy_service_is_reported_until_the_screen_loads(window):
    own, is_busy = window(), [True]

    def busy(route):
        if is_busy[0]:
            route.fulfill(
                status=429,
                headers={"Retry-After": "1"},
                body="{}",
                content_type="application/problem+json",
            )
        else:
            route.continue_()

    own.context.route("**/v1/leaderboards/usa*", busy)
    page = own.open("/leaderboards/usa")
    expect(page.locator(".late")).to_have_text("The service is busy. Trying again …")
    is_busy[0] = False
    expect(page.locator("h1")).to_have_text("Leaderboard: USA")
    assert own.errors
    assert all("429" in error for error in own.errors)
    own.errors.clear()


def test_a_table_shows_the_scores_of_its_game_while_it_is_played(window, stack):
    people = sign_up(stack.url, "Ada", HOSTILE)
    ids = [one.get("/v1/me")["id"] for one in people]
    path = people[0].post("/v1/tournaments", {"name": "Slow", "boards": ["london"]})["id"]
    path = f"/tournaments/{path}"
    for one in people:
        one.post(f"/v1{path}/entries", {})
    page = window().open("/tournaments")
    row = page.get_by_role("region", name="Open for entry").get_by_role("row", name="Slow")
    expect(row).to_contain_text("London")
    row.get_by_role("link").click()
    people[0].post(f"/v1{path}/start", {})
    expect(page.get_by_role("link", name="Watch")).to_be_visible()
    [[game]] = [table["games"] for table in people[0].get(f"/v1{path}")["rounds"][0]["tables"]]
    shown = page.locator(".pairing tbody td")
    expect(shown).to_contain_text(["0 so far", "0 so far"])
    view, scores = people[0].view(game["game"]), [0, 0]
    while not any(scores):
        seat = view["deciding"][0]["seat"]
        one = people[ids.index(view["seats"][seat]["player"]["id"])]
        legal = one.view(game["game"])["you"]["legal_actions"]
        view = one.play(
            one.view(game["game"]),
            next((action for action in legal if action["type"] == "claim_route"), legal[0]),
        )["view"]
        scores = [seat["score"] for seat in view["seats"]]
    expect(shown).to_contain_text([f"{score} so far" for score in scores])
    expect(shown.nth(view["deciding"][0]["seat"])).to_contain_text("to play")
    resign(people[0], game["game"])
    expect(page.get_by_role("link", name="Game", exact=True)).to_be_visible()


@pytest.mark.quick
def test_a_leaderboard_shows_ratings_and_leads_to_players(window, creator, rated):
    page = window().open("/leaderboards/london")

    def agree() -> bool:
        page.reload()
        shown = rows(page, "Leaderboard: London")
        listed = creator.get("/v1/leaderboards/london")["items"]
        return len(shown) == len(listed) and all(
            " ".join(row["player"]["name"].split()) in text and number(row["rating"]) in text
            for row, text in zip(listed, shown, strict=True)
        )

    until(agree)  # a game that another test has left may be counted in between
    page.get_by_label("only active in the last 30 days").check()
    page.wait_for_url("**/leaderboards/london?active=")
    page.get_by_role("link", name="planner").first.click()
    expect(page.locator("h1")).to_have_text("planner")


def test_a_players_plot_is_walked_along_by_keys_and_stands_as_a_table_behind(
    window, creator, rated
):
    page = window().open("/players/bot_planner_0")
    plot, told = page.get_by_role("slider"), page.locator(".told")

    def agree() -> bool:
        page.reload()
        plot.focus()
        last = told.inner_text()
        page.keyboard.press("Home")
        rated = creator.get("/v1/players/bot_planner_0/ratings", board="london", limit=200)["items"]
        return (
            f"rating {number(rated[0]['after']['rating'])}" in last
            and f"rating {number(rated[-1]['before']['rating'])}" in told.inner_text()
            and page.locator("details tbody tr").count() == len(rated)
        )

    until(agree)
    page.get_by_text("All rated games as a table").click()
    assert len(rows(page, "Rating over time: London")) >= 2
    assert plot.input_value() == "0"
    game = creator.post(
        "/v1/games", {"board": "london", "seats": [{"bot": "planner"}, {"bot": "greedy"}]}
    )["id"]
    until(lambda: creator.view(game)["status"] == "finished")
    page.get_by_label(re.compile("against greedy")).click()
    record = page.get_by_role("region", name=re.compile("planner.* against .*greedy"))
    expect(record.locator("tbody tr").first).to_contain_text("All boards")
    between = page.get_by_role("region", name=re.compile("^Games: .*planner.* against .*greedy"))

    def leads_to_the_games() -> bool:
        page.reload()
        expect(between).to_be_visible()
        listed = creator.get(
            "/v1/games", bot="planner", opponent="bot_greedy_0", status="finished", limit=10
        )["items"]
        return between.locator("tbody th a[href^='/games/']").evaluate_all(
            "(links) => links.map((link) => link.pathname)"
        ) == [f"/games/{row['id']}" for row in listed]

    until(leads_to_the_games)  # one more may be over in between


def test_a_boards_routes_are_sorted_and_searched(window, creator, rated):
    page = window().open("/boards/london")
    board = creator.get("/v1/boards/london")
    assert len(rows(page, "Routes")) == len(board["routes"])
    assert len(rows(page, "Tickets")) == len(board["tickets"])
    length = page.get_by_role("region", name="Routes").get_by_role("button", name="Length")
    length.click()
    lengths = page.get_by_role("region", name="Routes").locator("tbody td:nth-child(3)")
    assert [int(text) for text in lengths.all_inner_texts()] == sorted(
        (row["length"] for row in board["routes"]), reverse=True
    )
    page.locator("[data-location=big-ben]").click()
    expect(page.get_by_label("Search by location")).to_have_value("Big Ben")
    ends = [row for row in board["routes"] if "big-ben" in (row["a"], row["b"])]
    expect(page.get_by_role("region", name="Routes").locator("tbody tr")).to_have_count(len(ends))
    expect(page.get_by_text("A district whose places")).to_be_visible()
    games = creator.get("/v1/stats/boards/london")["games"]
    assert games >= 2
    expect(page.get_by_text(re.compile(r"\d+ games finished"))).to_be_visible()
