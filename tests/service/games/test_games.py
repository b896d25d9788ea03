"""The lobby, and the lists of games."""

import pytest

from tests.service.callers import Caller, begin, sign_up
from tools.generators.openapi_tape import SEED, Tape

TWO_SEATS = [{"player": "me"}, {"open": True}]


@pytest.fixture
def lobby(ada):
    """A game that Ada has created, with two more seats, which are open."""
    wish = {"board": "usa", "seats": [*TWO_SEATS, {"open": True}]}
    return ada.post("/v1/games", wish).json["id"]


def test_a_game_starts_by_itself_when_the_last_open_seat_is_taken(app, ada, grace, lobby):
    joined = grace.post(f"/v1/games/{lobby}/seats", {})
    assert (joined.status_code, joined.json["status"]) == (201, "lobby")
    assert joined.json["you"] == {"seat": 1}
    assert joined.headers["Location"] == f"/v1/games/{lobby}/seats/1"
    started = sign_up(app, "Mary").post(f"/v1/games/{lobby}/seats", {"entropy": "x"})
    assert started.json["status"] == "playing"
    assert [d["decision"] for d in started.json["deciding"]] == ["keep_tickets"] * 3
    assert ada.view(lobby)["you"]["hand"]


def test_a_seat_that_was_left_can_be_taken_by_another(ada, grace, mary, lobby, is_problem):
    """Everybody frees their own seat, and the creator any."""
    for caller in (grace, ada):
        seat = grace.post(f"/v1/games/{lobby}/seats", {}).headers["Location"]
        is_problem(mary.delete(seat), 403, "not-yours")
        left = caller.delete(seat)
        assert (left.status_code, left.get_data()) == (204, b"")
        is_problem(caller.delete(seat), 409, "seat-not-taken")
    assert mary.post(f"/v1/games/{lobby}/seats", {}).json["you"]["seat"] == 1


def test_a_seed_fixes_the_game_and_marks_it(ada, grace):
    games = [begin(ada, grace, seed="0f" * 32) for _ in range(2)]
    views = [ada.view(game) for game in games]
    assert views[0]["seed_known"] is True
    assert views[0]["you"] == views[1]["you"]
    assert "seed" not in views[0]
    assert ada.view(begin(ada, grace))["seed_known"] is False


def test_games_are_listed_by_status_board_and_player(ada, grace, anybody, game, lobby):
    def ids(caller: Caller, query: str) -> list[str]:
        return [row["id"] for row in caller.get(f"/v1/games?{query}").json["items"]]

    assert ids(anybody, "") == [lobby, game]
    assert ids(anybody, "status=lobby") == [lobby]
    assert ids(anybody, "status=playing&board=usa") == [game]
    assert ids(anybody, "board=atlantis") == ids(anybody, "status=finished") == []
    assert ids(grace, "player=me") == ids(anybody, f"player={grace.id}") == [game]
    assert ids(ada, "player=me&status=lobby") == [lobby]
    assert anybody.get("/v1/games?player=me").status_code == 401
    grace.play(game, {"type": "resign"})
    assert ids(anybody, "status=finished") == [game]
    assert ids(anybody, "status=playing") == []


# Examples for openapi.yaml


