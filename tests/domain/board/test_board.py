"""Reading board tables (rule 1), and the rejection of broken ones."""

import json

import pytest

from domain.boards import FOLDER, load, load_folder, parse
from domain.errors import BrokenTable
from tests.domain.given import USA

TEXT = (FOLDER / "usa.json").read_text(encoding="utf-8")
TABLE = json.loads(TEXT)
UNUSED_BY_THE_RULES = {"rulebook", "vocabulary", "provenance"}


def broken(text: str) -> BrokenTable:
    with pytest.raises(BrokenTable) as refused:
        parse(text)
    return refused.value


@pytest.mark.parametrize("board", load_folder().values(), ids=lambda board: board.id)
def test_every_table_of_the_folder_is_a_board_named_like_its_file(board):
    assert load(FOLDER / f"{board.id}.json") == board


def test_1_seats_that_are_equal_are_compared_as_the_table_says():
    assert USA.tie_breaks == ("tickets_completed", "longest_path")


def test_ids_of_routes_and_tickets_name_their_ends_and_count_tracks():
    assert USA.routes[USA.route_index["boston--new-york"]].color == "red"
    assert USA.routes[USA.route_index["boston--new-york--2"]].color == "yellow"
    assert "boston--montreal--3" not in USA.route_index
    assert USA.tickets[USA.ticket_index["boston--miami"]].points == 12


def test_the_table_as_served_has_the_ids():
    described = USA.described
    assert (described["id"], described["digest"]) == ("usa", USA.digest)
    twin = described["routes"][USA.route_index["boston--new-york--2"]]
    assert (twin["id"], twin["twin"]) == ("boston--new-york--2", "boston--new-york")
    assert "twin" not in described["routes"][USA.route_index["atlanta--miami"]]
    assert [ticket["id"] for ticket in described["tickets"]] == list(USA.ticket_index)


def test_the_digest_names_what_a_table_says_not_how_it_is_written():
    assert parse(json.dumps(TABLE)).digest == USA.digest
    assert parse(TEXT.replace('"hand": 4', '"hand": 5')).digest != USA.digest


def line_of(text: str, part: str) -> int:
    """The line, from 1, on which a part of a text begins."""
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("member", sorted(TABLE.keys() - UNUSED_BY_THE_RULES))
def test_a_table_without_a_member_is_refused(member):
    error = broken(json.dumps({name: v for name, v in TABLE.items() if name != member}))
    assert (error.where, error.line) == ("table", 1)
    assert error.reason == f"lacks the member {member}"


@pytest.mark.parametrize("member", sorted(TABLE.keys() - UNUSED_BY_THE_RULES))
@pytest.mark.parametrize("value", [None, True, {"a": []}, [{}], "", " ", 1.5, -1, 10**6])
def test_a_member_that_is_no_such_thing_is_refused_at_its_line(member, value):
    text = json.dumps(TABLE | {member: value}, indent=1)
    error = broken(text)
    assert error.where.startswith(member)
    assert error.line == line_of(text, f'\n "{member}"') + 1 + (error.where != member)


FIRST_LOCATION = '{"id": "atlanta", "name": "Atlanta", "lat": 33.75, "lon": -84.39}'
FIRST_ROUTE = '{"a": "atlanta", "b": "charleston", "length": 2, "color": "grey"}'
FIRST_TICKET = '{"a": "atlanta", "b": "montreal", "points": 9}'


