"""Types of the JSON that the service sends to bots; openapi.yaml describes each member.

Made from it by ``python -m tools.generators.client_types``.
"""

from typing import Literal, NotRequired, TypedDict


class Player(TypedDict):
    """The player on a seat."""

    id: str
    name: str
    bot: NotRequired[str]
    owner: NotRequired[str]
    version: NotRequired[str]


class Result(TypedDict):
    """A seat's final result. Its points add up to `total`."""

    total: int
    rank: int
    routes: int
    longest_path_length: int
    tickets: int
    tickets_completed: int
    longest_path: int
    stations: int
    districts: int
    flags: int
    globetrotter: NotRequired[int]


class Revealed(TypedDict):
    """The cards and tickets of a seat at the end of the game or, with `at`, at that version."""

    hand: dict[str, int]
    tickets: list[str]
    offered: NotRequired[list[str]]


class Seat(TypedDict):
    """The public part of a seat. Once the game has started, it includes score, trains, and numbers
    of cards and tickets."""

    bank: NotRequired[float]
    seat: int
    player: NotRequired[Player]
    invited: NotRequired[Player]
    expires: NotRequired[str]
    rating_from: NotRequired[int]
    rating_to: NotRequired[int]
    score: NotRequired[int]
    trains: NotRequired[int]
    cards: NotRequired[int]
    tickets: NotRequired[int]
    completed: NotRequired[list[str]]
    stations: NotRequired[int]
    taken: NotRequired[dict[str, int]]
    flag: NotRequired[list[str]]
    left: NotRequired[Literal["resigned", "time", "aborted"]]
    result: NotRequired[Result]
    revealed: NotRequired[Revealed]


class Place(TypedDict):
    """The place of a game in a tournament."""

    id: str
    round: int
    table: int


class Pairing(TypedDict):
    """The pool pairing that a game belongs to."""

    id: str
    test: NotRequired[bool]


DrawCardAction = TypedDict("DrawCardAction", {
    "type": Literal["draw_card"],
    "from": Literal["deck", "row"],
    "card": NotRequired[str],
    "note": NotRequired[str],
})


class DrawTicketsAction(TypedDict):
    """Draw new tickets to choose from (5.1)."""

    type: Literal["draw_tickets"]
    note: NotRequired[str]


class KeepTicketsAction(TypedDict):
    """Keep these of the tickets offered (2.2, 5.1)."""

    type: Literal["keep_tickets"]
    tickets: list[str]
    note: NotRequired[str]


class ClaimRouteAction(TypedDict):
    """Claim a route with exactly these cards, colour to count (4.1-4.5)."""

    type: Literal["claim_route"]
    route: str
    cards: dict[str, int]
    keep_for_flag: NotRequired[bool]
    note: NotRequired[str]


class BuildStationAction(TypedDict):
    """Build a station in a location (6.1)."""

    type: Literal["build_station"]
    location: str
    cards: dict[str, int]
    note: NotRequired[str]


class PayTunnelAction(TypedDict):
    """Pay what the tunnel asks for beyond its length (4.4)."""

    type: Literal["pay_tunnel"]
    cards: dict[str, int]
    note: NotRequired[str]


class WithdrawTunnelAction(TypedDict):
    """Take the cards laid for a tunnel back, and end the turn (4.4)."""

    type: Literal["withdraw_tunnel"]
    note: NotRequired[str]


class PassAction(TypedDict):
    """Do nothing, because nothing can be done (8.1)."""

    type: Literal["pass"]
    note: NotRequired[str]


class ResignAction(TypedDict):
    """Leave the game for good, at any time (8.2)."""

    type: Literal["resign"]
    note: NotRequired[str]


Action = (DrawCardAction | DrawTicketsAction | KeepTicketsAction | ClaimRouteAction |
    BuildStationAction | PayTunnelAction | WithdrawTunnelAction | PassAction | ResignAction)


ActionGroup = TypedDict("ActionGroup", {
    "type": Literal[
        "draw_card", "draw_tickets", "keep_tickets", "claim_route", "build_station", "pay_tunnel",
        "withdraw_tunnel", "pass", "resign"],
    "from": NotRequired[list[Literal["deck", "row"]]],
    "card": NotRequired[list[str]],
    "tickets": NotRequired[list[list[str]]],
    "route": NotRequired[list[str]],
    "cards": NotRequired[list[dict[str, int]]],
    "keep_for_flag": NotRequired[list[bool]],
    "location": NotRequired[list[str]],
})


class OwnSeat(TypedDict):
    """The private part of the caller's own seat. In the lobby it has only the seat's number."""

    legal_actions: NotRequired[list[Action]]
    grouped_actions: NotRequired[list[ActionGroup]]
    seat: int
    hand: NotRequired[dict[str, int]]
    tickets: NotRequired[list[str]]
    offered: NotRequired[list[str]]


class Deciding(TypedDict):
    """A decision that the game waits for."""

    seat: int
    decision: Literal["second_card", "keep_tickets", "tunnel", "turn"]
    deadline: NotRequired[str]


class Claim(TypedDict):
    """A route and its owner."""

    route: str
    seat: int


class Station(TypedDict):
    """A station and its owner."""

    location: str
    seat: int


class Tunnel(TypedDict):
    """A tunnel that a seat is about to claim (rule 4.4)."""

    seat: int
    route: str
    laid: dict[str, int]
    turned: list[str]
    extra: int


class Clock(TypedDict):
    """A game's clock; times are in seconds."""

    per_decision: NotRequired[float]
    total: NotRequired[float]
    bank: NotRequired[float]
    increment: NotRequired[float]
    on_timeout: Literal["resign", "act"]


