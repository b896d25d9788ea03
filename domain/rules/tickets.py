"""Tickets: drawn, chosen from, returned, and counted at the end (2.2, 5)."""

from collections.abc import Iterable
from itertools import combinations

from domain import network
from domain.board.parts import REMOVED, Offer
from domain.errors import Refused
from domain.game.commands import Command, DrawTickets, KeepTickets
from domain.game.events import TicketsDrawn, TicketsKept, TicketsRemoved, TicketsReturned
from domain.game.state import KEEP_TICKETS, SETUP, Draft, State, put
from domain.rules import ending, settling
from domain.rules.rule import Decision, Number, Numbers, Rule
from domain.secrecy import NOBODY, Member

DRAW = DrawTickets()


def draw_tickets(draft: Draft, seat: int, _command: DrawTickets) -> None:
    """Take tickets from the top of the deck; the seat must choose before anything else (5.2)."""
    if not draft.state.ticket_deck:
        raise Refused("no-tickets-left", "5.1", "the ticket deck is empty", "type")
    offer(draft, seat, draft.state.board.tickets_on_a_turn)


def offer(draft: Draft, seat: int, offered: Offer) -> None:
    """Offer a seat tickets to choose from, fewer if the deck has fewer."""
    state = draft.state
    top = state.long_deck[: offered.long] + state.ticket_deck[: offered.deal]
    draft.emit(TicketsDrawn(seat, _ids(state, top)))


def remove(draft: Draft, tickets: tuple[int, ...]) -> None:
    """Take tickets out of the game, unseen (2.2)."""
    if tickets:
        draft.emit(TicketsRemoved(_ids(draft.state, tickets)))


def _ids(state: State, tickets: Iterable[int]) -> tuple[str, ...]:
    return tuple([state.board.tickets[t].id for t in tickets])


def keep_tickets(draft: Draft, seat: int, command: KeepTickets) -> None:
    """Keep some of the offered tickets; the rest go under the deck when all have chosen (2.2)."""
    state, board = draft.state, draft.state.board
    offered = [board.tickets[t].id for t in state.offered[seat]]
    chosen = set(command.tickets)
    if len(chosen) < len(command.tickets):
        raise Refused(
            "ticket-twice", "5.1", "a ticket is there twice; each can be kept once", "tickets"
        )
    if not chosen <= set(offered):
        raise Refused(
            "ticket-not-offered",
            "5.1",
            f"only tickets that you were offered can be kept: {', '.join(offered)}",
            "tickets",
        )
    least = keep_least(state, seat)
    if len(chosen) < least:
        raise Refused(
            "too-few-tickets",
            "2.2" if state.step == SETUP else "5.1",
            f"you have to keep {least} ticket{'s' * (least > 1)} or more",
            "tickets",
        )
    draft.emit(
        TicketsKept(
            seat,
            tuple([t for t in offered if t in chosen]),
            tuple([t for t in offered if t not in chosen]),
        )
    )
    if state.step == SETUP:
        finish_setup(draft)
    else:
        return_refused(draft)
        ending.end_turn(draft)


def keep_least(state: State, seat: int) -> int:
    """Return how many of the offered tickets a seat must keep at least (2.2, 5.1)."""
    board = state.board
    offer = board.tickets_at_start if state.step == SETUP else board.tickets_on_a_turn
    return min(offer.keep, len(state.offered[seat]))


def choices(state: State, seat: int) -> list[Command]:
    """Return every choice among the offered tickets, the fewest kept first (2.2, 5.1)."""
    offered = [state.board.tickets[t].id for t in state.offered[seat]]
    return [
        KeepTickets(kept)
        for count in range(keep_least(state, seat), len(offered) + 1)
        for kept in combinations(offered, count)
    ]


def add_draw(actions: list[Command], state: State, _seat: int) -> None:
    """Append the drawing of tickets, if any are left (5.1)."""
    if state.ticket_deck:
        actions.append(DRAW)


def finish_setup(draft: Draft) -> None:
    """Begin the first turn once every seat has chosen its tickets (2.2, 2.3)."""
    if not any(draft.state.offered):
        if draft.state.board.refused_at_start == REMOVED:
            remove(draft, _all_refused(draft.state))
        else:
            return_refused(draft)
        ending.begin_first_turn(draft)


