"""The HTTP client on bad networks: what it sends again, and how it reads a stream."""

import json
import socket
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
import urllib3
from fogg_client.client import Client
from fogg_client.problems import NoStream, Problem
from fogg_client.reader import Message, Reader

from tests.proxies import CuttingProxy, service, whole_request

SSE = {"Content-Type": "text/event-stream"}
JSON = {"Content-Type": "application/json"}
OVER = (204, {}, b"")


def read(*chunks: bytes, last: str | None = None) -> list[Message]:
    return list(Reader(last).messages(chunks))


def entry(version: int) -> bytes:
    return b'event: entry\nid: %d\ndata: {"version": %d}\n\n' % (version, version)


@contextmanager
def answering(*answers: bytes):
    """Serve these bytes, one for each connection, and cut it after them; give the URL."""

    def serve(listening):
        for answer in answers:
            with listening.accept()[0] as caller:
                whole_request(caller)
                caller.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def ids(stream) -> list[str]:
    return [message.id for message in stream]


@pytest.mark.parametrize(
    ("fates", "answered"),
    [(("before", "before"), 1), (("after", "after"), 3), (("half", "after", "before"), 3)],
)
def test_a_request_that_was_cut_off_is_sent_again_with_the_same_key(fates, answered):
    fate = dict(enumerate(fates))
    with (
        service((200, JSON, b'{"token": "t"}')) as (url, requests),
        CuttingProxy(url, lambda n: fate.get(n, "well")) as proxy,
    ):
        assert Client(proxy.url).post("/v1/players", {"name": "Ann"}) == {"token": "t"}
        [key] = {headers["Idempotency-Key"] for _, _, headers, _ in requests}
        assert {(method, body) for method, _, _, body in requests} == {("POST", b'{"name": "Ann"}')}
        assert (proxy.connections, len(requests)) == (len(fates) + 1, answered)
        Client(url).post("/v1/players", {"name": "Ann"})
        assert requests[-1][2]["Idempotency-Key"] != key  # of another request
    assert len(key) >= 16


def test_a_request_that_nothing_answers_is_soon_sent_again_over_a_new_connection():
    with (
        service((200, JSON, b'{"token": "t"}')) as (url, requests),
        CuttingProxy(url, lambda n: "lost" if n < 2 else "well") as proxy,
    ):
        client = Client(proxy.url, patience=0, dead_after=0.1)
        assert client.post("/v1/players", {"name": "Ann"}) == {"token": "t"}
    assert (proxy.connections, len(requests)) == (3, 1)


def test_a_stream_that_falls_silent_is_resumed_over_a_new_connection():
    with (
        service((200, SSE, [entry(1)]), (200, SSE, [entry(2)]), OVER) as (url, _),
        CuttingProxy(url, lambda n: "silent" if n < 2 else "well") as proxy,
    ):
        messages = Client(proxy.url).stream("/v1/games/g/events", silence=0.4)
        assert ids(messages) == ["1", "2"]
    assert proxy.connections == 3


@pytest.mark.parametrize("game", ["../me", "..", ".", "", "a/b", "g?x=1", "g#x"])
def test_an_id_is_one_segment_of_a_path_with_any_characters(stack, game):
    ann = Client(stack.url).sign_up("Ann")
    with pytest.raises(Problem) as told:
        ann.view(game)
    assert told.value.status == 404


