"""Accounts, bots, tokens and their scopes, and how often one may ask."""

import re
from collections import deque
from itertools import count, cycle

import pytest

from service.app import create_app
from service.errors import TooMany
from service.games import workers
from service.http.limits import HANDFULS, Limits
from service.http.serving import services
from tests.service.callers import Caller, begin, create, sign_up
from tests.service.looks import everything
from tools.generators.openapi_tape import FEW, Tape

WISH = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
KEY = {"Idempotency-Key": "0123456789abcdef"}


# Accounts and tokens


def test_a_token_works_until_it_is_revoked(app, ada, grace, is_problem):
    wish = {"scopes": ["read", "admin"], "label": "the wall"}
    made = ada.post("/v1/me/tokens", wish)
    other = Caller(app, {"token": made.json["token"]})
    assert other.get("/v1/me").json == ada.get("/v1/me").json
    listed = ada.get("/v1/me/tokens").json["items"]
    assert [set(row) for row in listed] == [
        {"id", "created", "scopes"},
        {"id", "created", "scopes", "label"},
    ]
    assert wish.items() <= listed[1].items() <= made.json.items()
    is_problem(grace.delete(made.headers["Location"]), 404, "unknown-token")
    assert other.delete(made.headers["Location"]).status_code == 204
    is_problem(other.get("/v1/me"), 401, "not-signed-in")
    assert len(ada.get("/v1/me/tokens").json["items"]) == 1


def test_the_last_token_that_manages_an_account_stays(app, ada, is_problem):
    """Else a program that revokes what it is shown would lock itself out."""
    [own] = ada.get("/v1/me/tokens").json["items"]
    ada.post("/v1/me/tokens", {"scopes": ["read", "play"]})
    is_problem(ada.delete(f"/v1/me/tokens/{own['id']}"), 409, "last-token")
    other = Caller(app, ada.post("/v1/me/tokens", {}).json)
    assert ada.delete(f"/v1/me/tokens/{own['id']}").status_code == 204
    is_problem(ada.get("/v1/me"), 401, "not-signed-in")
    assert other.delete("/v1/me").status_code == 204


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Ada", "Ada"),
        ("x", "x"),
        ("A" * 40, "A" * 40),
        ("Zoë 李 🚂", "Zoë 李 🚂"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Ada  King", "Ada King"),
        ("<b>&amp;'\"", "<b>&amp;'\""),
    ],
)
def test_a_name_is_kept_as_people_would_write_it(app, sent, kept):
    ada = sign_up(app, sent)
    assert ada.account["name"] == ada.get("/v1/me").json["name"] == kept
    seats = ada.post("/v1/games", {"board": "usa", "seats": WISH["seats"]}).json["seats"]
    assert seats[0]["player"] == {"id": ada.id, "name": kept}
    assert sign_up(app, sent).id != ada.id


# Bots


def test_a_bot_is_marked_and_its_owner_shown_wherever_it_plays(app, ada, anybody):
    made = ada.post("/v1/me/bots", {"name": "Adabot"})
    bot = Caller(app, made.json)
    seat = bot.post("/v1/games", WISH).json["seats"][0]
    assert seat["player"] == {"id": bot.id, "name": "Adabot", "bot": "external", "owner": ada.id}
    assert anybody.get(made.headers["Location"]).json["owner"] == ada.id
    assert [row["id"] for row in ada.get("/v1/me/bots").json["items"]] == [bot.id]


