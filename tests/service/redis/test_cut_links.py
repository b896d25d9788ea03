"""Entries that are written while the link to Redis is cut: once, and answered as such."""

import pytest

from service.app import create_app
from service.eventlog.store import NewEntry
from service.games.store import GameStore
from service.redis.connection import connect
from tests.proxies import RedisLink
from tests.service.callers import begin, keep_tickets, sign_up
from tests.service.eventlog import stored


@pytest.fixture(params=[stored.Games, stored.Tournaments])
def kind(request):
    return request.param()


@pytest.fixture
def link(redis_server, redis):
    with RedisLink(redis_server.url) as link:
        yield link


def versions(kind, redis) -> list[str]:
    return [entry_id.decode() for entry_id, _ in redis.xrange(kind.key(kind.id, "log"))]


def test_an_append_whose_link_was_cut_is_written_once(kind, link, redis):
    store = kind.store(connect(link.url))
    known = kind.begin(store)
    link.cut_after("EVALSHA")
    new = kind.go_on(store, known)
    assert link.cuts == 1
    assert versions(kind, redis) == [f"0-{n}" for n in range(1, new.state.version + 1)]
    assert kind.store(redis).load(kind.id).hash == new.hash


def test_a_repeated_append_is_written_once_even_after_others(kind, link, redis):
    """The script is sent again by the client of Redis, here by the test, so that others come in
    between."""
    store, others = kind.store(connect(link.url)), kind.store(redis)
    known, run, asked = kind.begin(store), store.redis.evalsha, []
    store.redis.evalsha = lambda *sent: asked.append(sent) or run(*sent)
    new = kind.go_on(store, known)
    last = kind.go_on(others, others.load(kind.id), other=True)
    assert run(*asked[0]) == [1, 0]
    assert versions(kind, redis)[-1] == f"0-{last.state.version}" == f"0-{new.state.version + 1}"


def test_a_lease_taken_over_a_cut_link_calls_a_worker(link, redis):
    store = GameStore(connect(link.url), stored.BOARDS)
    game = stored.begin(store)
    action = stored.legal_actions(game.state, 0)[0]
    events, state = stored.play(game.state, 0, action)
    link.cut_after("EVALSHA")
    _, is_taken = store.append(game, NewEntry(events, state, 0, action), ("take", 9_000))
    assert (link.cuts, is_taken) == (1, True)


def test_actions_without_a_key_are_played_once_each(link, redis):
    """Through the whole service, every second append cut off after it was done."""
    app = create_app(connect(link.url))
    ada, grace = sign_up(app, "Ada"), sign_up(app, "Grace")
    game = begin(ada, grace)
    keep_tickets(game, ada, grace)
    for number in range(20):
        if number % 2:
            link.cut_after(f'"version":{number + 5}}}')  # as the entry's text ends
        (ada, grace)[number // 2 % 2].play(game, {"type": "draw_card", "from": "deck"})
    assert link.cuts == 10
    assert ada.view(game)["version"] == 24