@pytest.mark.parametrize("status", [200, 409])
@pytest.mark.parametrize("end", ["Content", "Content-Length:", "Content-Length: ", "Transfer-"])
def test_an_answer_that_was_cut_off_in_its_headers_is_asked_for_again(status, end):
    """Nothing says then that a body is missing."""
    cut = f"HTTP/1.1 {status} Whatever\r\nServer: x\r\n{end}".encode()
    with answering(cut, b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id": "g"}') as url:
        assert Client(url).get("/v1/games/g") == {"id": "g"}


def test_a_stale_action_returns_the_present_view_with_its_legal_actions(stack):
    ann = Client(stack.url).sign_up("Ann")
    seats = [{"player": "me"}, {"open": True}]
    game = ann.post("/v1/games", {"board": "usa", "seats": seats})["id"]
    bob = Client(stack.url).sign_up("Bob")
    bob.post(f"/v1/games/{game}/seats", {})
    began = ann.view(game)
    bob.play(bob.view(game), bob.view(game)["you"]["legal_actions"][0])
    with pytest.raises(Problem) as told:
        ann.play(began, began["you"]["legal_actions"][0])
    assert told.value.status == 412
    assert told.value.body["view"]["you"]["legal_actions"]


def test_a_busy_service_is_asked_again_when_it_says():
    slow = (429, JSON | {"Retry-After": "1"}, b'{"code": "too-many-requests"}')
    quicker = (409, JSON, b'{"code": "too-busy", "detail": "others were quicker too often"}')
    with service(slow, (503, {}, b""), quicker, (200, JSON, b'{"id": "g"}')) as (url, requests):
        start = time.monotonic()
        assert Client(url).post("/v1/games", {}) == {"id": "g"}
        assert time.monotonic() - start >= 1
    assert len(requests) == 4
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in requests}) == 1


@pytest.mark.parametrize(
    ("date", "waits"),
    [
        ("Sun, 06 Nov 1994 08:49:38 GMT", 1),
        ("Sunday, 06-Nov-94 08:49:38 GMT", 1),
        ("Sun Nov  6 08:49:38 1994", 1),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("soon", 0),
        ("nan", 0),
        ("-5", 0),
        ("1.5", 1.5),
    ],
)
def test_a_busy_service_may_say_when_by_a_date_of_its_own_clock(date, waits):
    """RFC 9110, 5.6.7 and 10.2.3: a date in one of three forms. Some send a fraction of seconds."""
    head = "Content-Length: 0\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: close\r\n\r\n"
    busy = f"HTTP/1.1 429 Busy\r\nRetry-After: {date}\r\n{head}"
    with answering(busy.encode(), f"HTTP/1.1 204 Done\r\n{head}".encode()) as url:
        start = time.monotonic()
        Client(url).delete("/v1/me")
        assert time.monotonic() - start >= waits


@pytest.mark.parametrize(
    "after",
    ["60", format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)],
    ids=["seconds", "date"],
)
def test_a_client_asked_to_wait_longer_than_its_patience_says_so_at_once(after):
    slow = (429, JSON | {"Retry-After": after}, b'{"code": "too-many-requests"}')
    with service(slow) as (url, requests):
        with pytest.raises(Problem, match="429 too-many-requests"):
            Client(url).get("/v1/games")
        assert len(requests) == 1


def test_a_service_that_is_not_there_is_an_error_when_patience_ends():
    with pytest.raises(urllib3.exceptions.HTTPError):
        Client("http://127.0.0.1:9", patience=0.2).get("/v1/games")


def test_an_answer_without_a_body_and_a_refusal_are_answers():
    refused = (409, JSON, b'{"code": "route-taken", "detail": "by seat 1"}')
    with service(OVER, refused) as (url, requests):
        assert Client(url).post("/v1/games/g/seats", {}) is None
        with pytest.raises(Problem, match="409 route-taken: by seat 1"):
            Client(url).post("/v1/games/g/actions", {})
        assert len(requests) == 2


def test_a_message_has_its_event_its_data_and_its_id():
    assert read(b"event: entry\nid: 7\ndata: {}\n\n") == [Message("entry", "{}", "7")]
    assert read(b"data:tight\n\n") == [Message("message", "tight")]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_end_in_any_of_three_ways(end):
    text = end.join([b"event: a", b"data: one", b"data: two", b"", b": bye", b"data: 3", b"", b""])
    messages = [Message("a", "one\ntwo"), Message("message", "3")]
    whole = read(text + b":")  # a lone CR ends a line once it is clear that no LF follows
    assert whole == messages
    assert read(*(text[i : i + 1] for i in range(len(text))), b":") == messages


def test_characters_and_lines_may_be_split_anywhere():
    text = "data: Köln ✓ Zürich\n\n".encode()
    for i in range(len(text)):
        assert read(text[:i], text[i:]) == [Message("message", "Köln ✓ Zürich")]
    assert read(b"\xef\xbb\xbfdata: after a mark\n\n")[0].data == "after a mark"


