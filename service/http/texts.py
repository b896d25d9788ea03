"""Which names and texts can be displayed: every character is visible."""

import re
import unicodedata

LONGEST_NAME = 40
MOST_MARKS = 5  # accents and the like in a row; Burmese and Hebrew need so many on one letter
# Ranges of code points that nobody can see in a line: controls, Unicode's default ignorable code
# points (of which tags and variation selectors can spell out a hidden text), blanks that are no
# spaces, private use and noncharacters.
_NOT_SHOWN = (
    (0x0000, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200C),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xE000, 0xF8FF),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0E),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFF),
)
# The joiner and the variation selector of emoji, which show nothing elsewhere; the documented
# pattern allows them anywhere. Surrogates, and the same beyond U+FFFF: dialects of regular
# expressions write these differently, so the pattern leaves them out.
_NOT_SHOWN_EITHER = (
    (0x200D, 0x200D),
    (0xFE0F, 0xFE0F),
    (0xD800, 0xDFFF),
    (0x13430, 0x1343F),
    (0x13441, 0x13442),
    (0x16FE4, 0x16FE4),
    (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0x10000, 0xF0000, 0x10000)),
    (0xF0000, 0x10FFFF),
)
_EXCLUDED = "".join(
    f"\\u{first:04x}" + f"-\\u{last:04x}" * (last > first) for first, last in _NOT_SHOWN
)
# A text of several lines up to U+FFFF. The exceptions are tab, line feed and carriage return.
TEXT = rf"^([^{_EXCLUDED}]|[\t\n\r])*$"
NAME = rf"^[^\s{_EXCLUDED}]([^{_EXCLUDED}]*[^\s{_EXCLUDED}])?$"
_INVISIBLE = re.compile(
    "[{}]".format(
        "".join(
            f"\\U{first:08x}-\\U{last:08x}" for first, last in (*_NOT_SHOWN, *_NOT_SHOWN_EITHER)
        )
    )
)

# Emoji, each perhaps with a variation selector (U+FE0F). A joiner (U+200D) makes one of several.
_EMOJI = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]\ufe0f?"
)
_EMOJIS = re.compile(f"[0-9#*]\ufe0f\u20e3|{_EMOJI}(?:\u200d{_EMOJI})*")
_CONTROLS = re.compile("[\t\n\r]")  # that a text of several lines needs


def is_name(name: str) -> bool:
    """Return whether every character of a name is visible on one line, and no letter has so many
    marks that they cover other lines. Characters that are not assigned in the Unicode version of
    this Python are not visible."""
    kinds = [unicodedata.category(letter) for letter in unicodedata.normalize("NFC", name)]
    marks = "".join("m" if kind in ("Mn", "Me") else " " for kind in kinds)
    return (
        bool(re.fullmatch(NAME, name))
        and not _INVISIBLE.search(_EMOJIS.sub("x", name))
        and "Cn" not in kinds
        and "m" * (MOST_MARKS + 1) not in marks
    )


def is_shown(text: str) -> bool:
    """Return whether every character of a text of several lines is visible, or is layout."""
    return not _INVISIBLE.search(_CONTROLS.sub(" ", _EMOJIS.sub("x", text)))
