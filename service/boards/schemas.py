"""Boards, their layouts, and built-in bots. ``domain.board.served`` has a board's table."""

from typing import Annotated, NotRequired, TypedDict

from domain.described import BoardId, Page, Positive
from service.http.schemas.base import Asked, Fits, text


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
