"""Rules of outside authors: what a rule may do to a claim, and that it holds together in whole
games. The rules are in tests/outside."""

import json
import re
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random

import orjson
import pytest

from domain.board.parts import GREY, WILD
from domain.board.shapes import truth
from domain.boards import parse
from domain.chance import Chance
from domain.codec import from_json
from domain.errors import BrokenTable, Refused
from domain.game.clock import action_for
from domain.game.commands import ClaimRoute, CreateGame, DrawCard, Fork, Resign
from domain.game.events import RouteClaimed, TurnBegan
from domain.game.fold import create, decide, evolve
from domain.game.legal import legal_actions
from domain.game.state import PLAYING, State
from domain.network import connections
from domain.rules import RULES, ruleset, settling, tickets
from domain.rules.forking import position_of
from domain.rules.rule import Attribute, Claims, Decision, InTable, Number, Rule
from domain.rules.tunnels import PayTunnel, WithdrawTunnel
from domain.secrecy import EVERYBODY, Member
from tests.domain.games import Game, random_game
from tests.domain.given import (
    BLIND,
    EUROPE,
    PARIS,
    USA,
    after,
    creation,
    given,
    happened,
    listed,
    refusal,
    take,
)
from tests.outside import BOARDS, load
from tests.outside.mountains.play import MountainsCrossed
from tests.outside.shares.play import SHARE, ShareOffered, ShareTaken, TakeShare

MOUNTAINS, SHARES, BARE = BOARDS["mountains"], BOARDS["shares"], BOARDS["bare"]
WILDS, FREIGHT, COUNTRIES = BOARDS["wilds"], BOARDS["freight"], BOARDS["countries"]
RIDGE = "hill--mine"  # 3 grey spaces and 2 mountains; the ridge line
COAST = "harbour--hill"  # 2 red spaces; the coast and the ridge line; bare
PLAIN = "market--station"  # 2 red spaces
CROSSING = ClaimRoute(RIDGE, {"red": 3})
CLAIM = ClaimRoute(COAST, {"red": 2})
every_board = pytest.mark.parametrize("board", BOARDS)


@cache
def games(name: str) -> list[Game]:
    """Fifty random games on a board, some of which a seat leaves."""
    board = BOARDS[name]
    return [
        random_game(
            board.players[seed % len(board.players)],
            seed,
            board=board,
            leaving=0.02 * (seed % 3 == 0),
        )
        for seed in range(50)
    ]


@every_board
def test_every_listed_action_is_accepted_and_the_stored_events_fold_to_the_same_states(board):
    events = BOARDS[board].ruleset.events
    for game in games(board):
        state = State(game.board)
        for played, entry in zip(game.states, game.entries, strict=True):
            state = evolve(state, [from_json(events, event) for event in entry["events"]])
            assert state == played
            for seat, _ in state.deciding():
                for action in legal_actions(state, seat):
                    decide(state, seat, action)


@every_board
def test_a_game_goes_on_from_any_position_of_another(board):
    for seed, game in enumerate(games(board)[:10]):
        under_way = [state for state in game.states if state.status == PLAYING]
        for origin in Random(seed).choices(under_way, k=5):
            position = orjson.loads(orjson.dumps(position_of(origin)))
            fork = Fork(origin.id, origin.version, "kept", position)
            seats = tuple((player, None) for player in origin.players)
            state = create(game.board, CreateGame("h", "p0", seats, bytes(32), fork=fork))
            assert state.deciding() == origin.deciding()
            for seat, _ in state.deciding():
                assert legal_actions(state, seat) == legal_actions(origin, seat)


def test_a_route_may_take_more_trains_than_its_length_and_then_the_event_says_how_many():
    state = given(board=MOUNTAINS, hands={0: {"red": 5}}, trains={0: 9})
    [claimed] = happened(state, 0, CROSSING, RouteClaimed)
    assert (claimed.points, claimed.trains) == (4, 5)
    [crossed] = happened(state, 0, CROSSING, MountainsCrossed)
    assert (crossed.crossed, crossed.points) == (2, 4)
    claim = after(state, (0, CROSSING))
    assert (claim.trains[0], claim.points[0]) == (4, 8)
    [plain] = happened(state, 0, CLAIM, RouteClaimed)
    assert plain.trains is None
    assert "trains" not in plain.as_json()


