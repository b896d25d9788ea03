"""Rules 3.1 to 3.7."""

from collections import Counter

import pytest

from domain.chance import Chance
from domain.game.commands import ClaimRoute, DrawCard, DrawTickets, Pass, Resign
from domain.game.events import CardDrawn, CardTurned, DeckShuffled, RowDiscarded, TurnBegan
from domain.game.fold import decide
from domain.game.state import SECOND_CARD
from tests.domain.given import (
    BLIND,
    SEED,
    USA,
    after,
    deck_of,
    discards_of,
    given,
    hand_of,
    happened,
    listed,
    refusal,
    row_of,
    take,
)

ROW = "red blue green black white"


def test_3_1_a_blind_card_comes_from_the_top_of_the_deck():
    state = given(row=ROW, deck="yellow orange", hands={0: {}})
    assert decide(state, 0, BLIND) == [CardDrawn(0, "deck", "yellow")]
    state = after(state, (0, BLIND))
    assert (hand_of(state, 0), deck_of(state), row_of(state)) == ({"yellow": 1}, "orange", ROW)


def test_3_1_a_face_up_card_is_replaced_at_its_place_at_once():
    state = given(row=ROW, deck="yellow orange", hands={0: {}})
    assert decide(state, 0, take("green")) == [
        CardDrawn(0, "row", "green", place=2), CardTurned(2, "yellow"),
    ]
    state = after(state, (0, take("green")))
    assert row_of(state) == "red blue yellow black white"
    assert (hand_of(state, 0), deck_of(state)) == ({"green": 1}, "orange")


@pytest.mark.parametrize("first", [BLIND, take("red")])
@pytest.mark.parametrize("second", [BLIND, take("blue")])
def test_3_1_a_turn_is_two_cards_from_anywhere(first, second):
    state = given(row=ROW, deck="yellow orange purple", hands={0: {}})
    state = after(state, (0, first))
    assert state.deciding() == [(0, "second_card")]
    state = after(state, (0, second))
    assert state.deciding() == [(1, "turn")]
    assert sum(state.hands[0]) == 2


def test_3_1_the_card_that_replaced_the_first_may_be_the_second():
    state = given(row=ROW, deck="yellow orange", hands={0: {}})
    state = after(state, (0, take("red")), (0, take("yellow")))
    assert hand_of(state, 0) == {"red": 1, "yellow": 1}


def test_3_1_nothing_but_a_card_may_follow_the_first_card():
    state = given(row=ROW, hands={0: {"red": 4}})
    state = after(state, (0, BLIND))
    for action in (DrawTickets(), ClaimRoute("dallas--el-paso", {"red": 4}), Pass()):
        assert refusal(state, 0, action) == ("3.1", "wrong-decision")


def test_3_1_a_colour_that_does_not_lie_face_up_is_refused():
    assert refusal(given(row=ROW), 0, take("yellow")) == ("3.1", "not-in-row")


@pytest.mark.parametrize(("draw", "code"), [
    (DrawCard("row"), "unknown-card"),
    (DrawCard("row", "pink"), "unknown-card"),
    (DrawCard("deck", "red"), "blind-draw"),
    (DrawCard("hand", "red"), "unknown-source"),
])
def test_3_1_a_draw_says_where_from_and_which_card_if_it_can_be_seen(draw, code):
    assert refusal(given(row=ROW), 0, draw) == ("3.1", code)


def test_3_1_a_colour_that_lies_there_twice_is_listed_once():
    state = given(row="red blue red blue red", deck="yellow")
    assert listed(state, 0, DrawCard) == [BLIND, take("red"), take("blue")]


def test_3_2_a_face_up_wild_taken_first_is_the_whole_turn():
    state = given(row="red wild green black white", deck="yellow orange", hands={0: {}})
    state = after(state, (0, take("wild")))
    assert hand_of(state, 0) == {"wild": 1}
    assert row_of(state) == "red yellow green black white"
    assert state.deciding() == [(1, "turn")]


@pytest.mark.parametrize("first", [BLIND, take("red")])
def test_3_2_a_face_up_wild_cannot_be_the_second_card(first):
    state = after(given(row="red wild green black white", deck="yellow orange"), (0, first))
    assert refusal(state, 0, take("wild")) == ("3.2", "wild-not-second")
    assert take("wild") not in listed(state, 0, DrawCard)


def test_3_2_a_wild_that_has_just_replaced_the_first_card_cannot_be_the_second():
    state = after(given(row=ROW, deck="wild orange"), (0, take("red")))
    assert row_of(state) == "wild blue green black white"
    assert refusal(state, 0, take("wild")) == ("3.2", "wild-not-second")


