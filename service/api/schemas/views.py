"""What a game looks like to a caller."""

from __future__ import annotations

from marshmallow import Schema, fields

from domain.game.state import FINISHED, LOBBY, PLAYING
from domain.game.view import (
    BEGUN,
    GAME,
    HEAD,
    LATE,
    SEAT,
    SEAT_BEGUN,
    SEAT_LATE,
    SETTINGS,
    YOU,
    YOU_BEGUN,
)
from domain.rules import ALL, RULES
from domain.secrecy import Shown
from service.api.schemas import pages
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
from service.api.schemas.declared import answer_of, fields_of
from service.api.schemas.histories import LogHeadSchema
from service.api.schemas.offered import ChallengeSchema
from service.api.schemas.seats import (
    ClockSchema,
    PairingSchema,
    PlaceSchema,
    PlayerSchema,
    ResultSchema,
)
from service.api.schemas.tagged import (
    ActionGroupSchema,
    ActionSchema,
    EventSchema,
    PlayedActionSchema,
)
from service.games.notices import NOTICES

STATUSES = [LOBBY, PLAYING, FINISHED]


def _of_rules(where: str) -> tuple[Shown, ...]:
    """Return what the rules add to a part of views."""
    return tuple(shown for rule in RULES for shown in getattr(rule, where))


def status() -> fields.String:
    """Return what stage a game is at."""
    return one_of(STATUSES, "`lobby` until every seat is taken, then `playing`, then `finished`.")


class RevealedSchema(Answered):
    """What a seat held at the end or, with `at`, then."""

    hand = cards("Cards in hand.")
    tickets = texts("Tickets kept.")
    offered = texts("Tickets to choose from, where `at` is before the choice.", required=False)


class DecidingSchema(Answered):
    """A decision that the game waits for."""

    seat = whole("Who is to decide.")
    decision = one_of(ALL.decisions, "What is to be decided.")
    deadline = time("When the action has to have arrived, where the game has a clock; a built-in "
                    "bot has none, as its clock does not run while it waits for a worker.",
                    required=False)


class OriginSchema(Answered):
    """The position that a fork goes on from."""

    game = text("The id of the game forked.")
    version = whole("The version that it is forked at.", 1)
    cards = one_of(["reshuffled", "kept"], "Whether the undrawn cards and tickets keep their "
                   "order; if they do, whoever has seen the other game knows it.")


NESTED: dict[str, type[Schema]] = {
    "player": PlayerSchema, "result": ResultSchema, "revealed": RevealedSchema,
    "deciding": DecidingSchema, "clock": ClockSchema, "tournament": PlaceSchema,
    "pool": PairingSchema, "fork": OriginSchema}

SeatSchema = answer_of(
    "Seat",
    "What anybody may see of a seat. Once the game runs, its score, trains, cards and tickets are "
    "there.",
    {
        **fields_of(SEAT, NESTED, required=True),
        **fields_of((*SEAT_BEGUN, *_of_rules("seat_view"), *SEAT_LATE), NESTED, required=False),
        "bank": fields.Float(metadata={
            "description": "Seconds left for all decisions, where the game's clock has a bank, at "
                           "the start of the present one."}),
    })


YouSchema = answer_of(
    "You", "What only the caller's own seat may see; in the lobby only the seat's number.",
    {
        **fields_of(YOU, NESTED, required=True),
        **fields_of((*YOU_BEGUN, *_of_rules("own_view")), NESTED, required=False),
        "legal_actions": many(
            ActionSchema, "Every action that may be posted now, `resign` aside; empty while the "
            "game waits for others.", required=False),
        "grouped_actions": many(
            ActionGroupSchema, "The same in groups, where `legal_actions=grouped` was asked for.",
            required=False),
    })


ViewSchema = answer_of(
    "View",
    "A game as the caller may see it. What lies on the table is there once the game has begun.",
    {
        **fields_of(HEAD, NESTED, required=True),
        "seats": many(SeatSchema, "The seats in the order of play."),
        **fields_of(GAME, NESTED, required=True),
        **fields_of((*BEGUN, *_of_rules("view"), *LATE, *SETTINGS), NESTED, required=False),
        "created": time("When the game was created."),
        "updated": time("When its last entry was accepted."),
        "started": time("When the first tickets were dealt; missing before.", required=False),
        "you": one(YouSchema, "Only if the caller has a seat.", required=False),
        "invitation": text("The code to join with, for the creator of a game that is not public.",
                           required=False),
    })


