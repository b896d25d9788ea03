"""The picture of a board and of a game on it."""

import cmath
import itertools
import json
import math
from xml.etree import ElementTree

import pytest

from domain.boards import parse
from domain.drawing.ground import fields, ways
from domain.drawing.labels import SPOT, overlap, width
from domain.drawing.layout import layout
from domain.drawing.picture import HEADER, PANEL, draw
from domain.rules.districts import districts
from domain.rules.ferries import wilds_of
from domain.rules.tunnels import is_tunnel
from tests.domain.given import BOARDS

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</text><script>alert("1 & 2")</script>\x00\x1b\u202e\ud800'


@pytest.fixture(params=BOARDS.values(), ids=BOARDS)
def board(request):
    return request.param


@pytest.fixture
def view(board):
    """A public view in the middle of a game, with every third route claimed."""
    seats = range(board.players.stop - 1)
    claims = [
        {"route": route.id, "seat": i % len(seats)} for i, route in enumerate(board.routes[::3])
    ]
    return {
        "id": "g",
        "board": board.id,
        "status": "playing",
        "version": 42,
        "seats": [
            {
                "seat": seat,
                "player": {"id": f"p{seat}", "name": f"Player {seat}"},
                "score": 100 + seat,
                "trains": 31,
                "cards": 5,
                "tickets": 2,
            }
            for seat in seats
        ],
        "deciding": [{"seat": 1, "decision": "keep_tickets"}],
        "row": [*board.colors[:4], "wild"],
        "deck": 61,
        "discards": 12,
        "ticket_deck": 30,
        "claims": claims,
        "final_turns": 3,
    }


def parsed(svg):
    return ElementTree.fromstring(svg)


def text(element):
    return "".join(element.itertext())


def routes(svg):
    """Route id -> its element."""
    groups = [g for g in parsed(svg).iter(f"{SVG}g") if "data-route" in g.attrib]
    by_id = {g.get("data-route"): g for g in groups}
    assert len(by_id) == len(groups)
    return by_id


def test_a_map_has_every_name_and_every_space_of_every_route_once(board):
    svg = draw(board)
    names = [text(t) for t in parsed(svg).iter(f"{SVG}text") if "data-location" in t.attrib]
    assert sorted(names) == sorted(location.name for location in board.locations)
    spaces = {
        route: sum(rect.get("class") == "space" for rect in g.iter(f"{SVG}rect"))
        for route, g in routes(svg).items()
    }
    assert spaces == {route.id: route.length for route in board.routes}


def test_a_picture_can_be_read_aloud_and_stands_alone(board, view):
    for svg in (draw(board), draw(board, view)):
        assert svg in (draw(board), draw(board, view))  # the same bytes each time
        root = parsed(svg)
        assert root.get("role") == "img"
        assert root.get("aria-label") == root.find(f"{SVG}title").text
        assert board.name in root.get("aria-label")
        assert "href" not in svg
        assert "url(" not in svg
        assert not list(root.iter(f"{SVG}script"))


def test_claimed_routes_and_only_they_carry_their_seat(board, view):
    drawn = routes(draw(board, view))
    assert {route: g.get("data-seat") for route, g in drawn.items()} == {
        route.id: None for route in board.routes
    } | {claim["route"]: str(claim["seat"]) for claim in view["claims"]}
    for claim in view["claims"]:
        marks = [t.text for t in drawn[claim["route"]].iter(f"{SVG}text")]
        assert marks == [str(claim["seat"] + 1)]  # people count from 1


def panel(svg, seat):
    return text(next(g for g in parsed(svg).iter() if g.get("data-panel") == str(seat)))


def test_the_panel_shows_public_data(board, view):
    svg = draw(board, view)
    assert "\n2\nPlayer 1\n" in panel(svg, 1)
    assert "101" in panel(svg, 1)
    assert "31 trains · 5 cards · 2 tickets" in panel(svg, 1)
    assert "to decide: keep tickets" in panel(svg, 1)
    assert "to decide" not in panel(svg, 0)
    everything = text(parsed(svg))
    for shown in ("61", "12", "30", "wild", "final turns: 3", "playing"):
        assert shown in everything


def test_the_end_shows_ranks_and_totals_and_who_left(board, view):
    view["status"], view["deciding"] = "finished", []
    view["seats"][0] |= {"result": {"total": 137, "rank": 1}}
    view["seats"][1] |= {"result": {"total": 8, "rank": 2}, "left": "resigned"}
    svg = draw(board, view)
    assert "137" in panel(svg, 0)
    assert "Player 0 137" in parsed(svg).get("aria-label")
    assert "rank 1" in panel(svg, 0)
    assert "rank 2 · resigned" in panel(svg, 1)


