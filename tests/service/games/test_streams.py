"""Streams: a game, or all of an account's games, followed without a gap or a repeat."""

import json
import threading
import time
from itertools import islice

import pytest

from service.games import cursors
from service.times import now_in_ms
from tests.service.callers import Caller, begin, create, keep_tickets

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
DRAW = {"type": "draw_card", "from": "deck"}


def messages(text: str) -> list[dict]:
    """The events of a stream: name, number if there is one, data."""
    events = []
    for block in text.split("\n\n")[:-1]:
        members = dict(line.split(": ", 1) for line in block.split("\n"))
        if "data" in members:
            events.append(members | {"data": json.loads(members["data"])})
    return events


def stream(caller: Caller, path: str, form: str = SSE, **headers):
    """Open a stream; the answer's parts come as they are sent."""
    answer = caller.get(path, headers={"Accept": form, **headers})
    assert (answer.status_code, answer.mimetype) == (200, form), answer.get_data()
    return answer


def parts(answer, count: int) -> str:
    """The next parts of a stream, which is closed then."""
    text = b"".join(islice(answer.response, count)).decode()
    answer.close()
    return text


def pages(caller: Caller, game: str) -> list[dict]:
    return caller.get(f"/v1/games/{game}/events").json["items"]


@pytest.mark.parametrize(
    ("accepted", "form"),
    [
        ("text/event-stream; charset=utf-8", SSE),
        ("Text/Event-Stream;charset=UTF-8;q=0.9", SSE),
        ("application/x-ndjson; charset=utf-8, application/json;q=0.1", NDJSON),
        ("application/json;q=0.1, text/event-stream;q=0.2", SSE),
        ("text/*", SSE),
        ("text/event-stream;charset=utf-8;q=0.4, application/json;v=1;q=0.5", "application/json"),
        ("text/event-stream;q=0", "application/json"),
        ("text/event-stream;q=2", "application/json"),
        ("*/*", "application/json"),
        ("image/png", "application/json"),
        ("", "application/json"),
    ],
)
def test_accept_counts_by_its_qualities_and_without_parameters(ada, game, accepted, form):
    for path in (f"/v1/games/{game}/events", "/v1/me/events"):
        answer = ada.get(path, headers={"Accept": accepted})
        assert (answer.status_code, answer.mimetype) == (200, form)
        answer.close()


# A game


def test_a_stream_of_events_begins_with_the_view_and_ends_after_the_last_entry(
    ada, grace, finished
):
    for caller in (ada, grace):
        view, *entries = messages(stream(caller, f"/v1/games/{finished}/events").get_data(True))
        assert (view["event"], view["data"]) == ("view", caller.view(finished))
        assert "id" not in view
        assert [entry["data"] for entry in entries] == pages(caller, finished)
        assert [int(entry["id"]) for entry in entries] == list(range(1, len(entries) + 1))
        assert {entry["event"] for entry in entries} == {"entry"}


def test_a_stream_of_lines_holds_the_entries_and_nothing_else(ada, finished):
    text = stream(ada, f"/v1/games/{finished}/events", NDJSON).get_data(True)
    assert [json.loads(line) for line in text.splitlines()] == pages(ada, finished)


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_a_stream_resumes_where_it_was_cut_off(ada, finished, form):
    whole = pages(ada, finished)
    for after in range(1, len(whole)):
        by_query = stream(ada, f"/v1/games/{finished}/events?after={after}", form)
        by_header = stream(
            ada, f"/v1/games/{finished}/events", form, **{"Last-Event-ID": str(after)}
        )
        text = by_query.get_data(True)
        assert by_header.get_data(True) == text
        rows = (
            [m["data"] for m in messages(text) if m["event"] == "entry"]
            if form == SSE
            else [json.loads(line) for line in text.splitlines()]
        )
        assert rows == whole[after:]


def test_a_listener_that_has_all_entries_gets_204(ada, finished):
    last = str(ada.view(finished)["version"])
    answer = ada.get(f"/v1/games/{finished}/events", headers={"Accept": SSE, "Last-Event-ID": last})
    assert (answer.status_code, answer.get_data()) == (204, b"")


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_nobody_resumes_from_the_future(ada, game, form, is_problem):
    for how in ({"Last-Event-ID": "999"}, {}):
        answer = ada.get(
            f"/v1/games/{game}/events" + ("" if how else "?after=999"),
            headers={"Accept": form} | how,
        )
        is_problem(answer, 409, "version-ahead")
    for wrong in ("-1", "soon", "1; drop", "9" * 40):
        answer = ada.get(
            f"/v1/games/{game}/events", headers={"Accept": form, "Last-Event-ID": wrong}
        )
        assert is_problem(answer, 422, "malformed")["field"] == "Last-Event-ID"


