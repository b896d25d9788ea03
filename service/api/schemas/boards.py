"""What boards and built-in bots look like."""

from __future__ import annotations

from marshmallow import fields

from domain.rules import RULES
from service.api.schemas import pages
from service.api.schemas.base import Answered, Asked, Fits, many, one, text, texts, whole
from service.api.schemas.declarations import DeclaredSchema
from service.api.schemas.declared import answer_of, fields_of_shapes


def _members(where: str, least: int = 0) -> dict[str, fields.Field]:
    """Return what rules read from a part of a table."""
    return fields_of_shapes({name: shape for rule in RULES
                             for name, shape in getattr(rule, where).items()}, least)


class BoardQuerySchema(Asked):
    """Which table of a board to answer with."""

    digest = text("The `board_digest` of a game: the table as it was then. Without it, the one "
                  "that is played on now.", required=False,
                  validate=Fits("^[0-9a-f]{64}$", "Should be a SHA-256 in hex, 64 of 0-9 a-f."))


class ListedBoardSchema(Answered):
    """A board that can be played."""

    id = text("The board's id.")
    name = text("The board's name.")
    least_players = whole("The fewest seats.", 2)
    most_players = whole("The most seats.", 2)


BoardsSchema = pages.page_of(ListedBoardSchema, "BoardsSchema", "The boards that can be played.")


LocationSchema = answer_of("Location", "A place that routes connect.", {
    "id": text("The location's id."),
    "name": text("Its name."),
    "lat": fields.Float(required=True, metadata={"description": "Degrees north."}),
    "lon": fields.Float(required=True, metadata={"description": "Degrees east."}),
    **_members("location", 1),
})


RouteSchema = answer_of("Route", "A railway between two locations.", {
    "id": text("`a--b`, or `a--b--2` for the second track of a double route."),
    "a": text("A location's id."),
    "b": text("A location's id."),
    "length": whole("Spaces: it takes so many cards, and so many trains where `trains` is missing.",
                    1),
    "color": text("The colour of cards it takes; `grey` takes any one colour."),
    "trains": whole("How many trains claim it, where that is more than its length.", 1,
                    required=False),
    "twin": text("The id of the other track of a double route.", required=False),
    **_members("route", 1),
})


class TicketSchema(Answered):
    """Two locations to connect."""

    id = text("`a--b`.")
    a = text("A location's id.")
    b = text("A location's id.")
    points = whole("What it is worth when completed, and costs when not.", 1)
    long = fields.Boolean(metadata={"description": "Whether it is only dealt at the start."})
    set = text("Which tickets it came with, where a board has several sets.", required=False)


class OfferSchema(Answered):
    """An offer of tickets."""

    deal = whole("How many tickets are offered.", 1)
    keep = whole("How many must be kept at least.", 1)
    long = whole("How many long ones are offered beside.", 1, required=False)
    refused = text("Where the refused ones go: `under the deck` if it is missing, or `removed`.",
                   required=False)


class PlayersRangeSchema(Answered):
    """How many can play."""

    least = whole("The fewest seats.", 2)
    most = whole("The most seats.", 2)


BoardSchema = answer_of("Board", "A board's table: everything about it that never changes.", {
    "id": text("The board's id."),
    "name": text("The board's name."),
    "rulebook": text("The rules that it follows.", required=False),
    "digest": text("SHA-256 of the table in hex, which games record."),
    "players": one(PlayersRangeSchema, "How many can play."),
    "trains": whole("Trains each.", 1),
    "cards": fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "The deck: how many cards of each colour; the joker is `wild`."}),
    "hand": whole("Cards each at the start."),
    "points": fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "Points of a route by its length."}),
    "tickets_at_start": one(OfferSchema, "The tickets before the first turn."),
    "tickets_on_a_turn": one(OfferSchema, "The tickets that a turn may be spent on."),
    "doubles_closed_for": fields.List(fields.Integer(), required=True, metadata={
        "description": "With so many players only one track of a double route is used."}),
    "rules": texts("Rules beyond the common ones."),
    "tie_breaks": texts("What equals in points are ranked by, the first that differs."),
    "vocabulary": fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "What the rulebook calls things."}),
    "provenance": fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "Where the table's parts come from."}),
    "locations": many(LocationSchema, "The places."),
    "routes": many(RouteSchema, "The railways between them."),
    "tickets": many(TicketSchema, "The tickets."),
    "declared": one(DeclaredSchema, "Declarations of its rules, for clients without them."),
    **_members("table"),
})


def _number(words: str) -> fields.Float:
    return fields.Float(required=True, metadata={"description": words})


class LandSchema(Answered):
    """What is land on a map, as paths of SVG; all else is sea."""

    areas = text("What is filled: all between railways.")
    lines = text("What land goes along too, to either side: railways and locations.")
    coast = whole("How far it goes beyond those, and beyond the edges of areas.", 1)


class NamePlaceSchema(Answered):
    """Where a location's name is written so that it hides nothing."""

    lines = texts("The name, in one or two lines.")
    x = _number("Their middle.")
    y = _number("The base line of the first.")
    leading = whole("From one base line to the next.", 1)


class LocationPlaceSchema(Answered):
    """Where a location is on the map."""

    id = text("The location's id.")
    x = _number("Pixels from the left.")
    y = _number("Pixels from the top.")
    name = one(NamePlaceSchema, "Where its name is.")


class SpaceSchema(Answered):
    """A space of a route: a rectangle."""

    x = _number("Its middle, from the left.")
    y = _number("Its middle, from the top.")
    angle = _number("How it is turned: degrees, clockwise.")
    length = _number("Along the route.")
    width = _number("Across it.")


class RoutePlaceSchema(Answered):
    """Where a route is on the map."""

    id = text("The route's id.")
    spaces = many(SpaceSchema, "Its spaces, from `a` to `b`.")


class LayoutSchema(Answered):
    """Where everything on a board's map is, in pixels from the top left."""

    board = text("The board's id.")
    digest = text("The digest of its table.")
    width = _number("How wide the map is.")
    height = _number("How high it is.")
    land = one(LandSchema, "What is land.")
    spot = whole("The radius of a location.", 1)
    font = whole("The size of the names' letters.", 1)
    locations = many(LocationPlaceSchema, "The locations.")
    routes = many(RoutePlaceSchema, "The routes.")


class BotSchema(Answered):
    """A built-in bot."""

    name = text("What to ask for when a game is created.")
    description = text("How it plays.")
    player = text("The id of an account of it, for `getPlayer`; all of them are rated as one.")
    shortest_rated_clock = fields.Float(required=True, metadata={
        "description": "Seconds for each decision: a game against it on a shorter clock is not "
                       "rated. On a clock with a bank they are the increment and a hundredth of "
                       "the bank."})
    ready = fields.Boolean(required=True, metadata={
        "description": "Whether it can play yet: `expert` is compiled first, once on a machine, "
                       "which takes a minute or two. A game with it waits, on nobody's clock."})
    prepared = fields.Float(metadata={
        "description": "While it is not ready, how much of that is done, of 1."})


BotsSchema = pages.page_of(BotSchema, "BotsSchema", "The built-in bots.")
