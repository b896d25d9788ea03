"""Boards with rules from outside: the page shows what these rules declare."""

import json
from contextlib import closing
from random import Random

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from service.records.database import Database, sqlite_url
from tests.outside import BOARDS as OUTSIDE
from tests.servers import WebService
from tests.service.page.conftest import unfair
from tests.service.page.nodejs import evaluated
from tests.service.players import seated, sign_up
from workers.bots import BOTS

BOARDS = sorted(OUTSIDE.keys() - {"shares"})  # the API knows no action of shares


@pytest.fixture(scope="module")
def url(server, tmp_path_factory):
    """A service with the outside boards."""
    records = sqlite_url(tmp_path_factory.mktemp("records") / "records.sqlite3")
    with closing(Database(records)) as database:
        database.migrate()
    app = "tests.service.page.other_services:with_outside_boards()"
    with WebService(server.url, records, app) as service:
        yield service.url


def begun(url: str, board: str) -> tuple[str, list[Client]]:
    """Return a game of two, Ann to begin."""
    people = sign_up(url, "Ann", "Bea")
    return seated(*people, board=board, seed="7" * 64), people


def act(client: Client, game: str, *wanted: str) -> dict | None:
    """Play the first legal action of the first wanted type that there is; return it."""
    view = client.view(game)
    actions = sorted(
        (one for one in view["you"].get("legal_actions", ()) if one["type"] in wanted),
        key=lambda one: wanted.index(one["type"]),
    )
    if actions:
        client.play(view, actions[0])
    return actions[0] if actions else None


def plan(client: Client, game: str, planner: object) -> dict | None:
    """Play what the built-in planner chooses, if the game waits for it; return it."""
    view = client.view(game)
    action = planner.choose(view) if view["you"].get("legal_actions") else None
    if action:
        client.play(view, action)
    return action


def played(url: str, board: str) -> tuple[str, Client]:
    """Return a game that two have played to its end, and Ann, who claimed all she could, while the
    planner played for Bea."""
    game, [ann, bea] = begun(url, board)
    planner = BOTS["planner"](ann.get(f"/v1/boards/{board}"), Random(0))
    wanted = (
        "keep_tickets",
        "pay_tunnel",
        "withdraw_tunnel",
        "claim_route",
        "draw_card",
        "draw_tickets",
        "pass",
    )
    while act(ann, game, *wanted) or plan(bea, game, planner):
        pass
    return game, ann


@pytest.mark.parametrize("board", BOARDS)
def test_the_final_score_has_each_part_that_the_board_declares(window, url, board):
    game, ann = played(url, board)
    results = [seat["result"] for seat in ann.view(game)["seats"]]
    declared = ann.get(f"/v1/boards/{board}")["declared"]["parts"]
    parts = [name for name in declared if any(result.get(name) for result in results)]
    for result in results:
        assert sum(result.get(name, 0) for name in parts) == result["total"]
    assert board != "mountains" or board in parts
    page = window(url).open(f"/games/{game}")
    rows = page.locator(".scoring tbody tr")
    expect(rows).to_have_count(len(results))
    expect(page.locator(".scoring thead th")).to_have_text(
        ["Rank", *[part.replace("_", " ").capitalize() for part in parts], "Total"]
    )
    for name, result in zip(("Ann", "Bea"), results, strict=True):
        expect(rows.filter(has_text=name).locator("td")).to_have_text(
            [str(result.get(part, 0)) for part in ("rank", *parts, "total")]
        )


def test_the_map_its_key_and_its_list_show_what_a_rule_declares(window, url):
    game, [ann, _] = begun(url, "mountains")
    board = ann.get("/v1/boards/mountains")
    page = window(url).open(f"/games/{game}")
    crossing = [one for one in board["routes"] if one.get("mountains")]
    signs = page.locator(".chart .route-sign")
    expect(signs).to_have_count(sum(one["mountains"] for one in crossing))
    assert set(signs.all_text_contents()) == {board["declared"]["routes"]["mountains"]["sign"]}
    for one in crossing:
        expect(page.locator(f"[data-route='{one['id']}'] .route-sign")).to_have_count(
            one["mountains"]
        )
        covered = page.locator(f"[data-route='{one['id']}'] .symbol").count()
        free = one["length"] - one["mountains"] if one["color"] != "grey" else 0
        assert covered == 2 * free  # each symbol is a path in a group: none lies under a sign
    page.click(".listed summary")
    listed = page.locator(".listed li")
    expect(listed).to_have_count(len(board["routes"]))
    expect(listed.filter(has_text="mountains: ")).to_have_count(len(crossing))
    expect(page.locator("[data-listed=hill--mine]")).to_contain_text("mountains: 2 trains more")
    page.locator("[data-listed=hill--mine]").focus()
    expect(page.locator(".map .hint")).to_contain_text("mountains: 2 trains more")
    page.locator(".chart").focus()
    page.keyboard.press("?")
    key = page.locator("dialog.key")
    expect(
        key.locator("li", has_text="mountains: 1 train more").locator(".route-sign")
    ).to_have_count(1)
    assert unfair(page, "dialog") == []


