"""Where games are indexed: in sixteen places, so that no one key is every game's.

``{games:N}:NAME``  what an index has of the games of one bucket

A bucket has the games of a sixteenth of a cluster's slots, and its keys are in one of these slots:
so a node that is away mostly takes nothing with it but games of its own.
"""

from collections.abc import Iterator
from itertools import count

from redis.crc import key_slot

BITS = 4
_SHIFT = 14 - BITS  # a cluster has 2 ** 14 slots


def _sixteenth(tag: str) -> int:
    return key_slot(tag.encode()) >> _SHIFT


def _tags() -> Iterator[str]:
    """Yield a hash tag for each bucket: the first number whose slot is in its sixteenth."""
    for place in range(2**BITS):
        yield next(tag for n in count() if _sixteenth(tag := f"games:{n}") == place)


TAGS = tuple(_tags())


def tag_of(game_id: str) -> str:
    return TAGS[_sixteenth(f"g:{game_id}")]


def key(game_id: str, name: str) -> str:
    return f"{{{tag_of(game_id)}}}:{name}"


def keys(name: str) -> list[str]:
    return [f"{{{tag}}}:{name}" for tag in TAGS]
