"""Actions in many games, posted together: each is judged, stored and answered as if alone."""

import orjson
import pytest

from domain.boards import load_folder
from domain.game.view import view
from service.accounts.tokens import token_key
from service.app import create_app
from service.games.batches import MAX_ANSWER, size_of
from service.games.playing import MAX_MISSED
from service.games.store import GameStore
from service.http.serving import services
from tests.domain.games import random_game
from tests.service.callers import Caller, begin, keep_tickets, sign_up
from tools.generators.openapi_tape import Tape, choice_of

DRAW = {"type": "draw_card", "from": "deck"}
RESIGN = {"type": "resign"}


@pytest.fixture
def four(ada, grace):
    """Games of Ada and Grace in which Ada is to play."""
    return [new_game(ada, grace) for _ in range(4)]


@pytest.fixture
def batch():
    """Post items together; return the answer to each."""

    def batch(caller: Caller, items: list, query: str = "") -> list[dict]:
        answer = caller.post(f"/v1/me/actions{query}", {"items": items})
        assert answer.status_code == 200, answer.json
        assert len(answer.json["items"]) == len(items)
        return answer.json["items"]

    return batch


def new_game(*callers: Caller) -> str:
    game = begin(*callers)
    keep_tickets(game, *callers)
    return game


def draws(games: list[str], **more) -> list[dict]:
    return [{"game": game, "action": DRAW} | more for game in games]


def statuses(items: list[dict]) -> list[int]:
    return [item["status"] for item in items]


def alone(caller: Caller, item: dict) -> dict:
    """Return the answer to an item that is posted alone."""
    headers = {"Idempotency-Key": item["key"]} if "key" in item else {}
    if "if_match" in item:
        headers["If-Match"] = f'"{item["if_match"]}"'
    answer = caller.act(item["game"], item["action"], headers=headers)
    return {"status": answer.status_code} | answer.json


def but_for_the_request(told: dict) -> dict:
    return {name: value for name, value in told.items() if name != "request_id"}


def test_each_action_is_answered_as_if_it_had_come_alone(ada, four, batch):
    items = draws(four, key="mine", if_match=4)
    told = batch(ada, items)
    assert told == [alone(ada, item) for item in items]
    assert statuses(told) == [200] * 4
    assert [ada.view(game) for game in four] == [item["view"] for item in told]


def test_a_refused_action_affects_no_other_and_gets_the_same_problem_as_alone(
    ada, grace, mary, four, batch
):
    hers, other = new_game(mary, grace), new_game(ada, grace)
    bad = [
        {"game": "g_" + 20 * "0", "action": DRAW},
        {"game": hers, "action": DRAW},
        {"game": four[0], "action": {"type": "draw_card"}},
        {"game": four[0], "action": {"type": "pass"}},
        {"game": four[0], "action": DRAW, "if_match": 3},
        {"game": other, "action": DRAW, "if_match": 99},
    ]
    told = batch(ada, [*bad, *draws(four[1:])])
    assert statuses(told) == [404, 403, 422, 409, 412, 412, 200, 200, 200]
    for item, expected in zip(told, [alone(ada, item) for item in bad], strict=False):
        if item["status"] == 422:  # where it is at fault
            expected = expected | {
                "detail": f"action.{expected['detail']}",
                "field": f"action.{expected['field']}",
                "errors": [row | {"field": f"action.{row['field']}"} for row in expected["errors"]],
            }
        assert but_for_the_request(item) == but_for_the_request(expected)
    assert [ada.view(game)["version"] for game in four] == [4, 5, 5, 5]


@pytest.mark.parametrize(
    ("item", "field"),
    [
        (3, None),
        ({"action": DRAW}, "game"),
        ({"game": "g", "if_match": "4"}, "if_match"),
        ({"game": "g", "key": " "}, "key"),
        ({"game": "g", "more": 1}, "more"),
        ({"game": "g", "action": DRAW | {"more": 1}}, "action.more"),
    ],
)
def test_an_item_that_means_nothing_is_refused_alone(ada, four, batch, item, field):
    told = batch(ada, [item, *draws(four[:1])])
    assert statuses(told) == [422, 200]
    assert told[0].get("field") == field
    assert statuses(batch(ada, [item])) == [422]


@pytest.mark.parametrize(
    "body",
    [{}, {"items": []}, {"items": 3}, {"items": [{"game": "g"}] * 101}, {"items": [], "more": 1}],
)
def test_a_body_that_means_nothing_is_refused_whole(ada, is_problem, body):
    is_problem(ada.post("/v1/me/actions", body), 422, "malformed")


