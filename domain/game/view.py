"""Visibility: views of a state, and redacted entries of a history, for each viewer.

A viewer is a seat, or None for anybody else. Each member is declared with its visibility: members
of a view in the tables below and in the rules, members of events and actions at their fields.
Hidden members are left out; if the amount is public, a member ``<name>_count`` replaces them. Once
a game is over there are no secrets, unless it is ``sealed``: for as long as others play the same
deal its secrets are kept.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypedDict

from domain.board.ruleset import Ruleset
from domain.codec import TAGGED, Json
from domain.entry import OWNERS, PUBLIC
from domain.game.commands import Player
from domain.game.events import PlayerInvited
from domain.game.legal import Listed, grouped, legal_actions
from domain.game.state import FINISHED, PLAYING, State
from domain.game.terms import Terms
from domain.secrecy import EVERYBODY, NOBODY, OWNER, Member

Values = list[tuple[str, Callable[..., object]]]
Cards = Mapping[str, int]
Ids = tuple[str, ...]


def view(state: State, viewer: int | None, *, sealed: bool, listed: Listed = "true") -> Json:
    """Return the game as the viewer may see it, as the API's view object without the terms."""
    is_open = state.status == FINISHED and not sealed
    is_reserved = bool(state.invitations or state.rating_ranges)
    head, seats, game, own = _tables(state.board.ruleset, state.was_begun, is_reserved, is_open)
    shown = _values(head, state)
    shown["seats"] = [_values(seats[seat == viewer], state, seat) for seat in state.seats]
    shown |= _values(game, state)
    if viewer is not None:
        shown["you"] = _values(own, state, viewer)
        if listed != "false" and state.status == PLAYING:
            actions = legal_actions(state, viewer)
            if listed == "grouped":
                shown["you"]["grouped_actions"] = grouped(actions)
            else:
                shown["you"]["legal_actions"] = [action.json for action in actions]
    return shown


def view_with_terms(
    state: State, viewer: int | None, *, sealed: bool, listed: Listed = "true"
) -> Json:
    """Return the view with the terms of the game, as clients and bots get it."""
    return view(state, viewer, sealed=sealed, listed=listed) | state.terms.shown()


def holdings(state: State, seat: int) -> Json:
    return _values(_visible(YOU_BEGUN, True), state, seat)


@cache
def _tables(
    rules: Ruleset, was_begun: bool, is_reserved: bool, is_open: bool
) -> tuple[Values, tuple[Values, Values], Values, Values]:
    """Return the visible members, in display order: of the game before its seats, of a seat (for
    others, for itself), of the game after the seats, and of the viewer's own part."""
    seats, game, own = SEAT, GAME, YOU
    if was_begun:
        seats += SEAT_BEGUN + rules.seat_view + SEAT_ENDING
        game += BEGUN + rules.view + ENDING
        own += YOU_BEGUN
    elif is_reserved:
        seats += SEAT_LOBBY
    return (
        _visible(HEAD, is_open),
        (_visible(seats, is_open), _visible(seats, is_open, True)),
        _visible(game + SETTINGS, is_open),
        _visible(own, is_open, True),
    )


def _visible(members: Iterable[Member], is_open: bool, is_owner: bool = False) -> Values:
    return [
        (member.name, member.value)
        for member in members
        if is_open or not member.seen_by.hides({}, is_owner=is_owner)
    ]


def _values(members: Values, *of: Any) -> Json:
    shown = {}
    for name, value in members:
        if (given := value(*of)) is not None:
            shown[name] = given
    return shown


def redacted(entry: Mapping[str, Any], viewer: int | None, finished: bool) -> Mapping[str, Any]:
    """Return a stored entry as the viewer may see it; whole once the game is finished."""
    if finished:
        return entry
    is_owner = viewer is not None and viewer == entry.get("seat")
    visible = OWNERS if is_owner else PUBLIC
    shown = {name: v for name, v in entry.items() if name in visible}
    shown["events"] = [_redacted(event, viewer, event.get("seat")) for event in entry["events"]]
    if "action" in entry:
        shown["action"] = _redacted(entry["action"], viewer, entry.get("seat"))
    return shown


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(("type", *(member for _, member in TAGGED[kind].members)))


