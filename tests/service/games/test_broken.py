"""A game whose history is broken does not affect other games."""

import json
import logging
import time

import pytest

from domain.entry import canonical, hash_after
from domain.errors import BrokenHistory
from service.app import create_app
from service.games import workers
from service.games.playing import enforce_deadlines
from service.games.store import GameStore
from service.http.serving import services
from service.records import rebuilding
from service.records.recorder import Recorder
from tests.service.callers import Caller, begin, won
from tests.service.games.test_streams import notices
from tests.service.looks import sweep

RESIGN = {"type": "resign"}


def edit(redis, game: str, version: int, old: bytes, new: bytes) -> None:
    """Change the text of an entry, and not its hash."""
    log = GameStore.key(game, "log")
    rows = redis.xrange(log)
    redis.delete(log)
    for entry_id, fields in rows:
        if entry_id == b"0-%d" % version:
            assert old in fields[b"e"]
            fields = fields | {b"e": fields[b"e"].replace(old, new, 1)}
        redis.xadd(log, fields, id=entry_id)


@pytest.fixture
def anew(app, connection, ada, redis):
    """A function that breaks a game, and returns Ada at a process that knows no game yet."""

    def anew(game: str) -> Caller:
        edit(redis, game, 1, b'"seats":2', b'"seats":3')
        return Caller(create_app(connection), ada.account)

    return anew


def test_it_is_answered_as_such_and_is_no_request_to_repeat(anew, game, is_problem):
    ada, path = anew(game), f"/v1/games/{game}"
    for answer in (
        ada.get(path),
        ada.get(f"{path}?at=2"),
        ada.get(f"{path}/events"),
        ada.get(f"{path}/history"),
        ada.get(f"{path}/board.svg"),
        ada.get(f"{path}/legal-actions"),
        ada.act(game, RESIGN),
        ada.get(f"{path}/events", headers={"Accept": "text/event-stream"}),
        ada.post(f"{path}/rematch", {}),
        ada.post(f"{path}/abort", {}),
    ):
        problem = is_problem(answer, 409, "history-broken")
        assert problem["detail"] == "entry 1: the chain of hashes is broken"
        assert "Retry-After" not in answer.headers


def test_an_error_in_an_event_is_not_shown_to_callers(ada, game, redis, is_problem, caplog):
    """The text is one that its hash fits, and that cannot be folded for all that."""
    store = services(ada.client.application).games.store
    version, _ = store.ends([game])[game]
    known = store.load(game)
    text = json.dumps(
        {
            "at": known.updated,
            "events": [{"type": "card_drawn", "secret": "red"}],
            "schema_version": 1,
            "version": version + 1,
        }
    ).encode()
    redis.xadd(
        store.key(game, "log"), {"e": text, "h": hash_after(known.hash, text)}, f"0-{version + 1}"
    )
    problem = is_problem(ada.get(f"/v1/games/{game}"), 409, "history-broken")
    assert "cannot be folded" in problem["detail"]
    assert "red" not in json.dumps(problem) + caplog.text


def write_last_again(redis, game, **more):
    """Give the last entry of a game more members, as another version of the service might have
    written them."""
    log = GameStore.key(game, "log")
    rows = redis.xrange(log)
    fields = rows[-1][1]
    text = canonical(json.loads(fields[b"e"]) | more)
    fields |= {b"e": text, b"h": hash_after(rows[-2][1][b"h"].decode(), text).encode()}
    redis.delete(log)
    for entry_id, row in rows:
        redis.xadd(log, row, entry_id)


def test_a_member_that_is_not_known_here_is_shown_to_nobody_while_the_game_runs(
    ada, grace, anybody, game, redis, connection
):
    ada.play(game, {"type": "draw_card", "from": "deck"})
    action = {"type": "draw_card", "from": "deck", "thought": "whispered"}
    write_last_again(redis, game, mood="whispered", action=action)
    app, path = create_app(connection), f"/v1/games/{game}"
    for caller in (ada, grace, anybody):
        reader = Caller(app, caller.account)
        assert reader.view(game)["status"] == "playing"
        for page in (reader.get(f"{path}/events"), reader.get(f"{path}/events?after=4")):
            assert "draw_card" in page.text
            assert "whispered" not in page.text


