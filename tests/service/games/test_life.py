"""A game's life before and after it is played: hidden, invited, started, aborted, repeated."""

import json

from domain.boards import parse
from service.http.serving import services
from service.records import rebuilding
from tests.service.callers import Caller, begin, create, keep_tickets
from tests.service.looks import sweep

OPEN = {"open": True}


def join(caller: Caller, game: str, **wish):
    return caller.post(f"/v1/games/{game}/seats", wish)


def test_an_unlisted_game_is_in_nobodys_list_but_its_players(ada, grace, anybody):
    game = create(ada, visibility="unlisted")["id"]
    ids = [row["id"] for row in anybody.get("/v1/games").json["items"]]
    ids += [row["id"] for row in grace.get(f"/v1/games?player={ada.id}").json["items"]]
    ids += [row["id"] for row in grace.get("/v1/games?status=lobby").json["items"]]
    assert game not in ids
    assert [row["id"] for row in ada.get("/v1/games?player=me").json["items"]] == [game]


def test_joining_a_game_that_is_not_public_takes_its_code(ada, grace, is_problem):
    for visibility, status, code in (
        ("unlisted", 403, "not-yours"),
        ("private", 404, "unknown-game"),
    ):
        made = create(ada, visibility=visibility)
        is_problem(join(grace, made["id"]), status, code)
        is_problem(join(grace, made["id"], invitation="0" * 20), status, code)
        joined = join(grace, made["id"], invitation=made["invitation"])
        assert (joined.status_code, "invitation" in joined.json) == (201, False)
        assert ada.view(made["id"])["invitation"] == made["invitation"]
    assert "invitation" not in create(ada)


def test_a_private_game_does_not_exist_for_others(ada, grace, mary, anybody, is_problem):
    made = create(ada, visibility="private")
    game = made["id"]
    join(grace, game, invitation=made["invitation"])
    for path in ("", "/events", "/board.svg", "/events?wait=1"):
        for caller in (mary, anybody):
            is_problem(caller.get(f"/v1/games/{game}{path}"), 404, "unknown-game")
    for path, wish in (
        ("actions", {"type": "resign"}),
        ("start", {}),
        ("abort", {}),
        ("rematch", {}),
        ("seats", {}),
    ):
        is_problem(mary.post(f"/v1/games/{game}/{path}", wish), 404, "unknown-game")
    is_problem(mary.get(f"/v1/games/{game}/legal-actions"), 404, "unknown-game")
    is_problem(mary.delete(f"/v1/games/{game}/seats/1"), 404, "unknown-game")
    for path in ("", "/events", "/board.svg", "/events?wait=1"):
        assert grace.get(f"/v1/games/{game}{path}").status_code == 200
    for form in ("text/event-stream", "application/x-ndjson"):
        is_problem(
            mary.get(f"/v1/games/{game}/events", headers={"Accept": form}), 404, "unknown-game"
        )


def test_spectators_come_in_only_where_the_creator_lets_them(ada, grace, mary, is_problem):
    closed = begin(ada, grace, spectators=False)
    is_problem(mary.get(f"/v1/games/{closed}"), 403, "not-yours")
    assert grace.view(closed)["spectators"] is False
    watched = create(ada, visibility="private", spectators=True)["id"]
    assert mary.get(f"/v1/games/{watched}").status_code == 200


def test_a_creator_starts_with_those_who_are_there(ada, grace, is_problem):
    game = ada.post(
        "/v1/games",
        {
            "board": "usa",
            "seats": [OPEN, {"player": "me"}, OPEN, OPEN],
            "options": {"first_seat": 1},
        },
    ).json["id"]
    assert is_problem(ada.post(f"/v1/games/{game}/start", {}), 409, "too-few-players")["rule"]
    assert join(grace, game, seat=3).json["you"]["seat"] == 3
    is_problem(grace.post(f"/v1/games/{game}/start", {}), 403, "not-yours")
    started = ada.post(f"/v1/games/{game}/start", {})
    assert started.json["status"] == "playing"
    assert [seat["player"]["name"] for seat in started.json["seats"]] == ["Ada", "Grace"]
    keep_tickets(game, ada, grace)
    assert ada.view(game)["deciding"][0]["seat"] == 0
    is_problem(ada.post(f"/v1/games/{game}/start", {}), 409, "game-started")