def test_actions_in_one_game_are_played_in_their_order(ada, four, batch):
    game = four[0]
    told = batch(
        ada,
        [
            *draws([game], if_match=4),
            *draws(four[1:]),
            *draws([game], if_match=5),
            *draws([game], if_match=6),
            {"game": game},
        ],
    )
    assert statuses(told) == [200] * 5 + [409, 200]
    assert [told[0]["version"], told[4]["version"], told[6]["version"]] == [5, 6, 6]
    assert told[5]["code"] == "not-your-turn"


def test_a_key_counts_once_within_a_batch_and_beside_it(ada, four, batch):
    one, two, three, _ = four
    first = alone(ada, {"game": one, "action": DRAW, "key": "k"})
    told = batch(
        ada,
        [
            *draws([one, two, two], key="k"),
            {"game": two, "action": RESIGN, "key": "k"},
            *draws([three], key="k"),
        ],
    )
    assert statuses(told) == [200, 200, 200, 422, 200]
    assert told[0] == first
    assert told[1] == told[2] == alone(ada, {"game": two, "action": DRAW, "key": "k"})
    assert told[3]["code"] == "key-reused"
    assert [ada.view(game)["version"] for game in (one, two, three)] == [5, 5, 5]


def test_a_note_stands_beside_the_action_as_elsewhere(ada, grace, four, batch):
    noted = {"game": four[0], "action": DRAW | {"note": "blindly"}, "key": "k"}
    beside = {"game": four[1], "action": DRAW, "note": "so, too"}
    told = batch(ada, [noted, beside, *draws(four[2:])])
    assert [item["entries"][0].get("note") for item in told] == ["blindly", "so, too", None, None]
    assert batch(ada, draws(four[:1], key="k")) == told[:1]
    assert "note" not in grace.get(f"/v1/games/{four[0]}/events?after=4").json["items"][0]


def test_without_an_action_an_item_looks_at_the_game(ada, grace, four, batch):
    told = batch(grace, [{"game": game} for game in four])
    assert [item["view"] for item in told] == [grace.view(game) for game in four]
    assert [item["version"] for item in told] == [4] * 4
    assert all("entries" not in item for item in told)


def test_games_that_others_have_moved_are_decided_anew(ada, grace, four, batch, connection):
    """This process knows old versions. It reads the missing entries of all games at once."""
    other = Caller(create_app(connection), ada.account)
    batch(other, [{"game": game} for game in four])
    for game in four:
        ada.play(game, DRAW)
    told = batch(other, [*draws(four[:3]), *draws(four[3:], if_match=4)])
    assert statuses(told) == [200, 200, 200, 412]
    assert [item["version"] for item in told] == [6, 6, 6, 5]
    assert len(told[3]["entries"]) == 1


def test_items_with_tokens_are_of_the_accounts_whose_they_are(app, ada, grace, four, batch):
    """A program that plays several bots sends one request. A wrong token spoils its item alone."""
    mary, token = sign_up(app, "Mary"), {"token": grace.account["token"]}
    reader = grace.post("/v1/me/tokens", {"scopes": ["read"]}).json["token"]
    hers = new_game(mary, grace)
    told = batch(
        ada,
        [
            *draws(four[:1]),
            *draws(four[:1]),
            {"game": four[0]} | token,
            *draws(four[:1], **token),
            {"game": hers},
            *draws([hers], token=mary.account["token"]),
            *draws(four[1:2], token="fogg_wrong"),
            *draws(four[1:2], token=reader),
            *draws(four[1:2], **token),
            *draws(four[1:2]),
        ],
    )
    assert statuses(told) == [*[200] * 6, 401, 403, 409, 200]
    assert told.pop(8)["code"] == "not-your-turn"
    assert "legal_actions" in told[2]["view"]["you"]
    assert [item["view"].get("you", {}).get("seat") for item in told[:6]] == [0, 0, 1, 1, None, 0]
    assert told[3]["entries"][0]["seat"] == 1


def test_a_key_is_that_of_the_account_whose_token_stands_beside_it(ada, grace, four, batch):
    game, hers = four[0], {"key": "k", "token": grace.account["token"]}
    told = batch(
        ada,
        [
            *draws([game, game]),
            *draws([game], **hers),
            *draws([game], **hers),
            *draws([game], key="k"),
        ],
    )
    assert statuses(told) == [200, 200, 200, 200, 409]
    assert told[2] == told[3]


def test_a_revoked_token_plays_nothing_not_even_for_good_tokens_of_items(
    app, ada, grace, four, batch, is_problem
):
    made, token = ada.post("/v1/me/tokens", {}).json, {"token": grace.account["token"]}
    other = Caller(app, made)
    items = [
        *draws(four[:2], key="k"),
        *draws([four[2]], if_match=3),
        {"game": four[3]} | token,
        {"game": four[3], "action": {"type": "pass"}},
    ]
    assert statuses(batch(other, items)) == [200, 200, 412, 200, 409]
    ada.delete(f"/v1/me/tokens/{made['id']}")
    for wish in (
        [*items, *draws(four)],
        items[:1],
        items[2:3],
        items[3:4],
        [{"game": 3}],
        draws(four, **token),
        draws(four, token="fogg_wrong"),
    ):
        is_problem(other.post("/v1/me/actions", {"items": wish}), 401, "not-signed-in")
    assert [ada.view(game)["version"] for game in four] == [5, 5, 4, 4]


