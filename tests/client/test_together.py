"""Moves of many threads share requests: each is played once, and none waits for another's error."""

import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem
from fogg_client.together import MAX_MOVES, MoveSender

from tests.proxies import CuttingProxy, service

JSON = {"Content-Type": "application/json"}
DRAW = {"type": "draw_card", "from": "deck"}
VIEW = {"id": "g_1", "version": 4}


def items(*results: dict) -> tuple:
    """Return the answer to a request with these results of its items."""
    return 200, JSON, json.dumps({"items": results}).encode()


@pytest.mark.parametrize(("status", "code"), [(503, "unavailable"), (409, "too-busy")])
def test_a_busy_move_is_retried_alone_with_the_same_key(status, code):
    after = {"version": 5, "entries": [], "view": {"id": "g_1", "version": 5}}
    with service(
        items({"status": status, "code": code}), (200, JSON, json.dumps(after).encode())
    ) as (url, requests):
        assert MoveSender(Client(url)).play(VIEW, DRAW) == after
    [together, alone] = requests
    assert (together[1], alone[1].partition("?")[0]) == (
        "/v1/me/actions?legal_actions=grouped",
        "/v1/games/g_1/actions",
    )
    [item] = json.loads(together[3])["items"]
    assert (item["game"], item["if_match"], item["action"]) == ("g_1", 4, DRAW)
    assert item["key"] == alone[2]["Idempotency-Key"]


def test_a_refused_move_raises_in_its_own_thread():
    with (
        service(
            items({"status": 409, "code": "route-taken", "detail": "by seat 1", "rule": "4"})
        ) as (url, _),
        pytest.raises(Problem, match="409 route-taken") as refused,
    ):
        MoveSender(Client(url)).play(VIEW, DRAW)
    assert refused.value.body["rule"] == "4"


class Slow(Client):
    """A client whose first request with many moves takes until all others wait."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.sizes, self.first, self.go_on = [], threading.Event(), threading.Event()

    def do_many_once(self, items):
        self.sizes.append(len(items))
        self.first.set()
        assert self.go_on.wait(60)
        return self.results_of(items)

    def results_of(self, items):
        return super().do_many_once(items)

    def play_all(self, moves: list[tuple]) -> list[Future]:
        """Play moves, each in a thread of its own, of which the first begins."""
        sender = MoveSender(self)
        with ThreadPoolExecutor(len(moves)) as threads:
            results = [threads.submit(sender.play, *moves[0])]
            assert self.first.wait(60)
            results += [threads.submit(sender.play, *move) for move in moves[1:]]
            while len(sender._waiting) < len(moves) - 1:
                pass
            self.go_on.set()
        return results


def test_moves_that_come_during_a_request_share_the_next_one():
    class Answered(Slow):
        def results_of(self, items):
            return [{"status": 200, "game": item["game"]} for item in items]

    client, numbers = Answered("http://127.0.0.1:9"), range(MAX_MOVES + 7)
    played = client.play_all([(VIEW | {"id": f"g_{n}"}, DRAW) for n in numbers])
    assert [one.result()["game"] for one in played] == [f"g_{n}" for n in numbers]
    assert client.sizes == [1, MAX_MOVES, 6]


@pytest.mark.parametrize(
    ("note", "status"),
    [("x" * 100_000, 413), ("\ud800", 400)],
    ids=["too long for any request", "no Unicode"],
)
def test_a_move_that_spoils_a_shared_request_is_refused_alone(stack, note, status):
    ann = Client(stack.url).sign_up("Ann")
    wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    games = [ann.post("/v1/games", wish)["id"] for _ in range(3)]
    bob = Client(stack.url).sign_up("Bob")
    for game in games:
        bob.post(f"/v1/games/{game}/seats", {})
    views = [ann.view(game) for game in games]
    moves = [(view, view["you"]["legal_actions"][0]) for view in views]
    client = Slow(stack.url, ann.token)
    results = client.play_all([*moves[:2], (views[2], moves[2][1] | {"note": note})])
    assert [one.result()["view"]["id"] for one in results[:2]] == games[:2]
    with pytest.raises(Problem) as refused:
        results[2].result()
    assert (refused.value.status, client.sizes) == (status, [1, 2])
    played = [
        [
            entry["action"]
            for entry in ann.get(f"/v1/games/{game}/events")["items"]
            if entry.get("seat") == 0
        ]
        for game in games
    ]
    assert played == [[moves[0][1]], [moves[1][1]], []]


def test_every_move_of_many_threads_is_played_once_though_connections_are_cut(stack):
    fates = ("well", "before", "after", "half", "well", "after", "before")
    ann = Client(stack.url).sign_up("Ann")
    games = [
        ann.post(
            "/v1/games",
            {
                "board": "usa",
                "seats": [{"player": "me"}, {"bot": "random"}],
                "options": {"first_seat": 0},
            },
        )["id"]
        for _ in range(4)
    ]
    with CuttingProxy(stack.url, lambda n: fates[n % len(fates)]) as proxy:
        client = Client(proxy.url, ann.token)
        sender = MoveSender(client)

        def played(game: str) -> list:
            ann.get(f"/v1/games/{game}/events", after=1, wait=20)  # the bot has its tickets
            view, results = ann.view(game), []
            while len(results) < 6:
                if actions := view["you"]["legal_actions"]:
                    view = sender.play(view, actions[0])["view"]
                    results.append((view["version"], actions[0]))
                else:
                    ann.get(f"/v1/games/{game}/events", after=view["version"], wait=10)
                    view = ann.view(game)
            return results

        with ThreadPoolExecutor(len(games)) as threads:
            all_played = [*threads.map(played, games)]
    for game, results in zip(games, all_played, strict=True):
        stored = [
            (entry["version"], entry["action"])
            for entry in ann.get(f"/v1/games/{game}/events")["items"]
            if entry.get("seat") == 0
        ]
        assert stored == results
        ann.post(f"/v1/games/{game}/actions", {"type": "resign"})
