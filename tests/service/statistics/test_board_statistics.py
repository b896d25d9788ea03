"""Statistics count every public game that was played to a result exactly once."""

import pytest

from service.records.recorder import Recorder
from tests.service.callers import Caller, begin, keep_tickets, play_on, won
from tools.generators.openapi_tape import Tape

RESIGN = {"type": "resign"}

pytestmark = pytest.mark.usefixtures("prompt_recorder")


@pytest.fixture
def played(ada, grace):
    """A game of routes and tickets, played to its end."""
    game = begin(ada, grace, seed="11" * 32)
    keep_tickets(game, ada, grace)
    for _ in play_on(
        game,
        [ada, grace],
        lambda actions: next((a for a in actions if a["type"] == "claim_route"), actions[0]),
    ):
        pass
    return game


def board(caller: Caller, name: str = "usa") -> dict:
    return caller.read(f"/v1/stats/boards/{name}")


def test_a_finished_game_is_counted_with_its_seats_routes_and_tickets(app, ada, anybody, played):
    view, shown = ada.view(played), board(anybody)
    assert (shown["board"], shown["games"]) == ("usa", 1)
    assert shown["by_seats"] == [{"seats": 2, "games": 1}]
    results = [seat["result"] for seat in view["seats"]]
    kept = [ticket for seat in view["seats"] for ticket in seat["revealed"]["tickets"]]
    done = sum(result["tickets_completed"] for result in results)
    assert shown["players"] == [
        {
            "seats": 2,
            "player": "person",
            "played": 2,
            "won": sum(result["rank"] == 1 for result in results),
            "mean_score": sum(result["total"] for result in results) / 2,
            "tickets_completed": round(done / len(kept), 4),
        }
    ]
    assert {row["route"] for row in shown["routes"]} == {claim["route"] for claim in view["claims"]}
    assert {(row["claimed"], row["share"]) for row in shown["routes"]} == {(1, 1.0)}
    assert sorted(row["ticket"] for row in shown["tickets"]) == sorted(kept)
    assert sum(row["completed"] for row in shown["tickets"]) == done
    assert anybody.get("/v1/stats/bots").json["items"] == [shown["players"][0] | {"board": "usa"}]


def turns_and_claims(anybody: Caller, game: str) -> dict[str, tuple[int, int]]:
    """Each route that was claimed: by which seat, and in which of its turns."""
    events = [
        event
        for entry in anybody.get(f"/v1/games/{game}/events?limit=1000").json["items"]
        for event in entry["events"]
    ]
    turns, claims = [0, 0], {}
    for event in events:
        if event["type"] == "turn_began":
            turns[event["seat"]] += 1
        elif event["type"] == "route_claimed":
            claims[event["route"]] = event["seat"], turns[event["seat"]]
    return claims


def test_routes_say_how_often_by_winners_and_in_which_turn(ada, grace, anybody, played):
    def rows(name: str = "usa") -> dict[str, tuple]:
        items = board(anybody, name)["routes"]
        counts = [row["claimed"] for row in items]
        assert counts == sorted(counts, reverse=True)
        return {
            row["route"]: (row["claimed"], row["by_winners"], row["mean_turn"]) for row in items
        }

    ranks = [seat["result"]["rank"] for seat in ada.view(played)["seats"]]
    claims = turns_and_claims(anybody, played)
    assert claims
    assert min(turn for _, turn in claims.values()) >= 1
    assert rows() == {
        route: (1, int(ranks[seat] == 1), turn) for route, (seat, turn) in claims.items()
    }
    assert rows("paris") == {}
    game = begin(ada, grace, seed="11" * 32)  # the same again, given up by the seat that begins
    keep_tickets(game, ada, grace)
    for _ in play_on(
        game,
        [ada, grace],
        lambda legal: next((a for a in legal if a["type"] == "claim_route"), legal[0]),
    ):
        if once_more := turns_and_claims(anybody, game):
            break
    [(route, (seat, turn))] = once_more.items()
    (ada, grace)[seat].play(game, RESIGN)
    before = claims[route]
    assert rows()[route] == (2, int(ranks[before[0]] == 1), (before[1] + turn) / 2)


def test_statistics_distinguish_bots_people_and_bots_that_others_run(ada, anybody):
    account = ada.post("/v1/me/bots", {"name": "Adabot"}).json
    bot = Caller(ada.client.application, account)
    for against in ("planner", "greedy"):
        wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}, {"bot": against}]}
        game = ada.post("/v1/games", wish).json["id"]
        bot.post(f"/v1/games/{game}/seats", {})
        for caller in (ada, bot):
            caller.play(game, RESIGN)
    rows = {row["player"]: row for row in anybody.get("/v1/stats/bots").json["items"]}
    assert {name: (row["played"], row["won"]) for name, row in rows.items()} == {
        "external": (2, 0),
        "greedy": (1, 1),
        "person": (2, 0),
        "planner": (1, 1),
    }


def test_only_public_games_with_a_result_count(app, ada, grace, anybody):
    for options in ({"visibility": "private"}, {"visibility": "unlisted"}, {"spectators": False}):
        won(ada, grace, **options)
    origin = begin(ada, grace, first_seat=None)
    keep_tickets(origin, ada, grace)
    grace.play(origin, RESIGN)
    before = board(anybody)
    assert before["games"] == 1
    fork = ada.post(
        "/v1/games",
        {"fork": {"game": origin, "version": 3}, "seats": [{"player": "me"}, {"open": True}]},
    ).json["id"]
    grace.post(f"/v1/games/{fork}/seats", {})
    grace.play(fork, RESIGN)
    aborted = begin(ada, grace)
    ada.post(f"/v1/games/{aborted}/abort", {})
    begin(ada, grace)
    assert board(anybody) == before


def test_nothing_of_a_running_game_is_counted(anybody, ada, grace, mary, game):
    for caller in (ada, grace, mary, anybody):
        assert board(caller)["tickets"] == board(caller)["routes"] == []


# Examples for openapi.yaml


def show_statistics(tape: Tape) -> None:
    """Look at what the finished game adds up to."""
    Recorder(tape.games, tape.games.database).run()
    tape.call("getBotStatistics", "all", "One game has been played", "GET", "/v1/stats/bots")
    tape.call(
        "getBoardStatistics", "usa", "One game has been played", "GET", "/v1/stats/boards/usa"
    )
