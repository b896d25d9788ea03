"""Whether a history is right: everything that a stranger could check of it, checked.

``check`` goes through the entries of a game as they are served once it is over: the chain of
hashes, the commitment, every shuffle, every decision against the rules, every time on a clock, and
the score. An entry is right if the rules, asked anew, lead to the very same text. The first entry
that is not is named, with one of these codes:

malformed        not an entry, or a member is missing, unknown or of another kind
redacted         what only a finished game shows is left out
version          versions do not count up from 1
unknown-schema, unknown-rules, unknown-board   this Fogg does not know what the history needs
chain            the hash is not that of the entry and the hash before it
commitment       the seed is not the one committed to
shuffle          a shuffle is not that of the seed and the seats' entropy
illegal          the rules do not allow what was done
action           what was played is not what was due, or not written as it should be
events           what happened is not what the rules say
score            the final score is not what the rules say
clock            a time on the clock does not fit
unfinished       the history ends before the game does (``finished``)

docs/fairness.md says what no check can find.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn

from domain.board.board import Board
from domain.board.ruleset import Ruleset
from domain.codec import Json, from_json, plain_type
from domain.entry import (
    FORMS,
    NEEDED,
    OPTIONAL,
    SCHEMA_VERSION,
    TIMING,
    Timing,
    canonical,
    hash_after,
    new_entry,
    text_of,
)
from domain.errors import BrokenHistory, Refused
from domain.game.commands import (
    AbortGame,
    Command,
    CreateGame,
    Fork,
    LeaveSeat,
    Player,
    StartGame,
    TakeSeat,
    TimeOut,
)
from domain.game.events import Event, Pairing, Place, Result, Seconds
from domain.game.fold import evolve, play
from domain.game.scoring import results
from domain.game.state import FINISHED, State
from domain.game.timing import Times, WrongTime
from domain.log import Head

# what scores a final state, by version of the rules: all that there ever were
SCORES: dict[int, Callable[[State], tuple[Result, ...]]] = {1: results}

_SEED = re.compile(r"[0-9a-f]{64}")
_BROKEN = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError)
_SHUFFLES = {"game_started", "tickets_shuffled", "deck_shuffled", "undrawn_shuffled"}


class Wrong(BrokenHistory):
    """An entry that is not right: ``code`` says which check it fails."""

    def __init__(self, version: int, code: str, reason: str):
        super().__init__(version, reason)
        self.code = code


@dataclass(frozen=True)
class Verdict:
    """What has come out of a history: how far it is right, and what is ``wrong`` then."""

    game: str  # empty if not even its id can be known
    board: str
    version: int  # the last that is right
    hash: str
    status: str
    results: tuple[Result, ...]
    wrong: Wrong | None = None
    log_head: Head | None = None  # where the log of finished games was at its creation


def check(boards: Mapping[str, Board], entries: Iterable[Json]) -> Verdict:
    """Return what is to be said of a history, from its first entry on; ``boards`` are by digest."""
    proof = Proof(boards)
    try:
        for entry in entries:
            proof.add(entry)
    except Wrong as wrong:
        return proof.verdict(wrong)
    return proof.verdict()


def finished(boards: Mapping[str, Board], entries: Iterable[Json]) -> Verdict:
    """Return what is to be said of a history that should be a whole game's."""
    verdict = check(boards, entries)
    if verdict.wrong is None and verdict.status != FINISHED:
        wrong = Wrong(verdict.version + 1, "unfinished", "the history ends here, the game does not")
        return Verdict(**{**verdict.__dict__, "wrong": wrong})
    return verdict


def fold(boards: Mapping[str, Board], entries: Iterable[Json]) -> Iterator[State]:
    """Yield the state after each entry, with nothing checked but that it can be folded."""
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


def rescored(state: State, rules: int) -> tuple[Result, ...]:
    """Return what a version of the rules makes of a final state; raise LookupError where there is
    no such version."""
    if rules not in SCORES:
        known = ", ".join(map(str, SCORES))
        raise LookupError(f"there are no rules of version {rules}; versions are {known}")
    return SCORES[rules](state)


