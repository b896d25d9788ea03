"""A game of Europe by the tools of ``fogg mcp``, as a good player uses them, and the facts that
their texts state."""

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest
from fogg_client import Client

from cli.mcp.desk import Desk
from cli.mcp.planning import tunnel_text, unseen_cards
from cli.mcp.views import brief_text, claims_text, table_text
from domain.game.view import view as view_of
from tests.cli.legal_text import actions_in
from tests.cli.test_mcp import GAME, Model, Told, over, planned_on, through
from tests.domain.given import EUROPE, PARIS, given
from workers.bots import BOTS

MAX_CHARS = 45_000  # that a model reads in a game of Europe: all answers of all tools
SEED = f"{2:064x}"
TICKET = re.compile(r"^([a-z-]+) \((\d+)(?:, long)?\): alone \d+ trains; it adds (\d+)\.$", re.M)


class GoodPlayer:
    """Plays by the texts of the tools alone: it keeps the tickets that share routes, claims what
    the plan has, collects the colours that it lacks, and looks at its rival now and then."""

    def __init__(self, model: Model):
        self.model, self.texts = model, list[str]()
        self.calls = Counter()

    async def call(self, tool: str, **arguments) -> str:
        self.texts.append(await self.model.call(tool, **arguments))
        self.calls[tool] += 1
        return self.texts[-1]

    async def play(self, **game) -> str:
        """Play a game; return its last text."""
        await self.call("show_board", board=game["board"])
        said = await self.call("create_game", **game)
        self.game = GAME.search(said)[0]
        while "The game is over" not in said:
            if "Your decision: " not in said:
                said = await self.call("wait_for_turn", game=self.game)
                continue
            if self.calls["act"] % 16 == 15:
                await self.call("look", game=self.game)
            said = await self.call("act", game=self.game, **await self.choice(said))
            if "call plan for another" in said:
                await self.call("plan", game=self.game)
        return said

    async def choice(self, said: str) -> dict:
        actions = actions_in(said)
        by_type = {action["type"]: action for action in actions}
        if "keep_tickets" in by_type:
            return await self.kept([{*one["tickets"]} for one in actions])
        if "Your decision: turn" not in said:
            return (
                by_type.get("pay_tunnel")
                or by_type.get("withdraw_tunnel")
                or {"type": "draw_card", "card": "deck"}
            )
        plan = re.search(r"^Plan: .*", said, re.M)
        trains = int(re.search(r"\(you\).*? trains (\d+)", said)[1])
        if not plan and trains > 14 and "draw_tickets" in by_type:
            return {"type": "draw_tickets"}
        if claims := [one for one in actions if one["type"] in ("claim_route", "build_station")]:
            return max(claims, key=lambda one: sum(one["cards"].values()))
        if {"type": "draw_card", "card": "deck"} not in actions:
            return actions[-1]
        lacking = {*re.findall(r"(\w+) \d+(?:\+\d+)*[,)]", plan[0])} if plan else set()
        row = re.search(r"Row: (.*?)\.", said)[1].split(", ")
        hand = dict(re.findall(r"(\w+) (\d+)", re.search(r"Your hand: (.*)", said)[1]))
        row.sort(key=lambda card: (card not in lacking, -int(hand.get(card, 0))))
        cards = [
            card
            for card in row
            if card != "wild" and (card in lacking or "grey" in lacking or not plan)
        ] + ["deck", "deck"]
        return {"type": "draw_card", "card": cards[0], "second_card": cards[1]}

    async def kept(self, sets: list[set[str]]) -> dict:
        """Keep tickets that together take few enough trains."""
        tickets = max(sets, key=len)
        while True:
            said = await self.call("plan", game=self.game, tickets=[*tickets])
            trains, has = map(int, re.search(r" (\d+) trains .you have (\d+)", said).groups())
            fewer = [one for one in sets if one < tickets and len(one) == len(tickets) - 1]
            if trains <= 0.7 * has or not fewer:
                return {"type": "keep_tickets", "tickets": [*tickets]}
            worth = {
                ticket: int(points) / (int(adds) or 1)
                for ticket, points, adds in TICKET.findall(said)
            }
            tickets = max(fewer, key=lambda some: sum(worth.get(one, 0) for one in some))