def test_a_route_needs_trains_for_its_mountains_too():
    for trains in (4, 5):
        state = given(board=MOUNTAINS, hands={0: {"red": 5}}, trains={0: trains})
        assert (CROSSING in legal_actions(state, 0)) == (trains == 5)
        assert trains == 5 or refusal(state, 0, CROSSING) == ("4.1", "too-few-trains")


def test_a_table_with_a_route_whose_mountains_take_too_many_trains_is_refused():
    with pytest.raises(BrokenTable, match="can never be claimed: a player has 4 trains"):
        load("mountains", trains=4)


def test_a_claim_holds_the_turn_until_its_seat_has_decided():
    held = after(given(board=SHARES, hands={0: {"red": 3}}), (0, CLAIM))
    assert held.deciding() == [(0, SHARE)]
    assert legal_actions(held, 0) == [TakeShare("coast"), TakeShare("ridge")]
    assert refusal(held, 1, TakeShare("coast")) == ("2.3", "not-your-turn")
    assert refusal(held, 0, CLAIM) == ("4.1", "wrong-decision")
    assert refusal(held, 0, TakeShare("valley")) == ("4.1", "no-such-share")
    assert decide(held, 0, TakeShare("ridge")) == [ShareTaken(0, "ridge"), TurnBegan(1)]
    assert action_for(legal_actions(held, 0)) == TakeShare("coast")  # if the seat is late
    assert after(held, (0, Resign())).deciding() == [(1, "turn")]


def test_where_nothing_is_to_be_decided_a_claim_ends_the_turn_at_once():
    state = given(board=SHARES, hands={0: {"red": 3}})
    assert not happened(state, 0, CROSSING, ShareOffered)
    assert after(state, (0, CROSSING)).deciding() == [(1, "turn")]


def test_a_route_may_take_no_wilds_and_be_paid_in_another_way():
    state = given(board=BARE, hands={0: {"red": 1, "blue": 4, "wild": 2}})
    claims = [action for action in listed(state, 0, ClaimRoute) if action.route == COAST]
    assert claims == [ClaimRoute(COAST, {"blue": 4})]
    assert after(state, (0, claims[0])).routes[0]
    for cards, code in (
        ({"red": 1, "wild": 1}, "no-wilds"),
        ({"blue": 3}, "wrong-cards"),
        ({"green": 4}, "cards-not-held"),
        ({}, "wrong-cards"),
    ):
        assert refusal(state, 0, ClaimRoute(COAST, cards)) == ("4.1", code)
    assert ClaimRoute(PLAIN, {"red": 1, "wild": 1}) in legal_actions(state, 0)


@pytest.mark.parametrize("board", [BARE, FREIGHT, BOARDS["express"]], ids=lambda board: board.id)
def test_exactly_the_listed_payments_of_a_route_are_accepted(board):
    """With every set of up to five cards; of those listed as any cards, with every colour."""
    sets = [
        Counter(cards)
        for count in range(6)
        for cards in combinations_with_replacement(board.colors, count)
    ]
    for seed in range(5):
        random = Random(seed)
        hand = {color: random.randrange(6) for color in board.colors}
        state = given(board=board, hands={0: hand})
        accepted = [
            (route.id, cards)
            for route in board.routes
            for cards in sets
            if is_accepted(state, ClaimRoute(route.id, cards))
        ]
        claims = [
            (claim.route, cards)
            for claim in listed(state, 0, ClaimRoute)
            for cards in (
                [
                    each
                    for each in sets
                    if each <= Counter(hand) and each.total() == claim.cards["any"]
                ]
                if "any" in claim.cards
                else [Counter(claim.cards)]
            )
            if cards.total() < 6
        ]
        assert {*map(str, accepted)} == {*map(str, claims)}


def is_accepted(state: State, claim: ClaimRoute) -> bool:
    """Whether seat 0 may claim a route so."""
    try:
        decide(state, 0, claim)
    except Refused:
        return False
    return True


