"""What the statistics of finished games look like."""

from __future__ import annotations

from marshmallow import fields

from service.api.schemas import pages
from service.api.schemas.base import Answered, Asked, many, text, whole


def share(description: str) -> fields.Float:
    """Return a part of a whole."""
    return fields.Float(required=True, metadata={"description": description})


class PlayedByMixin:
    """How one kind of player has done."""

    seats = whole("The number of seats of these games.", 2)
    player = text("A built-in bot's name; `external` for bots that others run; `person` for "
                  "everybody else.")
    played = whole("How many seats such players had: two in one game count twice.", 1)
    won = whole("How many of these came to rank 1, alone or with others.")
    mean_score = share("The mean of their totals.")
    tickets_completed = share("The share of the tickets they kept that were completed.")


class PlayerStatisticsSchema(PlayedByMixin, Answered):
    """How one kind of player has done on a board, with so many seats."""


class BotStatisticsSchema(PlayedByMixin, Answered):
    """How one kind of player has done on one board, with so many seats."""

    board = text("The board's id.")


BotsStatisticsSchema = pages.page_of(BotStatisticsSchema, "BotsStatisticsSchema",
                                     "How the kinds of players have done, by board and seats.")


class GamesBySeatsSchema(Answered):
    """How many games had so many seats."""

    seats = whole("The number of seats.", 2)
    games = whole("How many games.", 1)


class RouteStatisticsSchema(Answered):
    """How often a route was claimed."""

    route = text("The route's id.")
    claimed = whole("In how many games.", 1)
    share = share("The same as a share of all games on the board.")


class ContestedRoutesQuerySchema(Asked):
    """Which contested routes to answer with."""

    board = text("The routes of this board alone, by its id.", required=False)


class ContestedRouteSchema(Answered):
    """How often a route was claimed, by whom, and how early."""

    board = text("The board's id.")
    route = text("The route's id.")
    claimed = whole("In how many games it was claimed.", 1)
    by_winners = whole("In how many of these by a seat that came to rank 1.")
    mean_turn = fields.Float(required=True, metadata={
        "description": "The mean of the turns in which it was claimed, counted for each seat; 1 is "
                       "a seat's first turn."})


ContestedRoutesSchema = pages.page_of(
    ContestedRouteSchema, "ContestedRoutesSchema",
    "The routes that were claimed, by board, the one claimed most often first.")


class TicketStatisticsSchema(Answered):
    """How often a ticket was kept and completed."""

    ticket = text("The ticket's id.")
    kept = whole("How often it was kept.", 1)
    completed = whole("How often it was completed then.")


class BoardStatisticsSchema(Answered):
    """What the finished games on a board add up to."""

    board = text("The board's id.")
    games = whole("How many games.")
    by_seats = many(GamesBySeatsSchema, "The same by number of seats.")
    players = many(PlayerStatisticsSchema, "How the kinds of players have done.")
    routes = many(RouteStatisticsSchema, "The routes that were claimed, the most frequent first.")
    tickets = many(TicketStatisticsSchema, "The tickets that were kept, the most frequent first.")