def test_a_person_chooses_the_cards_where_a_route_takes_any(window, url):
    game, [ann, bea] = begun(url, "freight")
    while not (
        claims := [
            action
            for action in ann.view(game)["you"].get("legal_actions", ())
            if "any" in action.get("cards", ())
        ]
    ):
        assert any(act(client, game, "keep_tickets", "draw_card") for client in (ann, bea))
    [claim, *_] = claims
    chosen, hand = {}, ann.view(game)["you"]["hand"]
    for color in sorted(hand, key=hand.get, reverse=True):  # the service takes the fewest
        chosen[color] = min(hand[color], claim["cards"]["any"] - sum(chosen.values()))
    page = window(url, by=ann).open(f"/games/{game}")
    page.get_by_role("button", name="to claim").click()
    page.click(f"[data-claim='{claim['route']}']")
    form = page.locator("form.any")
    pay = form.get_by_role("button", name="Claim")
    expect(pay).to_be_disabled()
    for color, number in chosen.items():
        form.get_by_label(color).fill(str(number))
    assert unfair(page, ".deeds") == []
    pay.click()
    expect(form).to_have_count(0)
    [claimed] = [
        event
        for entry in ann.get(f"/v1/games/{game}/events")["items"]
        for event in entry["events"]
        if event["type"] == "route_claimed"
    ]
    assert claimed["cards"] == {color: n for color, n in chosen.items() if n}


def test_a_ticket_with_several_values_is_shown_with_them_and_with_what_it_scored(window, url):
    game, ann = played(url, "countries")
    view, tickets = ann.view(game), ann.get("/v1/boards/countries")["tickets"]
    held = [ticket for ticket in tickets if ticket["id"] in view["you"]["tickets"]]
    done = view["seats"][0]["completed"]
    assert done
    assert any("ways" in ticket for ticket in held)
    page = window(url, by=ann).open(f"/games/{game}")
    expect(page.locator(".tickets .ticket")).to_have_count(len(held))
    expect(page.locator(".tickets .done")).to_have_count(len(done))
    expect(page.locator(".tickets .ends", has_text="points by country: ")).to_have_count(
        sum("countries" in ticket for ticket in held)
    )
    points = [int(text.split()[0]) for text in page.locator(".done .points").all_text_contents()]
    lost = sum(
        min(way["points"] for way in ticket.get("ways", [ticket]))
        for ticket in held
        if ticket["id"] not in done
    )
    assert sum(points) - lost == view["seats"][0]["result"]["tickets"]


def test_payments_are_offered_with_the_fewest_wilds_then_the_fewest_cards_first():
    """``inOrder`` of the page, with a hand of 2 red, 6 blue and 2 wild cards."""
    ways = [
        {"blue": 4},
        {"red": 1, "wild": 1},
        {"blue": 1, "red": 1},
        {"red": 2},
        {"blue": 2},
        {"red": 1, "blue": 3},
        {"wild": 2},
    ]
    code = (
        "import { inOrder } from './service/page/play/legal.mjs';"
        f"const ways = {json.dumps([{'cards': cards} for cards in ways])};"
        "console.log(JSON.stringify(inOrder(ways, { red: 2, blue: 6, wild: 2 })))"
    )
    assert [one["cards"] for one in json.loads(evaluated(code))] == [
        {"blue": 2},
        {"blue": 1, "red": 1},
        {"red": 2},
        {"blue": 4},
        {"red": 1, "blue": 3},
        {"red": 1, "wild": 1},
        {"wild": 2},
    ]
