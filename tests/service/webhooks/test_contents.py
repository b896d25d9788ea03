"""The contents of deliveries: the stream's data, in time, and no secrets."""

import json

import pytest

from service.http.serving import services
from tests.receivers import receiver
from tests.service.callers import begin, create, keep_tickets
from tests.service.tournaments.test_tournaments import begun
from tests.service.webhooks.hooks import DRAW, HOOKS, register


def test_a_call_has_the_streams_event_with_its_time(ada, grace, jobs, heard, fits):
    cursor = ada.get("/v1/me/events").json["next"]
    register(ada, heard.url)
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    grace.play(game, {"type": "resign"})
    assert jobs()
    told = ada.get(f"/v1/me/events?after={cursor}").json["items"]
    assert [call["type"] for call in heard.calls] == ["started", "over"]
    for call, notice in zip(heard.calls, told, strict=True):
        fits("Call", call)
        assert {name: value for name, value in call.items() if name != "timestamp"} == notice
    last = ada.get(f"/v1/games/{game}/events").json["items"][-1]
    assert heard.calls[1]["timestamp"] == last["at"]


@pytest.mark.parametrize("is_swept", [False, True])
def test_invitations_and_reasons_for_declining_are_delivered(
    app, ada, grace, sweep, jobs, is_swept
):
    if is_swept:  # the process dies before it stores the delivery
        services(app).games.listeners.clear()
    with receiver() as mine, receiver() as hers:
        register(ada, mine.url)
        register(grace, hers.url)
        invited = {"invite": grace.id, "if_declined": "open"}
        made = create(ada, invited, {"open": True}, visibility="private")
        sweep()
        jobs()
        [call] = hers.calls
        assert (call["type"], call["game"], call["by"]["id"]) == ("invited", made["id"], ada.id)
        assert "invitation" not in call["view"]
        assert grace.delete(f"/v1/games/{made['id']}/invitations/me?reason=busy").status_code == 204
        sweep()
        jobs()
        [call] = mine.calls
        assert (call["type"], call["game"], call["reason"]) == ("declined", made["id"], "busy")


def test_a_call_shows_what_the_player_may_see_and_no_more(ada, grace, game, jobs):
    with receiver() as mine, receiver() as hers:
        register(ada, mine.url)
        register(grace, hers.url)
        jobs()
        ada.play(game, DRAW)
        ada.play(game, DRAW)
        jobs()
        for other, server, seat in ((grace, mine, 0), (ada, hers, 1)):
            text = b"".join(server.raw).decode()
            assert json.dumps(other.view(game)["you"]["hand"], separators=(",", ":")) not in text
            assert [ticket for ticket in other.view(game)["you"]["tickets"] if ticket in text] == []
            assert server.calls[-1]["view"]["you"]["seat"] == seat
        assert hers.calls[-1]["view"] == grace.view(game)


def test_an_enabled_webhook_gets_pending_decisions_and_no_past_events(
    ada, grace, game, jobs, heard, sweep
):
    hook = register(ada, heard.url)
    jobs()
    sweep()
    jobs()
    assert [(call["type"], call["game"]) for call in heard.calls] == [("your_turn", game)]
    path = f"{HOOKS}/{hook['id']}"
    ada.patch(path, {"enabled": False})
    other = begin(ada, grace)
    ada.play(game, DRAW)
    sweep()
    assert jobs() == 0
    ada.patch(path, {"enabled": True})
    jobs()
    assert {(call["type"], call["game"]) for call in heard.calls[1:]} == {
        ("your_turn", game),
        ("your_turn", other),
    }


def test_notices_of_a_tournament_are_delivered_once(tournaments, ada, grace, jobs, fits):
    with receiver() as mine, receiver() as hers:
        register(ada, mine.url, events=["tournament", "paired"])
        hook = register(grace, hers.url, events=["tournament"])
        cup = begun(tournaments, ada, grace)
        jobs()
        assert sorted(call.get("change", call["type"]) for call in mine.calls) == [
            "begun",
            "paired",
            "round",
        ]
        assert {call["tournament"] for call in mine.calls} == {cup["id"]}
        [call] = hers.calls
        fits("Call", call)
        assert (call["game"], call["tournament"], call["change"]) == (cup["id"], cup["id"], "begun")
        assert call["timestamp"] == call["at"]
        [listed] = grace.get(f"/v1/me/webhooks/{hook['id']}/deliveries").json["items"]
        assert listed["game"] == listed["tournament"] == cup["id"]