def test_entries_come_as_they_are_played_each_once(app, ada, grace, game):
    """Several streams of one account, players and others, all count alike."""
    callers = [ada, ada, grace, Caller(app)]
    answers = [stream(caller, f"/v1/games/{game}/events?after=3") for caller in callers]
    heard = [[] for _ in answers]

    def listen(at: int) -> None:
        for part in answers[at].response:
            heard[at].extend(messages(part.decode()))

    listeners = [threading.Thread(target=listen, args=(at,)) for at in range(len(answers))]
    for listener in listeners:
        listener.start()
    players = [ada, grace]
    for number in range(10):
        players[number // 2 % 2].play(game, DRAW)
    ada.play(game, {"type": "resign"})
    for listener in listeners:
        listener.join(20)
    for _, *entries in heard:
        assert [int(entry["id"]) for entry in entries] == list(range(4, 16))


def test_a_silent_stream_shows_signs_of_life(ada, game, monkeypatch):
    monkeypatch.setattr("service.games.streams.SILENCE_S", 0.05)
    assert parts(stream(ada, f"/v1/games/{game}/events?after=4"), 3).endswith(
        ": keep-alive\n\n: keep-alive\n\n"
    )
    assert parts(stream(ada, f"/v1/games/{game}/events?after=4", NDJSON), 3) == "\n\n\n"


def test_a_stream_ends_when_its_token_is_revoked(app, ada, game):
    made = ada.post("/v1/me/tokens", {"scopes": ["read"]}).json
    other = Caller(app, made)
    for path in (f"/v1/games/{game}/events", "/v1/me/events"):
        made = ada.post("/v1/me/tokens", {"scopes": ["read"]}).json
        answer = stream(Caller(app, made), path)
        rows = iter(answer.response)
        next(rows)
        assert ada.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
        with pytest.raises(ConnectionResetError, match="revoked"):  # no fault to the server
            for _ in rows:
                pass
    assert other.get("/v1/me").status_code == 200


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_a_stream_of_a_private_game_ends_when_the_invitation_is_declined(ada, grace, form):
    game = create(ada, {"invite": grace.id, "if_declined": "open"}, visibility="private")["id"]
    path = f"/v1/games/{game}/events"
    rows = iter(stream(grace, path, form).response)
    next(rows)
    assert grace.delete(f"/v1/games/{game}/invitations/me").status_code == 204
    with pytest.raises(ConnectionResetError, match="may not see"):
        for _ in rows:
            pass
    assert grace.get(path).status_code == 404


def test_a_removed_player_of_a_private_game_gets_no_more_entries(ada, grace, is_problem):
    made = create(ada, {"open": True}, {"open": True}, visibility="private")
    grace.post(f"/v1/games/{made['id']}/seats", {"invitation": made["invitation"]})
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(grace.get(f"/v1/games/{made['id']}/events?after=2&wait=10"))
    )
    waiting.start()
    time.sleep(0.3)
    ada.delete(f"/v1/games/{made['id']}/seats/1")
    waiting.join(20)
    is_problem(answers[0], 404, "unknown-game")


# All games of an account


def notices(caller: Caller, **query) -> tuple[list[dict], str]:
    """The notices of an account, and the cursor after them."""
    page = caller.read("/v1/me/events", query_string=query)
    return page["items"], page["next"]


def kinds(notices: list[dict]) -> list[tuple[str, str]]:
    return [(notice["type"], notice["game"]) for notice in notices]


def test_an_account_is_notified_of_its_turns_with_the_view(ada, grace, game):
    told, cursor = notices(ada)
    assert kinds(told) == [("your_turn", game)]
    assert told[0]["view"] == ada.view(game)
    assert kinds(notices(grace)[0]) == []
    ada.play(game, DRAW)
    ada.play(game, DRAW)
    assert kinds(notices(grace)[0]) == [("your_turn", game)]
    assert kinds(notices(ada, after=cursor)[0]) == []


def test_notices_of_a_time_without_a_listener_are_sent_once(ada, grace):
    _, cursor = notices(ada)
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    grace.play(game, {"type": "resign"})
    told, later = notices(ada, after=cursor)
    assert kinds(told) == [("started", game), ("over", game)]
    assert told[1]["view"]["status"] == "finished"
    assert kinds(notices(ada, after=later)[0]) == []
    assert kinds(notices(ada, after=cursor)[0]) == kinds(told)


def test_a_waiting_account_is_notified_at_once(ada, grace, game):
    began = time.monotonic()
    threading.Timer(0.3, lambda: [ada.play(game, DRAW) for _ in range(2)]).start()
    told, _ = notices(grace, wait=20)
    assert kinds(told) == [("your_turn", game)]
    assert 0.2 < time.monotonic() - began < 10