def test_3_2_a_wild_drawn_blind_counts_as_any_card():
    state = given(row=ROW, deck="wild wild orange", hands={0: {}})
    state = after(state, (0, BLIND))
    assert state.deciding() == [(0, "second_card")]
    state = after(state, (0, BLIND))
    assert hand_of(state, 0) == {"wild": 2}
    assert state.deciding() == [(1, "turn")]


def test_3_3_the_deck_is_rebuilt_only_when_the_next_card_is_needed():
    state = given(row=ROW, deck="yellow", discards={"purple": 2, "wild": 1})
    assert happened(state, 0, BLIND, DeckShuffled) == []
    state = after(state, (0, BLIND))
    assert (deck_of(state), discards_of(state)) == ("", {"purple": 2, "wild": 1})
    shuffled, drawn, _ = decide(state, 0, BLIND)
    assert Counter(shuffled.cards) == {"purple": 2, "wild": 1}
    assert drawn == CardDrawn(0, "deck", shuffled.cards[0])
    state = after(state, (0, BLIND))
    assert deck_of(state).split() == list(shuffled.cards[1:])
    assert discards_of(state) == {}


def test_3_3_the_deck_is_rebuilt_in_mid_draw_to_replace_a_face_up_card():
    state = given(row=ROW, deck="", discards={"purple": 9})
    drawn, shuffled, turned = decide(state, 0, take("white"))
    assert drawn == CardDrawn(0, "row", "white", place=4)
    assert shuffled == DeckShuffled(("purple",) * 9)
    assert turned == CardTurned(4, "purple")


def test_3_3_each_shuffle_has_an_order_of_its_own_from_the_seed():
    discards = {"red": 4, "blue": 4, "wild": 4}
    state = given(seats=2, row=ROW, deck="", discards=discards, shuffles=6)
    [shuffled] = happened(state, 0, BLIND, DeckShuffled)
    order = Chance(SEED, ["", ""]).shuffled("cards/7", USA.cards_of(USA.counts(discards)))
    assert shuffled.cards == USA.names(order)
    assert after(state, (0, BLIND)).shuffles == 7


def test_3_3_an_empty_place_in_the_row_is_filled_as_soon_as_cards_are_discarded():
    state = given(row="red blue", deck="", discards={}, hands={0: {"red": 4}})
    claim = ClaimRoute("dallas--el-paso", {"red": 4})
    assert happened(state, 0, claim, CardTurned) == [CardTurned(n, "red") for n in (2, 3, 4)]
    state = after(state, (0, claim))
    assert (row_of(state), deck_of(state)) == ("red blue red red red", "red")


def test_3_3_the_hand_of_a_seat_that_leaves_fills_the_row():
    state = given(row="red", deck="", discards={}, hands={1: {"blue": 2}})
    assert row_of(after(state, (1, Resign()))) == "red blue blue"


def test_3_4_with_deck_and_discards_empty_a_blind_draw_is_impossible():
    state = given(row=ROW, deck="", discards={})
    assert refusal(state, 0, BLIND) == ("3.4", "no-cards-left")
    assert BLIND not in listed(state, 0, DrawCard)


def test_3_4_discards_alone_make_a_blind_draw_possible():
    state = given(row=ROW, deck="", discards={"red": 1})
    assert BLIND in listed(state, 0, DrawCard)
    assert after(state, (0, BLIND)).deciding() == [(0, "second_card")]


def test_3_4_a_face_up_card_may_still_be_taken_and_is_not_replaced():
    state = given(row=ROW, deck="", discards={}, hands={0: {}})
    assert listed(state, 0, DrawCard) == [take(color) for color in ROW.split()]
    assert decide(state, 0, take("green")) == [CardDrawn(0, "row", "green", place=2)]
    state = after(state, (0, take("green")))
    assert row_of(state) == "red blue black white"
    assert state.deciding() == [(0, "second_card")]


def test_3_4_drawing_is_no_action_when_there_is_nothing_to_take():
    state = given(row="", deck="", discards={})
    assert listed(state, 0, DrawCard) == []
    assert refusal(state, 0, BLIND) == ("3.4", "no-cards-left")


@pytest.mark.parametrize(("first", "row", "deck"), [
    (BLIND, "wild wild", "red"),
    (BLIND, "", "red"),
    (take("red"), "red wild", ""),
    (take("red"), "red", ""),
    (take("red"), "red", "wild"),
])
def test_3_5_the_turn_ends_where_no_second_card_can_be_taken(first, row, deck):
    state = given(row=row, deck=deck, discards={})
    assert happened(state, 0, first, TurnBegan) == [TurnBegan(1)]


