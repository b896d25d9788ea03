"""The pool over the API: readiness, the test game, pairing, removal."""

from dataclasses import replace

import orjson
import pytest

from domain.game.commands import CreateGame, Player
from domain.skill import MOVES
from service.accounts import bots
from service.games import faults
from service.games.creating import create_from
from service.games.playing import time_out
from service.http.serving import services
from service.pool import pool as pools
from service.pool.games import violations
from service.pool.pool import Pool, day, key
from service.pool.sweep import sweep
from service.ratings.rating_rules import rated_game
from service.times import now_in_ms
from tests.service.callers import Caller, play_on
from tools.generators.openapi_tape import Tape

POOL = "/v1/me/pool"
RESIGN = {"type": "resign"}


@pytest.fixture
def pool(app):
    return services(app).find(Pool)


def enter(caller: Caller, *, test_passed: bool = True, **wish) -> dict:
    """Make an account ready that has passed its test."""
    if test_passed:
        services(caller.client.application).find(Pool).redis.hset(key("passed"), caller.id, "")
    answer = caller.request("PUT", POOL, wish)
    assert answer.status_code == 200, answer.json
    return answer.json


def own(caller: Caller) -> dict:
    return caller.get(POOL).json


def has_waited(pool, caller: Caller, seconds: int = 60) -> None:
    """Make an account's wait a long one."""
    row = orjson.loads(pool.redis.hget(key("entries"), caller.id))
    row["since"] -= 1000 * seconds
    pool.redis.hset(key("entries"), caller.id, orjson.dumps(row))


def pair(pool, *callers: Caller, **wish) -> dict:
    """Pair these accounts; return the pairing."""
    for caller in callers:
        enter(caller, **wish)
    sweep(pool)
    return own(callers[0])["under_way"][0]


def built_in(app, bot: str, seat: int = 1) -> Caller:
    """A built-in bot's account on a seat."""
    known = bots.register(services(app).games.redis)
    return Caller(app, {"id": bots.player(bot, seat).id, "token": known[bot][seat]})


# Being ready


def test_malformed_and_impossible_preferences_are_refused(app, ada, is_problem):
    for wish in (
        {"boards": []},
        {"seats": [1]},
        {"seats": [2, 2]},
        {"clocks": ["endless"]},
        {"parallel_games": 0},
        {"expires_in": 1},
        {"prize": 1},
    ):
        problem = is_problem(ada.request("PUT", POOL, wish), 422, "malformed")
        assert problem["field"].partition(".")[0] == next(iter(wish))
    is_problem(ada.request("PUT", POOL, {"boards": ["atlantis"]}), 404, "unknown-board")
    is_problem(
        ada.request("PUT", POOL, {"boards": ["london"], "seats": [5]}), 409, "wrong-number-of-seats"
    )
    assert own(ada)["status"] == "out"
    is_problem(built_in(app, "planner").request("PUT", POOL, {}), 403, "not-yours")


def test_an_account_without_heartbeats_is_away_and_removed_in_the_end(ada, grace, pool):
    enter(ada)
    enter(grace)
    pool.redis.zadd(key("expiry"), {ada.id: now_in_ms() - 1})
    sweep(pool)
    assert (own(ada)["status"], own(grace)["under_way"]) == ("away", [])
    ada.get("/v1/me/events")
    assert own(ada)["status"] == "ready"
    pool.redis.zadd(key("expiry"), {ada.id: now_in_ms() - pools.FORGET_AFTER_MS - 1})
    sweep(pool)
    assert own(ada)["status"] == "out"
    ada.get("/v1/me/events")
    assert own(ada)["status"] == "out"


# Being paired


def test_two_ready_accounts_are_paired_once_and_notified(ada, grace, pool):
    pairing = pair(pool, ada, grace)
    sweep(pool)
    assert [row["id"] for row in own(grace)["under_way"]] == [pairing["id"]]
    view = ada.view(pairing["games"][0])
    assert (view["pool"], view["status"]) == ({"id": pairing["id"]}, "playing")
    assert view["clock"] == {"per_decision": 10, "on_timeout": "resign"}
    assert {seat["player"]["id"] for seat in view["seats"]} == {ada.id, grace.id}
    told = ada.get("/v1/me/events?after=0:").json["items"]
    assert [row["pool"] for row in told if row["type"] == "paired"] == [pairing["id"]]