class Proof:
    """A history as far as it has been checked: each entry is decided upon anew."""

    def __init__(self, boards: Mapping[str, Board]):
        """``boards``: by digest."""
        self._boards = boards
        self.state: State | None = None
        self.hash, self.text = "", b""  # of the last entry
        self.log_head: Head | None = None  # that the first entry names
        self._times = Times()

    @property
    def version(self) -> int:
        """The last version that is right."""
        return self.state.version if self.state else 0

    def verdict(self, wrong: Wrong | None = None) -> Verdict:
        """Return what is to be said so far."""
        if self.state is None:
            return Verdict("", "", 0, "", "", (), wrong)
        state = self.state
        return Verdict(state.id, state.board.id, state.version, self.hash, state.status,
                       state.results, wrong, self.log_head)

    def add(self, entry: Json) -> None:
        """Check the next entry; raise Wrong, and stay as it was, if it is not right."""
        text = self._checked_shape(entry)
        if (due := hash_after(self.hash, text)) != entry["hash"]:
            self._refuse("chain", f"the hash is {entry['hash']}, that of this entry after the one "
                                  f"before is {due}")
        before = self.state or State(self._known_board(entry))
        try:
            seat, command = self._asked(before, entry)
            timing = self._times.checked(before, seat, command, entry)
            events, after = play(before, seat, command)
            right = _written(entry, seat, command, events, timing)
            is_right = canonical(right) == text
        except WrongTime as error:
            self._refuse("clock", str(error))
        except Refused as error:
            self._refuse("illegal", f"{error} (rule {error.rule}, {error.code})")
        except _BROKEN as error:
            self._refuse("malformed", f"cannot be decided upon: {error!r}"[:300])
        if not is_right:
            self._refuse(*_told(entry, json.loads(canonical(right))))
        if "log_head" in entry:
            self.log_head = Head(**entry["log_head"])
        self._times = self._times.after(before, after, entry)
        self.state, self.hash, self.text = after, entry["hash"], text

    def _refuse(self, code: str, reason: str) -> NoReturn:
        raise Wrong(self.version + 1, code, reason) from None

    def _checked_shape(self, entry: Json) -> bytes:
        """Return the entry's text, if it is an entry and what follows the last one."""
        if not isinstance(entry, dict):
            self._refuse("malformed", "is no object")
        version = entry.get("version")
        if type(version) is int and version != self.version + 1:
            self._refuse("version", f"is version {version}, should be {self.version + 1}")
        schema = entry.get("schema_version")
        if type(schema) is int and schema != SCHEMA_VERSION:
            self._refuse("unknown-schema", f"is written in schema version {schema}, and this Fogg "
                                           f"knows version {SCHEMA_VERSION} only")
        if missing := NEEDED - entry.keys():
            self._refuse("malformed", f"lacks {', '.join(sorted(missing))}")
        if unknown := entry.keys() - NEEDED - OPTIONAL:
            self._refuse("malformed", f"has unknown members: {_short(sorted(unknown))}")
        for name, has_form in FORMS.items():
            if name in entry and not has_form(entry[name]):
                self._refuse("malformed", f"{name} is {_short(entry[name])}")
        if "salt" not in entry:
            self._refuse("redacted", "has no salt: only the history of a finished game can be "
                                     "checked")
        try:
            return canonical({name: value for name, value in entry.items() if name != "hash"})
        except _BROKEN as error:
            self._refuse("malformed", f"cannot be written as JSON: {error}"[:300])

    def _known_board(self, entry: Json) -> Board:
        """Return the board of the first entry."""
        created = entry["events"][0]
        if created.get("type") != "game_created":
            self._refuse("malformed", "the first entry should create the game")
        if "seed" not in created:
            self._refuse("redacted", "has no seed: only the history of a finished game can be "
                                     "checked")
        rules = created.get("rules_version")
        if type(rules) is int and rules not in SCORES:
            known = ", ".join(map(str, SCORES))
            self._refuse("unknown-rules", f"was played by rules version {rules}; known is {known}")
        try:
            return _board(self._boards, entry)
        except _BROKEN as error:
            self._refuse("unknown-board", str(error.args[0]))

    def _asked(self, state: State, entry: Json) -> tuple[int | None, object]:
        """Return the seat and the command that an entry answers."""
        first = entry["events"][0]
        if self.state is None:
            return None, self._creation(entry["events"])
        seat = entry.get("seat")
        if seat is not None and not (type(seat) is int and seat in state.seats):
            self._refuse("malformed", f"seat is {_short(seat)}")
        if "action" in entry:
            if seat is None:
                self._refuse("malformed", "lacks the seat that acts")
            return seat, _action(state.board.ruleset, entry["action"])
        if "timed_out" in entry:
            return seat, TimeOut()
        if first.get("type") not in _STEPS:
            self._refuse("illegal", f"{_short(first.get('type'))} cannot happen without an action")
        return _STEPS[first["type"]](first)

    def _creation(self, events: list[Json]) -> CreateGame:
        """Return the command that created a game."""
        created = events[0]
        seed = created["seed"]
        if not _is(_SEED, seed):
            self._refuse("commitment", f"the seed is {_short(seed)}, not 32 bytes in hex")
        if created.get("commitment") != (right := sha256(bytes.fromhex(seed)).hexdigest()):
            self._refuse("commitment", f"the commitment is {_short(created.get('commitment'))}, "
                                       f"the seed's SHA-256 is {right}")
        count = created["seats"]
        if type(count) is not int or not 1 <= count <= 99:
            raise ValueError(f"seats is {count!r}")
        seats: list[tuple[Player, str | None] | None] = [None] * count
        for event in events[1:]:
            if event.get("type") == "seat_taken":
                seat, player, entropy = _taken(event)
                seats[seat] = player, entropy
        return CreateGame(
            seed=bytes.fromhex(seed), seats=tuple(seats),
            game=_kind(created["game"], str), creator=_kind(created["creator"], str),
            seed_known=_kind(created["seed_known"], bool),
            first_seat=_kind(created.get("first_seat"), int, type(None)),
            clock=_clock(created.get("clock")),
            on_timeout=_one_of(created.get("on_timeout"), None, "resign", "act"),
            visibility=_one_of(created.get("visibility"), None, "unlisted", "private"),
            spectators=_kind(created.get("spectators", True), bool),
            fork=_fork(events), tournament=_place(created.get("tournament")),
            pool=_pairing(created.get("pool")),
        )


