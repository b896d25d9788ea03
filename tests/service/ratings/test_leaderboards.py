"""Ratings over the API: leaderboards, players' pages, and secrets that must not leak early."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from fogg_client.client import Client

from cli.commands import fogg
from service.accounts import bots
from service.games.strengths import OVERALL
from service.operation.stack import Stack
from service.ratings import leaderboards
from service.records.recorder import Recorder
from tests.service.callers import Caller, begin, keep_tickets, pages, sign_up, won
from tests.service.callers import create as create_game
from tests.service.looks import direct
from tests.service.records.counted import game, rate, standings
from tests.service.tournaments.test_tournaments import begun, create, enter, games_of, resign, see
from tools.generators.openapi_tape import Tape

RESIGN = {"type": "resign"}
PROGRAM = Path(__file__).parents[3] / "tools" / "ratings.py"


@pytest.fixture
def swept(recorder):
    """Record the games that are over."""
    return recorder.run


def board(caller: Caller, name: str = "overall", **query) -> list[dict]:
    return caller.read(f"/v1/leaderboards/{name}", query_string=query)["items"]


def names(rows: list[dict]) -> list[str]:
    return [row["player"]["name"] for row in rows]


def test_a_finished_game_rates_its_players_over_all_and_on_its_board(
    ada, grace, mary, anybody, swept
):
    won(ada, grace, mary)
    won(grace, ada, board="europe")
    swept()
    of_three, of_two = (0, "Ada", "Grace", "Mary"), (1, "Grace", "Ada")
    expected = {
        "overall": (of_three, of_two),
        "usa": (of_three,),
        "europe": (of_two,),
        "london": (),
    }
    for name, games in expected.items():
        after = {
            who: (standing.mu, standing.sigma)
            for who, standing in standings(game(*row, idle=(0, 1, 2)) for row in games).items()
        }
        rows = board(anybody, name)
        assert {
            row["player"]["name"]: (row["mu"], row["sigma"], row["rating"]) for row in rows
        } == {
            who: (round(mu, 4), round(sigma, 4), round(mu - 3 * sigma, 4))
            for who, (mu, sigma) in after.items()
        }
        assert [row["rank"] for row in rows] == [*range(1, len(after) + 1)]
        assert {row["provisional"] for row in rows} <= {True}
    assert [
        (row["board"], row["players"], row["settled"])
        for row in anybody.get("/v1/leaderboards").json["items"]
    ][:1] == [("overall", 3, 0)]
    top = board(anybody, "usa")[0]
    assert (top["player"], top["games"], top["wins"]) == ({"id": ada.id, "name": "Ada"}, 1, 0)


def test_a_built_in_bot_is_one_player_on_every_seat(ada, anybody, swept):
    for seats in ([{"player": "me"}, {"bot": "planner"}], [{"bot": "planner"}, {"player": "me"}]):
        game = ada.post("/v1/games", {"board": "usa", "seats": seats}).json["id"]
        ada.play(game, RESIGN)
    swept()
    rows = board(anybody, "usa")
    assert rows[0]["player"] == {"id": "bot_planner_0", "name": "planner", "bot": "planner"}
    assert [row["games"] for row in rows] == [2, 2]
    [game, _] = anybody.get(f"/v1/players/{ada.id}/ratings").json["items"]
    assert game["opponents"] == [{"player": rows[0]["player"], "rank": 1}]


def test_overall_a_built_in_bot_is_another_player_on_each_board_and_in_no_list(
    ada, grace, anybody, swept, redis
):
    bots.register(redis)
    for name in ("usa", "london"):
        for caller in (ada, grace):
            caller.play(create_game(caller, {"bot": "learned"}, board=name)["id"], RESIGN)
    swept()
    assert sorted(names(board(anybody))) == ["Ada", "Grace"]
    page = anybody.get("/v1/players/bot_learned_0").json
    assert {row["board"]: row["games"] for row in page["ratings"]} == {"london": 2, "usa": 2}
    assert page["endings"] == {"finished": 4, "resigned": 0, "timed_out": 0, "aborted": 0}
    assert "versions" not in page
    rows = anybody.get("/v1/players/bot_learned_0/ratings").json["items"]
    assert [(row["board"], row["before"]["mu"], row["before"]["sigma"]) for row in rows[1::2]] == [
        ("london", 13.0, 2.0833),
        ("usa", 29.0, 2.0833),
    ]


LIVE = {"board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]}
CUP = {"name": "Cup"}


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        (LIVE, ""),
        (LIVE | {"options": {"clock": {"per_decision": 60}}}, ""),
        (LIVE | {"options": {"clock": {"per_decision": 600}}}, "over two hours"),
        (
            LIVE
            | {
                "options": {"clock": {"per_decision": 0.6}},
                "seats": [{"player": "me"}, {"bot": "expert"}],
            },
            "too short for expert",
        ),
        (LIVE | {"options": {"clock": {"per_decision": 0.2}}}, "half a second"),
        (LIVE | {"options": {"first_seat": 1}}, "first seat"),
        (LIVE | {"options": {"seed": "5e" * 32}}, "cards"),
        (LIVE | {"options": {"visibility": "unlisted"}}, "find it"),
        (CUP, ""),
        (CUP | {"max_entrants": 3}, "four owners"),
        (CUP | {"clock": {"per_decision": 100}}, "over two hours"),
        (CUP | {"clock": {"per_decision": 0.1}}, "half a second"),
        *(
            (CUP | hidden, "find and enter")
            for hidden in ({"visibility": "unlisted"}, {"entry": "invitation"})
        ),
    ],
)
def test_the_answer_that_creates_a_game_or_a_cup_says_why_it_will_not_be_rated(ada, wish, reason):
    path = "/v1/games" if "board" in wish else "/v1/tournaments"
    made, again = (ada.post(path, wish, headers={"Idempotency-Key": "once"}) for _ in range(2))
    assert reason in made.json.get("unrated", "")
    assert ("unrated" in made.json) is bool(reason)
    assert again.data == made.data
    if wish is LIVE:
        assert made.json["clock"] == {
            "per_decision": 259_200,
            "total": 7_200,
            "on_timeout": "resign",
        }


def test_the_games_of_a_deal_count_once_the_last_one_is_over_and_reveal_nothing_before(
    app, ada, grace, mary, anybody, tournaments, swept
):
    leaving = mary, sign_up(app, "Joan")
    cup = begun(tournaments, ada, grace, leaving=leaving, format="knockout", deals="duplicate")
    first, second = games_of(cup)
    pages = f"players/{ada.id}", f"players/{ada.id}/ratings", "leaderboards", "leaderboards/usa"
    before = [anybody.get(f"/v1/{page}").data for page in pages]
    resign(grace, first)
    swept()
    assert [anybody.get(f"/v1/{page}").data for page in pages] == before
    while_open = won(ada, mary)  # counts before them, though it is over after one of them
    swept()
    time.sleep(0.002)
    resign(ada, second)
    swept()
    rows = anybody.get(f"/v1/players/{ada.id}/ratings").json["items"]
    order = [row["game"] for row in rows[::-1]]
    assert order == [while_open, *sorted((first["game"], second["game"]))]
    assert rows[0]["at"] == rows[1]["at"] > rows[2]["at"]
    last = anybody.get(f"/v1/games/{second['game']}/events").json["items"][-1]
    assert rows[0]["at"] == last["at"]


def test_a_player_is_shown_with_ratings_and_latest_games(ada, grace, mary, anybody, swept):
    games = [won(ada, grace), won(mary, ada, grace), won(ada, grace, board="paris")]
    won(ada, grace, visibility="private")
    swept()
    page = anybody.get(f"/v1/players/{ada.id}").json
    assert [row["board"] for row in page["ratings"]] == ["overall", "paris", "usa"]
    for row in page["ratings"]:
        of_board = next(r for r in board(anybody, row["board"]) if r["player"]["id"] == ada.id)
        del of_board["player"]
        assert row == of_board | {"board": row["board"]}
    assert [row["game"] for row in page["recent"]] == games[::-1]
    last, middle, first = page["recent"]
    assert middle["opponents"] == [
        {"player": {"id": mary.id, "name": "Mary"}, "rank": 1},
        {"player": {"id": grace.id, "name": "Grace"}, "rank": 3},
    ]
    assert (first["rank"], middle["rank"], last["board"]) == (1, 2, "paris")
    assert first["before"] == {"rating": 0.0, "mu": 25.0, "sigma": 8.3333}
    assert (first["after"], middle["after"]) == (middle["before"], last["before"])
    assert page["endings"] == {"finished": 2, "resigned": 1, "timed_out": 0, "aborted": 0}
    assert anybody.get(f"/v1/players/{grace.id}").json["endings"] == {
        "finished": 0,
        "resigned": 3,
        "timed_out": 0,
        "aborted": 0,
    }
    overall = page["ratings"][0]
    assert last["after"] == {name: overall[name] for name in ("rating", "mu", "sigma")}


def test_a_history_is_paged_and_of_one_board_if_wished(ada, grace, anybody, swept, is_problem):
    games = [won(ada, grace, board=("usa", "paris")[number % 2]) for number in range(5)]
    swept()
    path = f"/v1/players/{ada.id}/ratings"
    parts = pages(anybody, path, limit=2)
    assert [row["game"] for rows in parts for row in rows] == games[::-1]
    of_paris = anybody.get(f"{path}?board=paris").json["items"]
    assert [row["game"] for row in of_paris] == [games[3], games[1]]
    assert of_paris[1]["before"]["mu"] == 25.0
    assert anybody.get(f"{path}?board=london").json == {"items": [], "next": None}
    for bad in ("?after=1", "?limit=0", "?limit=201", "?x=1"):
        is_problem(anybody.get(path + bad), 422, "malformed")


def test_a_leaderboard_names_the_owner_of_a_bot(app, ada, grace, anybody, swept):
    made = ada.post("/v1/me/bots", {"name": "Adabot"}).json
    won(Caller(app, made), grace)
    swept()
    rows = {row["player"]["id"]: row for row in board(anybody, "usa")}
    assert rows[made["id"]]["owner_name"] == "Ada"
    assert "owner_name" not in rows[grace.id]


def test_each_version_of_a_bot_has_ratings_of_its_own(app, ada, grace, anybody, swept):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Bot", "version": "1.0"}).json)
    page = f"/v1/players/{bot.id}"
    won(grace, bot)
    swept()
    first = anybody.get(page).json
    bot.patch("/v1/me", {"version": "2.0"})
    assert anybody.get(page).json["ratings"] == first["ratings"]
    won(bot, grace)
    swept()
    second = anybody.get(page).json
    assert {row["version"] for row in second["ratings"]} == {"2.0"}
    assert [
        row["player"].get("version") for row in board(anybody) if row["player"]["id"] == bot.id
    ] == ["2.0"]
    assert (first["versions"], second["versions"]) == (["1.0"], ["1.0", "2.0"])
    assert second["recent"][0]["before"]["mu"] == first["recent"][0]["after"]["mu"]
    old = anybody.get(f"{page}?version=1.0").json
    assert old["recent"] == first["recent"]
    assert (old["ratings"][0]["mu"], old["ratings"][0]["games"]) == (first["ratings"][0]["mu"], 1)
    for path, count in (("", 1), ("?version=1.0", 1), ("?version=3", 0), ("?version=", 0)):
        assert len(anybody.get(f"{page}/ratings{path}").json["items"]) == count


def test_a_leaderboard_may_have_active_players_alone(
    ada, grace, mary, anybody, database, is_problem
):
    rate(
        database,
        game(1, ada.id, mary.id),
        game(2, mary.id, ada.id, days=10),
        *(game(n, grace.id, f"p_{n}") for n in range(3, 40)),
    )
    everybody = board(anybody, limit=200)
    active = [row for row in everybody if row["player"]["id"] in (ada.id, mary.id)]
    since = {"active_since": "2026-05-10T00:00:00Z"}
    assert board(anybody, **since) == active
    assert board(anybody, active_since=active[0]["last_played"]) == active
    assert board(anybody, active_since="2026-06-01T00:00:00Z") == []
    parts = pages(anybody, "/v1/leaderboards/overall", **since, limit=1)
    assert [row for rows in parts for row in rows] == active
    assert len(parts) >= len(everybody) / 10
    is_problem(anybody.get("/v1/leaderboards/overall?active_since=May"), 422, "malformed")


def played_and_lost(loser: Caller, winner: Caller) -> None:
    """Play until both have posted ten actions; then the first resigns."""
    game = begin(loser, winner, first_seat=None)
    keep_tickets(game, loser, winner)
    callers = [loser, winner]
    for _ in range(20):
        caller = callers[loser.view(game)["deciding"][0]["seat"]]
        caller.play(game, {"type": "draw_card", "from": "deck"})
    loser.play(game, RESIGN)


def lost_to_planner(tournaments, loser: Caller, *leaving: Caller, **wish) -> None:
    """Play a tournament against ``planner``, which the loser resigns. Others leave before."""
    cup = create(loser, format="knockout", **wish)
    assert enter(loser, cup, bot="planner").status_code == 201
    for caller in (loser, *leaving):
        assert enter(caller, cup).status_code == 201
    assert loser.post(f"/v1/tournaments/{cup['id']}/start", {}).status_code == 200
    for caller in leaving:
        assert caller.delete(f"/v1/tournaments/{cup['id']}/entries/me").status_code == 204
    direct(tournaments)
    for one in games_of(see(loser, cup)):
        resign(loser, one)


def test_ratings_can_be_computed_from_the_histories_as_the_documentation_shows(
    app, ada, grace, mary, anybody, swept, tournaments, database
):
    won(ada, grace)
    won(mary, grace, ada, board="paris")
    won(ada, grace, seed="5e" * 32)
    won(ada, mary, first_seat=1)
    for _ in range(2):
        played_and_lost(mary, ada)
    bot = Caller(ada.client.application, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    won(grace, bot)
    won(ada, bot)
    bot.patch("/v1/me", {"version": "2.0"})
    won(grace, bot)
    for name in ("usa", "london"):
        mary.play(create_game(mary, {"bot": "greedy"}, board=name)["id"], RESIGN)
    closing = create_game(ada, {"bot": "greedy"}, {"open": True}, first_seat=2)["id"]
    assert ada.post(f"/v1/games/{closing}/start", {}).status_code == 200  # its first seat is drawn
    ada.play(closing, RESIGN)
    for deals in ("independent", "duplicate"):
        for wish in ({}, {"visibility": "unlisted"}, {"clock": {"per_decision": 30 * 86_400}}):
            lost_to_planner(tournaments, mary, ada, grace, deals=deals, **wish)
        lost_to_planner(tournaments, mary, ada, deals=deals)  # of three owners
    leaving = mary, sign_up(app, "Joan")
    cup = begun(tournaments, ada, grace, leaving=leaving, format="knockout", deals="duplicate")
    first, second = games_of(cup)
    grace.play(first["game"], RESIGN)
    won(mary, ada)  # counts before the deal, which is not over
    grace.play(second["game"], RESIGN)
    swept()

    def compute(histories: bytes, *board: str) -> list[list[str]]:
        done = subprocess.run(
            [sys.executable, PROGRAM, *board], capture_output=True, timeout=60, input=histories
        )
        assert done.returncode == 0, done.stderr
        return sorted(line.split() for line in done.stdout.decode().splitlines())

    def numbers(row: dict, name: str) -> list[str]:
        return [f"{row[member]:.4f}" for member in ("rating", "mu", "sigma")] + [name]

    def rows(scope: str) -> list[list[str]]:
        old = next(
            row
            for row in anybody.get(f"/v1/players/{bot.id}?version=").json["ratings"]
            if row["board"] == scope
        )
        return [
            numbers(
                row,
                row["player"]["name"]
                if "bot_" in row["player"]["id"]
                else "@".join(filter(None, map(row["player"].get, ("id", "version")))),
            )
            for row in board(anybody, scope)
        ] + [numbers(old, bot.id)]

    of_built_in = []
    for name, on in (("greedy", "usa"), ("greedy", "london"), ("planner", "usa")):
        with database.reading() as db:
            [one] = leaderboards.standings(db, OVERALL, [f"bot_{name}_0:{on}"])
        shown = {"rating": one.rating, "mu": one.mu, "sigma": one.sigma}
        of_built_in.append(numbers(shown, f"{name}:{on}"))
    assert compute(anybody.get("/v1/histories").data) == sorted(rows("overall") + of_built_in)
    assert compute(anybody.get("/v1/histories?board=usa").data, "usa") == sorted(rows("usa"))


@pytest.mark.deep
def test_the_leaderboard_is_shown_in_the_terminal(tmp_path):
    with Stack(tmp_path, workers=0) as stack:
        callers = [Client(stack.url).sign_up(name) for name in ("Ada", "Grace")]
        game = callers[0].post(
            "/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
        )["id"]
        callers[1].post(f"/v1/games/{game}/seats", {})
        callers[1].post(f"/v1/games/{game}/actions", RESIGN)
        end = time.monotonic() + 20
        while not callers[0].get("/v1/leaderboards/usa")["items"] and time.monotonic() < end:
            time.sleep(0.1)

        def shown(*args: str):
            return CliRunner().invoke(fogg, ["leaderboard", *args, "--server", stack.url])

        rows = json.loads(shown("usa", "--json").stdout)["items"]
        assert [(row["rank"], row["player"]["name"]) for row in rows] == [(1, "Ada"), (2, "Grace")]
        assert "Grace" in shown().stdout
        assert "Grace" not in shown("--players", "1").stdout
        assert "No rated game yet" in shown("--settled").stdout
        assert "Grace" in shown("--active-since", "2026-01-01T00:00:00Z").stdout
        assert "No rated game yet" in shown("--active-since", "2100-01-01T00:00:00Z").stdout
        assert shown("--active-since", "May").exit_code == 1
        refused = shown("atlantis")
        assert (refused.exit_code, "atlantis" in refused.stderr) == (1, True)


# Examples for openapi.yaml


def show_ratings(tape: Tape) -> None:
    """Look at what the tournament's game has made of its players."""
    Recorder(tape.games, tape.games.database).run()
    tape.call("listLeaderboards", "all", "Two players have ratings", "GET", "/v1/leaderboards")
    tape.call(
        "getLeaderboard", "overall", "The overall leaderboard", "GET", "/v1/leaderboards/overall"
    )
    tape.call(
        "getLeaderboard", "unknown-board", "No such board", "GET", "/v1/leaderboards/atlantis"
    )
    grace = f"/v1/players/{tape.ask('GET', '/v1/me', by='grace').json['id']}"
    tape.call("getPlayer", "rated", "A player", "GET", grace)
    tape.call("listRatings", "overall", "A rated game", "GET", f"{grace}/ratings")
