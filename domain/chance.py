"""Verifiable randomness: seeded, portable shuffles with a commitment.

A game's seed is 32 random bytes. ``commitment(seed)`` is published before the players' entropy is
known and before the first card. The seed is published after the last card. docs/fairness.md
describes the procedure with test vectors:

    key        = HMAC-SHA256(seed, "fogg/1\\n" + the seats' entropy joined by "\\n")
    number(i)  = the first 8 bytes, big-endian, of HMAC-SHA256(key, label + ":" + i)   i = 0, 1, ...
    below(n)   = the next number that is under the largest multiple of n up to 2**64, modulo n
    shuffle    = for i from the last index down to 1: swap items i and below(i + 1)
"""

import hmac
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import TypeVar

SEED_BYTES = 32
_SPAN = 1 << 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))  # of HMAC
T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the seed in hex; the publisher cannot change the seed afterwards."""
    return sha256(seed).hexdigest()


class Chance:
    """All randomness of one game, derived from its seed and the seats' entropy."""

    def __init__(self, seed: bytes, entropy: Iterable[str]):
        """``seed``: 32 bytes; ``entropy``: one string for each seat, possibly empty."""
        key = hmac.digest(seed, ("fogg/1\n" + "\n".join(entropy)).encode(), "sha256")
        # An HMAC is a hash of a hash: the common prefix of both is hashed once, not for every
        # number.
        block = key.ljust(64, b"\0")
        self._inner = sha256(block.translate(_INNER))
        self._outer = sha256(block.translate(_OUTER))

    def draws(self, label: str) -> Callable[[int], int]:
        """Return ``below``: each call of below(n) returns the label's next number, 0 to n - 1."""
        inner, outer, prefix, index = self._inner, self._outer, f"{label}:".encode(), 0

        def below(n: int) -> int:
            nonlocal index
            number = limit = _SPAN - _SPAN % n
            while number >= limit:
                within, whole = inner.copy(), outer.copy()
                within.update(b"%b%d" % (prefix, index))
                whole.update(within.digest())
                number = int.from_bytes(whole.digest()[:8], "big")
                index += 1
            return number % n

        return below

    def shuffled(self, label: str, items: Sequence[T]) -> list[T]:
        order, below = list(items), self.draws(label)
        for i in range(len(order) - 1, 0, -1):
            j = below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order
