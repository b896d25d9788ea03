"""``fogg mcp``: language models play through a client of their protocol."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import anyio
import networkx as nx
import pytest
from click.testing import CliRunner
from fogg_client import Client

from cli.commands import fogg
from cli.mcp.actions import as_posted, legal_text
from cli.mcp.boards import board_text
from cli.mcp.desk import Desk
from cli.mcp.planning import paid_cards, plan_text, serving
from cli.mcp.views import brief_text, entry_text, full_text
from domain.boards import load_folder
from domain.game.commands import Player
from domain.game.state import SECOND_CARD
from domain.game.view import view as view_of
from domain.rules.tickets import completed_tickets
from tests.cli.legal_text import actions_in
from tests.domain.given import EUROPE, given
from tests.outside import BOARDS as OUTSIDE
from tests.workers.matches import new_game, play_out
from tools.generators.architecture import ROOT
from tools.ports import free_port
from workers.bots import BOTS

MCP = [sys.executable, "-m", "cli", "mcp"]
boards = pytest.mark.parametrize(
    "board", [*load_folder().values(), *OUTSIDE.values()], ids=lambda board: board.id
)
GAME = re.compile(r"g_[0-9a-f]{20}")


def spoken_to(server):
    """A client of a server; its package takes longer to import than all others of the tests."""
    from mcp import Client as ModelClient

    return ModelClient(server)


class Model:
    """Stands where a model would: calls tools, and knows nothing but the words that come back."""

    def __init__(self, client):
        self.client = client

    async def call(self, tool: str, **arguments) -> str:
        said = await self.client.call_tool(tool, arguments)
        assert not said.is_error, said
        return said.content[0].text

    async def refused(self, tool: str, **arguments) -> str:
        said = await self.client.call_tool(tool, arguments)
        assert said.is_error, said
        return said.content[0].text

    async def begin(self, board: str = "london") -> tuple[str, str]:
        said = await self.call("create_game", board=board, opponents=["random"])
        return GAME.search(said)[0], said


def through(desk: Desk, talk) -> None:
    """Connect a client to a desk in this process."""
    from cli.mcp.server import server_for

    async def run() -> None:
        async with spoken_to(server_for(desk)) as client:
            await talk(Model(client))

    in_a_thread(run)


def in_a_thread(work) -> None:
    """Run asynchronous work. It needs a thread of its own, as a browser that other tests have
    started keeps this one's loop."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, work).result()


def by_model(talk):
    """Make a test of what a model of a new account does; no seat of it stays open."""

    def test(stack) -> None:
        desk = Desk(stack.url, lambda: Client(stack.url, patience=1).sign_up("model"))
        through(desk, talk)
        desk.client.delete("/v1/me")

    return test


