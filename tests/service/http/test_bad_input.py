"""Any bad input is answered with its error; nothing changes, and nothing breaks."""

import json
import logging
import re
from itertools import product

import pytest

NO_GAME = "g_" + "0" * 20
JSON = "application/json"
DEEP = b'{"type":' * 100_000
CLAIM = {"type": "claim_route", "route": "boston--montreal", "cards": {"wild": 2}}


@pytest.fixture(autouse=True)
def nothing_is_logged_as_an_error(caplog):
    """No request may lead to an error that the service did not expect."""
    yield
    assert [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR] == []


@pytest.fixture
def unchanged(anybody, game):
    """The running game, which must be at the same version afterwards."""
    version = anybody.view(game)["version"]
    yield game
    assert anybody.view(game)["version"] == version


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"'",
        b"nonsense",
        b'{"type":"pass"}{}',
        b'{"type":NaN}',
        b'{"type":Infinity}',
        b'{"type":"pass",}',
        b'{"type":"\\ud800"}',
        b'{"type":"\xff"}',
        b'\xef\xbb\xbf{"type":"pass"}',
        b"\x00",
        DEEP[:60_000],
        b"[" * 60_000,
        b'{"type":"a\nb"}',
    ],
)
def test_a_body_that_is_not_json_is_refused(ada, unchanged, is_problem, body):
    answer = ada.request("POST", f"/v1/games/{unchanged}/actions", data=body, content_type=JSON)
    is_problem(answer, 400, "bad-request")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"type":"resign","type":"resign"}', "type"),
        (b'{"type":"resign","\\u0074ype":"pass"}', "type"),
        (b'{"type":"claim_route","route":"a--b","cards":{"wild":1,"red":2,"wild":2}}', "wild"),
        (b"[" * 500 + b'{"a":1,"a":0.' + b"1" * 5000 + b"}" + b"]" * 500, "a"),
    ],
)
def test_a_body_that_has_a_member_twice_is_refused(ada, unchanged, is_problem, body, field):
    """Which of them counts, two readers may see differently."""
    answer = ada.request("POST", f"/v1/games/{unchanged}/actions", data=body, content_type=JSON)
    assert is_problem(answer, 422, "malformed")["field"] == field


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (None, None),
        (True, None),
        (1, None),
        ("pass", None),
        ([], None),
        ([{"type": "pass"}], None),
        ({}, "type"),
        ({"type": None}, "type"),
        ({"type": 1}, "type"),
        ({"type": ["pass"]}, "type"),
        ({"type": {}}, "type"),
        ({"type": "cheat"}, "type"),
        ({"type": "Pass"}, "type"),
        ({"type": "pass", "why": 1}, "why"),
        ({"type": "draw_card"}, "from"),
        ({"type": "draw_card", "from": "hand"}, "from"),
        ({"type": "draw_card", "from": "row", "card": None}, "card"),
        ({"type": "draw_card", "from": "deck", "from_": "deck"}, "from_"),
        (CLAIM | {"seat": 1}, "seat"),
        (CLAIM | {"route": 7}, "route"),
        (CLAIM | {"cards": []}, "cards"),
        (CLAIM | {"cards": None}, "cards"),
        *(
            (CLAIM | {"cards": {"wild": count}}, "cards.wild")
            for count in ("2", 0, -2, 2.5, True, None, 100, 2**70, 1e308, [2])
        ),
        ({"type": "keep_tickets", "tickets": "all"}, "tickets"),
        ({"type": "keep_tickets", "tickets": [1]}, "tickets.0"),
        ({"type": "keep_tickets", "tickets": [None]}, "tickets.0"),
    ],
)
def test_an_action_that_does_not_fit_its_schema_is_refused_by_field(
    ada, unchanged, is_problem, body, field
):
    answer = ada.request(
        "POST", f"/v1/games/{unchanged}/actions", data=json.dumps(body), content_type=JSON
    )
    problem = is_problem(answer, 422, "malformed")
    assert problem.get("field") == field
    assert problem["errors"][0]["field"] == (field or "")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "board"),
        ({"board": "usa"}, "seats"),
        ({"board": "usa", "seats": 2}, "seats"),
        ({"board": "usa", "seats": [{"player": "me"}]}, "seats"),
        ({"board": "usa", "seats": [{"open": True}] * 9}, "seats"),
        ({"board": "usa", "seats": [{"open": True}, None]}, "seats.1"),
        ({"board": "usa", "seats": [{"open": True}, {}]}, "seats.1"),
        ({"board": "usa", "seats": [{"open": True}, {"open": 1}]}, "seats.1.open"),
        ({"board": "usa", "seats": [{"open": True}, {"open": False}]}, "seats.1.open"),
        ({"board": "usa", "seats": [{"open": True}, {"player": "p_1"}]}, "seats.1.player"),
        (
            {"board": "usa", "seats": [{"open": True}, {"player": "me", "bot": "random"}]},
            "seats.1.player",
        ),
        (
            {"board": "usa", "seats": [{"open": True}, {"player": "me", "entropy": "a b"}]},
            "seats.1.entropy",
        ),
        (
            {"board": "usa", "seats": [{"open": True}, {"player": "me", "entropy": "a\n"}]},
            "seats.1.entropy",
        ),
        (
            {"board": "usa", "seats": [{"open": True}] * 2, "options": {"seed": "00"}},
            "options.seed",
        ),
        (
            {"board": "usa", "seats": [{"open": True}] * 2, "options": {"seed": "0" * 64 + "\n"}},
            "options.seed",
        ),
        (
            {"board": "usa", "seats": [{"open": True}] * 2, "options": {"first_seat": -1}},
            "options.first_seat",
        ),
        ({"board": "usa", "seats": [{"open": True}] * 2, "options": None}, "options"),
    ],
)
def test_a_game_that_does_not_fit_its_schema_is_not_created(anybody, ada, is_problem, body, field):
    problem = is_problem(ada.post("/v1/games", body), 422, "malformed")
    assert problem["field"] == field
    assert anybody.get("/v1/games").json["items"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"board": "usa", "seats": [{"open": True}] * 6}, "wrong-number-of-seats"),
        ({"board": "usa", "seats": [{"player": "me"}] * 2}, "already-seated"),
        (
            {"board": "usa", "seats": [{"open": True}] * 2, "options": {"first_seat": 2}},
            "no-such-seat",
        ),
    ],
)
def test_a_game_that_the_rules_do_not_allow_is_not_created(anybody, ada, is_problem, body, code):
    problem = is_problem(ada.post("/v1/games", body), 409, code)
    assert problem["rule"]
    assert anybody.get("/v1/games").json["items"] == []


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=1.0",
        "limit=1_0",
        "limit=%D9%A3",
        "limit=",
        "limit=1e1",
        "limit=1&limit=2",
        "status=open",
        "status=",
        "cursor=1",
        "after=1",
        "after=1.g_%0A",
        "nonsense=1",
        "limit=" + "9" * 400,
        "%00=1",
        "=1",
        "status[]=lobby",
    ],
)
def test_a_query_that_does_not_fit_is_refused(anybody, is_problem, query):
    problem = is_problem(anybody.get(f"/v1/games?{query}"), 422, "malformed")
    assert problem["errors"]


