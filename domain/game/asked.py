"""Parse the seat and the command that led to an entry of a recorded game; check every type.

A malformed entry raises Unasked, or a Python error such as KeyError, TypeError or ValueError.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from types import UnionType
from typing import (
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from domain.board.ruleset import Ruleset
from domain.codec import Json, from_json, plain_type
from domain.game import commands
from domain.game.difference import short
from domain.game.events import PlayerInvited, RatingRangeSet
from domain.game.state import State
from domain.times import is_time

T = TypeVar("T")
_SEED = re.compile(r"[0-9a-f]{64}")
_CLOCKS = ({"per_decision"}, {"per_decision", "total"}, {"bank"}, {"bank", "increment"})
_SETTINGS = (
    "game",
    "creator",
    "seed_known",
    "first_seat",
    "clock",
    "on_timeout",
    "visibility",
    "tournament",
    "pool",
    "rating_rules",
)  # of a command and its event


class Unasked(Exception):
    """No command can lead to this entry; ``code`` is one of ``domain.game.proof``."""

    def __init__(self, code: str, reason: str):
        super().__init__(reason)
        self.code = code


def asked(state: State | None, entry: Json) -> tuple[int | None, object]:
    """Return the seat and the command that led to an entry; ``state``: before it, if any."""
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
        return seat, commands.TimeOut()
    if first.get("type") not in _STEPS:
        raise Unasked("illegal", f"{short(first.get('type'))} cannot happen without an action")
    return _STEPS[first["type"]](first)


def _creation(events: list[Json]) -> commands.CreateGame:
    created = events[0]
    seed = created["seed"]
    if not (isinstance(seed, str) and _SEED.fullmatch(seed)):
        raise Unasked("commitment", f"the seed is {short(seed)}, not 32 bytes in hex")
    if created.get("commitment") != (right := sha256(bytes.fromhex(seed)).hexdigest()):
        raise Unasked(
            "commitment",
            f"the commitment is {short(created.get('commitment'))}, the seed's SHA-256 is {right}",
        )
    count = created["seats"]
    if type(count) is not int or not 1 <= count <= 99:
        raise ValueError(f"seats is {count!r}")
    seats: list[tuple[commands.Player, str | None] | None] = [None] * count
    invitations, rating_ranges = [], []
    for event in events[1:]:
        match event.get("type"):
            case "seat_taken":
                taken = _take(event)
                seats[event["seat"]] = taken.player, taken.entropy
            case "player_invited":
                invitations.append(_invited(event))
            case "rating_range_set":
                rating_ranges.append(
                    _typed(
                        RatingRangeSet,
                        seat=event["seat"],
                        rating_from=event.get("rating_from"),
                        rating_to=event.get("rating_to"),
                    )
                )
    game = _typed(
        commands.CreateGame,
        **{name: created.get(name) for name in _SETTINGS},
        seed=bytes.fromhex(seed),
        spectators=created.get("spectators", True),
        fork=_fork(events),
        seats=tuple(seats),
        invitations=tuple(invitations),
        rating_ranges=tuple(rating_ranges),
    )
    if (clock := game.clock) is not None:
        seconds: Any = clock.values()
        if clock.keys() not in _CLOCKS or not all(0 <= each <= 1e9 for each in seconds):
            raise ValueError(f"the clock is {clock}")
    for place in filter(None, (game.tournament, game.pool)):
        if game.game not in place["games"]:
            raise ValueError("the game is not among those of its place")
    if game.tournament and game.creator != game.tournament["id"]:
        raise ValueError("the game's creator is not its tournament")
    return game


def _action(rules: Ruleset, value: Json) -> commands.Command:
    action: commands.Command = from_json(rules.actions, value)
    for member in action.declared:
        given = getattr(action, member.field)
        if given is not None and plain_type(member.type) is not str:
            _checked(given, member.type, member.member)
    return action


def _player(value: Any) -> commands.Player:
    player = _typed(commands.Player, **value)
    if player.id.startswith("bot_") != player.is_built_in or not player.id.startswith(
        f"bot_{player.bot}_" if player.is_built_in else ""
    ):  # which account plays which bot
        raise ValueError(f"the player {short(player.id)} has the marks of another")
    return player


def _invited(event: Json) -> PlayerInvited:
    if not is_time(event["expires"]):
        raise ValueError(f"{event['expires']!r} is no time"[:200])
    return _typed(
        PlayerInvited,
        seat=event["seat"],
        player=_player(event["player"]).as_json(),
        expires=event["expires"],
        if_declined=event["if_declined"],
    )


def _take(event: Json) -> commands.TakeSeat:
    return _typed(
        commands.TakeSeat,
        player=_player(event["player"]),
        entropy=event.get("entropy"),
        seat=event["seat"],
    )


# type of the first event -> the seat and the command that led to it, before the first turn
_STEPS: dict[str, Callable[[Json], tuple[int | None, object]]] = {
    "seat_taken": lambda event: (None, _take(event)),
    "invitation_closed": lambda event: (
        None,
        _typed(
            commands.CloseInvitation, player=_player(event["player"]).id, reason=event["reason"]
        ),
    ),
    "seat_left": lambda event: (_checked(event["seat"], int, "seat"), commands.LeaveSeat()),
    "open_seats_closed": lambda event: (None, commands.StartGame()),
    "game_aborted": lambda event: (
        None,
        _typed(commands.AbortGame, reason=event["reason"], seat=event.get("seat")),
    ),
}


def _fork(events: list[Json]) -> commands.Fork | None:
    """Return the fork in an event of creation, None if the game is no fork. The position is not
    checked here; the history of the original game proves it."""
    event = events[1] if len(events) > 1 else {}
    if event.get("type") != "game_forked":
        return None
    return _typed(
        commands.Fork,
        origin=event["origin"],
        version=event["version"],
        cards=event["cards"],
        position=event["position"],
    )


def _typed(cls: Callable[..., T], **fields: Any) -> T:
    """Return a value of a class; raise TypeError where a field has another type than declared."""
    for name, kind in _kinds(cls).items():
        if name in fields:
            _checked(fields[name], kind, name)
    return cls(**fields)


def _checked(value: Any, kind: Any, name: str) -> Any:
    if not _fits(kind)(value):
        raise TypeError(f"{name} is {value!r}"[:200])
    return value


@cache
def _kinds(cls: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(cls)


@cache
def _fits(kind: Any) -> Callable[[Any], bool]:
    """Return whether a value has a declared type of JSON; 1, 1.0 and true are of three types."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value: True
    if is_typeddict(kind):
        members = {name: _fits(part) for name, part in get_type_hints(kind).items()}
        return lambda value: (
            type(value) is dict
            and kind.__required_keys__ <= value.keys() <= members.keys()
            and all(members[name](inner) for name, inner in value.items())
        )
    if origin is Literal:
        return lambda value: value in parts
    if origin in (UnionType, Union):
        return lambda value: any(_fits(part)(value) for part in parts)
    if origin is Mapping:
        return lambda value: type(value) is dict and all(map(_fits(parts[1]), value.values()))
    if origin is list or (origin is tuple and parts[-1] is ...):
        return lambda value: type(value) in (list, tuple) and all(map(_fits(parts[0]), value))
    kinds = (int, float) if kind is float else (origin or kind,)
    return lambda value: type(value) in kinds