def test_a_bots_version_is_written_down_where_it_sits_down(app, ada, grace):
    made = ada.post("/v1/me/bots", {"name": "Adabot", "version": "1.0"}).json
    bot = Caller(app, made)
    first = begin(bot, grace)
    assert made["version"] == bot.get("/v1/me").json["version"] == "1.0"
    changed = bot.patch("/v1/me", {"version": "2.0"})
    assert (changed.status_code, changed.json["version"]) == (200, "2.0")
    second = begin(grace, bot)
    again = bot.post(f"/v1/games/{first}/abort", {})
    assert again.status_code == 200
    for game, seat, version in ((first, 0, "1.0"), (second, 1, "2.0")):
        assert grace.view(game)["seats"][seat]["player"]["version"] == version
    listed = {row["id"]: row for row in bot.get("/v1/games?player=me").json["items"]}
    assert listed[second]["seats"][1]["player"]["version"] == "2.0"
    changed = ada.patch(f"/v1/me/bots/{bot.id}", {"version": "3-rc.1+x"}).json
    assert changed == bot.get("/v1/me").json
    assert ada.get("/v1/me/bots").json["items"][0].items() <= changed.items()
    assert grace.get(f"/v1/players/{bot.id}").json["version"] == "3-rc.1+x"


def test_only_a_bot_has_versions_and_it_or_its_owner_says_which(app, ada, grace, is_problem):
    bot = ada.post("/v1/me/bots", {"name": "Adabot"}).json
    assert is_problem(ada.patch("/v1/me", {"version": "1"}), 409, "not-a-bot")["field"] == "version"
    path = f"/v1/me/bots/{bot['id']}"
    is_problem(grace.patch(path, {"version": "1"}), 403, "not-yours")
    is_problem(Caller(app, bot).patch(path, {"version": "1"}), 403, "not-yours")
    is_problem(ada.patch("/v1/me/bots/p_nobody", {"version": "1"}), 404, "unknown-player")
    looking = Caller(app, ada.post("/v1/me/tokens", {"scopes": ["read"]}).json)
    is_problem(looking.patch(path, {"version": "1"}), 403, "missing-scope")
    for version in ("", "x" * 41, "1 0", "1@2", "1/2", "é", "1\n", None, 1):
        wrong = ada.patch(path, {"version": version})
        assert is_problem(wrong, 422, "malformed")["field"] == "version"
    assert "version" not in grace.get(f"/v1/players/{bot['id']}").json


def test_a_bot_owns_no_bots(app, ada, is_problem):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adabot"}).json)
    is_problem(bot.post("/v1/me/bots", {"name": "Bot of a bot"}), 403, "not-yours")


def test_a_bot_of_ones_own_is_not_taken_for_a_built_in_one(app, ada):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Adas planner"}).json)
    game = create(bot, {"bot": "planner"})
    assert [seat["player"]["bot"] for seat in game["seats"]] == ["external", "planner"]
    assert services(app).games.queues.count(workers.GUESTS) == 1


def test_everybody_may_look_up_an_account_but_learns_no_secret(ada, anybody, is_problem):
    shown = anybody.get(f"/v1/players/{ada.id}").json
    assert shown == {name: ada.account[name] for name in ("id", "name", "created")} | {
        "ratings": [],
        "recent": [],
        "endings": {"finished": 0, "resigned": 0, "timed_out": 0, "aborted": 0},
    }
    is_problem(anybody.get("/v1/players/p_nobody"), 404, "unknown-player")


# Tokens and scopes


@pytest.mark.parametrize(
    ("scopes", "may"),
    [
        (["read"], {"read"}),
        (["play"], {"play"}),
        (["admin"], {"admin"}),
        (["read", "play"], {"read", "play"}),
        (["read", "play", "admin"], {"read", "play", "admin"}),
    ],
)
def test_a_token_is_good_for_its_scopes_and_nothing_else(app, ada, scopes, may, is_problem):
    other = Caller(app, ada.post("/v1/me/tokens", {"scopes": scopes}).json)
    asked = {
        "read": [other.get("/v1/me"), other.get("/v1/games?player=me")],
        "play": [other.post("/v1/games", WISH)],
        "admin": [
            other.get("/v1/me/tokens"),
            other.post("/v1/me/tokens", {"scopes": ["admin"]}),
            other.post("/v1/me/bots", {"name": "B"}),
            other.patch("/v1/me", {"name": "A"}),
        ],
    }
    for scope, answers in asked.items():
        for answer in answers:
            if scope in may:
                assert answer.status_code in (200, 201)
            else:
                is_problem(answer, 403, "missing-scope")


