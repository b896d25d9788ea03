"""A board's table as the API serves it (``Board.described``). The rules declare the rest."""

from typing import Annotated, NotRequired, TypedDict

from domain.described import Positive, Signed

TEMPLATE = (
    "a template: `{member}` stands for a member, `{member noun}` for a number with its "
    "noun, and `[...]` is left out where a member in it is missing"
)


class Location(TypedDict):
    """A location that routes connect."""

    id: Annotated[str, "The location's id."]
    name: Annotated[str, "Its name."]
    lat: Annotated[float, "Degrees north."]
    lon: Annotated[float, "Degrees east."]


class Route(TypedDict):
    """A route: a railway between two locations."""

    id: Annotated[str, "`a--b`, or `a--b--2` for the second track of a double route."]
    a: Annotated[str, "A location's id."]
    b: Annotated[str, "A location's id."]
    length: Annotated[
        Positive,
        "The number of spaces: the cards needed to claim it and, if `trains` is missing, "
        "the trains.",
    ]
    color: Annotated[str, "The colour of the cards that claim it; with `grey`, any one colour."]
    trains: NotRequired[Annotated[int, "The trains needed to claim it, if that is not its length."]]
    twin: NotRequired[Annotated[str, "The id of the other track of a double route."]]


class TicketWay(TypedDict):
    """Two locations that complete a ticket."""

    a: Annotated[str, "A location's id."]
    b: Annotated[str, "A location's id."]
    points: Annotated[Positive, "Points gained if they are connected."]


class Ticket(TypedDict):
    """Two locations to connect."""

    id: Annotated[str, "`a--b`."]
    a: Annotated[str, "A location's id."]
    b: Annotated[str, "A location's id."]
    points: Annotated[Positive, "Points gained if it is completed, lost if not."]
    long: NotRequired[
        Annotated[bool, "Whether it is a long ticket, which is only dealt at the start."]
    ]
    set: NotRequired[
        Annotated[str, "The set it belongs to, if the board has several sets of tickets."]
    ]
    ways: NotRequired[
        Annotated[
            list[TicketWay],
            "All pairs that complete it, the fewest points first, if there are "
            "several: it scores the best that is connected, or loses the least.",
        ]
    ]


class Offer(TypedDict):
    """The size of an offer of tickets."""

    deal: Annotated[Positive, "How many tickets are offered."]
    keep: Annotated[Positive, "The least number to keep."]
    long: NotRequired[Annotated[Positive, "How many long tickets are offered in addition."]]
    refused: NotRequired[
        Annotated[str, "Where refused tickets go: `under the deck` (the default) or `removed`."]
    ]


class PlayersRange(TypedDict):
    """The number of players."""

    least: Annotated[int, {"minimum": 2}, "The fewest seats."]
    most: Annotated[int, {"minimum": 2}, "The most seats."]


class DeclaredRule(TypedDict):
    """A rule that the board adds to the common ones."""

    number: Annotated[str, "Its number in the rules."]
    says: Annotated[str, f"The rule in words, {TEMPLATE}; members are those of the board."]


class DeclaredEvent(TypedDict):
    """The sentence of an event."""

    says: NotRequired[
        Annotated[
            list[str],
            f"Its sentence, {TEMPLATE}. The first that applies is used: one that begins "
            "with `member? ` or `member=value? ` only if the event has that.",
        ]
    ]
    jump: NotRequired[
        Annotated[str, "The name of such events in a replay, if one can jump by them."]
    ]


class DeclaredAction(TypedDict):
    """The words of an action."""

    says: Annotated[list[str], f"Its words, {TEMPLATE}."]


class DeclaredMark(TypedDict):
    """A mark: a member that a rule adds to routes, locations or tickets."""

    says: NotRequired[Annotated[str, f"Its meaning, {TEMPLATE}; members are those of what has it."]]
    sign: NotRequired[
        Annotated[
            str,
            "A character to be shown on as many spaces of the route as the member says, on all "
            "where it is no number.",
        ]
    ]


class DeclaredMember(TypedDict):
    """A member that a rule adds to a view, or to its seats."""

    says: NotRequired[Annotated[str, f"Its words, {TEMPLATE}; members are those of the seat."]]


class Declared(TypedDict):
    """Declarations of the board's rules. With them a client can show games without knowing the
    rules. They do not say how events change views: `getViews` and streams with `views=true` have
    the views themselves."""

    rules: Annotated[dict[str, DeclaredRule], "The rules beyond the common ones."]
    events: Annotated[dict[str, DeclaredEvent], "Events, by type."]
    actions: Annotated[dict[str, DeclaredAction], "Actions, by type."]
    decisions: Annotated[dict[str, str], 'Decisions, in words that go on after "you have to".']
    routes: Annotated[dict[str, DeclaredMark], "Members of routes."]
    locations: Annotated[dict[str, DeclaredMark], "Members of locations."]
    tickets: NotRequired[Annotated[dict[str, DeclaredMark], "Members of tickets, if any."]]
    view: Annotated[dict[str, DeclaredMember], "Members of a view."]
    seat_view: Annotated[dict[str, DeclaredMember], "Members of its seats."]
    colors: Annotated[
        list[str],
        "The colours of the cards in the table's order, by which shuffles begin and "
        "positions count; `wild` is the last. The members of `cards` have no order.",
    ]
    draws: NotRequired[
        Annotated[
            dict[str, Positive],
            "How many of a turn's two draws a face-up card takes, by colour, if "
            "that is not 2 for `wild` and 1 for all others.",
        ]
    ]
    parts: Annotated[list[str], "The parts of a result that add up to its total, in order."]


class BoardJson(TypedDict):
    """A board's table: all its static data."""

    id: Annotated[str, "The board's id."]
    name: Annotated[str, "The board's name."]
    rulebook: NotRequired[Annotated[str, "The rulebook of the board."]]
    digest: Annotated[str, "SHA-256 of the table in hex; games record it."]
    players: Annotated[PlayersRange, "The number of players."]
    trains: Annotated[Positive, "Trains of each player."]
    cards: Annotated[
        dict[str, Signed], "The deck: the number of cards by colour; jokers are `wild`."
    ]
    hand: Annotated[int, "Cards dealt to each player at the start."]
    points: Annotated[dict[str, Signed], "Points for a route, by its length."]
    tickets_at_start: Annotated[Offer, "The offer of tickets before the first turn."]
    tickets_on_a_turn: Annotated[
        Offer, "The offer of tickets when a turn is spent on drawing tickets."
    ]
    doubles_closed_for: Annotated[
        list[int],
        "The numbers of players with which only one track of a double route can be claimed.",
    ]
    rules: Annotated[list[str], "Rules in addition to the common ones."]
    tie_breaks: Annotated[list[str], "The tie-breaks, in order of precedence."]
    vocabulary: NotRequired[Annotated[dict[str, str], "The rulebook's terms for our terms."]]
    provenance: NotRequired[Annotated[dict[str, str], "The sources of the table's parts."]]
    locations: Annotated[list[Location], "The locations."]
    routes: Annotated[list[Route], "The routes between them."]
    tickets: Annotated[list[Ticket], "The tickets."]
    declared: Annotated[Declared, "Declarations of its rules, for clients without them."]
