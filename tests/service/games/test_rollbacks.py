"""Games whose last entries Redis has lost, as after a failover to a replica that lagged: seen by
two web processes that have known them."""

import json
import threading
import time
from itertools import islice

import pytest

from service.app import create_app
from service.eventlog.failovers import Failovers
from service.games import buckets
from service.games.store import GameStore
from service.http.serving import services
from service.tournaments.tournaments import Tournaments
from tests.service.callers import Caller, begin, keep_tickets
from tests.service.games.test_streams import messages, notices

DRAW = {"type": "draw_card", "from": "deck"}


class Failover:
    """Remembers what Redis holds, and puts it back."""

    def __init__(self, redis):
        self._redis = redis
        self._held = {key: (redis.pttl(key), redis.dump(key)) for key in redis.scan_iter()}

    def happen(self) -> None:
        """Lose all that was written since."""
        pipe = self._redis.pipeline()  # all at once, as readers of another server see it
        pipe.flushall()
        for key, (milliseconds, value) in self._held.items():
            if value:  # it had not ended meanwhile
                pipe.restore(key, max(milliseconds, 0), value)
        pipe.execute()


@pytest.fixture
def lagging(redis, game):
    """Return a replica's lagging copy of a running game."""
    return Failover(redis)


@pytest.fixture
def other(connection, ada):
    """Ada at another web process."""
    return Caller(create_app(connection), ada.account)


def test_the_key_of_an_action_that_was_lost_is_open_again(ada, game, lagging, redis):
    key = {"Idempotency-Key": "mine"}
    first = ada.act(game, DRAW, key).json
    lagging.happen()
    again = ada.act(game, DRAW, key)
    assert again.status_code == 200
    [(version, _)] = GameStore(redis, {}).ends([game]).values()
    assert version == again.json["version"] == first["version"]
    page = ada.get(f"/v1/games/{game}/events?after={first['version'] - 1}").json["items"]
    assert page == again.json["entries"] != first["entries"]


def test_a_version_that_was_lost_is_refused_as_such_and_one_that_never_was_as_that(
    ada, grace, game, lagging, is_problem
):
    before = ada.view(game)["version"]
    was = [ada.play(game, DRAW) for _ in range(2)][-1]["version"]
    lagging.happen()
    ada.view(game)
    path = f"/v1/games/{game}"
    for answer in (
        ada.act(game, DRAW, {"If-Match": f'"{was}"'}),
        ada.get(f"{path}?at={was}"),
        ada.get(f"{path}/events?after={was}"),
        ada.get(f"{path}/events?after={was}&wait=20"),
        ada.get(
            f"{path}/events", headers={"Accept": "text/event-stream", "Last-Event-ID": str(was)}
        ),
        grace.get(f"{path}/board.svg?at={was}"),
    ):
        problem = is_problem(answer, 409, "history-lost")
        assert (problem["version"], problem["previous_version"]) == (before, was)
        assert "Retry-After" not in answer.headers
    for never in (was + 1, 999):
        problem = is_problem(ada.get(f"{path}/events?after={never}"), 409, "version-ahead")
        assert problem["version"] == before
    is_problem(ada.act(game, DRAW, {"If-Match": '"999"'}), 412, "stale-version")
    assert ada.act(game, DRAW, {"If-Match": f'"{before}"'}).status_code == 200


def test_a_version_that_was_lost_and_played_again_has_another_etag(ada, game, lagging):
    path = f"/v1/games/{game}"
    ada.play(game, DRAW)
    lost = {"If-None-Match": ada.get(path).headers["ETag"]}
    lagging.happen()
    ada.play(game, DRAW)
    assert ada.get(path, headers=lost).status_code == 200