def test_a_token_creates_no_token_with_a_scope_that_it_lacks(app, ada, is_problem):
    """Neither for the account, nor for a bot or a webhook of it."""

    def made(caller: Caller, path: str, **wish) -> Caller:
        answer = caller.post(path, wish)
        assert answer.status_code == 201
        return Caller(app, answer.json)

    admin = made(ada, "/v1/me/tokens", scopes=["admin"])
    both = made(ada, "/v1/me/tokens", scopes=["read", "admin"])
    for caller, scopes in ((admin, ["read"]), (admin, ["admin", "play"]), (both, ["play"])):
        problem = is_problem(caller.post("/v1/me/tokens", {"scopes": scopes}), 403, "missing-scope")
        assert problem["detail"].endswith(f"scope {scopes[-1]}")
    assert made(both, "/v1/me/tokens").account["scopes"] == ["read", "admin"]
    bot = made(both, "/v1/me/bots", name="Bot")
    assert bot.get("/v1/me").status_code == 200
    is_problem(bot.post("/v1/games", WISH), 403, "missing-scope")
    is_problem(both.post("/v1/me/webhooks", {"url": "https://b.example/"}), 403, "missing-scope")


@pytest.mark.parametrize(
    "wish",
    [
        {"scopes": []},
        {"scopes": ["root"]},
        {"scopes": "read"},
        {"scopes": ["read", "read"]},
        {"label": ""},
        {"label": "a\nb"},
        {"label": "x" * 41},
        {"for": "ever"},
        {"scopes": None},
    ],
)
def test_a_token_for_nothing_sensible_is_refused(ada, wish, is_problem):
    is_problem(ada.post("/v1/me/tokens", wish), 422, "malformed")
    assert len(ada.get("/v1/me/tokens").json["items"]) == 1


def test_no_token_is_kept_in_redis(app, ada, redis):
    other = ada.post("/v1/me/tokens", {}, headers=KEY).json["token"]
    held = everything(redis)
    assert ada.id.encode() in held
    for token in (ada.account["token"], other):
        assert token.encode() not in held


# Retries


def test_an_account_is_made_once_for_one_key(app, anybody, is_problem):
    first = anybody.post("/v1/players", {"name": "Ada"}, headers=KEY)
    again = anybody.post("/v1/players", {"name": "Ada"}, headers=KEY)
    assert (again.status_code, again.data) == (201, first.data)
    assert Caller(app, again.json).get("/v1/me").json["id"] == first.json["id"]
    is_problem(anybody.post("/v1/players", {"name": "Eve"}, headers=KEY), 422, "key-reused")
    short = anybody.post("/v1/players", {"name": "Ada"}, headers={"Idempotency-Key": "1"})
    assert is_problem(short, 422, "malformed")["field"] == "Idempotency-Key"


def test_a_revoked_token_does_not_come_back_with_its_key(app, ada, is_problem):
    made = ada.post("/v1/me/tokens", {}, headers=KEY).json
    ada.delete(f"/v1/me/tokens/{made['id']}")
    again = ada.post("/v1/me/tokens", {}, headers=KEY).json
    is_problem(Caller(app, again).get("/v1/me"), 401, "not-signed-in")


# Limits


@pytest.fixture
def strict(connection, redis, monkeypatch):
    """The application with limits that are soon reached."""
    monkeypatch.setenv("FOGG_LIMITS", "accounts=3/3600 requests=8/3600 actions=20/3600")
    return create_app(connection)


def test_every_answer_has_the_remaining_limit(ada):
    answer = ada.get("/v1/me")
    assert answer.headers["RateLimit-Policy"] == '"requests";q=60000;w=60'
    left, reset = re.fullmatch(r'"requests";r=(\d+);t=(\d+)', answer.headers["RateLimit"]).groups()
    assert int(left) < 60_000
    assert 0 < int(reset) <= 60
    assert int(re.search(r"r=(\d+)", ada.get("/v1/me").headers["RateLimit"])[1]) == int(left) - 1