class Origin(TypedDict):
    """The position that a fork continues from."""

    game: str
    version: int
    cards: Literal["reshuffled", "kept"]


class View(TypedDict):
    """A game as the caller may see it. The table's members appear once the game has started."""

    creator: str
    seats: list[Seat]
    visibility: NotRequired[Literal["unlisted", "private"]]
    spectators: NotRequired[bool]
    tournament: NotRequired[Place]
    pool: NotRequired[Pairing]
    created: str
    updated: str
    started: NotRequired[str]
    you: NotRequired[OwnSeat]
    invitation: NotRequired[str]
    unrated: NotRequired[str]
    id: str
    board: str
    status: Literal["lobby", "playing", "finished"]
    version: int
    rules_version: int
    deciding: list[Deciding]
    commitment: str
    seed_known: bool
    row: NotRequired[list[str]]
    deck: NotRequired[int]
    discards: NotRequired[int]
    discarded: NotRequired[dict[str, int]]
    ticket_deck: NotRequired[int]
    claims: NotRequired[list[Claim]]
    stations: NotRequired[list[Station]]
    tunnel: NotRequired[Tunnel]
    final_turns: NotRequired[int]
    clock: NotRequired[Clock]
    fork: NotRequired[Origin]
    ending: NotRequired[Literal[
        "final_turns", "all_passed", "no_progress", "one_seat_left", "aborted", "expired"]]
    seed: NotRequired[str]


class PlayersRange(TypedDict):
    """The number of players."""

    least: int
    most: int


class Offer(TypedDict):
    """The size of an offer of tickets."""

    deal: int
    keep: int
    long: NotRequired[int]
    refused: NotRequired[str]


class Location(TypedDict):
    """A location that routes connect."""

    id: str
    name: str
    lat: float
    lon: float
    district: NotRequired[int]


class Route(TypedDict):
    """A route: a railway between two locations."""

    id: str
    a: str
    b: str
    length: int
    color: str
    trains: NotRequired[int]
    twin: NotRequired[str]
    tunnel: NotRequired[bool]
    ferry: NotRequired[int]


class TicketWay(TypedDict):
    """Two locations that complete a ticket."""

    a: str
    b: str
    points: int


class Ticket(TypedDict):
    """Two locations to connect."""

    id: str
    a: str
    b: str
    points: int
    long: NotRequired[bool]
    set: NotRequired[str]
    ways: NotRequired[list[TicketWay]]


class DeclaredRule(TypedDict):
    """A rule that the board adds to the common ones."""

    number: str
    says: str


class DeclaredEvent(TypedDict):
    """The sentence of an event."""

    says: NotRequired[list[str]]
    jump: NotRequired[str]


class DeclaredAction(TypedDict):
    """The words of an action."""

    says: list[str]


class DeclaredMark(TypedDict):
    """A mark: a member that a rule adds to routes, locations or tickets."""

    says: NotRequired[str]
    sign: NotRequired[str]


class DeclaredMember(TypedDict):
    """A member that a rule adds to a view, or to its seats."""

    says: NotRequired[str]


class Declared(TypedDict):
    """Declarations of the board's rules. With them a client can show games without knowing the
    rules. They do not say how events change views: `getViews` and streams with `views=true` have
    the views themselves."""

    rules: dict[str, DeclaredRule]
    events: dict[str, DeclaredEvent]
    actions: dict[str, DeclaredAction]
    decisions: dict[str, str]
    routes: dict[str, DeclaredMark]
    locations: dict[str, DeclaredMark]
    tickets: NotRequired[dict[str, DeclaredMark]]
    view: dict[str, DeclaredMember]
    seat_view: dict[str, DeclaredMember]
    colors: list[str]
    draws: NotRequired[dict[str, int]]
    parts: list[str]


class Board(TypedDict):
    """A board's table: all its static data."""

    id: str
    name: str
    rulebook: NotRequired[str]
    digest: str
    players: PlayersRange
    trains: int
    cards: dict[str, int]
    hand: int
    points: dict[str, int]
    tickets_at_start: Offer
    tickets_on_a_turn: Offer
    doubles_closed_for: list[int]
    rules: list[str]
    tie_breaks: list[str]
    vocabulary: NotRequired[dict[str, str]]
    provenance: NotRequired[dict[str, str]]
    locations: list[Location]
    routes: list[Route]
    tickets: list[Ticket]
    declared: Declared
    longest_path_bonus: NotRequired[int]
    stations: NotRequired[int]
    globetrotter_bonus: NotRequired[int]


class Notice(TypedDict):
    """A notice for an account about one of its games, or a tournament that it takes part in or
    organises."""

    player: NotRequired[Player]
    tournament: NotRequired[str]
    change: NotRequired[Literal[
        "begun", "round", "removed", "withdrawn", "disqualified", "reinstated", "last_round",
        "ended"]]
    name: NotRequired[str]
    at: NotRequired[str]
    round: NotRequired[int]
    board: NotRequired[str]
    bye: NotRequired[bool]
    entrant: NotRequired[Player]
    reason: NotRequired[str]
    ending: NotRequired[Literal["complete", "too_few", "ended", "expired"]]
    pool: NotRequired[str]
    version: NotRequired[int]
    previous_version: NotRequired[int]
    view: NotRequired[View]
    by: NotRequired[Player]
    type: Literal[
        "paired", "started", "your_turn", "over", "invited", "declined", "lost", "tournament"]
    game: str
    cursor: NotRequired[str]