def test_a_seat_may_be_chosen_if_it_is_open(ada, grace, mary, is_problem):
    game = create(ada, *3 * [OPEN])["id"]
    assert join(grace, game, seat=2).json["you"] == {"seat": 2}
    assert is_problem(join(mary, game, seat=2), 409, "seat-taken")["field"] == "seat"
    is_problem(join(mary, game, seat=7), 409, "seat-taken")
    assert join(mary, game).json["you"] == {"seat": 1}


def test_a_game_is_aborted_by_its_creator_before_the_first_turn(ada, grace, is_problem):
    lobby, chosen = create(ada)["id"], begin(ada, grace)
    for game in (lobby, chosen):
        is_problem(grace.post(f"/v1/games/{game}/abort", {}), 403, "not-yours")
        aborted = ada.post(f"/v1/games/{game}/abort", {}).json
        assert (aborted["status"], aborted["ending"], aborted["deciding"]) == (
            "finished",
            "aborted",
            [],
        )
        assert not [seat for seat in aborted["seats"] if "result" in seat]
        is_problem(ada.post(f"/v1/games/{game}/abort", {}), 409, "game-finished")
        assert ada.get(f"/v1/games/{game}/board.svg").status_code == 200
    listed = ada.get("/v1/games?status=finished").json
    assert {row["id"] for row in listed["items"]} == {lobby, chosen}


def test_a_lobby_that_nobody_comes_to_expires(app, ada, monkeypatch):
    game, games = create(ada)["id"], services(app).games
    sweep(games)
    assert ada.view(game)["status"] == "lobby"
    monkeypatch.setenv("FOGG_LOBBY_HOURS", "0")
    sweep(games)
    view = ada.view(game)
    assert (view["status"], view["ending"]) == ("finished", "expired")


def test_a_rematch_seats_everybody_one_further_once_all_have_asked(ada, grace, mary, is_problem):
    made = ada.post(
        "/v1/games",
        {
            "board": "europe",
            "seats": [{"player": "me"}, {"bot": "random"}, {"open": True}],
            "options": {"clock": {"bank": 60}},
        },
    )
    game = made.json["id"]
    join(grace, game)
    is_problem(ada.post(f"/v1/games/{game}/rematch", {}), 409, "game-not-finished")
    for caller in (ada, grace):
        caller.play(game, {"type": "resign"})
    is_problem(mary.post(f"/v1/games/{game}/rematch", {}), 403, "not-yours")
    first = ada.post(f"/v1/games/{game}/rematch", {}).json
    assert (first["board"], first["status"], first["clock"]["bank"]) == ("europe", "lobby", 60)
    assert ada.post(f"/v1/games/{game}/rematch", {}).json["id"] == first["id"]
    is_problem(join(mary, first["id"]), 403, "not-yours")
    second = grace.post(f"/v1/games/{game}/rematch", {})
    assert second.json["id"] == first["id"]
    assert second.headers["Location"] == f"/v1/games/{first['id']}"
    assert second.json["status"] == "playing"
    assert [seat["player"]["name"] for seat in second.json["seats"]] == ["Grace", "Ada", "random"]


def test_a_game_is_created_once_for_one_key(app, ada, grace, is_problem):
    key = {"Idempotency-Key": "create"}
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    first = ada.post("/v1/games", wish, headers=key)
    join(grace, first.json["id"])
    again = ada.post("/v1/games", wish, headers=key)
    assert (again.status_code, again.data) == (201, first.data)
    assert len(ada.get("/v1/games?player=me").json["items"]) == 1
    other = ada.post("/v1/games", wish | {"board": "london"}, headers=key)
    assert is_problem(other, 422, "key-reused")["field"] == "Idempotency-Key"
    assert grace.post("/v1/games", wish, headers=key).json["id"] != first.json["id"]
    rebuilding.rebuild(services(app).games)
    assert ada.post("/v1/games", wish, headers=key).data == first.data


