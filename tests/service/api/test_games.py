"""The lobby, lists, conditional requests, retries, waiting, tokens and names."""

import threading
import time

import pytest

from tests.service.api.callers import Caller, begin, sign_up

TWO_SEATS = [{"player": "me"}, {"open": True}]
DRAW = {"type": "draw_card", "from": "deck"}


@pytest.fixture
def lobby(ada):
    """A game that Ada has created with two open seats beside hers."""
    wish = {"board": "usa", "seats": [*TWO_SEATS, {"open": True}]}
    return ada.post("/v1/games", wish).json["id"]


# The lobby


def test_a_game_starts_by_itself_when_the_last_open_seat_is_taken(app, ada, grace, lobby):
    joined = grace.post(f"/v1/games/{lobby}/seats", {})
    assert (joined.status_code, joined.json["status"]) == (201, "lobby")
    assert joined.json["you"] == {"seat": 1}
    assert joined.headers["Location"] == f"/v1/games/{lobby}/seats/1"
    started = sign_up(app, "Mary").post(f"/v1/games/{lobby}/seats", {"entropy": "x"})
    assert started.json["status"] == "playing"
    assert [d["decision"] for d in started.json["deciding"]] == ["keep_tickets"] * 3
    assert ada.view(lobby)["you"]["hand"]


def test_who_leaves_the_lobby_makes_room_for_another(app, ada, grace, lobby, is_problem):
    seat = grace.post(f"/v1/games/{lobby}/seats", {}).headers["Location"]
    is_problem(sign_up(app, "Mary").delete(seat), 403, "not-yours")
    left = grace.delete(seat)
    assert (left.status_code, left.get_data()) == (204, b"")
    is_problem(grace.delete(seat), 409, "seat-not-taken")
    assert sign_up(app, "Mary").post(f"/v1/games/{lobby}/seats", {}).json["you"]["seat"] == 1


def test_nobody_sits_twice_or_leaves_or_joins_once_the_game_has_begun(
    app, ada, grace, game, lobby, is_problem
):
    is_problem(ada.post(f"/v1/games/{lobby}/seats", {}), 409, "already-seated")
    is_problem(grace.delete(f"/v1/games/{game}/seats/1"), 409, "game-started")
    mary = sign_up(app, "Mary")
    is_problem(mary.post(f"/v1/games/{game}/seats", {}), 409, "game-started")


def test_the_creator_may_watch_only(ada):
    made = ada.post("/v1/games", {"board": "usa", "seats": [{"bot": "random"}, {"bot": "greedy"}]})
    assert made.json["status"] == "playing"
    assert made.json["creator"] == ada.id
    assert "you" not in made.json
    assert made.headers["Location"] == f"/v1/games/{made.json['id']}"


def test_a_seed_fixes_the_game_and_marks_it(ada, grace):
    games = [begin(ada, grace, seed="0f" * 32) for _ in range(2)]
    views = [ada.view(game) for game in games]
    assert views[0]["seed_known"] is True
    assert views[0]["you"] == views[1]["you"]
    assert "seed" not in views[0]
    assert ada.view(begin(ada, grace))["seed_known"] is False


# Lists


def test_games_are_listed_by_status_board_and_player(ada, grace, anybody, game, lobby):
    def ids(caller: Caller, query: str) -> list[str]:
        return [row["id"] for row in caller.get(f"/v1/games?{query}").json["items"]]

    assert ids(anybody, "") == [lobby, game]
    assert ids(anybody, "status=lobby") == [lobby]
    assert ids(anybody, "status=playing&board=usa") == [game]
    assert ids(anybody, "board=atlantis") == ids(anybody, "status=finished") == []
    assert ids(grace, "player=me") == ids(anybody, f"player={grace.id}") == [game]
    assert ids(ada, "player=me&status=lobby") == [lobby]
    grace.play(game, {"type": "resign"})
    assert ids(anybody, "status=finished") == [game]
    assert ids(anybody, "status=playing") == []


