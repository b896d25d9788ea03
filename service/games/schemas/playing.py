"""Requests to play and follow games, and the results of batches."""

from types import NoneType
from typing import Annotated, Any, ClassVar, NotRequired, TypedDict, get_args

from marshmallow import ValidationError, fields, validate

from domain.codec import Json, Tagged, plain_type
from domain.described import OneOf, Positive
from domain.entry import NOTE_BYTES, Entry, is_note
from domain.rules import ACTIONS
from service.eventlog.histories import PAGE
from service.games.schemas.games import legal_actions
from service.games.shown import View
from service.http.problems import Problem
from service.http.schemas import pages
from service.http.schemas.base import (
    Asked,
    EachAlone,
    Truth,
    Union,
    WrittenWhole,
    cards,
    kind,
    one,
    one_of,
    text,
    whole,
)
from service.http.schemas.headers import KeyHeadersSchema, if_match, key, prefer
from service.http.texts import TEXT, is_shown

MOST_ACTIONS = 100  # in one request
MOST_THINKING = 2**31 - 1  # milliseconds
THINKING = (
    "Milliseconds of thinking time reported by the service's own built-in bots, without "
    "the wait for a worker. Ignored from other callers."
)


# Actions, made from the domain's classes, so that there is one list of them


def check_note(value: str) -> None:
    """Reject a note that is empty, longer than ``NOTE_BYTES`` bytes, or has characters that people
    cannot see. Stored notes may have such characters: histories are not checked for them."""
    if not is_note(value):
        raise ValidationError(f"Should have 1 to {NOTE_BYTES:,} bytes in UTF-8.")
    if not is_shown(value):
        raise ValidationError(
            "Should have no characters that nobody can see; line breaks, tabs and emoji are fine."
        )


def note() -> fields.String:
    words = (
        f"A note of your own about the action, 1 to {NOTE_BYTES:,} bytes of UTF-8, without "
        "invisible characters (line breaks, tabs and emoji are fine). Post it with the "
        "action; listed actions have none."
    )
    return fields.String(
        required=False,
        validate=check_note,
        metadata={"description": words, "minLength": 1, "maxLength": NOTE_BYTES, "pattern": TEXT},
    )


def schema_of(cls: type[Tagged]) -> type[Asked]:
    """Return the schema of an action. Generators of clients reserve names such as `Pass`."""
    members: dict[str, Any] = {
        each.member: _field_of(each.type, each.words, each.required) for each in cls.declared
    }
    return type(
        f"{cls.__name__}ActionSchema",
        (Asked,),
        {"type": kind(cls.type), "__doc__": cls.__doc__, **members, "note": note()},
    )


def _field_of(hint: Any, words: str, required: bool) -> fields.Field:
    hint = (
        next((part for part in get_args(hint) if get_args(part) or part is not NoneType), hint)
        if NoneType in get_args(hint)
        else hint
    )
    plain = plain_type(hint)
    if plain is dict:
        return cards(words, required=required)
    if plain is tuple:
        return fields.List(fields.String(), required=required, metadata={"description": words})
    if plain is bool:
        return Truth(required=required, metadata={"description": words})
    if plain is int:
        return whole(words, required=required)
    choices = get_args(hint)
    return one_of(choices, words, required=required) if choices else text(words, required=required)


class ActionSchema(Union):
    """An action of a seat, as listed in a view. Post it unchanged; you may add a `note`."""

    members: ClassVar = {name: schema_of(cls) for name, cls in ACTIONS.items()}


class EntriesQuerySchema(Asked):
    """Where to resume, how long to wait, and the size of a page."""

    after = WrittenWhole(
        load_default=0,
        validate=validate.Range(0, 2**31 - 1),
        metadata={"description": "Only entries after this version."},
    )
    wait = pages.wait("Seconds to wait for an entry if there is none yet.")
    keep_alive = pages.keep_alive()
    limit = pages.limit("entries to answer with", PAGE, PAGE)
    legal_actions = legal_actions()
    views = one_of(
        ("true", "false"),
        "For a stream: whether each entry has a member `view`, the view after it.",
        required=False,
        load_default="false",
    )


class ViewsQuerySchema(Asked):
    """Where to resume."""

    after = WrittenWhole(
        load_default=0,
        validate=validate.Range(0, 2**31 - 1),
        metadata={"description": "Only views after this version."},
    )