@pytest.mark.parametrize(
    "query",
    [
        "after=-1",
        "after=x",
        "after=2147483648",
        "wait=61",
        "wait=-1",
        "wait=nan",
        "wait=inf",
        "wait=1e999",
        "wait=0x1",
        "limit=1001",
        "Wait=1",
        "legal_actions=some",
    ],
)
def test_a_query_about_events_that_does_not_fit_is_refused(anybody, game, is_problem, query):
    problem = is_problem(anybody.get(f"/v1/games/{game}/events?{query}"), 422, "malformed")
    assert problem["field"] == query.partition("=")[0]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/me",
        "/v1/boards",
        "/v1/boards/usa",
        "/v1/bots",
        "/healthz",
        "/readyz",
        "/v1/boards/usa/map.svg",
    ],
)
def test_a_query_where_there_is_none_to_make_is_refused(ada, is_problem, path):
    assert is_problem(ada.get(f"{path}?fields=all"), 422, "malformed")["field"] == "fields"


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "nonsense",
        "application/jsonp",
        "application/problem+json",
    ],
)
def test_a_body_of_another_type_is_refused(ada, unchanged, is_problem, content_type):
    answer = ada.request(
        "POST",
        f"/v1/games/{unchanged}/actions",
        data=b'{"type":"resign"}',
        content_type=content_type,
    )
    is_problem(answer, 415, "unsupported-media-type")