def test_a_route_may_take_any_cards_which_are_listed_as_one_claim():
    state = given(board=FREIGHT, hands={0: {"blue": 2, "green": 1, "white": 3, "wild": 2}})
    claims = [claim for claim in listed(state, 0, ClaimRoute) if claim.route == COAST]
    assert claims == [ClaimRoute(COAST, {"wild": 2}), ClaimRoute(COAST, {"any": 3})]
    for cards, paid in (
        ({"any": 3}, {"blue": 2, "green": 1}),  # those of which it has the fewest
        ({"white": 1, "any": 2}, {"white": 1, "green": 1, "blue": 1}),
        ({"white": 2, "wild": 1}, {"white": 2, "wild": 1}),
    ):
        [claimed] = happened(state, 0, ClaimRoute(COAST, cards), RouteClaimed)
        assert claimed.cards == paid
        assert sum(after(state, (0, ClaimRoute(COAST, cards))).discards) == 3
    for cards, code in (
        ({"any": 2}, "unknown-card"),
        ({"any": 4}, "unknown-card"),
        ({"white": 4, "blue": -1}, "wrong-cards"),
        ({"mauve": 3}, "cards-not-held"),
        ({"blue": 3}, "cards-not-held"),
        ({"green": 2, "any": 1}, "cards-not-held"),
        ({"white": 2, "blue": 1, "any": 0}, "unknown-card"),
    ):
        assert refusal(state, 0, ClaimRoute(COAST, cards)) == ("4.1", code)
    assert refusal(state, 0, ClaimRoute(PLAIN, {"any": 3})) == ("4.1", "unknown-card")


@pytest.mark.parametrize(
    ("board", "route", "also"),
    [
        ("freight", COAST, "exactly 2 cards; you can also pay 3 any"),
        ("express", "abbey--lake", "exactly 3 cards; you can also pay 1 red + 2 express, "),
        ("freight", PLAIN, "exactly 2 cards"),
    ],
)
def test_a_wrong_payment_is_told_the_other_sets_that_would_be_right(board, route, also):
    state = given(board=BOARDS[board], hands={0: {"red": 9}})
    with pytest.raises(Refused, match=f"{re.escape(also)}.*") as refused:
        decide(state, 0, ClaimRoute(route, {"red": 9}))
    assert ("also" in str(refused.value)) == ("also" in also)


def test_a_second_kind_of_wild_pays_on_long_routes_only():
    state = given(board=BOARDS["express"], hands={0: {"red": 1, "express": 2, "wild": 1}})
    claims = listed(state, 0, ClaimRoute)
    assert [claim.cards for claim in claims if claim.route == "abbey--lake"] == [  # 3 red spaces
        {"red": 1, "express": 2},
        {"red": 1, "express": 1, "wild": 1},
        {"express": 2, "wild": 1},
    ]
    assert [claim.cards for claim in claims if claim.route == PLAIN] == [{"red": 1, "wild": 1}]
    assert refusal(state, 0, ClaimRoute("harbour--lake", {"express": 2})) == ("4.1", "no-express")
    face_up = given(board=BOARDS["express"], hands={0: {}}, row="express express wild red blue")
    twice = [(0, take("express"))] * 2
    assert after(face_up, *twice).deciding() == [(1, "turn")]


def test_any_cards_take_wilds_last_and_are_not_listed_for_a_hand_that_has_too_few():
    claim = ClaimRoute(COAST, {"any": 3})
    for hand, is_listed in (({"blue": 1, "wild": 1}, False), ({"blue": 1, "wild": 2}, True)):
        state = given(board=FREIGHT, hands={0: hand})
        assert (claim in legal_actions(state, 0)) == is_listed
        assert not is_listed or after(state, (0, claim)).hands[0] == (0,) * 6


def test_any_four_cards_for_each_that_is_missing_are_listed_in_few_actions():
    """As on a route of nine spaces in the north: one card, or four of any colours for it."""

    def other_sets(board, route):
        return [
            {color: route.length - fours, "any": 4 * fours}
            if fours < route.length
            else {"any": 4 * fours}
            for color in board.colors[:-1]
            for fours in range(1, route.length + 1)
            if route.color in (GREY, color)
        ]

    board = having(USA, other_sets=other_sets)
    state = given(board=board, hands={0: dict.fromkeys(board.colors, 4)})
    claims = listed(state, 0, ClaimRoute)
    assert len(claims) < 3000
    for claim in claims:
        decide(state, 0, claim)
    assert is_accepted(
        state, ClaimRoute("miami--new-orleans", {"red": 4, "blue": 3, "green": 4, "white": 1})
    )
    assert not is_accepted(state, ClaimRoute("miami--new-orleans", {"blue": 6, "red": 3}))


def no_wilds(_state, _seat, _route, claim):
    if WILD in claim.cards:
        raise Refused("no-wilds", "4.1", "not with wilds", "cards")


def some_wild(_state, _seat, _route, claim):
    if WILD not in claim.cards:
        raise Refused("no-wild", "4.1", "only with a wild", "cards")


