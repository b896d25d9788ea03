"""Visibility: views of a game, and the entries of its history (5.3)."""

import json
from itertools import product

import pytest

from domain.game.commands import ClaimRoute, DrawTickets, KeepTickets, LeaveSeat, Resign
from domain.game.fold import create
from domain.game.legal import grouped, legal_actions
from domain.game.state import State
from domain.game.view import redacted, view
from tests.domain.games import Game, random_game
from tests.domain.given import BLIND, BOARDS, SEED, USA, after, creation, dealt, given, take

TICKETS = ("boston--miami", "denver--el-paso", "duluth--houston", "los-angeles--miami")
ROW = "red blue green black white"


def entry_of(state: State, seat: int | None, command: object) -> dict:
    game = Game(states=[state])
    game.play(seat, command)
    return game.entries[0]


def seen(entry: dict, viewer: int | None) -> dict:
    """The first event of an entry as a viewer may see it while the game lasts."""
    return redacted(entry, viewer, finished=False)["events"][0]


def sight(state: State, viewer: int | None) -> str:
    """All that a view says."""
    return json.dumps(view(state, viewer, sealed=False))


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_a_blind_card_is_seen_by_its_owner_only(viewer):
    entry = entry_of(given(deck="yellow", turn=1), 1, BLIND)
    hidden = {"type": "card_drawn", "seat": 1, "from": "deck"}
    assert seen(entry, viewer) == hidden
    assert seen(entry, 1) == hidden | {"card": "yellow"}


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
@pytest.mark.parametrize("action", [take("red"), ClaimRoute("calgary--helena", {"red": 4})])
def test_a_card_from_the_row_with_the_next_one_and_a_claim_are_seen_by_all(viewer, action):
    entry = entry_of(given(row=ROW, deck="yellow", hands={0: {"red": 4}}), 0, action)
    assert redacted(entry, viewer, finished=False) == entry


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_the_order_of_a_shuffled_deck_is_seen_by_nobody(viewer):
    entry = entry_of(given(deck="", discards={"red": 3, "blue": 4}), 0, BLIND)
    assert seen(entry, viewer) == {"type": "deck_shuffled", "cards_count": 7}


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_5_3_tickets_drawn_are_counted_for_all_but_their_owner(viewer):
    entry = entry_of(given(turn=1, ticket_deck=TICKETS), 1, DrawTickets())
    assert seen(entry, viewer) == {"type": "tickets_drawn", "seat": 1, "tickets_count": 3}
    assert seen(entry, 1)["tickets"] == list(TICKETS[:3])


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_5_3_a_choice_of_tickets_is_counted_for_all_but_its_owner(viewer):
    state = after(given(turn=1, ticket_deck=TICKETS), (1, DrawTickets()))
    entry = entry_of(state, 1, KeepTickets(TICKETS[:1]))
    returned = {"type": "tickets_returned", "tickets_count": 2}
    shown = redacted(entry, viewer, finished=False)
    assert shown["action"] == {"type": "keep_tickets", "tickets_count": 1}
    assert shown["events"][:2] == [
        {"type": "tickets_kept", "seat": 1, "kept_count": 1, "refused_count": 2},
        returned,
    ]
    shown = redacted(entry, 1, finished=False)
    assert shown["action"] == entry["action"]
    assert shown["events"][:2] == [entry["events"][0], returned]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_5_3_the_tickets_of_a_seat_that_left_are_seen_by_nobody(viewer):
    state = given(hands={1: {"red": 1}}, tickets={1: TICKETS[:2]})
    assert seen(entry_of(state, 1, Resign()), viewer) == {
        "type": "resigned",
        "seat": 1,
        "reason": "resigned",
        "cards": {"red": 1},
        "tickets_count": 2,
    }


@pytest.mark.parametrize("seed_known", [True, False])
def test_a_view_tells_whether_the_creator_may_know_the_seed(seed_known):
    assert view(dealt(2, seed_known=seed_known), 0, sealed=False)["seed_known"] is seed_known


def test_salt_and_command_id_are_hidden_while_the_game_lasts_and_the_entry_stays_as_it_was():
    entry = entry_of(given(deck="red"), 0, BLIND) | {"salt": "s", "command": "c", "hash": "h"}
    copy = json.loads(json.dumps(entry))
    assert not {"salt", "command"} & redacted(entry, 0, finished=False).keys()
    assert redacted(entry, 1, finished=False)["hash"] == "h"
    assert entry == copy
    assert redacted(entry, 1, finished=True) == entry


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_of_a_note_others_do_not_even_see_that_there_is_one_while_the_game_lasts(viewer):
    bare = entry_of(given(deck="red"), 0, BLIND)
    noted = bare | {"note": "red would be nice"}
    assert redacted(noted, viewer, finished=False) == redacted(bare, viewer, finished=False)
    assert redacted(noted, 0, finished=False)["note"] == "red would be nice"
    assert redacted(noted, viewer, finished=True) == noted


