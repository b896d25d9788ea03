"""Verification of a history: every check that an outsider can make.

``check`` goes through the entries of a game as they are served once it is over: the chain of
hashes, the commitment, every shuffle, every decision against the rules, every time on a clock, and
the score. An entry is right if the rules, applied again, give exactly the same text. The first
entry that is not is named, with one of these codes:

malformed        not an entry, or a member is missing or of another kind
redacted         what only a finished game shows is left out
version          versions do not count up from 1
unknown-schema, unknown-rules, unknown-board   this Fogg does not know what the history needs
chain            the hash is not that of the entry and the hash before it
salt             a salt is not the one that follows from the first
commitment       the seed is not the one committed to
shuffle          a shuffle is not that of the seed and the seats' entropy
illegal          the rules do not allow what was done
action           what was played is not what was due, or not written as it should be
events           what happened is not what the rules say
score            the final score is not what the rules say
clock            a time on the clock does not fit
unfinished       the history ends before the game does (``finished``)

Members of an entry that this Fogg does not know, as a later one may write them, are named
(``Verdict.unknown``): the chain of hashes covers them, and nothing else can be said of them.

docs/fairness.md says what no check can find.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from domain.board.board import Board
from domain.codec import Json, from_json
from domain.entry import (
    FORMS,
    NEEDED,
    OPTIONAL,
    SCHEMA_VERSION,
    Timing,
    canonical,
    hash_after,
    new_entry,
    salt_after,
    unknown_schema,
)
from domain.errors import BrokenHistory, Refused
from domain.game.asked import Unasked, asked
from domain.game.commands import Command
from domain.game.difference import first_difference, short
from domain.game.events import Event, Result
from domain.game.fold import evolve, play
from domain.game.state import FINISHED, State
from domain.game.timing import Times, WrongTime
from domain.log import Head

KNOWN_RULES = (1,)  # versions of the rules by which games can be checked

_BROKEN = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError)


class Wrong(BrokenHistory):
    """An entry that is not right: ``code`` says which check it fails."""

    def __init__(self, version: int, code: str, reason: str):
        super().__init__(version, reason)
        self.code = code


@dataclass(frozen=True)
class Verdict:
    """The result of checking a history: the last right version, and the first error (``wrong``)."""

    game: str  # empty if its id cannot be read
    board: str
    version: int  # the last that is right
    hash: str
    status: str
    results: tuple[Result, ...]
    wrong: Wrong | None = None
    log_head: Head | None = None  # where the log of finished games was at its creation
    unknown: tuple[str, ...] = ()  # members that only the hashes cover


def check(boards: Mapping[str, Board], entries: Iterable[Json]) -> Verdict:
    """Return the verdict on a history, from its first entry on; ``boards`` are by digest."""
    proof = Proof(boards)
    try:
        for entry in entries:
            proof.add(entry)
    except Wrong as wrong:
        return proof.verdict(wrong)
    return proof.verdict()


def finished(boards: Mapping[str, Board], entries: Iterable[Json]) -> Verdict:
    """Return the verdict on a history that must be of a whole game."""
    verdict = check(boards, entries)
    if verdict.wrong is None and verdict.status != FINISHED:
        wrong = Wrong(verdict.version + 1, "unfinished", "the history ends here, the game does not")
        return Verdict(**{**verdict.__dict__, "wrong": wrong})
    return verdict


def fold(boards: Mapping[str, Board], entries: Iterable[Json]) -> Iterator[State]:
    """Yield the state after each entry. Check only that the entries can be folded."""
    state = None
    for version, entry in enumerate(entries, 1):
        try:
            if state is None:
                state = State(_board(boards, entry))
            events = state.board.ruleset.events
            state = evolve(state, [from_json(events, row) for row in entry["events"]])
        except _BROKEN as error:
            raise Wrong(version, "malformed", f"cannot be folded: {error!r}"[:300]) from error
        yield state


class Proof:
    """A check of a history, entry by entry: it applies the rules again to each command."""

    def __init__(self, boards: Mapping[str, Board]):
        self._boards = boards
        self.state: State | None = None
        self.hash, self.text = "", b""  # of the last entry
        self.log_head: Head | None = None  # that the first entry names
        self.unknown: frozenset[str] = frozenset()  # members of entries, as in Verdict
        self._times = Times()
        self._salt = ""  # of the first entry, if the later ones follow from it

    @property
    def version(self) -> int:
        return self.state.version if self.state else 0

    def verdict(self, wrong: Wrong | None = None) -> Verdict:
        if self.state is None:
            return Verdict("", "", 0, "", "", (), wrong)
        state = self.state
        return Verdict(
            state.id,
            state.board.id,
            state.version,
            self.hash,
            state.status,
            state.results,
            wrong,
            self.log_head,
            tuple(sorted(self.unknown)),
        )

    def add(self, entry: Json) -> None:
        """Check and add the next entry; if it is wrong, raise Wrong and change nothing."""
        text = self._checked_shape(entry)
        if (due := hash_after(self.hash, text)) != entry["hash"]:
            self._refuse(
                "chain",
                f"the hash is {entry['hash']}, that of this entry after the one before is {due}",
            )
        known, whole = entry, text
        if unknown := entry.keys() - NEEDED - OPTIONAL:
            known = {name: value for name, value in entry.items() if name not in unknown}
            text = _text(known)
        before = self.state or State(self._known_board(entry))
        try:
            seat, command = asked(self.state, entry)
            timing = self._times.checked(before, seat, command, entry)
            events, after = play(before, seat, command)
            right = _written(entry, seat, command, events, timing)
            is_right = canonical(right) == text
        except Unasked as error:
            self._refuse(error.code, str(error))
        except WrongTime as error:
            self._refuse("clock", str(error))
        except Refused as error:
            self._refuse("illegal", f"{error} (rule {error.rule}, {error.code})")
        except _BROKEN as error:
            self._refuse("malformed", f"cannot be decided upon: {error!r}"[:300])
        if not is_right:
            self._refuse(*first_difference(known, json.loads(canonical(right))))
        if self._salt and entry["salt"] != salt_after(self._salt, entry["version"]):
            self._refuse("salt", f"the salt {entry['salt']} does not follow from the first one")
        if "rating_rules" in entry["events"][0]:  # older salts are random
            self._salt = entry["salt"]
        if "log_head" in entry:
            self.log_head = Head(**entry["log_head"])
        self._times = self._times.after(before, after, entry)
        self.state, self.hash, self.text = after, entry["hash"], whole
        self.unknown |= unknown

    def _refuse(self, code: str, reason: str) -> NoReturn:
        raise Wrong(self.version + 1, code, reason) from None

    def _checked_shape(self, entry: Json) -> bytes:
        """Return the entry's text; raise Wrong if it is malformed or not the next version."""
        if not isinstance(entry, dict):
            self._refuse("malformed", "is no object")
        version = entry.get("version")
        if type(version) is int and version != self.version + 1:
            self._refuse("version", f"is version {version}, should be {self.version + 1}")
        schema = entry.get("schema_version")
        if type(schema) is int and schema != SCHEMA_VERSION:
            self._refuse("unknown-schema", unknown_schema(schema))
        if missing := NEEDED - entry.keys():
            self._refuse("malformed", f"lacks {', '.join(sorted(missing))}")
        for name, has_form in FORMS.items():
            if name in entry and not has_form(entry[name]):
                self._refuse("malformed", f"{name} is {short(entry[name])}")
        if "salt" not in entry:
            self._refuse(
                "redacted", "has no salt: only the history of a finished game can be checked"
            )
        try:
            return _text(entry)
        except _BROKEN as error:
            self._refuse("malformed", f"cannot be written as JSON: {error}"[:300])

    def _known_board(self, entry: Json) -> Board:
        created = entry["events"][0]
        if created.get("type") != "game_created":
            self._refuse("malformed", "the first entry should create the game")
        if "seed" not in created:
            self._refuse(
                "redacted", "has no seed: only the history of a finished game can be checked"
            )
        rules = created.get("rules_version")
        if type(rules) is int and rules not in KNOWN_RULES:
            known = ", ".join(map(str, KNOWN_RULES))
            self._refuse("unknown-rules", f"was played by rules version {rules}; known is {known}")
        try:
            return _board(self._boards, entry)
        except _BROKEN as error:
            self._refuse("unknown-board", str(error.args[0]))


def _text(entry: Json) -> bytes:
    return canonical({name: value for name, value in entry.items() if name != "hash"})


def _written(
    entry: Json, seat: int | None, command: object, events: list[Event], timing: Timing
) -> Json:
    action = command.as_json() if isinstance(command, Command) else None
    note = entry.get("note") if action and "timed_out" not in entry else None
    return new_entry(
        entry["version"],
        entry["at"],
        events,
        salt=entry["salt"],
        command=entry.get("command"),
        timing=timing,
        seat=seat if action or timing else None,
        action=action,
        note=note,
        log_head=entry.get("log_head") if entry["version"] == 1 else None,
    )


def _board(boards: Mapping[str, Board], entry: Json) -> Board:
    created = entry["events"][0]
    board = boards.get(created["board_digest"])
    if board is None:
        raise LookupError(
            f"no board {short(created.get('board'))} with the digest "
            f"{short(created['board_digest'])} is known here"
        )
    return board
