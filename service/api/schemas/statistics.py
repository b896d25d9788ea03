"""Statistics of finished games."""

from __future__ import annotations

from service.api.schemas import pages
from service.api.schemas.base import Answered, many, number, text, whole


class PlayedByMixin:
    """The results of one kind of player."""

    seats = whole("The number of seats in these games.", 2)
    player = text("A built-in bot's name; `external` for all other bots; `person` for people.")
    played = whole("The number of seats that such players had; two seats in one game count "
                   "twice.", 1)
    won = whole("The number of seats with rank 1, alone or shared.")
    mean_score = number("The mean total.")
    tickets_completed = number("The share of kept tickets that were completed.")


class PlayerStatisticsSchema(PlayedByMixin, Answered):
    """The results of one kind of player on a board, with a given number of seats."""


class BotStatisticsSchema(PlayedByMixin, Answered):
    """The results of one kind of player on one board, with a given number of seats."""

    board = text("The board's id.")


BotsStatisticsSchema = pages.page_of(BotStatisticsSchema, "BotsStatisticsSchema",
                                     "Results by kind of player, board and number of seats.")


class GamesBySeatsSchema(Answered):
    """The number of games with a given number of seats."""

    seats = whole("The number of seats.", 2)
    games = whole("The number of games.", 1)


class RouteStatisticsSchema(Answered):
    """How often a route was claimed, by whom, and how early."""

    route = text("The route's id.")
    claimed = whole("The number of games in which it was claimed.", 1)
    share = number("The share of all games on the board.")
    by_winners = whole("In how many of these by a seat with rank 1.")
    mean_turn = number("The mean of the turns in which it was claimed, counted for each seat; 1 is "
                       "a seat's first turn.")


class TicketStatisticsSchema(Answered):
    """How often a ticket was kept and completed."""

    ticket = text("The ticket's id.")
    kept = whole("How often it was kept.", 1)
    completed = whole("How often it was completed.")


class BoardStatisticsSchema(Answered):
    """Statistics of the finished games on a board."""

    board = text("The board's id.")
    games = whole("The number of games.")
    by_seats = many(GamesBySeatsSchema, "The number of games, by number of seats.")
    players = many(PlayerStatisticsSchema, "Results by kind of player.")
    routes = many(RouteStatisticsSchema, "Claimed routes, most frequent first.")
    tickets = many(TicketStatisticsSchema, "Kept tickets, most frequent first.")
