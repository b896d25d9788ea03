"""All views of a game at once, and streams that carry views: each is what ``getGame`` shows with
``at``, so a client needs no fold."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from domain.entry import canonical, hash_after
from service.app import create_app
from service.games.store import GameStore
from service.tournaments.tournaments import Tournaments
from tests.domain.worlds import another_world
from tests.service.callers import Caller, begin, create, keep_tickets, less_deadlines, play_on
from tests.service.games.test_broken import edit
from tests.service.games.test_rollbacks import Failover
from tests.service.games.test_streams import DRAW, NDJSON, SSE, messages, stream
from tests.service.tournaments.test_tournaments import begun, games_of

RESIGN = {"type": "resign"}


def views(caller: Caller, game: str, query: str = "", **headers) -> list[dict]:
    """Return the views of a game that a caller gets at once."""
    answer = caller.get(f"/v1/games/{game}/views{query}", headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, NDJSON), answer.get_data()
    return [*map(less_deadlines, map(json.loads, answer.get_data().splitlines()))]


def streamed(caller: Caller, game: str, form: str, query: str = "") -> list[dict]:
    """Return the entries of a finished game's stream, each with the view after it."""
    text = stream(caller, f"/v1/games/{game}/events?views=true{query}", form).get_data(True)
    if form == NDJSON:
        return [json.loads(line) for line in text.splitlines()]
    return [message["data"] for message in messages(text) if message["event"] == "entry"]


def asked_for(caller: Caller, game: str, listed: str = "false") -> Iterator[dict]:
    """Yield the view at each version, asked for one by one."""
    for version in range(1, caller.view(game)["version"] + 1):
        yield less_deadlines(caller.read(f"/v1/games/{game}?at={version}&legal_actions={listed}"))


def check(game: str, *callers: Caller) -> None:
    """Assert that each caller gets all views of a game as they are when asked for one by one."""
    for caller in callers:
        assert views(caller, game) == [*asked_for(caller, game)]


@pytest.fixture
def played(ada, grace):
    """A game that is over, with a clock and an invitation."""
    game, chance = (
        begin(
            ada, grace, board="europe", visibility="unlisted", clock={"bank": 3600, "increment": 5}
        ),
        Random(3),
    )
    keep_tickets(game, ada, grace)
    for _ in islice(play_on(game, [ada, grace], chance.choice), 30):
        pass
    return game


def test_every_version_is_shown_as_each_caller_may_see_it(ada, grace, anybody, played):
    check(played, ada, grace, anybody)
    ada.play(played, RESIGN)
    check(played, ada, grace, anybody)
    assert all("revealed" in seat for seat in views(anybody, played)[5]["seats"])


@pytest.mark.parametrize("form", [SSE, NDJSON])
@pytest.mark.parametrize("listed", ["true", "grouped", "false"])
def test_each_entry_of_a_stream_comes_with_the_view_after_it(ada, anybody, played, form, listed):
    ada.play(played, RESIGN)
    for caller in (ada, anybody):
        plain = caller.get(f"/v1/games/{played}/events").json["items"]
        rows = streamed(caller, played, form, f"&legal_actions={listed}")
        shown = [row.pop("view") for row in rows]
        assert rows == plain
        assert shown == [*asked_for(caller, played, listed)]
        assert streamed(caller, played, form, f"&after={len(rows) - 1}")[0]["view"] == (
            caller.read(f"/v1/games/{played}?legal_actions=true")
        )


def test_a_stream_shows_the_view_after_each_action_as_it_is_played(app, ada, grace, game):
    answers = [
        (caller, stream(caller, f"/v1/games/{game}/events?views=true").response)
        for caller in (ada, grace, Caller(app))
    ]
    seen = [iter(response) for _, response in answers]
    for heard in seen:
        assert b'"type":"tickets_kept"' in next(heard)
    for mover in (ada, ada, grace, grace):
        mover.play(game, DRAW)
        for (caller, _), heard in zip(answers, seen, strict=True):
            [message] = messages(next(heard).decode())
            assert message["data"]["view"] == caller.view(game)


