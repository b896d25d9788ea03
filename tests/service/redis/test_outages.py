"""With a Redis that is full, busy or starting, requests are refused with Retry-After, and nothing
is half done."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from redis import Redis, exceptions

from service.app import create_app
from service.games.clocks import NO_PAUSE_WITHIN_S
from service.http.problems import AWAY, FULL, outage
from service.http.serving import services
from service.redis.connection import connect
from tests.service.callers import Caller, begin, keep_tickets, sign_up


@pytest.fixture(scope="module")
def app(server):
    return create_app(connect(server.url, retry=False))


@pytest.fixture(scope="module")
def people(app):
    return sign_up(app, "Ada"), sign_up(app, "Grace")


@pytest.fixture
def game(people):
    begun = begin(*people)
    keep_tickets(begun, *people)
    return begun


@contextmanager
def memory_full(server):
    with connect(server.url) as client:
        client.config_set("maxmemory", 1)
        yield
        client.config_set("maxmemory", 0)


@contextmanager
def snapshot_failed(server):
    """Redis takes no writes once a snapshot that was asked for could not be written."""
    folder = server.directory / "dump.rdb"
    folder.mkdir()
    with connect(server.url) as client:
        client.config_set("save", "3600 1")
        client.bgsave()
        while client.info("persistence")["rdb_bgsave_in_progress"]:
            time.sleep(0.01)
        yield
    with Redis.from_url(server.url) as client:  # which is not asked first how it is
        client.config_set("save", "")
    folder.rmdir()


@contextmanager
def busy(server):
    with connect(server.url) as client:
        client.config_set("busy-reply-threshold", 1)
    script = threading.Thread(target=run_for_ever, args=[server.url])
    script.start()
    time.sleep(0.2)
    with Redis.from_url(server.url) as client:
        yield
        client.script_kill()
    script.join()


def run_for_ever(url: str) -> None:
    with connect(url) as client, pytest.raises(exceptions.ResponseError, match="killed"):
        client.eval("while true do end", 0)


@pytest.mark.parametrize("trouble", [memory_full, snapshot_failed])
def test_writes_are_refused_whole_and_reads_work(
    server, people, game, is_problem, trouble, monkeypatch
):
    monkeypatch.setenv("FOGG_LIMITS", "requests=99/59")  # each one is counted in Redis
    app = create_app(connect(server.url, retry=False))
    ada, grace = (Caller(app, one.account) for one in people)
    before = ada.get(f"/v1/games/{game}").get_data()
    kept = {}
    with trouble(server), Redis.from_url(server.url) as client:
        for key in client.scan_iter(f"*{game}*"):
            kept[key] = client.dump(key)
        for answer in (
            ada.post(f"/v1/games/{game}/actions", {"type": "draw_card", "from": "deck"}),
            ada.post("/v1/games", {"board": "usa", "seats": [{"open": True}] * 2}),
            ada.post("/v1/me/tokens", {"label": "x"}),
            grace.post(f"/v1/games/{game}/actions", {"type": "resign"}),
        ):
            assert is_problem(answer, 503, "not-ready")["detail"] == FULL
        time.sleep(NO_PAUSE_WITHIN_S)  # then a view asks for the service's pauses again
        for path in (f"/v1/games/{game}", "/v1/games", "/v1/me", f"/v1/games/{game}/events"):
            assert ada.get(path).status_code == 200
        assert ada.get(f"/v1/games/{game}").get_data() == before
        assert {key: client.dump(key) for key in client.scan_iter(f"*{game}*")} == kept
    assert (
        ada.post(f"/v1/games/{game}/actions", {"type": "draw_card", "from": "deck"}).status_code
        == 200
    )


def test_if_memory_runs_out_in_a_batch_each_action_gets_its_own_result(server, app, people):
    """And asked again it is answered as at first, or played now."""
    ada, games = people[0], [begin(*people) for _ in range(3)]
    for game in games:
        keep_tickets(game, *people)
    wish = {
        "items": [
            {"game": game, "action": {"type": "draw_card", "from": "deck"}, "key": key}
            for key in "ab"
            for game in games
        ]
    }
    listeners = services(app).games.listeners
    with connect(server.url) as client:
        listeners.append(lambda _: client.config_set("maxmemory", 1))
        told = ada.post("/v1/me/actions", wish).json["items"]
        listeners.pop()
        client.config_set("maxmemory", 0)
    assert [item["status"] for item in told] == 3 * [200] + 3 * [503]
    assert told[3]["detail"] == FULL
    assert told[3]["retry_after"] == 1
    assert [ada.view(game)["version"] for game in games] == 3 * [5]
    again = ada.post("/v1/me/actions", wish).json["items"]
    assert again[:3] == told[:3]
    assert [item["version"] for item in again[3:]] == 3 * [6]


@contextmanager
def stopped(server):
    server.stop()
    yield
    server.start()


@pytest.mark.parametrize("trouble", [busy, stopped])
def test_with_a_redis_that_is_busy_or_away_the_service_is_not_ready(
    app, server, people, game, is_problem, trouble
):
    ada, _ = people
    with trouble(server):
        for answer in (
            ada.get("/readyz"),
            ada.get(f"/v1/games/{game}"),
            ada.get("/v1/games"),
            ada.post("/v1/players", {"name": "Mary"}),
            ada.post(f"/v1/games/{game}/actions", {"type": "resign"}),
        ):
            is_problem(answer, 503, "not-ready")
            assert answer.headers["Retry-After"] == "1"
        assert Caller(app).get("/healthz").status_code == 200
    assert ada.get(f"/v1/games/{game}").status_code == 200


def test_while_redis_restarts_and_forgets_its_scripts_nobody_gets_a_500(server, app, people):
    ada, grace = people
    games = [begin(ada, grace) for _ in range(2)]
    end = time.monotonic() + 3
    seen: list[tuple[int, str]] = []

    def ask(number: int) -> None:
        while time.monotonic() < end:
            for answer in (
                ada.post("/v1/games", {"board": "usa", "seats": [{"open": True}] * 2}),
                ada.get(f"/v1/games/{games[number % 2]}"),
                ada.post(f"/v1/games/{games[number % 2]}/actions", {"type": "pass"}),
                ada.get("/v1/games", query_string={"player": "me", "limit": 3}),
                ada.get("/v1/leaderboards/overall"),
                ada.get("/v1/stats/bots"),
                grace.post("/v1/me/tokens", {"label": "x"}, headers={"Idempotency-Key": "k"}),
            ):
                seen.append((answer.status_code, answer.get_data(as_text=True)))

    with ThreadPoolExecutor(4) as askers:
        for number in range(4):
            askers.submit(ask, number)
        while time.monotonic() < end:
            server.kill()
            time.sleep(0.05)
            server.start()
            with connect(server.url) as client:
                for _ in range(20):
                    client.script_flush()
                    time.sleep(0.005)
    assert not [told for status, told in seen if status == 500]
    assert {200, 201, 503} <= {status for status, _ in seen}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (exceptions.ResponseError("MISCONF Errors writing to the AOF file: No space left"), FULL),
        (
            exceptions.ResponseError("Command # 2 (SET a b) of pipeline caused error: MISCONF x"),
            FULL,
        ),
        (exceptions.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), FULL),
        (exceptions.ResponseError("BUSY Redis is busy running a script."), AWAY),
        (exceptions.ResponseError("NOREPLICAS Not enough good replicas to write."), AWAY),
        (exceptions.TryAgainError("Multiple keys request during rehashing of slot"), AWAY),
        (exceptions.MovedError("1 127.0.0.1:1"), AWAY),
        (exceptions.MasterDownError("Link with MASTER is down"), AWAY),
        (exceptions.ClusterDownError("The cluster is down"), AWAY),
        (exceptions.RedisClusterException("Redis Cluster cannot be connected."), AWAY),
        (exceptions.SlotNotCoveredError('Slot "1" not covered'), AWAY),
        (exceptions.NoScriptError("No matching script."), AWAY),
        (exceptions.BusyLoadingError("Redis is loading the dataset in memory"), AWAY),
        (exceptions.ExecAbortError("Transaction discarded because of previous errors."), AWAY),
        (exceptions.ResponseError("WRONGTYPE Operation against a key"), None),
        (exceptions.ResponseError("unknown command 'BUSY'"), None),
        (exceptions.ClusterCrossSlotError("Keys in request don't hash to the same slot"), None),
        (
            exceptions.CrossSlotTransactionError("Cannot watch or send commands on other slots"),
            None,
        ),
        (exceptions.DataError("Invalid input of type"), None),
    ],
)
def test_temporary_errors_are_distinguished_from_client_errors(error, said):
    assert outage(error) == said
