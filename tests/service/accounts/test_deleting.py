"""Names that change, and accounts that are deleted: who is gone is in nobody's way, and what was
played can still be checked."""

import orjson
import pytest

from cli.export.tables import rows
from domain.boards import load_folder
from service.accounts import bots
from service.records import rebuilding
from tests.service.callers import Caller, begin, create, won
from tests.service.tournaments.test_tournaments import ALL, enter, see
from tests.service.tournaments.test_tournaments import create as create_cup
from tools.generators.openapi_tape import Tape


def names(seats: list[dict]) -> list[str]:
    return [seat["player"]["name"] for seat in seats]


@pytest.mark.parametrize(
    "name",
    [
        "planner",
        "Planner",
        "RANDOM",
        "g r e e d y",
        "pla\u00f1ner",
        "pl\u0430nner",
        "\uff52andom",
        "gr\u0435\u0435dy",
        "r.a-n_d o m",
        "deleted",
        "DELETED",
        "rand0m",
        "PIanner",
        "p\u2009lanner",
    ],
)
def test_nobody_is_called_like_a_built_in_bot_nor_so_that_it_looks_alike(
    ada, anybody, is_problem, name
):
    wish = {"name": name}
    for answer in (
        anybody.post("/v1/players", wish),
        ada.post("/v1/me/bots", wish),
        ada.patch("/v1/me", wish),
    ):
        assert is_problem(answer, 422, "bad-request")["field"] == "name"
    assert ada.patch("/v1/me", {"name": f"{name} 2"}).status_code == 200


def test_a_renamed_account_has_its_new_name_in_later_games_only(ada, grace, anybody, game):
    assert ada.patch("/v1/me", {"name": "Countess"}).json["name"] == "Countess"
    assert ada.get("/v1/me").json["name"] == "Countess"
    assert anybody.get(f"/v1/players/{ada.id}").json["name"] == "Countess"
    assert names(ada.view(game)["seats"]) == ["Ada", "Grace"]
    assert names(ada.view(begin(ada, grace))["seats"]) == ["Countess", "Grace"]


def test_a_deleted_account_leaves_lists_games_and_tournaments(app, ada, grace, anybody, is_problem):
    lobby = begin(grace, ada)  # which starts, and is resigned
    waiting = create(grace, {"open": True}, {"open": True}, board="europe")["id"]
    ada.post(f"/v1/games/{waiting}/seats", {})
    own, invited = create(ada)["id"], create(grace, {"invite": ada.id})["id"]
    cup, begun, own_cup = create_cup(grace), create_cup(grace), create_cup(ada)
    for caller, entered in ((ada, cup), (ada, begun), (grace, begun)):
        enter(caller, entered)
    grace.post(f"{ALL}/{begun['id']}/start", {})
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    other = Caller(app, ada.post("/v1/me/tokens", {}).json)

    assert ada.delete("/v1/me").status_code == 204

    for gone in (ada, bot, other):
        is_problem(gone.get("/v1/me"), 401, "not-signed-in")
        is_problem(gone.act(lobby, {"type": "draw_card", "from": "deck"}), 401, "not-signed-in")
    over = grace.view(lobby)
    assert (over["status"], names(over["seats"])) == ("finished", ["Grace", "deleted"])
    assert over["seats"][1]["left"] == "resigned"
    assert "player" not in grace.view(waiting)["seats"][1]
    assert grace.view(own)["status"] == "finished"
    assert grace.view(invited)["ending"] == "aborted"
    assert see(grace, cup)["entrants"] == []
    assert see(grace, begun)["entrants"][0] == {
        "entrant": ada.id,
        "player": {"id": ada.id, "name": "deleted"},
        "withdrawn": True,
        "annulled": True,
    }
    assert see(grace, own_cup)["status"] == "finished"
    for path in ("", "/ratings", "/opponents"):
        is_problem(anybody.get(f"/v1/players/{ada.id}{path}"), 404, "unknown-player")