def over_stdio(folder, url: str, arguments: list[str], talk) -> None:
    """Connect a client to the command, started as clients start it."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def run() -> None:
        server = StdioServerParameters(
            command=MCP[0],
            args=[*MCP[1:-1], *arguments],
            cwd=ROOT,
            env=os.environ | {"FOGG_SERVER": url},
        )
        with (folder / "mcp.log").open("w") as log:
            async with spoken_to(stdio_client(server, errlog=log)) as client:
                await talk(Model(client))

    in_a_thread(run)


def test_a_model_plays_a_whole_game_as_docs_mcp_md_has_it_started(stack, tmp_path):
    page = (ROOT / "docs" / "mcp.md").read_text()
    shown = json.loads(page.partition("```json\n")[2].partition("```")[0])["mcpServers"]["fogg"]
    assert shown["command"].endswith("/.venv/bin/fogg")
    *arguments, token_file = shown["args"]
    file, games = tmp_path / Path(token_file).name, []

    async def talk(model: Model) -> None:
        told = await model.call("show_board", board="london")
        assert all(
            f"{ticket.id} ({ticket.points})" in told for ticket in load_folder()["london"].tickets
        )
        game, said = await model.begin()
        games.append(game)
        while "The game is over" not in said:
            if actions := actions_in(said):
                claims = [one for one in actions if one["type"] == "claim_route"]
                said = await model.call("act", game=game, **(claims or actions)[0])
            else:
                said = await model.call("wait_for_turn", game=game)

    over_stdio(tmp_path, stack.url, [*arguments, str(file)], talk)
    view = Client(stack.url, file.read_text().strip()).view(games[0])
    assert (view["status"], view["ending"]) == ("finished", "final_turns")
    assert view["seats"][view["you"]["seat"]]["result"]["routes"] > 0
    assert (tmp_path / "mcp.log").read_text().count("\n") == 1


class Told:
    """A bot that plays at random, and looks at what a model would be told."""

    def __init__(self, board: dict):
        self._board, self._random = board, Random(1)
        self.longest = 0

    def choose(self, view: dict) -> dict:
        text = brief_text(self._board, view)
        told = Counter(map(written, map(as_posted, actions_in(text))))
        assert told == Counter(map(written, view["you"]["legal_actions"]))
        short = actions_in(brief_text(self._board, view, is_short=True))
        assert {*map(written, map(as_posted, short))} <= told.keys()
        if view["version"] % 8 == 0:
            text = full_text(self._board, view)
        self.longest = max(self.longest, len(text))
        return BOTS["random"](self._board, self._random).choose(view)


def over(board, *bots, deal: int = 0):
    """Return the end of a game that bots have played."""
    seats = tuple((Player(f"p_{seat}", "model"), None) for seat in range(len(bots)))
    return play_out(new_game(board, seats, deal, 0), bots)


def written(action: dict) -> str:
    return json.dumps(
        {name: sorted(value) if name == "tickets" else value for name, value in action.items()},
        sort_keys=True,
    )


@boards
def test_all_legal_actions_are_listed_in_few_words(board):
    bots = [Told(board.described) for _ in range(2)]
    over(board, *bots)
    assert max(bot.longest for bot in bots) < 9000
    assert len(board_text(board.described)) < 9000


def ended(board, *, sealed: bool = False) -> dict:
    bots = [BOTS["greedy"](board.described, Random(seat)) for seat in range(2)]
    return view_of(over(board, *bots), 0, sealed=sealed)


@boards
def test_the_longest_paths_and_the_final_score_with_all_its_parts_are_shown(board):
    view = ended(board)
    told = brief_text(board.described, view | {"status": "playing"})
    assert [int(length) for length in re.findall(r"^Seat .*longest path (\d+)", told, re.M)] == [
        seat["result"]["longest_path_length"] for seat in view["seats"]
    ]
    told = brief_text(board.described, view)
    for seat in view["seats"]:
        [line] = re.findall(rf"^Rank \d: seat {seat['seat']} .*$", told, re.M)
        total, parts = re.search(r"with (-?\d+) points \((.*?)\)", line).groups()
        told_parts = {
            name.replace(" ", "_"): int(points)
            for name, points in re.findall(r"([a-z ]+?) (-?\d+)(?:, |$)", parts)
        }
        assert sum(told_parts.values()) == int(total) == seat["result"]["total"]
        assert {"routes", "tickets"} <= told_parts.keys() <= seat["result"].keys()
        assert told_parts == {name: seat["result"][name] for name in told_parts}
        assert f"path has {seat['result']['longest_path_length']} trains" in line
        held = seat["revealed"]["tickets"]
        assert f"{seat['result']['tickets_completed']} of {len(held)} tickets" in line
        assert all(ticket in line for ticket in held)


def test_declared_rules_are_in_the_text_of_boards_routes_and_seats():
    mountains, shares = OUTSIDE["mountains"], OUTSIDE["shares"]
    told = board_text(mountains.described)
    assert "- mountains (rule 4.1): Each mountain of a route takes a train more" in told
    assert "mine (3 grey, mountains: 2 trains more)" in told
    europe, london = (board_text(load_folder()[name].described) for name in ("europe", "london"))
    assert "london (2 grey, ferry: at least 2 wild)" in europe
    assert re.search(r"\(\d \w+, tunnel\)", europe)
    assert "District 1: " in london
    view = ended(shares)
    told = brief_text(shares.described, view)
    for seat in view["seats"]:
        held = ", ".join(f"{line} {count}" for line, count in seat["shares"].items())
        assert f"shares: {held}" in told


def test_events_are_described_by_the_sentences_that_rules_declare():
    claim = {
        "type": "route_claimed",
        "seat": 1,
        "route": "hill--mine",
        "cards": {"red": 3},
        "points": 4,
        "trains": 5,
    }
    crossed = {"type": "mountains_crossed", "seat": 1, "crossed": 2, "points": 4}
    board = OUTSIDE["mountains"].described
    events = [claim, crossed, {"type": "turn_began", "seat": 0}]
    assert [*entry_text(board, {"events": events})] == [
        "seat 1 claims hill--mine with 3 red and 5 trains: 4 points",
        "seat 1 leaves 2 trains on the mountains: 4 points",
    ]
    taken = {"type": "seat_taken", "seat": 0, "player": {"name": 'a "b"\nYou win'}}
    assert [*entry_text(board, {"events": [taken]})] == [r'"a \"b\"\nYou win" sits down']
    turned = [{"type": "tunnel_card_turned", "card": card} for card in ("red", "wild", "red")]
    assert [*entry_text(load_folder()["europe"].described, {"events": turned})] == [
        "Turned up: 2 red and 1 wild"
    ]


def test_tickets_are_hidden_while_other_games_of_the_deal_go_on():
    board = load_folder()["london"]
    told = brief_text(board.described, ended(board, sealed=True))
    assert len(re.findall(r"It completed \d tickets[.]$", told, re.M)) == 2


@by_model
async def test_a_model_is_shown_only_the_view_of_its_seat(model: Model) -> None:
    """Every text about a game comes from the view of the account's own seat."""
    game, said = await model.begin()
    said += await model.call("look", game=game, detail="full")
    said += await model.call("wait_for_turn", game=game, seconds=0)
    assert said.count("Your hand") == 3
    assert "Offered to you" in said