def test_a_pair_plays_from_both_seats_and_one_game_says_nothing_about_the_other(
    ada, grace, anybody, pool
):
    one, other = pair(pool, ada, grace, parallel_games=2)["games"]
    seats = [[seat["player"]["id"] for seat in ada.view(game)["seats"]] for game in (one, other)]
    assert seats[0] == seats[1][::-1]
    own_offer, offer_of_grace = ada.view(one)["you"]["offered"], grace.view(other)["you"]["offered"]
    assert own_offer != offer_of_grace
    grace.play(one, RESIGN)
    assert anybody.view(one)["seed"] != pool.games.get(other).state.seed
    sweep(pool)
    assert own(ada)["under_way"][0]["finished"] == [one]
    assert [rated_game(pool.games.get(game)).deal for game in (one, other)] == [(), ()]


def test_a_game_of_a_pair_with_the_same_cards_is_sealed_until_both_are_over(games, ada, grace):
    """The pool made such pairs once."""
    first, second = ids = [games.store.new_id() for _ in range(2)]
    for game, seated in ((first, (ada, grace)), (second, (grace, ada))):
        create_from(
            games,
            CreateGame(
                game=game,
                creator="m_1",
                pool={"id": "m_1", "games": ids},
                spectators=False,
                seats=tuple((Player(one.id, "X"), None) for one in seated),
                seed=bytes(32),
                visibility="unlisted",
                rating_rules=3,
            ),
            games.store.board("usa"),
        )
    grace.play(first, RESIGN)
    assert (grace.view(first)["status"], "seed" in grace.view(first)) == ("finished", False)
    grace.play(second, RESIGN)
    assert grace.view(first)["seed"]
    assert {*rated_game(games.get(first)).deal} == {*ids}


def test_an_account_plays_no_more_than_its_parallel_games(ada, grace, mary, pool):
    for caller in (ada, grace, mary):
        enter(caller)
    for _ in range(3):
        sweep(pool)
    assert sorted(len(own(caller)["under_way"]) for caller in (ada, grace, mary)) == [0, 1, 1]


def test_missing_games_of_a_pairing_are_created_by_the_next_sweep(ada, grace, pool, monkeypatch):
    def die(*_):
        raise OSError("killed")

    for caller in (ada, grace):
        enter(caller, parallel_games=2)
    with monkeypatch.context() as patch:
        patch.setattr("service.pool.games.create_game", die)
        with pytest.raises(OSError, match="killed"):
            sweep(pool)
    pairing = own(ada)["under_way"][0]
    assert ada.get(f"/v1/games/{pairing['games'][0]}").status_code == 404
    sweep(pool)
    assert [ada.view(game)["status"] for game in pairing["games"]] == ["playing"] * 2
    assert [row["id"] for row in own(ada)["under_way"]] == [pairing["id"]]


def test_an_account_that_leaves_during_a_sweep_is_not_paired(ada, grace, pool, monkeypatch):
    for caller in (ada, grace):
        enter(caller)
    decided = pool.state

    def state():
        snapshot = decided()
        monkeypatch.undo()
        assert ada.delete(POOL).status_code == 204
        return snapshot

    monkeypatch.setattr(pool, "state", state)
    for _ in range(2):
        sweep(pool)
    assert own(grace)["under_way"] == []
    assert ada.delete(POOL).status_code == 204  # also where one has left already
    assert own(ada)["status"] == "out"


# The test at entry


def trial_of(app, pool, caller: Caller) -> str:
    """Return the game of a test that has begun."""
    assert enter(caller, test_passed=False)["status"] == "testing"
    sweep(pool)
    row = own(caller)["under_way"][0]
    assert (row["test"], row["players"][1]["name"]) == (True, "random")
    return row["games"][0]


def test_each_version_of_a_bot_is_tested_once(ada, app, pool):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "bot"}).json)
    game = trial_of(app, pool, bot)
    built_in(app, "random").play(game, RESIGN)
    sweep(pool)
    assert own(bot)["status"] == "ready"
    assert enter(bot, test_passed=False, parallel_games=2)["status"] == "ready"
    bot.patch("/v1/me", {"version": "2"})
    assert own(bot)["status"] == "testing"


def test_an_illegal_action_or_resigning_fails_the_test(ada, grace, app, pool, is_problem):
    grace.play(trial_of(app, pool, grace), RESIGN)
    sweep(pool)
    assert own(grace)["removal"]["reason"] == "resigned"
    game = trial_of(app, pool, ada)
    is_problem(
        ada.act(game, {"type": "keep_tickets", "tickets": ["nowhere"]}), 409, "ticket-not-offered"
    )
    built_in(app, "random").play(game, RESIGN)
    sweep(pool)
    shown = own(ada)
    assert (shown["status"], shown["removal"]["reason"], shown["removal"]["game"]) == (
        "out",
        "illegal",
        game,
    )
    problem = is_problem(ada.request("PUT", POOL, {}), 409, "pool-paused")
    assert shown["removal"]["retry_at"] in problem["detail"]