def _redacted(value: Json, viewer: int | None, seat: int | None) -> Json:
    """Return an event or an action without hidden members; of an undeclared one, the type."""
    cls, is_owner = TAGGED.get(value["type"]), viewer is not None and viewer == seat
    if cls is None:
        return {"type": value["type"]}
    if not value.keys() <= (names := _names(cls.type)):
        value = {name: v for name, v in value.items() if name in names}
    if not cls.secrets:
        return value
    hidden = [m.member for m in cls.secrets if m.seen_by.hides(value, is_owner=is_owner)]
    if not hidden:
        return value
    shown = {name: v for name, v in value.items() if name not in hidden}
    for name in hidden:
        if isinstance(value.get(name), list | tuple):
            shown[f"{name}_count"] = len(value[name])
    return shown


# The members. A rule adds its own (``Rule.view``, ``seat_view``).


class Claim(TypedDict):
    """A route and its owner."""

    route: Annotated[str, "The route's id."]
    seat: Annotated[int, "The owner's seat."]


def _claims(state: State) -> list[Claim]:
    routes = state.board.routes
    return [
        {"route": routes[route].id, "seat": seat}
        for seat in state.seats
        for route in state.routes[seat]
    ]


def _fork(state: State) -> Json | None:
    fork = state.fork
    if fork is None:
        return None
    return {"game": fork.origin, "version": fork.version, "cards": fork.cards}


def _revealed(state: State, seat: int) -> Json | None:
    if state.status != FINISHED:
        return None
    tickets = state.board.tickets
    return {
        "hand": state.board.as_set(state.hands[seat]),
        "tickets": [tickets[t].id for t in state.tickets[seat] + state.removed[seat]],
    }


def _reserved(state: State, seat: int) -> PlayerInvited | None:
    return next((one for one in state.invitations if one.seat == seat), None)


def _rating_bound(name: str) -> Callable[[State, int], int | None]:
    return lambda state, seat: next(
        (getattr(one, name) for one in state.rating_ranges if one.seat == seat), None
    )


def _offered(state: State, seat: int) -> list[str] | None:
    if state.status != PLAYING or not state.offered[seat]:
        return None
    return [state.board.tickets[t].id for t in state.offered[seat]]