def test_the_revoked_token_of_every_item_leaves_the_request_s_own_good(ada, grace, four, batch):
    made = ada.post("/v1/me/tokens", {}).json
    items = draws(four, token=made["token"], if_match=3)
    assert statuses(batch(grace, items)) == [412] * 4
    ada.delete(f"/v1/me/tokens/{made['id']}")
    assert statuses(batch(grace, items)) == [401] * 4


# A short answer to any request


@pytest.fixture
def long(ada, grace):
    """A game of Ada and Grace with big hands, and more entries than an answer of 412 has."""
    game, players = new_game(ada, grace), [ada, grace]
    while (view := ada.view(game))["version"] < MAX_MISSED + 30:
        players[view["deciding"][0]["seat"]].play(game, DRAW)
    return game


@pytest.fixture
def big(ada, grace):
    """A game in which the seat to play has some 800 ways of claiming a route."""
    game, players = new_game(ada, grace), [ada, grace]
    while (
        len(
            (view := (now := players[ada.view(game)["deciding"][0]["seat"]]).view(game))["you"][
                "legal_actions"
            ]
        )
        < 800
    ):
        draws_of = [
            action for action in view["you"]["legal_actions"] if action["type"] == "draw_card"
        ]
        now.play(game, draws_of[0])
    return game


def test_a_stale_action_gets_a_page_of_missed_entries_and_the_cursor_of_the_rest(
    ada, long, batch, is_problem
):
    stale = is_problem(ada.act(long, DRAW, headers={"If-Match": '"1"'}), 412, "stale-version")
    assert [entry["version"] for entry in stale["entries"]] == [*range(2, MAX_MISSED + 2)]
    assert stale["next"] == MAX_MISSED + 1
    rest = ada.get(f"/v1/games/{long}/events?after={stale['next']}").json["items"]
    assert [entry["version"] for entry in rest] == [*range(MAX_MISSED + 2, stale["version"] + 1)]
    [item] = batch(ada, draws([long], if_match=1))
    assert but_for_the_request(item) == but_for_the_request(stale)
    few = ada.act(long, DRAW, headers={"If-Match": f'"{stale["version"] - MAX_MISSED}"'}).json
    assert (len(few["entries"]), "next" in few) == (MAX_MISSED, False)


def test_missed_entries_of_a_game_are_sent_once_to_each_account(ada, grace, long, four, batch):
    hers = {"token": grace.account["token"]}
    alone = batch(ada, draws([long], if_match=1))[0]
    body = orjson.dumps({"items": draws(100 * [long], if_match=1)})
    answer = ada.request(
        "POST", "/v1/me/actions", data=body, headers={"Content-Type": "application/json"}
    )
    assert statuses(answer.json["items"]) == [412] * 100
    assert len(answer.data) < len(orjson.dumps(alone)) + 100 * 1000
    told = batch(
        ada, [*draws([long, long, four[0]], if_match=1), *draws([long], if_match=1, **hers)]
    )
    assert ["view" in item for item in told] == [True, False, True, True]
    assert all(("view" in item) == ("entries" in item) for item in told)
    assert told[1]["version"] == told[0]["version"] == alone["version"]
    moved = batch(
        ada,
        [*draws([four[0]], if_match=1), *draws([four[0]]), *draws([four[0], four[0]], if_match=1)],
    )
    assert statuses(moved) == [412, 200, 412, 412]
    assert ["view" in item for item in moved] == [True, True, True, False]


def test_an_answer_has_so_many_bytes_and_what_it_has_no_room_for_is_not_done(
    ada, grace, big, four, batch
):
    version = ada.view(big)["version"]
    player = (ada, grace)[ada.view(big)["deciding"][0]["seat"]]
    items = [*[{"game": big}] * 98, *draws([big], key="k"), {"game": four[0]}]
    answers = []
    while items:
        answer = player.post("/v1/me/actions", {"items": items})
        told = answer.json["items"]
        answers.append((len(answer.data), statuses(told)))
        refused = [one for one in told if one["status"] == 429]
        assert all(one["code"] == "answer-too-long" for one in refused)
        assert all(one["retry_after"] == 0 and len(orjson.dumps(one)) < 1000 for one in refused)
        is_played = not any(item.get("action") for item in items) or not refused
        assert player.view(big)["version"] == version + is_played
        items = [item for item, one in zip(items, told, strict=True) if one["status"] == 429]
    assert 2 <= len(answers) <= 4
    assert all(MAX_ANSWER / 4 < size < MAX_ANSWER for size, _ in answers[:-1])
    for _, told in answers:  # all of one game, in their order
        of_big = told[:-1] if len(told) == 100 else told
        assert of_big == [200] * of_big.count(200) + [429] * of_big.count(429)


