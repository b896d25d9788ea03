"""The parts of docs/clients.md that openapi.yaml decides: what it is served as, what operations can
do, and what openapi-python-client has to be told.

``python -m tools.generators.clients_page`` writes them, between the marks on the page.
"""

from pathlib import Path

import yaml

from service.http.answers import JSON, NDJSON, PROBLEM, SSE
from service.page.documents import WAYS, without_examples
from tools.generators.committed import FILE, FOR_BOTS, description
from tools.generators.openapi import operations
from tools.generators.pages import DOCS, table, with_parts

PAGE = DOCS / "clients.md"


def written(page: str) -> str:
    """Return the page with new text between its marks."""
    return with_parts(
        page,
        {
            f"{part.__name__}: python -m tools.generators.clients_page": part
            for part in (facts, overrides)
        },
    )


def facts() -> str:
    """A table of the forms of the description, and one of what some operations can do."""
    whole, bots = FILE.read_text(), FOR_BOTS.read_text()
    forms = (
        ("openapi", whole, f"all {len(named())} operations, with recorded examples"),
        ("openapi_without_examples", without_examples(whole), "the same, without examples"),
        ("openapi_for_bots", bots, f"what a bot needs: {', '.join(named(file=FOR_BOTS))}"),
    )
    rows = [
        (f"`{WAYS[name]}`", f"{len(text.encode()) / 1000:.0f} kB", words)
        for name, text, words in forms
    ]
    able = [
        (words, ", ".join(named(part)))
        for words, part in (
            ("304 for `If-None-Match`", "If-None-Match"),
            ("lines of JSON", NDJSON),
            ("streams", SSE),
        )
    ]
    return f"{table(('address', 'size', 'content'), rows)}\n{table(('what', 'operations'), able)}"


def overrides() -> str:
    """Return the media type as which openapi-python-client reads each that is no JSON or text."""
    types = dict.fromkeys(
        each
        for _, operation in operations(description())
        for each in media_types(operation)
        if each not in (JSON, PROBLEM) and not each.startswith("text/")
    )
    read_as = {
        each: "text/plain" if each.endswith(("xml", "json")) else "application/octet-stream"
        for each in types
    }
    return f"```yaml\n{yaml.safe_dump({'content_type_overrides': read_as}, sort_keys=False)}```\n"


def named(part: str = "", file: Path = FILE) -> list[str]:
    """The operations, or those that have a parameter or a media type of that name."""
    return [
        f"`{operation['operationId']}`"
        for _, operation in operations(description(file))
        if not part
        or part in media_types(operation)
        or part in [one.get("name") for one in operation.get("parameters", ())]
    ]


def media_types(operation: dict) -> list[str]:
    return [
        media_type
        for answer in operation["responses"].values()
        for media_type in answer.get("content", ())
    ]


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