def test_malformed_actions_are_faults_and_late_or_repeated_ones_are_not(ada, app, pool):
    game = trial_of(app, pool, ada)
    ada.play(game, ada.view(game)["you"]["legal_actions"][0])
    assert ada.act(game, {"type": "draw_card", "from": "deck"}).status_code == 409
    assert faults.count_of(pool.redis, game, ada.id) == 0
    assert ada.act(game, {"type": "dance"}).status_code == 422
    ada.post(
        "/v1/me/actions",
        {
            "items": [  # counts as if alone
                {"game": game, "action": {"type": "dance"}},
                {"game": game},
                {"game": 3},
            ]
        },
    )
    assert faults.count_of(pool.redis, game, ada.id) == 2


# Removal


def test_the_pause_doubles_with_each_timeout(ada, grace, pool, monkeypatch):
    pauses = []
    for _ in range(2):
        game = pair(pool, ada, grace)["games"][0]
        grace.play(game, grace.view(game)["you"]["legal_actions"][0])
        with monkeypatch.context() as patch:
            patch.setattr("service.games.playing.now_in_ms", lambda: now_in_ms() + 60_000)
            time_out(pool.games, game)
        sweep(pool)
        removal = own(ada)["removal"]
        assert (removal["reason"], own(grace)["status"]) == ("timeout", "ready")
        row = orjson.loads(pool.redis.hget(key("removed"), ada.id))
        pauses.append(row["retry_at"] - row["at"])
        pool.redis.hset(key("removed"), ada.id, orjson.dumps(row | {"retry_at": 0}))
        pool.redis.delete(day("met", now_in_ms()))
    assert pauses == [pools.FIRST_PAUSE_MS, 2 * pools.FIRST_PAUSE_MS]


def test_resigning_before_playing_removes_and_the_game_does_not_count_for_others(ada, grace, pool):
    game = pair(pool, ada, grace)["games"][0]
    assert own(grace)["games_today"] == 1
    ada.play(game, RESIGN)
    sweep(pool)
    assert own(ada)["removal"]["reason"] == "resigned"
    assert (own(grace)["status"], own(grace)["games_today"]) == ("ready", 0)
    assert own(ada)["games_today"] == 1


def resigned_after_ten_actions(pool, ada, grace, count: int) -> None:
    """Pair the two for so many games, and let one resign each after ten actions, with all trains
    left."""
    games = pair(pool, ada, grace, parallel_games=count)["games"]
    assert len(games) == count
    for game in games:
        play_ten_actions(pool, game, ada, grace)
        ada.play(game, RESIGN)
    sweep(pool)


def play_ten_actions(pool, game: str, ada: Caller, grace: Caller) -> None:
    while any(pool.games.get(game).moves.get(seat, 0) < MOVES for seat in (0, 1)):
        for caller in (ada, grace):
            view = caller.view(game)
            if actions := view["you"]["legal_actions"]:
                caller.play(
                    game,
                    next(
                        (action for action in actions if action["type"] == "draw_card"), actions[0]
                    ),
                )


def test_the_third_early_resignation_in_a_row_removes(ada, grace, pool):
    """The first two at the same time."""
    resigned_after_ten_actions(pool, ada, grace, 2)
    assert {own(caller)["status"] for caller in (ada, grace)} == {"ready"}
    assert own(ada)["games_today"] == own(grace)["games_today"] == 2
    assert pool.redis.hget(key("removed"), ada.id) == b'{"early":2}'
    pool.redis.delete(day("met", now_in_ms()))
    resigned_after_ten_actions(pool, ada, grace, 1)
    assert (own(ada)["removal"]["reason"], own(grace)["status"]) == ("resigned", "ready")


def test_a_game_with_a_built_in_bot_makes_no_early_resignation_undone(app, ada, pool):
    game = trial_of(app, pool, ada)
    pool.redis.hset(key("removed"), ada.id, b'{"early":2}')
    built_in(app, "random").play(game, RESIGN)
    sweep(pool)
    assert own(ada)["status"] == "ready"
    assert pool.redis.hget(key("removed"), ada.id) == b'{"early":2}'


