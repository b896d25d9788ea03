"""Records against opponents, and the conduct of a player, from finished games."""

import pytest

from service.records.recorder import Recorder
from tests.service.callers import Caller, begin, create, keep_tickets, pages, play_on, won
from tools.generators.openapi_tape import Tape

RESIGN = {"type": "resign"}

pytestmark = pytest.mark.usefixtures("prompt_recorder")


def against(one: Caller, other: Caller) -> dict:
    [row] = one.read(f"/v1/players/{one.id}/opponents?opponent={other.id}")["items"]
    return row


def counts(row: dict) -> tuple:
    return row["games"], row["wins"], row["draws"], row["losses"]


def played(*callers: Caller, **options) -> list[tuple[int, int]]:
    """Play a game to its end; return the totals and the ranks."""
    game = begin(*callers, **options)
    for _ in play_on(
        game,
        list(callers),
        lambda legal: max(legal, key=lambda action: sum(action.get("cards", {}).values())),
    ):
        pass
    results = [seat["result"] for seat in callers[0].view(game)["seats"]]
    return [(result["total"], result["rank"]) for result in results]


def test_two_players_have_a_record_from_all_games_that_both_have_played(ada, grace, mary, anybody):
    grace.play(begin(ada, grace), RESIGN)
    mary.play(three := begin(ada, grace, mary), RESIGN)
    ada.play(three, RESIGN)
    (own, place), (other, behind) = played(ada, grace)
    record = against(ada, grace)
    assert counts(record) == (3, 1 + (place < behind), place == behind, 1 + (place > behind))
    assert record["margin"] == own - other == -against(grace, ada)["margin"]
    assert record["player"] == {"id": grace.id, "name": "Grace"}
    assert record["boards"] == [
        {"board": "usa"}
        | {name: record[name] for name in ("games", "wins", "draws", "losses", "margin")}
    ]
    assert counts(against(ada, mary)) == (1, 1, 0, 0)
    assert "margin" not in against(ada, mary)
    page = anybody.get(f"/v1/players/{ada.id}/opponents").json
    assert [(row["player"]["name"], row["games"]) for row in page["items"]] == [
        ("Grace", 3),
        ("Mary", 1),
    ]
    parts = pages(anybody, f"/v1/players/{ada.id}/opponents", limit=1)
    assert parts == [[row] for row in page["items"]]


def test_the_games_of_two_accounts_are_listed(ada, grace, mary, anybody):
    both = f"player={ada.id}&opponent={grace.id}", f"player={grace.id}&opponent={ada.id}"
    games = [won(*players) for players in ((ada, grace), (ada, mary), (ada, grace, mary))]
    begin(ada, grace)
    for query in both:
        rows = anybody.get(f"/v1/games?{query}&status=finished").json["items"]
        assert [row["id"] for row in rows] == [games[2], games[0]]
    assert len(rows) == against(ada, grace)["games"]
    own = ada.get(f"/v1/games?player={grace.id}&opponent=me&status=finished").json["items"]
    assert own == rows
    assert anybody.get(f"/v1/games?player={ada.id}&opponent=p_nobody").json["items"] == []


def test_an_account_that_has_met_nobody_has_no_opponents(ada, grace, anybody, is_problem):
    assert anybody.get(f"/v1/players/{ada.id}/opponents").json == {"items": [], "next": None}
    is_problem(anybody.get("/v1/players/p_nobody/opponents"), 404, "unknown-player")
    one = f"/v1/players/{ada.id}/opponents?opponent="
    assert anybody.get(one + grace.id).json["items"] == []
    is_problem(anybody.get(f"{one}p_nobody"), 404, "unknown-player")
    assert "conduct" not in anybody.get(f"/v1/players/{ada.id}").json


def test_all_copies_of_a_built_in_bot_are_one_opponent(ada, anybody):
    games = []
    for seats in ([{"player": "me"}, {"bot": "planner"}], [{"bot": "planner"}, {"player": "me"}]):
        games.append(ada.post("/v1/games", {"board": "usa", "seats": seats}).json["id"])
        ada.play(games[-1], RESIGN)
    [row] = anybody.get(f"/v1/players/{ada.id}/opponents").json["items"]
    bot = row["player"]["id"]
    ada.play(create(ada, {"bot": "greedy"}, {"bot": "greedy"})["id"], RESIGN)
    assert anybody.get(f"/v1/players/{ada.id}/opponents").json["items"] == [row]
    for query in (f"player={ada.id}&opponent={bot}", f"bot=planner&opponent={ada.id}"):
        items = anybody.get(f"/v1/games?{query}").json["items"]
        assert [item["id"] for item in items] == games[::-1]
    assert anybody.get(f"/v1/games?player={ada.id}&opponent=bot_random_0").json["items"] == []


def test_a_players_page_says_how_long_they_take_to_decide_and_how_often_too_long(
    ada, grace, anybody
):
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    ada.play(game, {"type": "draw_card", "from": "deck"})
    ada.play(game, {"type": "draw_card", "from": "deck"})
    for action in ({"type": "draw_card", "from": "row", "card": "no"}, {"type": "pass"}, RESIGN):
        grace.act(game, action)
    assert ada.act(game, {"type": "pass"}).status_code == 409  # it came late
    page = anybody.get(f"/v1/players/{ada.id}").json
    conduct = page["conduct"]
    assert (conduct["decisions"], conduct["timeouts"], conduct["faults"]) == (3, 0, 0)
    assert 1 <= conduct["latency"]["median"] <= conduct["latency"]["p95"] < 60_000
    conduct = anybody.get(f"/v1/players/{grace.id}").json["conduct"]
    assert (conduct["decisions"], conduct["faults"]) == (1, 2)


# Examples for openapi.yaml


def show_opponents(tape: Tape) -> None:
    """Look how players did against each other."""
    Recorder(tape.games, tape.games.database).run()
    ada = tape.ask("GET", "/v1/me", by="ada").json["id"]
    path = f"/v1/players/{ada}"
    items = tape.call("listOpponents", "opponents", "Ada's opponents", "GET", f"{path}/opponents")[
        "items"
    ]
    opponent = items[0]["player"]["id"]
    tape.call(
        "listOpponents",
        "one",
        "Ada against one opponent",
        "GET",
        f"{path}/opponents?opponent={opponent}",
    )
    tape.call(
        "listOpponents",
        "unknown-player",
        "No such account",
        "GET",
        f"{path}/opponents?opponent=p_{20 * '0'}",
    )
    tape.call(
        "listGames",
        "opponent",
        "The last game of Ada against this opponent",
        "GET",
        f"/v1/games?player={ada}&opponent={opponent}&limit=1",
    )
