"""The record of a game from an observation."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.board.board import Board
from fogg_simulator.arrays import FINISHED, KEEP_TICKETS, NONE, SETUP, TUNNEL
from fogg_simulator.layout import layout, size_of
from fogg_simulator.limits import most_offered
from fogg_simulator.tables import MAX_EXTRA

Parts = dict[str, NDArray[np.int64]]


def fill(game: Any, board: Board, chart: Any, observation: NDArray[np.int16]) -> None:
    """Turn a record of zeros into a game that fits an observation; its observer is to act.
    ``chart`` is the board's record. Hidden cards and tickets are dealt in a fixed order;
    ``determinize`` then shuffles them. Raise ValueError if there is no such game. Call ``check``
    before.

    While first tickets are chosen, seats before the observer count as having kept as few as they
    may, because seats choose in their order here."""
    seats = int(chart["seats"])
    parts = {name: observation[at].astype(np.int64) for name, at in layout(board, seats).items()}
    try:
        _fill(game, board, chart, parts)
    except (IndexError, ValueError) as error:  # more cards, say, than there are
        raise ValueError("this is no observation of a game of this board") from error


def largest(board: Board, chart: Any) -> NDArray[np.int16]:
    seats, counts, tickets = int(chart["seats"]), chart["count"], len(board.tickets)
    cards = counts.sum()
    by_kind = {
        "step": FINISHED - 1,
        "number": seats - 1,
        "turn": seats - 1,
        "passes": seats,
        "final_turns": seats,
        "deck": cards,
        "ticket_deck": tickets,
        "tunnel": len(board.routes),
        "extra": MAX_EXTRA,
        "held": 1,
        "offer": tickets,
        "routes": seats,
        "stations": max(seats, chart["stations"]),
        "trains": board.trains,
        "points": np.iinfo(np.int16).max,
        "cards": cards,
        "tickets": tickets,
        "offered": most_offered(board),
        "left": 1,
        "flag": 1,
    }
    places = layout(board, seats)
    values = np.full(size_of(places), counts.max(), np.int16)
    for name, at in places.items():
        if (kind := name.partition(": ")[2] or name) in by_kind:
            values[at] = by_kind[kind]
    return values


def check(
    observation: NDArray[np.int16], most: NDArray[np.int16], places: dict[str, slice]
) -> None:
    """Raise ValueError if these are not the numbers of an observation, or one is not from 0 to
    ``most``."""
    if observation.shape != most.shape or observation.dtype.kind != "i":
        raise ValueError(
            f"an observation of this board and number of seats is {most.size} whole numbers"
        )
    wrong = (observation < 0) | (observation > most)
    wrong[places["turn"]] &= observation[places["turn"]] != -1
    if wrong.any():
        name = next(name for name, at in places.items() if wrong[at].any())
        raise ValueError(f"{name} is {observation[places[name]].tolist()} in this observation")
    [step] = observation[places["step"]]
    if step == TUNNEL and not observation[places["tunnel"]]:
        raise ValueError("this observation of a tunnel does not say which")
    if step in (SETUP, KEEP_TICKETS) and not observation[places["offer"]].any():
        raise ValueError("this observation of offered tickets does not say which")


def _fill(game: Any, board: Board, chart: Any, parts: Parts) -> None:
    seats, me = int(chart["seats"]), int(parts["number"][0])
    game["inner"], game["outer"] = 1, 2  # until a seed is used
    game["owner"] = game["holder"] = NONE
    game["step"], game["passes"] = parts["step"][0], parts["passes"][0]
    game["turn"] = NONE if game["step"] == SETUP else me
    _fill_seats(game, seats, me, parts)
    _fill_map(game, board, chart, me, parts)
    _fill_tunnel(game, me, parts)
    _deal_cards(game, board, chart, me, parts)
    _deal_tickets(game, board, chart, me, parts)


def _of_seat(parts: Parts, name: str, place: int) -> NDArray[np.int64]:
    """Return the part of an observation about the seat so many places after the observer."""
    return parts[f"seat {place}: {name}"]


def _fill_seats(game: Any, seats: int, me: int, parts: Parts) -> None:
    for place in range(seats):
        seat = (me + place) % seats
        for name in ("trains", "points", "left"):
            game[name][seat] = _of_seat(parts, name, place)[0]
        for name in ("taken", "flag"):
            values = _of_seat(parts, name, place)
            game[name][seat, : values.size] = values
    game["leavers"] = game["left"].sum()
    game["left"] *= game["left"].cumsum()  # they left in some order
    game["first_seat"] = game["left"][:seats].argmin()
    game["finals"] = parts["final_turns"][0] or NONE
    after = [seat % seats for seat in range(me, me + seats) if not game["left"][seat % seats]]
    game["final"][: len(after)] = after


def _fill_map(game: Any, board: Board, chart: Any, me: int, parts: Parts) -> None:
    seats = int(chart["seats"])
    routes = parts["routes"]
    game["owner"][: routes.size] = np.where(routes > 0, (me + routes - 1) % seats, NONE)
    for location in np.flatnonzero(parts["stations"]):
        seat = (me + parts["stations"][location] - 1) % seats
        game["stations"][seat, game["built"][seat]] = location
        game["built"][seat] += 1
    for seat in range(seats):
        routes = chart["points"][game["owner"] == seat]
        game["flag_points"][seat] = game["points"][seat] - routes.sum()


def _fill_tunnel(game: Any, me: int, parts: Parts) -> None:
    game["tunnel_route"], game["extra"] = parts["tunnel"][0] - 1, parts["extra"][0]
    laid, turned = parts["laid"], np.repeat(np.arange(parts["turned"].size), parts["turned"])
    game["tunnel_color"] = laid[:-1].argmax() if laid[:-1].any() else laid.size - 1
    game["tunnel_wilds"] = laid[-1]
    game["turned"][: turned.size], game["turned_count"] = turned, turned.size
    game["taken_before"] = game["taken"][me]


def _deal_cards(game: Any, board: Board, chart: Any, me: int, parts: Parts) -> None:
    """Deal the cards that the observer cannot see to the other hands, and then to the deck."""
    seats, colors = int(chart["seats"]), len(board.colors)
    row = np.repeat(np.arange(colors), parts["row"])
    game["row"][: row.size], game["row_count"] = row, row.size
    game["discards"][:colors] = parts["discards"]
    game["hands"] = game["taken"]
    game["hands"][me, :colors] = parts["hand"]
    unseen = chart["count"][:colors] - game["hands"].sum(axis=0)[:colors]
    for name in ("row", "discards", "laid", "turned"):
        unseen -= parts[name]
    for flag in game["flag"]:
        unseen[chart["flag_color"][flag > 0]] -= 1
    cards = np.repeat(np.arange(colors), unseen).tolist()
    for place in range(1, seats):
        hand = game["hands"][(me + place) % seats]
        for _ in range(int(_of_seat(parts, "cards", place)[0] - hand.sum())):
            hand[cards.pop()] += 1
    deck = cards[: parts["deck"][0]]
    game["deck"][: len(deck)], game["deck_end"] = deck, len(deck)


def _deal_tickets(game: Any, board: Board, chart: Any, me: int, parts: Parts) -> None:
    """Deal the tickets that the observer does not have: those that others are offered, have just
    refused and keep, and then to the deck."""
    seats, long = int(chart["seats"]), int(chart["start_long"])
    held, offer = parts["held"] > 0, parts["offer"][parts["offer"] > 0] - 1
    game["holder"][: held.size][held] = me
    game["offered"][me, : offer.size], game["offered_count"][me] = offer, offer.size
    held[offer] = True
    pools: tuple[list[int], list[int]] = ([], [])  # plain tickets, long ones
    for ticket in np.flatnonzero(~held):
        pools[chart["ticket_long"][ticket]].append(int(ticket))
    for place in range(1, seats):
        seat = (me + place) % seats
        if game["left"][seat]:
            continue
        is_to_choose = game["step"] == SETUP and _of_seat(parts, "offered", place)[0] > 0
        kept = int(_of_seat(parts, "tickets", place)[0])
        if is_to_choose and seat < me:
            kept = int(chart["start_keep"])
        for _ in range(kept):
            game["holder"][(pools[0] or pools[1]).pop()] = seat
        if game["step"] == SETUP:
            name = "offered" if is_to_choose and seat > me else "refused"
            count = long + int(chart["start_deal"]) - kept
            for i in range(count):
                game[name][seat, i] = (pools[i < long] or pools[i >= long]).pop()
            game[f"{name}_count"][seat] = count
    deck = [*pools[0], *pools[1]][: parts["ticket_deck"][0]]
    game["ticket_deck"][: len(deck)], game["ticket_count"] = deck, len(deck)
