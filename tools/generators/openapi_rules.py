"""What the rules add to the schemas of openapi.yaml: members of views, results and boards, and the
kinds of actions and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from domain.codec import Tagged, plain_type
from domain.described import Signed
from domain.entry import HeadJson
from domain.game import events, view
from domain.game.clock import ClockJson
from domain.game.commands import Player
from domain.game.scoring import ResultJson
from domain.rules import ACTIONS, EVENTS, RULES
from domain.tournament.events import SeatResult
from service.games.shown import Origin, Revealed
from service.games.store import Deciding, GameHead, SeatHead
from service.tournaments.store import TournamentHead

Members = Iterable[tuple[str, Any, bool]]  # name, type, whether it is required
NAMES = {
    events.Seconds: "ClockTimes",
    events.Place: "PlaceOfDeal",
    events.Table: "Place",
    events.Pairing: "PairingOfDeal",
    events.OfPool: "Pairing",
    GameHead: "ListedGame",
    SeatHead: "ListedSeat",
    HeadJson: "LogHead",
    SeatResult: "TableResult",
    TournamentHead: "ListedTournament",
}  # of schemas
# types of members that the domain has as JSON objects, or as integers of any sign
OBJECTS: dict[str, Any] = {
    "player": Player,
    "invited": Player,
    "result": ResultJson,
    "results": list[ResultJson],
    "revealed": Revealed,
    "deciding": list[Deciding],
    "fork": Origin,
    "rating_from": Signed,
    "rating_to": Signed,
}
OF_VIEWS = OBJECTS | {"clock": ClockJson}
# name of a union -> its words, the end of its kinds' names, and these
UNIONS: dict[str, tuple[str, str, dict[str, type[Tagged]]]] = {
    "PlayedAction": (
        "A played action, without what the caller may not see.",
        "SeenAction",
        ACTIONS,
    ),
    "Event": (
        "Something that happened in the game, without what the caller may not see.",
        "Event",
        EVENTS,
    ),
}


def redacted(cls: type[Tagged]) -> Members:
    """Yield the members of an action or event as others may see it: secret ones are optional, and
    lists get a member with their length."""
    yield "type", Annotated[str, {"enum": [cls.type], "const": cls.type}], True
    for each in cls.declared:
        is_hidden = each in cls.secrets
        kind = OBJECTS.get(each.member, each.type)
        yield each.member, Annotated[kind, each.words], each.required and not is_hidden
        if is_hidden and plain_type(each.type) is tuple:
            words = f"The number of `{each.member}`, if they are secret."
            yield f"{each.member}_count", Annotated[Signed, words], False


def _shown(members: Iterable[Any], *, required: bool = False) -> Members:
    for one in members:
        kind = OF_VIEWS.get(one.name, one.type)
        least = {"minimum": one.least} if one.type is int else {}
        yield one.name, Annotated[kind, least, one.words], required and not one.sometimes


def _of_rules(where: str) -> tuple[Any, ...]:
    return tuple(shown for rule in RULES for shown in getattr(rule, where))


def _view() -> Members:
    yield from _shown((*view.HEAD, *view.GAME), required=True)
    yield from _shown((*view.BEGUN, *_of_rules("view"), *view.ENDING, *view.SETTINGS))


def _seat() -> Members:
    yield from _shown(view.SEAT, required=True)
    yield from _shown(
        (*view.SEAT_LOBBY, *view.SEAT_BEGUN, *_of_rules("seat_view"), *view.SEAT_ENDING)
    )


def _own_seat() -> Members:
    yield from _shown(view.YOU, required=True)
    yield from _shown(view.YOU_BEGUN)


def _result() -> Members:
    for number in _of_rules("numbers"):
        yield (
            number.name,
            Annotated[int, {"minimum": number.least}, number.words],
            number.everywhere,
        )


def _action_group() -> Members:
    for cls in ACTIONS.values():
        for each in cls.declared:
            kind = Annotated[each.type, each.words]
            yield each.member, Annotated[list[kind], f"Choose one value. {each.words}"], False


def _table(where: str, least: int = 0) -> Callable[[], Members]:
    """Return a function that returns the members that rules read from a part of a board's table."""

    def members() -> Members:
        for rule in RULES:
            for name, shape in getattr(rule.table, where).items():
                kind = Annotated[Any, _answered(shape.schema, least), shape.words]
                yield name, kind, False

    return members


def _answered(schema: Any, least: int) -> Any:
    """Return a JSON Schema of a table for answers: without maxima, with this minimum at least."""
    if not isinstance(schema, dict):
        return schema
    return {
        name: max(least, inner) if name == "minimum" else _answered(inner, least)
        for name, inner in schema.items()
        if name != "maximum"
    }


# schema -> members that are not in its declaration
MORE: dict[str, Callable[[], Members]] = {
    "View": _view,
    "Seat": _seat,
    "OwnSeat": _own_seat,
    "Result": _result,
    "ActionGroup": _action_group,
    "Board": _table("members"),
    "Route": _table("route", 1),
    "Location": _table("location", 1),
    "Ticket": _table("ticket", 1),
}