@pytest.mark.parametrize(("first", "row", "deck", "discards", "second"), [
    (BLIND, "wild wild blue", "red", {}, take("blue")),
    (BLIND, "wild wild", "red red", {}, BLIND),
    (BLIND, "wild wild", "red", {"red": 1}, BLIND),
    (take("red"), "red blue wild", "", {}, take("blue")),
])
def test_3_5_the_turn_goes_on_where_a_second_card_can_be_taken(first, row, deck, discards, second):
    state = given(row=row, deck=deck, discards=discards)
    assert happened(state, 0, first, TurnBegan) == []
    assert listed(after(state, (0, first)), 0, DrawCard) == [second]


def test_3_6_a_row_with_three_wilds_is_discarded_and_five_new_cards_are_turned():
    state = given(row="wild wild red blue green", deck="wild " + ROW + " yellow", discards={})
    assert decide(state, 0, take("red")) == [
        CardDrawn(0, "row", "red", place=2),
        CardTurned(2, "wild"),
        RowDiscarded(("wild", "wild", "wild", "blue", "green")),
        *(CardTurned(place, card) for place, card in enumerate(ROW.split())),
    ]
    state = after(state, (0, take("red")))
    assert (row_of(state), deck_of(state)) == (ROW, "yellow")
    assert discards_of(state) == {"blue": 1, "green": 1, "wild": 3}
    assert state.deciding() == [(0, "second_card")]


def test_3_6_two_wilds_may_stay():
    state = given(row="wild red red blue green", deck="wild " + ROW, discards={})
    assert happened(state, 0, take("red"), RowDiscarded) == []


def test_3_6_the_row_is_turned_again_while_it_keeps_coming_up_wild():
    wilds = "wild wild red wild wild"
    state = given(row=wilds, deck=f"white {wilds} {wilds} {ROW}", discards={})
    discarded = happened(state, 0, take("wild"), RowDiscarded)
    assert [e.cards.count("wild") for e in discarded] == [3, 4, 4]
    assert row_of(after(state, (0, take("wild")))) == ROW


def test_3_6_the_row_is_turned_again_through_a_reshuffle():
    state = given(row="wild wild red blue green", deck="wild", discards={"white": 30})
    state = after(state, (0, take("red")))
    assert state.row.count(USA.color_index["wild"]) < 3
    assert len(state.row) == 5
    assert len(state.deck) + sum(state.discards) == 30


def test_3_6_the_row_stays_where_fewer_than_three_cards_are_not_wild():
    state = given(row="wild wild red blue green", deck="wild wild", discards={"wild": 3})
    state = after(state, (0, take("red")))
    assert row_of(state) == "wild wild wild blue green"
    assert discards_of(state) == {"wild": 3}


@pytest.mark.parametrize(("deck", "discards"), [("wild red", {}), ("wild", {"red": 1, "wild": 2})])
def test_3_6_three_cards_in_row_deck_and_discards_that_are_not_wild_are_enough(deck, discards):
    state = given(row="wild wild red blue green", deck=deck, discards=discards)
    state = after(state, (0, take("red")))
    assert Counter(row_of(state).split())["wild"] == 2


def test_3_6_cards_in_hands_do_not_count():
    state = given(2, row="wild wild red blue green", deck="wild", discards={},
                  hands={0: {"red": 9}, 1: {"blue": 9}})
    assert happened(state, 0, take("red"), RowDiscarded) == []


def test_3_6_a_row_left_as_it_was_is_turned_once_a_claim_discards_enough():
    state = given(row="wild wild wild red blue", deck="", discards={}, hands={0: {"red": 4}})
    claim = ClaimRoute("dallas--el-paso", {"red": 4})
    assert len(happened(state, 0, claim, RowDiscarded)) >= 1
    assert row_of(after(state, (0, claim))).count("wild") <= 2


def test_3_6_a_row_left_as_it_was_is_turned_once_a_leaving_hand_is_enough():
    state = given(row="wild wild wild red blue", deck="", discards={}, hands={1: {"red": 4}})
    assert row_of(after(state, (1, Resign()))).count("wild") <= 2


def test_3_7_a_hand_may_hold_any_number_of_cards():
    state = given(row=ROW, deck="white white", hands={0: dict.fromkeys(USA.cards, 12)})
    state = after(state, (0, BLIND), (0, BLIND))
    assert hand_of(state, 0)["white"] == 14


def test_a_second_card_can_be_drawn_only_by_the_seat_that_drew_the_first():
    assert refusal(given(row=ROW, step=SECOND_CARD), 1, BLIND) == ("2.3", "not-your-turn")