def _written(
    entry: Json, seat: int | None, command: object, events: list[Event], timing: Timing
) -> Json:
    """Return the entry, without its hash, as it must have been written."""
    action = command.as_json() if isinstance(command, Command) else None
    note = entry.get("note") if action and "timed_out" not in entry else None
    return new_entry(
        entry["version"], entry["at"], events, salt=entry["salt"], command=entry.get("command"),
        timing=timing, seat=seat if action or timing else None, action=action, note=note,
        log_head=entry.get("log_head") if entry["version"] == 1 else None)


def _told(entry: Json, right: Json) -> tuple[str, str]:
    """Return the code and the words for where an entry is not what is right."""
    if _differ(entry["events"], right["events"]):
        for given, due in zip(entry["events"], right["events"], strict=False):
            if _differ(given, due):
                return _told_of_event(given, due)
        given, due = (len(value["events"]) for value in (entry, right))
        place = min(given, due)
        more = (entry if given > due else right)["events"][place].get("type")
        said = f"{_short(more)} should not happen" if given > due else f"{more} should follow"
        return "events", f"event {place}: {said}"
    for name in sorted((entry.keys() | right.keys()) - {"hash", "events"}):
        if _differ(entry.get(name), right.get(name)):
            path, given, due = _difference(entry.get(name), right.get(name), name)
            code = "action" if name == "action" else "clock" if name in TIMING else "malformed"
            return code, f"{path} is {_short(given)}, should be {_short(due)}"
    return "malformed", "is not written as it should be"


def _told_of_event(given: Json, due: Json) -> tuple[str, str]:
    kind = due["type"]
    if given.get("type") != kind:
        return "events", f"{_short(given.get('type'))} happens, and it should be {kind}"
    path, was, is_due = _difference(given, due, kind)
    code = "shuffle" if kind in _SHUFFLES else "score" if kind == "game_ended" else "events"
    return code, f"{path} is {_short(was)}, should be {_short(is_due)}"


def _difference(given: object, due: object, path: str) -> tuple[str, object, object]:
    """Return where two values differ first, and what is in either there."""
    if isinstance(given, dict) and isinstance(due, dict):
        for name in sorted(given.keys() | due.keys()):
            if _differ(given.get(name), due.get(name)) or (name in given) != (name in due):
                return _difference(given.get(name), due.get(name), f"{path}.{_short(name)}")
    if isinstance(given, list) and isinstance(due, list) and len(given) == len(due):
        for i, pair in enumerate(zip(given, due, strict=True)):
            if _differ(*pair):
                return _difference(*pair, f"{path}[{i}]")
    return path, given, due


def _differ(one: object, other: object) -> bool:
    """Return whether two values differ as JSON, where 1, 1.0 and true are three."""
    return one != other or text_of(one) != text_of(other)


