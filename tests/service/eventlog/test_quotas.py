"""How much one may have at a time."""

import pytest

from domain.errors import Refused
from service.eventlog import quotas
from tests.service.eventlog.stored import Games, Tournaments

WHO = "p_" + "0" * 20


@pytest.fixture(params=[Games, Tournaments])
def store(request, redis):
    return request.param().store(redis)


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setenv("FOGG_CAPS", "games=3 tournaments=3")


@pytest.fixture
def hold(store):
    """Count something new, which is there then with this status."""

    def hold(status: str | None = "open", some_id: str | None = None) -> str:
        some_id = some_id or store.new_id()
        quotas.reserve(store, f"{store.kind}s", WHO, some_id)
        if status:
            end(store, some_id, status)
        return some_id

    return hold


def end(store, some_id: str, status: str = "finished") -> None:
    store.redis.set(store.key(some_id, "head"), f'{{"status":"{status}","deciding":[]}}')


def later(redis, seconds: float, monkeypatch) -> None:
    now = quotas.time.time()
    monkeypatch.setattr(quotas.time, "time", lambda: now + seconds)
    redis.delete(f"player:{WHO}:full:games", f"player:{WHO}:full:tournaments")


def test_finished_items_free_quota(few, store, hold, redis, monkeypatch):
    first = [hold() for _ in range(3)]
    end(store, first[1])
    hold()
    with pytest.raises(Refused):
        hold()
    end(store, first[0])
    redis.set(f"player:{WHO}:full:{store.kind}s", 1)
    with pytest.raises(Refused):  # it was known a moment ago that none is over
        hold()
    later(redis, 3, monkeypatch)
    hold()


def test_an_unused_reservation_expires(few, hold, redis, monkeypatch):
    for _ in range(3):
        hold(None)
    with pytest.raises(Refused):
        hold(None)
    later(redis, 61, monkeypatch)
    hold(None)