def test_one_stream_follows_all_games_from_the_lobby_to_the_end(ada, grace):
    answer, heard = stream(ada, "/v1/me/events"), []

    def listen() -> None:
        for part in answer.response:
            heard.extend(messages(part.decode()))
            if sum(message["event"] == "over" for message in heard) == 2:
                return

    listener = threading.Thread(target=listen)
    listener.start()
    time.sleep(0.2)
    games = [begin(ada, grace) for _ in range(2)]
    for game in games:
        keep_tickets(game, ada, grace)
    for game in games:
        for caller in (ada, ada, grace, grace, ada):
            caller.play(game, DRAW)
        grace.play(game, {"type": "resign"})
    listener.join(20)
    assert not listener.is_alive()
    for game in games:
        told = [message["event"] for message in heard if message["data"]["game"] == game]
        assert told[0] == "started"
        assert told[-1] == "over"
        turns = [
            message["data"]["version"]
            for message in heard
            if message["data"]["game"] == game and message["event"] == "your_turn"
        ]
        assert len(turns) == len(set(turns))
        assert turns == sorted(turns)
    answer.close()


def test_a_stream_of_notices_resumes_by_its_cursor(ada, grace, game):
    [turn] = messages(parts(stream(ada, "/v1/me/events"), 1))
    grace.play(game, {"type": "resign"})
    cursor = turn["id"]
    [over] = messages(parts(stream(ada, "/v1/me/events", **{"Last-Event-ID": cursor}), 1))
    assert over["event"] == "over"
    line = json.loads(parts(stream(ada, f"/v1/me/events?after={cursor}", NDJSON), 1))
    assert (line["type"], line["game"]) == ("over", game)
    assert kinds(notices(ada, after=line["cursor"])[0]) == []


def short_game(one: Caller, other: Caller) -> str:
    """A game that is over before it has begun."""
    game = begin(one, other)
    other.play(game, {"type": "resign"})
    return game


def test_the_cursor_stays_short_however_many_games_there_are(ada, grace, monkeypatch):
    """A bot asks again and again while its games come and go; each is sent once."""
    monkeypatch.setattr(cursors, "OVERLAP_MS", 300)
    told, longest = [], 0
    _, cursor = notices(ada)
    games = []
    for _ in range(25):
        games.append(short_game(ada, grace))
        page, cursor = notices(ada, after=cursor)
        told += kinds(page)
        longest = max(longest, len(cursor))
        time.sleep(0.05)
    assert sorted(told) == sorted((kind, game) for game in games for kind in ("started", "over"))
    time.sleep(0.4)
    page, cursor = notices(ada, after=cursor)
    assert (page, len(cursor)) == ([], 14)
    assert longest < 14 + 13 * 25


def test_notices_that_a_cursor_cannot_name_are_sent_later_and_once(ada, grace, monkeypatch):
    monkeypatch.setattr(cursors, "MAX_NAMED", 3)
    monkeypatch.setattr(cursors, "OVERLAP_MS", 1500)
    _, cursor = notices(ada)
    games = [short_game(ada, grace) for _ in range(8)]
    told, longest = [], 0
    end = time.monotonic() + 60
    while len(told) < 16 and time.monotonic() < end:
        page, cursor = notices(ada, after=cursor, wait=5)
        told += kinds(page)
        longest = max(longest, len(cursor))
    assert told == [(kind, game) for game in games for kind in ("started", "over")]
    assert longest <= 14 + 13 * 3


def test_a_request_before_a_stream_that_is_stored_after_its_start_is_sent(ada, grace, monkeypatch):
    """The time of an invitation, or of a game's end, is that of the request. The stream's clock is
    five seconds ahead here, so everything that is stored seems to have been asked for before."""
    monkeypatch.setattr("service.games.notices.now_in_ms", lambda: now_in_ms() + 5_000)
    game = short_game(ada, grace)
    answer = stream(grace, "/v1/me/events")
    heard = iter(answer.response)
    next(heard)  # the first look, at the game that is over: none of its notices is new
    made = create(ada, {"invite": grace.id})
    [invited] = messages(next(heard).decode())
    assert (invited["event"], invited["data"]["game"]) == ("invited", made["id"])
    other = short_game(ada, grace)
    told = []
    while "over" not in told:
        for message in messages(next(heard).decode()):
            assert message["data"]["game"] == other != game
            told.append(message["event"])
    answer.close()


@pytest.mark.parametrize("cursor", ["soon", "1", "1:;", "-1:", "1:" + "a," * 1900])
def test_a_cursor_that_is_none_is_refused(ada, cursor, is_problem):
    is_problem(ada.get(f"/v1/me/events?after={cursor}"), 422, "malformed")