def one_colour(_state, _seat, _route, claim):
    if len(claim.cards) > 1:
        raise Refused("two-colours", "4.1", "only one colour", "cards")


@pytest.mark.parametrize("check", [no_wilds, some_wild, one_colour])
def test_a_check_sees_the_cards_that_are_paid_for_any_in_lists_too_9_4(check):
    """Exactly what is listed is accepted, with any colours in place of ``any``."""
    board = having(PARIS, check=check, other_sets=lambda board, route: [{"any": route.length}])
    sets = [
        dict(Counter(cards))
        for count in (1, 2, 3)
        for cards in combinations_with_replacement(board.colors, count)
    ]
    for seed in range(6):
        random = Random(seed)
        state = given(
            board=board, hands={0: {color: random.randrange(3) for color in board.colors}}
        )
        claims = listed(state, 0, ClaimRoute)
        assert len({str(claim) for claim in claims}) == len(claims)
        for claim in claims:
            assert is_accepted(state, claim)
        for route in random.sample(board.routes, 12):
            for cards, keeps in product([*sets, {"any": route.length}], (None, True)):
                if is_accepted(state, ClaimRoute(route.id, cards, keeps)):
                    forms = (cards, {"any": route.length})
                    assert any(ClaimRoute(route.id, form, keeps) in claims for form in forms)


def test_a_set_that_is_named_twice_or_pays_anyway_is_listed_once():
    sets = [{"wild": 1, "any": 3}] * 8 + [{"wild": 2}]
    board = having(USA, other_sets=lambda _board, _route: sets)
    state = given(board=board, hands={0: {"red": 3, "wild": 3}})
    claims = [claim for claim in listed(state, 0, ClaimRoute) if claim.route == "duluth--omaha"]
    assert [claim.cards for claim in claims] == [
        {"red": 2},
        {"red": 1, "wild": 1},
        {"wild": 2},
        {"wild": 1, "any": 3},
    ]


@pytest.mark.parametrize(
    ("deck", "ways"),
    [
        ("green green red", [{"blue": 2}, {"blue": 1, "green": 1}, {"blue": 1, "wild": 1},
                             {"green": 1, "wild": 1}]),
        ("red blue yellow", [{"blue": 1}, {"green": 1}, {"wild": 1}]),
        ("wild white white", [{"blue": 1}, {"green": 1}, {"wild": 1}]),
    ],
)  # fmt: skip
def test_each_colour_laid_for_a_tunnel_asks_for_more_and_pays_it_4_4(deck, ways):
    board = having(EUROPE, other_sets=lambda _board, route: [{"any": route.length}])
    claim = ClaimRoute("erzurum--sochi", {"blue": 2, "green": 1})
    hand = {"blue": 4, "green": 2, "red": 3, "wild": 1}
    state = after(given(board=board, deck=deck, hands={0: hand}), (0, claim))
    assert legal_actions(state, 0) == [*map(PayTunnel, ways), WithdrawTunnel()]
    for way in ways:
        assert happened(state, 0, PayTunnel(way), RouteClaimed)
    assert refusal(state, 0, PayTunnel({"red": 1})) == ("4.4", "wrong-cards")
    with pytest.raises(Refused, match="blue or green or wild"):
        decide(state, 0, PayTunnel({"red": 1}))


def test_a_table_with_a_colour_called_any_is_refused_where_any_cards_pay():
    cards = {"any": 30, **FREIGHT.table["cards"]}
    with pytest.raises(BrokenTable, match="claiming needs another name for the colour any"):
        load("freight", cards=cards)
    assert load("mountains", cards=cards)


@pytest.mark.parametrize(
    ("routes", "points"),
    [
        ([], -3),  # the least of north 5, east 7, south 3
        (["harbour--lake"], 3),
        (["harbour--hill", "hill--mine"], 5),
        (["harbour--lake", "harbour--hill", "hill--mine"], 5),  # the best that is reached
        (["harbour--market", "market--station"], 7),
        (["harbour--market", "market--station", "ford--station", "harbour--lake"], 7),
    ],
)
def test_a_ticket_may_have_several_values_and_ends_in_countries(routes, points):
    state = given(board=COUNTRIES, tickets={0: ["harbour--mine"]}, routes={0: routes})
    numbers = tickets.scores(state, {})
    assert (numbers["tickets"][0], numbers["tickets_completed"][0]) == (points, points > 0)
    [ways] = [
        ticket["ways"]
        for ticket in COUNTRIES.described["tickets"]
        if ticket["id"] == "harbour--mine"
    ]
    assert [way["points"] for way in ways] == [3, 3, 5, 7, 7]
    assert not [ticket for ticket in USA.described["tickets"] if "ways" in ticket]