class EntrySchema(Answered):
    """An entry of a game's history: one accepted action, or a step in the lobby."""

    version = whole("The game's version after it.", 1)
    at = time("When it was accepted.")
    schema_version = whole("The version of the form of entries.", 1)
    seat = whole("Who acted; missing for steps in the lobby.", required=False)
    action = one(PlayedActionSchema, "The action; missing for steps in the lobby.", required=False)
    note = text("What the player noted beside the action: for its own eyes until the game is an "
                "open book, then for everybody's.", required=False)
    available = time("Where the game has a clock: when the decision was there.", required=False)
    arrived = time("And when the action arrived.", required=False)
    paused = whole("Milliseconds in between in which the service was away, which do not count.", 1,
                   required=False)
    queued = whole("Milliseconds in between in which a built-in bot waited for one of the "
                   "service's workers, which do not count either; of no other seat.", 1,
                   required=False)
    timed_out = fields.Boolean(metadata={
        "description": "Whether nothing arrived in time, and the seat left or was acted for."})
    events = many(EventSchema, "What came of it, in order.")
    hash = text("SHA-256 of the hash before, a newline and this entry; docs/fairness.md says how.")
    salt = text("Random, so that the hash betrays nothing; once the game is finished.",
                required=False)
    log_head = one(LogHeadSchema, "Of the first entry: where the log of finished games (`getLog`) "
              "ended as the game was created.", required=False)
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
    view = one(ViewSchema, "The game after it; left out with `Prefer: return=minimal`.",
               required=False)


class NoticeSchema(Answered):
    """Something that an account is to know of its games."""

    type = one_of(
        NOTICES, "`paired`: a tournament or the pool has given you a game. `started`: the first "
        "tickets are dealt. `your_turn`: the game waits for a decision of yours. `over`: it is "
        "over. `invited`: you may join it. `lost`: it has gone back, as what it had come to since "
        "was lost with a server; look at it anew. `challenged`: somebody offers you a game. "
        "`declined`: somebody has declined the one that you have offered.")
    game = text("The game's id; of a challenge, of what it would become.")
    challenge = one(ChallengeSchema, "With `challenged` and `declined`.", required=False)
    tournament = text("The tournament's id, with `paired`.", required=False)
    round = whole("The number of its round, with `paired`.", 1, required=False)
    pool = text("The pairing's id, with `paired` by the pool.", required=False)
    version = whole("The game's version; missing where it has not begun. With `lost`, the one that "
                    "it has gone back to, 0 if nothing is left.", 0, required=False)
    was = whole("The version that it had, with `lost`.", 1, required=False)
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
    score = whole("Points so far, while the game is under way and everybody may watch it.",
                  required=False)
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
    started = time("When the first tickets were dealt; missing before.", required=False)
    seats = many(ListedSeatSchema, "The seats in the order of play.")
    deciding = many(DecidingSchema, "Whom the game waits for, without the `deadline` that the "
                                     "game's view has: it moves whenever the service is away, and "
                                     "rows of lists are kept as they were at `version`.")
    visibility = one_of(["unlisted", "private"], "Where the game is not public.", required=False)
    clock = one(ClockSchema, "How long seats may think, where the game has a clock.",
                required=False)
    tournament = one(PlaceSchema, "Where in a tournament it belongs, if it is of one.",
                     required=False)


class GamesSchema(Answered):
    """A page of games, the newest first."""

    items = many(ListedGameSchema, "The games.")
    next = pages.next_cursor()


class StaleProblemSchema(ProblemSchema):
    """The game has moved on: everything that is needed to decide anew."""

    version = whole("The game's version now.", 1)
    entries = many(EntrySchema, "The first 50 entries since the version in `If-Match`, as the "
                                "caller may see them.")
    next = whole("Where there are more entries than these: the `after` with which `listEvents` has "
                 "the rest.", 1, required=False)
    view = one(ViewSchema, "The game as the caller may see it now.")
