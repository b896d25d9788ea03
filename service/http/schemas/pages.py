"""Fields of queries of lists: paging, and waiting for new items."""

from marshmallow import fields, validate

from service.http.schemas.base import Fits, WrittenNumber, WrittenWhole, text

LONGEST_WAIT = 60  # seconds


def after(pattern: str) -> fields.String:
    return text(
        "The `next` of the page before.",
        required=False,
        validate=Fits(pattern, "Should be the next of the page before."),
    )


def limit(what: str, most: int = 200, default: int = 50) -> WrittenWhole:
    """Return the query field for the maximum size of a page."""
    return WrittenWhole(
        load_default=default,
        validate=validate.Range(1, most),
        metadata={"description": f"The maximum number of {what}."},
    )


def wait(description: str) -> WrittenNumber:
    return WrittenNumber(
        load_default=0,
        validate=validate.Range(0, LONGEST_WAIT),
        metadata={"description": description},
    )


def keep_alive() -> WrittenWhole:
    """Return the query field for the seconds between two keep-alives of a stream."""
    return WrittenWhole(
        required=False,
        validate=validate.Range(1, 15),
        metadata={
            "description": "For a stream: seconds without news after which it sends a keep-alive, "
            "15 by default. A stream that is silent for longer is broken."
        },
    )
