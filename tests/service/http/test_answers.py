"""Every answer of a whole game is as openapi.yaml describes it (``described`` in conftest.py)."""

from random import Random

from service.http.answers import answer
from service.operation import api as operation
from tests.service.callers import begin, keep_tickets, play_on, sign_up


def test_every_answer_of_a_whole_game_fits_its_schema(app, ada, grace, mary, anybody):
    players, chance = [ada, grace, mary], Random(5)
    everybody = [*players, sign_up(app, "Watcher"), anybody]
    game = begin(*players)
    keep_tickets(game, *players)
    kinds = set()
    for mover, played in play_on(game, players, chance.choice):
        kinds.add(played["entries"][0]["action"]["type"])
        for caller in everybody:
            caller.view(game)
        actions = mover.get(f"/v1/games/{game}/legal-actions").json
        assert played["view"]["you"].get("legal_actions", []) == actions["items"]
        if played["version"] == 50 or played["view"]["status"] == "finished":
            for caller in everybody:
                page = caller.get(f"/v1/games/{game}/events?limit=1000").json
                assert [entry["version"] for entry in page["items"]] == [
                    *range(1, played["version"] + 1)]
    assert kinds >= {"draw_card", "claim_route", "draw_tickets", "keep_tickets"}
    assert anybody.view(game)["ending"] == "final_turns"


def test_an_answer_with_another_member_than_described_is_noticed(anybody, described, monkeypatch):
    monkeypatch.setattr(operation, "answer", lambda shown: answer(shown | {"mood": "fine"}))
    anybody.get("/healthz")
    [(operation_id, status, words)] = described
    described.clear()
    assert (operation_id, status) == ("getHealth", 200)
    assert "mood" in words
