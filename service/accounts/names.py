"""What an account may be called."""

from __future__ import annotations

import re
import unicodedata

from service.accounts.bots import BOTS
from service.errors import BadRequest
from service.store import deleted

LONGEST_NAME = 40
# controls, invisible formatting, private use and non-characters
_NOT_SHOWN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ue000-\uf8ff\ufeff\ufff0-\uffff"
)
NAME = rf"^[^\s{_NOT_SHOWN}]([^{_NOT_SHOWN}]*[^\s{_NOT_SHOWN}])?$"

# letters of other alphabets, and figures, that look like those of names that are taken; i as l
ALIKE = str.maketrans(
    "аеорсухіјѕԁӏһгпткмвзαορτνικμε01i|3$5",  # noqa: RUF001
    "aeopcyxljsdlhrntkmbeaoptvlkmeollless")


def proper_name(name: str) -> str:
    """Return a name normalised (NFC, single spaces); refuse what cannot be shown as one line, and
    what passes for a built-in bot or for those who have gone."""
    if len(name) > LONGEST_NAME or not re.fullmatch(NAME, name):
        raise BadRequest(
            f"a name has 1 to {LONGEST_NAME} characters, none of them a control character, and no "
            "space at either end", "name")
    if _looks(name) in TAKEN:
        raise BadRequest(f"the service itself calls a player {TAKEN[_looks(name)]}: choose a name "
                         "that does not look like it", "name")
    return " ".join(unicodedata.normalize("NFC", name).split())


def _looks(name: str) -> str:
    """Return what names that look alike have in common: case, accents, spaces and signs count for
    nothing, nor from which alphabet a letter is."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(ALIKE)
    return "".join(letter for letter in plain if letter.isalnum())


TAKEN = {_looks(name): name for name in (*BOTS, deleted.NAME)}
