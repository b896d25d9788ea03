"""The table of docs/errors.md, and the codes in openapi.yaml.

All codes are read from the source of domain/ and service/: from the classes of errors, and from the
calls that raise them. Those of an operation are in codes.yaml. ``python -m
tools.generators.errors_page`` writes the table between the marks on the page.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

import yaml
from werkzeug import exceptions as http

from domain.errors import FoggError, Refused
from service.errors import UnknownThing
from service.games.store import GameStore
from service.http.problems import PROBLEMS, STATUS, WORDS
from service.http.reading import CODES
from service.settings import CAP_DEFAULTS
from service.tournaments.store import TournamentStore
from tools.generators.pages import DOCS, ROOT, table, with_parts

PAGE = DOCS / "errors.md"
BY_OPERATION = Path(__file__).parent / "codes.yaml"
SOURCES = [
    path for folder in ("domain", "service") for path in sorted((ROOT / folder).rglob("*.py"))
]
RAISING = ("Refused", "OutOfTime", "UnknownThing", "problem", "_refusal")  # they make an error
OF_PROCESSES = {"connections", "address_connections", "unread", "streams", "address_streams"}
# the values of expressions for a code, or for the name of an unknown thing
VALUES = {
    "self.kind": [store.kind for store in (GameStore, TournamentStore)],
    "f\"too-many-{kind.replace('_', '-')}\"": [
        f"too-many-{kind.replace('_', '-')}" for kind in CAP_DEFAULTS if kind not in OF_PROCESSES
    ],
}
Row = tuple[int, str, str | None, str]  # status, code, rule, sentence


@dataclass
class Code:
    """The rules that a code stands for, and its sentences."""

    rules: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)


@cache
def codes() -> dict[tuple[int, str], Code]:
    """Return all codes that the service can answer with: (status, code) -> Code."""
    rows: dict[tuple[int, str], Code] = {}
    for status, code, rule, sentence in (*_of_classes(), *_of_calls(), *_of_http()):
        row = rows.setdefault((status, code), Code())
        if rule and rule not in row.rules:
            row.rules.append(rule)
        if sentence not in row.sentences:
            row.sentences.append(sentence)
    return dict(sorted(rows.items()))


def names() -> list[str]:
    return sorted({code for _, code in codes()})


@cache
def of_operations() -> dict[str, dict[int, list[str]]]:
    """Return the codes that differ by operation: operationId -> status -> codes."""
    return yaml.safe_load(BY_OPERATION.read_text())


def _of_classes() -> Iterator[Row]:
    """Yield the codes that are declared by a class of errors, with its docstring."""
    for cls in STATUS:
        if cls.code != FoggError.code:
            words = (cls.__doc__ or "").replace("``", "`")
            yield STATUS[cls], cls.code, None, _first_sentence(words)


def _of_calls() -> Iterator[Row]:
    """Yield the codes that are arguments of calls, with the sentence next to them."""
    for path in SOURCES:
        text = path.read_text()
        if not any(f"{name}(" in text for name in RAISING):  # parsing each file takes a second
            continue
        for call in ast.walk(ast.parse(text)):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            where = f"{path.relative_to(ROOT)}:{call.lineno}"
            match call.func.id, call.args:
                case "Refused" | "OutOfTime", [code, rule, sentence, *_]:
                    for name, number, words in _together(code, rule, sentence, path, where):
                        yield STATUS[Refused], name, number, words
                case "UnknownThing", [kind, _, *more]:
                    for name in _values(kind, path, where):
                        words = _sentences(more[0]) if more else [f"there is no such {name}"]
                        yield STATUS[UnknownThing], f"unknown-{name}", None, words[0]
                case "problem", [ast.Constant(value=status), code, sentence, *_]:
                    for name in _values(code, path, where):
                        yield status, name, None, "".join(_sentences(sentence)) or _words(status)
                case "_refusal", [ast.Constant(value=status), *_]:
                    yield status, "too-many-connections", None, "too many open connections"


def _of_http() -> Iterator[Row]:
    """Yield the codes of requests that reach no operation, or cannot be read."""
    raised = {
        http.NotFound,
        http.MethodNotAllowed,
        http.BadRequest,
        http.RequestTimeout,
        http.RequestEntityTooLarge,
        http.RequestURITooLarge,
        http.UnsupportedMediaType,
    }
    for cls in raised:
        yield cls.code, cls().name.lower().replace(" ", "-"), None, _words(cls.code)
    for status, code in CODES.items():
        yield status, code, None, _words(status)


def _together(
    code: ast.expr,
    rule: ast.expr,
    sentence: ast.expr,
    path: Path,
    where: str,
) -> Iterator[tuple[str, str | None, str]]:
    """Yield each code of a call with its rule and its sentence. Where all depend on a condition,
    they go together."""
    if isinstance(code, ast.IfExp) and isinstance(sentence, ast.IfExp):
        rules = [rule.body, rule.orelse] if isinstance(rule, ast.IfExp) else [rule, rule]
        yield from _together(code.body, rules[0], sentence.body, path, where)
        yield from _together(code.orelse, rules[1], sentence.orelse, path, where)
        return
    for name in _values(code, path, where):
        for words in _sentences(sentence):
            for number in _sentences(rule) or [None]:
                yield name, number, words


def _values(node: ast.expr, path: Path, where: str) -> list[str]:
    """Return the values that an argument can have."""
    match node:
        case ast.Constant(value=str(value)):
            return [value]
        case ast.IfExp(body=body, orelse=other):
            return [*_values(body, path, where), *_values(other, path, where)]
        case ast.Name(id=name) if name.isupper():
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            return [getattr(import_module(module), name)]
    if (source := ast.unparse(node)) in VALUES:
        return VALUES[source]
    if source in ("code", "error.code"):  # passed on: raised elsewhere
        return []
    raise ValueError(f"{where}: add the values of {source} to VALUES")


def _sentences(node: ast.expr) -> list[str]:
    """Return the texts that an argument can have, with an ellipsis for each inserted value."""
    match node:
        case ast.Constant(value=str(value)):
            return [value]
        case ast.JoinedStr(values=parts):
            return [
                "".join(
                    str(part.value) if isinstance(part, ast.Constant) else _inserted(part)
                    for part in parts
                )
            ]
        case ast.IfExp(body=body, orelse=other):
            return [*_sentences(body), *_sentences(other)]
    return []


def _inserted(part: ast.expr) -> str:
    return "(s)" if ast.unparse(part).startswith("f\"{'s' *") else "…"


def _words(status: int) -> str:
    words = WORDS.get(status) or (PROBLEMS[status].title if status in PROBLEMS else "")
    return (words or http.default_exceptions[status]().name).format("other methods")


def _first_sentence(text: str) -> str:
    return re.split(r"[.;:](?:\s|$)", " ".join(text.split()), maxsplit=1)[0]


def tables() -> str:
    return table(
        ("status", "code", "rules", "detail"),
        [
            (
                str(status),
                f"`{name}`",
                ", ".join(sorted(code.rules)),
                "; or: ".join(code.sentences).replace("|", "\\|"),
            )
            for (status, name), code in codes().items()
        ],
    )


def written(page: str) -> str:
    """Return the page with its table made again."""
    return with_parts(page, {"codes: python -m tools.generators.errors_page": tables})


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