@pytest.mark.parametrize("path", ["/v1/players", "/v1/games", "/v1/me/tokens"])
def test_a_body_over_64_kib_is_refused(ada, is_problem, path):
    body = b'{"name":"' + b"a" * 64 * 1024 + b'"}'
    is_problem(
        ada.request("POST", path, data=body, content_type=JSON), 413, "request-entity-too-large"
    )


def test_a_query_of_more_than_4000_bytes_is_refused(ada, is_problem):
    longest = "board=" + "a" * 3994
    assert ada.get(f"/v1/games?{longest}").status_code == 200
    is_problem(ada.get(f"/v1/games?{longest}a"), 414, "request-uri-too-long")


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t",
        " Ada",
        "Ada ",
        "A\nda",
        "A\x00da",
        "A\x1bda",
        "A\u200bda",
        "A\u202eda",
        "\ufeffAda",
        "Ada\n",
        "A" * 41,
        "A\ue000",
        7,
        None,
        ["Ada"],
        {"name": "Ada"},
        "A\U000e0041\U000e0042da",
        "A\ufe0fda",
        "A\u034fda",
        "\u2800",
        "\u3164",
        "A\U000e0100",
        "A\U0010ffff",
    ],
)
def test_a_name_that_cannot_be_shown_in_a_line_is_refused(ada, is_problem, name):
    for method, path, member in [
        ("POST", "/v1/players", "name"),
        ("POST", "/v1/me/tokens", "label"),
        ("POST", "/v1/me/bots", "name"),
        ("POST", "/v1/tournaments", "name"),
        ("PATCH", "/v1/me", "name"),
    ]:
        if name or member == "name":  # a token may have no label
            answer = ada.request(method, path, json={member: name})
            assert is_problem(answer, 422, "malformed")["field"] == member


def test_an_action_out_of_turn_is_refused(ada, grace, unchanged, is_problem):
    draw = {"type": "draw_card", "from": "deck"}
    assert is_problem(grace.act(unchanged, draw), 409, "not-your-turn")["rule"] == "2.3"
    is_problem(ada.act(unchanged, {"type": "keep_tickets", "tickets": []}), 409, "wrong-decision")
    is_problem(ada.act(unchanged, {"type": "pass"}), 409, "cannot-pass")


@pytest.mark.parametrize(
    ("action", "code", "field"),
    [
        (CLAIM | {"cards": {"wild": 9}}, "wrong-cards", "cards"),
        (CLAIM | {"cards": {"gold": 2}}, "unknown-card", "cards"),
        (
            CLAIM | {"route": "portland--salt-lake-city", "cards": {"wild": 6}},
            "cards-not-held",
            "cards",
        ),
        (CLAIM | {"route": "\x00"}, "unknown-route", "route"),
        ({"type": "draw_card", "from": "row"}, "unknown-card", "card"),
        ({"type": "draw_card", "from": "deck", "card": "red"}, "blind-draw", "card"),
    ],
)
def test_an_action_that_no_rule_allows_is_refused_by_rule_and_field(
    ada, unchanged, is_problem, action, code, field
):
    problem = is_problem(ada.act(unchanged, action), 409, code)
    assert (bool(problem["rule"]), problem["field"]) == (True, field)


def test_without_a_seat_nobody_plays(mary, unchanged, is_problem):
    is_problem(mary.act(unchanged, {"type": "resign"}), 403, "not-yours")
    is_problem(mary.get(f"/v1/games/{unchanged}/legal-actions"), 403, "not-yours")


@pytest.mark.parametrize(
    "action", [{"type": "resign"}, {"type": "pass"}, {"type": "draw_card", "from": "deck"}, CLAIM]
)
def test_a_finished_game_takes_no_action(ada, anybody, finished, is_problem, action):
    before = anybody.view(finished)
    assert is_problem(ada.act(finished, action), 409, "game-finished")["rule"] == "7"
    assert anybody.view(finished) == before


