"""The changes in openapi.yaml since the last release, and whether they break a client.

``python -m tests.generators.changes`` prints the changes, and fails if one breaks; ``--release``
records the present openapi.yaml as released. docs/compatibility.md lists the changes that are
allowed.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from tests.generators.committed import description

RELEASED = Path(__file__).with_name("openapi_released.yaml")
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
METHODS = ("get", "post", "put", "patch", "delete")
WORDS = {"description", "summary", "examples", "example"}  # nothing that a program goes by
# how a limit breaks what is asked: the greatest that was allowed is not any more, or the least
LIMITS: dict[str, Callable[[float, float], bool]] = {
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "maxProperties"), float.__lt__),
    **dict.fromkeys(("minimum", "minLength", "minItems", "minProperties"), float.__gt__),
}
Schema = dict


@dataclass
class Changes:
    """Sentences about changes: breaking, to be checked, and harmless. Responses may get new
    members, values and types; new values and types may surprise a client, so they are printed."""

    breaking: list[str] = field(default_factory=list)
    notable: list[str] = field(default_factory=list)
    compatible: list[str] = field(default_factory=list)


def changes(old: dict, new: dict) -> Changes:
    """Return what has changed from one description to another."""
    return _Comparison(old, new).done()


class _Comparison:
    def __init__(self, old: dict, new: dict):
        self._old, self._new = old, new
        self._told = Changes()
        self._seen: set[tuple] = set()

    def done(self) -> Changes:
        old, new, told = dict(_operations(self._old)), dict(_operations(self._new)), self._told
        for name in sorted(old.keys() | new.keys()):
            if name not in new:
                told.breaking.append(f"{name} is no more")
            elif name not in old:
                told.compatible.append(f"{name} is new")
            else:
                self._operation(name, old[name], new[name])
        gone = self._old["components"]["schemas"].keys() - self._new["components"]["schemas"]
        told.breaking += [f"no schema is called {name} any more" for name in sorted(gone)]
        return Changes(*(list(dict.fromkeys(kind)) for kind in vars(told).values()))

    def _operation(self, name: str, old: dict, new: dict) -> None:
        if old["operationId"] != new["operationId"]:
            self._told.breaking.append(f"{name} is not called {old['operationId']} any more")
        if new.get("deprecated") and not old.get("deprecated"):
            self._told.notable.append(f"{name} is deprecated")
        self._parameters(name, old, new)
        self._body(name, old.get("requestBody"), new.get("requestBody"))
        self._answers(name, old["responses"], new["responses"])

    def _parameters(self, name: str, old: dict, new: dict) -> None:
        before, after = _parameters(self._old, old), _parameters(self._new, new)
        for key in sorted(before.keys() | after.keys()):
            where = f"{name}: the parameter {key[1]}"
            if key not in after:
                self._told.breaking.append(f"{where} is no more")
            elif key not in before:
                must = after[key].get("required")
                (self._told.breaking if must else self._told.compatible).append(f"{where} is new")
            else:
                if after[key].get("required") and not before[key].get("required"):
                    self._told.breaking.append(f"{where} must be given now")
                if after[key].get("deprecated") and not before[key].get("deprecated"):
                    self._told.notable.append(f"{where} is deprecated")
                self._schema(where, before[key]["schema"], after[key]["schema"], asked=True)

    def _body(self, name: str, old: dict | None, new: dict | None) -> None:
        if new and not old and new.get("required"):
            self._told.breaking.append(f"{name} needs a body now")
        if old and new:
            if new.get("required") and not old.get("required"):
                self._told.breaking.append(f"{name} needs a body now")
            self._contents(f"{name}: the body", old, new, asked=True)

    def _answers(self, name: str, old: dict, new: dict) -> None:
        for status in sorted(old.keys() | new.keys()):
            where = f"{name}: the answer {status}"
            if status not in new:
                told = self._told.breaking if status.startswith("2") else self._told.compatible
                told.append(f"{where} is no more")
            elif status not in old:
                told = self._told.notable if status.startswith("2") else self._told.compatible
                told.append(f"{where} is new")
            else:
                self._contents(where, _resolved(self._old, old[status]),
                               _resolved(self._new, new[status]), asked=False)

    def _contents(self, where: str, old: dict, new: dict, *, asked: bool) -> None:
        before, after = old.get("content", {}), new.get("content", {})
        for form in before.keys() | after.keys():
            if form not in after:
                self._told.breaking.append(f"{where} is not {form} any more")
            elif form not in before:
                self._told.compatible.append(f"{where} may be {form} as well")
            else:
                self._schema(where, before[form]["schema"], after[form]["schema"], asked=asked)

    def _schema(self, where: str, old: Schema, new: Schema, *, asked: bool) -> None:
        """Compare what may be sent, or what is answered, in one place."""
        key = (old.get("$ref"), new.get("$ref"), asked)
        if key[0] and key[1]:
            if key in self._seen:
                return
            self._seen.add(key)
            where = f"{key[0].rpartition('/')[2]} as {'asked' if asked else 'answered'}"
        old, new = _resolved(self._old, old), _resolved(self._new, new)
        # a request breaks a client if less is allowed, a response if more is possible
        wide, narrow = (old, new) if asked else (new, old)
        breaks = self._told.breaking.append
        if extra := _types(wide) - _types(narrow):
            kind = "may not be" if asked else "may be"
            breaks(f"{where} {kind} {' or '.join(sorted(extra))}")
        for limit, is_tighter in LIMITS.items():
            if limit in narrow and asked and (
                    limit not in wide or is_tighter(float(narrow[limit]), float(wide[limit]))):
                breaks(f"{where} has another {limit}")
        if asked and "pattern" in new and new["pattern"] != old.get("pattern"):
            self._told.notable.append(f"{where} has another pattern")  # a wider one, perhaps
        self._values(where, old, new, asked=asked)
        self._kinds(where, old, new, asked=asked)
        self._members(where, old, new, asked=asked)
        for inner in ("items", "additionalProperties"):
            if isinstance(old.get(inner), dict) and isinstance(new.get(inner), dict):
                self._schema(f"{where}, each", old[inner], new[inner], asked=asked)

    def _values(self, where: str, old: Schema, new: Schema, *, asked: bool) -> None:
        before, after = _values(old), _values(new)
        if before is None and after is not None and asked:
            self._told.breaking.append(f"{where} is a choice now")
        elif after is None and before is not None and not asked:
            self._told.notable.append(f"{where} is no choice any more")
        elif before is not None and after is not None:
            for value in sorted(before - after):
                told = self._told.breaking if asked else self._told.compatible
                told.append(f"{where} is never {value} any more")
            for value in sorted(after - before):
                told = self._told.compatible if asked else self._told.notable
                told.append(f"{where} may be {value}")

    def _kinds(self, where: str, old: Schema, new: Schema, *, asked: bool) -> None:
        before, after = _kinds(old), _kinds(new)
        for kind in sorted(before.keys() | after.keys()):
            if kind not in after:
                told = self._told.breaking if asked else self._told.compatible
                told.append(f"{where} is never {kind} any more")
            elif kind not in before:
                told = self._told.compatible if asked else self._told.notable
                told.append(f"{where} may be {kind}")
            else:
                self._schema(f"{where}, {kind}", before[kind], after[kind], asked=asked)

    def _members(self, where: str, old: Schema, new: Schema, *, asked: bool) -> None:
        before, after = old.get("properties", {}), new.get("properties", {})
        must_before, must_after = set(old.get("required", ())), set(new.get("required", ()))
        for name in before.keys() | after.keys():
            member = f"{where}: {name}"
            if name not in after:
                self._told.breaking.append(f"{member} is no more")
            elif name not in before:
                is_needed = asked and name in must_after
                told = self._told.breaking if is_needed else self._told.compatible
                told.append(f"{member} is new")
            else:
                if asked and name in must_after - must_before:
                    self._told.breaking.append(f"{member} must be given now")
                if not asked and name in must_before - must_after:
                    self._told.breaking.append(f"{member} may be missing")
                self._schema(member, before[name], after[name], asked=asked)


def _operations(spec: dict) -> Iterator[tuple[str, dict]]:
    for path, item in spec["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def _parameters(spec: dict, operation: dict) -> dict[tuple[str, str], dict]:
    found = (_resolved(spec, each) for each in operation.get("parameters", ()))
    return {(each["in"], each["name"]): each for each in found}


def _resolved(spec: dict, part: dict) -> dict:
    """Return a reference's target, with the members next to the reference."""
    if "$ref" not in part:
        return part
    kind, name = part["$ref"].split("/")[2:]
    return spec["components"][kind][name] | {k: v for k, v in part.items() if k != "$ref"}