def test_a_good_player_reads_little_in_a_game_of_europe_and_the_end_is_that_of_the_api(stack):
    """A game with the same calls took 66,500 characters, without the board."""
    desk = Desk(stack.url, lambda: Client(stack.url, patience=1).sign_up("model"))
    said, players = [], []

    async def talk(model: Model) -> None:
        players.append(GoodPlayer(model))
        said.append(await players[0].play(board="europe", opponents=["planner"], seed=SEED))

    through(desk, talk)
    [player] = players
    assert sum(map(len, player.texts)) <= MAX_CHARS
    assert player.calls["act"] > 30
    assert player.calls["plan"] > 1 < player.calls["look"]
    for seat in desk.client.view(player.game)["seats"]:
        [line] = re.findall(
            rf"^Rank {seat['result']['rank']}: seat {seat['seat']} .*$", said[0], re.M
        )
        result = {name: points for name, points in seat["result"].items() if points}
        assert f" with {result['total']} points (" in line
        assert all(
            f"{name.replace('_', ' ')} {result[name]}" in line
            for name in ("routes", "tickets", "longest_path", "stations")
            if name in result
        )
        assert {*re.findall(r"([a-z]+--[a-z]+) \(\d+(?:, long)?\)(?! failed)", line)} == {
            *seat["completed"]
        }
    desk.client.delete("/v1/me")


class Seer(Told):
    """A bot that compares the text of a table with the view."""

    def choose(self, view: dict) -> dict:
        lines = table_text(self._board, view).splitlines()
        ends = {route["id"]: {route["a"], route["b"]} for route in self._board["routes"]}
        for seat in view["seats"]:
            number = seat["seat"]
            [line] = [line for line in lines if line.startswith(f"Routes of seat {number}: ")]
            trails = re.findall(r"[a-z]+(?: - [a-z]+)+", line.partition(". Its")[0])
            steps = [
                {*step}
                for trail in trails
                for places in [trail.split(" - ")]
                for step in pairwise(places)
            ]
            assert sorted(map(sorted, steps)) == sorted(
                sorted(ends[one["route"]]) for one in view["claims"] if one["seat"] == number
            )
            stations = [one["location"] for one in view["stations"] if one["seat"] == number]
            assert ("Its stations: " + ", ".join(stations) in line) == bool(stations)
            [line] = [line for line in lines if line.startswith(f"Seat {number}, ")]
            known = ", ".join(f"{color} {n}" for color, n in seat["taken"].items())
            assert line.partition("known to hold: ")[2] == known
        return BOTS["planner"](self._board, self._random).choose(view)


class Rememberer(Told):
    """A bot that counts the cards that it has not seen."""

    def choose(self, view: dict) -> dict:
        unseen = unseen_cards(self._board, view)
        assert min(unseen.values()) >= 0
        assert unseen.total() == view["deck"] + sum(
            seat["cards"] - sum(seat["taken"].values())
            for seat in view["seats"]
            if seat["seat"] != view["you"]["seat"]
        )
        return BOTS["random"](self._board, self._random).choose(view)


def test_the_table_has_everybodys_routes_stations_and_cards_that_were_seen():
    over(EUROPE, *[Seer(EUROPE.described) for _ in range(3)])


@pytest.mark.parametrize("board", [EUROPE, PARIS], ids=lambda board: board.id)
def test_cards_not_seen_are_those_of_the_deck_and_of_others(board):
    over(board, *[Rememberer(board.described) for _ in range(2)])


def test_the_odds_of_a_tunnel_are_those_of_all_cards_that_may_lie_on_the_deck():
    state = given(
        2, board=EUROPE, hands={0: {"red": 3, "blue": 1, "wild": 2}}, discards={"red": 2, "wild": 1}
    )
    view = view_of(state, 0, sealed=True)
    cards = list(unseen_cards(EUROPE.described, view).elements())
    for paid, fits in (
        ({"red": 2}, {"red", "wild"}),
        ({"blue": 1, "wild": 1}, {"blue", "wild"}),
        ({"wild": 2}, {"wild"}),
        ({}, {"red", "wild"}),
    ):
        more = Counter(sum(card in fits for card in turned) for turned in combinations(cards, 3))
        odds = ", ".join(
            f"{n}: {more[n] / more.total():.0%}"
            for n in (1, 2, 3)
            if round(more[n] / more.total(), 2)
        )
        assert tunnel_text(EUROPE.described, view, paid) == f"cards more {odds}"
    assert "unknown" in tunnel_text(EUROPE.described, view | {"deck": 2}, {"red": 2})