def _board(boards: Mapping[str, Board], entry: Json) -> Board:
    """Return the board of a first entry; raise LookupError if it is not known."""
    created = entry["events"][0]
    board = boards.get(created["board_digest"])
    if board is None:
        raise LookupError(f"no board {_short(created.get('board'))} with the digest "
                          f"{_short(created['board_digest'])} is known here")
    return board


def _action(rules: Ruleset, value: Json) -> Command:
    """Return the action that an entry has, its values of the kinds that JSON gave them."""
    action: Command = from_json(rules.actions, value)
    for member in action.declared:
        given, kind = getattr(action, member.field), plain_type(member.type)
        if given is not None and kind in (dict, tuple, bool, int):
            _kind(given, kind)
        if given is not None and kind is dict:
            for count in given.values():
                _kind(count, int)
    return action


def _taken(event: Json) -> tuple[int, Player, str | None]:
    """Return the seat, player and entropy of somebody who sat down."""
    player = _kind(event["player"], dict)
    if not {"id", "name"} <= player.keys() <= {"id", "name", "bot", "owner", "version"}:
        raise ValueError(f"player has members {sorted(player)}")
    for value in player.values():
        _kind(value, str)
    return (_kind(event["seat"], int), Player(**player),
            _kind(event.get("entropy"), str, type(None)))


def _take(event: Json) -> tuple[None, TakeSeat]:
    seat, player, entropy = _taken(event)
    return None, TakeSeat(player, entropy, seat)


# what happens first -> the seat and the command of what leads to it before the first turn
_STEPS: dict[str, Callable[[Json], tuple[int | None, object]]] = {
    "seat_taken": _take,
    "seat_left": lambda event: (_kind(event["seat"], int), LeaveSeat()),
    "open_seats_closed": lambda event: (None, StartGame()),
    "game_aborted": lambda event: (
        None, AbortGame(_one_of(event["reason"], "aborted", "expired"))),
}


def _clock(value: Any) -> Seconds | None:
    if value is None:
        return None
    if _kind(value, dict).keys() not in ({"per_decision"}, {"bank"}, {"bank", "increment"}):
        raise ValueError(f"the clock has members {sorted(value)}")
    for seconds in value.values():
        if not 0 <= _kind(seconds, int, float) <= 1e9:
            raise ValueError(f"the clock has {seconds!r} seconds")
    clock: Seconds = value
    return clock


def _place(value: Any) -> Place | None:
    """Return where in a tournament a game belongs; raise ValueError for what is no such place."""
    if value is None:
        return None
    kinds = {"id": str, "round": int, "table": int, "games": list}
    if type(value) is not dict or {name: type(v) for name, v in value.items()
                                   if (name, v) != ("entry", "invitation")} != kinds:
        raise ValueError(f"tournament is {_short(value)}")
    place = Place(id=value["id"], round=value["round"], table=value["table"], games=value["games"])
    return place | {"entry": "invitation"} if "entry" in value else place


def _pairing(value: Any) -> Pairing | None:
    """Return which pairing of the pool a game is of; raise ValueError for what is none."""
    if value is None:
        return None
    kinds = {"id": str, "games": list}
    if type(value) is not dict or {name: type(v) for name, v in value.items()} not in (
            kinds, kinds | {"test": bool}):
        raise ValueError(f"pool is {_short(value)}")
    pairing: Pairing = {"id": value["id"], "games": value["games"]}
    if "test" in value:
        pairing["test"] = value["test"]
    return pairing


def _fork(events: list[Json]) -> Fork | None:
    """Return where a game goes on from, if it does; its position is believed, as it is another
    history's to prove."""
    event = events[1] if len(events) > 1 else {}
    if event.get("type") != "game_forked":
        return None
    return Fork(_kind(event["origin"], str), _kind(event["version"], int),
                _one_of(event["cards"], "reshuffled", "kept"), _kind(event["position"], dict))


def _kind(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError(f"{value!r} is no {kinds[0].__name__}"[:200])
    return value


def _one_of(value: Any, *known: object) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {known}"[:200])
    return value


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _short(value: object) -> str:
    """Return a value as JSON, of a length to be read."""
    try:
        text = value if isinstance(value, str) else "nothing" if value is None \
            else json.dumps(value)
    except _BROKEN:
        text = repr(value)
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:400])
    return text if len(text) <= 160 else f"{text[:160]}..."