def test_every_step_of_a_lobby_is_taken_once_for_one_key(ada, grace, mary):
    game = create(ada, *3 * [OPEN])["id"]
    for caller, step, between in (
        (grace, "seats", (mary, "seats")),
        (ada, "start", ()),
        (ada, "abort", ()),
        (ada, "rematch", (grace, "rematch")),
    ):

        def ask(caller=caller, step=step):
            return caller.post(f"/v1/games/{game}/{step}", {}, headers={"Idempotency-Key": step})

        first = ask()
        if between:
            between[0].post(f"/v1/games/{game}/{between[1]}", {})
        again = ask()
        assert (again.status_code, again.data) == (first.status_code, first.data)
        assert first.status_code in (200, 201)


def test_a_request_that_was_refused_leaves_nothing_of_its_key(ada, redis, is_problem):
    ada.get("/v1/me")
    redis.set("fogg:secret", bytes(32), nx=True)
    before = set(redis.keys("*"))
    key = {"Idempotency-Key": "refused"}
    answer = ada.post("/v1/games", {"board": "usa", "seats": [{"open": True}] * 6}, headers=key)
    is_problem(answer, 409, "wrong-number-of-seats")
    wish = {"name": "Cup", "format": "knockout", "boards": ["london"], "seats": 5}
    is_problem(ada.post("/v1/tournaments", wish, headers=key), 409, "wrong-number-of-seats")
    assert {name for name in redis.keys("*") if not name.startswith(b"limit:")} <= before


def test_a_finished_game_goes_on_from_any_position(ada, grace, mary, finished):
    wish = {"fork": {"game": finished, "version": 4}, "seats": [{"player": "me"}, {"open": True}]}
    made = mary.post("/v1/games", wish)
    assert (made.status_code, made.json["status"]) == (201, "lobby")
    fork = made.json["id"]
    started = join(grace, fork).json
    assert started["status"] == "playing"
    assert started["fork"] == {"game": finished, "version": 4, "cards": "reshuffled"}
    mary.play(fork, {"type": "draw_card", "from": "deck"})
    assert "'position'" not in str(ada.get(f"/v1/games/{fork}/events").json)
    mary.play(fork, {"type": "resign"})
    assert "'position'" in str(ada.get(f"/v1/games/{fork}/events").json["items"][0])


def test_a_board_that_is_too_large_for_new_games_stays_playable_in_old_ones(
    ada, grace, service, is_problem
):
    boards = service.games.store.boards
    table = boards["usa"].table | {"board": "old", "tickets_on_a_turn": {"deal": 11, "keep": 1}}
    boards["old"] = parse(json.dumps(table))
    game = begin(ada, grace, board="old")
    del boards["old"]
    keep_tickets(game, ada, grace)
    grace.play(game, {"type": "resign"})
    fork = {"fork": {"game": game, "version": 4}, "seats": [{"player": "me"}, {"open": True}]}
    for answer in (ada.post("/v1/games", fork), ada.post(f"/v1/games/{game}/rematch", {})):
        detail = is_problem(answer, 409, "board-too-large")["detail"]
        assert "the board USA is too large for new games: tickets_on_a_turn has 11" in detail


def test_a_fork_needs_a_finished_game_a_position_and_its_seats(ada, game, finished, is_problem):
    seats = [{"player": "me"}, {"open": True}]

    def fork(game: str, version: int, seats=seats, **more):
        wish = {"fork": {"game": game, "version": version}, "seats": seats}
        return ada.post("/v1/games", wish | more)

    last = ada.view(finished)["version"]
    unfinished = begin(
        ada, Caller(ada.client.application, ada.post("/v1/me/bots", {"name": "Other"}).json)
    )
    assert is_problem(fork(unfinished, 2), 409, "game-not-finished")["field"] == "fork.game"
    assert is_problem(fork(finished, last), 409, "no-position")["field"] == "fork.version"
    is_problem(fork(finished, 1), 409, "no-position")
    is_problem(fork(finished, 999), 404, "unknown-version")
    is_problem(fork("g_" + "0" * 20, 3), 404, "unknown-game")
    is_problem(fork(finished, 4, [*seats, OPEN]), 409, "wrong-number-of-seats")
    is_problem(fork(finished, 4, board="usa"), 422, "malformed")
    is_problem(fork(finished, 0), 422, "malformed")
    waiting = fork(finished, 4).json["id"]  # starts with all its seats or not at all
    is_problem(ada.post(f"/v1/games/{waiting}/start", {}), 409, "too-few-players")
    assert ada.post(f"/v1/games/{waiting}/abort", {}).status_code == 200