FOUR = ["erzurum--kobenhavn", "brindisi--zagrab", "roma--smyrna", "essen--marseille"]


def test_a_plan_builds_as_few_stations_as_its_trains_allow():
    theirs = {1: ["essen--kobenhavn", "roma--venezia"]}
    state = given(2, board=EUROPE, hands={0: {"wild": 4}}, routes=theirs)
    first, *lines = planned_on(state, *FOUR)
    assert first.startswith(
        "4 tickets together: 12 routes to claim, 30 trains (you have 45), 1 station, "
    )
    assert "a station in essen lends essen--kobenhavn" in lines
    assert "brindisi--zagrab (6): alone 11 trains; it adds 4." in lines
    assert lines[-1].startswith(
        "With more stations: 10 routes to claim, 26 trains (you have 45), 2 stations, "
    )
    assert lines[-1].endswith(
        "; a station in essen lends essen--kobenhavn; a station in roma lends roma--venezia."
    )
    state = given(2, board=EUROPE, routes=theirs, trains={0: 28})
    assert " 26 trains (you have 28), 2 stations, " in planned_on(state, *FOUR)[0]


def test_a_short_text_has_the_numbers_of_the_plan_and_the_claims_that_it_can_pay():
    state = given(
        2,
        board=EUROPE,
        hands={0: {"purple": 2, "white": 1, "yellow": 2, "black": 3, "red": 1, "wild": 3}},
        tickets={0: FOUR},
        routes={
            0: ["athina--brindisi", "berlin--essen", "marseille--roma"],
            1: ["essen--kobenhavn", "essen--frankfurt", "roma--venezia"],
        },
    )
    lines = brief_text(EUROPE.described, view_of(state, 0, sealed=True), is_short=True).splitlines()
    assert (
        "Plan: 9 routes to claim, 21 trains, 1 station, 9 cards missing "
        "(orange 1, green 3+2, white 1, grey 2)."
    ) in lines
    assert f"Your tickets: {', '.join(FOUR)}." in lines
    claims = [line for line in lines if line.startswith("claim_route")]
    assert [re.sub(r" \(cards more 1: .*?\)", " (odds)", line) for line in claims] == [
        "claim_route (serves a ticket): angora--erzurum for 3 black, athina--smyrna for 1 red + "
        "1 wild, marseille--zurich for 2 purple (odds), venezia--zagrab for 2 yellow"
    ]


def test_a_station_lends_one_route_to_the_tickets():
    brest = ["brest--marseille", "dieppe--madrid"]
    done = "Plan: your stations complete these tickets."
    for tickets, stations, said in (
        (brest[:1], ["brest"], done),
        (brest[1:], ["brest"], done),
        (brest, ["brest", "dieppe"], done),
        (brest, ["brest"], "Plan: 0 routes to claim, 0 trains, 1 station, 0 cards missing."),
    ):
        state = given(
            2,
            board=EUROPE,
            tickets={0: tickets},
            stations={0: stations},
            routes={
                0: ["marseille--paris", "brest--pamplona", "madrid--pamplona"],
                1: ["brest--paris", "brest--dieppe"],
            },
        )
        text = brief_text(EUROPE.described, view_of(state, 0, sealed=True), is_short=True)
        assert said in text.splitlines()
        assert ("claim_route (serves a ticket)" in text, "claim_route: " in text) == (
            False,
            said == done,
        )


def test_a_claim_of_a_rival_is_compared_with_the_plan():
    ways = {0: ["athina--sofia"], 1: ["kyiv--wilno"]}
    before, *after = [
        view_of(
            given(2, board=EUROPE, tickets={0: ["berlin--roma"]}, routes=routes), 0, sealed=True
        )
        for routes in (
            ways,
            ways | {1: ["kyiv--wilno", "berlin--wien"]},
            ways | {1: ["kyiv--wilno", "roma--venezia"]},
        )
    ]
    free = claims_text(EUROPE.described, before, after[0])
    assert free == ["Routes of seat 1: berlin - wien; kyiv - wilno."]
    lost, routes = claims_text(EUROPE.described, before, after[1])
    assert lost == "Your plan had roma--venezia: call plan for another."
    assert routes.startswith("Routes of seat 1: ")
