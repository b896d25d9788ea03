"""The entries of histories: members, canonical text, hash. This module is the only definition, for
games and for tournaments, and for writing, checking, importing and serving.

Nothing here is random or reads a clock: salts and times are arguments.
"""

import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack, get_type_hints

from domain.codec import Json, Tagged
from domain.described import Event, PlayedAction, Positive, Time
from domain.secrecy import EVERYBODY, NOBODY, OWNER, declared
from domain.times import is_time

# The version of the entries' format. It changes only if readers that ignore unknown members would
# misread an entry; a new member does not change it. So readers ignore unknown members and reject
# entries of another version.
SCHEMA_VERSION = 1
SALT_BYTES = 16
NOTE_BYTES = 1024  # in UTF-8


class Timing(TypedDict, total=False):
    """The members of an entry about the time of a decision (``domain.game.timing``)."""

    available: Annotated[Time, EVERYBODY, "If the game has a clock: when the decision was due."]
    arrived: Annotated[Time, EVERYBODY, "If the game has a clock: when the action arrived."]
    paused: Annotated[
        Positive,
        EVERYBODY,
        "Milliseconds of the service's downtime between these two, which do not count.",
    ]
    queued: Annotated[
        Positive,
        EVERYBODY,
        "Milliseconds that a built-in bot waited for a worker between these "
        "two, which do not count.",
    ]
    timed_out: Annotated[
        bool, EVERYBODY, "Whether time ran out, so that the seat left or the service acted for it."
    ]


class HeadJson(TypedDict):
    """A head of the log of finished games: its last line at some time."""

    n: Annotated[Positive, "The number of the line."]
    hash: Annotated[str, "The hash of the line, which covers all lines before it."]


class _Needed(TypedDict):
    version: Annotated[Positive, EVERYBODY, "The game's version after it."]
    at: Annotated[Time, EVERYBODY, "When it was accepted."]
    schema_version: Annotated[Positive, EVERYBODY, "The version of the entry format."]
    # each member of an event declares its visibility
    events: Annotated[list[Event], EVERYBODY, "The events of the entry, in order."]
    hash: Annotated[
        str,
        EVERYBODY,
        "SHA-256 of the previous hash, a newline and this entry; see docs/fairness.md.",
    ]


class Entry(_Needed, Timing, total=False):
    """An entry of a game's history: one accepted action, or a step in the lobby."""

    seat: Annotated[int, EVERYBODY, "The seat that acted; missing for steps in the lobby."]
    action: Annotated[PlayedAction, EVERYBODY, "The action; missing for steps in the lobby."]
    # for others even its existence is secret
    note: Annotated[
        str,
        OWNER,
        "The player's note on the action. Only the player sees it until the game is "
        "public in full; then everyone does.",
    ]
    command: Annotated[  # ``IdempotencyKey``
        str,
        NOBODY,
        "Hashes of the idempotency key, if there was one, and of the request; shown "
        "once the game is finished.",
    ]
    # random, or derived from the first entry's salt (``salt_after``), in hex; without it the hash
    # would distinguish a blind draw from nine others
    salt: Annotated[
        str,
        NOBODY,
        "Random text that keeps the hash from revealing secrets; shown once the game is finished.",
    ]
    log_head: Annotated[
        HeadJson,
        EVERYBODY,
        "In the first entry: the head of the log of finished games "
        "(`getLog`) when the game was created.",
    ]


NEEDED, OPTIONAL = Entry.__required_keys__, Entry.__optional_keys__
TIMING = tuple(Timing.__annotations__)
_SEEN_BY = {
    name: declared(hint)[1] for name, hint in get_type_hints(Entry, include_extras=True).items()
}
if undeclared := [name for name, seen_by in _SEEN_BY.items() if seen_by is None]:
    raise TypeError(f"who may see {', '.join(undeclared)} of an entry is not declared")
# The members that are shown during a game: to everybody, and to the seat that acted. All others are
# hidden, unknown members of later versions included.
PUBLIC = frozenset(
    name for name, seen_by in _SEEN_BY.items() if seen_by and seen_by.who == "everybody"
)
OWNERS = PUBLIC | {name for name, seen_by in _SEEN_BY.items() if seen_by and seen_by.who == "owner"}


class IdempotencyKey(NamedTuple):
    """An idempotency key in a history. ``id`` is a hash of the key and its account, so that it
    reveals nothing about other accounts' keys; ``digest`` is the hash of the request."""

    id: str
    digest: str

    def __str__(self) -> str:
        return f"{self.id}.{self.digest}"

    @staticmethod
    def read(text: str) -> tuple[str, str]:
        once_id, _, digest = text.partition(".")
        return once_id, digest


