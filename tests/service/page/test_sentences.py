"""The page reads what rules declare as the other programs do."""

from collections.abc import Iterable

import orjson
import pytest

from domain.boards import load_folder
from domain.game.legal import grouped, legal_actions
from domain.sentences import merged, plain_readers, sentence
from tests.domain.games import random_game
from tests.outside import BOARDS as OUTSIDE
from tests.outside.shares.play import SHARE
from tests.service.page.nodejs import output_of

BOARDS = load_folder() | OUTSIDE


def read(lines: Iterable[dict]) -> list:
    """The page's sentences for these lines."""
    return [*map(orjson.loads, output_of("sentences.mjs", lines=lines).splitlines())]


@pytest.mark.parametrize("board", BOARDS)
def test_every_event_and_every_mark_of_a_board_has_the_same_words_in_both_languages(board):
    declared = BOARDS[board].described["declared"]
    game = random_game(BOARDS[board].players[0], 1, board=BOARDS[board], leaving=0.01)
    events = [event for entry in game.entries for event in entry["events"]]
    hidden = [
        {"type": "tickets_kept", "seat": 1, "kept_count": 2, "refused_count": 1},
        {"type": "card_drawn", "seat": 1, "from": "deck"},
    ]
    said = [
        (declared["events"][event["type"]]["says"], event)
        for event in [*events, *hidden]
        if "says" in declared["events"].get(event["type"], {})
    ]
    said += [
        (mark["says"], record)
        for where in ("routes", "locations")
        for record in BOARDS[board].described[where]
        for name, mark in declared[where].items()
        if record.get(name)
    ]
    said += [(rule["says"], BOARDS[board].described) for rule in declared["rules"].values()]
    words = [sentence(says, value, plain_readers()) for says, value in said]
    assert read({"says": says, "value": value} for says, value in said) == words
    assert all(words)
    assert not [line for line in words if "{" in line or "[" in line]


def test_cards_that_are_turned_one_after_the_other_share_one_sentence():
    game = random_game(3, 2, board=BOARDS["europe"])
    entries = [
        entry["events"]
        for entry in game.entries
        if any(event["type"] == "tunnel_card_turned" for event in entry["events"])
    ]
    assert read({"events": events} for events in entries) == [merged(e) for e in entries]
    assert {
        len([event for event in merged(events) if event["type"] == "tunnel_card_turned"])
        for events in entries
    } == {1}


def test_the_page_offers_each_action_for_which_a_rule_declares_words_and_no_other():
    board = OUTSIDE["shares"]
    states = random_game(3, 1, board=board).states
    held = [state for state in states if state.step == SHARE and state.status == "playing"]
    others = [state for state in states if state.step != SHARE and state.status == "playing"][:9]
    legal = [legal_actions(state, state.turn) for state in (*held, *others)]
    offered = read({"board": board.described, "groups": grouped(actions)} for actions in legal)
    assert held
    assert offered == [[action.json for action in actions] for actions in legal[: len(held)]] + [
        [] for _ in others
    ]
