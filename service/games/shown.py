"""Answers about games. ``domain.game.view`` and the rules declare the rest of a view, of its seats
and of results."""

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict

from domain.described import Action, Page, Positive, SignedOrNull, Time, choice
from domain.entry import Entry
from domain.game.events import OfPool, Table
from domain.rules import ACTIONS, check_names
from service.games.store import GameHead

GamesPage = Page("Games", GameHead, "A page of games, newest first.", "The games.")


class Origin(TypedDict):
    """The position that a fork continues from."""

    game: Annotated[str, "The id of the original game."]
    version: Annotated[Positive, "The version of the original game."]
    cards: Annotated[
        Literal["reshuffled", "kept"],
        "Whether undrawn cards and tickets were `reshuffled` or "
        "keep their order (`kept`); then anyone who has seen the original game knows the order.",
    ]


class Revealed(TypedDict):
    """The cards and tickets of a seat at the end of the game or, with `at`, at that version."""

    hand: Annotated[Mapping[str, int], "Cards in hand."]
    tickets: Annotated[list[str], "Tickets kept."]
    offered: NotRequired[
        Annotated[list[str], "Offered tickets, if the seat had not chosen yet at that version."]
    ]


class Seat(TypedDict):
    """The public part of a seat. Once the game has started, it includes score, trains, and numbers
    of cards and tickets."""

    bank: NotRequired[
        Annotated[
            float,
            "Seconds left in the seat's bank at the start of the present decision, if the clock "
            "has a bank or a total.",
        ]
    ]


class ActionGroup(TypedDict):
    """A group of similar legal actions: each member except `type` lists its possible values. Every
    combination is a legal action: two routes and three sets of cards make six."""

    type: Annotated[str, choice(ACTIONS), "The type of all of them."]


class OwnSeat(TypedDict, total=False):
    """The private part of the caller's own seat. In the lobby it has only the seat's number."""

    legal_actions: Annotated[
        list[Action],
        "All actions that may be posted now, except `resign`; empty while the game "
        "waits for others.",
    ]
    grouped_actions: Annotated[
        list[ActionGroup], "The same actions in groups, with `legal_actions=grouped`."
    ]


class View(TypedDict):
    """A game as the caller may see it. The table's members appear once the game has started."""

    creator: Annotated[str, "The id of the account that created the game, or of the tournament."]
    seats: Annotated[list[Seat], "The seats in the order of play."]
    visibility: NotRequired[
        Annotated[Literal["unlisted", "private"], "Where the game is not public."]
    ]
    spectators: NotRequired[Annotated[bool, "`false` where those without a seat may not watch."]]
    tournament: NotRequired[
        Annotated[Table, "Where the game belongs, if it is one of a tournament."]
    ]
    pool: NotRequired[Annotated[OfPool, "Which pairing the game is of, if it is one of the pool."]]
    created: Annotated[Time, "When the game was created."]
    updated: Annotated[Time, "When the last entry was accepted."]
    started: NotRequired[Annotated[Time, "When the first tickets were dealt; missing before."]]
    you: NotRequired[Annotated[OwnSeat, "The caller's own seat; missing if they have none."]]
    invitation: NotRequired[
        Annotated[str, "The code for joining, if the game is not public; only the creator sees it."]
    ]
    unrated: NotRequired[
        Annotated[
            str,
            "Why the game will not be rated; missing if it may be. Only in the answer to "
            "`createGame`, and in all views of a game of a tournament, where it never changes.",
        ]
    ]


check_names("view", View.__annotations__)
check_names("seat_view", Seat.__annotations__)


class Entries(TypedDict):
    """A page of a game's history."""

    items: Annotated[list[Entry], "The entries, oldest first."]
    next: Annotated[
        SignedOrNull, "The `after` of the next request; null once the game is over and fully read."
    ]


class Played(TypedDict):
    """The answer to an accepted action."""

    version: Annotated[Positive, "The game's version after the action."]
    entries: Annotated[list[Entry], "The entry that stores the action."]
    view: NotRequired[
        Annotated[View, "The game after the action; left out with `Prefer: return=minimal`."]
    ]


class LegalActions(TypedDict):
    """The caller's legal actions."""

    version: Annotated[Positive, "The game's version at which they are legal."]
    items: Annotated[list[Action], "The complete list."]
    next: Annotated[SignedOrNull, "Always null: there is one page."]