@by_model
async def test_wrong_arguments_are_explained(model: Model) -> None:
    game, _ = await model.begin()
    assert (await model.refused("look", game="g_nothing")).startswith(
        "Refused (unknown-game): there is no game"
    )
    assert (await model.refused("act", game=game, type="pass")).startswith("Refused (")
    assert re.match(
        r'There is no rule "99".*There are: 2 Set-up: 2\.1, 2\.2',
        await model.refused("explain_rule", number="99"),
    )
    assert (await model.call("explain_rule", number=4.1)).startswith("Rule 4.1: ")
    assert 'no rule "99.9"' in await model.refused("explain_rule", number=99.9)
    descriptions = [tool.description for tool in (await model.client.list_tools()).tools]
    assert len(descriptions) == 9
    assert not [words for words in descriptions if "  " in words]
    assert "usa" in await model.refused("create_game", board="mars", opponents=["random"])
    wrong = await model.refused("create_game", board="usa", opponents=["greedyy"])
    assert "opponents: Must be one of" in wrong
    said = await model.call("wait_for_turn", game=game)
    await model.call("act", game=game, **actions_in(said)[0])
    stale = await model.refused("act", game=game, type="resign", version=1)
    assert "Nothing was played" in stale
    assert f"Game {game}" in stale
    assert game in await model.call("find_games")


@by_model
async def test_arguments_of_a_wrong_kind_are_refused_in_words_of_our_own(model: Model) -> None:
    game, _ = await model.begin()
    for tool, arguments, said in [
        ("act", {"game": game, "type": "fly"}, "type should be one of 'draw_card', "),
        ("act", {"game": game}, "Refused: type is missing. Nothing was done."),
        (
            "look",
            {"game": game, "detail": "huge"},
            "detail should be one of 'brief', 'full' or 'notes', and \"huge\" is not",
        ),
        ("look", {"game": 7}, "Refused: game should be text, and 7 is not. Nothing was done."),
        ("act", {"game": game, "type": "pass", "wait": 99}, "wait should be 40 at most"),
        ("act", {"game": game, "type": "pass", "wait": -1}, "wait should be 0 at least"),
        (
            "act",
            {"game": game, "type": "claim_route", "cards": {"red": "two"}},
            'cards should be a whole number, and "two" is not',
        ),
        (
            "act",
            {"game": game, "type": "keep_tickets", "tickets": {"a": 1}},
            "tickets should be a list",
        ),
        ("create_game", {"board": "usa", "opponents": []}, "opponents should be 1 or more"),
        ("explain_rule", {"number": ["4.1"]}, "number should be text or a number, and"),
    ]:
        refusal = await model.refused(tool, **arguments)
        assert said in refusal
        assert not re.search("pydantic|validation|Input|Error executing", refusal)


async def at_a_turn(model: Model, board: str = "london") -> str:
    """Begin a game, keep tickets and wait; return the game, in which the model has a whole turn."""
    game, said = await model.begin(board)
    await model.call("act", game=game, **actions_in(said)[0])
    while "Your decision: turn" not in (said := await model.call("wait_for_turn", game=game)):
        pass
    return game


