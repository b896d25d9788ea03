"""Every answer of a whole game fits openapi.yaml: answers are written without their schemas."""

from random import Random

import pytest

from tests.service.api.callers import begin, keep_tickets, play_on, sign_up


@pytest.fixture
def four(app):
    """Three players and one who watches."""
    return [sign_up(app, name) for name in ("Ada", "Grace", "Mary", "Watcher")]


def test_every_answer_of_a_whole_game_fits_its_schema(four, anybody, fits):
    players, chance = four[:3], Random(5)
    game = begin(*players)
    keep_tickets(game, *players)
    kinds = set()
    for mover, answer in play_on(game, players, chance.choice):
        fits("Played", answer)
        kinds.add(answer["entries"][0]["action"]["type"])
        for caller in (*four, anybody):
            fits("View", caller.view(game))
        actions = mover.get(f"/v1/games/{game}/legal-actions").json
        fits("LegalActions", actions)
        assert answer["view"]["you"].get("legal_actions", []) == actions["items"]
    assert kinds >= {"draw_card", "claim_route", "draw_tickets", "keep_tickets"}
    assert anybody.view(game)["ending"] == "final_turns"
    _lists_fit(game, players[0], anybody, fits)


def test_the_history_as_each_may_see_it_fits_its_schema_at_every_step(four, anybody, fits):
    players, chance = four[:3], Random(6)
    game = begin(*players)
    keep_tickets(game, *players)
    for _ in range(40):
        view = players[0].view(game)
        mover = players[view["deciding"][0]["seat"]]
        mover.play(game, chance.choice(mover.view(game)["you"]["legal_actions"]))
    for caller in (*four, anybody):
        page = caller.get(f"/v1/games/{game}/events").json
        fits("Entries", page)
        assert [entry["version"] for entry in page["items"]] == list(range(1, page["next"] + 1))


def _lists_fit(game, player, anybody, fits) -> None:
    fits("Entries", anybody.get(f"/v1/games/{game}/events").json)
    fits("Games", anybody.get("/v1/games").json)
    fits("Games", player.get("/v1/games?player=me&status=finished").json)
    fits("Account", player.get("/v1/me").json)
    fits("Tokens", player.get("/v1/me/tokens").json)
    fits("CreatedToken", player.post("/v1/me/tokens", {}).json)
    fits("Board", anybody.get("/v1/boards/usa").json)
    fits("Boards", anybody.get("/v1/boards").json)
    fits("Bots", anybody.get("/v1/bots").json)
    fits("Health", anybody.get("/readyz").json)
    assert anybody.get(f"/v1/games/{game}/board.svg").get_data(as_text=True).startswith("<svg")


def test_a_game_in_every_stage_fits_its_schema(anybody, ada, grace, game, fits):
    lobby = ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"open": True}]})
    fits("View", lobby.json)
    started = grace.post(f"/v1/games/{lobby.json['id']}/seats", {"entropy": "abc"})
    fits("View", started.json)
    assert started.json["you"]["offered"]
    with_bot = ada.post("/v1/games", {"board": "usa", "seats": [{"player": "me"},
                                                                {"bot": "greedy"}]})
    fits("View", with_bot.json)
    assert with_bot.json["seats"][1]["player"]["bot"] == "greedy"
    fits("Played", grace.play(game, {"type": "resign"}))
    fits("View", anybody.view(game))
    fits("Entries", ada.get(f"/v1/games/{game}/events").json)


def test_no_member_is_null_where_it_does_not_apply(anybody, ada, game):
    def nulls(value, at=""):
        if isinstance(value, dict):
            return [place for name, v in value.items() for place in nulls(v, f"{at}.{name}")]
        if isinstance(value, list):
            return [place for v in value for place in nulls(v, at)]
        return [at] if value is None else []

    for caller in (anybody, ada):
        assert nulls(caller.view(game)) == []
        assert nulls(caller.get(f"/v1/games/{game}/events").json["items"]) == []
        assert nulls(caller.get("/v1/games").json["items"]) == []
