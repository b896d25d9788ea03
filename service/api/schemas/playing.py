"""What is asked when a game is played and followed."""

from __future__ import annotations

from marshmallow import validate

from service.api.schemas import pages
from service.api.schemas.base import (
    Asked,
    Fits,
    WrittenWhole,
    text,
)
from service.api.schemas.headers import KeyHeadersSchema
from service.store.histories import PAGE


class EntriesQuerySchema(Asked):
    """Which entries to answer with, and when."""

    after = WrittenWhole(load_default=0, validate=validate.Range(0, 2**31 - 1), metadata={
        "description": "Only entries after this version."})
    wait = pages.wait("If there are none yet, wait up to so many seconds for the next one.")
    limit = pages.limit("entries to answer with", PAGE, PAGE)


class ActionHeadersSchema(KeyHeadersSchema):
    """On which version an action counts, and by what name."""

    if_match = text(
        "The version, quoted, that the action is meant for: should the game have moved on, the "
        "answer is 412. Without it an action that is still legal is played.",
        data_key="If-Match", required=False,
        validate=Fits('^"[0-9]{1,9}"$', 'Should be a version in quotes, such as "42".'))
    thinking = WrittenWhole(
        data_key="Fogg-Thinking", validate=validate.Range(0, 2**31 - 1), metadata={
            "description": "For how many milliseconds one of the service's own built-in bots has "
                           "thought: what it waited for a worker does not count. Of others it is "
                           "ignored."})