def test_ten_thousand_accounts_are_not_made_from_one_address(strict, is_problem):
    anybody = Caller(strict)
    made = [anybody.post("/v1/players", {"name": "Ada"}) for _ in range(6)]
    assert [answer.status_code for answer in made] == [201] * 3 + [429] * 3
    is_problem(made[-1], 429, "too-many-requests")
    assert 0 < int(made[-1].headers["Retry-After"]) <= 3600
    elsewhere = anybody.client.post(
        "/v1/players", json={"name": "Ada"}, environ_overrides={"REMOTE_ADDR": "192.0.2.7"}
    )
    assert elsewhere.status_code == 201


def test_a_bot_on_its_turn_is_not_kept_from_acting_by_its_reading(strict, is_problem):
    ada, grace = sign_up(strict, "Ada"), sign_up(strict, "Grace")
    game = begin(ada, grace)
    legal = ada.view(game)["you"]["legal_actions"]
    while ada.get("/v1/me").status_code == 200:
        pass
    is_problem(ada.get("/v1/me"), 429, "too-many-requests")
    assert ada.act(game, legal[0]).status_code == 200


def test_another_token_or_another_bot_gives_nobody_more(strict):
    ada, grace = sign_up(strict, "Ada"), sign_up(strict, "Grace")
    second = Caller(strict, ada.post("/v1/me/tokens", {}).json)
    bot = Caller(strict, ada.post("/v1/me/bots", {"name": "Bot"}).json)
    asked = [(ada, second, bot)[n % 3].get("/v1/me") for n in range(9)]
    assert [answer.status_code for answer in asked] == [200] * 6 + [429] * 3
    left = [re.search(r"r=(\d+)", answer.headers["RateLimit"])[1] for answer in asked[:6]]
    assert left == list("543210")
    assert grace.get("/v1/me").status_code == 200


def test_guessing_tokens_is_counted_by_address_and_health_checks_are_not(
    connection, redis, monkeypatch
):
    monkeypatch.setenv("FOGG_LIMITS", "address=5/3600")
    app = create_app(connection)
    guesses = [Caller(app, {"token": f"fogg_guess-{n}"}).get("/v1/me") for n in range(7)]
    assert [answer.status_code for answer in guesses] == [401] * 5 + [429] * 2
    assert Caller(app).get("/healthz").status_code == 200


