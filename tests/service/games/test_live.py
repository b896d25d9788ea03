"""The feed of all public games: what everybody may see of each, once, and nothing of the others."""

import json

import pytest

from tests.service.callers import Caller, begin, keep_tickets
from tests.service.games.test_streams import NDJSON, SSE, messages, stream
from tests.service.tournaments.test_tournaments import begun, games_of
from tools.generators.openapi_tape import Tape

DRAW = {"type": "draw_card", "from": "deck"}


def told(caller: Caller, cursor: str, wait: int = 20) -> list[dict]:
    """The next messages of the feed."""
    return caller.get(f"/v1/live?after={cursor}&wait={wait}").json["items"]


def until(caller: Caller, cursor: str, kind: str) -> list[dict]:
    """The feed's messages up to the first of a kind."""
    messages: list[dict] = []
    for _ in range(20):
        messages += told(caller, messages[-1]["cursor"] if messages else cursor)
        if any(message["type"] == kind for message in messages):
            return messages
    raise AssertionError(f"no {kind} in {messages}")


def test_a_game_has_messages_at_its_beginning_its_moves_and_its_end(ada, grace, anybody):
    first = anybody.get("/v1/live").json
    assert [(row["type"], row["games"]) for row in first["items"]] == [("under_way", [])]
    game = begin(ada, grace, seed="5e" * 32)
    begun = until(anybody, first["next"], "begun")
    assert [(row["type"], row["game"]["id"]) for row in begun[:1]] == [("begun", game)]
    keep_tickets(game, ada, grace)
    moved = until(anybody, begun[-1]["cursor"], "moved")
    claim = next(
        (a for a in ada.view(game)["you"]["legal_actions"] if a["type"] == "claim_route"), DRAW
    )
    version = ada.play(game, claim)["version"]
    while moved[-1]["game"]["version"] < version:
        moved += told(anybody, moved[-1]["cursor"])
    [listed] = anybody.get("/v1/games").json["items"]
    assert moved[-1]["game"] == listed
    assert [seat["score"] for seat in listed["seats"]] == [
        seat["score"] for seat in ada.view(game)["seats"]
    ]
    grace.play(game, {"type": "resign"})
    over = until(anybody, moved[-1]["cursor"], "over")[-1]
    assert over["game"] == anybody.get("/v1/games").json["items"][0]
    assert "total" in over["game"]["seats"][0]
    assert anybody.get("/v1/live").json["items"][0]["games"] == []


def test_a_stream_continues_after_a_cut_and_restarts_at_an_unknown_cursor(
    ada, grace, game, anybody
):
    first = anybody.get("/v1/live").json
    assert [row["id"] for row in first["items"][0]["games"]] == [game]
    after = first["next"]
    for _ in range(2):
        ada.play(game, DRAW)
        after = until(anybody, after, "moved")[-1]["cursor"]
    again = told(anybody, first["next"])
    assert [row["cursor"] for row in again] == sorted({row["cursor"] for row in again})
    assert again[-1]["cursor"] == after
    assert told(anybody, after, 0) == []
    for cursor in ("00000000.1", after[:9] + "999999"):
        assert [row["type"] for row in told(anybody, cursor)] == ["under_way"]


@pytest.mark.parametrize(
    "options", [{"visibility": "private"}, {"visibility": "unlisted"}, {"spectators": False}]
)
def test_a_game_that_is_not_public_has_no_messages(ada, grace, anybody, options):
    wish = {"board": "usa", "seats": [{"player": "me"}, {"bot": "random"}], "options": options}
    assert ada.post("/v1/games", wish).status_code == 201
    first = anybody.get("/v1/live").json
    assert first["items"][0]["games"] == []
    game = begin(ada, grace)
    rows = until(anybody, first["next"], "begun")
    assert [row["game"]["id"] for row in rows if row["type"] == "begun"] == [game]


def test_the_games_of_a_tournament_can_be_followed_alone_with_their_scores(
    tournaments, ada, grace, game, anybody
):
    cups = [begun(tournaments, ada, grace, deals=deals) for deals in ("independent", "duplicate")]
    ids = [cup["id"] for cup in cups]
    [own] = games_of(cups[0])
    first = anybody.get(f"/v1/live?tournament={ids[0]}").json
    [listed] = first["items"][0]["games"]
    assert (listed["id"], listed["tournament"]) == (
        own["game"],
        {"id": ids[0], "round": 1, "table": 1},
    )
    assert [seat["score"] for seat in listed["seats"]] == [0, 0]
    assert anybody.get(f"/v1/live?tournament={ids[1]}").json["items"][0]["games"] == []
    ada.play(game, DRAW)  # of no tournament
    until(anybody, first["next"], "moved")
    path = f"/v1/live?tournament={ids[0]}&after={first['next']}"
    assert anybody.get(path).json["items"] == []
    ada.play(own["game"], {"type": "resign"})
    over = anybody.get(f"{path}&wait=20").json["items"]
    assert [row["game"]["id"] for row in over] == [own["game"]] * len(over)
    assert all(
        "tournament" not in row
        for row in anybody.get("/v1/games").json["items"]
        if row["id"] == game
    )


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_the_feed_comes_as_a_stream_too(ada, game, anybody, form):
    answer = stream(anybody, "/v1/live", form)
    parts = iter(answer.response)
    text = next(parts).decode()
    ada.play(game, DRAW)
    text += next(part for part in map(bytes.decode, parts) if "game" in part)
    answer.close()
    rows = (
        [row["data"] for row in messages(text)]
        if form == SSE
        else [json.loads(line) for line in text.splitlines() if line]
    )
    assert [row["type"] for row in rows] == ["under_way", "moved"]
    assert rows[1]["game"]["id"] == game
    if form == SSE:
        assert [(row["event"], row["id"]) for row in messages(text)] == [
            (row["type"], row["cursor"]) for row in rows
        ]


# Examples for openapi.yaml


def show_live(tape: Tape) -> None:
    """The feed before anything happens in it."""
    tape.call("listLive", "under-way", "The state of all games", "GET", "/v1/live")
    for form in (SSE, NDJSON):
        tape.call(
            "listLive",
            "under-way",
            "The same, as a stream",
            "GET",
            "/v1/live",
            headers={"Accept": form},
            parts=1,
        )
    tape.call("listLive", "malformed", "An invalid cursor", "GET", "/v1/live?after=yesterday")