@pytest.mark.parametrize("listed", ["true", "grouped", "false"])
@pytest.mark.parametrize(("name", "claiming"), [("usa", 0), ("europe", 0), ("europe", 1)])
def test_a_view_is_reckoned_to_be_no_shorter_than_it_is(listed, name, claiming):
    """Once hands are big, or all have many claims, and where the board has most to show."""
    board = load_folder()[name]
    game = random_game(5 if claiming else 2, 3, claiming=claiming, board=board)
    for state in game.states[2::20] + game.states[-1:]:
        for seat in range(len(state.players)):
            shown = view(state, seat, listed=listed, sealed=state.status == "playing")
            assert len(orjson.dumps(shown)) < size_of(shown)


def test_a_token_that_goes_in_the_middle_plays_nothing_from_then_on(app, ada, four, batch):
    """In one game the second action finds it gone."""
    made = ada.post("/v1/me/tokens", {}).json
    games = services(app).games

    def revoke(_) -> None:
        games.redis.delete(token_key(made["token"]))

    games.listeners.append(revoke)
    told = batch(Caller(app, made), draws([four[0], four[0]]))
    assert statuses(told) == [200, 401]


def test_each_item_counts_as_an_action(monkeypatch, connection, ada, four, batch):
    monkeypatch.setenv("FOGG_LIMITS", "actions=5/3600")
    ada = Caller(create_app(connection), ada.account)
    answer = ada.post("/v1/me/actions", {"items": draws(four)})
    assert answer.headers["RateLimit"].startswith('"actions";r=1;')
    told = batch(ada, [{"game": four[0], "action": DRAW}, {"game": four[1], "action": DRAW}])
    assert statuses(told) == [200, 429]
    assert told[1]["code"] == "too-many-requests"
    assert 0 < told[1]["retry_after"] <= 3600
    assert ada.act(four[1], DRAW).status_code == 429
    mary = sign_up(ada.client.application, "Mary").account["token"]
    told = batch(ada, draws(four[2:], token=mary))
    assert statuses(told) == [403, 403]  # which are hers


def test_a_rollback_is_reported_in_a_batch(redis, ada, four, batch):
    """Redis has lost the entry that Ada names."""
    game, log, head = four[0], *(GameStore.key(four[0], part) for part in ("log", "head"))
    held = redis.dump(log), redis.dump(head)
    ada.play(game, DRAW)
    for key, value in zip((log, head), held, strict=True):
        redis.restore(key, 0, value, replace=True)
    ada.view(game)  # which finds it out
    told = batch(ada, [*draws([game], if_match=5), *draws(four[1:], if_match=4)])
    assert statuses(told) == [409, 200, 200, 200]
    assert [told[0][name] for name in ("code", "version", "previous_version")] == [
        "history-lost",
        4,
        5,
    ]


def test_bots_are_called_for_all_games_that_wait_for_them(app, ada, redis, batch):
    wish = {
        "board": "usa",
        "seats": [{"player": "me"}, {"bot": "random"}],
        "options": {"first_seat": 0},
    }
    games = [ada.post("/v1/games", wish).json["id"] for _ in range(3)]
    choice = [ada.view(game)["you"]["legal_actions"][0] for game in games]
    redis.delete(*(GameStore.key(game, "bots") for game in games))
    told = batch(
        ada, [{"game": game, "action": action} for game, action in zip(games, choice, strict=True)]
    )
    assert statuses(told) == [200] * 3
    assert all(redis.exists(GameStore.key(game, "bots")) for game in games)


def show_batch(tape: Tape) -> None:
    """Look at two games and play in them."""
    path = "/v1/me/actions"
    game = tape.game.rpartition("/")[2]
    view = tape.ask("GET", tape.game, by="grace").json
    tape.call(
        "playActions",
        "played",
        "A played action, a refused one, and an unknown game",
        "POST",
        path,
        {
            "items": [
                {
                    "game": game,
                    "action": choice_of("draw_card")(view),
                    "if_match": view["version"],
                    "key": "another-name-of-my-own",
                },
                {"game": game, "action": {"type": "draw_tickets"}},
                {"game": "g_" + 20 * "0", "action": DRAW},
            ]
        },
        by="grace",
    )
    tape.call(
        "playActions",
        "looked",
        "The view of a game, without legal actions",
        "POST",
        f"{path}?legal_actions=false",
        {"items": [{"game": game}]},
        by="grace",
    )
    tape.call("playActions", "malformed", "No items", "POST", path, {"items": []}, by="grace")