class ActionHeadersSchema(KeyHeadersSchema):
    """Headers of an action: version, idempotency key, preference."""

    if_match = if_match(
        "The version that the action was chosen at, quoted, or the `ETag` of that view. If the "
        "game has a later version, the answer is 412. Without this header, or with `*`, an action "
        "that is still legal is played. Of several, with commas between, one has to match; a weak "
        "one never does."
    )
    prefer = prefer()
    thinking = WrittenWhole(
        data_key="Fogg-Thinking",
        validate=validate.Range(0, MOST_THINKING),
        metadata={"description": THINKING, "x-internal": True},
    )


class GameActionRequestSchema(Asked):
    """An action in one of several games, or a request for its view."""

    game = text("The game's id.")
    action = one(
        ActionSchema,
        "One of the view's `legal_actions`, or `resign`; may include a `note`. "
        "Without it nothing is played, and the result holds the view.",
        required=False,
    )
    if_match = whole(
        "The version that the action was chosen at. If the game has a later version, the item's "
        "status is 412. Without this member, an action that is still legal is played.",
        1,
        999_999_999,
        required=False,
    )
    key = key(
        "The action's idempotency key, like the header `Idempotency-Key` of `playAction`. If "
        "you repeat the action with it, alone or in a batch, it is played only once and the "
        "result is the same as the first time."
    )
    note = note()
    token = text(
        "A token of another account: the item is processed as that account's request.",
        required=False,
    )
    thinking = whole(THINKING, 0, MOST_THINKING, required=False)


class ActionsRequestSchema(Asked):
    """Actions in several games."""

    items = EachAlone(
        fields.Nested(GameActionRequestSchema),
        required=True,
        validate=validate.Length(1, MOST_ACTIONS),
        metadata={"description": "The actions. Those in the same game are played in this order."},
    )


class ActionsQuerySchema(Asked):
    """The form of legal actions."""

    legal_actions = legal_actions()


class StaleProblem(Problem):
    """The game has a later version. The problem includes what is needed to decide again."""

    version: Annotated[Positive, "The game's current version."]  # type: ignore[misc]
    entries: Annotated[
        list[Entry],
        "The first 50 entries after the version in `If-Match`, as the caller may see them.",
    ]
    next: NotRequired[
        Annotated[
            Positive, "If there are more entries: the `after` with which `listEvents` continues."
        ]
    ]
    view: Annotated[View, "The current view of the game."]


class ActionDone(TypedDict):
    """The result of an item that was processed."""

    status: Annotated[int, {"minimum": None, "enum": [200]}, "200."]
    version: Annotated[Positive, "The game's version after the item."]
    entries: NotRequired[
        Annotated[
            list[Entry], "The entry that stores the action; missing if the item had no action."
        ]
    ]
    view: NotRequired[
        Annotated[
            View,
            "The game after the item; with `Prefer: return=minimal`, only if the item had no "
            "action.",
        ]
    ]


class ActionRefused(Problem):
    """The result of an item that was refused: the problem that `playAction` would have answered."""

    status: Annotated[
        int,
        {"minimum": None, "enum": [400, 401, 403, 404, 409, 412, 422, 429, 500, 503]},
        "The HTTP status that `playAction` would have answered.",
    ]
    entries: NotRequired[
        Annotated[
            list[Entry],
            "With status 412: the first 50 entries since `if_match`. Like `view`, only in "
            "the first such item of an account in a game, and only if the answer has room.",
        ]
    ]
    next: NotRequired[
        Annotated[
            Positive, "If there are more entries: the `after` with which `listEvents` continues."
        ]
    ]
    view: NotRequired[Annotated[View, "With status 412: the current view of the game."]]
    retry_after: NotRequired[Annotated[int, "Seconds to wait before a retry, if a retry can help."]]


ActionOutcome = OneOf(
    "ActionOutcome",
    "The result of one item of a batch, with the HTTP status that `playAction` "
    "would have answered.",
    (ActionRefused, ActionDone),
)


class ActionOutcomes(TypedDict):
    """The results of a batch of actions."""

    items: Annotated[
        list[Annotated[Json, ActionOutcome]], "The results, in the order of the request."
    ]
