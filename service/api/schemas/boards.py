"""What boards and built-in bots look like."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas.base import Answered, many, one, page_of, text, texts, whole


class ListedBoardSchema(Answered):
    """A board that can be played."""

    id = text("The board's id.")
    name = text("The board's name.")
    least_players = whole("The fewest seats.", 2)
    most_players = whole("The most seats.", 2)


BoardsSchema = page_of(ListedBoardSchema, "BoardsSchema", "The boards that can be played.")


class LocationSchema(Answered):
    """A place that routes connect."""

    id = text("The location's id.")
    name = text("Its name.")
    lat = fields.Float(required=True, metadata={"description": "Degrees north."})
    district = whole("Its district, where the board has them.", 1, required=False)
    lon = fields.Float(required=True, metadata={"description": "Degrees east."})


class RouteSchema(Answered):
    """A railway between two locations."""

    id = text("`a--b`, or `a--b--2` for the second track of a double route.")
    a = text("A location's id.")
    b = text("A location's id.")
    length = whole("Spaces: so many cards and trains claim it.", 1)
    color = text("The colour of cards it takes; `grey` takes any one colour.")
    tunnel = fields.Boolean(metadata={"description": "Whether it is a tunnel (rule 4.4)."})
    ferry = whole("How many wilds the ferry takes at least (rule 4.3).", 1, required=False)
    twin = text("The id of the other track of a double route.", required=False)


class TicketSchema(Answered):
    """Two locations to connect."""

    id = text("`a--b`.")
    a = text("A location's id.")
    b = text("A location's id.")
    points = whole("What it is worth when completed, and costs when not.", 1)
    long = fields.Boolean(metadata={"description": "Whether it is only dealt at the start."})


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


class BoardSchema(Answered):
    """A board's table: everything about it that never changes."""

    id = text("The board's id.")
    name = text("The board's name.")
    rulebook = text("The rules that it follows.", required=False)
    digest = text("SHA-256 of the table in hex, which games record.")
    players = one(PlayersRangeSchema, "How many can play.")
    trains = whole("Trains each.", 1)
    stations = whole("Stations each.", 1, required=False)
    cards = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "The deck: how many cards of each colour; the joker is `wild`."})
    hand = whole("Cards each at the start.")
    points = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "Points of a route by its length."})
    tickets_at_start = one(OfferSchema, "The tickets before the first turn.")
    tickets_on_a_turn = one(OfferSchema, "The tickets that a turn may be spent on.")
    doubles_closed_for = fields.List(fields.Integer(), required=True, metadata={
        "description": "With so many players only one track of a double route is used."})
    rules = texts("Rules beyond the common ones.")
    longest_path_bonus = whole("Points for the longest path.", required=False)
    tie_breaks = texts("What equals in points are ranked by, the first that differs.")
    vocabulary = fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "What the rulebook calls things."})
    provenance = fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "Where the table's parts come from."})
    locations = many(LocationSchema, "The places.")
    routes = many(RouteSchema, "The railways between them.")
    tickets = many(TicketSchema, "The tickets.")


class BotSchema(Answered):
    """A built-in bot."""

    name = text("What to ask for when a game is created.")
    description = text("How it plays.")


BotsSchema = page_of(BotSchema, "BotsSchema", "The built-in bots.")
