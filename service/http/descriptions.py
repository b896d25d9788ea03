"""Parts of openapi.yaml that many operations share: headers and security."""

SIGNED_IN: list[dict[str, list[str]]] = [{"token": []}]
ANYBODY: list[dict[str, list[str]]] = [{"token": []}, {}]


def header(description: str, example: str) -> dict:
    """Return the description of a header that is always in the answer."""
    return {
        "description": description,
        "required": True,
        "example": example,
        "schema": {"type": "string"},
    }


VERSION_TAG = {
    "ETag": header(
        "The game's version, quoted; send it as `If-Match`. In answers to GET a hash of the "
        "content follows, so that it also differs between viewers. If the answer is compressed, it "
        "ends in `-gzip`. All forms are accepted.",
        '"42-5f1c0a77b2d49e63"',
    )
}
CONTENT_TAG = {"ETag": header("Identifies this content; send it as `If-None-Match`.", '"5f1c0a"')}
PREFERENCE = {
    "Preference-Applied": header(
        "`return=minimal`, if the view was left out as requested.", "return=minimal"
    )
    | {"required": False}
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "The `ETag` of your copy. If it is still current, the answer is an empty 304.",
}
RESUME = {
    "in": "header",
    "name": "Last-Event-ID",
    "schema": {"type": "string"},
    "description": "For streams: the last `id` received; it takes precedence over `after`. "
    "Browsers send it automatically.",
}


def location(description: str, example: str) -> dict:
    return {"Location": header(description, example)}
