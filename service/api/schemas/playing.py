"""What is asked when a game is played and followed."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import ValidationError, fields, validate

from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    Asked,
    Fits,
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
from service.api.schemas.headers import KeyHeadersSchema, key, prefer
from service.api.schemas.tagged import ActionSchema, note
from service.api.schemas.views import EntrySchema, ViewSchema
from service.store.histories import PAGE

MOST_ACTIONS = 100  # in one request
MOST_THINKING = 2**31 - 1  # milliseconds
THINKING = ("For how many milliseconds one of the service's own built-in bots has thought: what it "
            "waited for a worker does not count. Of others it is ignored.")


class EntriesQuerySchema(Asked):
    """Which entries to answer with, and when."""

    after = WrittenWhole(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "Only entries after this version."})
    wait = pages.wait("If there are none yet, wait up to so many seconds for the next one.")
    limit = pages.limit("entries to answer with", PAGE, PAGE)
    legal_actions = legal_actions()


class ActionHeadersSchema(KeyHeadersSchema):
    """On which version an action counts, and by what name."""

    if_match = text(
        "The version, quoted, that the action is meant for, or the `ETag` of what was decided on: "
        "should the game have moved on, the answer is 412. Without it an action that is still "
        "legal is played.",
        data_key="If-Match", required=False,
        validate=Fits('^"[0-9]{1,9}(-gzip)?"$',
                      'Should be a version in quotes, such as "42".'))
    prefer = prefer()
    thinking = WrittenWhole(
        data_key="Fogg-Thinking", validate=validate.Range(0, MOST_THINKING),
        metadata={"description": THINKING, "x-internal": True})


class EachAlone(fields.List):
    """A list of which each item is read on its own: it becomes what was read of it, or the error
    that says what is wrong with it."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return [self.read(item) for item in value]

    def read(self, item: Any) -> Any:
        """Return what is read of an item, or what is wrong with it."""
        try:
            return self.inner.deserialize(item)
        except ValidationError as error:
            return error


class GameActionRequestSchema(Asked):
    """An action in one of several games, or a look at it."""

    game = text("The game's id.")
    action = one(
        ActionSchema, "One of the view's `legal_actions`, or `resign`, perhaps with a `note`. "
        "Without it nothing is played, and the answer holds the view.", required=False)
    if_match = whole(
        "The version that the action is meant for: should the game have moved on, the item's "
        "status is 412. Without it an action that is still legal is played.", 1, 999_999_999,
        required=False)
    key = key("A name of your own for this action, as the header `Idempotency-Key` is for one that "
              "is posted alone: sent again, alone or with others, it is played only once and "
              "answered as the first time.")
    note = note()
    token = text("A token of another account than the one that asks: the item is of that account, "
                 "in all that it is and comes to.", required=False)
    thinking = whole(THINKING, 0, MOST_THINKING, required=False)


class ActionsRequestSchema(Asked):
    """Actions in several games."""

    items = EachAlone(fields.Nested(GameActionRequestSchema), required=True,
                      validate=validate.Length(1, MOST_ACTIONS), metadata={
                          "description": "What is to be played. Those in one game are played in "
                                         "this order."})


class ActionsQuerySchema(Asked):
    """What views are to have."""

    legal_actions = legal_actions()


def _status(description: str, values: list[int]) -> Whole:
    """Return a field of one of these statuses, which tell apart what came of an item."""
    return Whole(required=True, validate=validate.OneOf(values),
                 metadata={"description": description})


class ActionDoneSchema(Answered):
    """What was done in one of several games."""

    status = _status("200.", [200])
    version = whole("The game's version after it.", 1)
    entries = many(EntrySchema, "The entry that the action became, where there was one.",
                   required=False)
    view = one(ViewSchema, "The game after it; with `Prefer: return=minimal` only where there was "
               "no action.", required=False)


class ActionRefusedSchema(ProblemSchema):
    """Why something was not done in one of several games: the problem that would have been the
    answer to it alone."""

    status = _status("The HTTP status that it would have had alone.",
                     [400, 401, 403, 404, 409, 412, 422, 429, 500, 503])
    entries = many(EntrySchema, "With the status 412, the first 50 entries since `if_match`; with "
                   "the `view` only in the first such item of an account in a game, and only if "
                   "the answer has room for them.", required=False)
    next = whole("Where there are more entries than these: the `after` with which `listEvents` has "
                 "the rest.", 1, required=False)
    view = one(ViewSchema, "With the status 412, the game as it is now.", required=False)
    retry_after = whole("Seconds to wait before trying again, where that may help.",
                        required=False)


class ActionOutcomeSchema(Union):
    """What came of one of several items, with the HTTP status that it would have had alone."""

    by_type = False
    members: ClassVar = {"code": ActionRefusedSchema, "version": ActionDoneSchema}


class ActionOutcomesSchema(Answered):
    """What came of actions in several games."""

    items = many(ActionOutcomeSchema, "What came of each, in the order of the request.")