def test_a_game_in_the_lobby_takes_no_action(ada, is_problem):
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    game = ada.post("/v1/games", wish).json["id"]
    is_problem(ada.act(game, {"type": "resign"}), 409, "game-not-started")


@pytest.mark.parametrize(
    "game_id",
    [
        NO_GAME,
        "g_",
        "x",
        "*",
        "%2e%2e",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff%fe",
        "g_" + "A" * 20,
        NO_GAME + "%0a",
        "{g:" + NO_GAME + "}:log",
        "a" * 2000,
        "%F0%9F%9A%82",
        "0-1",
        "null",
        "-1",
        "%25",
        "g_%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a%2a",
        "' OR 1=1--",
    ],
)
def test_a_game_that_does_not_exist_is_not_found_by_any_name(ada, is_problem, game_id):
    for answer in (
        ada.get(f"/v1/games/{game_id}"),
        ada.get(f"/v1/games/{game_id}/events?wait=9"),
        ada.get(f"/v1/games/{game_id}/board.svg"),
        ada.get(f"/v1/games/{game_id}/legal-actions"),
        ada.act(game_id, {"type": "resign"}),
        ada.post(f"/v1/games/{game_id}/seats", {}),
        ada.delete(f"/v1/games/{game_id}/seats/0"),
    ):
        assert answer.status_code == 404
        assert is_problem(answer, 404, answer.json["code"])["code"] in ("unknown-game", "not-found")


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/v1/boards/atlantis", "unknown-board"),
        ("GET", "/v1/boards/..%2f..%2fusa.json", "not-found"),
        ("GET", "/v1/boards/usa%00/map.svg", "unknown-board"),
        ("DELETE", "/v1/me/tokens/t_" + "0" * 20, "unknown-token"),
        ("DELETE", "/v1/me/tokens/*", "unknown-token"),
        ("GET", "/docs/..%2f..%2fapp.py", "not-found"),
        ("GET", "/docs/nothing.js", "not-found"),
        ("GET", "/v2/games", "not-found"),
        ("GET", "/nowhere", "not-found"),
    ],
)
def test_an_unknown_id_is_not_found(ada, is_problem, method, path, code):
    problem = is_problem(ada.request(method, path), 404, code)
    assert ("is under /v1" in problem["detail"]) == (code == "not-found")
    assert "URL" not in problem["detail"]


