"""Reactions at a table, and how many watch it."""

import json
import os
import signal
import threading
import time

import pytest
import urllib3
from fogg_client import Client

from service.api.serving import services
from service.games import audience
from service.operation.redis import connect
from service.operation.stack import Stack
from tests.generators.openapi_tape import Tape
from tests.processes import children
from tests.service.api.callers import Caller, begin, sign_up
from tests.service.api.test_streams import DRAW, NDJSON, SSE, messages, parts, stream


def react(caller: Caller, game: str, reaction: str = "well_played", **kwargs):
    return caller.post(f"/v1/games/{game}/reactions", {"reaction": reaction}, **kwargs)


def heard(caller: Caller, game: str) -> dict:
    """The audience as those get it who poll."""
    answer = caller.get(f"/v1/games/{game}/audience")
    assert answer.status_code == 200, answer.json
    return answer.json


def audiences(text: str) -> list[dict]:
    return [message["data"] for message in messages(text) if message["event"] == "audience"]


class Listening:
    """A stream with the audience that is read in the background; what it has sent so far."""

    def __init__(self, caller: Caller, game: str):
        self.answer = stream(caller, f"/v1/games/{game}/events?audience=true&keep_alive=1")
        self.text = ""
        self._closes = threading.Event()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        for part in self.answer.response:
            self.text += part.decode()
            if self._closes.is_set():
                break
        self.answer.close()

    def until(self, is_told) -> list[dict]:
        """Wait until ``is_told`` is true of the audiences that have come; return them."""
        end = time.monotonic() + 20
        while not is_told(found := audiences(self.text)):
            assert time.monotonic() < end, self.text
            time.sleep(0.02)
        return found

    def close(self) -> None:
        self._closes.set()
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def listening():
    """Return a function that opens streams with the audience, which end with the test."""
    opened = []

    def listen(caller: Caller, game: str) -> Listening:
        opened.append(Listening(caller, game))
        return opened[-1]

    yield listen
    for one in opened:
        one.close()


def test_a_reaction_reaches_all_who_follow_and_those_who_come_late(
    ada, grace, anybody, game, listening, fits
):
    streams = [listening(caller, game) for caller in (ada, grace, anybody)]
    for one in streams:
        one.until(bool)
    sent = react(ada, game)
    assert sent.status_code == 201, sent.json
    fits("Reaction", sent.json)
    assert sent.json | {"at": ""} == {"seat": 0, "reaction": "well_played", "at": ""}
    for one in streams:
        assert one.until(lambda found: found[-1]["reactions"])[-1]["reactions"] == [sent.json]
    fits("Audience", heard(anybody, game))
    assert heard(anybody, game)["reactions"] == [sent.json]
    late = audiences(parts(stream(anybody, f"/v1/games/{game}/events?audience=true"), 2))
    assert late[-1]["reactions"] == [sent.json]


def test_a_reaction_wakes_a_stream_at_once(ada, grace, game, listening):
    grace_hears = listening(grace, game)
    grace_hears.until(bool)
    time.sleep(0.5)  # until its topic is subscribed to
    began = time.monotonic()
    react(ada, game)
    grace_hears.until(lambda found: found[-1]["reactions"])
    assert time.monotonic() - began < audience.RENEW_S / 2


def test_a_reaction_is_in_no_view_and_no_history(ada, game):
    before = ada.view(game), ada.get(f"/v1/games/{game}/events").json
    react(ada, game)
    assert (ada.view(game), ada.get(f"/v1/games/{game}/events").json) == before
    ada.play(game, {"type": "resign"})
    assert b"well_played" not in ada.get(f"/v1/games/{game}/history").data


def test_a_stream_has_no_audience_unless_it_asks_for_one(ada, grace, anybody, game):
    react(grace, game)
    assert not audiences(parts(stream(anybody, f"/v1/games/{game}/events?keep_alive=1"), 2))
    assert heard(ada, game)["watchers"] == 0


