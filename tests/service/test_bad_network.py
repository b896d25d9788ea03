"""Games over a network that cuts, delays and repeats at random, while the service is killed."""

import random
import socket
import threading
import time
from urllib.parse import urlsplit

import pytest
from fogg_client.client import Client
from fogg_client.problems import Problem

from service.operation.stack import Stack
from tests.mending import mended
from tests.proxies import CuttingProxy

FATES = ("before", "after", "half", "twice", "late", "well", "well", "well")
ACTIONS = 90  # of a game, then somebody resigns
KILLS = 3


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("network"), workers=0, web=2) as running:
        yield running


class Player(threading.Thread):
    """Plays one seat of a game over a bad network, and also follows the game on a stream."""

    def __init__(self, client: Client, game: str, seat: int):
        super().__init__(daemon=True)
        self.client, self.game, self.seat = client, game, seat
        self.answered: list[dict] = []  # the entries that its actions were answered with
        self.heard: list[dict] = []
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self) -> None:
        self.heard.extend(self.client.entries(self.game))

    def run(self) -> None:
        chance = random.Random(self.seat)
        view = self.client.view(self.game)
        while view["status"] != "finished":
            actions = view["you"]["legal_actions"]
            if not actions:
                self.client.get(f"/v1/games/{self.game}/events", after=view["version"], wait=0.5)
                view = self.client.view(self.game)
                continue
            action = {"type": "resign"} if view["version"] > ACTIONS else chance.choice(actions)
            try:
                answer = self.client.play(view, action)
            except Problem as problem:
                if problem.code != "stale-version":  # both choose their first tickets at once
                    raise
                view = problem.body["view"]
                continue
            self.answered += answer["entries"]
            view = answer["view"]


def test_no_action_is_lost_or_played_twice_on_a_bad_network(stack):
    chance = random.Random(7)
    with CuttingProxy(stack.url, lambda _: chance.choice(FATES), lasts=1.5) as proxy:
        people = [Client(proxy.url, patience=60).sign_up(name) for name in ("Ann", "Bob")]
        wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
        game = people[0].post("/v1/games", wish)["id"]
        people[1].post(f"/v1/games/{game}/seats", {})
        players = [Player(client, game, seat) for seat, client in enumerate(people)]
        for player in players:
            player.start()
        for _ in range(KILLS):
            time.sleep(1.5)
            stack.web.kill()
            with mended(stack, "web"):
                pass
        for player in players:
            player.join(120)
            player.listener.join(30)
            assert not player.is_alive()
            assert not player.listener.is_alive()
        assert len(people[0].get("/v1/games", player="me")["items"]) == 1
    history = Client(stack.url).get(f"/v1/games/{game}/events")["items"]
    hashes = [entry["hash"] for entry in history]
    assert [entry["version"] for entry in history] == list(range(1, len(history) + 1))
    for player in players:
        assert [entry["hash"] for entry in player.heard] == hashes
        mine = [entry["hash"] for entry in history if entry.get("seat") == player.seat]
        assert [entry["hash"] for entry in player.answered] == mine
    assert proxy.connections > ACTIONS


def test_half_open_connections_and_unread_streams_keep_nobody_from_playing(stack):
    at = urlsplit(stack.url)
    ann = Client(stack.url).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": [
        {"player": "me"}, {"open": True}]})["id"]
    beginnings = (b"", b"GET /v1/boards HTT", b"POST /v1/players HTTP/1.1\r\nHost: x\r\n",
                  b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: 90\r\n\r\n{\"na",
                  f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\n"
                  f"Accept: text/event-stream\r\n\r\n".encode())
    held = []
    try:
        for number in range(200):
            connection = socket.create_connection((at.hostname, at.port), 5)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            connection.sendall(beginnings[number % len(beginnings)])
            held.append(connection)
        bob = Client(stack.url, patience=10).sign_up("Bob")
        view = bob.post(f"/v1/games/{game}/seats", {})
        view = bob.play(view, view["you"]["legal_actions"][0])["view"]
        assert ann.view(game)["version"] == view["version"]
    finally:
        for connection in held:
            connection.close()


@pytest.mark.parametrize("name", [
    "Host", "X-Request-Id", "Idempotency-Key", "Last-Event-ID", "X-Forwarded-For"])
def test_no_header_is_carried_into_an_answer(stack, name):
    """Line ends in a header's value cannot be sent; what can be must not come back as another."""
    at = urlsplit(stack.url)
    with socket.create_connection((at.hostname, at.port), 5) as connection:
        host = b"" if name == "Host" else b"Host: x\r\n"
        connection.sendall(b"GET /v1/me HTTP/1.1\r\n" + host + name.encode()
                           + b": a%0d%0aSet-Cookie: b=c\rSet-Cookie: d=e\r\n"
                           b"Connection: close\r\n\r\n")
        answer = b""
        while data := connection.recv(65536):
            answer += data
    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith((b"http/1.1 4", b"http/1.0 4"))
    assert b"set-cookie" not in head
