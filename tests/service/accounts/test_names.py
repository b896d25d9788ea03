"""Which characters a name may have: those that can be seen."""

import sys
import unicodedata

import pytest

from service.accounts.names import distinct_name, proper_name
from service.errors import BadRequest
from service.http.texts import is_name

# Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt
IGNORABLE = {
    *(0xAD, 0x34F, 0x61C, 0x3164, 0xFEFF, 0xFFA0),
    *(
        code
        for first, last in [
            (0x115F, 0x1160),
            (0x17B4, 0x17B5),
            (0x180B, 0x180F),
            (0x200B, 0x200F),
            (0x202A, 0x202E),
            (0x2060, 0x206F),
            (0xFE00, 0xFE0F),
            (0xFFF0, 0xFFF8),
            (0x1BCA0, 0x1BCA3),
            (0x1D173, 0x1D17A),
            (0xE0000, 0xE0FFF),
        ]
        for code in range(first, last + 1)
    ),
}
# Braille without dots, fillers of hieroglyphs and of Khitan, a note without a head; and what stands
# for a character that is not there
BLANK = {0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159, 0xFFFC, 0xFFFD}
UNSEEN = IGNORABLE | BLANK
# format characters that are drawn, around or above the digits and letters behind them
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def is_to_be_seen(code: int) -> bool:
    """Whether Unicode gives a code point a visible form; for those that are assigned."""
    if code in UNSEEN or unicodedata.category(chr(code)) == "Cn":
        return False
    return code in DRAWN or unicodedata.category(chr(code)) not in (
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Zl",
        "Zp",
    )


def test_every_character_that_can_be_seen_may_be_in_a_name():
    seen = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) != "Cn" and is_to_be_seen(code)
    ]
    assert len(seen) > 140_000
    assert is_name(f"A{'a'.join(seen)}a")


def test_no_character_that_cannot_be_seen_may_be_in_a_name():
    private = {0xE000, 0xF8FF, 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD}  # the ends of the three areas
    unseen = [
        code
        for code in range(sys.maxunicode + 1)
        if not is_to_be_seen(code) and (unicodedata.category(chr(code)) != "Co" or code in private)
    ]
    assert len(unseen) > 6_000
    assert [f"U+{code:04X}" for code in unseen if is_name(f"A{chr(code)}a")] == []


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f469\u200d\U0001f680",
        "Crew \U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
        "\u2764\ufe0f",
        "\u2764\ufe0f\u200d\U0001f525",
        "No 1\ufe0f\u20e3",
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\u1019\u103d\u103e\u102f\u1036\u1037",
        "Vi\u1ec7\u0302t",
        "Ada",
        "Émilie",
        "Åse Ø",
        "李小龙",
        "Σοφία",
        "Софья",
        "भारत",
        "🚂",
        "a\u0301",
        "محمد",
    ],
)
def test_names_of_all_scripts_are_accepted(name):
    assert proper_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name",
    [
        "\u0378",
        "A\u0378",
        "A\U0001fb93",
        "\U0003134b",
        "\U0001f469\u200d",
        "\u200d\U0001f469",
        "\U0001f469\u200d\u200d\U0001f680",
        "\U0001f469\u200dA",
        "A\ufe0f",
        "A\u200dB",
        "1\ufe0f",
        "\U0001f469\ufe0f\ufe0f",
        "e" + 39 * "\u0301",
        "e" + 7 * "\u0301",
        "A\u20dd" + 5 * "\u20dd",
    ],
)
def test_a_name_of_which_something_cannot_be_seen_or_covers_others_is_refused(name):
    with pytest.raises(BadRequest, match="at most 5 marks on a letter"):
        proper_name(name)


def test_an_invisible_name_is_refused_with_a_reason():
    with pytest.raises(BadRequest, match="each of which can be seen"):
        proper_name("Ada\U000e0041")


A, B = "p_3f2a91c0ffee0000aaaa", "p_3f2a91c1ffee0000bbbb"
COUPLE = "\U0001f469\u200d\U0001f469"


@pytest.mark.parametrize(
    ("name", "others", "shown"),
    [
        ("Rail", ["Deep Rail"], "Rail"),
        ("Deep Rail", ["deep r\u0251il"], "Deep Rail (p_3f2a91)"),
        # the mark itself is taken, here by letters that look like its digits
        ("Rail", ["Rail", "RAIL P_EF2A9L"], "Rail (p_3f2a91c)"),
        ("Rail", ["Rail", "Rail (p_3f2a91)"], "Rail (p_3f2a91c)"),
        ("Rail", ["Rail", *(f"Rail ({A[:end]})" for end in range(8, 23))], f"Rail ({A})"),
        # forged marks
        ("Rail (p_000000)", [], "Rail (p_000000) (p_3f2a91)"),
        ("Rail (\u0440_000000)", [], "Rail (\u0440_000000) (p_3f2a91)"),
        ("Rail [p_111111]", [], "Rail [p_111111] (p_3f2a91)"),
        ("Rail p-111111.", [], "Rail p-111111. (p_3f2a91)"),
        # no more characters than a name has, and no joiner at the end
        (40 * "x", [40 * "X"], 29 * "x" + " (p_3f2a91)"),
        (27 * "x" + COUPLE + 9 * "x", [36 * "x"], 27 * "x" + COUPLE[0] + " (p_3f2a91)"),
    ],
)
def test_a_name_that_looks_like_another_is_marked_with_its_id(name, others, shown):
    assert distinct_name(name, A, others) == shown
    assert distinct_name(name, B, [*others, shown]) not in [*others, shown]
    proper_name(shown)
