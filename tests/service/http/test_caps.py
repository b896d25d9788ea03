"""Quotas of one client: enforced, reported, and not reduced by repeated requests."""

import time

import pytest

from service.app import create_app
from service.http.limits import Streams
from service.http.serving import services
from tests.service.callers import Caller, pages, sign_up
from tests.service.games.test_streams import stream

SEATS = [{"player": "me"}, {"open": True}]
GAME = {"board": "usa", "seats": SEATS}
CUP = {"name": "Cup", "format": "knockout", "boards": ["usa"], "seats": 2}
KEY = {"Idempotency-Key": "a-key-of-one's-own"}


@pytest.fixture
def caps(monkeypatch):
    """Set caps."""
    return lambda text: monkeypatch.setenv("FOGG_CAPS", text)


@pytest.mark.parametrize(
    ("path", "wish", "kind"),
    [
        ("/v1/me/tokens", {}, "tokens"),
        ("/v1/me/bots", {"name": "Bot"}, "bots"),
        ("/v1/games", GAME, "games"),
        ("/v1/tournaments", CUP, "tournaments"),
    ],
)
def test_a_quota_is_enforced_and_a_retry_counts_once(ada, is_problem, caps, path, wish, kind):
    caps(f"{kind}=3")
    first = ada.post(path, wish, headers=KEY)
    assert first.status_code == 201
    made = [ada.post(path, wish).status_code for _ in range(4)]
    assert made.count(201) == (1 if kind == "tokens" else 2)  # the account came with a token
    refused = ada.post(path, wish, headers={"Idempotency-Key": "another-of-one's-own"})
    assert "3" in is_problem(refused, 409, f"too-many-{kind}")["detail"]
    assert ada.post(path, wish, headers=KEY).data == first.data
    caps(f"{kind}=9")
    later = ada.post(path, wish, headers={"Idempotency-Key": "another-of-one's-own"})
    assert later.status_code == 201


def test_a_revoked_token_frees_quota(ada, caps):
    caps("tokens=2")
    made = ada.post("/v1/me/tokens", {}).json
    assert ada.post("/v1/me/tokens", {}).status_code == 409
    ada.delete(f"/v1/me/tokens/{made['id']}")
    assert ada.post("/v1/me/tokens", {}).status_code == 201


def test_games_of_bots_count_as_their_owners(app, ada, caps, is_problem):
    caps("games=3")
    bots = [Caller(app, ada.post("/v1/me/bots", {"name": "Bot"}).json) for _ in range(2)]
    for caller in (ada, *bots):
        assert caller.post("/v1/games", GAME).status_code == 201
    for caller in (ada, *bots):
        is_problem(caller.post("/v1/games", GAME), 409, "too-many-games")


def test_games_with_built_in_bots_have_their_own_quota(ada, grace, caps, is_problem):
    caps("bot_games=2")
    with_bot = {"board": "usa", "seats": [{"player": "me"}, {"bot": "random"}]}
    made = [ada.post("/v1/games", with_bot).json["id"] for _ in range(2)]
    refused = is_problem(ada.post("/v1/games", with_bot), 409, "too-many-bot-games")
    assert "2 games with built-in bots" in refused["detail"]
    assert ada.post("/v1/games", GAME).status_code == 201
    assert grace.post("/v1/games", with_bot).status_code == 201
    ada.play(made[0], {"type": "resign"})
    assert ada.post("/v1/games", with_bot).status_code == 201


def test_a_game_refused_by_one_quota_counts_for_no_other(ada, caps, is_problem):
    caps("bot_games=1 games=2")
    with_bot = {"board": "usa", "seats": [{"player": "me"}, {"bot": "random"}]}
    assert ada.post("/v1/games", with_bot).status_code == 201
    for _ in range(3):
        is_problem(ada.post("/v1/games", with_bot), 409, "too-many-bot-games")
    assert ada.post("/v1/games", GAME).status_code == 201


