"""Requests to play and follow games, and the results of batches."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields, validate

from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    EachAlone,
    ProblemSchema,
    Union,
    Whole,
    WrittenWhole,
    many,
    one,
    text,
    whole,
)
from service.api.schemas.games import legal_actions
from service.api.schemas.headers import KeyHeadersSchema, if_match, key, prefer
from service.api.schemas.tagged import ActionSchema, note
from service.api.schemas.views import EntrySchema, ViewSchema
from service.store.histories import PAGE

MOST_ACTIONS = 100  # in one request
MOST_THINKING = 2**31 - 1  # milliseconds
THINKING = ("Milliseconds of thinking time reported by the service's own built-in bots, without "
            "the wait for a worker. Ignored from other callers.")


class EntriesQuerySchema(Asked):
    """Where to resume, how long to wait, and the size of a page."""

    after = WrittenWhole(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "Only entries after this version."})
    wait = pages.wait("Seconds to wait for an entry if there is none yet.")
    keep_alive = pages.keep_alive()
    limit = pages.limit("entries to answer with", PAGE, PAGE)
    legal_actions = legal_actions()


class ActionHeadersSchema(KeyHeadersSchema):
    """Headers of an action: version, idempotency key, preference."""

    if_match = if_match(
        "The version that the action was chosen at, quoted, or the `ETag` of that view. If the "
        "game has a later version, the answer is 412. Without this header, an action that is still "
        "legal is played.")
    prefer = prefer()
    thinking = WrittenWhole(
        data_key="Fogg-Thinking", validate=validate.Range(0, MOST_THINKING),
        metadata={"description": THINKING, "x-internal": True})


class GameActionRequestSchema(Asked):
    """An action in one of several games, or a request for its view."""

    game = text("The game's id.")
    action = one(
        ActionSchema, "One of the view's `legal_actions`, or `resign`; may include a `note`. "
                      "Without it nothing is played, and the result holds the "
                      "view.", required=False)
    if_match = whole(
        "The version that the action was chosen at. If the game has a later version, the item's "
        "status is 412. Without this member, an action that is still legal is "
        "played.", 1, 999_999_999,
        required=False)
    key = key("The action's idempotency key, like the header `Idempotency-Key` of `playAction`. If "
              "you repeat the action with it, alone or in a batch, it is played only once and the "
              "result is the same as the first time.")
    note = note()
    token = text("A token of another account: the item is processed as that account's "
                 "request.", required=False)
    thinking = whole(THINKING, 0, MOST_THINKING, required=False)


class ActionsRequestSchema(Asked):
    """Actions in several games."""

    items = EachAlone(fields.Nested(GameActionRequestSchema), required=True,
                      validate=validate.Length(1, MOST_ACTIONS), metadata={
                          "description": "The actions. Those in the same game are played in this "
                                         "order."})


class ActionsQuerySchema(Asked):
    """The form of legal actions."""

    legal_actions = legal_actions()


def _status(description: str, values: list[int]) -> Whole:
    """Return a field with one of these statuses."""
    return Whole(required=True, validate=validate.OneOf(values),
                 metadata={"description": description})


class ActionDoneSchema(Answered):
    """The result of an item that was processed."""

    status = _status("200.", [200])
    version = whole("The game's version after the item.", 1)
    entries = many(EntrySchema, "The entry that stores the action; missing if the item had no "
                                "action.",
                   required=False)
    view = one(ViewSchema, "The game after the item; with `Prefer: return=minimal`, only if the "
                           "item had no action.", required=False)


class ActionRefusedSchema(ProblemSchema):
    """The result of an item that was refused: the problem that `playAction` would have answered."""

    status = _status("The HTTP status that `playAction` would have answered.",
                     [400, 401, 403, 404, 409, 412, 422, 429, 500, 503])
    entries = many(EntrySchema, "With status 412: the first 50 entries since `if_match`. Like "
                                "`view`, only in the first such item of an account in a game, and "
                                "only if the answer has room.", required=False)
    next = whole("If there are more entries: the `after` with which `listEvents` "
                 "continues.", 1, required=False)
    view = one(ViewSchema, "With status 412: the current view of the game.", required=False)
    retry_after = whole("Seconds to wait before a retry, if a retry can help.",
                        required=False)


class ActionOutcomeSchema(Union):
    """The result of one item of a batch, with the HTTP status that `playAction` would have
    answered."""

    by_type = False
    members: ClassVar = {"code": ActionRefusedSchema, "version": ActionDoneSchema}


class ActionOutcomesSchema(Answered):
    """The results of a batch of actions."""

    items = many(ActionOutcomeSchema, "The results, in the order of the request.")
