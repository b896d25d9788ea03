"""Offers of games: to anybody who fits, or to one player, who accepts or declines."""

import threading

import pytest

from service.api.serving import services
from service.matching.offers import create_missing_games
from service.store import offers as stored
from tests.generators.openapi_tape import Tape
from tests.service.api.callers import Caller, sign_up

USA = {"board": "usa"}


@pytest.fixture
def mary(app):
    return sign_up(app, "Mary")


def seek(caller: Caller, **wish) -> dict:
    """A seek that is made."""
    answer = caller.post("/v1/seeks", USA | wish)
    assert answer.status_code == 201, answer.json
    return answer.json


def challenge(caller: Caller, other: Caller, **wish) -> dict:
    """A challenge that is made."""
    answer = caller.post(f"/v1/players/{other.id}/challenges", USA | wish)
    assert answer.status_code == 201, answer.json
    return answer.json


def accept(caller: Caller, offer: dict):
    kind = "seeks" if offer["id"].startswith("s_") else "challenges"
    return caller.post(f"/v1/{kind}/{offer['id']}/accept", {})


def told(caller: Caller, cursor: str | None = None) -> dict:
    return caller.get("/v1/me/events" + (f"?after={cursor}" if cursor else "")).json


def listed(caller: Caller, query: str = "") -> list[str]:
    return [row["id"] for row in caller.get(f"/v1/seeks{query}").json["items"]]


def lapse(redis, monkeypatch, offer: dict) -> None:
    """Make an offer expire."""
    at = stored.now_in_ms() + 60_000 * 60
    monkeypatch.setattr("service.store.offers.now_in_ms", lambda: at)


# Seeks


def test_a_seek_becomes_a_game_once_somebody_accepts(ada, grace, anybody, fits):
    made = seek(ada, clock={"per_decision": 60})
    fits("Seek", made)
    assert (made["state"], made["accepted"], made["seats"]) == ("open", 0, 2)
    assert listed(anybody) == [made["id"]]
    assert anybody.get(f"/v1/games/{made['game']}").status_code == 404
    done = accept(grace, made)
    assert (done.status_code, done.json["state"]) == (200, "accepted")
    view = grace.view(made["game"])
    assert [seat["player"]["id"] for seat in view["seats"]] == [ada.id, grace.id]
    assert (view["status"], view["clock"]["per_decision"]) == ("playing", 60)
    assert listed(anybody) == []
    notices = told(ada)["items"]
    assert [(row["type"], row["game"]) for row in notices] == [("your_turn", made["game"])]
    assert accept(grace, made).json == done.json


def test_a_seek_of_three_waits_for_two(ada, grace, mary, anybody):
    made = seek(ada, seats=3)
    assert accept(grace, made).json["accepted"] == 1
    assert accept(grace, made).json["state"] == "open"
    assert listed(anybody) == [made["id"]]
    assert accept(mary, made).json["state"] == "accepted"
    assert len(ada.view(made["game"])["seats"]) == 3


def test_a_seek_is_where_it_is_said_to_be_whatever_has_become_of_it(
    ada, grace, mary, anybody, fits, is_problem
):
    answer = ada.post("/v1/seeks", USA | {"seats": 3})
    made, at = answer.json, answer.headers["Location"]
    assert anybody.get(at).json == ada.get(at).json == made
    accept(grace, made)
    seen = grace.get(at).json
    fits("Seek", seen)
    assert seen == made | {"accepted": 1, "accepted_by_you": True}
    assert grace.get("/v1/seeks").json["items"] == [seen]
    assert mary.get(at).json == anybody.get(at).json == made | {"accepted": 1}
    ada.delete(at)
    assert anybody.get(at).json["state"] == "withdrawn"
    is_problem(anybody.get("/v1/seeks/s_00000000000000000000"), 404, "unknown-seek")