def test_seats_are_counted_as_in_the_service(stack):
    """A refusal, which is the service's, means the same seat as all other texts."""
    desk = Desk(stack.url, lambda: Client(stack.url, patience=1).sign_up("model"))
    other = Client(stack.url, patience=1).sign_up("other")

    async def talk(model: Model) -> None:
        said = await model.call("create_game", board="london", opponents=["open"])
        game = GAME.search(said)[0]
        assert 'Seat 0, "model" (you)' in said
        other.post(f"/v1/games/{game}/seats", {})
        said = await model.call("look", game=game)
        assert re.search(r"^Seat 0 \(you\): .*\nSeat 1: .*, tickets \d", said, re.M)
        said = await model.call("act", game=game, **actions_in(said)[0], wait=0)
        assert "The game waits for seat 1 (keep_tickets)" in said
        early = await model.refused("act", game=game, type="draw_tickets")
        assert "the game waits for seat 1." in early

    through(desk, talk)
    for client in (desk.client, other):
        client.delete("/v1/me")


@by_model
async def test_a_wrong_call_is_answered_with_what_would_be_right_and_plays_nothing(
    model: Model,
) -> None:
    game = await at_a_turn(model, "europe")
    before = await model.call("look", game=game)
    row = re.search(r"Row: (.*?)\.", before)[1]
    claim = {"type": "claim_route", "cards": {"red": 2}}
    for tool, arguments, said in [
        ("find_games", {}, '"game" is no argument of find_games: it takes board.'),
        ("look", {"details": "full"}, "did you mean detail: it takes game, detail."),
        ("act", {"type": "draw_tickets", "foo": 1}, '"foo" is no argument of act: it takes game, '),
        ("act", {"type": "draw_card", "second_crad": "deck"}, "act, did you mean second_card: it "),
        ("act", {"type": "pass", "second_card": "deck"}, "second_card"),
        ("act", {"type": "draw_tickets", "card": "deck"}, "draw_tickets: it takes type, note."),
        ("act", {"type": "draw_card", "route": "a--b"}, "it takes type, card, second_card, note."),
        ("act", {"type": "draw_tickets", "more": {"route": "a--b"}}, "route: Unknown field"),
        ("act", {"type": "draw_card", "second_card": "red"}, " card: Missing data"),
        ("act", {"type": "draw_card", "card": "wild", "second_card": "red"}, "wild ends the turn"),
        ("act", {"type": "draw_card", "card": "deck", "second_card": "wild"}, "could be deck, "),
        ("act", {"type": "draw_card", "card": "deck", "second_card": "Red"}, "could be deck, "),
        ("act", {"type": "draw_card", "card": "deck", "second_card": ""}, "could be deck, "),
        ("act", {"type": "draw_card", "card": "the row"}, f"In the row: {row}. Nothing has chang"),
        ("act", claim | {"route": "Venice-Roma"}, "Nearest: roma--venezia"),
        ("act", claim | {"route": "?"}, "Nearest: none. Nothing has changed."),
        ("act", claim | {"type": "build_station", "location": "Pari"}, "Nearest: paris"),
        ("act", claim | {"route": "roma--venezia", "cards": {}}, ", rule 4.1"),
        ("act", {"type": "pay_tunnel", "cards": {"red": 1}}, "wrong-decision, rule 4.4"),
        ("act", {"type": "withdraw_tunnel"}, "\n\nRule 4.4: "),
        ("act", {"type": "keep_tickets", "tickets": ["a--b"]}, "\n\nRule 5.2: "),
    ]:
        refusal = await model.refused(tool, game=game, **arguments)
        assert said in refusal
        assert re.search(r"Nothing (was done|has changed)\.", refusal)
    assert await model.call("look", game=game) == before
    draw = {"game": game, "type": "draw_card", "card": "deck"}
    assert "Your decision: second_card" in await model.call("act", **draw)
    assert "deck ends the turn" in await model.refused("act", **draw, second_card="deck")
    for tool in (await model.client.list_tools()).tools:
        assert tool.input_schema["additionalProperties"] is False


def test_a_board_says_which_tickets_are_long_and_how_many_are_offered_and_kept():
    told = board_text(EUROPE.described)
    long = [ticket.id for ticket in EUROPE.tickets if ticket.long]
    assert re.findall(r"([a-z-]+) \(\d+, long\)", told) == long
    assert "offered at the start: deal 3, long 1, keep 2 or more." in told
    assert "offered in a turn: deal 3, keep 1 or more." in told


