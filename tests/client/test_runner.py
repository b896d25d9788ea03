"""The runner of bots over HTTP: how it finds its games. ``fogg bot run`` tests the rest."""

import time
from collections import defaultdict
from itertools import count

import pytest
from fogg_client import Bot, Client
from fogg_client.assignment import Assignment
from fogg_client.runner import AGAIN_AFTER_S, DEAD_AFTER_S, SHORTEST_SILENCE_S, dead_after, run

from service.redis.connection import connect
from service.times import in_ms, now_in_ms
from tests.proxies import CuttingProxy

PAGE = 50  # games on a page of the list
CLOCKS = "fogg:clocks"  # held by the process that acts for late seats
ON_LONDON = Assignment(board="london", against="random")


class First(Bot):
    def choose(self, view):
        return view["you"]["legal_actions"][0]


class Resigns(Bot):
    """Resigns at once, as a short game tells as much."""

    def choose(self, view):
        return {"type": "resign"}


class Watched(Client):
    """A client that keeps what it has asked of lists, and the streams that it has opened."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.asked: list[set[str]] = []
        self.streams: list[tuple[str | None, float]] = []  # after which id, and the silence

    def get(self, path, **query):
        self.asked.append(set(query))
        return super().get(path, **query)

    def stream(self, path, after=None, silence=None):
        self.streams.append((after, silence))
        return super().stream(path, after, silence)


def invited(stack, guest: Client, opponent: dict, **options) -> tuple[Client, str]:
    """Create a private game on London to which a guest is invited; return its host and its id."""
    host = Client(stack.url).sign_up("Host")
    seats = [opponent, {"invite": guest.get("/v1/me")["id"]}]
    game = host.post(
        "/v1/games",
        {"board": "london", "seats": seats, "options": {"visibility": "private"} | options},
    )["id"]
    return host, game


def deadline_in(view: dict) -> str:
    return view["deciding"][0]["deadline"]


def played(client: Client, kind: type, assignment: Assignment) -> list[tuple[str, dict]]:
    """Return the events of a run, but for the creation of its games."""
    return [one for one in run(client, kind, assignment) if one[0] != "created"]


@pytest.mark.parametrize(
    ("limits", "seconds"), [([], 2), ([60, 10], 2), ([60, 4], 1), ([2, 60], 0.5), ([0.1], 0.5)]
)
def test_a_connection_counts_as_dead_after_a_quarter_of_the_shortest_decision(limits, seconds):
    assert dead_after(limits) == seconds


@pytest.mark.usefixtures("no_open_seats")
def test_a_silent_connection_is_noticed_well_within_a_short_decision(stack):
    class ResignsLater(First):
        def choose(self, view):
            return {"type": "resign"} if len(proxy.given_up) > 4 else super().choose(view)

    with CuttingProxy(stack.url, lambda n: "lost" if n % 4 == 3 else "well", lasts=3) as proxy:
        mine = Watched(proxy.url, Client(stack.url).sign_up("Guest").token)
        invited(stack, mine, {"bot": "random"}, clock={"per_decision": 2}, on_timeout="act")
        events = played(mine, ResignsLater, Assignment(open=True, board="london"))
    assert [event for event, _ in events] == ["joined", "over"]
    assert min(proxy.given_up) < DEAD_AFTER_S  # on a busy machine some may take longer
    (beginning, usual), (cursor, short) = mine.streams
    assert (beginning, usual, short) == (None, DEAD_AFTER_S, SHORTEST_SILENCE_S)
    assert cursor


@pytest.mark.usefixtures("no_open_seats")
def test_a_decision_that_comes_too_late_costs_no_more_than_that_decision(stack):
    """Nobody acts for the late seat until the bot was asked two more times."""
    asked, late = defaultdict(list), []
    mine = Client(stack.url).sign_up("Guest")

    class Late(First):
        def choose(self, view):
            version = view["version"]
            asked[version].append(time.monotonic())
            if not late and [row["decision"] for row in view["deciding"]] == ["turn"]:
                late.append(version)
                redis.set(CLOCKS, 1)
                while now_in_ms() - in_ms(deadline_in(mine.view(view["id"]))) < 100:
                    time.sleep(0.1)
            if version in late and len(asked[version]) == 3:
                redis.delete(CLOCKS)
            return super().choose(view)

    with connect(stack.redis.url) as redis:
        try:
            _, game = invited(
                stack, mine, {"bot": "random"}, clock={"per_decision": 2}, on_timeout="act"
            )
            events = played(mine, Late, Assignment(open=True, board="london"))
        finally:
            redis.delete(CLOCKS)
    assert [event for event, _ in events] == ["joined", "over"]
    _, second, third, *_ = asked[late[0]]
    assert third - second >= AGAIN_AFTER_S
    acted = mine.get(f"/v1/games/{game}/events", after=late[0], limit=1)["items"][0]
    assert acted["timed_out"]


@pytest.mark.parametrize("error", [LookupError("no luck"), SystemExit("no luck")])
def test_a_bot_that_cannot_be_made_for_a_game_loses_that_game_alone(stack, error):
    number = count()

    class Unlucky(Resigns):
        def __init__(self):
            if next(number) == 0:
                raise error

    mine = Client(stack.url).sign_up("Guest")
    (first, fault), (second, _) = played(mine, Unlucky, Assignment("london", "random", games=2))
    assert (first, second) == ("fault", "over")
    assert fault["resigned"]
    assert "Unlucky cannot be made" in fault["what"]
    assert f"{type(error).__name__}: no luck" in fault["what"]
    assert mine.view(fault["game"])["status"] == "finished"


def test_ctrl_c_ends_all_games(stack):
    class Stopped(First):
        def choose(self, view):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(Client(stack.url).sign_up("Guest"), Stopped, ON_LONDON)


def test_games_that_were_under_way_before_are_played_to_their_end_too(stack):
    mine = Client(stack.url).sign_up("Guest")
    host, game = invited(stack, mine, {"player": "me"})
    mine.post(f"/v1/games/{game}/seats", {})
    told = []
    for event, members in run(mine, First, ON_LONDON):
        told.append((event, members.get("game") == game))
        if event == "waiting":
            assert members == {"games": 1}
            host.post(f"/v1/games/{game}/actions", {"type": "resign"})
    assert told == [("created", False), ("over", False), ("waiting", False), ("over", True)]


def test_open_seats_are_found_on_every_page(stack):
    host = Client(stack.url).sign_up("Host")
    seats = [{"player": "me"}, {"open": True}, {"open": True}]
    made = [host.post("/v1/games", {"board": "usa", "seats": seats})["id"] for _ in range(PAGE + 1)]
    wanted = {made[0], made[-1]}  # one is on the last page
    client = Watched(stack.url, Client(stack.url).sign_up("Guest").token)

    class Choosy(Bot):
        @classmethod
        def decline(cls, game):
            return None if game["id"] in wanted else "generic"

    joined = set()
    try:
        for event, members in run(client, Choosy, Assignment(open=True, games=None, at_once=1000)):
            joined |= {members["game"]} if event == "joined" else set()
            if joined == wanted:
                break
    finally:
        host.delete("/v1/me")  # which calls the games off
    assert {"status", "joinable", "after"} in client.asked
    assert {"status", "joinable", "cursor"} not in client.asked