def test_comments_unknown_fields_and_empty_messages_are_passed_over():
    assert read(b": keep-alive\n\nevent: nothing\n\nfoo: bar\ndata\n\n") == [Message("message", "")]


def test_an_unfinished_message_is_not_given_and_does_not_move_the_place_to_resume():
    reader = Reader()
    assert ids(reader.messages([entry(1), b"retry: 1500\nretry: soon\nid: 2\ndata: {"])) == ["1"]
    assert (reader.last, reader.retry) == ("1", 1.5)


def test_an_id_holds_for_the_messages_after_it_until_it_is_taken_back():
    assert ids(read(b"id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n")) == [
        "1",
        "1",
        "1",
        None,
    ]


def test_a_stream_that_is_cut_is_taken_up_after_its_last_whole_message():
    with service(
        (200, SSE, [entry(1), entry(2), b"event: entry\nid: 3\nda", None]),
        (502, {}, b""),
        (200, SSE, [b": keep-alive\n\n"]),
        (200, SSE, [entry(3)]),
        OVER,
    ) as (url, requests):
        assert ids(Client(url).stream("/v1/games/g/events", after=0)) == ["1", "2", "3"]
    places = [headers.get("Last-Event-ID") for _, _, headers, _ in requests]
    assert places == ["0", "2", "2", "2", "3"]
    assert {headers["Accept"] for _, _, headers, _ in requests} == {"text/event-stream"}


@pytest.mark.parametrize(("code", "previous"), [("history-lost", 4), ("version-ahead", 3)])
def test_a_stream_of_a_game_that_has_gone_back_goes_on_from_there(code, previous):
    known = {"previous_version": previous} if code == "history-lost" else {}
    refusal = json.dumps({"code": code, "version": 1} | known).encode()
    with service(
        (200, SSE, [entry(1), entry(2), entry(3), None]),
        (409, JSON, refusal),
        (200, SSE, [entry(2)]),
        OVER,
    ) as (url, requests):
        messages = list(Client(url).stream("/v1/games/g/events"))
    assert [m.event for m in messages] == ["entry", "entry", "entry", "lost", "entry"]
    assert json.loads(messages[3].data) == {"version": 1, "previous_version": previous}
    assert [headers.get("Last-Event-ID") for _, _, headers, _ in requests] == [None, "3", "1", "2"]


def test_a_stream_that_nobody_could_take_up_after_what_is_known_is_refused():
    refusal = json.dumps({"code": "version-ahead", "version": 1}).encode()
    with service((409, JSON, refusal)) as (url, _), pytest.raises(Problem):
        next(Client(url).stream("/v1/games/g/events", after=9))


def test_messages_are_given_as_they_come_and_a_silent_stream_is_asked_for_again(monkeypatch):
    monkeypatch.setattr("fogg_client.client.STREAM_TIMEOUT_S", 0.3)
    came = []

    class Slow(list):
        def __iter__(self):
            for chunk in (entry(1), entry(2)):
                yield chunk
                time.sleep(0.1)
            time.sleep(2)

    with service((200, SSE, Slow()), (200, SSE, [entry(3)]), OVER) as (url, _):
        for message in Client(url).stream("/v1/games/g/events"):
            came.append((message.id, time.monotonic()))
    assert [name for name, _ in came] == ["1", "2", "3"]
    assert came[1][1] - came[0][1] >= 0.05
    assert came[2][1] - came[0][1] < 1.5


def test_a_stream_that_ends_at_once_each_time_is_asked_for_ever_more_rarely():
    answers = [(200, SSE, [])] * 6
    with service(*answers, OVER) as (url, requests):
        start = time.monotonic()
        assert not list(Client(url).stream("/v1/me/events"))
        assert len(requests) == 7
        assert time.monotonic() - start > 0.5 * sum(0.05 * 2**n for n in range(6))


HTML, NO_FOGG = {"Content-Type": "text/html"}, "what answers at {url} is no Fogg service"
THERE = "https://fogg.example"


