"""The only place that knows what is secret.

``view`` is a state as a viewer may see it, ``redacted`` a stored entry as a viewer may see it. A
viewer is a seat, or None for anybody else. Once a game is over there are no secrets. What is
hidden is left out; where its amount is public a member ``<name>_count`` stands for it. A game is
``sealed`` for as long as others play the same deal: though it is over, its secrets are kept.

Hidden from everyone until the end: the seed, the order of the decks, which tickets were refused,
left behind or went under the deck. Hidden from all but their owner: hands, tickets, blind draws.
"""

from __future__ import annotations

from domain.game.legal import legal_actions
from domain.game.state import FINISHED, PLAYING, State

# event or action type -> its secret members, which only the seat that acts may see
OWN = {
    "hand_dealt": ("cards",),
    "tickets_drawn": ("tickets",),
    "tickets_kept": ("kept", "refused"),
    "keep_tickets": ("tickets",),
}
# and those that nobody may see
NOBODYS = {
    "game_created": ("seed",),
    "game_forked": ("position",),
    "undrawn_shuffled": ("cards", "tickets", "long_tickets"),
    "deck_shuffled": ("cards",),
    "tickets_shuffled": ("tickets",),
    "tickets_returned": ("tickets",),
    "tickets_removed": ("tickets",),
    "resigned": ("tickets",),
}


def view(
    state: State, viewer: int | None, *, with_legal_actions: bool = True, sealed: bool = False
) -> dict:
    """Return the game as the viewer may see it, as the API's view object."""
    shown = {
        "id": state.id,
        "board": state.board.id,
        "status": state.status,
        "version": state.version,
        "rules_version": state.rules_version,
        "creator": state.creator,
        "seats": [_seat(state, seat, sealed) for seat in state.seats],
        "deciding": [{"seat": seat, "decision": d} for seat, d in state.deciding()],
        "commitment": state.commitment,
        "seed_known": state.seed_known,
    }
    if state.was_begun:
        shown |= _table(state)
    if state.clock:
        shown["clock"] = state.clock.as_json()
    if state.visibility != "public":
        shown["visibility"] = state.visibility
    if not state.spectators:
        shown["spectators"] = False
    if fork := state.fork:
        shown["fork"] = {"game": fork.origin, "version": fork.version, "cards": fork.cards}
    if tournament := state.tournament:
        shown["tournament"] = {name: tournament[name] for name in ("id", "round", "table")}
    if state.status == FINISHED:
        shown["ending"] = state.ending
        if not sealed:
            shown["seed"] = state.seed
    if viewer is not None:
        shown["you"] = _you(state, viewer, with_legal_actions)
    return shown


def _seat(state: State, seat: int, sealed: bool) -> dict:
    """Return what anybody may see of a seat."""
    player = state.players[seat]
    shown: dict = {"seat": seat}
    if player:
        shown["player"] = player.as_json()
    if not state.was_begun:
        return shown
    shown |= {
        "score": state.points[seat],
        "trains": state.trains[seat],
        "cards": sum(state.hands[seat]),
        "tickets": len(state.tickets[seat]),
    }
    if state.board.stations:
        shown["stations"] = state.stations_left(seat)
    if "flags" in state.board.rules:
        shown["flag"] = state.board.names(state.flags[seat])
    if state.left[seat]:
        shown["left"] = state.left[seat]
    if state.status == FINISHED and state.results:
        shown["result"] = state.results[seat]
    if state.status == FINISHED and not sealed:
        tickets = state.board.tickets
        shown["revealed"] = {
            "hand": state.board.as_set(state.hands[seat]),
            "tickets": [tickets[t].id for t in state.tickets[seat] + state.removed[seat]],
        }
    return shown


def _table(state: State) -> dict:
    """Return what lies on the table for all to see."""
    board = state.board
    shown = {
        "row": board.names(state.row),
        "deck": len(state.deck),
        "discards": sum(state.discards),
        "ticket_deck": len(state.ticket_deck),
        "claims": [
            {"route": board.routes[route].id, "seat": seat}
            for seat in state.seats
            for route in state.routes[seat]
        ],
    }
    if board.stations:
        shown["stations"] = [
            {"location": board.locations[place].id, "seat": seat}
            for seat in state.seats
            for place in state.stations[seat]
        ]
    if tunnel := state.tunnel:
        shown["tunnel"] = {
            "seat": state.turn,
            "route": board.routes[tunnel.route].id,
            "laid": board.as_set(tunnel.laid),
            "turned": board.names(tunnel.turned),
            "extra": tunnel.extra,
        }
    if state.final is not None:
        shown["final_turns"] = len(state.final)
    return shown


def _you(state: State, seat: int, with_legal_actions: bool) -> dict:
    """Return what only the seat itself may see."""
    shown: dict = {"seat": seat}
    if not state.was_begun:
        return shown
    tickets = state.board.tickets
    shown |= {
        "hand": state.board.as_set(state.hands[seat]),
        "tickets": [tickets[t].id for t in state.tickets[seat]],
    }
    if state.offered[seat] and state.status == PLAYING:
        shown["offered"] = [tickets[t].id for t in state.offered[seat]]
    if with_legal_actions and state.status == PLAYING:
        shown["legal_actions"] = [action.json for action in legal_actions(state, seat)]
    return shown


def redacted(entry: dict, viewer: int | None, finished: bool) -> dict:
    """Return a stored entry as the viewer may see it; whole once the game is finished.

    The salt keeps the entry's hash from betraying a guess, so it is a secret too.
    """
    if finished:
        return entry
    shown = {name: v for name, v in entry.items() if name not in ("salt", "command")}
    shown["events"] = [_redacted(event, viewer, event.get("seat")) for event in entry["events"]]
    if "action" in entry:
        shown["action"] = _redacted(entry["action"], viewer, entry.get("seat"))
    return shown


def _redacted(value: dict, viewer: int | None, seat: int | None) -> dict:
    kind = value["type"]
    hidden = NOBODYS.get(kind, ())
    if viewer is None or viewer != seat:
        hidden += OWN.get(kind, ())
        if kind == "card_drawn" and value["from"] == "deck":
            hidden += ("card",)
    if not hidden:
        return value
    shown = {name: v for name, v in value.items() if name not in hidden}
    for name in hidden:
        if isinstance(value.get(name), list | tuple):
            shown[f"{name}_count"] = len(value[name])
    return shown