def return_refused(draft: Draft) -> None:
    """Put all refused tickets under the deck, in seat order, each seat's as drawn (2.2, 5.1)."""
    if refused := _all_refused(draft.state):
        draft.emit(TicketsReturned(_ids(draft.state, refused)))


def _all_refused(state: State) -> tuple[int, ...]:
    return tuple([t for seat in state.refused for t in seat])


def tickets_drawn(state: State, event: TicketsDrawn) -> None:
    index = state.board.ticket_index
    drawn = tuple([index[ticket] for ticket in event.tickets])
    long = sum(ticket in state.long_deck for ticket in drawn)
    state.offered = put(state.offered, event.seat, drawn)
    state.long_deck = state.long_deck[long:]
    state.ticket_deck = state.ticket_deck[len(drawn) - long :]
    if state.step != SETUP:
        state.step, state.passes = KEEP_TICKETS, 0


def tickets_kept(state: State, event: TicketsKept) -> None:
    seat, index = event.seat, state.board.ticket_index
    kept = tuple([index[ticket] for ticket in event.kept])
    state.tickets = put(state.tickets, seat, state.tickets[seat] + kept)
    state.refused = put(state.refused, seat, tuple([index[ticket] for ticket in event.refused]))
    state.offered = put(state.offered, seat, ())
    state.last_progress = state.version


def tickets_returned(state: State, event: TicketsReturned) -> None:
    index = state.board.ticket_index
    state.ticket_deck += tuple([index[ticket] for ticket in event.tickets])
    state.refused = ((),) * len(state.refused)


def tickets_removed(state: State, event: TicketsRemoved) -> None:
    index = state.board.ticket_index
    state.unseen += tuple([index[ticket] for ticket in event.tickets])
    state.long_deck, state.refused = (), ((),) * len(state.refused)


def completed_tickets(state: State, seat: int) -> dict[int, int]:
    """Return the tickets of a seat that its routes, and those lent to it, connect, with the points
    of the best way that is connected (5.3, 6.2)."""
    lent = [link for lends in state.board.ruleset.lends for link in lends(state, seat)]
    group = network.connections([*settling.links(state, seat), *lent])
    ways = state.board.ways
    return {
        t: points for t in state.tickets[seat] for a, b, points in ways[t] if group[a] == group[b]
    }


def completed_of(state: State, seat: int) -> list[str] | None:
    """Return the ids of the tickets that a seat has completed; None without a result."""
    if not state.results:
        return None
    if not state.results[seat]["tickets_completed"]:  # which is known without a search
        return []
    return [state.board.tickets[t].id for t in completed_tickets(state, seat)]


def scores(state: State, _numbers: Numbers) -> Numbers:
    ways = state.board.ways
    completed = [completed_tickets(state, seat) for seat in state.seats]
    return {
        "tickets": [
            sum([done[t] if t in done else -ways[t][0][2] for t in kept])
            for done, kept in zip(completed, state.tickets, strict=True)
        ],
        "tickets_completed": [len(done) for done in completed],
    }


RULE = Rule(
    name="tickets",
    common=True,
    decides={DrawTickets: draw_tickets, KeepTickets: keep_tickets},
    evolves={
        TicketsDrawn: tickets_drawn,
        TicketsKept: tickets_kept,
        TicketsReturned: tickets_returned,
        TicketsRemoved: tickets_removed,
    },
    decisions={
        KEEP_TICKETS: Decision(("keep_tickets",), "5.2", "choose which tickets to keep", choices)
    },
    turn_actions=(DrawTickets,),
    add_actions=add_draw,
    numbers=(
        Number(
            "tickets",
            "Points for tickets completed less those for tickets not (5.3).",
            everywhere=True,
            least=None,
        ),
        Number(
            "tickets_completed",
            "How many tickets were completed.",
            adds=False,
            everywhere=True,
            breaks_ties=True,
        ),
    ),
    scores=scores,
    seat_view=(
        Member(
            "completed",
            NOBODY,
            tuple[str, ...],
            "Tickets completed, once the game has a result and no game of its deal is under way.",
            completed_of,
            sometimes=True,
        ),
    ),
)
