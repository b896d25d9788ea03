"""Rule 1 on every board: its components; and the rules that its numbers are for: 2.1, 4.1, 4.2,
7.1, 7.2, and the tie-breaks of 7.4."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from domain.board.board import Board
from domain.board.parts import REMOVED, UNDER_THE_DECK
from domain.board.ruleset import Ruleset
from domain.boards import FOLDER, load_folder, parse
from domain.errors import BrokenTable
from domain.game.commands import ClaimRoute, DrawTickets
from domain.game.events import FinalTurnsBegan
from domain.game.fold import create
from domain.game.scoring import results
from domain.game.state import State
from domain.network import connections
from domain.rules import RULES
from domain.rules.ferries import wilds_of
from domain.rules.rule import Number, Rule
from domain.rules.tunnels import is_tunnel
from tests.domain.given import (
    BLIND,
    BOARDS,
    EUROPE,
    LONDON,
    PARIS,
    USA,
    after,
    changed,
    creation,
    dealt,
    given,
    happened,
    listed,
    refusal,
)

TENTH = BOARDS["usa-10th"]
TWELVE = dict.fromkeys(
    ("purple", "blue", "orange", "white", "green", "yellow", "black", "red"), 12
) | {"wild": 14}
BRITISHCARDS = dict.fromkeys(("blue", "green", "black", "pink", "yellow", "orange"), 6)
PARIS_CARDS = {"white": 8} | dict.fromkeys(("blue", "red", "yellow", "green", "violet"), 6)
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


@pytest.mark.parametrize(
    ("id", "components", "start", "refused", "turn", "rules", "closed", "sizes"),
    [
        (
            "usa",
            (range(2, 6), 45, 0, TWELVE, 4, 30, 0),
            (3, 0, 2),
            UNDER_THE_DECK,
            (3, 0, 1),
            {"longest_path"},
            {2, 3},
            (36, 100, 22),
        ),
        (
            "usa-10th",
            (range(2, 6), 45, 0, TWELVE, 4, 69, 0),
            (3, 0, 2),
            UNDER_THE_DECK,
            (3, 0, 1),
            {"longest_path"},
            {2, 3},
            (36, 100, 22),
        ),
        (
            "europe",
            (range(2, 6), 45, 3, TWELVE, 4, 46, 6),
            (3, 1, 2),
            REMOVED,
            (3, 0, 1),
            {"longest_path", "ferries", "tunnels", "stations"},
            {2, 3},
            (47, 101, 11),
        ),
        (
            "london",
            (range(2, 5), 17, 0, BRITISHCARDS | {"wild": 8}, 2, 20, 0),
            (2, 0, 1),
            UNDER_THE_DECK,
            (2, 0, 1),
            {"districts"},
            {2},
            (17, 44, 9),
        ),
        (
            "paris",
            (range(2, 5), 15, 0, PARIS_CARDS | {"wild": 8}, 2, 20, 0),
            (2, 0, 1),
            UNDER_THE_DECK,
            (2, 0, 1),
            {"flags"},
            {2},
            (16, 57, 25),
        ),
    ],
)
def test_1_every_board_has_the_components_and_rules_of_its_rulebook(
    id, components, start, refused, turn, rules, closed, sizes
):
    board = BOARDS[id]
    assert (
        board.players,
        board.trains,
        board.settings.get("stations", 0),
        board.cards,
        board.hand,
        len(board.tickets),
        sum(ticket.long for ticket in board.tickets),
    ) == components
    assert [
        (offer.deal, offer.long, offer.keep)
        for offer in (board.tickets_at_start, board.tickets_on_a_turn)
    ] == [start, turn]
    assert (board.refused_at_start, {*board.rules}, board.doubles_closed_for) == (
        refused,
        rules,
        closed,
    )
    assert board.settings.get("longest_path_bonus", 0) == 10 * ("longest_path" in rules)
    doubles = sum(route.twin is not None for route in board.routes) // 2
    assert (len(board.locations), len(board.routes), doubles) == sizes


@every_board
def test_1_a_route_gives_the_points_of_its_length(board):
    assert board.points.items() <= POINTS.items()
    assert set(board.lengths) <= set(board.points)
    assert max(board.points) == max(board.lengths)


def test_1_the_anniversary_board_is_the_usa_map_with_other_tickets():
    assert (TENTH.locations, TENTH.routes) == (USA.locations, USA.routes)
    assert {t.id for t in USA.tickets} <= {t.id for t in TENTH.tickets}
    assert TENTH.digest != USA.digest
    assert TENTH.described["routes"] == USA.described["routes"]


@every_board
def test_1_every_map_hangs_together_and_every_ticket_can_be_completed(board):
    group = connections((route.a, route.b) for route in board.routes)
    assert len({group[place.id] for place in board.locations}) == 1


@every_board
def test_4_2_the_two_tracks_of_a_double_are_equally_long_and_name_each_other(board):
    for i, route in enumerate(board.routes):
        if route.twin is not None:
            twin = board.routes[route.twin]
            assert (twin.twin, twin.a, twin.b, twin.length) == (i, route.a, route.b, route.length)
            assert twin.marks == route.marks


@every_board
def test_1_a_table_as_served_can_be_read_again(board):
    described = {
        name: value for name, value in board.described.items() if name not in ("id", "digest")
    }
    for routes in (described["routes"], described["tickets"]):
        for row in routes:
            assert row["id"].startswith(f"{row['a']}--{row['b']}")
    bare = (
        described
        | {"board": board.id}
        | {
            name: [
                {k: v for k, v in row.items() if k not in ("id", "twin")} for row in described[name]
            ]
            for name in ("routes", "tickets")
        }
    )
    again = parse(json.dumps(bare))
    assert (again.routes, again.tickets, again.locations, again.rules) == (
        board.routes,
        board.tickets,
        board.locations,
        board.rules,
    )


@every_board
@pytest.mark.parametrize("seats", range(7))
def test_1_a_game_is_for_as_many_players_as_the_board_says(board, seats):
    if seats in board.players:
        assert len(create(board, creation(seats)).seats) == seats
    else:
        assert refusal(State(board), None, creation(seats)) == ("1", "wrong-number-of-seats")


@every_board
def test_2_1_every_seat_is_dealt_the_hand_the_trains_and_the_tickets_of_the_board(board):
    for seats in board.players:
        state = dealt(seats, board=board)
        offer = board.tickets_at_start
        assert {sum(hand) for hand in state.hands} == {board.hand}
        assert {len(offered) for offered in state.offered} == {offer.deal + offer.long}
        assert (set(state.trains), set(state.points)) == ({board.trains}, {0})
        assert len(state.row) == 5
        wild = len(board.colors) - 1
        assert state.row.count(wild) < 3


@every_board
def test_5_1_as_many_tickets_are_drawn_on_a_turn_as_the_board_says(board):
    state = after(given(board=board), (0, DrawTickets()))
    assert len(state.offered[0]) == board.tickets_on_a_turn.deal
    assert refusal(state, 0, BLIND) == ("5.2", "wrong-decision")


@every_board
def test_4_1_every_route_can_be_claimed_with_wilds_and_scores_by_its_length(board):
    for i, route in enumerate(board.routes):
        state = given(board=board, hands={0: {"wild": route.length}}, deck="", discards={})
        claim = ClaimRoute(route.id, {"wild": route.length})
        assert claim in listed(state, 0, ClaimRoute)
        state = after(state, (0, claim))
        assert (state.owner(i), state.points[0]) == (0, POINTS[route.length])
        assert state.trains[0] == board.trains - route.length


@every_board
def test_4_2_the_second_track_closes_for_as_many_seats_as_the_board_says(board):
    first = next(i for i, route in enumerate(board.routes) if route.twin is not None)
    twin = board.routes[board.routes[first].twin]
    claim = ClaimRoute(twin.id, {"wild": twin.length})
    for seats in board.players:
        state = given(
            seats, board=board, routes={1: [board.routes[first].id]}, hands={0: {"wild": 6}}
        )
        assert (claim in listed(state, 0, ClaimRoute)) == (seats not in board.doubles_closed_for)


@every_board
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_7_1_the_end_is_triggered_with_two_or_fewer_trains_left(board, left):
    route = next(r for r in board.routes if r.length == 2 and not is_tunnel(r))
    state = given(board=board, hands={0: {"wild": 2}}, trains={0: left + 2})
    begun = happened(state, 0, ClaimRoute(route.id, {"wild": 2}), FinalTurnsBegan)
    assert begun == ([FinalTurnsBegan((1, 2, 0))] if left < 3 else [])


@every_board
def test_7_2_the_longest_path_gives_ten_points_on_the_boards_that_have_the_bonus(board):
    route = max(board.routes, key=lambda route: route.length)
    state = position(board, {1: [route.id]})
    bonus = 10 if board in (USA, TENTH, EUROPE) else 0
    assert [result["longest_path"] for result in results(state)] == [0, bonus, 0]


# 7.4


def position(
    board: Board, routes: dict | None = None, tickets: dict | None = None, seats: int = 3, **members
) -> State:
    """A position in which seats have no tickets but those named."""
    return given(
        seats,
        board=board,
        routes=routes or {},
        tickets=dict.fromkeys(range(seats), ()) | (tickets or {}),
        **members,
    )


def ranks(state: State) -> list[int]:
    return [result["rank"] for result in results(state)]


def parts(state: State, *names: str) -> list[tuple]:
    return [tuple(result[name] for name in names) for result in results(state)]


def with_points(state: State, points: dict[int, int]) -> State:
    """The position in which a rule of its own gives seats more points: a way to make totals equal
    without touching any other key."""
    given_points = Rule(
        name="given",
        numbers=(Number("given", "Points given."),),
        scores=lambda state, _numbers: {"given": [points.get(seat, 0) for seat in state.seats]},
    )
    board = replace(
        state.board, ruleset=Ruleset([*RULES, given_points], [*state.board.rules, "given"])
    )
    return changed(state, board=board)


@every_board
def test_7_4_the_most_points_win(board):
    ticket = min(board.tickets, key=lambda ticket: ticket.points)
    assert ranks(with_points(position(board), {1: 5, 2: 3})) == [3, 1, 2]
    state = position(board, tickets={0: (ticket.id,)})
    assert ranks(state) == [3, 1, 1]


@every_board
def test_7_4_among_equal_points_the_most_completed_tickets_win(board):
    """Seat 1 has completed a ticket, seat 0 has as many points and a longer path."""
    ticket, way = next(
        (ticket, (one, two))
        for ticket in board.tickets
        for one in board.routes
        for two in board.routes
        if {one.a, one.b} ^ {two.a, two.b} == {ticket.a, ticket.b}
        and one.twin is None
        and two.twin is None
    )
    long = [
        r
        for r in board.routes
        if r not in way and r.length == max(board.lengths) and r.twin is None
    ][:1]
    state = position(board, {0: [r.id for r in long], 1: [r.id for r in way]}, {1: (ticket.id,)})
    first, second, _ = [result["total"] for result in results(state)]
    most = max(first, second)
    state = with_points(state, {0: most - first, 1: most - second})
    assert [c for (c,) in parts(state, "tickets_completed")] == [0, 1, 0]
    assert results(state)[0]["total"] == results(state)[1]["total"]
    assert ranks(state) == [2, 1, 3]


@pytest.mark.parametrize(
    ("board", "expected"), [(USA, [2, 2, 1]), (TENTH, [3, 2, 1])], ids=["usa", "usa-10th"]
)
def test_7_4_usa_10th_the_longer_path_breaks_a_tie_and_usa_only_the_longest_of_all(board, expected):
    state = position(
        board,
        {
            0: ("calgary--helena", "portland--seattle"),
            1: ("dallas--el-paso", "dallas--houston"),
            2: ("duluth--toronto",),
        },
    )
    assert parts(state, "total", "tickets_completed", "longest_path_length") == [
        (8, 0, 4),
        (8, 0, 5),
        (25, 0, 6),
    ]
    assert ranks(state) == expected


ESSEN, ROMA, BRITISH = ("berlin--essen",), ("brindisi--roma",), ("edinburgh--london",)


@pytest.mark.parametrize(
    ("routes", "built", "more", "compared", "values", "expected"),
    [
        (
            {0: ESSEN, 1: ROMA, 2: BRITISH},
            0,
            {0: 4},
            ("stations",),
            [(14, 8), (14, 12), (29, 12)],
            [3, 2, 1],
        ),
        (
            {0: BRITISH, 1: ROMA},
            0,
            {1: 7 + 10 - 4 - 2},
            ("stations", "longest_path"),
            [(25, 8, 10), (25, 12, 0), (12, 12, 0)],
            [2, 1, 3],
        ),
        (
            {0: ESSEN, 1: (*ROMA, "roma--venezia", "venezia--zagrab")},
            1,
            {0: 16},
            ("tickets_completed", "stations"),
            [(30, 0, 12), (30, 1, 8), (12, 0, 12)],
            [2, 1, 3],
        ),
        (
            {0: ESSEN, 1: BRITISH},
            None,
            {0: 15},
            ("stations", "longest_path"),
            [(29, 12, 0), (29, 12, 10), (12, 12, 0)],
            [2, 1, 3],
        ),
        (
            {0: BRITISH, 1: ROMA, 2: ("kharkov--kyiv", "kharkov--moskva")},
            None,
            {1: 5},
            ("longest_path", "longest_path_length"),
            [(19, 0, 4), (19, 0, 2), (36, 10, 8)],
            [2, 2, 1],
        ),
        (
            {0: BRITISH, 1: ("kharkov--kyiv",)},
            None,
            {},
            ("longest_path",),
            [(29, 10), (29, 10), (12, 0)],
            [1, 1, 3],
        ),
    ],
    ids=[
        "the fewest stations used win",
        "stations come before the European Express",
        "completed tickets come before stations",
        "the European Express wins",
        "a longer path that is not the European Express breaks no tie",
        "equal seats share the victory",
    ],
)
def test_7_4_europe_among_equal_points(routes, built, more, compared, values, expected):
    """Seat ``built`` has used a station; ``more`` makes totals equal."""
    tickets = {1: ("brindisi--zagrab",)} if "tickets_completed" in compared else {}
    state = with_points(
        position(EUROPE, routes, tickets, stations={} if built is None else {built: ["roma"]}), more
    )
    assert parts(state, "total", *compared) == values
    assert ranks(state) == expected


@pytest.mark.parametrize(
    ("board", "routes"),
    [
        (
            LONDON,
            {
                0: ("baker-street--regents-park",),
                1: ("big-ben--waterloo", "charterhouse--st-pauls"),
            },
        ),
        (
            PARIS,
            {
                0: ("batignolles--montmartre",),
                1: ("bastille--notre-dame", "belleville--pere-lachaise"),
            },
        ),
    ],
    ids=["london", "paris"],
)
def test_7_4_london_and_paris_among_equal_tickets_the_rank_is_shared(board, routes):
    """Seats 0 and 1 have 2 points each, on paths of 2 and of 1."""
    state = position(board, routes)
    assert parts(state, "total", "longest_path_length") == [(2, 2), (2, 1), (0, 0)]
    assert ranks(state) == [1, 1, 3]


@every_board
def test_7_4_seats_that_are_equal_in_everything_share_a_rank_and_the_next_one_is_skipped(board):
    seats = board.players[-1]
    state = with_points(position(board, seats=seats), {0: 1})
    assert ranks(state) == [1] + [2] * (seats - 1)
    assert ranks(position(board, seats=seats)) == [1] * seats


# tables that do not hang together


@pytest.mark.parametrize(
    ("board", "member", "value", "reason"),
    [
        ("europe", "rules", ["longest_path", "tunnels", "stations"], "ferries is missing"),
        ("europe", "rules", ["longest_path", "ferries", "stations"], "tunnels is missing"),
        ("europe", "rules", ["longest_path", "ferries", "tunnels"], "stations is missing"),
        ("europe", "stations", 0, "stations is named, but the table has none"),
        ("london", "rules", [], "districts is missing"),
        ("london", "rules", ["districts", "tunnels"], "tunnels is named"),
        ("london", "rules", ["districts", "flags"], "flags needs the colours"),
        ("europe", "tickets_at_start", {"deal": 3, "long": 2, "keep": 2}, "too few to deal"),
        ("europe", "tickets_at_start", {"deal": 3, "long": 1, "keep": 5}, "from 1 to 4"),
        ("europe", "tickets_at_start", {"deal": 3, "keep": 2, "refused": "burnt"}, "no place for"),
    ],
)
def test_1_a_table_that_does_not_have_what_its_rules_speak_of_is_refused(
    board, member, value, reason
):
    table = json.loads((FOLDER / f"{board}.json").read_text(encoding="utf-8"))
    with pytest.raises(BrokenTable, match=reason):
        parse(json.dumps(table | {member: value}))


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("atlantis", "no table atlantis.json"),
        ("../usa", "single hyphens"),
        (7, "non-empty string"),
    ],
)
def test_1_a_table_whose_map_is_not_there_is_refused(value, reason):
    table = json.loads((FOLDER / "usa-10th.json").read_text(encoding="utf-8"))
    with pytest.raises(BrokenTable, match=reason) as refused:
        parse(json.dumps(table | {"map": value}))
    assert refused.value.where == "map"


def test_1_a_fault_of_a_map_is_named_with_its_table(tmp_path):
    usa = json.loads((FOLDER / "usa.json").read_text(encoding="utf-8"))
    usa["routes"][0]["length"] = 7
    (tmp_path / "usa.json").write_text(json.dumps(usa))
    (tmp_path / "usa-10th.json").write_text((FOLDER / "usa-10th.json").read_text("utf-8"))
    with pytest.raises(BrokenTable) as refused:
        parse((tmp_path / "usa-10th.json").read_text("utf-8"), tmp_path)
    assert refused.value.where == "usa.json routes[0].length"


def test_1_no_space_and_no_point_of_a_ticket_has_got_lost():
    """The sums that a slip in a table would change; as read from the tables."""
    totals = {
        board.id: (sum(board.lengths), sum(ticket.points for ticket in board.tickets))
        for board in load_folder().values()
    }
    assert totals == {
        "usa": (309, 349),
        "usa-10th": (309, 754),
        "europe": (300, 444),
        "london": (95, 108),
        "paris": (103, 90),
    }


def test_1_europe_has_its_tunnels_and_ferries():
    assert sum(map(is_tunnel, EUROPE.routes)) == 18
    assert Counter(wilds_of(route) for route in EUROPE.routes if wilds_of(route)) == {1: 9, 2: 4}
