"""Rules 3.1 to 3.7."""

from collections import Counter

import pytest

from domain.chance import Chance
from domain.game.commands import ClaimRoute, DrawCard, DrawTickets, Pass, Resign
from domain.game.events import CardDrawn, CardTurned, DeckShuffled, RowDiscarded, TurnBegan
from domain.game.fold import decide
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
ONE_WILD = "red wild green black white"
TWO_WILDS = "wild wild red blue green"
CLAIM = ClaimRoute("dallas--el-paso", {"red": 4})


def test_3_1_a_blind_card_comes_from_the_top_of_the_deck():
    state = given(row=ROW, deck="yellow orange", hands={0: {}})
    assert decide(state, 0, BLIND) == [CardDrawn(0, "deck", "yellow")]
    state = after(state, (0, BLIND))
    assert (hand_of(state, 0), deck_of(state), row_of(state)) == ({"yellow": 1}, "orange", ROW)


def test_3_1_a_face_up_card_is_replaced_at_its_place_at_once():
    state = given(row=ROW, deck="yellow orange", hands={0: {}})
    assert decide(state, 0, take("green")) == [
        CardDrawn(0, "row", "green", place=2),
        CardTurned(2, "yellow"),
    ]
    state = after(state, (0, take("green")))
    assert row_of(state) == "red blue yellow black white"
    assert (hand_of(state, 0), deck_of(state)) == ({"green": 1}, "orange")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (BLIND, BLIND),
        (BLIND, take("blue")),
        (take("red"), BLIND),
        (take("red"), take("blue")),
        (take("red"), take("yellow")),
    ],
)  # which has just replaced the first card
def test_3_1_a_turn_is_two_cards_from_anywhere(first, second):
    state = after(given(row=ROW, deck="yellow orange purple", hands={0: {}}), (0, first))
    assert state.deciding() == [(0, "second_card")]
    state = after(state, (0, second))
    assert (state.deciding(), sum(state.hands[0])) == ([(1, "turn")], 2)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (take("yellow"), "not-in-row"),
        (take("pink"), "unknown-card"),
        (take(None), "unknown-card"),
        (DrawCard("deck", "red"), "blind-draw"),
        (DrawCard("hand", "red"), "unknown-source"),
    ],
)
def test_3_1_a_draw_says_where_from_and_which_card_if_it_can_be_seen(action, code):
    assert refusal(given(row=ROW), 0, action) == ("3.1", code)


@pytest.mark.parametrize("action", [DrawTickets(), CLAIM, Pass()])
def test_3_1_nothing_but_a_card_may_follow_the_first_card(action):
    state = after(given(row=ROW, hands={0: {"red": 4}}), (0, BLIND))
    assert refusal(state, 0, action) == ("3.1", "wrong-decision")
    assert refusal(state, 1, BLIND) == ("2.3", "not-your-turn")


def test_3_1_a_colour_that_lies_there_twice_is_listed_once():
    state = given(row="red blue red blue red", deck="yellow")
    assert listed(state, 0, DrawCard) == [BLIND, take("red"), take("blue")]


def test_3_2_a_face_up_wild_taken_first_is_the_whole_turn():
    state = after(given(row=ONE_WILD, deck="yellow orange", hands={0: {}}), (0, take("wild")))
    assert (hand_of(state, 0), row_of(state)) == ({"wild": 1}, "red yellow green black white")
    assert state.deciding() == [(1, "turn")]


@pytest.mark.parametrize(
    ("first", "row", "deck"),
    [
        (BLIND, ONE_WILD, "yellow orange"),
        (take("red"), ONE_WILD, "yellow orange"),
        (take("red"), ROW, "wild orange"),
    ],
)  # which has just replaced the first card
def test_3_2_a_face_up_wild_cannot_be_the_second_card(first, row, deck):
    state = after(given(row=row, deck=deck), (0, first))
    assert refusal(state, 0, take("wild")) == ("3.2", "wild-not-second")


def test_3_2_a_wild_drawn_blind_counts_as_any_card():
    state = after(given(row=ROW, deck="wild wild orange", hands={0: {}}), (0, BLIND))
    assert state.deciding() == [(0, "second_card")]
    state = after(state, (0, BLIND))
    assert (hand_of(state, 0), state.deciding()) == ({"wild": 2}, [(1, "turn")])


def test_3_3_the_deck_is_rebuilt_only_when_the_next_card_is_needed():
    state = given(row=ROW, deck="yellow", discards={"purple": 2, "wild": 1})
    assert happened(state, 0, BLIND, DeckShuffled) == []
    state = after(state, (0, BLIND))
    assert (deck_of(state), discards_of(state)) == ("", {"purple": 2, "wild": 1})
    shuffled, drawn, _ = decide(state, 0, BLIND)
    assert Counter(shuffled.cards) == {"purple": 2, "wild": 1}
    assert drawn == CardDrawn(0, "deck", shuffled.cards[0])
    state = after(state, (0, BLIND))
    assert (deck_of(state).split(), discards_of(state)) == ([*shuffled.cards[1:]], {})


def test_3_3_the_deck_is_rebuilt_in_mid_draw_to_replace_a_face_up_card():
    state = given(row=ROW, deck="", discards={"purple": 9})
    assert decide(state, 0, take("white")) == [
        CardDrawn(0, "row", "white", place=4),
        DeckShuffled(("purple",) * 9),
        CardTurned(4, "purple"),
    ]


