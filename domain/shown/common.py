"""Words for the common rules."""

from domain.game.events import (
    CardDrawn,
    DeckShuffled,
    FinalTurnsBegan,
    GameAborted,
    GameCreated,
    GameEnded,
    GameForked,
    GameStarted,
    InvitationClosed,
    OpenSeatsClosed,
    Passed,
    PlayerInvited,
    Resigned,
    RouteClaimed,
    RowDiscarded,
    SeatLeft,
    SeatTaken,
    TicketsDrawn,
    TicketsKept,
)
from domain.rules import (
    deck,
    ending,
    forking,
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
            GameCreated: "A game on the board {board}, for {seats}",
            SeatTaken: "{player} sits down",
            SeatLeft: "{seat} stands up",
            PlayerInvited: "{player} is invited",
            InvitationClosed: (
                "reason=expired? The invitation of {player} has expired",
                "reason=withdrawn? The invitation of {player} was withdrawn",
                "{player} declines"),
            OpenSeatsClosed: "Open seats were removed",
            GameAborted: ("reason=expired? Aborted: it waited too long for players",
                          "The game is aborted"),
        },
    ),
    Shown(
        rule=forking.RULE,
        events={GameForked: "It goes on from entry {version} of another game"},
    ),
    Shown(
        rule=setup.RULE,
        events={GameStarted: "The game begins; {first_seat:seat} is to play first"},
    ),
    Shown(
        rule=deck.RULE,
        events={
            CardDrawn: ("from=row? {seat} takes {card} from the row",
                        "card? {seat} draws {card} from the deck",
                        "{seat} draws a card from the deck"),
            RowDiscarded: "Too many wilds lie face up: the row is replaced",
            DeckShuffled: "The discards are shuffled into a new deck",
        },
    ),
    Shown(
        rule=settling.RULE,
        events={RouteClaimed:
                "{seat} claims {route} with {cards}[ and {trains train}]: {points point}"},
        jumps={RouteClaimed: "claims"},
    ),
    Shown(
        rule=tickets.RULE,
        events={
            TicketsDrawn: "{seat} draws {tickets ticket}",
            TicketsKept: "{seat} keeps {kept:number} of {kept+refused ticket}[: {kept:route}]",
        },
        jumps={TicketsKept: "tickets"},
    ),
    Shown(
        rule=longest_path.RULE,
        number="7.2",
        says="Whoever has the longest path at the end gets {longest_path_bonus point}, and so does "
             "everybody who is tied for it.",
    ),
    Shown(
        rule=ending.RULE,
        events={
            FinalTurnsBegan: "The end is near, one more turn each: {seats:seat}",
            Passed: "{seat} can do nothing, and passes",
            GameEnded: ("reason=all_passed? The game is over: nobody can do anything",
                        "reason=one_seat_left? The game is over: all others have left",
                        "The game is over"),
        },
    ),
    Shown(
        rule=leaving.RULE,
        events={Resigned: ("reason=time? {seat} has run out of time, and is out",
                           "{seat} resigns")},
    ),
)
