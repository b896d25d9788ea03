"""What a game looks like to a caller."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.state import FINISHED, KEEP_TICKETS, LOBBY, PLAYING, SECOND_CARD, TURN
from service.api.schemas.base import Answered, cards, text, texts, whole
from service.api.schemas.tagged import ActionSchema, EventSchema, PlayedActionSchema

STATUSES = [LOBBY, PLAYING, FINISHED]


def status() -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(STATUSES), metadata={
        "description": "`lobby` until every seat is taken, `playing`, `finished`."})


class PlayerSchema(Answered):
    """Who sits on a seat."""

    id = text("The account's id.")
    name = text("The account's name.")
    bot = text("The built-in bot's name, where it is one.", required=False)


class ResultSchema(Answered):
    """A seat's final result; the parts from `routes` to `flags` add up to `total`."""

    routes = whole("Points for routes (rule 4.1).")
    tickets = whole("Points for tickets completed less those for tickets not (rule 5.3).", None)
    longest_path = whole("Bonus for the longest path (rule 7.2).")
    stations = whole("Points for unused stations, where the board has them (rule 6.3).")
    districts = whole("Points for districts, where the board has them (rule 7.3).")
    flags = whole("Points for flags, where the board has them (rule 4.5).")
    total = whole("All of it.", None)
    tickets_completed = whole("How many tickets were completed.")
    longest_path_length = whole("The longest path in trains.")
    rank = whole("1 is the winner; equals share a rank (rule 7.4).", 1)


class RevealedSchema(Answered):
    """What a seat held at the end."""

    hand = cards("Cards left in hand.")
    tickets = texts("Tickets kept.")


class SeatSchema(Answered):
    """What anybody may see of a seat. Once the game runs, everything up to `tickets` is there."""

    seat = whole("The seat's number, from 0 in the order of play.")
    player = fields.Nested(PlayerSchema, metadata={
        "description": "Who sits there; missing while the seat is open."})
    score = whole("Points so far, without tickets and final bonuses.", required=False)
    trains = whole("Trains left.", required=False)
    cards = whole("How many cards are in hand.", required=False)
    tickets = whole("How many tickets were kept.", required=False)
    left = fields.String(validate=validate.OneOf(["resigned", "time"]), metadata={
        "description": "Why the seat left the game, if it did."})
    result = fields.Nested(ResultSchema, metadata={"description": "Once the game is finished."})
    revealed = fields.Nested(RevealedSchema, metadata={
        "description": "Once the game is finished."})


class DecidingSchema(Answered):
    """A decision that the game waits for."""

    seat = whole("Who is to decide.")
    decision = fields.String(
        required=True, validate=validate.OneOf([KEEP_TICKETS, TURN, SECOND_CARD]),
        metadata={"description": "What is to be decided."},
    )


class ClaimSchema(Answered):
    """A route and its owner."""

    route = text("The route's id.")
    seat = whole("The owner's seat.")


class YouSchema(Answered):
    """What only the caller's own seat may see."""

    seat = whole("The caller's seat.")
    hand = cards("Cards in hand.", required=False)
    tickets = texts("Ids of the tickets kept.", required=False)
    offered = texts("Ids of the tickets to choose from.", required=False)
    legal_actions = fields.List(fields.Nested(ActionSchema), metadata={
        "description": "Every action that may be posted now, `resign` aside; empty while the game "
                       "waits for others."})


class ViewSchema(Answered):
    """A game as the caller may see it. Members of the table are there once the game has begun."""

    id = text("The game's id.")
    board = text("The board's id.")
    status = status()
    version = whole("How many entries the game's history has.", 1)
    rules_version = whole("The version of the rules that decide this game.", 1)
    creator = text("The account that created the game.")
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    deciding = fields.List(fields.Nested(DecidingSchema), required=True, metadata={
        "description": "Whom the game waits for; several only while the first tickets are chosen."})
    row = texts("The face-up cards.", required=False)
    deck = whole("Cards in the deck.", required=False)
    discards = whole("Cards discarded.", required=False)
    ticket_deck = whole("Tickets in the deck.", required=False)
    claims = fields.List(fields.Nested(ClaimSchema))
    final_turns = whole("Turns still to be played, the present one included, once the end has been "
                        "triggered (rule 7.1).", 1, required=False)
    you = fields.Nested(YouSchema, metadata={"description": "Only if the caller has a seat."})
    commitment = text("SHA-256 of the seed in hex, published before the first card.")
    seed_known = fields.Boolean(required=True, metadata={
        "description": "Whether the creator chose the seed, and so knows it."})
    seed = text("The seed in hex, once the game is finished.", required=False)
    ending = fields.String(
        validate=validate.OneOf(["final_turns", "all_passed", "one_seat_left"]),
        metadata={"description": "Why the game ended, once it has."},
    )


class EntrySchema(Answered):
    """An entry of a game's history: one accepted action, or step in the lobby."""

    version = whole("The game's version after it.", 1)
    at = fields.DateTime(required=True, metadata={"description": "When it was accepted."})
    schema_version = whole("The version of the form of entries.", 1)
    seat = whole("Who acted; missing for what is no seat's action.", required=False)
    action = fields.Nested(PlayedActionSchema, metadata={
        "description": "The action; missing for steps in the lobby."})
    events = fields.List(fields.Nested(EventSchema), required=True, metadata={
        "description": "What came of it, in order."})
    hash = text("SHA-256 of the hash before, a newline and this entry; see docs/fairness.md.")
    salt = text("Random, so that the hash betrays nothing; once the game is finished.",
                required=False)
    command = text("The idempotency key's hash; once the game is finished.", required=False)


class EntriesSchema(Answered):
    """A page of a game's history."""

    items = fields.List(fields.Nested(EntrySchema), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata={
        "description": "The `after` of the next request; null once the game is over and all of it "
                       "has been read."})


class PlayedSchema(Answered):
    """The answer to an accepted action."""

    version = whole("The game's version after the action.", 1)
    entries = fields.List(fields.Nested(EntrySchema), required=True, metadata={
        "description": "The entry of the action."})
    view = fields.Nested(ViewSchema, required=True)


class LegalActionsSchema(Answered):
    """The caller's legal actions."""

    version = whole("The game's version that they belong to.", 1)
    items = fields.List(fields.Nested(ActionSchema), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata={"description": "Always null."})


class ListedSeatSchema(Answered):
    seat = whole("The seat's number.")
    player = fields.Nested(PlayerSchema, metadata={"description": "Missing while it is open."})
    total = whole("Final points, once the game is finished.", None, required=False)
    rank = whole("Final rank, once the game is finished.", 1, required=False)


class ListedGameSchema(Answered):
    """What lists show of a game."""

    id = text("The game's id.")
    board = text("The board's id.")
    status = status()
    version = whole("How many entries the game's history has.", 1)
    created = fields.DateTime(required=True)
    updated = fields.DateTime(required=True)
    seats = fields.List(fields.Nested(ListedSeatSchema), required=True)
    deciding = fields.List(whole("A seat."), required=True, metadata={
        "description": "Seats that the game waits for."})


class GamesSchema(Answered):
    """A page of games, the newest first."""

    items = fields.List(fields.Nested(ListedGameSchema), required=True)
    next = fields.String(required=True, allow_none=True, metadata={
        "description": "The `cursor` of the next page; null at the end."})
