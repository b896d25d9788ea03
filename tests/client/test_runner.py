"""The runner of bots over HTTP: how it finds its games. ``fogg bot run`` tests the rest."""

import json

from fogg_client import Bot, Client
from fogg_client.assignment import Assignment
from fogg_client.runner import DEAD_AFTER_S, run

from service.times import in_ms
from tests.proxies import CuttingProxy

PAGE = 50  # games on a page of the list


class First(Bot):
    """Plays the first legal action."""

    def choose(self, view):
        """Return an action."""
        return view["you"]["legal_actions"][0]


class Watched(Client):
    """A client that keeps what it has asked of lists."""

    asked: list[set[str]]

    def get(self, path, **query):
        """Return the JSON at a path."""
        self.asked.append(set(query))
        return super().get(path, **query)


def test_a_bot_whose_connections_fall_silent_goes_on_within_its_time(stack):
    """Also the stream that tells it of its turns does."""
    fates = {4: "lost", 9: "lost", 14: "silent", 20: "lost"}
    host = Client(stack.url).sign_up("Host")
    with CuttingProxy(stack.url, lambda n: fates.get(n, "well"), lasts=3) as proxy:
        mine = Client(proxy.url, Client(stack.url).sign_up("Guest").token)
        game = host.post("/v1/games", {
            "board": "london", "seats": [{"bot": "random"}, {"open": True}],
            "options": {"clock": {"per_decision": 10}, "visibility": "private"}})["id"]
        host.post(f"/v1/games/{game}/invitations", {"player": mine.get("/v1/me")["id"]})
        events = run(mine, First, Assignment(open=True, board="london"))
        [over] = [members for event, members in events if event == "over"]
        assert proxy.connections > max(fates)
    assert over["game"] == game
    history = Client(stack.url, mine.token).text(f"/v1/games/{game}/history")
    entries = [json.loads(line) for line in history.splitlines()]
    waits = [in_ms(entry["arrived"]) - in_ms(entry["available"]) for entry in entries
             if entry.get("seat") == 1 and "arrived" in entry]
    assert max(waits) > 1000 * DEAD_AFTER_S  # a connection was silent
    assert not any("timed_out" in entry for entry in entries)


def test_open_seats_are_found_on_every_page(stack):
    host = Client(stack.url).sign_up("Host")
    seats = [{"player": "me"}, {"open": True}, {"open": True}]
    made = {host.post("/v1/games", {"board": "usa", "seats": seats})["id"]
            for _ in range(PAGE + 1)}
    client = Watched(stack.url, Client(stack.url).sign_up("Guest").token)
    client.asked = []
    joined = set()
    try:
        for event, members in run(client, Bot, Assignment(open=True, games=None, at_once=1000)):
            joined |= {members["game"]} if event == "joined" else set()
            if joined >= made:
                break
    finally:
        host.delete("/v1/me")  # which calls the games off
    assert {"status", "after"} in client.asked
    assert {"status", "cursor"} not in client.asked