def test_once_all_tickets_are_done_a_line_says_what_more_is_worth():
    def said(tickets: list[str], trains: int) -> list[str]:
        state = given(
            2,
            board=EUROPE,
            hands={0: {"red": 4, "wild": 1}},
            tickets={0: tickets},
            routes={0: ["brest--paris", "marseille--paris"]},
            trains={0: trains},
        )
        text = brief_text(EUROPE.described, view_of(state, 0, sealed=True), is_short=True)
        return re.findall(r"^All your tickets are done.*$", text, re.M)

    assert said(["brest--marseille", "london--wien"], 8) == said([], 8) == []
    assert said(["brest--marseille"], 8) == [
        "All your tickets are done. Worth more: petrograd--stockholm (points 21, cards missing 3); "
        "budapest--kyiv (points 15, cards missing 1); palermo--smyrna (points 15, cards missing 1)"
        "; the longest path (10); new tickets, but each that fails costs its points."
    ]
    [line] = said(["brest--marseille"], 2)
    assert line.count("points 2,") == 3


def planned(hand: dict[str, int], mine: tuple = (), theirs: tuple = ()) -> dict:
    """A view of seat 0 on usa with a ticket that takes two routes of four spaces."""
    return {
        "seats": [{"trains": 20}, {"trains": 45}],
        "you": {"seat": 0, "hand": hand, "tickets": ["calgary--phoenix"], "legal_actions": []},
        "claims": [
            {"route": route, "seat": seat}
            for seat, routes in enumerate((mine, theirs))
            for route in routes
        ],
    }


def test_a_plan_is_the_cheapest_open_way_with_what_lacks_for_it():
    usa = load_folder()["usa"].described
    text = plan_text(usa, planned({"red": 3, "wild": 1}), ["calgary--phoenix"])
    assert text.splitlines() == [
        "calgary--phoenix (13): 3 routes to claim, 13 trains (you have 20), 9 cards missing.",
        "calgary--helena (4 grey): 1 card missing",
        "denver--helena (4 green): 4 cards missing",
        "denver--phoenix (5 white): 4 cards missing",
    ]
    mine = ("calgary--helena", "denver--helena")
    assert "1 route to claim, 5 trains" in plan_text(
        usa, planned({"white": 5}, mine), ["calgary--phoenix"]
    )
    assert (
        {"denver--phoenix"}
        <= serving(usa, planned({}, mine)).keys()
        <= {"denver--phoenix", "denver--santa-fe", "phoenix--santa-fe"}
    )  # 2 and 3 trains: as many
    done = planned({}, (*mine, "denver--phoenix"))
    assert plan_text(usa, done, ["calgary--phoenix"]) == "calgary--phoenix (13) is done."
    assert serving(usa, done) == {}
    closed = [route["id"] for route in usa["routes"] if "phoenix" in (route["a"], route["b"])]
    lost = planned({}, theirs=tuple(closed))
    assert "no way is open" in plan_text(usa, lost, ["calgary--phoenix"])
    assert serving(usa, lost) == {}


@pytest.mark.parametrize(
    ("routes", "hand", "missing"),
    [
        (["3 grey 1"], {"green": 3}, [1]),
        (["2 grey 2"], {"green": 3}, [2]),
        (["3 grey 1"], {"green": 2, "wild": 1}, [0]),
        (["3 blue 1"], {"blue": 3, "red": 3}, [1]),
        (["3 grey 1", "2 blue 0"], {"blue": 3, "wild": 1}, [1, 0]),
        (["2 grey 2", "4 red 0"], {"wild": 2}, [0, 4]),
        (["3 grey 0", "2 grey 0", "2 grey 0"], {"red": 4, "blue": 3}, [0, 0, 0]),
    ],
)
def test_a_ferry_lacks_wilds_and_a_hand_is_spent_well(routes, hand, missing):
    way = [
        {"length": int(length), "color": color, "ferry": int(wilds)}
        for length, color, wilds in map(str.split, routes)
    ]
    paid = paid_cards(way, hand)
    assert [
        route["length"] - sum(cards.values()) for route, cards in zip(way, paid, strict=True)
    ] == missing
    assert sum(map(Counter, paid), Counter()) <= Counter(hand)
    assert all(len(cards.keys() - {"wild"}) <= 1 for cards in paid)


def planned_on(state, *tickets: str) -> list[str]:
    return plan_text(state.board.described, view_of(state, 0, sealed=True), [*tickets]).splitlines()


@pytest.mark.parametrize(
    ("mine", "theirs", "says"),
    [
        ([], [], ["2 routes to claim, 5 trains", "harbour--market", "market--station"]),
        ([], ["market--station"], ["1 route to claim, 2 trains", "harbour--lake"]),
        (["hill--mine", "ford--mine"], [], ["1 route to claim, 2 trains", "harbour--hill"]),
        (["harbour--lake"], ["market--station", "abbey--station"], [" is done."]),
    ],
)
def test_a_ticket_with_several_ends_is_planned_for_the_best_of_them(mine, theirs, says):
    board = OUTSIDE["countries"]
    state = given(2, board=board, routes={0: mine, 1: theirs})
    first, *lines = planned_on(state, "harbour--mine")
    routes = [line.split()[0].removesuffix("--2") for line in lines]
    assert (says[0] in first, routes) == (True, says[1:])


