"""Boards, their layouts, and built-in bots. The rules declare the rest of a board's table."""

from typing import Annotated, NotRequired, TypedDict

from domain.described import BoardId, Page, Positive, Signed
from service.http.schemas.base import Asked, Fits, text

TEMPLATE = (
    "a template: `{member}` stands for a member, `{member noun}` for a number with its "
    "noun, and `[...]` is left out where a member in it is missing"
)


class BoardQuerySchema(Asked):
    """Which version of a board's table to return."""

    digest = text(
        "The `board_digest` of a game: returns the table that the game was started on. "
        "Without it, the current table.",
        required=False,
        validate=Fits("^[0-9a-f]{64}$", "Should be a SHA-256 in hex, 64 of 0-9 a-f."),
    )


class ListedBoard(TypedDict):
    """A board that can be played."""

    id: Annotated[BoardId, "The board's id."]
    name: Annotated[str, "The board's name."]
    least_players: Annotated[int, {"minimum": 2}, "The fewest seats."]
    most_players: Annotated[int, {"minimum": 2}, "The most seats."]


Boards = Page("Boards", ListedBoard, "The boards that can be played.")


class Location(TypedDict):
    """A location that routes connect."""

    id: Annotated[str, "The location's id."]
    name: Annotated[str, "Its name."]
    lat: Annotated[float, "Degrees north."]
    lon: Annotated[float, "Degrees east."]


class Route(TypedDict):
    """A route: a railway between two locations."""

    id: Annotated[str, "`a--b`, or `a--b--2` for the second track of a double route."]
    a: Annotated[str, "A location's id."]
    b: Annotated[str, "A location's id."]
    length: Annotated[
        Positive,
        "The number of spaces: the cards needed to claim it and, if `trains` is missing, "
        "the trains.",
    ]
    color: Annotated[str, "The colour of the cards that claim it; with `grey`, any one colour."]
    trains: NotRequired[Annotated[int, "The trains needed to claim it, if that is not its length."]]
    twin: NotRequired[Annotated[str, "The id of the other track of a double route."]]


class TicketWay(TypedDict):
    """Two locations that complete a ticket."""

    a: Annotated[str, "A location's id."]
    b: Annotated[str, "A location's id."]
    points: Annotated[Positive, "Points gained if they are connected."]


class Ticket(TypedDict):
    """Two locations to connect."""

    id: Annotated[str, "`a--b`."]
    a: Annotated[str, "A location's id."]
    b: Annotated[str, "A location's id."]
    points: Annotated[Positive, "Points gained if it is completed, lost if not."]
    long: NotRequired[
        Annotated[bool, "Whether it is a long ticket, which is only dealt at the start."]
    ]
    set: NotRequired[
        Annotated[str, "The set it belongs to, if the board has several sets of tickets."]
    ]
    ways: NotRequired[
        Annotated[
            list[TicketWay],
            "All pairs that complete it, the fewest points first, if there are "
            "several: it scores the best that is connected, or loses the least.",
        ]
    ]


class Offer(TypedDict):
    """The size of an offer of tickets."""

    deal: Annotated[Positive, "How many tickets are offered."]
    keep: Annotated[Positive, "The least number to keep."]
    long: NotRequired[Annotated[Positive, "How many long tickets are offered in addition."]]
    refused: NotRequired[
        Annotated[str, "Where refused tickets go: `under the deck` (the default) or `removed`."]
    ]


class PlayersRange(TypedDict):
    """The number of players."""

    least: Annotated[int, {"minimum": 2}, "The fewest seats."]
    most: Annotated[int, {"minimum": 2}, "The most seats."]


class DeclaredRule(TypedDict):
    """A rule that the board adds to the common ones."""

    number: Annotated[str, "Its number in the rules."]
    says: Annotated[str, f"The rule in words, {TEMPLATE}; members are those of the board."]


class DeclaredEvent(TypedDict):
    """The sentence of an event."""

    says: NotRequired[
        Annotated[
            list[str],
            f"Its sentence, {TEMPLATE}. The first that applies is used: one that begins "
            "with `member? ` or `member=value? ` only if the event has that.",
        ]
    ]
    jump: NotRequired[
        Annotated[str, "The name of such events in a replay, if one can jump by them."]
    ]


class DeclaredAction(TypedDict):
    """The words of an action."""

    says: Annotated[list[str], f"Its words, {TEMPLATE}."]


class DeclaredMark(TypedDict):
    """A mark: a member that a rule adds to routes, locations or tickets."""

    says: NotRequired[Annotated[str, f"Its meaning, {TEMPLATE}; members are those of what has it."]]
    sign: NotRequired[
        Annotated[
            str,
            "A character to be shown on as many spaces of the route as the member says, on all "
            "where it is no number.",
        ]
    ]


class DeclaredMember(TypedDict):
    """A member that a rule adds to a view, or to its seats."""

    says: NotRequired[Annotated[str, f"Its words, {TEMPLATE}; members are those of the seat."]]


