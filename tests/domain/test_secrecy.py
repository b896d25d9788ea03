"""Visibility is declared on each field, and a field without a declaration is never shown."""

from typing import Annotated

import pytest

from domain.codec import tagged
from domain.entry import OWNERS, PUBLIC, Entry
from domain.game.events import Event
from domain.game.view import (
    BEGUN,
    ENDING,
    GAME,
    HEAD,
    SEAT,
    SEAT_BEGUN,
    SEAT_ENDING,
    SETTINGS,
    YOU,
    YOU_BEGUN,
    redacted,
)
from domain.rules import ACTIONS, EVENTS, RULES
from domain.secrecy import OWNER, Member, Own, Public, SeenBy


def test_a_field_of_which_it_is_not_declared_who_may_see_it_is_an_error_at_import():
    with pytest.raises(TypeError, match=r"HandShown\.cards does not declare who may see it"):

        @tagged
        class HandShown(Event):
            seat: Public[int]
            cards: tuple[str, ...]

    with pytest.raises(TypeError, match=r"HintGiven\.hint"):  # though it may be missing

        @tagged
        class HintGiven(Event):
            hint: str | None = None


def test_a_second_class_of_one_type_is_an_error_at_import():
    with pytest.raises(TypeError, match="has the type 'card_drawn'"):

        @tagged
        class CardDrawn(Event):
            card: Public[str]


def test_a_member_of_a_view_cannot_be_made_without_saying_who_may_see_it():
    with pytest.raises(TypeError):
        Member("hand", type=dict, words="Cards in hand.", value=lambda state: {})


def test_of_an_event_that_nobody_has_declared_the_type_alone_is_shown():
    entry = {"version": 9, "events": [{"type": "hand_peeped", "seat": 1, "cards": ["red"]}]}
    assert redacted(entry, 1, finished=False)["events"] == [{"type": "hand_peeped"}]


@pytest.mark.parametrize(
    ("seen_by", "owner", "others"),
    [
        (SeenBy("everybody"), False, False),
        (SeenBy("owner"), False, True),
        (SeenBy("nobody"), True, True),
        (SeenBy("owner", ("from", "row")), False, False),
        (SeenBy("owner", ("from", "deck")), False, True),
    ],
)
def test_a_declaration_hides_a_member_from_the_declared_viewers(seen_by, owner, others):
    value = {"from": "row"}
    assert (seen_by.hides(value, is_owner=True), seen_by.hides(value, is_owner=False)) == (
        owner,
        others,
    )


def test_these_are_the_secrets_of_a_view_and_of_an_entry():
    """Said once more, so that one that is declared to be for all by mistake is noticed."""
    everywhere = (*HEAD, *GAME, *BEGUN, *ENDING, *SETTINGS, *SEAT, *SEAT_BEGUN, *SEAT_ENDING)
    everywhere += tuple(shown for rule in RULES for shown in (*rule.view, *rule.seat_view))
    assert {shown.name for shown in everywhere if shown.seen_by.who != "everybody"} == {
        "seed",
        "revealed",
        "completed",
    }
    assert {shown.seen_by for shown in (*YOU, *YOU_BEGUN)} == {OWNER}
    members = Entry.__required_keys__ | Entry.__optional_keys__
    assert {"salt", "command", "note"} == members - PUBLIC
    assert {"salt", "command"} == members - OWNERS


def test_every_member_says_what_it_is():
    for cls in (*EVENTS.values(), *ACTIONS.values()):
        assert [member.member for member in cls.declared if not member.words] == [], cls


def test_words_and_who_may_see_it_may_stand_in_either_order():
    @tagged
    class CardPeeped(Event):
        card: Annotated[str, "The card.", OWNER]
        other: Own[str] | None = None

    assert [(m.words, m.seen_by, m.required) for m in CardPeeped.declared] == [
        ("The card.", OWNER, True),
        ("", OWNER, False),
    ]
