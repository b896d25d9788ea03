"""Boards, their layouts, and built-in bots."""

from __future__ import annotations

from marshmallow import fields

from domain.rules import RULES
from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Fits,
    flag,
    many,
    number,
    one,
    text,
    texts,
    whole,
)
from service.api.schemas.declarations import DeclaredSchema
from service.api.schemas.declared import answer_of, fields_of_shapes


def _members(where: str, least: int = 0) -> dict[str, fields.Field]:
    """Return the fields that rules read from a part of a board's table."""
    return fields_of_shapes({name: shape for rule in RULES
                             for name, shape in getattr(rule.table, where).items()}, least)


class BoardQuerySchema(Asked):
    """Which version of a board's table to return."""

    digest = text("The `board_digest` of a game: returns the table that the game was started on. "
                  "Without it, the current table.", required=False,
                  validate=Fits("^[0-9a-f]{64}$", "Should be a SHA-256 in hex, 64 of 0-9 a-f."))


class ListedBoardSchema(Answered):
    """A board that can be played."""

    id = text("The board's id.")
    name = text("The board's name.")
    least_players = whole("The fewest seats.", 2)
    most_players = whole("The most seats.", 2)


BoardsSchema = pages.page_of(ListedBoardSchema, "BoardsSchema", "The boards that can be played.")


LocationSchema = answer_of("Location", "A location that routes connect.", {
    "id": text("The location's id."),
    "name": text("Its name."),
    "lat": number("Degrees north."),
    "lon": number("Degrees east."),
    **_members("location", 1),
})


RouteSchema = answer_of("Route", "A route: a railway between two locations.", {
    "id": text("`a--b`, or `a--b--2` for the second track of a double route."),
    "a": text("A location's id."),
    "b": text("A location's id."),
    "length": whole("The number of spaces: the cards needed to claim it and, if `trains` is "
                    "missing, the trains.", 1),
    "color": text("The colour of the cards that claim it; with `grey`, any one colour."),
    "trains": whole("The trains needed to claim it, if that is not its length.", required=False),
    "twin": text("The id of the other track of a double route.", required=False),
    **_members("route", 1),
})


class TicketSchema(Answered):
    """Two locations to connect."""

    id = text("`a--b`.")
    a = text("A location's id.")
    b = text("A location's id.")
    points = whole("Points gained if it is completed, lost if not.", 1)
    long = flag("Whether it is a long ticket, which is only dealt at the start.", required=False)
    set = text("The set it belongs to, if the board has several sets of tickets.", required=False)


class OfferSchema(Answered):
    """The size of an offer of tickets."""

    deal = whole("How many tickets are offered.", 1)
    keep = whole("The least number to keep.", 1)
    long = whole("How many long tickets are offered in addition.", 1, required=False)
    refused = text("Where refused tickets go: `under the deck` (the default) or `removed`.",
                   required=False)


class PlayersRangeSchema(Answered):
    """The number of players."""

    least = whole("The fewest seats.", 2)
    most = whole("The most seats.", 2)


BoardSchema = answer_of("Board", "A board's table: all its static data.", {
    "id": text("The board's id."),
    "name": text("The board's name."),
    "rulebook": text("The rulebook of the board.", required=False),
    "digest": text("SHA-256 of the table in hex; games record it."),
    "players": one(PlayersRangeSchema, "The number of players."),
    "trains": whole("Trains of each player.", 1),
    "cards": fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "The deck: the number of cards by colour; jokers are `wild`."}),
    "hand": whole("Cards dealt to each player at the start."),
    "points": fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "Points for a route, by its length."}),
    "tickets_at_start": one(OfferSchema, "The offer of tickets before the first turn."),
    "tickets_on_a_turn": one(OfferSchema, "The offer of tickets when a turn is spent on drawing "
                                          "tickets."),
    "doubles_closed_for": fields.List(fields.Integer(), required=True, metadata={
        "description": "The numbers of players with which only one track of a double route can be "
                       "claimed."}),
    "rules": texts("Rules in addition to the common ones."),
    "tie_breaks": texts("The tie-breaks, in order of precedence."),
    "vocabulary": fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "The rulebook's terms for our terms."}),
    "provenance": fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "The sources of the table's parts."}),
    "locations": many(LocationSchema, "The locations."),
    "routes": many(RouteSchema, "The routes between them."),
    "tickets": many(TicketSchema, "The tickets."),
    "declared": one(DeclaredSchema, "Declarations of its rules, for clients without them."),
    **_members("members"),
})


class MapLandSchema(Answered):
    """The land on a map, as SVG paths; the rest is sea."""

    areas = text("Paths to fill: coasts, lakes and rivers of the real place; of boards that are "
                 "not shipped, the areas between routes.")
    lines = text("Paths to stroke: land extends to both sides of routes and locations. Empty if "
                 "the coasts are real.")
    coast = whole("How far land extends beyond these paths and areas, in pixels.", 1)


class NamePlaceSchema(Answered):
    """The position of a location's name, chosen so that it hides nothing."""

    lines = texts("The name, in one or two lines.")
    x = number("The horizontal middle of the lines.")
    y = number("The baseline of the first line.")
    leading = whole("The distance between baselines.", 1)


class LocationPlaceSchema(Answered):
    """The position of a location on the map."""

    id = text("The location's id.")
    x = number("Pixels from the left.")
    y = number("Pixels from the top.")
    name = one(NamePlaceSchema, "The position of its name.")


class RouteSpaceSchema(Answered):
    """A space of a route, drawn as a rectangle."""

    x = number("The centre's distance from the left.")
    y = number("The centre's distance from the top.")
    angle = number("Rotation in degrees, clockwise.")
    length = number("Size along the route.")
    width = number("Size across the route.")


class RoutePlaceSchema(Answered):
    """The position of a route on the map."""

    id = text("The route's id.")
    spaces = many(RouteSpaceSchema, "Its spaces, from `a` to `b`.")


class LayoutSchema(Answered):
    """The layout of a board's map, in pixels from the top left."""

    board = text("The board's id.")
    digest = text("The digest of its table.")
    width = number("The width of the map.")
    height = number("The height of the map.")
    land = one(MapLandSchema, "The land.")
    spot = whole("The radius of a location.", 1)
    font = whole("The font size of names.", 1)
    locations = many(LocationPlaceSchema, "The locations.")
    routes = many(RoutePlaceSchema, "The routes.")


class BotSchema(Answered):
    """A built-in bot."""

    name = text("The name to use when a game is created.")
    description = text("How it plays.")
    player = text("The id of one of its accounts, for `getPlayer`; all its accounts are rated as "
                  "one player.")
    shortest_rated_clock = number("Seconds for each decision. Games against it on a shorter clock "
                                  "are not rated. For a clock with a bank, the increment plus a "
                                  "hundredth of the bank is compared.")
    ready = flag("Whether it can play now. `expert` has to be compiled once on each machine, which "
                 "takes half a minute. A game with it waits meanwhile; no clock runs.")
    prepared = number("Progress of the preparation, 0 to 1, while the bot is not "
                      "ready.", required=False)


BotsSchema = pages.page_of(BotSchema, "BotsSchema", "The built-in bots.")
