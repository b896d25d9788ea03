"""Every answer of a whole game fits openapi.yaml: answers are written without their schemas."""

from random import Random

from tests.service.api.callers import begin, keep_tickets, play_on, sign_up


def test_every_answer_of_a_whole_game_fits_its_schema(app, ada, grace, mary, anybody, fits):
    players, chance = [ada, grace, mary], Random(5)
    everybody = [*players, sign_up(app, "Watcher"), anybody]
    game = begin(*players)
    keep_tickets(game, *players)
    kinds = set()
    for mover, answer in play_on(game, players, chance.choice):
        fits("Played", answer)
        kinds.add(answer["entries"][0]["action"]["type"])
        for caller in everybody:
            fits("View", caller.view(game))
        actions = mover.get(f"/v1/games/{game}/legal-actions").json
        fits("LegalActions", actions)
        assert answer["view"]["you"].get("legal_actions", []) == actions["items"]
        if answer["version"] == 50 or answer["view"]["status"] == "finished":
            for caller in everybody:
                page = caller.get(f"/v1/games/{game}/events?limit=1000").json
                fits("Entries", page)
                assert [entry["version"] for entry in page["items"]] == [
                    *range(1, answer["version"] + 1)]
    assert kinds >= {"draw_card", "claim_route", "draw_tickets", "keep_tickets"}
    assert anybody.view(game)["ending"] == "final_turns"
