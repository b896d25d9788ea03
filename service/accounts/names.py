"""The rules for names of accounts."""

import re
import unicodedata
from collections.abc import Iterable

from service.accounts.bots import BOTS
from service.errors import BadRequest
from service.http.texts import LONGEST_NAME, MOST_MARKS, is_name
from service.redis import deleted

# letters of other alphabets, and digits, that look like Latin letters; i counts as l
ALIKE = str.maketrans(
    "аеорсухіјѕԁӏһгпткмвзαορτνικμεıɩɑɡ01i|3$5",  # noqa: RUF001
    "aeopcyxljsdlhrntkmbeaoptvlkmellagollless",
)


def proper_name(name: str) -> str:
    """Return a name normalised (NFC, single spaces). Reject a name that is not visible on one line,
    and one that looks like a built-in bot or a deleted account."""
    if len(name) > LONGEST_NAME or not is_name(name):
        raise BadRequest(
            f"a name has 1 to {LONGEST_NAME} characters, each of which can be seen, no space at "
            f"either end, and at most {MOST_MARKS} marks on a letter",
            "name",
        )
    if look_alike_key(name) in TAKEN:
        taken = TAKEN[look_alike_key(name)]
        raise BadRequest(
            f"the service itself calls a player {taken}: choose a name that does not look like it",
            "name",
        )
    return " ".join(unicodedata.normalize("NFC", name).split())


def look_alike_key(name: str) -> str:
    """Return a key that is equal for names that look alike. It ignores case, accents, spaces,
    signs (unless there is nothing else), and the alphabet of a letter."""
    plain = _plain(name)
    return "".join(letter for letter in plain if letter.isalnum()) or plain


def distinct_name(name: str, account: str, others: Iterable[str]) -> str:
    """Return a name that looks like none of the ``others``, and like no mark of another account.
    If need be, it is marked with the beginning of the account's id, as in ``Ada (p_3f2a91)``."""
    taken = {look_alike_key(other) for other in others}
    candidates = [] if MARK.search(_plain(name)) else [name]
    for length in range(MARK_LENGTH, len(account) + 1):
        mark = f" ({account[:length]})"
        begins = name[: LONGEST_NAME - len(mark)].rstrip(" \u200d")
        candidates.append(begins + mark)
    return next((one for one in candidates if look_alike_key(one) not in taken), candidates[-1])


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKD", name).casefold().translate(ALIKE)


# also one that a name was given to look like marked; digits are as ``_plain`` has them
MARK = re.compile(r"\bp[\W_]+[0-9a-fols]{6}")
MARK_LENGTH = len("p_3f2a91")
TAKEN = {look_alike_key(name): name for name in (*BOTS, deleted.NAME)}