HEAD = (
    Member("id", EVERYBODY, str, "The game's id.", lambda state: state.id),
    Member("board", EVERYBODY, str, "The board's id.", lambda state: state.board.id),
    Member(
        "status",
        EVERYBODY,
        Literal["lobby", "playing", "finished"],
        "`lobby` until every seat is taken, then `playing`, then `finished`.",
        lambda state: state.status,
    ),
    Member(
        "version",
        EVERYBODY,
        int,
        "How many entries the game's history has.",
        lambda state: state.version,
        least=1,
    ),
    Member(
        "rules_version",
        EVERYBODY,
        int,
        "The version of the rules that decide this game.",
        lambda state: state.rules_version,
        least=1,
    ),
)
GAME: tuple[Member, ...] = (
    Member(
        "deciding",
        EVERYBODY,
        list[Json],
        "The decisions that the game waits for; several only while the first tickets are chosen.",
        lambda state: [{"seat": seat, "decision": each} for seat, each in state.deciding()],
    ),
    Member(
        "commitment",
        EVERYBODY,
        str,
        "SHA-256 of the seed in hex, published before the first card.",
        lambda state: state.commitment,
    ),
    Member(
        "seed_known",
        EVERYBODY,
        bool,
        "Whether the creator chose the seed, and so knows it.",
        lambda state: state.seed_known,
    ),
)
SETTINGS = (
    Member(
        "clock",
        EVERYBODY,
        Json,
        "How long seats may think, where the game has a clock.",
        lambda state: state.clock and state.clock.as_json(),
        sometimes=True,
    ),
    Member(
        "fork",
        EVERYBODY,
        Json,
        "Where the game goes on from, if it is a fork.",
        _fork,
        sometimes=True,
    ),
    Member(
        "ending",
        EVERYBODY,
        Literal["final_turns", "all_passed", "no_progress", "one_seat_left", "aborted", "expired"],
        "Why the game ended, once it has: `aborted` by its creator before the first turn, "
        "`expired` since nobody came.",
        lambda state: state.ending or None,
        sometimes=True,
    ),
    Member(
        "seed",
        NOBODY,
        str,
        "The seed in hex, once the game is finished, and every other of its deal.",
        lambda state: state.seed,
        sometimes=True,
    ),
)
# once the cards are dealt, and after what rules add
BEGUN = (
    Member("row", EVERYBODY, Ids, "The face-up cards.", lambda state: state.board.names(state.row)),
    Member(
        "deck", EVERYBODY, int, "How many cards are in the deck.", lambda state: len(state.deck)
    ),
    Member(
        "discards",
        EVERYBODY,
        int,
        "How many cards are discarded.",
        lambda state: sum(state.discards),
    ),
    Member(
        "discarded",
        EVERYBODY,
        Cards,
        "The discarded cards, colour to count.",
        lambda state: state.board.as_set(state.discards),
    ),
    Member(
        "ticket_deck",
        EVERYBODY,
        int,
        "How many tickets are in the deck.",
        lambda state: len(state.ticket_deck),
    ),
    Member("claims", EVERYBODY, list[Claim], "The claimed routes.", _claims),
)
ENDING = (
    Member(
        "final_turns",
        EVERYBODY,
        int,
        "Turns still to be played, the present one included, "
        "once the end has been triggered (rule 7.1).",
        lambda state: None if state.final is None else len(state.final),
        least=1,
    ),
)
SEAT: tuple[Member, ...] = (
    Member(
        "seat",
        EVERYBODY,
        int,
        "The seat's number, from 0 in the order of play.",
        lambda _state, seat: seat,
    ),
    Member(
        "player",
        EVERYBODY,
        Json,
        "The player; missing while the seat is open.",
        lambda state, seat: state.players[seat] and state.players[seat].as_json(),
        sometimes=True,
    ),
)
# until the cards are dealt
SEAT_LOBBY = (
    Member(
        "invited",
        EVERYBODY,
        Json,
        "The player for whom the seat is reserved.",
        lambda state, seat: (one := _reserved(state, seat)) and Player(**one.player).as_json(),
        sometimes=True,
    ),
    Member(
        "expires",
        EVERYBODY,
        str,
        "When the invitation expires.",
        lambda state, seat: (one := _reserved(state, seat)) and one.expires,
        sometimes=True,
    ),
    Member(
        "rating_from",
        EVERYBODY,
        int,
        "The minimum overall rating for this seat.",
        _rating_bound("rating_from"),
        sometimes=True,
        least=None,
    ),
    Member(
        "rating_to",
        EVERYBODY,
        int,
        "The maximum overall rating for this seat.",
        _rating_bound("rating_to"),
        sometimes=True,
        least=None,
    ),
)
SEAT_BEGUN = (
    Member(
        "score",
        EVERYBODY,
        int,
        "Points so far, without tickets and final bonuses.",
        lambda state, seat: state.points[seat],
    ),
    Member("trains", EVERYBODY, int, "Trains left.", lambda state, seat: state.trains[seat]),
    Member(
        "cards",
        EVERYBODY,
        int,
        "How many cards are in hand.",
        lambda state, seat: sum(state.hands[seat]),
    ),
    Member(
        "tickets",
        EVERYBODY,
        int,
        "How many tickets were kept.",
        lambda state, seat: len(state.tickets[seat]),
    ),
)
SEAT_ENDING = (
    Member(
        "left",
        EVERYBODY,
        Literal["resigned", "time", "aborted"],
        "Why the seat left the game, if it did; `aborted`: it aborted the game, having seen "
        "tickets.",
        lambda state, seat: state.left[seat],
        sometimes=True,
    ),
    Member(
        "result",
        EVERYBODY,
        Json,
        "Once the game is finished, unless it was aborted.",
        lambda state, seat: state.results[seat] if state.results else None,
        sometimes=True,
    ),
    Member(
        "revealed",
        NOBODY,
        Json,
        "Once the game is finished, and every other of its deal.",
        _revealed,
        sometimes=True,
    ),
)
YOU: tuple[Member, ...] = (
    Member("seat", OWNER, int, "The caller's seat.", lambda _state, seat: seat),
)
YOU_BEGUN = (
    Member(
        "hand",
        OWNER,
        Cards,
        "Cards in hand, colour to count.",
        lambda state, seat: state.board.as_set(state.hands[seat]),
    ),
    Member(
        "tickets",
        OWNER,
        Ids,
        "Ids of the tickets kept.",
        lambda state, seat: [state.board.tickets[t].id for t in state.tickets[seat]],
    ),
    Member("offered", OWNER, Ids, "Ids of the tickets to choose from.", _offered),
)

# the names of all members of a view, and of its seats, without those of rules
NAMES = {
    *(member.name for member in (*HEAD, *GAME, *BEGUN, *ENDING, *SETTINGS)),
    *("seats", "you"),
    *Terms.__dataclass_fields__,
}
SEAT_NAMES = {member.name for member in (*SEAT, *SEAT_LOBBY, *SEAT_BEGUN, *SEAT_ENDING)}