@pytest.mark.parametrize("seat", ["2", "99999999999999999999", "-1", "x", "0.0", "1e0", "%31%00"])
def test_a_seat_that_does_not_exist_is_not_found(ada, unchanged, is_problem, seat):
    answer = ada.delete(f"/v1/games/{unchanged}/seats/{seat}")
    is_problem(answer, 404, "unknown-seat" if seat.isdigit() else "not-found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/v1/games"),
        ("PUT", "/v1/me"),
        ("DELETE", "/v1/games"),
        ("POST", "/v1/me"),
        ("POST", "/healthz"),
        ("TRACE", "/v1/boards"),
        ("BREW", "/v1/boards"),
    ],
)
def test_another_method_is_refused_and_those_that_are_taken_are_named(
    ada, is_problem, method, path
):
    answer = ada.request(method, path)
    detail = is_problem(answer, 405, "method-not-allowed")["detail"]
    assert "GET" in answer.headers["Allow"]
    assert detail == f"this path allows {answer.headers['Allow']} only"


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YWRhOnB3",
        "fogg_abc",
        "Bearer abc",
        "Bearer fogg_",
        "Bearer fogg_abc def",
        "Bearer fogg_\u00e9",
        "Bearer fogg_*",
        "Bearer fogg_" + "a" * 5000,
        "Bearer  fogg_x",
        "Token fogg_x",
        "Bearer\tfogg_x",
    ],
)
def test_a_token_that_is_none_is_refused_also_where_none_is_needed(
    anybody, unchanged, is_problem, sent
):
    for path in (
        "/v1/me",
        "/v1/games",
        f"/v1/games/{unchanged}",
        f"/v1/games/{unchanged}/events",
        f"/v1/games/{unchanged}/board.svg",
    ):
        answer = anybody.get(path, headers={"Authorization": sent})
        is_problem(answer, 401, "not-signed-in")
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer fogg_of-nobody"}])
def test_an_invalid_token_is_reported_before_other_errors(anybody, openapi, is_problem, sent):
    asked = [
        (method.upper(), re.sub("{[a-z_]+}", "0", path), operation)
        for path, operations in openapi["paths"].items()
        for method, operation in operations.items()
        if "security" in operation
    ]
    for method, path, operation in asked:
        if operation["security"] and (sent or {} not in operation["security"]):
            wrongs = [{"query_string": "x=1"}, {"data": b"{"}]
            for wrong in wrongs[: 1 + ("requestBody" in operation)]:
                answer = anybody.request(method, path, headers=sent, **wrong)
                is_problem(answer, 401, "not-signed-in")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("If-Match", "5"),
        ("If-Match", ""),
        ("If-Match", '*, "5"'),
        ("If-Match", '"5" "6"'),
        ("If-Match", '"5",'),
        ("If-Match", '"5"-gzip"'),
        ("If-Match", 'w/"5"'),
        ("If-Match", '"\u0665"'),
        ("Idempotency-Key", ""),
        ("Idempotency-Key", "a b"),
        ("Idempotency-Key", "a" * 129),
        ("Idempotency-Key", "\u00e9"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(ada, unchanged, is_problem, name, value):
    sent = value.encode().decode("latin-1")
    answer = ada.act(unchanged, {"type": "resign"}, headers={name: sent})
    assert is_problem(answer, 422, "malformed")["field"] == name


# every header that the service reads -> pieces that its values are made of
PIECES = {
    "Accept": ("text/event-stream", "application/json", "*/*", ";q=", "0", "2", ",", ";", "v"),
    "Accept-Encoding": ("gzip", "identity", "*", ";q=", "0", "nan", ",", ";"),
    "Accept-Language": ("de", "-", "*", ";q=", "1e9", ",", "\u00e9"),
    "Authorization": ("Bearer", " ", "fogg_", "\u00e9", "Basic", "="),
    "Content-Type": ("application/json", ";", "charset=", "utf-16", "text/plain", '"'),
    "Fogg-Thinking": ("1", "-", "_", "9" * 30, "e3", "\u00b2", ".5"),
    "Idempotency-Key": ("a", " ", "\u00e9", "~", "a" * 128),
    "If-Match": ('"4', '"', "-gzip", '-gzip"', "-0123456789abcdef", "W/", "*", ","),
    "If-None-Match": ('"4', '"', "-gzip", '-gzip"', "-0123456789abcdef", "W/", "*", ","),
    "Last-Event-ID": ("4", "-", "9" * 30, "_", "\u00b2", ":", "."),
    "Prefer": ("return", "=", "minimal", ";", ",", '"', "\\"),
    "X-Forwarded-For": ("127.0.0.1", ",", " ", "::1", "%", "\u00e9"),
    "X-Request-Id": ("a", "-", "\u00e9", " ", "a" * 64),
}


@pytest.mark.parametrize("name", PIECES)
def test_no_value_of_a_header_is_answered_500(ada, unchanged, name):
    """All values of up to three pieces."""
    game = f"/v1/games/{unchanged}"
    path = {
        "Accept": f"{game}/events",
        "Last-Event-ID": f"{game}/events",
        "If-None-Match": game,
        "Accept-Language": f"/games/{unchanged}",
    }.get(name)
    for pieces in product(("", *PIECES[name]), repeat=3):
        headers = {name: "".join(pieces)}
        answer = (
            ada.get(path, headers=headers)
            if path
            else ada.act(unchanged, {"type": "pass"}, headers=headers)
        )
        assert answer.status_code < 500, headers
        answer.close()


def test_headers_that_mean_nothing_here_change_nothing(anybody, game):
    strange = {
        "If-None-Match": '"',
        "If-Modified-Since": "yesterday",
        "Range": "bytes=9-1",
        "Accept": "no/thing",
        "Cookie": "a=\x7f; =",
        "X-Forwarded-For": "' --",
        "Content-Encoding": "gzip",
        "Accept-Encoding": "*;q=0",
        "Last-Event-ID": "-1",
    }
    for path in ("/v1/boards/usa", "/v1/games", f"/v1/games/{game}", f"/v1/games/{game}/events"):
        assert anybody.get(path, headers=strange).status_code == 200
