"""Games with invited players, games for some ratings, and the filters of the lobby."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product

import pytest

from service.accounts import bots
from service.games import lobby, playing
from service.games.clocks import GRACE_MS
from service.http.serving import services
from service.ratings import present
from service.times import in_ms
from tests.service.callers import Caller, begin, play_on, won
from tools.generators.openapi_tape import Tape

ALL = "/v1/me/invitations"


def wish(
    *others: Caller | dict, board: str = "usa", options: dict | None = None, **invitation
) -> dict:
    """The body that creates a game of the caller with others, who are invited."""
    seats = [
        other if isinstance(other, dict) else {"invite": other.id, **invitation} for other in others
    ]
    return {
        "board": board,
        "seats": [{"player": "me"}, *seats],
        **({"options": options} if options else {}),
    }


def make(caller: Caller, *others: Caller | dict, **settings) -> str:
    """A game that a caller has created; return its id."""
    answer = caller.post("/v1/games", wish(*others, **settings))
    assert answer.status_code == 201, answer.json
    return answer.json["id"]


def join(caller: Caller, game: str, **body):
    return caller.post(f"/v1/games/{game}/seats", body)


def decline(caller: Caller, game: str, player: str = "me", reason: str | None = None):
    query = f"?reason={reason}" if reason else ""
    return caller.delete(f"/v1/games/{game}/invitations/{player}{query}")


def notices(caller: Caller, cursor: str | None = None) -> dict:
    return caller.get("/v1/me/events" + (f"?after={cursor}" if cursor else "")).json


def listed(caller: Caller, query: str) -> list[str]:
    return [row["id"] for row in caller.read(f"/v1/games?status=lobby&{query}")["items"]]


def set_rules(caller: Caller, blocked: list[str] | None = None, **rules) -> dict:
    body = {"invitations": rules} if rules else {}
    answer = caller.patch("/v1/me", body if blocked is None else body | {"blocked": blocked})
    assert answer.status_code == 200, answer.json
    return answer.json


def bot_of(app, owner: Caller) -> Caller:
    return Caller(app, owner.post("/v1/me/bots", {"name": "Bot"}).json)


def expire(app, game: str) -> None:
    """Expire the invitations of a game, as the service does when their time has come."""
    games = services(app).games
    late = max(in_ms(one.expires) for one in games.get(game).state.invitations)
    with pytest.MonkeyPatch.context() as later:
        for module in ("service.games.playing", "service.games.clocks"):
            later.setattr(f"{module}.now_in_ms", lambda: late + GRACE_MS)
        playing.enforce_deadlines(games)


# Accepting


def test_an_invited_player_gets_a_notice_and_starts_the_game_by_joining(ada, grace):
    before = notices(grace)["next"]
    game = make(ada, grace, options={"clock": {"per_decision": 60}})
    [notice] = notices(grace, before)["items"]
    assert (notice["type"], notice["game"], notice["by"]["id"]) == ("invited", game, ada.id)
    seat = notice["view"]["seats"][1]
    assert (seat["invited"]["id"], "player" in seat) == (grace.id, False)
    assert notices(grace, notices(grace, before)["next"])["items"] == []
    for _ in range(2):  # the first notices of each connection have it
        assert [row["game"] for row in notices(grace)["items"]] == [game]
    assert listed(grace, "invited=me") == [game]
    assert join(grace, game).json["status"] == "playing"
    assert listed(grace, "invited=me") == []


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_an_invited_player_joins_a_game_that_is_not_public_without_its_code(
    ada, grace, mary, is_problem, visibility
):
    game = make(ada, grace, options={"visibility": visibility})
    assert grace.view(game)["seats"][1]["invited"]["id"] == grace.id
    assert "invitation" not in grace.view(game)
    assert listed(grace, "invited=me") == [game]
    for query in ("invited=me", "joinable=me", ""):
        assert listed(mary, query) == []
    unseen = (404, "unknown-game") if visibility == "private" else (403, "not-yours")
    is_problem(join(mary, game), *unseen)
    is_problem(decline(mary, game, grace.id), *unseen)
    if visibility == "private":
        is_problem(mary.get(f"/v1/games/{game}"), *unseen)
    assert join(grace, game).json["status"] == "playing"


# Declining and withdrawing


@pytest.mark.parametrize("reason", ["later", "too_fast", None])
def test_an_invited_player_declines_and_the_creator_learns_why(ada, grace, reason):
    before = notices(ada)["next"]
    game = make(ada, grace)
    for _ in range(2):
        assert decline(grace, game, reason=reason).status_code == 204
    assert (ada.view(game)["status"], ada.view(game)["ending"]) == ("finished", "aborted")
    notice, over = notices(ada, before)["items"]
    assert over["type"] == "over"
    assert (notice["type"], notice["reason"]) == ("declined", reason or "generic")
    assert notice["player"]["id"] == grace.id
    assert notices(ada, notices(ada, before)["next"])["items"] == []


def test_a_creator_without_a_seat_learns_that_an_invitation_was_declined(ada, grace, mary):
    before = notices(ada)["next"]
    body = wish(grace, mary, if_declined="open")
    game = ada.post("/v1/games", body | {"seats": body["seats"][1:]}).json["id"]
    decline(grace, game, reason="busy")
    decline(mary, game, reason="later")
    assert [
        (row["type"], row["player"]["id"], row["reason"]) for row in notices(ada, before)["items"]
    ] == [("declined", grace.id, "busy"), ("declined", mary.id, "later")]


def test_the_creator_withdraws_an_invitation_and_nobody_else(ada, grace, mary, is_problem):
    game = make(ada, grace, mary, if_declined="open")
    is_problem(decline(mary, game, grace.id), 403, "not-yours")
    for _ in range(2):
        assert decline(ada, game, grace.id).status_code == 204
    is_problem(decline(ada, game, "p_1"), 404, "unknown-invitation")
    is_problem(decline(ada, game), 409, "invitation-closed")
    assert notices(grace)["items"] == []
    assert {row["type"] for row in notices(ada)["items"]} == set()
    assert join(grace, game).json["you"]["seat"] == 1
    is_problem(decline(grace, game, reason="you smell"), 422, "malformed")


@pytest.mark.parametrize("others", [1, 4])
def test_one_of_several_answers_at_the_same_time_wins(app, ada, grace, others):
    """An acceptance against declines and withdrawals, also of all invitations."""
    game = make(ada, grace)
    asks = {"join": partial(join, grace, game), "all": lambda: grace.delete(ALL)} | {
        f"close {i}": partial(decline, *((grace, game) if i % 2 else (ada, game, grace.id)))
        for i in range(others)
    }
    with ThreadPoolExecutor(len(asks)) as threads:
        codes = threads.map(lambda ask: ask().status_code, asks.values())
    answers = dict(zip(asks, codes, strict=True))
    has_begun = ada.view(game)["status"] == "playing"
    assert answers.pop("join") == (201 if has_begun else 409)
    assert answers.pop("all") == 200
    assert {*answers.values()} == {409 if has_begun else 204}


def test_all_invitations_are_declined_at_once(ada, grace, mary):
    before = notices(ada)["next"]
    shared = make(ada, grace, mary, if_declined="open")
    for other in (ada, mary):
        make(other, grace)
    own = make(grace, mary)
    for count in (3, 0):
        assert grace.delete(f"{ALL}?reason=busy").json == {"declined": count}
    assert set(listed(mary, "invited=me")) == {shared, own}
    told = [row for row in notices(ada, before)["items"] if row["type"] == "declined"]
    assert [(row["player"]["id"], row["reason"]) for row in told] == [(grace.id, "busy")] * 2


# Expiry


@pytest.mark.parametrize(("if_declined", "status"), [("withdraw", "finished"), ("open", "lobby")])
def test_an_invitation_expires_once(app, ada, grace, mary, is_problem, if_declined, status):
    before = notices(ada)["next"]
    game = make(ada, grace, if_declined=if_declined)
    for _ in range(2):
        playing.enforce_deadlines(services(app).games)
    assert ada.view(game)["version"] == 1
    expire(app, game)
    playing.enforce_deadlines(services(app).games)
    view = ada.view(game)
    assert (view["status"], view["version"]) == (status, 2)
    [expired] = [row for row in notices(ada, before)["items"] if row["type"] == "declined"]
    assert expired["reason"] == "expired"
    assert view.get("ending") == ("expired" if status == "finished" else None)
    assert listed(grace, "invited=me") == []
    answer = join(mary, game)
    assert answer.status_code == (409 if status == "finished" else 201)
    assert not services(app).games.clocks.due()


def test_a_game_with_an_open_invitation_does_not_expire_before_it(app, ada, grace, monkeypatch):
    monkeypatch.setenv("FOGG_LOBBY_HOURS", "0.0000001")
    game, other = make(ada, grace), make(ada, {"open": True})
    lobby.expire_all(services(app).games)
    assert [ada.view(one)["status"] for one in (game, other)] == ["lobby", "finished"]


# Ratings


def test_a_seat_is_for_players_in_its_range_of_ratings(ada, grace, redis, is_problem, fits):
    strong = make(ada, {"open": True, "rating_from": 5})
    mixed = make(
        ada, {"open": True, "rating_from": 5}, {"open": True, "rating_from": -1, "rating_to": 1}
    )
    is_problem(join(grace, strong), 409, "rating-outside")
    is_problem(join(grace, mixed, seat=1), 409, "rating-outside")
    fits("Entries", ada.read(f"/v1/games/{mixed}/events"))
    assert listed(grace, "joinable=me") == [mixed]
    assert listed(ada, "joinable=me") == []
    assert join(grace, mixed).json["you"]["seat"] == 2
    body = wish({"open": True, "rating_from": 2, "rating_to": 1})
    problem = is_problem(ada.post("/v1/games", body), 409, "rating-outside")
    assert problem["field"] == "seats.1.rating_to"
    redis.delete(present.KEY)  # as in a Redis that has lost everything, until the recorder runs
    is_problem(join(grace, strong), 503, "records-unavailable")
    assert join(grace, make(ada, {"open": True})).status_code == 201


def test_the_lobby_is_filtered(app, ada, grace, mary):
    rated = make(ada, {"open": True}, board="paris")
    fast = make(ada, {"open": True}, options={"clock": {"per_decision": 0.4}})
    bot = bot_of(app, ada)
    own = make(ada, bot)
    reserved = make(ada, grace)
    assert listed(mary, "") == [reserved, own, fast, rated]
    assert listed(mary, "rated=true") == [reserved, own, rated]
    assert listed(mary, "rated=false") == [fast]
    assert listed(mary, "board=paris") == [rated]
    assert listed(mary, "joinable=me") == [fast, rated]
    assert listed(grace, "joinable=me") == [reserved, fast, rated]
    assert mary.get("/v1/games?status=playing&joinable=me").json["items"] == []


def test_who_holds_ten_seats_without_playing_gets_no_further_open_seat(
    app, ada, grace, mary, is_problem
):
    """Some of the games have begun, some wait for players. The creator may free a seat, too."""
    begun = [make(ada, {"open": True}) for _ in range(5)]
    waiting = [make(grace, {"open": True}, {"open": True}) for _ in range(5)]
    first, second, third, fourth = (make(ada, {"open": True}) for _ in range(4))
    for _ in range(2):
        make(mary, {"open": True})
        make(mary, {"bot": "random"})
    key = {"Idempotency-Key": "join-the-tenth-game"}
    for game in (*begun, *waiting):
        assert mary.post(f"/v1/games/{game}/seats", {}, headers=key).status_code == 201
    problem = is_problem(join(mary, first), 409, "too-many-unplayed")
    assert set(problem["games"]) == {*begun, *waiting}
    assert listed(mary, "joinable=me") == []
    is_problem(join(mary, begun[0]), 409, "game-started")
    assert mary.post(f"/v1/games/{game}/seats", {}, headers=key).status_code == 201
    assert join(mary, make(ada, mary)).status_code == 201  # a seat that was kept for her
    for game in begun[:2]:
        mary.play(game, mary.view(game)["you"]["legal_actions"][0])
    assert first in listed(mary, "joinable=me")
    for game in (first, second):
        assert join(mary, game).status_code == 201
    for game, leaver, more in ((waiting[0], mary, third), (waiting[1], grace, fourth)):
        is_problem(join(mary, more), 409, "too-many-unplayed")
        assert leaver.delete(f"/v1/games/{game}/seats/1").status_code == 204
        assert join(mary, more).status_code == 201


def test_of_many_seats_taken_at_once_no_more_than_ten_are_given(ada, grace):
    games = [make(ada, {"open": True}) for _ in range(14)]
    with ThreadPoolExecutor(len(games)) as threads:
        codes = [*threads.map(lambda game: join(grace, game).status_code, games)]
    codes += [join(grace, game).status_code for game in games]  # some may have waited for too long
    assert codes.count(201) == 10


# Rules of the invited


def test_an_account_says_which_invitations_it_takes(ada, grace, mary, is_problem):
    usual = {"boards": [], "shortest_clock": 2.0, "open": 100}
    assert grace.get("/v1/me").json["invitations"] == usual
    changed = set_rules(grace, boards=["usa", "london"], open=1)
    assert changed["invitations"] == usual | {"boards": ["usa", "london"], "open": 1}
    for settings in (
        {"board": "paris"},
        {"options": {"clock": {"per_decision": 1.9}}},
        {"options": {"clock": {"bank": 100, "increment": 0.9}}},
    ):
        is_problem(ada.post("/v1/games", wish(grace, **settings)), 409, "invitation-refused")
    make(ada, grace, options={"clock": {"bank": 100, "increment": 1}})
    is_problem(mary.post("/v1/games", wish(grace)), 409, "invitation-refused")
    set_rules(grace, boards=[], shortest_clock=0, open=100)
    make(mary, grace, board="paris", options={"clock": {"per_decision": 0.5}})
    is_problem(grace.patch("/v1/me", {"invitations": {"boards": ["mars"]}}), 404, "unknown-board")


def test_strangers_shut_no_door_to_those_whom_one_has_played_with(
    ada, grace, mary, is_problem, recorder
):
    """Who resigns has not played the game to its end."""
    won(grace, mary)
    deque(play_on(begin(grace, ada, first_seat=None), [grace, ada], lambda legal: legal[-1]), 0)
    recorder.run()
    for places in (1, 0):
        set_rules(grace, open=places)
        for caller in (mary, ada):
            for _ in range(places):
                make(caller, grace)
            is_problem(caller.post("/v1/games", wish(grace)), 409, "invitation-refused")


def test_changes_of_an_account_at_the_same_time_are_all_kept(ada, grace):
    for count in range(10):
        with ThreadPoolExecutor(3) as threads:
            for change in ({"blocked": [grace.id]}, {"open": count}, {"boards": ["usa"]}):
                threads.submit(set_rules, ada, **change)
        shown = ada.get("/v1/me").json
        assert shown["blocked"] == [grace.id]
        assert shown["invitations"] == {"boards": ["usa"], "shortest_clock": 2.0, "open": count}
        set_rules(ada, blocked=[], boards=[])


def test_one_owner_has_three_open_invitations_to_an_account(app, ada, grace, mary, is_problem):
    bot = bot_of(app, ada)
    first, second, third = make(ada, grace), make(bot, grace), make(ada, grace)
    for caller in (ada, bot):
        is_problem(caller.post("/v1/games", wish(grace)), 409, "too-many-invitations")
    make(mary, grace)
    decline(ada, first, grace.id)
    decline(grace, second)
    join(grace, third)
    for _ in range(3):
        make(ada, grace)


def test_a_block_is_answered_like_any_other_refusal(app, ada, grace, mary, is_problem):
    game = make(grace, {"open": True})
    set_rules(grace, blocked=[ada.id], boards=["usa"])
    refused = mary.post("/v1/games", wish(grace, board="paris"))
    other = is_problem(refused, 409, "invitation-refused")["detail"]
    for answer in (ada.post("/v1/games", wish(grace)), join(ada, game)):
        assert is_problem(answer, 409, "invitation-refused")["detail"] == other
    assert join(mary, game).status_code == 201
    assert set_rules(grace, blocked=[])["blocked"] == []
    assert make(ada, grace)
    assert grace.delete("/v1/me").status_code == 204
    assert not services(app).games.redis.keys("player:*:invitations")


@pytest.mark.parametrize("blocker", [0, 1])  # the owner, a bot
@pytest.mark.parametrize("blocked", [0, 1])
def test_a_block_holds_for_owners_and_all_their_bots_both_ways(
    app, ada, grace, mary, is_problem, blocker, blocked
):
    """It does not hold at a table of others."""
    one, other = ([owner, bot_of(app, owner), bot_of(app, owner)] for owner in (ada, grace))
    set_rules(one[blocker], blocked=[other[blocked].id])
    games = {caller: make(caller, {"open": True}) for caller in (*one, *other)}
    for caller, creator in (*product(one, other), *product(other, one)):
        is_problem(caller.post("/v1/games", wish(creator)), 409, "invitation-refused")
        is_problem(join(caller, games[creator]), 409, "invitation-refused")
        assert games[creator] not in listed(caller, "joinable=me")
    assert games[one[1]] in listed(ada, "joinable=me")
    table = make(mary, {"open": True}, {"open": True})
    for caller in (ada, grace):
        assert table in listed(caller, "joinable=me")
        assert join(caller, table).status_code == 201


def test_some_accounts_cannot_be_invited(app, ada, grace, is_problem):
    bots.register(services(app).games.redis)
    for other, status, code in (
        (ada.id, 409, "own-invitation"),
        ("p_1", 404, "unknown-player"),
        ("bot_planner_0", 409, "built-in-bot"),
    ):
        is_problem(ada.post("/v1/games", wish({"invite": other})), status, code)
    is_problem(ada.post("/v1/games", wish(grace, grace)), 409, "already-seated")
    is_problem(ada.post("/v1/games", wish(grace, minutes=1441)), 422, "malformed")
    grace.delete("/v1/me")
    is_problem(ada.post("/v1/games", wish(grace)), 404, "unknown-player")


# Bots that are online


def test_bots_are_online_while_they_listen_the_strongest_first(
    app, ada, grace, anybody, redis, is_problem
):
    callers = [Caller(app, ada.post("/v1/me/bots", {"name": f"Bot {i}"}).json) for i in range(3)]
    for caller in (*callers, grace):
        notices(caller)
    first = anybody.get("/v1/bots/online?limit=2").json
    rest = anybody.get(f"/v1/bots/online?limit=2&after={first['next']}").json
    rows = first["items"] + rest["items"]
    assert rest["next"] is None
    assert {row["player"]["id"] for row in rows} == {bot.id for bot in callers}
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    redis.zadd("bots:online", {callers[0].id: 1})
    assert len(anybody.get("/v1/bots/online?board=usa").json["items"]) == 2
    is_problem(anybody.get("/v1/bots/online?board=mars"), 404, "unknown-board")


# Examples for openapi.yaml


def show_invitations(tape: Tape) -> None:
    """Invite, decline, accept; say which invitations are taken; open seats for some ratings."""
    grace = tape.ask("GET", "/v1/me", by="grace").json["id"]
    asked = {
        "board": "usa",
        "seats": [{"player": "me"}, {"invite": grace, "minutes": 60}],
        "options": {"clock": {"bank": 600, "increment": 5}},
    }
    game = (
        "/v1/games/"
        + tape.call(
            "createGame", "invited", "With an invited player", "POST", "/v1/games", asked, "ada"
        )["id"]
    )
    tape.call(
        "listMyEvents",
        "invited",
        "An invitation",
        "GET",
        "/v1/me/events?legal_actions=false",
        by="grace",
    )
    tape.call(
        "listGames",
        "invited",
        "Games to which the caller is invited",
        "GET",
        "/v1/games?status=lobby&invited=me",
        by="grace",
    )
    tape.call(
        "closeInvitation",
        "declined",
        "Not now",
        "DELETE",
        f"{game}/invitations/me?reason=later",
        by="grace",
    )
    tape.call("joinGame", "game-started", "Already declined", "POST", f"{game}/seats", {}, "grace")
    tape.call(
        "closeInvitation",
        "unknown-invitation",
        "Nobody is invited",
        "DELETE",
        f"{game}/invitations/me",
        by="ada",
    )
    tape.call(
        "declineInvitations",
        "none",
        "No invitation is open",
        "DELETE",
        ALL,
        by="grace",
    )
    tape.call(
        "changeMe",
        "invitations",
        "Two boards, five at a time",
        "PATCH",
        "/v1/me",
        {"invitations": {"boards": ["usa", "europe"], "open": 5}},
        "grace",
    )
    tape.call(
        "changeMe",
        "unknown-board",
        "No such board",
        "PATCH",
        "/v1/me",
        {"invitations": {"boards": ["mars"]}},
        "grace",
    )
    tape.call(
        "createGame",
        "invitation-refused",
        "Too fast for the player",
        "POST",
        "/v1/games",
        asked | {"options": {"clock": {"per_decision": 1}}},
        "ada",
    )
    tape.call(
        "createGame",
        "ratings",
        "An open seat for some ratings",
        "POST",
        "/v1/games",
        wish({"bot": "greedy"}, {"open": True, "rating_from": 10}),
        "ada",
    )
    tape.ask("GET", "/v1/me/events", by="adabot")
    tape.call("listBotsOnline", "online", "Bots that can be invited", "GET", "/v1/bots/online")
    tape.call(
        "listBotsOnline", "unknown-board", "No such board", "GET", "/v1/bots/online?board=mars"
    )