def test_a_cursor_leads_through_all_games_once(ada, anybody):
    made = [ada.post("/v1/games", {"board": "usa", "seats": TWO_SEATS}).json["id"]
            for _ in range(5)]
    found, cursor = [], ""
    while cursor is not None:
        page = anybody.get("/v1/games?limit=2" + (f"&cursor={cursor}" if cursor else "")).json
        found += [row["id"] for row in page["items"]]
        cursor = page["next"]
    assert sorted(found) == sorted(made)
    assert len(found) == 5


# Conditional requests


@pytest.mark.parametrize("path", ["/v1/boards/usa", "/v1/boards/usa/map.svg"])
def test_a_board_that_one_has_is_not_sent_again(anybody, path):
    first = anybody.get(path)
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    again = anybody.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert anybody.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_an_action_meant_for_another_version_is_not_played(ada, game, is_problem):
    view = ada.get(f"/v1/games/{game}")
    assert view.headers["ETag"] == f'"{view.json["version"]}"'
    played = ada.act(game, DRAW, headers={"If-Match": view.headers["ETag"]})
    assert played.headers["ETag"] == f'"{played.json["version"]}"'
    problem = is_problem(ada.act(game, DRAW, headers={"If-Match": view.headers["ETag"]}), 412,
                         "stale-version")
    assert problem["version"] == played.json["version"]
    assert problem["entries"] == played.json["entries"]
    assert problem["view"] == ada.view(game)
    assert is_problem(ada.act(game, DRAW, headers={"If-Match": '"99"'}), 412,
                      "stale-version")["entries"] == []


def test_the_legal_actions_can_be_left_out(ada, game):
    short = ada.get(f"/v1/games/{game}?legal_actions=false").json
    assert "legal_actions" not in short["you"]
    assert short == ada.view(game) | {"you": short["you"]}


# Retries


def test_an_action_sent_twice_with_its_key_is_played_once(ada, grace, game):
    key = {"Idempotency-Key": "one"}
    first = ada.act(game, DRAW, headers=key).data
    assert ada.act(game, DRAW, headers=key).data == first
    ada.play(game, DRAW)
    grace.play(game, DRAW)
    assert ada.act(game, DRAW, headers=key | {"If-Match": '"1"'}).data == first
    grace.play(game, {"type": "resign"})
    assert ada.act(game, DRAW, headers=key).data == first


def test_a_choice_of_tickets_sent_again_later_is_answered_as_the_first_time(ada, grace):
    game, key = begin(ada, grace), {"Idempotency-Key": "mine"}
    choice = ada.view(game)["you"]["legal_actions"][0]
    first = ada.act(game, choice, headers=key)
    grace.play(game, grace.view(game)["you"]["legal_actions"][0])
    again = ada.act(game, choice, headers=key)
    assert (again.status_code, again.data) == (200, first.data)


def test_a_key_belongs_to_one_action_of_one_account(ada, grace, game, is_problem):
    key = {"Idempotency-Key": "ours"}
    mine = ada.act(game, DRAW, headers=key).json
    other = ada.act(game, {"type": "resign"}, headers=key)
    assert is_problem(other, 422, "key-reused")["field"] == "Idempotency-Key"
    assert ada.view(game)["version"] == mine["version"]
    ada.play(game, DRAW)
    hers = grace.act(game, DRAW, headers=key).json
    assert hers["version"] == mine["version"] + 2
    assert "card" in hers["entries"][0]["events"][0]
    assert hers["view"]["you"]["seat"] == 1


def test_a_refused_action_leaves_its_key_free(ada, grace, game, is_problem):
    key = {"Idempotency-Key": "later"}
    is_problem(grace.act(game, DRAW, headers=key), 409, "not-your-turn")
    ada.play(game, DRAW)
    ada.play(game, DRAW)
    assert grace.act(game, DRAW, headers=key).status_code == 200


