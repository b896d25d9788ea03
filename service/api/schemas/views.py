"""What a game looks like to a caller."""

from __future__ import annotations

from marshmallow import fields

from domain.game.state import FINISHED, KEEP_TICKETS, LOBBY, PLAYING, SECOND_CARD, TUNNEL, TURN
from service.api.schemas.base import (
    Answered,
    ProblemSchema,
    cards,
    many,
    one,
    one_of,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.seats import ClockSchema, PlaceSchema, PlayerSchema, ResultSchema
from service.api.schemas.tagged import ActionSchema, EventSchema, PlayedActionSchema

STATUSES = [LOBBY, PLAYING, FINISHED]


def status() -> fields.String:
    """Return what stage a game is at."""
    return one_of(STATUSES, "`lobby` until every seat is taken, then `playing`, then `finished`.")


class RevealedSchema(Answered):
    """What a seat held at the end or, with `at`, then."""

    hand = cards("Cards in hand.")
    tickets = texts("Tickets kept.")
    offered = texts("Tickets to choose from, where `at` is before the choice.", required=False)


class SeatSchema(Answered):
    """What anybody may see of a seat. Once the game runs, everything up to `tickets` is there."""

    seat = whole("The seat's number, from 0 in the order of play.")
    player = one(PlayerSchema, "Who sits there; missing while the seat is open.", required=False)
    score = whole("Points so far, without tickets and final bonuses.", required=False)
    trains = whole("Trains left.", required=False)
    cards = whole("How many cards are in hand.", required=False)
    tickets = whole("How many tickets were kept.", required=False)
    stations = whole("Stations left, where the board has them.", required=False)
    flag = texts("Cards kept for the flag, where the board has flags.", required=False)
    bank = fields.Float(metadata={"description": "Seconds left for all decisions, where the game's "
                                                 "clock has a bank, at the start of the present "
                                                 "one."})
    left = one_of(["resigned", "time"], "Why the seat left the game, if it did.", required=False)
    result = one(ResultSchema, "Once the game is finished, unless it was called off.",
                 required=False)
    revealed = one(RevealedSchema, "Once the game is finished, and every other of its deal.",
                   required=False)


class DecidingSchema(Answered):
    """A decision that the game waits for."""

    seat = whole("Who is to decide.")
    decision = one_of([KEEP_TICKETS, TURN, SECOND_CARD, TUNNEL], "What is to be decided.")
    deadline = time("When the action has to have arrived, where the game has a clock.",
                    required=False)


class ClaimSchema(Answered):
    """A route and its owner."""

    route = text("The route's id.")
    seat = whole("The owner's seat.")


class StationSchema(Answered):
    """A station and its owner."""

    location = text("The location's id.")
    seat = whole("The owner's seat.")


class TunnelSchema(Answered):
    """A tunnel that a seat is about to claim (rule 4.4)."""

    seat = whole("Whose claim it is.")
    route = text("The route's id.")
    laid = cards("The cards laid for it.")
    turned = texts("The cards turned.")
    extra = whole("How many cards it asks for beyond.", 1)


class OriginSchema(Answered):
    """The position that a fork goes on from."""

    game = text("The id of the game forked.")
    version = whole("The version that it is forked at.", 1)
    cards = one_of(["reshuffled", "kept"], "Whether the undrawn cards and tickets keep their "
                   "order; if they do, whoever has seen the other game knows it.")


class YouSchema(Answered):
    """What only the caller's own seat may see; in the lobby only the seat's number."""

    seat = whole("The caller's seat.")
    hand = cards("Cards in hand, colour to count.", required=False)
    tickets = texts("Ids of the tickets kept.", required=False)
    offered = texts("Ids of the tickets to choose from.", required=False)
    legal_actions = many(
        ActionSchema, "Every action that may be posted now, `resign` aside; empty while the game "
        "waits for others.", required=False)


class ViewSchema(Answered):
    """A game as the caller may see it. What lies on the table is there once the game has begun."""

    id = text("The game's id.")
    board = text("The board's id.")
    status = status()
    version = whole("How many entries the game's history has.", 1)
    rules_version = whole("The version of the rules that decide this game.", 1)
    creator = text("The id of the account that created the game, or of the tournament.")
    seats = many(SeatSchema, "The seats in the order of play.")
    deciding = many(DecidingSchema, "Whom the game waits for; several only while the first tickets "
                                    "are chosen.")
    row = texts("The face-up cards.", required=False)
    deck = whole("How many cards are in the deck.", required=False)
    discards = whole("How many cards are discarded.", required=False)
    ticket_deck = whole("How many tickets are in the deck.", required=False)
    claims = many(ClaimSchema, "The claimed routes.", required=False)
    stations = many(StationSchema, "The stations, where the board has them.", required=False)
    tunnel = one(TunnelSchema, "While a tunnel asks for more cards.", required=False)
    final_turns = whole("Turns still to be played, the present one included, once the end has been "
                        "triggered (rule 7.1).", 1, required=False)
    you = one(YouSchema, "Only if the caller has a seat.", required=False)
    commitment = text("SHA-256 of the seed in hex, published before the first card.")
    seed_known = fields.Boolean(required=True, metadata={
        "description": "Whether the creator chose the seed, and so knows it."})
    seed = text("The seed in hex, once the game is finished, and every other of its deal.",
                required=False)
    ending = one_of(["final_turns", "all_passed", "one_seat_left", "aborted", "expired"],
                    "Why the game ended, once it has: `aborted` by its creator before the first "
                    "turn, `expired` since nobody came.", required=False)
    clock = one(ClockSchema, "How long seats may think, where the game has a clock.",
                required=False)
    tournament = one(PlaceSchema, "Where the game belongs, if it is one of a tournament.",
                     required=False)
    fork = one(OriginSchema, "Where the game goes on from, if it is a fork.", required=False)
    visibility = one_of(["unlisted", "private"], "Where the game is not public.", required=False)
    spectators = fields.Boolean(metadata={
        "description": "`false` where those without a seat may not watch."})
    invitation = text("The code to join with, for the creator of a game that is not public.",
                      required=False)


class EntrySchema(Answered):
    """An entry of a game's history: one accepted action, or a step in the lobby."""

    version = whole("The game's version after it.", 1)
    at = time("When it was accepted.")
    schema_version = whole("The version of the form of entries.", 1)
    seat = whole("Who acted; missing for steps in the lobby.", required=False)
    action = one(PlayedActionSchema, "The action; missing for steps in the lobby.", required=False)
    available = time("Where the game has a clock: when the decision was there.", required=False)
    arrived = time("And when the action arrived.", required=False)
    paused = whole("Milliseconds in between in which the service was away, which do not count.", 1,
                   required=False)
    timed_out = fields.Boolean(metadata={
        "description": "Whether nothing arrived in time, and the seat left or was acted for."})
    events = many(EventSchema, "What came of it, in order.")
    hash = text("SHA-256 of the hash before, a newline and this entry; docs/fairness.md says how.")
    salt = text("Random, so that the hash betrays nothing; once the game is finished.",
                required=False)
    command = text("Hashes of the idempotency key, if there was one, and of what was asked; once "
                   "the game is finished.",
                   required=False)


class EntriesSchema(Answered):
    """A page of a game's history."""

    items = many(EntrySchema, "The entries, the oldest first.")
    next = fields.Integer(required=True, allow_none=True, metadata={
        "description": "The `after` of the next request; null once the game is over and all of it "
                       "has been read."})


class PlayedSchema(Answered):
    """The answer to an accepted action."""

    version = whole("The game's version after the action.", 1)
    entries = many(EntrySchema, "The entry that the action became.")
    view = one(ViewSchema, "The game after it, or later if others have played since.")


class NoticeSchema(Answered):
    """Something that an account is to know of its games."""

    type = one_of(["paired", "started", "your_turn", "over", "invited"], "`paired`: a tournament "
                  "has given you a game. `started`: the first tickets are dealt. `your_turn`: the "
                  "game waits for a decision of yours. `over`: it is over. `invited`: you may join "
                  "it.")
    game = text("The game's id.")
    tournament = text("The tournament's id, with `paired`.", required=False)
    round = whole("The number of its round, with `paired`.", 1, required=False)
    version = whole("The game's version; missing from `invited`.", 1, required=False)
    view = one(ViewSchema, "The game as you may see it, with `your_turn` and `over`.",
               required=False)
    by = one(PlayerSchema, "Who invited you.", required=False)
    invitation = text("The code to join with.", required=False)
    cursor = text("Up to where you have been told, to go on from; on the last of several that come "
                  "together.", required=False)


class NoticesSchema(Answered):
    """What an account is to know of its games."""

    items = many(NoticeSchema, "The notices.")
    next = text("The `after` of the next request.")


class LegalActionsSchema(Answered):
    """The caller's legal actions."""

    version = whole("The game's version that they belong to.", 1)
    items = many(ActionSchema, "All of them.")
    next = fields.Integer(required=True, allow_none=True, metadata={
        "description": "Always null: there is one page."})


class ListedSeatSchema(Answered):
    """What lists show of a seat."""

    seat = whole("The seat's number.")
    player = one(PlayerSchema, "Who sits there; missing while the seat is open.", required=False)
    total = whole("Final points, once the game is finished.", None, required=False)
    rank = whole("Final rank, once the game is finished.", 1, required=False)


class ListedGameSchema(Answered):
    """What lists show of a game."""

    id = text("The game's id.")
    board = text("The board's id.")
    status = status()
    version = whole("How many entries the game's history has.", 1)
    created = time("When it was created.")
    updated = time("When its last entry was accepted.")
    seats = many(ListedSeatSchema, "The seats in the order of play.")
    deciding = fields.List(whole("A seat."), required=True, metadata={
        "description": "Seats that the game waits for."})
    visibility = one_of(["unlisted", "private"], "Where the game is not public.", required=False)
    clock = one(ClockSchema, "How long seats may think, where the game has a clock.",
                required=False)


class GamesSchema(Answered):
    """A page of games, the newest first."""

    items = many(ListedGameSchema, "The games.")
    next = text("The `cursor` of the next page; null at the end.", allow_none=True)


class StaleProblemSchema(ProblemSchema):
    """The game has moved on: everything that is needed to decide anew."""

    version = whole("The game's version now.", 1)
    entries = many(EntrySchema, "The entries since the version in `If-Match`, as the caller may "
                                "see them.")
    view = one(ViewSchema, "The game as the caller may see it now.")
