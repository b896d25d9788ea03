"""Parse the seat and the command that led to an entry of a recorded game; check every type.

A malformed entry raises Unasked, or a Python error such as KeyError, TypeError or ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, cast, get_args

from domain.board.ruleset import Ruleset
from domain.codec import Json, from_json, plain_type
from domain.game.commands import (
    AbortGame,
    CloseInvitation,
    Command,
    CreateGame,
    Fork,
    LeaveSeat,
    Player,
    StartGame,
    TakeSeat,
    TimeOut,
)
from domain.game.difference import short
from domain.game.events import (
    ClosingReason,
    IfDeclined,
    Pairing,
    Place,
    PlayerInvited,
    RatingRangeSet,
    Seconds,
)
from domain.game.state import State
from domain.times import is_time

_SEED = re.compile(r"[0-9a-f]{64}")
_CLOCKS = ({"per_decision"}, {"per_decision", "total"}, {"bank"}, {"bank", "increment"})


class Unasked(Exception):
    """No command can lead to this entry; ``code`` is one of ``domain.game.proof``."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


def asked(state: State | None, entry: Json) -> tuple[int | None, object]:
    """Return the seat and the command that led to an entry; ``state`` is the one before it, None
    before the first."""
    first = entry["events"][0]
    if state is None:
        return None, _creation(entry["events"])
    seat = entry.get("seat")
    if seat is not None and not (type(seat) is int and seat in state.seats):
        raise Unasked("malformed", f"seat is {short(seat)}")
    if "action" in entry:
        if seat is None:
            raise Unasked("malformed", "lacks the seat that acts")
        return seat, _action(state.board.ruleset, entry["action"])
    if "timed_out" in entry:
        return seat, TimeOut()
    if first.get("type") not in _STEPS:
        raise Unasked("illegal", f"{short(first.get('type'))} cannot happen without an action")
    return _STEPS[first["type"]](first)


def _creation(events: list[Json]) -> CreateGame:
    created = events[0]
    seed = created["seed"]
    if not _is(_SEED, seed):
        raise Unasked("commitment", f"the seed is {short(seed)}, not 32 bytes in hex")
    if created.get("commitment") != (right := sha256(bytes.fromhex(seed)).hexdigest()):
        raise Unasked("commitment", f"the commitment is {short(created.get('commitment'))}, "
                                   f"the seed's SHA-256 is {right}")
    count = created["seats"]
    if type(count) is not int or not 1 <= count <= 99:
        raise ValueError(f"seats is {count!r}")
    seats: list[tuple[Player, str | None] | None] = [None] * count
    invitations, rating_ranges = [], []
    for event in events[1:]:
        match event.get("type"):
            case "seat_taken":
                seat, player, entropy = _taken(event)
                seats[seat] = player, entropy
            case "player_invited":
                invitations.append(_invited(event))
            case "rating_range_set":
                rating_ranges.append(_rating_range(event))
    tournament, pool = _place(created.get("tournament")), _pairing(created.get("pool"))
    for place in filter(None, (tournament, pool)):
        if created["game"] not in place["games"]:
            raise ValueError("the game is not among those of its place")
    if tournament and created["creator"] != tournament["id"]:
        raise ValueError("the game's creator is not its tournament")
    return CreateGame(
        seed=bytes.fromhex(seed), seats=tuple(seats),
        game=_kind(created["game"], str), creator=_kind(created["creator"], str),
        seed_known=_kind(created["seed_known"], bool),
        first_seat=_kind(created.get("first_seat"), int, type(None)),
        clock=_clock(created.get("clock")),
        on_timeout=_one_of(created.get("on_timeout"), None, "resign", "act"),
        visibility=_one_of(created.get("visibility"), None, "unlisted", "private"),
        spectators=_kind(created.get("spectators", True), bool),
        fork=_fork(events), invitations=tuple(invitations), rating_ranges=tuple(rating_ranges),
        tournament=tournament, pool=pool,
        rating_rules=_kind(created.get("rating_rules"), int, type(None)),
    )


def _action(rules: Ruleset, value: Json) -> Command:
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
    return (_kind(event["seat"], int), _player(event["player"]),
            _kind(event.get("entropy"), str, type(None)))