@pytest.mark.parametrize(
    ("was", "now", "where", "reason"),
    [
        ('"board": "usa"', '"board": "U S A"', "board", "lower-case letters"),
        ('"least": 2', '"least": 1', "players.least", "from 2 to 999"),
        ('"least": 2', '"least": 6', "players", "least is more than most"),
        ('"most": 5', '"most": 9', "players.most", "from 2 to 8"),
        ('"trains": 45', '"trains": 0', "trains", "from 1 to 99"),
        ('"trains": 45', '"trains": 45.0', "trains", "whole number"),
        ('"blue": 12', '"blue": 0', "cards.blue", "from 1"),
        ('"blue": 12', '"blue": "12"', "cards.blue", "whole number"),
        (', "wild": 14', "", "cards", "last, wild"),
        ('{"purple": 12, ', '{"wild": 1, "purple": 12, ', "cards", "last, wild"),
        ('"hand": 4', '"hand": -1', "hand", "from 0"),
        ('"6": 15', '"6": -1', "points.6", "from 0"),
        ('"6": 15', '"six": 15', "points.six", "no length"),
        ('"6": 15', '"0": 15', "points.0", "no length"),
        ('"6": 15', '"٦": 15', "points.٦", "no length"),
        ('start": {"deal": 3', 'start": {"deal": 0', "tickets_at_start.deal", "from 1"),
        ('"keep": 2', '"keep": 4', "tickets_at_start.keep", "from 1 to 3"),
        ('turn": {"deal": 3', 'turn": {"deal": 0', "tickets_on_a_turn.deal", "from 1"),
        ('"keep": 1', '"keep": 0', "tickets_on_a_turn.keep", "from 1 to 3"),
        ("[2, 3]", "[2, 1]", "doubles_closed_for[1]", "from 2"),
        (
            '["longest_path"]',
            '["longest_path", "luck"]',
            "rules[1]",
            "no rule module is called luck",
        ),
        ('["tickets_completed"', '["age"', "tie_breaks[0]", "no tie-break is called age"),
        ('path_bonus": 10', 'path_bonus": null', "longest_path_bonus", "whole number"),
        (FIRST_LOCATION, "[]", "locations[0]", "an object"),
        ('"id": "boston"', '"id": "atlanta"', "locations[1]", "atlanta is there twice"),
        ('"id": "boston"', '"id": "boston--2"', "locations[1].id", "single hyphens"),
        ('"name": "Boston"', '"name": ""', "locations[1].name", "non-empty string"),
        ('"lat": 42.36', '"lat": "42.36"', "locations[1].lat", "a number"),
        *(
            ('"lat": 42.36', f'"lat": {odd}', "locations[1].lat", "finite")
            for odd in ("NaN", "-1e999", "9" * 400)
        ),
        ('"lon": -71.06', '"lon": true', "locations[1].lon", "a number"),
        ('"lon": -71.06', '"lng": -71.06', "locations[1]", "lacks the member lon"),
        ('"lon": -71.06', '"lon": -71.06, "x": 1', "locations[1]", "unknown member x"),
        (
            FIRST_LOCATION,
            FIRST_LOCATION + ', {"id": "oz", "name": "Oz", "lat": 1, "lon": 1}',
            "locations[1]",
            "no route reaches oz",
        ),
        (FIRST_ROUTE, "7", "routes[0]", "an object"),
        (FIRST_ROUTE, '{"a": "a", "b": "b", "length": 2}', "routes[0]", "lacks the member color"),
        (FIRST_ROUTE, FIRST_ROUTE.replace("}", ', "x": 1}'), "routes[0]", "unknown member x"),
        (
            FIRST_ROUTE,
            FIRST_ROUTE.replace("charleston", "oz"),
            "routes[0].b",
            "no location is called",
        ),
        (FIRST_ROUTE, FIRST_ROUTE.replace("charleston", "atlanta"), "routes[0].b", "alphabetical"),
        (FIRST_ROUTE, FIRST_ROUTE.replace("atlanta", "dallas"), "routes[0].b", "alphabetical"),
        (FIRST_ROUTE, FIRST_ROUTE.replace("2", "0"), "routes[0].length", "from 1"),
        (
            FIRST_ROUTE,
            FIRST_ROUTE.replace("2", "7"),
            "routes[0].length",
            "7 has no entry in points",
        ),
        (
            FIRST_ROUTE,
            FIRST_ROUTE.replace("grey", "gray"),
            "routes[0].color",
            "no colour is called",
        ),
        (
            FIRST_ROUTE,
            FIRST_ROUTE.replace("grey", "wild"),
            "routes[0].color",
            "no colour is called",
        ),
        (FIRST_ROUTE, ", ".join([FIRST_ROUTE] * 3), "routes[2].a", "more than two tracks"),
        (
            FIRST_TICKET,
            '{"a": "atlanta", "b": "montreal"}',
            "tickets[0]",
            "lacks the member points",
        ),
        (
            FIRST_TICKET,
            FIRST_TICKET.replace("atlanta", "oz"),
            "tickets[0].a",
            "no location is called",
        ),
        (FIRST_TICKET, FIRST_TICKET.replace("9", "0"), "tickets[0].points", "from 1"),
        (FIRST_TICKET, f"{FIRST_TICKET}, {FIRST_TICKET}", "tickets[1]", "is there twice"),
    ],
)
def test_a_fault_is_named_by_its_path_and_its_line(was, now, where, reason):
    assert TEXT.count(was) == 1
    error = broken(TEXT.replace(was, now))
    assert error.where == where
    assert reason in error.reason
    assert error.line == line_of(TEXT, was)
    assert str(error) == f"line {error.line}: {where}: {error.reason}"


@pytest.mark.parametrize(
    ("was", "now", "line", "where", "reason"),
    [
        ('"hand": 4', '"hand": 22', '"cards"', "cards", "too few for 5 hands of 22 and a row of 5"),
        (
            'start": {"deal": 3',
            'start": {"deal": 7',
            '"tickets": [',
            "tickets",
            "deal to 5 players",
        ),
        (', "6": 15', "", '"b": "winnipeg", "length": 6', "routes[14].length", "6 has no entry"),
    ],
)
def test_members_that_do_not_fit_together_are_refused(was, now, line, where, reason):
    assert TEXT.count(was) == 1
    error = broken(TEXT.replace(was, now))
    assert (error.where, error.line) == (where, line_of(TEXT, line))
    assert reason in error.reason


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[" * 50_000, None, "is not JSON"),
        ('{"trains": ' + "9" * 5000, None, "is not JSON"),
        ("", 1, "is not JSON"),
        ("{", 1, "is not JSON"),
        ('{\n "board": "usa",\n}', 3, "is not JSON"),
        *((text, 1, "should be an object") for text in ("[]", "null", "3", '"usa"')),
    ],
)
def test_a_table_that_is_no_object_in_json_is_refused_where_it_breaks(text, line, reason):
    error = broken(text)
    assert (error.where, error.line) == ("table", line)
    assert error.reason.startswith(reason)