def test_a_view_shows_a_seat_its_own_hand_tickets_and_actions():
    hand = {"red": 2, "wild": 1}
    state = given(hands={0: hand}, tickets={0: TICKETS[:2]})
    you = view(state, 0, sealed=False)["you"]
    assert (you["seat"], you["hand"], you["tickets"]) == (0, hand, list(TICKETS[:2]))
    assert BLIND.json in you["legal_actions"]
    assert "offered" not in you
    assert "legal_actions" not in view(state, 0, sealed=False, listed="false")["you"]
    assert view(state, 1, sealed=False)["you"]["legal_actions"] == []


def test_5_3_a_view_shows_offered_tickets_to_their_seat_only():
    state = after(given(ticket_deck=TICKETS), (0, DrawTickets()))
    assert view(state, 0, sealed=False)["you"]["offered"] == list(TICKETS[:3])
    assert "offered" not in view(state, 1, sealed=False)["you"]
    assert not any(ticket in sight(state, None) for ticket in TICKETS)


def test_5_3_a_view_counts_the_hands_and_tickets_of_others():
    state = given(hands={1: {"red": 3, "wild": 1}}, tickets={1: TICKETS[:2]})
    shown = view(state, 0, sealed=False)["seats"][1]
    assert shown == {
        "seat": 1,
        "player": {"id": "p1", "name": "Player 1"},
        "score": 0,
        "trains": 45,
        "cards": 4,
        "tickets": 2,
        "taken": {},
    }


def test_a_view_shows_what_lies_on_the_table():
    state = given(
        row=ROW,
        deck="red red",
        discards={"blue": 3},
        ticket_deck=TICKETS,
        routes={1: ["calgary--helena"]},
        final=(0, 2),
    )
    shown = view(state, None, sealed=False)
    assert shown["row"] == tuple(ROW.split())
    assert (shown["deck"], shown["discards"], shown["ticket_deck"]) == (2, 3, 4)
    assert shown["claims"] == [{"route": "calgary--helena", "seat": 1}]
    assert shown["final_turns"] == 2
    assert shown["deciding"] == [{"seat": 0, "decision": "turn"}]
    assert shown["seats"][1]["score"] == 7
    assert "final_turns" not in view(given(), None, sealed=False)
    assert "you" not in shown


def test_a_view_says_why_a_seat_left():
    seats = view(after(given(), (1, Resign())), 0, sealed=False)["seats"]
    assert ["left" in seat for seat in seats] == [False, True, False]
    assert seats[1]["left"] == "resigned"


def test_a_lobby_shows_who_sits_where_and_no_more():
    lobby = create(USA, creation(3, open_seats=1))
    lobby = after(lobby, (0, LeaveSeat()))
    shown = view(lobby, 1, sealed=False)
    assert shown["status"] == "lobby"
    assert ["player" in seat for seat in shown["seats"]] == [False, True, False]
    assert shown["you"] == {"seat": 1}
    assert "row" not in shown
    assert SEED.hex() not in sight(lobby, 1)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_5_3_once_the_game_is_over_everybody_sees_everything(viewer):
    state = given(
        2, final=(0,), hands={1: {"red": 1}}, tickets={1: TICKETS[:2]}, row=ROW, step="second_card"
    )
    entry = entry_of(state, 0, BLIND)
    shown = view(after(state, (0, BLIND)), viewer, sealed=False)
    assert redacted(entry, viewer, finished=True) == entry
    assert shown["seats"][1]["revealed"] == {"hand": {"red": 1}, "tickets": list(TICKETS[:2])}
    assert shown["seats"][1]["result"]["total"] == -12 - 4
    assert (shown["seed"], shown["ending"]) == (SEED.hex(), "final_turns")
    assert shown["deciding"] == []


@pytest.mark.parametrize("board", BOARDS)
def test_9_4_the_groups_of_legal_actions_are_these_and_no_others(board):
    game = random_game(2, 5, claiming=0.3, board=BOARDS[board])
    for state in game.states[::7]:
        for seat in state.seats:
            actions = legal_actions(state, seat)
            whole = [json.dumps(action.json, sort_keys=True) for action in actions]
            stood_for = [
                json.dumps(
                    {"type": group["type"], **dict(zip(names, chosen, strict=True))}, sort_keys=True
                )
                for group in grouped(actions)
                for names in [[name for name in group if name != "type"]]
                for chosen in product(*[group[name] for name in names])
            ]
            assert sorted(stood_for) == sorted(whole)
            routes = [
                route
                for group in grouped(actions)
                for route in group.get("route", ())
                if "keep_for_flag" not in group
            ]
            assert len(routes) == len(set(routes))
