"""``fogg_client/types.py``, made from openapi.yaml, so that it cannot drift.

``python -m tools.generators.client_types`` writes it.
"""

import json
import keyword
from pathlib import Path
from textwrap import fill

from tools.generators.committed import description

ROOT = Path(__file__).parents[2]
TYPES = ROOT / "client" / "fogg_client" / "types.py"
ROOTS = ("View", "Action", "Board", "Notice")  # these and the schemas they use
WORDS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
START = '''"""Types of the JSON that the service sends to bots; openapi.yaml describes each member.

Made from it by ``python -m tools.generators.client_types``.
"""

from typing import Literal, NotRequired, TypedDict
'''


def schemas() -> dict[str, dict]:
    return description()["components"]["schemas"]


def names(described: dict[str, dict]) -> list[str]:
    """The schemas to be written, each after those that it is made of."""
    ordered: list[str] = []

    def visit(name: str) -> None:
        for part in described[name].get("oneOf", described[name].get("properties", {}).values()):
            while inner := part.get("items") or part.get("additionalProperties"):
                part = inner
            if "$ref" in part:
                visit(called(part))
        if name not in ordered:
            ordered.append(name)

    for name in ROOTS:
        visit(name)
    return ordered


def called(reference: dict) -> str:
    return reference["$ref"].rpartition("/")[2]


def hint(schema: dict) -> str:
    if "$ref" in schema:
        return called(schema)
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(json.dumps, schema['enum']))}]"
    if schema.get("type") == "array":
        return f"list[{hint(schema['items'])}]"
    if schema.get("type") == "object":
        return f"dict[str, {hint(schema.get('additionalProperties', {}))}]"
    return WORDS[schema["type"]] if "type" in schema else "object"


def definition(name: str, schema: dict) -> str:
    """The statement that defines a schema's type."""
    if "oneOf" in schema:
        union = " | ".join(map(called, schema["oneOf"]))
        return "\n\n" + fill(f"{name} = ({union})", 100, subsequent_indent="    ") + "\n"
    required = schema.get("required", ())
    members = {
        member: hint(part) if member in required else f"NotRequired[{hint(part)}]"
        for member, part in schema["properties"].items()
    }
    if any(map(keyword.iskeyword, members)):
        lines = "".join(
            member_line(json.dumps(member), f"{kind},") for member, kind in members.items()
        )
        return f'\n\n{name} = TypedDict("{name}", {{\n{lines}}})\n'
    lines = "".join(member_line(member, kind) for member, kind in members.items())
    words = fill(
        f'"""{schema["description"]}"""', 100, initial_indent="    ", subsequent_indent="    "
    )
    return f"\n\nclass {name}(TypedDict):\n{words}\n\n{lines}"


def member_line(member: str, kind: str) -> str:
    """A member of a type, a long choice of words on lines of its own."""
    line = f"    {member}: {kind}\n"
    if len(line) <= 101:
        return line
    start, choice = line.split("Literal[")
    return (
        f"{start}Literal[\n"
        + fill(choice, 100, initial_indent=" " * 8, subsequent_indent=" " * 8)
        + "\n"
    )


def written() -> str:
    described = schemas()
    return START + "".join(definition(name, described[name]) for name in names(described))


if __name__ == "__main__":
    TYPES.write_text(written())