def _player(player: Any) -> Player:
    _kind(player, dict)
    if not {"id", "name"} <= player.keys() <= {"id", "name", "bot", "owner", "version"}:
        raise ValueError(f"player has members {sorted(player)}")
    for value in player.values():
        _kind(value, str)
    sitter = Player(**player)
    if sitter.id.startswith("bot_") != sitter.is_built_in or not sitter.id.startswith(
            f"bot_{sitter.bot}_" if sitter.is_built_in else ""):  # which account plays which bot
        raise ValueError(f"the player {short(sitter.id)} has the marks of another")
    return sitter


def _invited(event: Json) -> PlayerInvited:
    return PlayerInvited(
        _kind(event["seat"], int), _player(event["player"]).as_json(), _time(event["expires"]),
        _one_of(event["if_declined"], *get_args(IfDeclined)))


def _rating_range(event: Json) -> RatingRangeSet:
    lowest, highest = (_kind(event.get(name), int, type(None))
                       for name in ("rating_from", "rating_to"))
    return RatingRangeSet(_kind(event["seat"], int), lowest, highest)


def _close(event: Json) -> tuple[None, CloseInvitation]:
    reason = _one_of(event["reason"], *get_args(ClosingReason))
    return None, CloseInvitation(_player(event["player"]).id, reason)


def _take(event: Json) -> tuple[None, TakeSeat]:
    seat, player, entropy = _taken(event)
    return None, TakeSeat(player, entropy, seat)


# type of the first event -> the seat and the command that led to it, before the first turn
_STEPS: dict[str, Callable[[Json], tuple[int | None, object]]] = {
    "seat_taken": _take,
    "invitation_closed": _close,
    "seat_left": lambda event: (_kind(event["seat"], int), LeaveSeat()),
    "open_seats_closed": lambda event: (None, StartGame()),
    "game_aborted": lambda event: (
        None, AbortGame(_one_of(event["reason"], "aborted", "expired"),
                        _kind(event.get("seat"), int, type(None)))),
}


def _clock(value: Any) -> Seconds | None:
    if value is None:
        return None
    if _kind(value, dict).keys() not in _CLOCKS:
        raise ValueError(f"the clock has members {sorted(value)}")
    for seconds in value.values():
        if not 0 <= _kind(seconds, int, float) <= 1e9:
            raise ValueError(f"the clock has {seconds!r} seconds")
    clock: Seconds = value
    return clock


def _place(value: Any) -> Place | None:
    if value is None:
        return None
    kinds = {"id": str, "round": int, "table": int, "games": list}
    marks = ("entry", "invitation"), ("visibility", "unlisted")
    if type(value) is not dict or {name: type(v) for name, v in value.items()
                                   if (name, v) not in marks} != kinds:
        raise ValueError(f"tournament is {short(value)}")
    return cast(Place, dict(value))


def _pairing(value: Any) -> Pairing | None:
    if value is None:
        return None
    kinds = {"id": str, "games": list}
    if type(value) is not dict or {name: type(v) for name, v in value.items()} not in (
            kinds, kinds | {"test": bool}):
        raise ValueError(f"pool is {short(value)}")
    pairing: Pairing = {"id": value["id"], "games": value["games"]}
    if "test" in value:
        pairing["test"] = value["test"]
    return pairing


def _fork(events: list[Json]) -> Fork | None:
    """Return the fork in an event of creation, None if the game is no fork. The position is not
    checked here; the history of the original game proves it."""
    event = events[1] if len(events) > 1 else {}
    if event.get("type") != "game_forked":
        return None
    return Fork(_kind(event["origin"], str), _kind(event["version"], int),
                _one_of(event["cards"], "reshuffled", "kept"), _kind(event["position"], dict))


def _kind(value: Any, *kinds: type) -> Any:
    if type(value) not in kinds:
        raise TypeError(f"{value!r} is no {kinds[0].__name__}"[:200])
    return value


def _time(value: Any) -> str:
    if not is_time(value):
        raise ValueError(f"{value!r} is no time"[:200])
    return str(value)


def _one_of(value: Any, *known: object) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {known}"[:200])
    return value


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