def test_a_lobby_has_open_seats_and_nothing_on_the_table(board):
    seats = [{"seat": 0, "player": {"id": "p", "name": "Ada"}}, {"seat": 1}]
    view = {"status": "lobby", "version": 1, "seats": seats, "deciding": []}
    svg = draw(board, view)
    assert "Ada" in panel(svg, 0)
    assert "open seat" in panel(svg, 1)


def test_hostile_names_are_only_text(board, view):
    view["seats"][0]["player"]["name"] = HOSTILE
    root = parsed(draw(board, view))  # well-formed, in spite of characters that XML has not
    assert not list(root.iter(f"{SVG}script"))
    assert '</text><script>alert("1 & 2")' in root.get("aria-label")


@pytest.mark.parametrize("name", ["W" * 40, "鉄" * 40, "\U0001f682" * 40, "é" * 40])
def test_long_names_are_cut_to_fit(board, view, name):
    view["seats"][0]["player"]["name"] = name
    svg = draw(board, view)
    shown = next(t.text for t in parsed(svg).iter(f"{SVG}text") if "…" in (t.text or ""))
    assert name.startswith(shown[:-1])
    assert width(shown, 17) < PANEL - 140


def test_secrets_of_one_seat_are_not_drawn(board, view):
    you = {"seat": 0, "hand": {"red": 99}, "tickets": [board.tickets[0].id]}
    assert draw(board, view | {"you": you}) == draw(board, view)


def test_names_do_not_overlap_and_stay_on_the_sheet(board):
    plan = layout(board)
    boxes = [label.box for label in plan.labels.values()]
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= plan.width
        assert 0 <= top < bottom <= plan.height


def corners(space):
    long, wide = space.length / 2, space.width / 2
    turn = cmath.rect(1, math.radians(space.angle))
    around = ((-long, -wide), (long, -wide), (long, wide), (-long, wide))
    return [space.at + complex(*corner) * turn for corner in around]


def touch(one, other):
    """Whether two convex shapes, given by their corners, overlap: no side of either parts them."""
    for shape in (one, other):
        for start, end in zip(shape, shape[1:] + shape[:1], strict=True):
            away = 1j * (end - start) / abs(end - start)
            here, there = ([(at * away.conjugate()).real for at in each] for each in (one, other))
            if max(here) <= min(there) or max(there) <= min(here):
                return False
    return True


def test_no_name_covers_a_space_or_a_location(board):
    plan = layout(board)
    spaces = [corners(space) for track in plan.spaces.values() for space in track]
    for name, label in plan.labels.items():
        left, top, right, bottom = label.box
        box = [left + top * 1j, right + top * 1j, right + bottom * 1j, left + bottom * 1j]
        assert not [space for space in spaces if touch(box, space)], name
        for at in plan.spots.values():
            assert distance(label.box, at) > SPOT, name


def distance(box, at):
    left, top, right, bottom = box
    return math.hypot(
        max(0, left - at.real, at.real - right), max(0, top - at.imag, at.imag - bottom)
    )


def test_a_name_is_nearest_to_its_own_location(board):
    plan = layout(board)
    for name, label in plan.labels.items():
        assert min(plan.spots, key=lambda i, box=label.box: distance(box, plan.spots[i])) == name


def test_spaces_keep_apart_and_off_the_locations(board):
    plan = layout(board)
    spaces = [space for track in plan.spaces.values() for space in track]
    for one, other in itertools.combinations(spaces, 2):
        if abs(one.at - other.at) < one.length + one.width:
            assert not touch(corners(one), corners(other))
    for space, spot in itertools.product(spaces, plan.spots.values()):
        assert abs(space.at - spot) > SPOT + space.width / 2


def test_london_shows_the_district_of_every_location_and_what_it_is_worth():
    london = BOARDS["london"]
    root = parsed(draw(london))
    marks = [title.text for title in root.iter(f"{SVG}title") if ": district " in title.text]
    assert sorted(marks) == sorted(
        f"{p.name}: district {p.marks['district']}" for p in london.locations
    )
    grounds = {g.get("data-district"): g.get("d") for g in root.iter() if g.get("data-district")}
    assert {int(district): d.count("M") for district, d in grounds.items()} == {
        district: len(places) for district, places in districts(london).items()
    }
    said = text(root)
    for words in ("1 point", "2 points", "3 points", "4 points", "5 points"):
        assert words in said


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("usa", set()),
        ("usa-10th", set()),
        ("europe", {"tunnel", "ferry"}),
        ("london", {"district"}),
        ("paris", {"flag"}),
    ],
)
def test_the_key_explains_what_the_board_adds_and_nothing_else(board, words):
    said = [t.text for t in parsed(draw(BOARDS[board])).iter(f"{SVG}text") if t.text]
    named = {word for word in ("tunnel", "ferry", "district", "flag") for t in said if word in t}
    assert named == words