def show_games(tape: Tape) -> None:
    """Make games, take seats and leave them, until the second seat is taken for good."""
    wish = {"board": "usa", "seats": [{"player": "me"}, {"bot": "planner"}]}
    tape.call(
        "createGame",
        "against-a-bot",
        "A game against a bot, which starts at once",
        "POST",
        "/v1/games",
        wish | {"options": {"seed": SEED}},
        "mary",
    )
    tape.call(
        "createGame",
        "against-bots",
        "A game against two bots on another map",
        "POST",
        "/v1/games",
        {"board": "europe", "seats": [{"bot": "greedy"}, {"player": "me"}, {"bot": "random"}]},
        "mary",
    )
    wish = {
        "board": "usa",
        "seats": [{"player": "me"}, {"open": True}],
        "options": {"seed": SEED, "first_seat": 0},
    }
    made = tape.call(
        "createGame",
        "open-seat",
        "A game that waits for a second player",
        "POST",
        "/v1/games",
        wish,
        "ada",
    )
    tape.call(
        "createGame",
        "unknown-board",
        "No such board",
        "POST",
        "/v1/games",
        wish | {"board": "atlantis"},
        "ada",
    )
    tape.call(
        "createGame",
        "too-many-seats",
        "More seats than the board has",
        "POST",
        "/v1/games",
        {"board": "usa", "seats": [{"open": True}] * 6},
        "ada",
    )
    tape.call(
        "createGame",
        "malformed",
        "Two invalid members",
        "POST",
        "/v1/games",
        {"board": "usa", "seats": [{"player": "me"}, {"bot": "hal"}], "speed": 9},
        "ada",
    )
    tape.game = f"/v1/games/{made['id']}"
    tape.call("listGames", "lobby", "Games that wait for players", "GET", "/v1/games?status=lobby")
    tape.call(
        "listGames",
        "too-long",
        "A query of more than 4,000 bytes",
        "GET",
        "/v1/games?board=" + "a" * 4_000,
    )
    tape.call("listGames", "malformed", "An unknown status", "GET", "/v1/games?status=open")
    tape.call(
        "joinGame", "already-seated", "A second seat", "POST", f"{tape.game}/seats", {}, "ada"
    )
    wish = wish | {"seats": wish["seats"] + [{"open": True}]}
    waiting = f"/v1/games/{tape.ask('POST', '/v1/games', wish, 'ada').json['id']}"
    tape.ask("POST", f"{waiting}/seats", {}, "grace")
    tape.call(
        "leaveSeat",
        "not-yours",
        "Another player's seat",
        "DELETE",
        f"{waiting}/seats/0",
        by="grace",
    )
    tape.call("leaveSeat", "left", "The caller's seat", "DELETE", f"{waiting}/seats/1", by="grace")
    _show_private_game(tape, wish)
    tape.call(
        "joinGame",
        "joined",
        "The last open seat: the game starts",
        "POST",
        f"{tape.game}/seats",
        {"entropy": "correct-horse-battery-staple"},
        "grace",
    )
    tape.call(
        "leaveSeat",
        "game-started",
        "Too late to leave",
        "DELETE",
        f"{tape.game}/seats/1",
        by="grace",
    )


def _show_private_game(tape: Tape, wish: dict) -> None:
    """A game with a clock that is not for everybody: join, start, abort."""
    wish = wish | {
        "options": wish["options"]
        | {"visibility": "private", "clock": {"bank": 600, "increment": 5}, "on_timeout": "act"}
    }
    made = tape.call(
        "createGame", "private", "A private game with a clock", "POST", "/v1/games", wish, "ada"
    )
    game = f"/v1/games/{made['id']}"
    tape.call(
        "joinGame",
        "not-yours",
        "Without the invitation code",
        "POST",
        f"{game}/seats",
        {"invitation": 20 * "0"},
        "mary",
    )
    tape.call(
        "joinGame",
        "invited",
        "With the invitation code",
        "POST",
        f"{game}/seats",
        {"invitation": made["invitation"], "seat": 2},
        "grace",
    )
    tape.call(
        "startGame", "not-yours", "Only the creator starts it", "POST", f"{game}/start", {}, "grace"
    )
    tape.call(
        "startGame", "started", "Started without the third seat", "POST", f"{game}/start", {}, "ada"
    )
    tape.call(
        "abortGame", "aborted", "Aborted before the first turn", "POST", f"{game}/abort", {}, "ada"
    )
    tape.call("abortGame", "game-finished", "Already over", "POST", f"{game}/abort", {}, "ada")


def show_fork(tape: Tape) -> None:
    """Go on from a position of the finished game."""
    wish = {
        "fork": {"game": tape.game.rpartition("/")[2], "version": 20},
        "seats": [{"player": "me"}, {"open": True}],
    }
    tape.call(
        "createGame",
        "fork",
        "A fork: continues from a position in a finished game",
        "POST",
        "/v1/games",
        wish,
        "ada",
    )


def show_rematch(tape: Tape) -> None:
    """Play the finished game again."""
    tape.call("rematch", "first", "The first request", "POST", f"{tape.game}/rematch", {}, "ada")
