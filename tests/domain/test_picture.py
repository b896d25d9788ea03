"""The picture of a board and of a game on it."""

import itertools
from xml.etree import ElementTree

import pytest

from domain.board import load_folder
from domain.layout import SPOT, layout, overlap, width
from domain.picture import PANEL, draw

BOARDS = load_folder()
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
    found = [g for g in parsed(svg).iter(f"{SVG}g") if "data-route" in g.attrib]
    by_id = {g.get("data-route"): g for g in found}
    assert len(by_id) == len(found)
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
        assert marks == [str(claim["seat"])]


def panel(svg, seat):
    return text(next(g for g in parsed(svg).iter() if g.get("data-panel") == str(seat)))


def test_the_panel_tells_what_is_public(board, view):
    svg = draw(board, view)
    assert "Player 1" in panel(svg, 1)
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


def test_the_same_input_gives_the_same_bytes(board, view):
    assert draw(board, view) == draw(board, view)
    assert draw(board) == draw(board)


def test_what_only_one_seat_knows_is_not_drawn(board, view):
    you = {"seat": 0, "hand": {"red": 99}, "tickets": [board.tickets[0].id]}
    assert draw(board, view | {"you": you}) == draw(board, view)


def test_names_do_not_overlap_and_stay_on_the_sheet(board):
    plan = layout(board)
    boxes = [label.box for label in plan.labels.values()]
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= plan.width
        assert 0 <= top < bottom <= plan.height


def test_spaces_keep_apart_and_off_the_locations(board):
    plan = layout(board)
    spaces = [space for track in plan.spaces.values() for space in track]
    for one, other in itertools.combinations(spaces, 2):
        assert abs(one.at - other.at) > 0.9 * one.width
    for space, spot in itertools.product(spaces, plan.spots.values()):
        assert abs(space.at - spot) > SPOT + space.width / 2


def test_the_layout_is_computed_once(board):
    assert layout(board) is layout(board)
