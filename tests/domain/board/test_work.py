"""Rule 9.7 on anybody's board: no table of new games asks for views, lists of actions or scores
without bounds. The worst tables are made here; their work is counted, not timed."""

import json
from cProfile import Profile
from itertools import combinations
from random import Random

import jsonschema
import networkx as nx
import orjson
import pytest

from domain import network
from domain.board.reading import ACTIONS, CHOICES, OFFERED, ROUTES
from domain.boards import FOLDER, boards_by_digest, check, load, load_folder, parse
from domain.errors import BrokenTable
from domain.game.commands import DrawTickets
from domain.game.legal import legal_actions
from domain.game.scoring import results
from domain.game.view import view
from domain.rules.stations import most_choices
from tests.domain.given import after, given
from tools.generators.board_schema import schema

BYTES = 1_000_000  # of an answer at most
RING = [(n, (n + step) % 100) for step in (1, 7, 13) for n in range(100)][:250]
PAIRS = Random(1).sample([*combinations(range(100), 2)], 200)
COLORS = ["blue", "white", "red", *(f"color-{n:02}".ljust(40, "x") for n in range(16))]
STATIONS = {"rules": ["stations"], "stations": 1}


def worst(edges=RING, lengths=(3,), colors=COLORS, tickets=PAIRS, **members) -> dict:
    """The table of a map with the longest ids; lengths and colours of routes come in turn."""
    places = [f"place-{n:02}".ljust(40, "x") for n in range(max(map(max, edges)) + 1)]

    def ends(pair: tuple[int, int]) -> dict:
        return {"a": places[min(pair)], "b": places[max(pair)]}

    return {
        "board": "worst",
        "name": "Worst",
        "players": {"least": 2, "most": 2},
        "trains": 99,
        "cards": dict.fromkeys(COLORS, 12) | {"wild": 30},
        "hand": 3,
        "points": {str(n): n for n in range(1, 100)},
        "doubles_closed_for": [],
        "tickets_at_start": {"deal": 2, "keep": 1},
        "tickets_on_a_turn": {"deal": 10, "keep": 1},
        "rules": [],
        "tie_breaks": [],
        "locations": [
            {"id": place, "name": place, "lat": n // 10, "lon": n % 10}
            for n, place in enumerate(places)
        ],
        "routes": [
            ends(pair) | {"length": lengths[n % len(lengths)], "color": colors[n % len(colors)]}
            for n, pair in enumerate(edges)
        ],
        "tickets": [ends(pair) | {"points": 1 + n % 9} for n, pair in enumerate(tickets)],
    } | members


@pytest.mark.parametrize(
    "table",
    [
        worst(colors=["grey", *COLORS[:4]]),
        worst(lengths=(7,), colors=COLORS[:3], rules=["flags"]),
        worst(colors=["grey", *COLORS], **STATIONS),
    ],
    ids=["payments", "flags", "stations"],
)
def test_9_7_the_longest_lists_of_actions_and_their_views_stay_below_a_megabyte(table):
    board = parse(json.dumps(table), is_new=True, is_offered=True)
    listed = [rule.table.listed(board) for rule in board.ruleset.in_force if rule.table.listed]
    state = given(2, board=board, hands={0: board.cards}, tickets={0: [*board.ticket_index]})
    draws = len(set(state.row)) + 2
    assert 3_000 < len(legal_actions(state, 0)) <= sum(listed) + draws <= ACTIONS + draws
    choosing = after(state, (0, DrawTickets()))
    assert len(legal_actions(choosing, 0)) == 2**OFFERED - 1
    for seen in (view(state, 0, sealed=False), view(choosing, 0, sealed=False), board.described):
        assert len(orjson.dumps(seen)) < BYTES


@pytest.mark.parametrize(("seats", "stations", "near"), [(2, 3, 12), (3, 3, 10), (5, 2, 25)])
def test_9_7_scoring_compares_no_more_choices_of_lent_routes_than_the_table_may_ask_for(
    seats, stations, near, monkeypatch
):
    """Stations are at hubs, the last seat has all routes, and no choice completes all tickets."""
    hubs = (seats - 1) * stations
    edges = [(hub, hubs + spoke) for hub in range(hubs) for spoke in range(near)]
    tickets = [*combinations(range(hubs, hubs + near), 2)][:200]
    board = parse(
        json.dumps(
            worst(
                edges,
                tickets=tickets,
                players={"least": 2, "most": seats},
                **STATIONS | {"stations": stations},
            )
        )
    )
    state = given(
        seats,
        board=board,
        routes={seats - 1: [*board.route_index]},
        tickets={seat: [*board.ticket_index][seat::seats] for seat in range(seats)},
        stations={
            seat: [board.locations[seat * stations + n].id for n in range(stations)]
            for seat in range(seats - 1)
        },
    )
    joined, asked = network.connections, []
    monkeypatch.setattr(network, "connections", lambda pairs: asked.append(0) or joined(pairs))
    results(state)
    assert CHOICES / 3 < len(asked) <= most_choices(board) + 9 * seats
    assert most_choices(board) <= CHOICES


@pytest.mark.parametrize(("ends", "seed"), [(14, 1), (18, 54), (22, 30)])
def test_9_7_the_longest_path_of_the_most_routes_of_a_seat_is_a_matter_of_milliseconds(ends, seed):
    """The networks that defied the search most among a thousand at random."""
    degrees = [2 * ROUTES // ends + (n < 2 * ROUTES % ends) for n in range(ends)]
    graph = nx.random_degree_sequence_graph(degrees, seed=seed)
    lengths = Random(seed).choices((1, 2, 3), k=ROUTES)
    routes = [(*ends, n) for ends, n in zip(graph.edges(), lengths, strict=True)]
    (profile := Profile()).runcall(network.longest_trail_length, routes)
    assert sum(row.callcount for row in profile.getstats()) < 200_000


TABLE = json.loads((FOLDER / "europe.json").read_text(encoding="utf-8"))
OFFER, CARDS = {"deal": OFFERED + 1, "keep": 1}, TABLE["cards"]
COLORFUL = {"cards": {f"c{n}": 1 for n in range(12)} | CARDS}


@pytest.mark.parametrize(
    ("members", "reason", "is_in_schema"),
    [
        ({"tickets_on_a_turn": OFFER}, "tickets_on_a_turn: has 11 tickets at once, 10 are", True),
        (
            {
                "tickets_at_start": OFFER | {"deal": 8, "long": 3},
                "players": {"least": 2, "most": 2},
            },
            "tickets_at_start: has 11 tickets at once",
            False,
        ),
        ({"stations": 4}, "stations: has 11760 choices to compare in the scoring", False),
        ({"trains": 99}, "trains: has 46 routes in reach of one player, 40 are the most", False),
        (COLORFUL, "routes: has 5586 legal actions in a turn", True),
        (COLORFUL, "cards: has 21 entries, 20 are the most", True),
        ({"cards": CARDS | {"wild": 31}}, "cards: has 31 wilds, 30 are the most", True),
        ({"cards": CARDS | {"red": 405}}, "cards: has 503 cards, 500 are", False),
        ({"cards": {"x" * 41: 9} | CARDS}, "cards: has 41 bytes in a name, 40 are", True),
        ({"provenance": {"all": "x" * 100_000}}, "board: has 1", False),
    ],
)
def test_9_7_a_table_that_asks_for_more_is_refused_for_new_games_only(
    members, reason, is_in_schema, tmp_path
):
    path, table = tmp_path / "europe.json", TABLE | members
    path.write_text(json.dumps(table))
    assert jsonschema.Draft202012Validator(schema()).is_valid(table) is not is_in_schema
    for read in (check, load, lambda path: load_folder(path.parent)):
        with pytest.raises(BrokenTable) as refused:
            read(path)
        assert reason in " ".join(map(str, (refused.value, *refused.value.others)))
    assert parse(path.read_text()).digest in boards_by_digest([str(tmp_path)])