def test_a_game_that_is_over_is_answered_again_where_there_is_no_room_for_another(
    ada, caps, is_problem
):
    caps("games=1")
    first = ada.post("/v1/games", GAME, headers=KEY)
    assert ada.post(f"/v1/games/{first.json['id']}/abort", {}).status_code == 200
    assert ada.post("/v1/games", GAME).status_code == 201
    is_problem(ada.post("/v1/games", GAME), 409, "too-many-games")
    assert ada.post("/v1/games", GAME, headers=KEY).data == first.data


def test_a_game_that_is_aborted_makes_room_also_for_a_rematch(ada, grace, caps, is_problem):
    caps("games=1")
    game = ada.post("/v1/games", GAME).json["id"]
    grace.post(f"/v1/games/{game}/seats", {})
    is_problem(ada.post("/v1/games", GAME), 409, "too-many-games")
    grace.play(game, {"type": "resign"})
    assert grace.post(f"/v1/games/{game}/rematch", {}).status_code == 201
    assert ada.post(f"/v1/games/{game}/rematch", {}).status_code == 201
    is_problem(grace.post("/v1/games", GAME), 409, "too-many-games")
    time.sleep(0.01)
    assert ada.post("/v1/games", GAME).status_code == 201


def test_creating_games_has_its_own_rate_limit(ada, monkeypatch, connection, is_problem):
    monkeypatch.setenv("FOGG_LIMITS", "creations=2/3600")
    caller = Caller(create_app(connection), ada.account)
    made = [
        caller.post(path, wish)
        for path, wish in (("/v1/games", GAME), ("/v1/tournaments", CUP), ("/v1/games", GAME))
    ]
    assert [answer.status_code for answer in made] == [201, 201, 429]
    assert made[0].headers["RateLimit-Policy"].startswith('"creations";q=2')
    is_problem(made[2], 429, "too-many-requests")
    assert caller.get("/v1/me").status_code == 200


def test_invitations_have_rate_limits_of_their_own(
    ada, grace, mary, monkeypatch, connection, is_problem
):
    """Also if each is withdrawn, as a notice of it was sent."""
    monkeypatch.setenv("FOGG_LIMITS", "invitations=6/3600 invited=4/3600")
    app = create_app(connection)
    ada, bot = Caller(app, ada.account), Caller(app, ada.post("/v1/me/bots", {"name": "B"}).json)

    def invite(caller: Caller, other: Caller):
        made = caller.post(
            "/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"invite": other.id}]}
        )
        if made.status_code == 201:
            caller.delete(f"/v1/games/{made.json['id']}/invitations/{other.id}")
        return made

    assert [invite(caller, grace).status_code for caller in (ada, bot, ada, bot)] == [201] * 4
    for caller, other in ((ada, grace), (bot, grace), (ada, mary)):
        refused = is_problem(invite(caller, other), 429, "too-many-requests")
        assert "invitations of this account and its bots" in refused["detail"]
    assert ada.post("/v1/games", GAME).status_code == 201


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "is_limited"),
    [
        (0, "8.8.8.8", "9.9.9.9", True),
        (0, "2001:4860::1", None, True),
        (0, "127.0.0.1", "9.9.9.9", False),
        (0, "", None, False),
        (1, "10.1.2.3", "9.9.9.9", True),
        (1, "10.1.2.3", "192.168.1.7", True),
        (1, "10.1.2.3", None, False),
        (2, "10.1.2.3", "9.9.9.9", False),
    ],
)
def test_accounts_of_one_address_share_a_limit_where_it_is_known_to_be_theirs(
    ada, grace, monkeypatch, connection, is_problem, proxies, peer, forwarded, is_limited
):
    monkeypatch.setenv("FOGG_LIMITS", "requests=6/3600 address_requests=8/3600")
    monkeypatch.setenv("FOGG_PROXIES", str(proxies))
    own = create_app(connection)
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    def ask(caller: Caller):
        peers = {"REMOTE_ADDR": peer}
        return Caller(own, caller.account).get("/v1/me", headers=headers, environ_overrides=peers)

    for _ in range(5):
        assert ask(ada).headers["RateLimit"].startswith('"requests"')
    answers = [ask(grace) for _ in range(4)]
    shown = "address_requests" if is_limited else "requests"
    assert answers[2].headers["RateLimit"].startswith(f'"{shown}";r=')
    if is_limited:
        is_problem(answers[3], 429, "too-many-requests")
    else:
        assert answers[3].status_code == 200