def test_both_ends_of_a_ticket_may_be_countries():
    """From the east, lake or not, to the south or the north."""
    for routes, points in (
        (["abbey--station"], 6),
        (["ford--mine"], 4),
        (["abbey--lake"], -4),
        (["ford--mine", "abbey--station"], 6),
    ):
        state = given(board=COUNTRIES, tickets={0: ["ford--lake"]}, routes={0: routes})
        assert tickets.scores(state, {})["tickets"][0] == points


def test_stations_lend_routes_for_the_most_points_of_tickets_with_several_values():
    def ways(board, ticket):
        [place] = Random(ticket.id).sample(board.locations, 1)
        return [(ticket.a, place.id, 1 + len(place.id))] if place.id != ticket.a else []

    rule = Rule(name="new", ways=ways)
    board = parse(
        json.dumps(EUROPE.table | {"rules": [*EUROPE.rules, "new"]}), rules=(*RULES, rule)
    )
    lent = 0
    for seed in range(8):
        state = random_game(3, seed, board=board).state
        for seat in state.seats:
            near = [
                [
                    (),
                    *(
                        {
                            (r.a, r.b)
                            for other in state.seats
                            if other != seat
                            for r in map(board.routes.__getitem__, state.routes[other])
                            if board.locations[place].id in (r.a, r.b)
                        }
                    ),
                ]
                for place in state.stations[seat]
            ]
            results = []
            for links in product(*near):
                group = connections([*settling.links(state, seat), *filter(None, links)])
                points = [
                    max(
                        [n for a, b, n in board.ways[t] if group[a] == group[b]],
                        default=-min(n for *_, n in board.ways[t]),
                    )
                    for t in state.tickets[seat]
                ]
                results.append((sum(points), sum(n > 0 for n in points)))
            numbers = ("tickets", "tickets_completed")
            assert tuple(state.results[seat][name] for name in numbers) == max(results)
            lent += max(results) > results[0]
    assert lent


@pytest.mark.parametrize(
    ("ticket", "says"),
    [
        ({"countries": {"west": 5}}, "needs one end of hill--mine in one of its countries"),
        ({"countries": {"north": 4}}, "needs one end of hill--mine in one of its countries"),
        ({"countries": {"north": 0}}, "should be a whole number"),
        ({"counties": {"north": 5}}, "unknown member counties"),
    ],
)
def test_a_table_with_a_wrong_mark_on_a_ticket_is_refused(ticket, says):
    with pytest.raises(BrokenTable, match=says):
        load(
            "countries",
            tickets=[*COUNTRIES.table["tickets"], {"a": "hill", "b": "mine", "points": 5} | ticket],
        )


@pytest.mark.parametrize("first", [BLIND, take("wild"), take("red")])
def test_a_face_up_wild_may_count_as_one_card(first):
    state = given(board=WILDS, hands={0: {}}, row="red wild wild blue green", deck="green " * 9)
    assert first in listed(state, 0, DrawCard)
    drawn = after(state, (0, first))
    assert drawn.deciding() == [(0, "second_card")]
    assert take("wild") in legal_actions(drawn, 0)
    done = after(drawn, (0, take("wild")))
    assert (done.deciding(), sum(done.hands[0])) == ([(1, "turn")], 2)
    assert WILDS.described["declared"]["draws"] == dict.fromkeys(WILDS.colors, 1)
    assert "draws" not in BARE.described["declared"]


def test_a_second_card_is_taken_if_only_wilds_are_left_that_count_as_one_card():
    left = {"row": "wild wild", "deck": "", "discards": {}}
    for board, deciding in ((WILDS, (0, "second_card")), (BARE, (1, "turn"))):
        state = given(board=board, hands={0: {}}, **left)
        assert after(state, (0, take("wild"))).deciding() == [deciding]


def test_a_rule_may_set_up_by_the_games_chance_after_the_tickets():
    pile = ["coast"] * 5 + ["ridge"] * 6 + ["valley"] * 7
    state = create(SHARES, creation(3))
    dealt = Chance(bytes.fromhex(state.seed), state.entropy).shuffled("shares/1", pile)
    assert [[*held] for held in state.shares] == [[line] for line in dealt[:3]]