def test_a_game_played_to_its_end_with_a_person_makes_early_resignations_undone(ada, grace, pool):
    game = pair(pool, ada, grace)["games"][0]
    pool.redis.hset(key("removed"), ada.id, b'{"early":2}')
    callers = {caller.id: caller for caller in (ada, grace)}
    seated = [callers[seat["player"]["id"]] for seat in ada.view(game)["seats"]]
    for _ in play_on(game, seated, lambda legal: legal[-1]):
        pass
    sweep(pool)
    assert pool.redis.hget(key("removed"), ada.id) is None


def test_a_game_resigned_with_half_of_the_trains_placed_is_no_fault(ada, grace, pool):
    game = pool.games.get(pair(pool, ada, grace)["games"][0])
    left = replace(game, moves={0: MOVES, 1: MOVES}, state=game.state.copy())
    for trains, reason in ((45, {0: "early"}), (22, {})):
        left.state.trains, left.state.left = (trains, 45), ("resigned", None)
        seats = {player.id: seat for seat, player in enumerate(left.state.players)}
        reasons = violations(pool.games, left)
        assert {seats[account]: why for account, why in reasons.items()} == reason


# Blocked accounts


@pytest.mark.parametrize(
    ("lists", "counts"),
    [
        ({"2026-01-01": ["grace"]}, True),
        ({"": ["grace"]}, False),
        ({"2026-01-01": ["p_1", "p_2", "grace", "p_3"]}, True),
        ({"2026-01-01": ["p_1", "p_2", "p_3", "grace"]}, False),
        ({"2026-01-01": ["bot_random_0", "bot_greedy_0", "bot_planner_0", "grace"]}, True),
        (
            {"2026-01-01": ["p_1", "p_2", "p_3"], "2026-01-02": ["grace", "p_1", "p_2", "p_3"]},
            False,
        ),
        ({"2026-01-01": ["p_1", "p_2", "p_3", "grace"], "": ["p_1", "grace"]}, False),
        ({"2026-01-01": ["grace"], "": []}, False),
        ({"2026-01-01": ["grace"], "2026-01-02": [], "": ["grace"]}, False),
        ({"2026-01-01": ["grace"], "": ["p_1", "p_2", "p_3", "grace"]}, True),
    ],
    ids=[
        "day before",
        "today",
        "third",
        "fourth",
        "after built-in bots",
        "later than three",
        "room made today",
        "unblocked",
        "blocked again today",
        "kept",
    ],
)
def test_the_first_three_blocks_count_in_the_pool_from_the_next_day(
    ada, grace, pool, monkeypatch, lists, counts
):
    for day_of_change, blocked in lists.items():
        ids = [grace.id if one == "grace" else one for one in blocked]
        with monkeypatch.context() as patch:
            if day_of_change:
                patch.setattr("service.accounts.invitations.now", lambda at=day_of_change: at)
            assert ada.patch("/v1/me", {"blocked": ids}).json["blocked"] == ids
    for caller in (ada, grace):
        enter(caller)
    sweep(pool)
    assert bool(own(ada)["under_way"]) is not counts


def test_a_blocked_built_in_bot_is_met_all_the_same(ada, pool, monkeypatch):
    everybody = [bots.player(name, seat).id for name in bots.OFFERED for seat in range(bots.SEATS)]
    monkeypatch.setattr("service.accounts.invitations.now", lambda: "2026-01-01")
    assert ada.patch("/v1/me", {"blocked": everybody}).json["blocked"] == everybody
    enter(ada)
    has_waited(pool, ada)
    sweep(pool)
    assert own(ada)["under_way"][0]["players"]


# Examples of openapi.yaml


def show_pool(tape: Tape) -> None:
    """Be ready, be paired, leave."""
    wish = {"boards": ["usa", "europe"], "seats": [2], "clocks": ["normal"], "parallel_games": 4}
    tape.call("enterPool", "testing", "A test game comes first", "PUT", POOL, wish, "ada")
    tape.call(
        "enterPool", "unknown-board", "No such board", "PUT", POOL, {"boards": ["atlantis"]}, "ada"
    )
    tape.call("enterPool", "malformed", "Too many seats", "PUT", POOL, {"seats": [9]}, "ada")
    for who in ("ada", "grace"):
        me = tape.ask("GET", "/v1/me", by=who).json["id"]
        tape.find(Pool).redis.hset(key("passed"), me, "")
    tape.ask("PUT", POOL, wish, "grace")
    tape.call("getPool", "ready", "Two are ready", "GET", "/v1/pool")
    sweep(tape.find(Pool))
    tape.call("getMyPool", "paired", "Paired, one game from each seat", "GET", POOL, by="ada")
    tape.call("leavePool", "left", "The pool was left", "DELETE", POOL, by="ada")