# Pages


@pytest.mark.parametrize(
    ("path", "wish"), [("/v1/me/tokens", {}), ("/v1/me/bots", {"name": "Bot"})]
)
def test_an_accounts_own_lists_are_paged(ada, fits, path, wish):
    made = [ada.post(path, wish).json for _ in range(7)]
    whole = ada.get(path).json
    # two may have the same millisecond
    in_order = sorted((one["created"], one["id"]) for one in made)
    assert [(row["created"], row["id"]) for row in whole["items"]][-7:] == in_order
    assert [one["created"] for one in made] == [created for created, _ in in_order]
    assert whole["next"] is None
    fits("Tokens" if "tokens" in path else "Accounts", whole)
    parts = pages(ada, path, limit=3)
    assert {len(rows) for rows in parts[:-1]} == {3}
    assert [row for rows in parts for row in rows] == whole["items"]


def test_a_page_goes_on_after_a_token_that_was_revoked(ada):
    for _ in range(4):
        ada.post("/v1/me/tokens", {})
    page = ada.get("/v1/me/tokens?limit=2").json
    ada.delete(f"/v1/me/tokens/{page['items'][1]['id']}")
    rest = ada.get(f"/v1/me/tokens?after={page['next']}").json
    assert len(rest["items"]) == 3


# Streams


@pytest.fixture(autouse=True)
def every_stream_is_released(app):
    """When a test has ended, none is counted."""
    yield
    assert services(app).find(Streams) == {}


def test_an_account_with_its_bots_has_so_many_streams(app, ada, grace, caps, game, is_problem):
    caps("streams=3")
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Bot"}).json)
    path = f"/v1/games/{game}/events"
    held = [stream(ada, path), stream(ada, "/v1/me/events"), stream(bot, path)]
    for refused in (
        ada.get(path, headers={"Accept": "application/x-ndjson"}),
        bot.get("/v1/me/events?wait=9"),
        ada.get(f"{path}?wait=9&after=4"),
        ada.get("/v1/histories"),
    ):
        assert is_problem(refused, 429, "too-many-streams")["detail"].startswith("an account")
        assert refused.headers["Retry-After"] == "5"
    assert ada.get(path).status_code == 200  # a page at once
    held += [stream(grace, path)]
    held.pop(0).close()
    held.append(stream(ada, path))
    for answer in held:
        answer.close()


def test_an_address_has_so_many_streams(app, anybody, ada, caps, game, is_problem):
    caps("address_streams=2")
    path = f"/v1/games/{game}/events"
    held = [stream(anybody, path), stream(ada, path)]
    is_problem(sign_up(app, "Mary").get("/v1/me/events?wait=9"), 429, "too-many-streams")
    elsewhere = anybody.client.get(
        path, headers={"Accept": "text/event-stream"}, environ_base={"REMOTE_ADDR": "203.0.113.9"}
    )
    assert elsewhere.status_code == 200
    for answer in (*held, elsewhere):
        answer.close()


def test_a_stream_that_is_refused_or_fails_is_not_counted(ada, game, is_problem):
    for _ in range(3):
        answer = ada.get(
            f"/v1/games/{game}/events?after=999", headers={"Accept": "text/event-stream"}
        )
        is_problem(answer, 409, "version-ahead")
        answer.close()
        ada.get("/v1/me/events?wait=0.01").close()
        ada.request(
            "HEAD", f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"}
        ).close()