class Optional(TypedDict, total=False):
    """The members of an entry that ``new_entry`` leaves out if they are None."""

    seat: int | None
    action: Json | None
    note: str | None
    command: str | None
    salt: str | None
    log_head: Json | None


def new_entry(
    version: int,
    at: str,
    events: Iterable[Tagged],
    *,
    timing: Timing | None = None,
    **optional: Unpack[Optional],
) -> Json:
    """Return an entry without a hash; members that are None are left out."""
    return {
        "version": version,
        "at": at,
        "schema_version": SCHEMA_VERSION,
        "events": [event.as_json() for event in events],
        **(timing or {}),
        **{name: value for name, value in optional.items() if value is not None},
    }


def unknown_schema(schema: int) -> str:
    return (
        f"is written in schema version {schema}, and this Fogg knows version {SCHEMA_VERSION} only"
    )


def canonical(entry: Mapping[str, Any]) -> bytes:
    """Return an entry's text for its hash: sorted, no spaces; raise ValueError if none in JSON."""
    events = entry["events"]
    clock = events[0].get("clock") if events and isinstance(events[0], dict) else None
    text = text_of(entry)
    for number in clock.values() if isinstance(clock, dict) else ():
        if isinstance(number, float) and 0 < number < 1e-4:
            text = text.replace(f":{number!r}", f":{_tiny(number)}", 1)
    return text.encode()


def text_of(value: object) -> str:
    return _ENCODER.encode(value)


def hash_after(previous: str, text: bytes) -> str:
    """Return the hash of an entry, in hex: SHA-256 of the previous hash, a newline, its text."""
    return sha256(previous.encode() + b"\n" + text).hexdigest()


def salt_after(first: str, version: int) -> str:
    """Return the salt of a later entry: derived from ``first``, as secret, and not stored."""
    return hmac.digest(bytes.fromhex(first), b"%d" % version, "sha256")[:SALT_BYTES].hex()


def with_hash(entry: Mapping[str, Any], previous: str) -> Json:
    return {**entry, "hash": hash_after(previous, canonical(entry))}


class Step(NamedTuple):
    """A step of a game: when it was, its events and, if a seat acted, the seat, action and note."""

    at: str
    events: Sequence[Tagged]
    seat: int | None = None
    action: Json | None = None
    note: str | None = None


def entry_of(step: Step, version: int, salt: str, previous: str) -> Json:
    """Return the entry of a step; ``salt`` is that of the first entry, ``previous`` the hash of the
    one before."""
    at, events, seat, action, note = step
    return with_hash(
        new_entry(
            version,
            at,
            events,
            seat=seat,
            action=action,
            note=note,
            salt=salt if version == 1 else salt_after(salt, version),
        ),
        previous,
    )


def history(salt: str, steps: Iterable[Step]) -> bytes:
    """Return a game as lines of JSON, an entry each; ``salt`` is that of the first."""
    lines, previous = list[str](), ""
    for version, step in enumerate(steps, 1):
        entry = entry_of(step, version, salt, previous)
        lines.append(f"{text_of(entry)}\n")
        previous = entry["hash"]
    return "".join(lines).encode()


def _matches(pattern: str) -> Callable[[object], bool]:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _is_integer(value: object) -> bool:
    return type(value) is int


_is_hash = _matches(r"[0-9a-f]{64}")


def is_note(value: object) -> bool:
    return isinstance(value, str) and (0 < len(value.encode(errors="surrogatepass")) <= NOTE_BYTES)


# a member -> a check of its form; the rules check seat, action and times
FORMS: dict[str, Callable[[object], bool]] = {
    "version": _is_integer,
    "schema_version": _is_integer,
    "hash": _is_hash,
    "at": is_time,
    "note": is_note,
    "salt": _matches(rf"[0-9a-f]{{{2 * SALT_BYTES}}}"),
    "command": _matches(r"[0-9a-f]{32}\.[0-9a-f]{16}"),
    "log_head": lambda value: (
        isinstance(value, dict)
        and value.keys() == {"n", "hash"}
        and _is_integer(value["n"])
        and value["n"] > 0
        and _is_hash(value["hash"])
    ),
    "events": lambda value: (
        isinstance(value, list) and bool(value) and all(isinstance(event, dict) for event in value)
    ),
}

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def _tiny(number: float) -> str:
    """Return a number below 0.0001 in the form of histories: down to 0.00001 without an exponent,
    below that with an exponent without leading zero (Python writes 1e-05)."""
    digits, _, exponent = repr(number).partition("e-")
    if number >= 1e-5:
        return f"0.0000{digits.replace('.', '')}"
    return f"{digits}e-{int(exponent)}"