def test_all_processes_show_what_is_there_and_play_on_to_the_end(ada, grace, other, game, lagging):
    version = other.view(game)["version"]
    for _ in range(2):
        ada.play(game, DRAW)
    lost = grace.play(game, DRAW)
    assert other.view(game)["version"] == lost["version"]
    assert grace.view(game) == lost["view"]
    lagging.happen()
    for caller in (ada, other, grace):
        assert caller.view(game)["version"] == version
    assert [row["seat"] for row in ada.view(game)["deciding"]] == [0]
    for caller in (other, ada, grace, grace):
        caller.play(game, DRAW)
    grace.play(game, {"type": "resign"})
    entries = ada.get(f"/v1/games/{game}/events").json["items"]
    assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))
    assert entries == other.get(f"/v1/games/{game}/events").json["items"]


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
def test_a_stream_says_so_and_goes_on_from_there(ada, grace, game, lagging, form):
    before = ada.view(game)["version"]
    answer = ada.get(f"/v1/games/{game}/events?after={before}", headers={"Accept": form})
    parts, heard = iter(answer.response), []
    next(parts)
    ada.play(game, DRAW)
    ada.play(game, DRAW)
    while len(heard) < 2:
        heard += _heard(next(parts), form)
    lagging.happen()
    new = ada.play(game, {"type": "resign"})
    lost, entry = [row for part in parts for row in _heard(part, form)]
    assert lost == {"type": "lost", "version": before, "previous_version": before + 2}
    assert (entry["version"], entry["events"]) == (before + 1, new["entries"][0]["events"])


def _heard(part: bytes, form: str) -> list[dict]:
    """Return the entries of a part of a stream, and what was lost."""
    if form == "text/event-stream":
        return [
            ({"type": "lost"} if message["event"] == "lost" else {}) | message["data"]
            for message in messages(part.decode())
            if message["event"] != "view"
        ]
    return [json.loads(line) for line in part.splitlines() if line]