def test_keys_hold_when_everybody_acts_at_once(app):
    callers = [sign_up(app, f"Player {i}") for i in range(5)]
    game, answers = begin(*callers), {}

    def choose(seat: int) -> None:
        choice = callers[seat].view(game)["you"]["legal_actions"][0]
        answers[seat] = callers[seat].act(game, choice, headers={"Idempotency-Key": "k"})

    threads = [threading.Thread(target=choose, args=(seat,)) for seat in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[seat].status_code for seat in range(5)] == [200] * 5
    played = {answers[seat].json["entries"][0]["seat"]: answers[seat].json["version"]
              for seat in range(5)}
    assert sorted(played) == list(range(5))
    assert len(set(played.values())) == 5


# Following a game


def test_entries_are_read_page_by_page_without_gap_or_repeat(ada, finished):
    entries, after = [], 0
    while after is not None:
        page = ada.get(f"/v1/games/{finished}/events?after={after}&limit=2").json
        entries += page["items"]
        after = page["next"]
    assert [e["version"] for e in entries] == list(range(1, ada.view(finished)["version"] + 1))


def test_a_waiting_reader_is_answered_as_soon_as_somebody_plays(ada, grace, game):
    version, answers = ada.view(game)["version"], []

    def wait() -> None:
        answers.append(grace.get(f"/v1/games/{game}/events?after={version}&wait=30").json)

    reader = threading.Thread(target=wait)
    reader.start()
    time.sleep(0.3)
    assert answers == []
    began = time.monotonic()
    ada.play(game, DRAW)
    reader.join(30)
    assert time.monotonic() - began < 2
    assert [entry["version"] for entry in answers[0]["items"]] == [version + 1]
    assert answers[0]["next"] == version + 1


def test_a_reader_waits_no_longer_than_asked_nor_for_a_finished_game(ada, finished, lobby):
    began = time.monotonic()
    version = ada.view(lobby)["version"]
    idle = ada.get(f"/v1/games/{lobby}/events?after={version}&wait=0.3").json
    assert 0.3 <= time.monotonic() - began < 3
    assert idle == {"items": [], "next": version}
    over = ada.get(f"/v1/games/{finished}/events?after=999&wait=30").json
    assert over == {"items": [], "next": None}
    assert time.monotonic() - began < 6


# Accounts


def test_a_token_works_until_it_is_revoked(app, ada, grace, is_problem):
    made = ada.post("/v1/me/tokens", {})
    other = Caller(app, {"token": made.json["token"]})
    assert other.get("/v1/me").json == ada.get("/v1/me").json
    listed = ada.get("/v1/me/tokens").json["items"]
    assert [set(row) for row in listed] == [{"id", "created", "scopes"}] * 2
    assert made.json["id"] == listed[1]["id"]
    is_problem(grace.delete(made.headers["Location"]), 404, "unknown-token")
    assert other.delete(made.headers["Location"]).status_code == 204
    is_problem(other.get("/v1/me"), 401, "not-signed-in")
    assert len(ada.get("/v1/me/tokens").json["items"]) == 1


@pytest.mark.parametrize(("sent", "kept"), [
    ("Ada", "Ada"), ("x", "x"), ("A" * 40, "A" * 40), ("Zoë 李 🚂", "Zoë 李 🚂"),
    ("Zoe\u0308", "Zo\u00eb"), ("Ada  King", "Ada King"), ("<b>&amp;'\"", "<b>&amp;'\""),
])
def test_a_name_is_kept_as_people_would_write_it(app, sent, kept):
    ada = sign_up(app, sent)
    assert ada.account["name"] == ada.get("/v1/me").json["name"] == kept
    seats = ada.post("/v1/games", {"board": "usa", "seats": TWO_SEATS}).json["seats"]
    assert seats[0]["player"] == {"id": ada.id, "name": kept}


def test_two_accounts_may_have_the_same_name_and_are_two(app):
    assert sign_up(app, "Ada").id != sign_up(app, "Ada").id