def test_lines_have_the_audience_among_the_entries(grace, anybody, game):
    react(grace, game)
    path = f"/v1/games/{game}/events?audience=true"
    last = json.loads(parts(stream(anybody, path, NDJSON), 2).splitlines()[-1])
    assert last | {"reactions": []} == {"type": "audience", "watchers": 1, "reactions": []}
    assert [row["reaction"] for row in last["reactions"]] == ["well_played"]


def test_only_players_of_a_game_that_one_may_see_react(app, ada, grace, anybody, game, is_problem):
    mary = sign_up(app, "Mary")
    is_problem(react(mary, game), 403, "not-yours")
    is_problem(react(anybody, game), 401, "not-signed-in")
    reader = Caller(app, ada.post("/v1/me/tokens", {"scopes": ["read"]}).json)
    is_problem(react(reader, game), 403, "missing-scope")
    is_problem(react(ada, "g_" + 20 * "0"), 404, "unknown-game")
    private = ada.post("/v1/games", {
        "board": "usa", "seats": [{"player": "me"}, {"open": True}],
        "options": {"visibility": "private"}}).json["id"]
    is_problem(react(mary, private), 404, "unknown-game")
    is_problem(anybody.get(f"/v1/games/{private}/audience"), 404, "unknown-game")
    assert react(ada, private).status_code == 201


@pytest.mark.parametrize("body", [
    {"reaction": "you are a fool"}, {"reaction": 3}, {"reaction": None}, {},
    {"reaction": ["oops"]}, {"reaction": "oops", "text": "and more"}])
def test_nothing_but_the_listed_reactions_can_be_said(ada, game, body, is_problem):
    problem = is_problem(ada.post(f"/v1/games/{game}/reactions", body), 422, "malformed")
    assert problem["field"] == ("text" if "text" in body else "reaction")
    assert heard(ada, game)["reactions"] == []


def test_nobody_floods_a_table(app, ada, grace, game, is_problem):
    """The limit is the account's: another token, or another game, gives no further reactions."""
    other = Caller(app, ada.post("/v1/me/tokens", {"scopes": ["play"]}).json)
    second = begin(ada, grace)
    answers = [react(caller, where) for caller, where in [
        (ada, game), (other, game), (ada, second)] * 5]
    assert 6 <= sum(answer.status_code == 201 for answer in answers) <= 12  # two windows at most
    problem = is_problem(answers[-1], 429, "too-many-requests")
    assert "reactions of this account" in problem["detail"]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 20
    assert react(grace, game).status_code == 201
    assert ada.play(game, DRAW)


def test_a_reaction_is_sent_once_for_one_key(ada, grace, game, is_problem):
    key = {"headers": {"Idempotency-Key": "once"}}
    first = react(ada, game, **key)
    assert react(ada, game, **key).json == first.json
    assert heard(ada, game)["reactions"] == [first.json]
    is_problem(react(ada, game, "oops", **key), 422, "key-reused")
    is_problem(react(ada, begin(ada, grace), **key), 422, "key-reused")
    assert react(grace, game, **key).json["seat"] == 1  # a key belongs to an account


def test_only_the_latest_reactions_are_kept_and_none_for_long(
    app, redis, ada, game, monkeypatch
):
    for _ in range(audience.KEEP_REACTIONS + 5):
        audience.react(redis, services(app).games.news, game, 0, "oops")
    assert len(heard(ada, game)["reactions"]) == audience.KEEP_REACTIONS
    monkeypatch.setattr(audience, "KEEP_S", 0)  # as if that time had passed
    assert heard(ada, game)["reactions"] == []
    assert 0 < redis.ttl(f"{{g:{game}}}:reactions") <= 60


def test_spectators_are_counted_and_players_are_not(app, ada, grace, anybody, game, listening):
    listening(ada, game).until(bool)
    mary = sign_up(app, "Mary")
    streams = [listening(caller, game) for caller in (mary, anybody, anybody)]
    for one in streams:
        one.until(bool)
    assert heard(grace, game)["watchers"] == 3
    streams[0].close()
    assert heard(grace, game)["watchers"] == 2