def _types(schema: Schema) -> set[str]:
    if "oneOf" in schema:
        return {"object"}
    types = schema.get("type", ())
    return {types} if isinstance(types, str) else set(types)


def _values(schema: Schema) -> set[str] | None:
    """Return what there is to choose from, None if it is no choice."""
    if "const" in schema:
        return {str(schema["const"])}
    return {str(value) for value in schema["enum"]} if "enum" in schema else None


def _kinds(schema: Schema) -> dict[str, Schema]:
    """Return the kinds of a union by name: what tells them apart, or their schemas' names."""
    mapping = schema.get("discriminator", {}).get("mapping")
    if mapping:
        return {name: {"$ref": ref} for name, ref in mapping.items()}
    return {each["$ref"].rpartition("/")[2]: each for each in schema.get("oneOf", ())}


def without_words(part):
    """Return a description, or a part of one, less what no program goes by."""
    if isinstance(part, list):
        return [without_words(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: {member: without_words(each) for member, each in value.items()}
            if name == "properties" else without_words(value)
            for name, value in part.items() if name not in WORDS}


def main() -> int:
    """Tell the changes, or take them for released."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", action="store_true", help="compare with this from now on")
    now = description()
    if parser.parse_args().release:
        RELEASED.write_text(yaml.dump(without_words(now), Dumper=DUMPER, sort_keys=True, width=100))
    found = changes(description(RELEASED), now)
    for kind, sentences in vars(found).items():
        print(f"{kind}: {len(sentences)}", *sentences, sep="\n  ")
    return 1 if found.breaking else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader such as head may close the pipe early
    sys.exit(main())
