"""What is shown of games that are offered."""

from __future__ import annotations

from marshmallow import fields

from domain.game.clock import ACT, RESIGN
from service.api.schemas.base import Answered, one, one_of, text, time, whole
from service.api.schemas.seats import PlayerSchema, TimesSchema
from service.store.offers import REASONS, STATES


class OfferSchema(Answered):
    """A game that is offered."""

    id = text("The offer's id.")
    game = text("The id of the game that it becomes, once it is accepted.")
    by = one(PlayerSchema, "Who offers it.")
    board = text("The board's id.")
    seats = whole("How many players, `by` included.", 2)
    clock = one(TimesSchema, "How long seats may think; as long as in any game without it.",
                required=False)
    on_timeout = one_of([RESIGN, ACT], "What happens to a seat that thinks too long.",
                        required=False)
    rated = fields.Boolean(required=True, metadata={"description": "Whether it is rated."})
    created = time("When it was offered.")
    lapses = time("Until when it may be accepted.")
    state = one_of(STATES, "What has become of it; `accepted` once all that are wanted have.")
    accepted = whole("How many have accepted.")


class SeekSchema(OfferSchema):
    """A game that is offered to whoever fits."""

    rating_from = fields.Float(metadata={
        "description": "The least rating over all boards of whoever accepts."})
    rating_to = fields.Float(metadata={"description": "And the highest."})
    accepted_by_you = fields.Boolean(metadata={
        "description": "Present, and true, where you are one of those who have accepted."})


class ChallengeSchema(OfferSchema):
    """A game of two that is offered to an account."""

    to = one(PlayerSchema, "Who is challenged.")
    reason = one_of(REASONS, "Why, if it was declined.", required=False)