def test_views_resume_after_a_version(ada, game, is_problem):
    whole = views(ada, game)
    for after in range(len(whole) + 1):
        assert views(ada, game, f"?after={after}") == whole[after:]
    answer = ada.get(f"/v1/games/{game}/views?after={len(whole) + 1}")
    is_problem(answer, 409, "version-ahead")
    assert is_problem(ada.get(f"/v1/games/{game}/views?after=-1"), 422, "malformed")


def test_a_game_before_its_start_shows_seats_as_they_were_numbered_then(ada, grace, mary, anybody):
    game = create(ada, {"open": True}, {"open": True}, {"open": True})["id"]
    for caller in (mary, grace):
        assert caller.post(f"/v1/games/{game}/seats", {}).status_code == 201
    assert mary.delete(f"/v1/games/{game}/seats/1").status_code == 204
    check(game, ada, grace, mary, anybody)
    assert ada.post(f"/v1/games/{game}/start", {}).status_code == 200
    check(game, ada, grace, mary, anybody)
    seats = [view["you"]["seat"] for view in views(grace, game) if "you" in view]
    assert {2, 1} == {*seats}


@pytest.mark.parametrize("cards", ["kept", "reshuffled"])
def test_a_fork_shows_its_position_as_every_viewer_may_see_it(ada, grace, anybody, played, cards):
    ada.play(played, RESIGN)
    wish = {
        "seats": [{"player": "me"}, {"open": True}],
        "fork": {"game": played, "version": 12, "cards": cards},
    }
    made = ada.post("/v1/games", wish)
    assert made.status_code == 201, made.json
    fork = made.json["id"]
    assert grace.post(f"/v1/games/{fork}/seats", {}).status_code == 201
    check(fork, ada, grace, anybody)
    grace.play(fork, RESIGN)
    check(fork, ada, grace, anybody)


# Secrets


def test_9_6_nobody_learns_from_views_in_which_of_the_possible_worlds_they_are(
    app, ada, grace, anybody, played, redis, connection
):
    """The history is replaced by one that the caller cannot tell from it: nothing changes."""
    log = GameStore.key(played, "log")
    rows = redis.xrange(log)
    entries = [json.loads(fields[b"e"]) for _, fields in rows]
    for viewer, caller in ((None, anybody), (0, ada), (1, grace)):

        def seen(process, caller=caller):
            who, path = Caller(process, caller.account), f"/v1/games/{played}"
            heard = messages(next(stream(who, f"{path}/events?views=true").response).decode())
            shown = [
                less_deadlines(message["data"].get("view", message["data"])) for message in heard
            ]
            assert len(shown) > 20
            return views(who, played), shown  # hashes of entries differ

        real, changed = seen(app), 0
        for seed in range(3):
            others = another_world(entries, viewer, Random(seed))
            changed += others != entries
            redis.delete(log)
            last = ""
            for (entry_id, fields), other in zip(rows, others, strict=True):
                text = canonical(other)
                last = hash_after(last, text)
                redis.xadd(log, fields | {b"e": text, b"h": last}, id=entry_id)
            assert seen(create_app(connection)) == real
        assert changed
        redis.delete(log)
        for entry_id, fields in rows:
            redis.xadd(log, fields, id=entry_id)


def test_views_of_a_private_game_are_for_those_who_take_part(ada, grace, mary, anybody, is_problem):
    game = begin(ada, grace, visibility="private")
    check(game, ada, grace)
    for path in ("views", "events?views=true"):
        for caller in (mary, anybody):
            answer = caller.get(f"/v1/games/{game}/{path}", headers={"Accept": NDJSON})
            is_problem(answer, 404, "unknown-game")