def test_3_3_each_shuffle_has_an_order_of_its_own_from_the_seed():
    discards = {"red": 4, "blue": 4, "wild": 4}
    state = given(seats=2, row=ROW, deck="", discards=discards, shuffles=6)
    [shuffled] = happened(state, 0, BLIND, DeckShuffled)
    order = Chance(SEED, ["", ""]).shuffled("cards/7", USA.cards_of(USA.counts(discards)))
    assert shuffled.cards == USA.names(order)
    assert after(state, (0, BLIND)).shuffles == 7


def test_3_3_an_empty_place_in_the_row_is_filled_as_soon_as_cards_are_discarded():
    state = given(row="red blue", deck="", discards={}, hands={0: {"red": 4}, 1: {"white": 2}})
    assert happened(state, 0, CLAIM, CardTurned) == [CardTurned(n, "red") for n in (2, 3, 4)]
    claimed = after(state, (0, CLAIM))
    assert (row_of(claimed), deck_of(claimed)) == ("red blue red red red", "red")
    assert row_of(after(state, (1, Resign()))) == "red blue white white"  # the hand that it leaves


def test_3_4_with_deck_and_discards_empty_a_blind_draw_is_impossible():
    """A face-up card may still be taken, and is not replaced."""
    state = given(row=ROW, deck="", discards={}, hands={0: {}})
    assert refusal(state, 0, BLIND) == ("3.4", "no-cards-left")
    assert listed(state, 0, DrawCard) == [take(color) for color in ROW.split()]
    assert decide(state, 0, take("green")) == [CardDrawn(0, "row", "green", place=2)]
    state = after(state, (0, take("green")))
    assert (row_of(state), state.deciding()) == ("red blue black white", [(0, "second_card")])
    nothing = given(row="", deck="", discards={})
    assert (listed(nothing, 0, DrawCard), refusal(nothing, 0, BLIND)) == (
        [],
        ("3.4", "no-cards-left"),
    )


def test_3_4_discards_alone_make_a_blind_draw_possible():
    state = given(row=ROW, deck="", discards={"red": 1})
    assert BLIND in listed(state, 0, DrawCard)
    assert after(state, (0, BLIND)).deciding() == [(0, "second_card")]


@pytest.mark.parametrize(
    ("first", "row", "deck", "discards", "second"),
    [
        (BLIND, "wild wild", "red", {}, None),
        (BLIND, "", "red", {}, None),
        (take("red"), "red wild", "", {}, None),
        (take("red"), "red", "", {}, None),
        (take("red"), "red", "wild", {}, None),
        (BLIND, "wild wild blue", "red", {}, take("blue")),
        (BLIND, "wild wild", "red red", {}, BLIND),
        (BLIND, "wild wild", "red", {"red": 1}, BLIND),
        (take("red"), "red blue wild", "", {}, take("blue")),
    ],
)
def test_3_5_the_turn_ends_where_no_second_card_can_be_taken(first, row, deck, discards, second):
    state = given(row=row, deck=deck, discards=discards)
    assert happened(state, 0, first, TurnBegan) == ([] if second else [TurnBegan(1)])
    assert not second or listed(after(state, (0, first)), 0, DrawCard) == [second]


def test_3_6_a_row_with_three_wilds_is_discarded_and_five_new_cards_are_turned():
    state = given(row=TWO_WILDS, deck="wild " + ROW + " yellow", discards={})
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


def test_3_6_the_row_is_turned_again_while_it_keeps_coming_up_wild():
    wilds = "wild wild red wild wild"
    state = given(row=wilds, deck=f"white {wilds} {wilds} {ROW}", discards={})
    discarded = happened(state, 0, take("wild"), RowDiscarded)
    assert [e.cards.count("wild") for e in discarded] == [3, 4, 4]
    assert row_of(after(state, (0, take("wild")))) == ROW


def test_3_6_the_row_is_turned_again_through_a_reshuffle():
    state = after(given(row=TWO_WILDS, deck="wild", discards={"white": 30}), (0, take("red")))
    assert (row_of(state).count("wild") < 3, len(state.row)) == (True, 5)
    assert len(state.deck) + sum(state.discards) == 30


@pytest.mark.parametrize(
    ("row", "deck", "discards", "is_discarded"),
    [
        ("wild red red blue green", f"wild {ROW}", {}, False),  # two wilds
        (TWO_WILDS, "wild wild", {"wild": 3}, False),
        (TWO_WILDS, "wild", {}, False),
        (TWO_WILDS, "wild red", {}, True),
        (TWO_WILDS, "wild", {"red": 1, "wild": 2}, True),
    ],
)
def test_3_6_the_row_stays_where_fewer_than_three_cards_are_not_wild_hands_aside(
    row, deck, discards, is_discarded
):
    state = given(2, row=row, deck=deck, discards=discards, hands={0: {"red": 9}, 1: {"blue": 9}})
    assert bool(happened(state, 0, take("red"), RowDiscarded)) == is_discarded
    state = after(state, (0, take("red")))
    if is_discarded:
        assert row_of(state).count("wild") == 2
    else:
        assert row_of(state) == row.replace("red", "wild", 1)
        assert discards_of(state) == discards


@pytest.mark.parametrize(("seat", "action"), [(0, CLAIM), (1, Resign())])
def test_3_6_a_row_left_as_it_was_is_turned_once_enough_is_discarded(seat, action):
    state = given(row="wild wild wild red blue", deck="", discards={}, hands={seat: {"red": 4}})
    assert len(happened(state, seat, action, RowDiscarded)) >= 1
    assert row_of(after(state, (seat, action))).count("wild") <= 2


def test_3_7_a_hand_may_hold_any_number_of_cards():
    state = given(row=ROW, deck="white white", hands={0: dict.fromkeys(USA.cards, 12)})
    assert hand_of(after(state, (0, BLIND), (0, BLIND)), 0)["white"] == 14