def test_when_many_accept_at_once_one_game_comes_of_it(app, ada, is_problem):
    callers, made, answers = [sign_up(app, f"Player {i}") for i in range(6)], seek(ada), {}
    threads = [threading.Thread(target=lambda c=caller: answers.update({c.id: accept(c, made)}))
               for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [winner] = [who for who, answer in answers.items() if answer.status_code == 200]
    assert {seat["player"]["id"] for seat in ada.view(made["game"])["seats"]} == {ada.id, winner}
    for who, answer in answers.items():
        if who != winner:
            is_problem(answer, 409, "offer-closed")


def test_a_game_whose_creator_died_on_the_way_is_created_by_the_next_look(
        app, ada, grace, mary, redis, monkeypatch):
    games = services(app).games
    full, half, challenged = seek(ada), seek(ada, seats=3), challenge(ada, grace)
    for offer in (full, half, challenged):
        [found] = stored.read(redis, [offer["id"]])
        assert stored.accept(redis, found, grace.id)
    create_missing_games(games)  # the acceptor may still do it
    assert grace.get(f"/v1/games/{full['game']}").status_code == 404
    monkeypatch.setattr(stored, "CREATE_WITHIN_MS", 0)
    for _ in range(2):
        create_missing_games(games)
        for offer in (full, challenged):
            assert grace.view(offer["game"])["status"] == "playing"
    assert grace.get(f"/v1/games/{half['game']}").status_code == 404
    assert listed(grace) == [half["id"]]
    assert accept(mary, half).json["state"] == "accepted"
    assert redis.zcard(stored.TAKEN) == 0


def test_the_same_key_is_the_same_seek(ada, is_problem):
    key = {"Idempotency-Key": "mine"}
    first = ada.post("/v1/seeks", USA, headers=key)
    assert ada.post("/v1/seeks", USA, headers=key).data == first.data
    is_problem(ada.post("/v1/seeks", USA | {"rated": False}, headers=key), 422, "key-reused")


def test_only_whose_rating_is_in_the_range_may_accept(ada, grace, is_problem):
    strong, weak = seek(ada, rating_from=5), seek(ada, rating_from=-1, rating_to=1)
    is_problem(accept(grace, strong), 409, "rating-outside")
    assert listed(grace, "?fits=me") == [weak["id"]]
    assert listed(ada, "?fits=me") == []
    assert accept(grace, weak).json["state"] == "accepted"
    wish = USA | {"rating_from": 2, "rating_to": 1}
    assert is_problem(ada.post("/v1/seeks", wish), 409, "rating-outside")["field"] == "rating_to"


def test_nobody_plays_against_themselves_nor_rated_against_their_own_bot(app, ada, is_problem):
    made = seek(ada)
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Ada's"}).json)
    is_problem(accept(ada, made), 409, "own-offer")
    is_problem(accept(bot, made), 409, "same-owner")
    casual = seek(ada, rated=False)
    assert accept(bot, casual).json["state"] == "accepted"
    assert ada.view(casual["game"])["visibility"] == "unlisted"


def test_what_was_taken_back_or_has_lapsed_nobody_accepts(
    ada, grace, redis, monkeypatch, is_problem
):
    made, other = seek(ada), seek(ada, minutes=30)
    is_problem(grace.delete(f"/v1/seeks/{made['id']}"), 403, "not-yours")
    for _ in range(2):
        assert ada.delete(f"/v1/seeks/{made['id']}").status_code == 204
    is_problem(accept(grace, made), 409, "offer-closed")
    assert listed(grace) == [other["id"]]
    lapse(redis, monkeypatch, other)
    is_problem(accept(grace, other), 409, "offer-closed")
    assert listed(grace) == []
    is_problem(grace.post("/v1/seeks/s_00000000000000000000/accept", {}), 404, "unknown-seek")


def test_the_list_of_seeks_has_pages(ada, anybody):
    made = [seek(ada, minutes=10 + i, board="usa" if i else "paris")["id"] for i in range(3)]
    first = anybody.get("/v1/seeks?limit=2").json
    rest = anybody.get(f"/v1/seeks?limit=2&after={first['next']}").json
    assert [row["id"] for row in first["items"] + rest["items"]] == made[::-1]
    assert rest["next"] is None
    assert listed(anybody, "?board=paris") == made[:1]


def test_one_may_offer_so_many_games_and_no_more(app, ada, grace, monkeypatch, is_problem):
    monkeypatch.setenv("FOGG_CAPS", "offers=2")
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Ada's"}).json)
    first = seek(ada)
    challenge(bot, grace)
    is_problem(ada.post("/v1/seeks", USA), 409, "too-many-offers")
    assert ada.delete(f"/v1/seeks/{first['id']}").status_code == 204
    seek(ada)


@pytest.mark.parametrize(("wish", "status", "code"), [
    ({"board": "mars"}, 404, "unknown-board"), (USA | {"seats": 8}, 409, "wrong-number-of-seats"),
    (USA | {"minutes": 0}, 422, "malformed"), (USA | {"rated": 1}, 422, "malformed"),
    (USA | {"clock": {"per_decision": 0}}, 422, "malformed"), ({}, 422, "malformed")])
def test_an_offer_that_cannot_be_is_refused(ada, anybody, is_problem, wish, status, code):
    is_problem(ada.post("/v1/seeks", wish), status, code)
    assert listed(anybody) == []


# Challenges


def test_who_is_challenged_is_told_and_accepts(ada, grace, fits):
    before = told(grace)["next"]
    made = challenge(ada, grace)
    fits("Challenge", made)
    [notice] = told(grace, before)["items"]
    fits("Notice", notice)
    assert (notice["type"], notice["challenge"]) == ("challenged", made)
    assert told(grace, notice["cursor"] if "cursor" in notice else told(grace, before)["next"])[
        "items"] == []
    assert accept(grace, made).json["state"] == "accepted"
    assert ada.view(made["game"])["status"] == "playing"
    assert [row["state"] for row in ada.get("/v1/me/challenges").json["items"]] == ["accepted"]


def test_who_declines_says_why_and_the_challenger_is_told(ada, grace, is_problem):
    made, before = challenge(ada, grace), told(ada)["next"]
    path = f"/v1/challenges/{made['id']}/decline"
    declined = grace.post(path, {"reason": "later"})
    assert (declined.json["state"], declined.json["reason"]) == ("declined", "later")
    assert grace.post(path, {"reason": "busy"}).json == declined.json
    [notice] = told(ada, before)["items"]
    assert (notice["type"], notice["challenge"]) == ("declined", declined.json)
    is_problem(accept(grace, made), 409, "offer-closed")
    is_problem(ada.post(path, {"reason": "later"}), 403, "not-yours")
    is_problem(grace.post(path, {"reason": "you smell"}), 422, "malformed")


def test_a_challenge_is_where_it_is_said_to_be_for_the_two(ada, grace):
    answer = ada.post(f"/v1/players/{grace.id}/challenges", USA)
    for caller in (ada, grace):
        assert caller.get(answer.headers["Location"]).json == answer.json


def test_a_challenge_concerns_two_and_nobody_else(ada, grace, mary, anybody, is_problem):
    made = challenge(ada, grace)
    at = f"/v1/challenges/{made['id']}"
    is_problem(anybody.get(at), 401, "not-signed-in")
    for answer in (accept(mary, made), mary.get(at), mary.delete(at),
                   mary.post(f"{at}/decline", {})):
        is_problem(answer, 404, "unknown-challenge")
    assert mary.get("/v1/me/challenges").json["items"] == []
    is_problem(accept(ada, made), 409, "own-offer")
    assert ada.delete(f"/v1/challenges/{made['id']}").status_code == 204
    is_problem(accept(grace, made), 409, "offer-closed")


def test_nobody_challenges_a_built_in_bot_themselves_or_nobody(app, ada, is_problem):
    from service.accounts import bots

    bots.register(app.extensions["fogg"].games.redis)
    for other, status, code in ((ada.id, 409, "own-offer"), ("p_1", 404, "unknown-player"),
                                ("bot_planner_0", 409, "built-in-bot")):
        is_problem(ada.post(f"/v1/players/{other}/challenges", USA), status, code)


# Terms


def set_terms(caller: Caller, **terms) -> dict:
    answer = caller.request("PUT", "/v1/me/challenge-terms", terms)
    assert answer.status_code == 200, answer.json
    return answer.json


def test_one_account_does_not_make_a_player_unreachable(app, ada, grace, mary, is_problem):
    at, bot = f"/v1/players/{grace.id}/challenges", Caller(
        app, ada.post("/v1/me/bots", {"name": "Ada's"}).json)
    made = [challenge(ada, grace, minutes=60), challenge(bot, grace), challenge(ada, grace)]
    for caller in (ada, bot):
        is_problem(caller.post(at, USA), 409, "too-many-offers")
    challenge(mary, grace)
    assert ada.delete(f"/v1/challenges/{made[0]['id']}").status_code == 204
    grace.post(f"/v1/challenges/{made[1]['id']}/decline", {})
    assert accept(grace, made[2]).status_code == 200
    for _ in range(3):  # closed ones make room
        challenge(ada, grace)


def test_whoever_is_challenged_says_what_reaches_them(ada, grace, mary, fits, is_problem):
    at = f"/v1/players/{grace.id}/challenges"
    fits("ChallengeTerms", grace.get("/v1/me/challenge-terms").json)
    fits("ChallengeTerms", set_terms(grace, shortest_clock=2, boards=["usa", "london"], open=1))
    for wish in ({"board": "paris"}, USA | {"clock": {"per_decision": 1.9}},
                 USA | {"clock": {"bank": 100, "increment": 0.9}}):
        is_problem(ada.post(at, wish), 409, "offer-refused")
    challenge(ada, grace, clock={"bank": 100, "increment": 1})
    is_problem(mary.post(at, USA), 409, "too-many-offers")
    set_terms(grace)
    challenge(mary, grace, board="paris", clock={"per_decision": 0.5})
    is_problem(grace.request("PUT", "/v1/me/challenge-terms", {"boards": ["mars"]}), 404,
               "unknown-board")


def test_a_blocked_account_and_its_bots_reach_nobody_who_blocked_them(
        app, ada, grace, mary, is_problem):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Ada's"}).json)
    set_terms(grace, blocked=[ada.id])
    sought = seek(grace)
    for caller in (ada, bot):
        is_problem(caller.post(f"/v1/players/{grace.id}/challenges", USA), 409, "offer-refused")
        is_problem(accept(caller, sought), 409, "offer-refused")
    assert accept(mary, sought).status_code == 200
    assert grace.delete("/v1/me").status_code == 204
    assert not app.extensions["fogg"].games.redis.keys("player:*:terms")


def test_a_rated_game_is_not_offered_on_a_clock_on_which_it_would_not_count(ada, is_problem):
    fast = USA | {"clock": {"per_decision": 0.4}}
    is_problem(ada.post("/v1/seeks", fast), 409, "clock-too-short")
    seek(ada, clock={"per_decision": 0.4}, rated=False)


# Who is there


def test_bots_are_online_while_they_listen_the_strongest_first(
    app, ada, grace, anybody, redis, fits, is_problem
):
    bots = [Caller(app, ada.post("/v1/me/bots", {"name": f"Bot {i}"}).json) for i in range(3)]
    for caller in (*bots, grace):
        told(caller)
    first = anybody.get("/v1/bots/online?limit=2").json
    fits("OnlineBots", first)
    rest = anybody.get(f"/v1/bots/online?limit=2&after={first['next']}").json
    rows = first["items"] + rest["items"]
    assert rest["next"] is None
    assert {row["player"]["id"] for row in rows} == {bot.id for bot in bots}
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    redis.zadd("bots:online", {bots[0].id: 1})
    assert len(anybody.get("/v1/bots/online?board=usa").json["items"]) == 2
    is_problem(anybody.get("/v1/bots/online?board=mars"), 404, "unknown-board")


# Examples for openapi.yaml


def show_offers(tape: Tape) -> None:
    """Seek and find; challenge, decline and accept."""
    wish = USA | {"clock": {"bank": 600, "increment": 5}, "rating_from": -5, "rating_to": 30}
    path = "/v1/seeks/" + tape.call("createSeek", "rated", "Two players on a clock", "POST",
                                    "/v1/seeks", wish, "ada")["id"]
    tape.call("createSeek", "wrong-number-of-seats", "Too many for the board", "POST", "/v1/seeks",
              USA | {"seats": 8}, "ada")
    tape.call("listSeeks", "open", "Open seeks", "GET", "/v1/seeks")
    tape.call("getSeek", "open", "An open seek", "GET", path)
    tape.call("acceptSeek", "own-offer", "The caller's seek", "POST", f"{path}/accept", {}, "ada")
    tape.call("acceptSeek", "accepted", "The game starts", "POST", f"{path}/accept", {}, "grace")
    tape.call("withdrawSeek", "offer-closed", "Too late", "DELETE", path, by="ada")
    other = "/v1/seeks/" + tape.ask("POST", "/v1/seeks", USA, "ada").json["id"]
    tape.call("withdrawSeek", "withdrawn", "Withdrawn", "DELETE", other, by="ada")
    grace = tape.ask("GET", "/v1/me", by="grace").json["id"]
    at = f"/v1/players/{grace}/challenges"
    path = "/v1/challenges/" + tape.call("challengePlayer", "casual", "A game that is not rated",
                                         "POST", at, USA | {"rated": False}, "ada")["id"]
    tape.call("listMyChallenges", "sent", "A pending challenge", "GET",
              "/v1/me/challenges", by="grace")
    tape.call("getChallenge", "sent", "A pending challenge", "GET", path, by="grace")
    tape.call("declineChallenge", "later", "Not now", "POST", f"{path}/decline",
              {"reason": "later"}, "grace")
    tape.call("acceptChallenge", "offer-closed", "Already declined", "POST", f"{path}/accept", {},
              "grace")
    path = "/v1/challenges/" + tape.ask("POST", at, USA, "ada").json["id"]
    tape.call("acceptChallenge", "accepted", "The game has started", "POST", f"{path}/accept", {},
              "grace")
    tape.call("getChallengeTerms", "usual", "The usual terms", "GET", "/v1/me/challenge-terms",
              by="grace")
    tape.call("setChallengeTerms", "slow", "Two boards, two seconds, five at a time", "PUT",
              "/v1/me/challenge-terms",
              {"boards": ["usa", "europe"], "shortest_clock": 2, "open": 5}, "grace")
    tape.call("setChallengeTerms", "unknown-board", "No such board", "PUT",
              "/v1/me/challenge-terms", {"boards": ["mars"]}, "grace")
    tape.call("challengePlayer", "offer-refused", "Too fast for the player", "POST", at,
              USA | {"clock": {"per_decision": 1}}, "ada")
    path = "/v1/challenges/" + tape.ask("POST", at, USA, "ada").json["id"]
    tape.call("withdrawChallenge", "withdrawn", "Withdrawn", "DELETE", path, by="ada")
    tape.ask("GET", "/v1/me/events", by="adabot")
    tape.call("listBotsOnline", "online", "Bots that can be challenged", "GET", "/v1/bots/online")
    tape.call("listBotsOnline", "unknown-board", "No such board", "GET",
              "/v1/bots/online?board=mars")
