"""What openapi.yaml says of the parts that many operations have: headers, and who may ask."""

from __future__ import annotations

SIGNED_IN: list[dict[str, list[str]]] = [{"token": []}]
ANYBODY: list[dict[str, list[str]]] = [{"token": []}, {}]


def header(description: str, example: str) -> dict:
    """Return the description of a header that an answer always has."""
    return {"description": description, "required": True, "example": example,
            "schema": {"type": "string"}}


VERSION_TAG = {"ETag": header(
    "The game's version, quoted; send it as `If-Match`. That of an answer which is compressed ends "
    "in `-gzip`, and is as good.", '"42"')}
CONTENT_TAG = {"ETag": header("Names this very content; send it as `If-None-Match`.",
                              '"5f1c0a"')}
PREFERENCE = {"Preference-Applied": header(
    "`return=minimal`, where the answer has no view as that was wished.",
    "return=minimal") | {"required": False}}
IF_NONE_MATCH = {
    "in": "header", "name": "If-None-Match", "schema": {"type": "string"},
    "description": "The `ETag` of what you have: should it still be right, the answer is an empty "
                   "304.",
}
RESUME = {
    "in": "header", "name": "Last-Event-ID", "schema": {"type": "string"},
    "description": "For streams: the last `id` received; it counts before `after`. Browsers send "
                   "it by themselves.",
}


def location(description: str, example: str) -> dict:
    """Return the description of the Location header."""
    return {"Location": header(description, example)}