@pytest.mark.parametrize(
    ("status", "headers", "body", "says"),
    [
        (200, HTML, b"<html>Hello</html>", NO_FOGG),
        (200, JSON, b"[1, 2]", NO_FOGG),
        (200, JSON, b'{"hello": "world"}', NO_FOGG),
        (404, HTML, b"<html>Not here</html>", f"{NO_FOGG}: 404 Not Found"),
        (404, JSON, b'{"message": "not here"}', f"{NO_FOGG}: 404 Not Found"),
        (304, {}, b"", f"{NO_FOGG}: 304 Not Modified"),
        *(
            (status, {"Location": to}, b"", f"{{url}} redirects to {address}: use that address")
            for status in (301, 308)
            for to, address in (
                (f"{THERE}/v1/players", THERE),
                (f"{THERE}/games/v1/players", f"{THERE}/games"),
                (f"{THERE}/login?next=x", f"{THERE}/login?next=x"),
                ("/new/v1/players", "{url}/new"),
            )
        ),
    ],
)
def test_an_answer_of_another_server_is_reported_as_such(status, headers, body, says):
    with service((status, headers, body)) as (url, requests):
        with pytest.raises(Problem) as told:
            Client(url).sign_up("Ann")
        assert told.value.body["detail"] == says.format(url=url)
        assert len(requests) == 1


def test_an_answer_that_is_no_stream_and_lines_that_were_cut_off_are_reported_as_such():
    with service((200, JSON, b"{}")) as (url, _), pytest.raises(NoStream):
        next(Client(url).stream("/v1/games/g/events"))
    with service((200, {}, [b"one\ntwo\nthr"])) as (url, _):
        lines = Client(url).download("/v1/histories")
        assert [next(lines), next(lines)] == [b"one", b"two"]
        with pytest.raises(urllib3.exceptions.HTTPError, match="cut off"):
            next(lines)


def test_entries_come_from_the_stream_without_its_view():
    view = b'event: view\ndata: {"version": 2}\n\n'
    with service(
        (200, SSE, [view, entry(1), entry(2), None]), (200, SSE, [view, entry(3)]), OVER
    ) as (url, _):
        versions = [e["version"] for e in Client(url).entries("g")]
    assert versions == [1, 2, 3]


def test_of_many_actions_those_that_have_to_wait_are_sent_again_and_no_others():
    def answer(*statuses: int) -> tuple:
        told = [{"status": status} for status in statuses]
        return 200, JSON, json.dumps({"items": told}).encode()

    with service(answer(200, 503, 409, 429), answer(503, 200), answer(200)) as (url, requests):
        items = [{"game": f"g_{number}", "key": f"{number}"} for number in range(4)]
        told = Client(url).do_many(items)
    assert [one["status"] for one in told] == [200, 200, 409, 200]
    asked = [[item["key"] for item in json.loads(body)["items"]] for _, _, _, body in requests]
    assert asked == [["0", "1", "2", "3"], ["1", "3"], ["1"]]


def test_many_actions_have_results_even_if_some_were_never_played():
    told = [{"status": 200}, {"status": 503, "code": "not-ready"}]
    answers = [(200, JSON, json.dumps({"items": some}).encode()) for some in (told, told[1:])]
    with service(*answers) as (url, _):
        assert Client(url, patience=0.1).do_many([{"game": "g_1"}, {"game": "g_2"}]) == told
    with (
        service((401, JSON, b'{"code": "not-signed-in"}')) as (url, _),
        pytest.raises(Problem, match="401"),
    ):
        Client(url).do_many([{"game": "g_1"}])


def test_more_actions_than_a_request_may_hold_are_played_all(stack):
    ann, bob = (Client(stack.url).sign_up(name) for name in ("Ann", "Bob"))
    wish = {
        "board": "usa",
        "seats": [{"player": "me"}, {"open": True}],
        "options": {"first_seat": 0},
    }
    games = [ann.post("/v1/games", wish)["id"] for _ in range(3)]
    for game in games:
        bob.post(f"/v1/games/{game}/seats", {})
    views = [one["view"] for one in ann.do_many([{"game": game} for game in 40 * games])]
    assert len(views) == 120
    moves = [(view, view["you"]["legal_actions"][0]) for view in views[:3]]
    assert [one["view"]["version"] for one in ann.play_many(moves)] == [3, 3, 3]