def test_a_stream_finds_out_that_another_history_of_as_many_entries_took_the_place(
    ada, other, game, lagging
):
    answer = ada.get(f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"})
    parts = iter(answer.response)
    before = len(messages(next(parts).decode())) - 1
    ada.play(game, DRAW)
    next(parts)
    lagging.happen()
    other.play(game, {"type": "resign"})
    heard = messages(next(parts).decode()) + messages(next(parts).decode())
    assert [message["event"] for message in heard] == ["lost", "view", "entry"]
    assert (heard[0]["data"], heard[0]["id"]) == (
        {"version": before, "previous_version": before + 1},
        str(before),
    )


def test_a_request_for_a_version_that_was_replaced_is_refused_once(
    ada, grace, other, game, lagging, is_problem
):
    """Otherwise both would wait for the other, each with the entry of that version it knows."""
    path, before = f"/v1/games/{game}", ada.view(game)["version"]
    was = ada.play(game, DRAW)["version"]
    other.view(game)
    lagging.happen()
    assert other.act(game, {"type": "draw_card", "from": "deck"}).json["version"] == was
    problem = is_problem(ada.get(f"{path}/events?after={was}&wait=20"), 409, "history-lost")
    assert (problem["version"], problem["previous_version"]) == (before, was)
    assert ada.get(f"{path}/events?after={was}").json == {"items": [], "next": was}
    sent = {"If-Match": f'"{was}"', "Idempotency-Key": "mine"}
    grace.view(game)
    assert ada.act(game, DRAW, sent).status_code == 200
    assert ada.act(game, DRAW, sent).status_code == 200


def test_an_action_on_a_version_that_is_another_now_is_refused_once_and_when_it_is_sent_again(
    ada, grace, game, lagging, is_problem
):
    was = ada.play(game, DRAW)["version"]
    lagging.happen()
    ada.play(game, DRAW)
    sent = {"If-Match": f'"{was}"', "Idempotency-Key": "mine"}
    for _ in range(2):
        is_problem(ada.act(game, DRAW, sent), 409, "history-lost")
    assert ada.view(game)["version"] == was
    assert ada.act(game, DRAW, sent | {"Idempotency-Key": "another"}).status_code == 200
    assert grace.view(game)["version"] == was + 1


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
def test_a_reader_who_missed_a_rollback_gets_it_and_the_new_entries(
    ada, grace, game, lagging, form, monkeypatch
):
    before = ada.view(game)["version"]
    for _ in range(2):
        ada.play(game, DRAW)
    lagging.happen()
    for caller in (ada, ada, grace):
        caller.play(game, DRAW)
    path = f"/v1/games/{game}/events"
    answer = ada.get(path, headers={"Accept": form, "Last-Event-ID": str(before + 2)})
    parts = iter(answer.response)
    heard = _heard(next(parts), form) + _heard(next(parts), form)
    assert heard == [
        {"type": "lost", "version": before, "previous_version": before + 2},
        *ada.get(f"{path}?after={before}").json["items"],
    ]
    monkeypatch.setattr("service.games.rollbacks.LOST_MS", 0)
    answer = ada.get(path, headers={"Accept": form, "Last-Event-ID": str(before + 2)})
    assert [row["version"] for row in _heard(next(iter(answer.response)), form)] == [before + 3]


def test_idle_streams_find_out_once_the_news_are_heard_again(ada, grace, game, lagging, redis):
    """Nobody plays; but the connection on which a process hears the news is cut in a failover."""
    before = ada.view(game)["version"]
    ada.play(game, DRAW)
    answer = grace.get(f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"})
    told = grace.get("/v1/me/events", headers={"Accept": "text/event-stream"})
    parts, own = iter(answer.response), iter(told.response)
    next(parts)
    next(own)
    lagging.happen()
    redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    [lost] = messages(next(parts).decode())
    assert lost["data"] == {"version": before, "previous_version": before + 1}
    heard = messages(next(own).decode())
    assert [message["data"] for message in heard] == [
        {"type": "lost", "game": game, "version": before, "previous_version": before + 1}
    ]


def test_a_rollback_is_notified_and_the_turn_again(ada, other, grace, game, lagging):
    _, cursor = notices(ada)
    before = ada.view(game)["version"]
    answer = ada.get("/v1/me/events", headers={"Accept": "text/event-stream"})
    parts = iter(answer.response)
    assert [message["event"] for message in messages(next(parts).decode())] == ["your_turn"]
    ada.play(game, DRAW)
    ada.play(game, DRAW)
    lagging.happen()
    other.view(game)
    ada.view(game)
    lost, turn = messages(next(parts).decode())
    assert lost["data"] == {
        "type": "lost",
        "game": game,
        "version": before,
        "previous_version": before + 2,
    }
    assert (turn["event"], turn["data"]["version"]) == ("your_turn", before)
    told, later = notices(ada, after=cursor)
    assert [notice["type"] for notice in told] == ["lost", "your_turn"]
    assert [notice["type"] for notice in notices(ada, after=later)[0]] == ["your_turn"]
    assert [notice["type"] for notice in notices(grace)[0]] == []


def test_a_request_that_waits_for_a_page_gets_the_rollback(ada, game, lagging, is_problem):
    version = ada.play(game, DRAW)["version"]
    answers = []
    waiter = threading.Thread(
        target=lambda: answers.append(ada.get(f"/v1/games/{game}/events?after={version}&wait=20"))
    )
    waiter.start()
    time.sleep(0.3)
    lagging.happen()
    ada.view(game)
    waiter.join(10)
    problem = is_problem(answers[0], 409, "history-lost")
    assert (problem["version"], problem["previous_version"]) == (version - 1, version)


def test_it_is_found_out_though_nobody_looks(service, ada, game, lagging, redis, caplog):
    failovers = Failovers(
        redis, (service.games.store, service.find(Tournaments).store), service.games.mark_kept
    )
    failovers.check()
    ada.play(game, DRAW)
    lagging.happen()
    failovers.check()
    assert game not in caplog.text
    assert not redis.hexists(buckets.key(game, "unfiled"), game)
    failovers._runs = frozenset(["another"])
    failovers.check()
    assert f"{game} has gone back from version 5 to 4" in caplog.text
    assert redis.hexists(buckets.key(game, "unfiled"), game)  # its lists may be wrong, too


def heard_by(other, game, count=1):
    """Wait until a process has received the news of so many entries that it has not read."""
    store = services(other.client.application).games.store
    end = time.monotonic() + 30
    while len(store._announced.get(game, ())) < count and time.monotonic() < end:
        time.sleep(0.01)
    assert len(store._announced[game]) == count


def failover_seen_by(other):
    """Make a process detect that Redis has restarted."""
    known = services(other.client.application)
    failovers = Failovers(known.games.redis, (known.games.store, known.find(Tournaments).store))
    failovers._runs = frozenset(["another"])
    failovers.check()


@pytest.fixture
def following(other, game):
    """Another process that follows the game."""
    other.view(game)
    with services(other.client.application).games.news.follow(game) as follower:
        assert follower.wait(30)
        yield other


def test_a_process_that_heard_of_unread_entries_reports_that_they_are_lost(
    app, ada, game, following, lagging, caplog, is_problem
):
    """The process that wrote them has ended before it could find out."""
    before = following.view(game)["version"]
    for _ in range(2):
        ada.play(game, DRAW)
    heard_by(following, game, 2)
    services(app).games.store._cache.clear()  # as after its end
    lagging.happen()
    failover_seen_by(following)
    assert f"{game} has gone back from version {before + 2} to {before}" in caplog.text
    problem = is_problem(
        following.get(f"/v1/games/{game}/events?after={before + 2}"), 409, "history-lost"
    )
    assert (problem["version"], problem["previous_version"]) == (before, before + 2)
    caplog.clear()
    failover_seen_by(following)
    assert game not in caplog.text  # it is said once


def test_entries_that_are_still_there_are_no_rollback(ada, game, following, caplog):
    for _ in range(2):
        ada.play(game, DRAW)
    heard_by(following, game, 2)
    failover_seen_by(following)
    assert "gone back" not in caplog.text
    store = services(following.client.application).games.store
    assert game not in store._announced
    for message in (b"g_00000000000000000001 7", b"", b"7", b"x y", b"7 \xff", b"7 zz" * 9):
        store.on_announced(game, message)
    assert game not in store._announced


def test_a_game_that_was_over_and_is_not_is_listed_as_under_way(ada, grace, game, redis, lagging):
    """Where lists are on another server than the game, they know more."""
    log = redis.dump(GameStore.key(game, "log"))
    head = redis.dump(GameStore.key(game, "head"))
    grace.play(game, {"type": "resign"})
    assert ada.get("/v1/games?status=finished").json["items"]
    redis.restore(GameStore.key(game, "log"), 0, log, replace=True)
    redis.restore(GameStore.key(game, "head"), 0, head, replace=True)
    assert ada.view(game)["status"] == "playing"
    assert ada.get("/v1/games?status=finished").json["items"] == []
    assert [row["id"] for row in ada.get("/v1/games?status=playing").json["items"]] == [game]
    ada.play(game, {"type": "resign"})
    assert ada.get("/v1/games?status=playing").json["items"] == []


def test_a_game_of_which_nothing_is_left_is_gone(redis, ada, grace, is_problem):
    lagging = Failover(redis)
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    answer = ada.get(f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"})
    parts = iter(answer.response)
    next(parts)
    lagging.happen()
    is_problem(ada.get(f"/v1/games/{game}"), 404, "unknown-game")
    assert messages(next(parts).decode())[0]["data"] == {"version": 0, "previous_version": 4}
    with pytest.raises(Exception, match="lost"):
        list(islice(parts, 1))
    [lost] = notices(ada, after="1:")[0]
    assert (lost["type"], lost["version"], lost["previous_version"]) == ("lost", 0, 4)


def test_a_game_that_was_taken_away_was_not_lost(ada, game, redis, caplog, is_problem):
    store = GameStore(redis, {})
    assert store.remove(game, *store.ends([game])[game])
    is_problem(ada.get(f"/v1/games/{game}"), 404, "unknown-game")
    assert "lost" not in caplog.text
    assert [notice["type"] for notice in notices(ada, after="1:")[0]] == []