def test_a_plan_for_several_tickets_counts_trains_and_cards_once():
    state = given(2, board=EUROPE, hands={0: {"black": 2}}, trains={0: 9})
    tickets = ["brest--petrograd", "paris--zagrab", "brest--venezia"]
    alone = [planned_on(state, ticket)[0] for ticket in tickets]
    first, *routes = planned_on(state, *tickets)
    counted = re.compile(r", (\d+) trains .you have 9.*, (\d+) cards missing")
    parts = [[*map(int, counted.search(one).groups())] for one in alone]
    trains, cards = map(int, counted.search(first).groups())
    assert first.startswith("3 tickets together: ")
    assert (trains, cards) < tuple(map(sum, zip(*parts, strict=True)))
    ids = [line.split()[0] for line in routes if re.search(r": \d+ card|: you have", line)]
    assert len(ids) == len(set(ids))
    assert sum("tunnel, cards more 1: 4" in line for line in routes) > 1
    for ticket, (fewest, _) in zip(tickets, parts, strict=True):
        assert any(
            re.fullmatch(rf"{ticket} .\d+(, long)?.: alone {fewest} trains; it adds \d+\.", line)
            for line in routes
        )


def test_a_plan_for_two_tickets_takes_as_few_trains_as_any():
    """Compare with all pairs of places at which the ways can meet and part."""
    board, chance = load_folder()["usa"], Random(45)
    for _ in range(20):
        routes = chance.sample([route.id for route in board.routes], 24)
        state = given(2, board=board, routes={0: routes[:8], 1: routes[8:]})
        lines = planned_on(state, *(one.id for one in chance.sample(board.tickets, 2)))
        if "2 tickets together" not in lines[0]:
            continue
        graph = nx.Graph()
        for number, route in enumerate(board.routes):
            if state.open >> number & 1 or state.owner(number) == 0:
                trains = 0 if state.owner(number) == 0 else route.length
                known = graph.get_edge_data(route.a, route.b, {"trains": trains})["trains"]
                graph.add_edge(route.a, route.b, trains=min(trains, known))
        far = dict(nx.all_pairs_dijkstra_path_length(graph, weight="trains"))
        (a, b), (c, d) = [line.split()[0].split("--")[:2] for line in lines if "alone" in line]
        fewest = min(
            [
                far[a][b] + far[c][d],
                *(
                    far[u][v] + far[w][u] + far[x][u] + far[y][v] + far[z][v]
                    for u in far[a]
                    for v in far[a]
                    for w, x, y, z in ((a, b, c, d), (a, c, b, d), (a, d, b, c))
                    if c in far[a]
                ),
            ]
        )
        assert f" {fewest} trains (you have" in lines[0]


def test_a_plan_says_which_station_saves_a_ticket():
    """Also where the station is built already, and another way is open."""
    theirs = [route.id for route in EUROPE.routes if "brest" in (route.a, route.b)]

    def planned_with(blocked=theirs, **members) -> tuple[str, str]:
        lines = planned_on(
            given(2, board=EUROPE, routes={1: blocked}, **members), "brest--petrograd"
        )
        return lines[0].removeprefix("brest--petrograd (20, long)"), lines[-1]

    lent = "station in brest lends brest--paris"
    trains = ": 5 routes to claim, 17 trains (you have 45)"
    assert planned_with()[1] == f"a {lent}"
    assert planned_with()[0].startswith(f"{trains}, 1 station, ")
    for blocked in (theirs, ["brest--paris"]):
        summary, last = planned_with(blocked, stations={0: ["brest"]})
        assert (summary[: len(trains) + 3], last) == (f"{trains}, 1", f"your {lent}")
    assert planned_with(stations={1: ["brest"]})[1].startswith("a station in paris lends ")
    used = {0: ["roma", "kyiv", "moskva"]}
    assert planned_with(stations=used)[0] == ": no way is open any more."


