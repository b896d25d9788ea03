"""Accounts, tokens, boards, bots."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.base import Answered, Asked, text, whole
from service.players import LONGEST_NAME, NAME


class NewPlayerSchema(Asked):
    """An account to be made."""

    name = text("A name to show: one line without control characters, no space at either end.",
                validate=[validate.Length(1, LONGEST_NAME), validate.Regexp(NAME)])


class AccountSchema(Answered):
    """An account."""

    id = text("The account's id.")
    name = text("The account's name.")
    bot = text("The built-in bot's name, where it is one.", required=False)
    created = fields.DateTime(required=True)


class NewAccountSchema(AccountSchema):
    """A new account with its token, which is shown this once."""

    token = text("Send it as `Authorization: Bearer fogg_...`. It cannot be shown again.")


class TokenSchema(Answered):
    """What may be shown of a token."""

    id = text("The token's id, to revoke it by.")
    created = fields.DateTime(required=True)


class NewTokenSchema(TokenSchema):
    """A new token, which is shown this once."""

    token = text("Send it as `Authorization: Bearer fogg_...`. It cannot be shown again.")


class NothingSchema(Asked):
    """An empty object."""


def page_of(schema: type, name: str) -> type:
    """Return the schema of a list that has one page."""
    return type(name, (Answered,), {
        "__doc__": "A list.",
        "items": fields.List(fields.Nested(schema), required=True),
        "next": fields.String(required=True, allow_none=True,
                              metadata={"description": "Always null: there is one page."}),
    })


TokensSchema = page_of(TokenSchema, "TokensSchema")


class BotSchema(Answered):
    """A built-in bot."""

    name = text("What to ask for when a game is created.")
    description = text("How it plays.")


BotsSchema = page_of(BotSchema, "BotsSchema")


class ListedBoardSchema(Answered):
    """A board that can be played."""

    id = text("The board's id.")
    name = text("The board's name.")
    least_players = whole("The fewest seats.", 2)
    most_players = whole("The most seats.", 2)


BoardsSchema = page_of(ListedBoardSchema, "BoardsSchema")


class LocationSchema(Answered):
    id = text("The location's id.")
    name = text("Its name.")
    lat = fields.Float(required=True, metadata={"description": "Degrees north."})
    lon = fields.Float(required=True, metadata={"description": "Degrees east."})


class RouteSchema(Answered):
    id = text("`a--b`, or `a--b--2` for the second track of a double route.")
    a = text("A location's id.")
    b = text("A location's id.")
    length = whole("Spaces.", 1)
    color = text("The colour of cards it takes; `grey` takes any one colour.")
    twin = text("The other track of a double route.", required=False)


class TicketSchema(Answered):
    id = text("`a--b`.")
    a = text("A location's id.")
    b = text("A location's id.")
    points = whole("What it is worth, or costs.", 1)


class OfferSchema(Answered):
    deal = whole("How many tickets are offered.", 1)
    keep = whole("How many must be kept at least.", 1)


class PlayersRangeSchema(Answered):
    least = whole("The fewest seats.", 2)
    most = whole("The most seats.", 2)


class BoardSchema(Answered):
    """A board's table: everything about it that never changes."""

    id = text("The board's id.")
    name = text("The board's name.")
    rulebook = text("The rules that it follows.", required=False)
    digest = text("SHA-256 of the table, which games record.")
    players = fields.Nested(PlayersRangeSchema, required=True)
    trains = whole("Trains each.", 1)
    cards = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "The deck: how many cards of each colour; the joker is `wild`."})
    hand = whole("Cards each at the start.")
    points = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata={
        "description": "Points of a route by its length."})
    tickets_at_start = fields.Nested(OfferSchema, required=True)
    tickets_on_a_turn = fields.Nested(OfferSchema, required=True)
    doubles_closed_for = fields.List(fields.Integer(), required=True, metadata={
        "description": "With so many players only one track of a double route is used."})
    rules = fields.List(fields.String(), required=True, metadata={
        "description": "Rules beyond the common ones."})
    longest_path_bonus = whole("Points for the longest path.")
    tie_breaks = fields.List(fields.String(), required=True, metadata={
        "description": "What equals in points are ranked by."})
    vocabulary = fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "What the rulebook calls things."})
    provenance = fields.Dict(keys=fields.String(), values=fields.String(), metadata={
        "description": "Where the table's parts come from."})
    locations = fields.List(fields.Nested(LocationSchema), required=True)
    routes = fields.List(fields.Nested(RouteSchema), required=True)
    tickets = fields.List(fields.Nested(TicketSchema), required=True)


class HealthSchema(Answered):
    status = fields.String(required=True, validate=validate.OneOf(["ok"]))
