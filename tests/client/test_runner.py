"""The runner of bots over HTTP: how it finds its games. ``fogg bot run`` tests the rest."""

from fogg_client import Bot, Client
from fogg_client.assignment import Assignment
from fogg_client.runner import run

PAGE = 50  # games on a page of the list


class Watched(Client):
    """A client that keeps what it has asked of lists."""

    asked: list[set[str]]

    def get(self, path, **query):
        """Return the JSON at a path."""
        self.asked.append(set(query))
        return super().get(path, **query)


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
