"""What lists have: pages, and how long to wait for what is not there yet."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.api.schemas.base import Answered, Fits, WrittenNumber, WrittenWhole, many, text

LONGEST_WAIT = 60  # seconds that an answer may be held back for


def after(pattern: str) -> fields.String:
    """Return where in a query a page is to begin."""
    return text("The `next` of the page before.", required=False,
                validate=Fits(pattern, "Should be the next of the page before."))


def limit(what: str, most: int = 200, default: int = 50) -> WrittenWhole:
    """Return how many things a page may have at most."""
    return WrittenWhole(load_default=default, validate=validate.Range(1, most),
                        metadata={"description": f"The most {what}."})


def wait(description: str) -> WrittenNumber:
    """Return for how many seconds an answer may be held back."""
    return WrittenNumber(load_default=0, validate=validate.Range(0, LONGEST_WAIT),
                         metadata={"description": description})


def next_cursor() -> fields.String:
    """Return where the next page begins."""
    return text("The `after` of the next page; null at the end.", allow_none=True)


def page_of(schema: type[Schema], name: str, description: str) -> type[Answered]:
    """Return the schema of a list that has one page."""
    return type(name, (Answered,), {
        "__doc__": description,
        "items": many(schema, "All of them."),
        "next": text("Always null: there is one page.", allow_none=True),
    })