def test_a_stream_tells_of_spectators_who_come_and_go(ada, anybody, game, listening, monkeypatch):
    monkeypatch.setattr(audience, "RENEW_S", 0.5)
    adas = listening(ada, game)
    assert adas.until(bool)[0]["watchers"] == 0
    spectator = listening(anybody, game)
    adas.until(lambda found: found[-1]["watchers"] == 1)
    spectator.close()
    adas.until(lambda found: found[-1]["watchers"] == 0)
    assert len(audiences(adas.text)) == 3  # nothing is sent again


def test_a_spectator_who_takes_a_seat_is_one_no_longer(ada, grace, listening, monkeypatch):
    monkeypatch.setattr(audience, "RENEW_S", 0.2)
    open_game = ada.post("/v1/games", {
        "board": "usa", "seats": [{"player": "me"}, {"open": True}]}).json["id"]
    graces = listening(grace, open_game)
    assert graces.until(bool)[0]["watchers"] == 1
    grace.post(f"/v1/games/{open_game}/seats", {})
    graces.until(lambda found: found[-1]["watchers"] == 0)


def test_a_stream_goes_on_where_the_audience_cannot_be_stored(redis, ada, anybody, game):
    """Redis refuses new rows when its memory is full; entries are read all the same."""
    redis.set(f"{{g:{game}}}:watchers", "no set")
    view, *entries = messages(parts(
        stream(anybody, f"/v1/games/{game}/events?audience=true&keep_alive=1"), 2))
    assert view["event"] == "view"
    assert len(entries) == ada.view(game)["version"]


@pytest.fixture
def two_processes(tmp_path, monkeypatch):
    """The whole service with two web processes."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Stack(tmp_path, workers=0, web=2) as stack:
        yield stack


def test_several_processes_share_an_audience_and_a_killed_one_is_forgotten(two_processes):
    ada, grace = (Client(two_processes.url).sign_up(name) for name in ("Ada", "Grace"))
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    game = ada.post("/v1/games", wish)["id"]
    grace.post(f"/v1/games/{game}/seats", {})
    path = f"{two_processes.url}/v1/games/{game}/events?audience=true&keep_alive=1"
    pools = [urllib3.PoolManager(retries=False) for _ in range(8)]  # spread over the processes
    opened = [pool.request("GET", path, headers={"Accept": SSE}, preload_content=False)
              for pool in pools]
    texts = ["" for _ in opened]

    def listen(at: int) -> None:
        try:
            for part in opened[at].stream(1 << 16):
                texts[at] += part.decode()
        except urllib3.exceptions.HTTPError:
            pass  # its process was killed

    threads = [threading.Thread(target=listen, args=(at,), daemon=True) for at in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: ada.get(f"/v1/games/{game}/audience")["watchers"] == 8)
    sent = ada.post(f"/v1/games/{game}/reactions", {"reaction": "hello"})
    until(lambda: all(sent in (audiences(text) or [{"reactions": []}])[-1]["reactions"]
                      for text in texts))
    pids = children(two_processes.web.pid)
    assert len(pids) == 2
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for thread in threads:
        thread.join(20)
    rows, of_game = f"{{g:{game}}}:watchers", f"/v1/games/{game}/audience"
    with connect(two_processes.redis.url) as redis:
        assert redis.zcard(rows) == 8
        until(lambda: ada.get(of_game)["watchers"] == 8)  # as soon as there are new processes
        for watcher in redis.zrange(rows, 0, -1):  # as if so much time had passed, not all of it
            redis.zincrby(rows, 1000 * audience.RENEW_S - audience.GONE_MS, watcher)
    until(lambda: ada.get(of_game)["watchers"] == 0)


def until(is_so, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_reaction_of_a_game_that_is_over_is_seen_by_those_who_poll(ada, grace, finished):
    assert react(grace, finished, "good_game").status_code == 201
    assert [row["reaction"] for row in heard(ada, finished)["reactions"]] == ["good_game"]


def show_audience(tape: Tape) -> None:
    """Say something at the table, and see who watches."""
    tape.call("react", "well-played", "A compliment", "POST", f"{tape.game}/reactions",
              {"reaction": "well_played"}, "ada")
    tape.call("getAudience", "audience", "A reaction a moment ago", "GET",
              f"{tape.game}/audience")