def test_a_duplicate_deal_stays_sealed_until_its_last_game_is_over(
    ada, grace, anybody, service, is_problem
):
    first, second = [
        row["game"]
        for row in games_of(begun(service.find(Tournaments), ada, grace, deals="duplicate"))
    ]
    keep_tickets(first, ada, grace)
    grace.play(first, RESIGN)
    check(first, ada, grace)
    is_problem(anybody.get(f"/v1/games/{first}/views"), 403, "not-yours")
    answer = ada.get(f"/v1/games/{first}/views")
    assert (answer.headers.get("ETag"), answer.headers["Cache-Control"]) == (None, "no-store")
    assert b"revealed" not in answer.get_data()
    assert b'"completed":' not in answer.get_data()
    ada.play(second, RESIGN)
    check(first, ada, grace, anybody)
    assert b"revealed" in anybody.get(f"/v1/games/{first}/views").get_data()


# What is kept of them


def test_views_of_a_finished_game_are_answered_once_until_a_name_disappears(
    app, ada, grace, anybody, finished
):
    path, tags = f"/v1/games/{finished}/views", []
    for caller in (ada, grace, anybody):
        answer = caller.get(path)
        tags.append(answer.headers["ETag"])
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in answer.headers["Vary"]
        assert caller.get(path, headers={"If-None-Match": tags[-1]}).status_code == 304
    assert len({*tags}) == 3
    packed = anybody.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["ETag"] == f'{tags[2][:-1]}-gzip"'
    assert gzip.decompress(packed.get_data()) == anybody.get(path).get_data()
    again = anybody.get(path, headers={"If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, packed.headers["ETag"])
    assert grace.delete("/v1/me").status_code == 204
    answer = anybody.get(path, headers={"If-None-Match": tags[2]})
    assert answer.status_code == 200
    assert b'"Grace"' not in answer.get_data()
    assert b'"deleted"' in answer.get_data()
    check(finished, ada, anybody)


def test_views_of_a_running_game_are_kept_by_nobody(ada, game):
    answer = ada.get(f"/v1/games/{game}/views")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_they_have_a_limit_of_their_own(monkeypatch, connection, ada, game, is_problem):
    monkeypatch.setenv("FOGG_LIMITS", "views=3/60")
    app = create_app(connection)
    caller, stranger = Caller(app, ada.account), Caller(app)
    paths = [f"/v1/games/{game}/views", f"/v1/games/{game}/events?views=true"]
    for who in (caller, stranger):
        for path in (paths[0], paths[1], paths[0]):
            who.get(path, headers={"Accept": NDJSON}).close()
        for path in paths:
            is_problem(who.get(path, headers={"Accept": NDJSON}), 429, "too-many-requests")
        assert who.get(f"/v1/games/{game}").status_code == 200


# Histories that are not whole


def test_views_of_a_broken_history_are_refused(ada, connection, game, redis, is_problem):
    edit(redis, game, 1, b'"seats":2', b'"seats":3')
    for caller in (ada, Caller(create_app(connection), ada.account)):
        for path in ("views", "events?views=true"):
            answer = caller.get(f"/v1/games/{game}/{path}", headers={"Accept": NDJSON})
            is_problem(answer, 409, "history-broken")


def test_after_a_rollback_views_are_those_of_what_is_left(ada, grace, game, redis, is_problem):
    lagging = Failover(redis)
    version, kept = ada.view(game)["version"], views(ada, game)
    parts = iter(stream(ada, f"/v1/games/{game}/events?views=true&after={version}").response)
    next(parts)
    ada.play(game, DRAW)
    [entry] = messages(next(parts).decode())
    assert entry["data"]["view"]["version"] == version + 1
    lagging.happen()
    assert views(ada, game) == kept
    is_problem(ada.get(f"/v1/games/{game}/views?after={version + 1}"), 409, "history-lost")
    heard = messages(next(parts).decode())
    assert heard[0]["event"] == "lost"
    ada.play(game, DRAW)
    while heard[-1]["event"] != "entry":
        heard += messages(next(parts).decode())
    assert heard[-1]["data"]["view"] == ada.view(game)
    assert heard[-1]["data"]["version"] == version + 1