def test_a_short_text_names_a_station_once_all_else_of_the_plan_is_claimed():
    for mine, said in (
        ([], []),
        (["marseille--paris"], ["build_station (serves a ticket): brest for 1 red"]),
    ):
        state = given(
            2,
            board=EUROPE,
            hands={0: {"red": 2}},
            stations={1: ["roma"]},
            routes={
                0: mine,
                1: [route.id for route in EUROPE.routes if "brest" in (route.a, route.b)],
            },
            tickets={0: ["brest--marseille"]},
        )
        view = view_of(state, 0, sealed=True)
        assert [
            line
            for line in legal_text(EUROPE.described, view, is_short=True)
            if "build_station" in line
        ] == said
    line, *_ = [line for line in legal_text(EUROPE.described, view) if "build_station" in line]
    assert line == "build_station (serves a ticket) for 1 card (1 red): brest"
    assert legal_text(EUROPE.described, view)[-1].count(", ") == 44


def test_the_final_text_says_which_tickets_failed():
    """One seat of this game has failed two tickets, and a station completes one of another's."""
    bots = [BOTS["planner"](EUROPE.described, Random(seat)) for seat in range(3)]
    state = over(EUROPE, *bots, deal=3)
    told = brief_text(EUROPE.described, view_of(state, 0, sealed=False))
    failures = set()
    for seat in range(3):
        [text] = re.findall(rf"^Rank \d: seat {seat} .* tickets: (.*)\.$", told, re.M)
        done = completed_tickets(state, seat)
        assert {
            (one, "failed" in more) for one, more in re.findall(r"([a-z-]+) .\d+.([^,]*)", text)
        } == {(EUROPE.tickets[one].id, one not in done) for one in state.tickets[seat]}
        failures.add(text.count(" failed"))
    assert failures == {0, 2}


@by_model
async def test_a_route_in_reversed_order_is_claimed_under_its_own_id(model: Model) -> None:
    game, said = await model.begin()
    claims = []
    while not claims:
        actions = actions_in(said)
        claims = [
            one for one in actions if one["type"] == "claim_route" and one["route"].count("--") == 1
        ]  # not the second track of a double
        if actions and not claims:
            said = await model.call("act", game=game, **actions[0])
        elif not claims:
            said = await model.call("wait_for_turn", game=game)
    route = claims[0]["route"]
    reverse = "--".join(reversed(route.split("--")))
    assert "unknown-route, rule 4.1" in await model.refused(
        "act", game=game, type="claim_route", route="rome--london", cards={"red": 1}
    )
    said = await model.call("act", game=game, **claims[0] | {"route": reverse}, wait=0)
    assert f"claims {route} with" in said


@by_model
async def test_a_turn_of_two_cards_is_one_call_that_waits_for_the_next_turn(model: Model) -> None:
    game = await at_a_turn(model)
    draw = {"game": game, "type": "draw_card", "card": "deck"}
    said = await model.call("act", **draw, second_card="deck", note="short tickets")
    assert said.count("Played: ") == 2
    assert "Since then: seat 1" in said
    assert "Your decision: turn" in said
    [ticket] = re.findall(r"Your tickets: ([a-z-]+)", said)
    assert (await model.call("plan", game=game)).startswith(f"{ticket} (")
    assert await model.call("plan", game=game) == await model.call(
        "plan", game=game, tickets=[ticket]
    )
    assert "Yours are: " in await model.refused("plan", game=game, tickets=["a--b"])
    assert "Your decision: second_card" in await model.call("act", **draw)
    assert "Since then" not in await model.call("act", **draw, wait=0)
    await model.call("act", game=game, type="resign")
    notes = await model.call("look", game=game, detail="notes")
    assert re.fullmatch(r'Your notes:\nVersion \d: "short tickets"', notes)
    [line] = [line for line in (await model.call("find_games")).splitlines() if game in line]
    assert re.fullmatch(rf'{game} on london: "model" -?\d+, "random" -?\d+', line)
    assert "nothing to plan" in await model.refused("plan", game=game)


def test_without_planning_no_claim_is_marked():
    board = load_folder()["usa"]
    view = planned({"white": 5}) | {
        "you": planned({})["you"]
        | {
            "legal_actions": [
                {"type": "claim_route", "route": route, "cards": {"white": 5}}
                for route in ("denver--phoenix", "chicago--omaha")
            ]
        }
    }
    assert "serves" in legal_text(board.described, view)[0]
    for is_short in (True, False):
        assert legal_text(board.described, view, is_short=is_short, with_planning=False) == [
            "claim_route for 5 cards (5 white): chicago--omaha, denver--phoenix"
        ]