def test_a_key_that_is_too_long_for_a_line_takes_another():
    table = {name: value for name, value in BOARDS["europe"].table.items() if name != "board"}
    places = {"athina", "smyrna", "angora", "constantinople"}
    few = {
        name: [row for row in table[name] if {row["a"], row["b"]} <= places]
        for name in ("routes", "tickets")
    }
    few["tickets"] = [
        {"a": a, "b": b, "points": 3, "long": a == "athina"}
        for a, b in itertools.combinations(sorted(places), 2)
    ]
    small = parse(
        json.dumps(
            table
            | few
            | {
                "board": "small",
                "players": {"least": 2, "most": 2},
                "tickets_at_start": {"deal": 1, "long": 1, "keep": 1},
                "locations": [row for row in table["locations"] if row["id"] in places],
            }
        )
    )
    root = parsed(draw(small))
    wide, high = (float(root.get(name)) for name in ("width", "height"))
    lines = [t for t in root.iter(f"{SVG}text") if t.get("font-size") == "13"]
    assert len(lines) == len({t.get("y") for t in lines}) == 2
    for line in lines:
        assert float(line.get("x")) + width(line.text, 13) < wide
        assert float(line.get("y")) < high - HEADER


def test_a_seat_shows_the_cards_of_its_flag():
    view = {
        "status": "playing",
        "version": 1,
        "deciding": [],
        "seats": [{"seat": 0, "flag": ["red", "white"]}, {"seat": 1, "flag": []}],
    }
    svg = draw(BOARDS["paris"], view)
    assert "flag: red white" in panel(svg, 0)
    assert "no flag card" in panel(svg, 1)
    seats = [g for g in parsed(svg).iter() if g.get("data-panel")]
    empty = [sum(r.get("fill") == "none" for r in seat.iter(f"{SVG}rect")) for seat in seats]
    assert empty == [1, 3]


def test_tunnels_have_a_broken_edge_and_ferries_a_star_for_every_wild():
    europe = BOARDS["europe"]
    drawn = routes(draw(europe))
    for route in europe.routes:
        spaces = [r for r in drawn[route.id].iter(f"{SVG}rect") if r.get("class") == "space"]
        assert all((r.get("stroke-dasharray") is not None) == is_tunnel(route) for r in spaces)
        stars = [p for p in drawn[route.id].iter(f"{SVG}path") if p.get("fill") == "#fff"]
        assert len(stars) == wilds_of(route)


TRIANGLE = {("a", "b"): [0j, 10 + 0j], ("b", "c"): [10 + 0j, 10 + 10j], ("a", "c"): [0j, 10 + 10j]}


def test_fields_between_railways_are_land_unless_a_ferry_crosses_them():
    [field] = fields(TRIANGLE, set())
    assert sorted(field, key=abs) == [0j, 10 + 0j, 10 + 10j]
    assert not list(fields(TRIANGLE, {("b", "c")}))
    spur = TRIANGLE | {("c", "d"): [10 + 10j, 20 + 20j]}
    assert len(list(fields(spur, set()))) == 1
    assert not list(fields({("a", "b"): [0j, 1j]}, set()))


def inside(point, outline):
    turned = sum(
        cmath.phase((q - point) / (p - point))
        for p, q in zip(outline, outline[1:] + outline[:1], strict=True)
    )
    return abs(turned) > math.pi


def test_the_channel_is_sea_and_the_alps_are_land():
    europe = BOARDS["europe"]
    plan = layout(europe)
    land = list(fields(ways(europe, plan), {(r.a, r.b) for r in europe.routes if wilds_of(r)}))
    middle = {
        name: sum(plan.spots[i] for i in near) / len(near)
        for name, near in {
            "channel": ("london", "amsterdam", "bruxelles", "dieppe"),
            "black sea": ("sevastopol", "constantinople", "erzurum"),
            "alps": ("zurich", "munchen", "venezia"),
            "poland": ("berlin", "danzig", "warszawa"),
        }.items()
    }
    places = {name for name, at in middle.items() if any(inside(at, field) for field in land)}
    assert places == {"alps", "poland"}


def test_the_layout_is_computed_once(board):
    assert layout(board) is layout(board)
