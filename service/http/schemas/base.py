"""Base classes and fields of the schemas."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.http.texts import LONGEST_NAME, MOST_MARKS, NAME, TEXT, is_name, is_shown

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Asked(Schema):
    """A schema of a request: unknown members are refused."""

    fewest = 0  # members

    class Meta:
        unknown = RAISE


class EmptyRequestSchema(Asked):
    """An empty object."""


class Union(Schema):
    """One of several schemas, selected by ``type`` or, if ``by_type`` is false, by which member is
    present."""

    members: ClassVar[dict[str, type[Schema]]] = {}
    by_type = True

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._members = {name: member() for name, member in self.members.items()}

    def load(self, data, **_kwargs):
        """Return what the selected schema reads."""
        if not isinstance(data, dict):
            raise ValidationError("Should be an object.")
        return self._members[self._kind(data)].load(data)

    def _kind(self, data: dict) -> str:
        if self.by_type:
            kind = data.get("type")
            if not isinstance(kind, str) or kind not in self.members:
                raise ValidationError({"type": [f"Should be one of {', '.join(self.members)}."]})
            return kind
        for kind in self.members:
            if kind in data:
                return kind
        raise ValidationError(f"Should have one of {', '.join(self.members)}.")


INVITATION = "^[0-9a-f]{20}$"  # the code of a game or tournament that is not public
RECEIVED = "Should be a cursor, or a next, that was received."


def distinct(values: list) -> None:
    if len(set(values)) < len(values):
        raise ValidationError("Should have each only once.")


class Fits(validate.Regexp):
    """A regular expression that has to match the whole string: ``$`` would allow a trailing
    newline."""

    def __init__(self, pattern: str, words: str, is_fit: Callable[[Any], object] | None = None):
        """``words`` describe a valid value; ``is_fit`` checks more than the pattern says."""
        super().__init__(pattern)
        self.words, self._is_fit = words, is_fit or self.regex.fullmatch

    def __call__(self, value: Any) -> Any:
        if not self._is_fit(value):
            raise ValidationError(self.words)
        return value


# a name on one line, and a text of several; the patterns in openapi.yaml cover characters up to
# U+FFFF
ONE_LINE = Fits(
    NAME,
    "Should be one line of characters that can be seen, no space at either end, "
    f"and at most {MOST_MARKS} marks on a letter.",
    is_name,
)
LINES = Fits(
    TEXT,
    "Should have no characters that nobody can see; line breaks, tabs and emoji are fine.",
    is_shown,
)


class Whole(fields.Integer):
    """A whole number in a body. 2.0 is the same as 2, as in JSON; ``"2"`` is rejected."""

    def _deserialize(self, value, *args, **kwargs):
        if type(value) is float and value.is_integer():
            value = int(value)
        elif type(value) is not int:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class Number(fields.Float):
    """A number in a body; ``"2"`` is rejected."""

    def _deserialize(self, value, *args, **kwargs):
        if type(value) not in (int, float):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class EachAlone(fields.List):
    """A list whose items are read independently. An invalid item becomes its ValidationError."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> list:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        return [self.read(item) for item in value]

    def read(self, item: Any) -> Any:
        """Return the item as the schema reads it, or its ValidationError."""
        try:
            return self.inner.deserialize(item)
        except ValidationError as error:
            return error


class Counts(fields.Dict):
    """Names to counts. An error in a count is reported under its name."""

    def _deserialize(self, value, *args, **kwargs):
        try:
            return super()._deserialize(value, *args, **kwargs)
        except ValidationError as error:
            if isinstance(error.messages, list):
                raise
            said = {name: inner["value"] for name, inner in error.messages.items()}
            raise ValidationError(said) from error


class WrittenWhole(fields.Integer):
    """A whole number in a query, written in plain digits."""

    def _deserialize(self, value, *args, **kwargs):
        if not re.fullmatch("-?[0-9]{1,18}", value):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class WrittenNumber(fields.Float):
    """A number in a query, written as JSON writes it."""

    def _deserialize(self, value, *args, **kwargs):
        if not re.fullmatch("-?[0-9]{1,18}([.][0-9]+)?([eE][-+]?[0-9]{1,3})?", value):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *args, **kwargs)


class Moment(fields.String):
    """A time in a query, RFC 3339; read as milliseconds since 1970. A ``+`` that was sent
    unescaped has come as a space."""

    pattern = re.compile(
        r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}):([0-9]{2})"
        r"([.][0-9]{1,18})?([Zz]|[-+ ][0-9]{2}:[0-9]{2})"
    )

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        match: Any = self.pattern.fullmatch(value)
        try:
            day, minute, second, fraction, zone = match.groups()
            whole = f"{day}T{minute}:{min(int(second), 59) if second == '60' else second}"
            at = datetime.fromisoformat(whole + zone.upper().replace(" ", "+"))
        except (AttributeError, ValueError):
            raise ValidationError("Should be a time such as 2026-01-31T12:00:00Z.") from None
        return round((at - EPOCH).total_seconds()) * 1000 + int(f"{fraction or '.'}000"[1:4])


class Truth(fields.Boolean):
    """``true`` or ``false``; nothing else is converted."""

    def _deserialize(self, value, *args, **kwargs):
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Yes(Truth):
    """``true``."""

    def _deserialize(self, value, *args, **kwargs):
        if value is not True:
            raise self.make_error("invalid", input=value)
        return value


def kind(name: str) -> fields.String:
    """Return the ``type`` member of a union's member."""
    return fields.String(required=True, validate=validate.OneOf([name]))


def text(description: str, **kwargs) -> fields.String:
    kwargs.setdefault("required", True)
    return fields.String(metadata={"description": description}, **kwargs)


def name(description: str, **kwargs) -> fields.String:
    """Return a required string that can be displayed as a name."""
    return text(description, validate=[validate.Length(1, LONGEST_NAME), ONE_LINE], **kwargs)


def one_of(values, description: str, **kwargs) -> fields.String:
    return text(description, validate=validate.OneOf(list(values)), **kwargs)


def whole(description: str, least: int | None = 0, most: int | None = None, **kwargs):
    kwargs.setdefault("required", True)
    return Whole(
        validate=validate.Range(least, most), metadata={"description": description}, **kwargs
    )


def moment(description: str) -> Moment:
    return Moment(required=False, metadata={"description": description, "format": "date-time"})


def seconds(description: str, least: float, most: float, **kwargs) -> Number:
    return Number(
        validate=validate.Range(least, most), metadata={"description": description}, **kwargs
    )


def one(schema: type[Schema], description: str, **kwargs) -> fields.Nested:
    kwargs.setdefault("required", True)
    return fields.Nested(schema, metadata={"description": description}, **kwargs)


def cards(description: str, **kwargs) -> fields.Dict:
    kwargs.setdefault("required", True)
    counts = Whole(validate=validate.Range(1, 99))
    return Counts(
        keys=fields.String(), values=counts, metadata={"description": description}, **kwargs
    )