def test_sets_of_several_colours_are_named_as_they_are():
    ways = [
        {"red": 2},
        {"red": 1, "wild": 1},
        {"red": 1, "blue": 1},
        {"blue": 1, "wild": 1},
        {"red": 2, "blue": 2, "wild": 1},
        {"wild": 2},
    ]
    view = planned({}) | {
        "you": planned({})["you"]
        | {
            "legal_actions": [
                {"type": "claim_route", "route": "denver--phoenix", "cards": cards}
                for cards in ways
            ]
        }
    }
    text = legal_text(load_folder()["usa"].described, view, with_planning=False)
    said = [action["cards"] for action in actions_in("\n".join(["Legal actions:", *text]))]
    assert sorted(said, key=str) == sorted(ways, key=str)
    view["you"]["legal_actions"] = [
        {"type": "claim_route", "route": "denver--phoenix", "cards": {"red": n, "blue": 40 - n}}
        for n in range(1, 40)
    ]
    [line] = legal_text(load_folder()["usa"].described, view, with_planning=False)
    assert "1 red + 39 blue, 2 red + 38 blue, " in line
    assert line.endswith(", 19 more sets): denver--phoenix")


class Reader(Told):
    """A bot that counts what a model reads in a game, as ``act`` answers it."""

    read = 0

    def choose(self, view: dict) -> dict:
        if view["deciding"][0]["decision"] != SECOND_CARD:  # both cards are drawn by one call
            self.read += len(brief_text(self._board, view, is_short=True))
        return BOTS["planner"](self._board, self._random).choose(view)


def test_a_model_reads_little_in_a_long_game():
    """Before claims were sorted and a turn was one call, a game on usa took 96,000 characters;
    before a plan chose the claims and their payments, 44,000."""
    usa = load_folder()["usa"]
    readers = [Reader(usa.described) for _ in range(2)]
    over(usa, *readers)
    assert all(10_000 < reader.read < 25_000 for reader in readers)


@by_model
async def test_a_model_sees_the_games_in_which_it_is_its_turn(model: Model) -> None:
    game, said = await model.begin()
    waiting = GAME.search(await model.call("create_game", board="london", opponents=["open"]))
    lines = (await model.call("find_games")).splitlines()
    assert [line for line in lines if game in line] == [
        f'{game} on london, playing: "model", "random": your turn'
    ]
    assert [line for line in lines if waiting[0] in line] == [
        f'{waiting[0]} on london, lobby: "model", open'
    ]
    [keep, *_] = actions_in(said)
    await model.call("act", game=game, **keep)
    assert f"{game} on london, playing" in await model.call("find_games")


@by_model
async def test_a_model_may_choose_the_seed_and_the_clock_of_a_game(model: Model) -> None:
    game = {"board": "london", "opponents": ["random"], "seed": 64 * "7", "seconds": 600}
    one, other = [await model.call("create_game", **game) for _ in range(2)]
    assert re.search(r"Your decision: keep_tickets \(\d+ seconds left\)", one)
    hands = [re.search(r"Your hand: (.*)", said)[1] for said in (one, other)]
    assert hands[0] == hands[1]
    wrong = await model.refused("create_game", **game | {"seed": "7"})
    assert "Should be 32 bytes in hex" in wrong


def test_a_dead_service_is_reported():
    async def talk(model: Model) -> None:
        assert "cannot be reached" in await model.refused("find_games")
        assert "cannot be reached" in await model.refused("show_board", board="london")

    dead = "http://127.0.0.1:9"
    through(Desk(dead, lambda: Client(dead, "token", patience=0.2)), talk)


def test_it_is_served_over_http_too(stack, tmp_path):
    port = free_port()
    server = subprocess.Popen(
        [*MCP, "--server", stack.url, "--http", "--port", str(port)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )

    async def talk() -> None:
        async with spoken_to(f"http://127.0.0.1:{port}/mcp") as client:
            assert "You have no games" in await Model(client).call("find_games")

    try:
        assert f"http://127.0.0.1:{port}/mcp" in server.stderr.readline()
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert server.poll() is None
                time.sleep(0.05)
        in_a_thread(talk)
    finally:
        server.terminate()
        server.communicate(timeout=60)


def test_a_port_that_is_taken_is_reported():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = CliRunner().invoke(fogg, ["mcp", "--http", "--port", str(taken.getsockname()[1])])
    assert (said.exit_code, said.output.count("\n")) == (1, 1)
    assert said.output.startswith("Error: cannot listen on 127.0.0.1 port ")


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    said = CliRunner().invoke(fogg, ["mcp"])
    assert said.exit_code == 1
    assert said.output == "Error: this takes the package mcp: pip install 'mcp>=2.3,<3'\n"
