"""The rules that are shown by words alone."""

from domain.game import events
from domain.rules import (
    deck,
    ending,
    forking,
    globetrotter,
    leaving,
    lobby,
    longest_path,
    settling,
    setup,
    tickets,
)
from domain.shown.shown import Shown

SHOWN = (
    Shown(
        rule=lobby.RULE,
        events={
            events.GameCreated: "A game on the board {board}, for {seats}",
            events.SeatTaken: "{player} sits down",
            events.SeatLeft: "{seat} stands up",
            events.PlayerInvited: "{player} is invited",
            events.InvitationClosed: (
                "reason=expired? The invitation of {player} has expired",
                "reason=withdrawn? The invitation of {player} was withdrawn",
                "{player} declines",
            ),
            events.OpenSeatsClosed: "Open seats were removed",
            events.GameAborted: (
                "reason=expired? Aborted: it waited too long for players",
                "The game is aborted",
            ),
        },
    ),
    Shown(
        rule=forking.RULE,
        events={events.GameForked: "It goes on from entry {version} of another game"},
    ),
    Shown(
        rule=setup.RULE,
        events={events.GameStarted: "The game begins; {first_seat:seat} is to play first"},
    ),
    Shown(
        rule=deck.RULE,
        events={
            events.CardDrawn: (
                "from=row? {seat} takes {card} from the row",
                "card? {seat} draws {card} from the deck",
                "{seat} draws a card from the deck",
            ),
            events.RowDiscarded: "Too many wilds lie face up: the row is replaced",
            events.DeckShuffled: "The discards are shuffled into a new deck",
        },
    ),
    Shown(
        rule=settling.RULE,
        jumps={events.RouteClaimed: "claims"},
        events={
            events.RouteClaimed: "{seat} claims {route} with {cards}[ and {trains train}]: "
            "{points point}"
        },
    ),
    Shown(
        rule=tickets.RULE,
        jumps={events.TicketsKept: "tickets"},
        events={
            events.TicketsDrawn: "{seat} draws {tickets ticket}",
            events.TicketsKept: "{seat} keeps {kept:number} of {kept+refused ticket}"
            "[: {kept:route}]",
        },
    ),
    Shown(
        rule=longest_path.RULE,
        number="7.2",
        says=(
            "Whoever has the longest path at the end gets {longest_path_bonus point}, and so does "
            "everybody who is tied for it."
        ),
    ),
    Shown(
        rule=globetrotter.RULE,
        number="7.5",
        says=("Whoever has completed the most tickets gets {globetrotter_bonus point}."),
    ),
    Shown(
        rule=ending.RULE,
        events={
            events.FinalTurnsBegan: "The end is near, one more turn each: {seats:seat}",
            events.Passed: "{seat} can do nothing, and passes",
            events.GameEnded: (
                "reason=all_passed? The game is over: nobody can do anything",
                "reason=no_progress? The game is over: nobody has made progress for a long time",
                "reason=one_seat_left? The game is over: all others have left",
                "The game is over",
            ),
        },
    ),
    Shown(
        rule=leaving.RULE,
        events={
            events.Resigned: (
                "reason=time? {seat} has run out of time, and is out",
                "{seat} resigns",
            ),
        },
    ),
)