def test_the_name_of_a_deleted_account_is_shown_only_where_hashes_cover_it(
    ada, grace, anybody, recorder
):
    finished = won(grace, ada)
    before = anybody.get(f"/v1/games/{finished}/history").data
    recorder.run()
    ranks = {
        row["player"]["id"]: row["rank"]
        for row in anybody.get("/v1/leaderboards/overall").json["items"]
    }
    assert ada.delete("/v1/me").status_code == 204
    listed = anybody.get("/v1/games").json["items"][0]
    assert names(listed["seats"]) == names(anybody.view(finished)["seats"]) == ["Grace", "deleted"]
    for at in (1, 2):
        assert "Ada" not in anybody.get(f"/v1/games/{finished}?at={at}").text
    assert "Ada" not in anybody.get(f"/v1/games/{finished}/board.svg").text
    assert b"Ada" not in anybody.get(f"/v1/games/{finished}/decisions").data
    [line] = [orjson.loads(row) for row in anybody.get("/v1/histories").data.splitlines() if row]
    assert names(line["seats"]) == ["Grace", "deleted"]
    [board] = [one for one in load_folder().values() if one.id == line["board"]]
    assert [row["name"] for row in rows(line, board)["seats"]] == ["Grace", "deleted"]
    for path in (
        f"games?player={grace.id}",
        f"games?opponent={ada.id}&player={grace.id}",
        f"games?won_by={grace.id}",
        f"games?board={board.id}",
        f"players/{grace.id}/opponents",
        f"players/{grace.id}/ratings",
    ):
        answer = anybody.get(f"/v1/{path}")
        assert answer.json.get("items"), path
        assert "Ada" not in answer.text
    table = anybody.get("/v1/leaderboards/overall").json["items"]
    assert [(row["player"]["id"], row["rank"]) for row in table] == [(grace.id, ranks[grace.id])]
    assert anybody.get(f"/v1/games/{finished}/history").data == before
    assert b"Ada" in before


def test_games_of_a_deleted_account_count_for_others_as_before(
    games, ada, grace, anybody, recorder
):
    won(grace, ada)
    recorder.run()
    path = f"/v1/players/{grace.id}/ratings"
    before = anybody.get(path).json["items"]
    ada.delete("/v1/me")
    rebuilding.rebuild(games)
    [game], [was] = anybody.get(path).json["items"], before
    assert game.pop("opponents")[0]["player"] == {"id": ada.id, "name": "deleted"}
    assert was.pop("opponents")[0]["player"]["name"] == "Ada"
    assert game == was


def test_a_bot_is_deleted_by_its_owner_alone(app, ada, grace, anybody, is_problem):
    made = ada.post("/v1/me/bots", {"name": "Adabot"}).json
    bot, path = Caller(app, made), f"/v1/me/bots/{made['id']}"
    playing = Caller(app, ada.post("/v1/me/tokens", {"scopes": ["read", "play"]}).json)
    game = begin(grace, bot)
    is_problem(grace.delete(path), 404, "unknown-player")
    is_problem(bot.delete(path), 404, "unknown-player")
    for own in (path, "/v1/me"):
        is_problem(playing.delete(own), 403, "missing-scope")
    is_problem(ada.delete(f"/v1/me/bots/{ada.id}"), 404, "unknown-player")
    assert bot.get("/v1/me").json["name"] == "Adabot"

    assert ada.delete(path).status_code == 204

    is_problem(bot.get("/v1/me"), 401, "not-signed-in")
    assert grace.view(game)["seats"][1]["left"] == "resigned"
    assert ada.get("/v1/me/bots").json["items"] == []
    is_problem(anybody.get(f"/v1/players/{made['id']}"), 404, "unknown-player")
    is_problem(ada.delete(path), 404, "unknown-player")
    assert ada.get("/v1/me").json["name"] == "Ada"


def test_a_built_in_bot_cannot_be_deleted(app, is_problem):
    tokens = bots.register(app.extensions["fogg"].games.redis)
    bot = Caller(app, {"token": tokens["greedy"][0], "id": "bot_greedy_0"})
    is_problem(bot.delete("/v1/me"), 403, "not-yours")


# Examples for openapi.yaml


def show_leaving_for_good(tape: Tape) -> None:
    """Change a name, and delete an account."""
    tape.call("changeMe", "name", "A new name", "PATCH", "/v1/me", {"name": "Countess"}, "mary")
    tape.call(
        "changeMe",
        "taken",
        "The name of a built-in bot",
        "PATCH",
        "/v1/me",
        {"name": "Planner"},
        "mary",
    )
    [bot, *_] = tape.ask("GET", "/v1/me/bots", by="ada").json["items"]
    path = f"/v1/me/bots/{bot['id']}"
    tape.call("deleteBot", "deleted", "A bot is deleted", "DELETE", path, by="ada")
    tape.call("deleteBot", "unknown-player", "Already deleted", "DELETE", path, by="ada")
    tape.call("deleteMe", "deleted", "An account is deleted", "DELETE", "/v1/me", by="mary")
    tape.call("deleteMe", "again", "Already deleted", "DELETE", "/v1/me", by="mary")