class Declared(TypedDict):
    """Declarations of the board's rules. With them a client can show games without knowing the
    rules. They no longer say how events change views: `getViews` and streams with `views=true` have
    the views themselves."""

    rules: Annotated[dict[str, DeclaredRule], "The rules beyond the common ones."]
    events: Annotated[dict[str, DeclaredEvent], "Events, by type."]
    actions: Annotated[dict[str, DeclaredAction], "Actions, by type."]
    decisions: Annotated[dict[str, str], 'Decisions, in words that go on after "you have to".']
    routes: Annotated[dict[str, DeclaredMark], "Members of routes."]
    locations: Annotated[dict[str, DeclaredMark], "Members of locations."]
    tickets: NotRequired[Annotated[dict[str, DeclaredMark], "Members of tickets, if any."]]
    view: Annotated[dict[str, DeclaredMember], "Members of a view."]
    seat_view: Annotated[dict[str, DeclaredMember], "Members of its seats."]
    colors: Annotated[
        list[str],
        "The colours of the cards in the table's order, by which shuffles begin and "
        "positions count; `wild` is the last. The members of `cards` have no order.",
    ]
    draws: NotRequired[
        Annotated[
            dict[str, Positive],
            "How many of a turn's two draws a face-up card takes, by colour, if "
            "that is not 2 for `wild` and 1 for all others.",
        ]
    ]
    parts: Annotated[list[str], "The parts of a result that add up to its total, in order."]


class BoardJson(TypedDict):
    """A board's table: all its static data."""

    id: Annotated[BoardId, "The board's id."]
    name: Annotated[str, "The board's name."]
    rulebook: NotRequired[Annotated[str, "The rulebook of the board."]]
    digest: Annotated[str, "SHA-256 of the table in hex; games record it."]
    players: Annotated[PlayersRange, "The number of players."]
    trains: Annotated[Positive, "Trains of each player."]
    cards: Annotated[
        dict[str, Signed], "The deck: the number of cards by colour; jokers are `wild`."
    ]
    hand: Annotated[int, "Cards dealt to each player at the start."]
    points: Annotated[dict[str, Signed], "Points for a route, by its length."]
    tickets_at_start: Annotated[Offer, "The offer of tickets before the first turn."]
    tickets_on_a_turn: Annotated[
        Offer, "The offer of tickets when a turn is spent on drawing tickets."
    ]
    doubles_closed_for: Annotated[
        list[int],
        "The numbers of players with which only one track of a double route can be claimed.",
    ]
    rules: Annotated[list[str], "Rules in addition to the common ones."]
    tie_breaks: Annotated[list[str], "The tie-breaks, in order of precedence."]
    vocabulary: NotRequired[Annotated[dict[str, str], "The rulebook's terms for our terms."]]
    provenance: NotRequired[Annotated[dict[str, str], "The sources of the table's parts."]]
    locations: Annotated[list[Location], "The locations."]
    routes: Annotated[list[Route], "The routes between them."]
    tickets: Annotated[list[Ticket], "The tickets."]
    declared: Annotated[Declared, "Declarations of its rules, for clients without them."]


class MapLand(TypedDict):
    """The land on a map, as SVG paths; the rest is sea."""

    areas: Annotated[
        str,
        "Paths to fill: coasts, lakes and rivers of the real place; of boards that are not "
        "shipped, the areas between routes.",
    ]
    lines: Annotated[
        str,
        "Paths to stroke: land extends to both sides of routes and locations. Empty if the "
        "coasts are real.",
    ]
    coast: Annotated[Positive, "How far land extends beyond these paths and areas, in pixels."]


class NamePlace(TypedDict):
    """The position of a location's name, chosen so that it hides nothing."""

    lines: Annotated[list[str], "The name, in one or two lines."]
    x: Annotated[float, "The horizontal middle of the lines."]
    y: Annotated[float, "The baseline of the first line."]
    leading: Annotated[Positive, "The distance between baselines."]


class LocationPlace(TypedDict):
    """The position of a location on the map."""

    id: Annotated[str, "The location's id."]
    x: Annotated[float, "Pixels from the left."]
    y: Annotated[float, "Pixels from the top."]
    name: Annotated[NamePlace, "The position of its name."]


class RouteSpace(TypedDict):
    """A space of a route, drawn as a rectangle."""

    x: Annotated[float, "The centre's distance from the left."]
    y: Annotated[float, "The centre's distance from the top."]
    angle: Annotated[float, "Rotation in degrees, clockwise."]
    length: Annotated[float, "Size along the route."]
    width: Annotated[float, "Size across the route."]


class RoutePlace(TypedDict):
    """The position of a route on the map."""

    id: Annotated[str, "The route's id."]
    spaces: Annotated[list[RouteSpace], "Its spaces, from `a` to `b`."]


class Layout(TypedDict):
    """The layout of a board's map, in pixels from the top left."""

    board: Annotated[str, "The board's id."]
    digest: Annotated[str, "The digest of its table."]
    width: Annotated[float, "The width of the map."]
    height: Annotated[float, "The height of the map."]
    land: Annotated[MapLand, "The land."]
    spot: Annotated[Positive, "The radius of a location."]
    font: Annotated[Positive, "The font size of names."]
    locations: Annotated[list[LocationPlace], "The locations."]
    routes: Annotated[list[RoutePlace], "The routes."]


class Bot(TypedDict):
    """A built-in bot."""

    name: Annotated[str, "The name to use when a game is created."]
    description: Annotated[str, "How it plays."]
    player: Annotated[
        str,
        "The id of one of its accounts, which are rated as one player. `getPlayer` shows it.",
    ]
    shortest_rated_clock: Annotated[
        float,
        "Seconds for each decision. Games against it on a shorter clock are not rated. For "
        "a clock with a bank, the increment plus a hundredth of the bank is compared.",
    ]
    ready: Annotated[
        bool,
        "Whether it can play now. `expert` has to be compiled once on each machine, which "
        "takes half a minute. A game with it waits meanwhile; no clock runs.",
    ]
    prepared: NotRequired[
        Annotated[float, "Progress of the preparation, 0 to 1, while the bot is not ready."]
    ]


Bots = Page("Bots", Bot, "The built-in bots.")