def test_no_claim_on_a_board_of_ours_has_the_member_for_extra_trains():
    game = random_game(3, 1, board=USA)
    claims = [
        event
        for entry in game.entries
        for event in entry["events"]
        if event["type"] == "route_claimed"
    ]
    assert claims
    assert not [claim for claim in claims if "trains" in claim]
    assert not [route for route in USA.described["routes"] if "trains" in route]


def having(board, **claims):
    """Return a board with one more rule, which has these members about claims."""
    rule = Rule(name="new", claims=Claims(**claims))
    table = board.table | {"rules": [*board.rules, "new"]}
    return parse(json.dumps(table), rules=(*RULES, rule))


def touches_own(state, seat, route, _claim):
    """Refuse a route that touches none of the seat's own, as in the Old West."""
    ends = {end for pair in settling.links(state, seat) for end in pair}
    if ends and not ends & {route.a, route.b}:
        raise Refused("not-connected", "4.1", "the route touches none of yours", "route")


def takes_no_two_wilds(_route, cards):
    if cards.get(WILD) == 2:
        raise Refused("two-wilds", "4.1", "not with two wilds", "cards")


@pytest.mark.parametrize(
    "members",
    [
        {"check": touches_own},
        {"check_payment": takes_no_two_wilds},
        {"extra_trains": lambda route: -route.length * (route.color == GREY)},  # bullet trains
    ],
    ids=lambda members: next(iter(members)),
)
@pytest.mark.parametrize("table", [USA, EUROPE, PARIS], ids=lambda board: board.id)
def test_a_rule_with_one_member_about_claims_lists_what_is_accepted_4_1_9_2_9_4(table, members):
    board = having(table, **members)
    for seed in range(2):
        for state in random_game(2, seed, board=board).states:
            for seat in state.seats[: len(state.trains)]:
                used = sum(board.trains_taken[route] for route in state.routes[seat])
                assert state.trains[seat] == board.trains - used >= 0
            for seat, _ in state.deciding():
                for action in legal_actions(state, seat):
                    decide(state, seat, action)


def test_a_rule_that_is_not_in_force_refuses_no_claim():
    rule = Rule(name="new", claims=Claims(check=touches_own))
    state = given(
        board=parse(json.dumps(USA.table), rules=(*RULES, rule)),
        hands={0: {"red": 9}},
        routes={0: ["miami--new-orleans"]},
    )
    assert is_accepted(state, ClaimRoute("helena--omaha", {"red": 5}))


def test_a_tie_break_of_a_rule_that_is_not_in_force_decides_nothing():
    board = parse(json.dumps(USA.table | {"tie_breaks": ["globetrotter"]}), is_new=True)
    assert all(result["rank"] for result in random_game(2, 1, board=board).state.results)


ONE = truth("One.")


def member(name):
    """Return a member of a view, or of its seats."""
    return (Member(name, EVERYBODY, int, "One.", lambda *_: 1),)


@pytest.mark.parametrize(
    ("members", "name"),
    [
        ({"name": "ferries"}, "ferries"),
        ({"decides": {ClaimRoute: touches_own}}, "ClaimRoute"),
        ({"attributes": {"points": Attribute(7)}}, "points"),
        ({"seat_view": member("taken")}, "taken"),
        ({"numbers": (Number("routes", "Twice."),)}, "routes"),
        ({"numbers": (Number("total", "The sum."),)}, "total"),
        ({"decisions": {"turn": Decision((), "1", "play", listed)}}, "turn"),
        *(({"table": InTable(members={name: ONE})}, name) for name in ("trains", "map", "digest")),
        *(({"table": InTable(location={name: ONE})}, name) for name in ("lat", "id")),
        *(({"table": InTable(route={name: ONE})}, name) for name in ("length", "twin", "trains")),
        *(({"table": InTable(ticket={name: ONE})}, name) for name in ("points", "ways", "set")),
        *(({"view": member(name)}, name) for name in ("deciding", "seats", "you", "row", "pool")),
        *(({"seat_view": member(name)}, name) for name in ("trains", "player", "invited")),
        *(
            ({"numbers": (Number(name, "1."),)}, name)
            for name in ("seat", "player", "game", "rank")
        ),
    ],
)
def test_rules_that_declare_the_same_are_an_error_that_names_both(members, name):
    rule = Rule(**{"name": "new"} | members)
    both = f"(the rule [a-z]+|the game itself) and the rule {rule.name} both declare {name}"
    with pytest.raises(TypeError, match=both):
        ruleset((), (*RULES, rule))