def test_an_entry_of_another_schema_version_is_not_read(ada, game, redis, connection, is_problem):
    ada.play(game, {"type": "draw_card", "from": "deck"})
    write_last_again(redis, game, schema_version=2)
    reader = Caller(create_app(connection), ada.account)
    problem = is_problem(reader.get(f"/v1/games/{game}"), 409, "history-broken")
    assert problem["detail"] == (
        "entry 5: is written in schema version 2, and this Fogg knows version 1 only"
    )


def test_it_is_said_once_and_it_is_whole_again_when_it_is_repaired(
    anew, game, redis, caplog, monkeypatch, is_problem
):
    ada = anew(game)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            is_problem(ada.get(f"/v1/games/{game}"), 409, "history-broken")
        edit(redis, game, 1, b'"seats":3', b'"seats":2')
        is_problem(ada.get(f"/v1/games/{game}"), 409, "history-broken")
        monkeypatch.setattr("service.eventlog.store.time.monotonic", lambda: 1e9)
        assert ada.view(game)["status"] == "playing"
    said = [record.getMessage() for record in caplog.records if game in record.getMessage()]
    assert said == [
        f"{game} is broken and set aside: entry 1: the chain of hashes is broken",
        f"{game} is whole again",
    ]


def test_notices_of_its_players_include_their_other_games(anew, ada, grace, game):
    other = begin(ada, grace)
    told, _ = notices(anew(game))
    assert [(notice["type"], notice["game"]) for notice in told] == [("your_turn", other)]


def test_clocks_of_other_games_are_kept_and_its_own_is_put_off(anew, ada, grace, caplog):
    games = [begin(ada, grace, clock={"per_decision": 0.2}) for _ in range(2)]
    reader = anew(games[0])
    time.sleep(0.6)
    reader_games = services(reader.client.application).games
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            enforce_deadlines(reader_games)
    assert ada.view(games[1])["status"] == "finished"
    assert games[0] not in reader_games.clocks.due()
    assert len([record for record in caplog.records if games[0] in record.getMessage()]) == 1


def test_bots_of_other_games_are_called_and_its_own_are_not(anew, ada, app):
    wish = {"board": "usa", "seats": [{"bot": "random"}, {"bot": "greedy"}]}
    made = [ada.post("/v1/games", wish).json["id"] for _ in range(5)]
    reader = anew(made[2])
    reader_games = services(reader.client.application).games
    for game in made:
        reader_games.redis.delete(GameStore.key(game, "bots"))
    reader_games.redis.delete("rq:queue:bots")
    sweep(reader_games)
    assert {*reader_games.queues.names(workers.BOTS, 9)} == {*made} - {made[2]}


def test_downloads_leave_it_out_and_indexes_are_made_anew_without_it(anew, ada, grace):
    made = [won(grace, ada) for _ in range(3)]
    reader = anew(made[1])
    games = services(reader.client.application).games
    Recorder(games, games.database).run()
    for path in ("histories", "decisions"):
        rows = [json.loads(line) for line in reader.get(f"/v1/{path}").data.splitlines() if line]
        assert {row["game"] for row in rows} == {made[0], made[2]}
    store = games.store
    assert rebuilding.rebuild(games) == [made[1]]
    with pytest.raises(BrokenHistory):
        store.load(made[1])
    assert {row["id"] for row in ada.get("/v1/games").json["items"]} == {*made}
    assert ada.get("/v1/stats/boards/usa").json["games"] == 2


def test_a_head_that_is_no_json_hides_nothing_else(ada, grace, redis, is_problem):
    made = [begin(ada, grace) for _ in range(2)]
    redis.set(GameStore.key(made[0], "head"), "{")
    assert [row["id"] for row in ada.get("/v1/games").json["items"]] == [made[1]]
    assert ada.view(made[0])["status"] == "playing"