def test_several_processes_share_a_limit(redis, monkeypatch):
    monkeypatch.setenv("FOGG_LIMITS", "requests=100/3600")
    processes = [Limits(redis, {}) for _ in range(3)]
    turns, takings = count(), cycle(processes)
    with pytest.raises(TooMany):
        deque(next(takings).take("requests", "t") for _ in turns)
    taken = next(turns) - 1
    assert 100 - 3 * (100 // HANDFULS) <= taken <= 100


def test_a_revoked_token_plays_nothing_and_learns_nothing(app, ada, grace, is_problem):
    """This holds even in a process that has the token's account in its cache."""
    game = begin(ada, grace)
    made = ada.post("/v1/me/tokens", {}).json
    other = Caller(app, made)
    choice = ada.view(game)["you"]["legal_actions"][0]
    first = other.act(game, choice, headers=KEY)
    assert first.status_code == 200
    version = ada.view(game)["version"]
    ada.delete(f"/v1/me/tokens/{made['id']}")
    for action, headers in (
        (choice, KEY),
        (choice, {}),
        ({"type": "resign"}, {}),
        (choice, {"If-Match": '"1"'}),
        ({"type": "pass"}, {}),
    ):
        is_problem(other.act(game, action, headers=headers), 401, "not-signed-in")
    assert ada.view(game)["version"] == version


# Examples for openapi.yaml


def show_players(tape: Tape) -> None:
    """Sign up, look around, be refused."""
    made = tape.call(
        "createPlayer", "account", "A new account", "POST", "/v1/players", {"name": "Ada"}
    )
    tape.tokens["ada"] = made["token"]
    for name in ("grace", "mary"):
        made = tape.ask("POST", "/v1/players", {"name": name.title()}).json
        tape.tokens[name] = made["token"]
    tape.call(
        "createPlayer",
        "control-character",
        "A name that cannot be shown",
        "POST",
        "/v1/players",
        {"name": "Ada\n"},
    )
    tape.call(
        "createPlayer",
        "not-json",
        "A body that is not JSON",
        "POST",
        "/v1/players",
        data="name=Ada",
        content_type="application/json",
    )
    tape.call(
        "createPlayer",
        "form",
        "A body of another type",
        "POST",
        "/v1/players",
        data="name=Ada",
        content_type="application/x-www-form-urlencoded",
    )
    tape.call(
        "createPlayer",
        "too-large",
        "A body of more than 64 KiB",
        "POST",
        "/v1/players",
        {"name": "A" * 70_000},
    )
    for _ in range(4):
        tape.ask("POST", "/v1/players", {"name": "Ada"}, headers=FEW)
    tape.call(
        "createPlayer",
        "too-many-requests",
        "Too many accounts from one address",
        "POST",
        "/v1/players",
        {"name": "Ada"},
        headers=FEW,
    )
    tape.call("getMe", "account", "The caller's account", "GET", "/v1/me", by="ada")
    tape.call("getMe", "no-token", "No token", "GET", "/v1/me")
    tape.call(
        "getMe",
        "wrong-token",
        "A token that was never issued",
        "GET",
        "/v1/me",
        headers={"Authorization": "Bearer fogg_no-such-token"},
    )
    made = tape.call("createToken", "token", "A second token", "POST", "/v1/me/tokens", {}, "ada")
    wish = {"scopes": ["read"], "label": "a screen on the wall"}
    tape.tokens["wall"] = tape.call(
        "createToken", "read-only", "A read-only token", "POST", "/v1/me/tokens", wish, "ada"
    )["token"]
    tape.call(
        "createToken",
        "missing-scope",
        "The token lacks the scope",
        "POST",
        "/v1/me/tokens",
        {},
        "wall",
    )
    tape.call("listTokens", "tokens", "All tokens", "GET", "/v1/me/tokens", by="ada")
    path = f"/v1/me/tokens/{made['id']}"
    tape.call("revokeToken", "revoked", "The second token is revoked", "DELETE", path, by="ada")
    tape.call("revokeToken", "unknown-token", "Already deleted", "DELETE", path, by="ada")
    bot = tape.call(
        "createBot",
        "bot",
        "A new bot",
        "POST",
        "/v1/me/bots",
        {"name": "Adabot", "version": "1.0"},
        "ada",
    )
    tape.tokens["adabot"] = bot["token"]
    tape.call("listMyBots", "bots", "The caller's bots", "GET", "/v1/me/bots", by="ada")
    tape.call(
        "changeMe",
        "version",
        "A bot's new version",
        "PATCH",
        "/v1/me",
        {"version": "1.1"},
        "adabot",
    )
    tape.call(
        "changeMe",
        "not-a-bot",
        "A person has no version",
        "PATCH",
        "/v1/me",
        {"version": "1.1"},
        "ada",
    )
    tape.call(
        "changeBot",
        "version",
        "A bot's new version, by its owner",
        "PATCH",
        f"/v1/me/bots/{bot['id']}",
        {"version": "1.2"},
        "ada",
    )
    tape.call(
        "changeBot",
        "not-yours",
        "Another player's bot",
        "PATCH",
        f"/v1/me/bots/{bot['id']}",
        {"version": "1.2"},
        "grace",
    )
    tape.call("getPlayer", "bot", "A bot", "GET", f"/v1/players/{bot['id']}")
    tape.call("getPlayer", "unknown-player", "No such account", "GET", "/v1/players/p_" + 20 * "0")
