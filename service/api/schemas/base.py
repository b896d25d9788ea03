"""What the schemas are made of."""

from __future__ import annotations

from marshmallow import RAISE, Schema, ValidationError, fields, validate

SEAT = {"description": "A seat's number, counting from 0 in the order of play."}


class Asked(Schema):
    """A schema of a request: members it does not know are refused."""

    closed = True

    class Meta:
        unknown = RAISE
        ordered = True


class Answered(Schema):
    """A schema of an answer: later versions of the service may add members."""

    closed = False


class Union(Schema):
    """One of several schemas, told apart by ``type``, or, without that, by a member's presence."""

    members: dict[str, type[Schema]] = {}
    by_type = True

    def load(self, data, **kwargs):
        """Return what the member schema reads."""
        if not isinstance(data, dict):
            raise ValidationError("should be an object")
        if self.by_type:
            kind = data.get("type")
            if not isinstance(kind, str) or kind not in self.members:
                raise ValidationError({"type": [f"should be one of {', '.join(self.members)}"]})
        else:
            kind = next((kind for kind in self.members if kind in data), None)
            if kind is None:
                raise ValidationError(f"should have one of {', '.join(self.members)}")
        return self.members[kind]().load(data)


def kind(name: str) -> fields.String:
    """Return the ``type`` member of a union's member."""
    return fields.String(required=True, validate=validate.OneOf([name]))


def text(description: str, **kwargs) -> fields.String:
    """Return a required string."""
    kwargs.setdefault("required", True)
    return fields.String(metadata={"description": description}, **kwargs)


def whole(description: str, least: int | None = 0, most: int | None = None, **kwargs):
    """Return a required whole number in a range."""
    kwargs.setdefault("required", True)
    return fields.Integer(strict=True, validate=validate.Range(least, most),
                          metadata={"description": description}, **kwargs)


def texts(description: str, **kwargs) -> fields.List:
    """Return a required list of strings."""
    kwargs.setdefault("required", True)
    return fields.List(fields.String(), metadata={"description": description}, **kwargs)


def cards(description: str, **kwargs) -> fields.Dict:
    """Return required counts of cards by colour."""
    kwargs.setdefault("required", True)
    counts = fields.Integer(strict=True, validate=validate.Range(1, 99))
    return fields.Dict(keys=fields.String(), values=counts,
                       metadata={"description": description}, **kwargs)


class FieldProblemSchema(Answered):
    field = text("The member at fault, with dots between nested ones.")
    reason = text("What is wrong with it.")


class ProblemSchema(Answered):
    """An error, as RFC 9457 has it."""

    type = text("`urn:fogg:problem:` and the code; stable.")
    title = text("The kind of problem, for people.")
    status = whole("The HTTP status.", 400, 599)
    code = text("What went wrong, for programs; stable.")
    detail = text("What went wrong here, for people.")
    rule = text("The number of the rule that refuses the action.", required=False)
    field = text("The member of the request at fault.", required=False)
    errors = fields.List(fields.Nested(FieldProblemSchema),
                         metadata={"description": "Every member at fault."})
