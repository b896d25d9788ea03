"""All randomness of a game, from its seed: the twin of ``domain.chance``.

A 32-bit word is kept in an int64, since numba would turn a sum of two uint32 into an uint64, and
that with a literal into a float.
"""

from __future__ import annotations

import numpy as np

from fogg_simulator.compiled import inner

MASK = 0xFFFFFFFF
INNER, OUTER = 0x36363636, 0x5C5C5C5C  # what HMAC xors a key with
FIRST_SEAT, LONG_TICKETS, TICKETS, CARDS, WORLD = map(np.int64, range(5))  # labels
LABELS = np.array([[*label.ljust(16, b"\0")] for label in (
    b"first-seat", b"long-tickets/", b"tickets/", b"cards/", b"world")], np.int64)
LENGTHS = np.array([10, 13, 8, 6, 5])


def _roots(power: int, count: int) -> np.ndarray:
    """Return the first 32 bits after the point of roots of the first primes (FIPS 180-4)."""
    primes = [n for n in range(2, 312) if all(n % k for k in range(2, n))][:count]
    words = []
    for prime in primes:
        scaled, k = prime << (32 * power), power
        root = round(float(prime) ** (1 / k) * (1 << 32))
        while root**k > scaled:
            root -= 1
        while (root + 1) ** k <= scaled:
            root += 1
        words.append(root & MASK)
    return np.array(words, np.int64)


START, ROUND = _roots(2, 8), _roots(3, 64)


@inner
def mixed(words, i):
    """Return word i of a block's schedule, from 16 on."""
    x, y = words[i - 15], words[i - 2]
    x |= x << 32  # twice in a row, so that a shift rotates
    y |= y << 32
    one = (x >> 7) ^ (x >> 18) ^ ((x & MASK) >> 3)
    two = (y >> 17) ^ (y >> 19) ^ ((y & MASK) >> 10)
    return (words[i - 16] + (one & MASK) + words[i - 7] + (two & MASK)) & MASK


@inner
def compress(state, words, to):
    """Hash the block in ``words[:16]`` after ``state`` (SHA-256); ``to`` gets the new state."""
    for i in range(16, 64):
        words[i] = mixed(words, i)
    a, b, c, d = np.int64(state[0]), np.int64(state[1]), np.int64(state[2]), np.int64(state[3])
    e, f, g, h = np.int64(state[4]), np.int64(state[5]), np.int64(state[6]), np.int64(state[7])
    for i in range(64):
        x, y = a | a << 32, e | e << 32
        one = (h + (((y >> 6) ^ (y >> 11) ^ (y >> 25)) & MASK) + ((e & f) ^ (~e & g))
               + ROUND[i] + words[i])
        two = (((x >> 2) ^ (x >> 13) ^ (x >> 22)) & MASK) + ((a & b) ^ (a & c) ^ (b & c))
        h, g, f, e, d, c, b, a = g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK
    to[0] = (state[0] + a) & MASK
    to[1] = (state[1] + b) & MASK
    to[2] = (state[2] + c) & MASK
    to[3] = (state[3] + d) & MASK
    to[4] = (state[4] + e) & MASK
    to[5] = (state[5] + f) & MASK
    to[6] = (state[6] + g) & MASK
    to[7] = (state[7] + h) & MASK


@inner
def authenticate(game, length):
    """Make ``digest`` the HMAC of ``text[:length]``, at most 55 bytes, under the game's key."""
    words, text = game.words, game.text
    for i in range(16):
        word = 0
        for at in range(4 * i, 4 * i + 4):
            byte = np.int64(text[at]) if at < length else (0x80 if at == length else 0)
            word = word << 8 | byte
        words[i] = word
    words[15] = (64 + length) * 8
    compress(game.inner, words, game.digest)
    for i in range(8):
        words[i] = game.digest[i]
    words[8] = 0x80000000
    words[9:15] = 0
    words[15] = (64 + 32) * 8
    compress(game.outer, words, game.digest)


@inner
def use_key(game):
    """Use the key of 32 bytes that is in ``key``."""
    words = game.words
    for pad in (INNER, OUTER):
        for i in range(16):
            words[i] = (game.key[i] if i < 8 else 0) ^ pad
        for i in range(8):
            game.digest[i] = START[i]
        compress(game.digest, words, game.inner if pad == INNER else game.outer)


@inner
def use_seed(game, seed, seats):
    """Use a seed of 32 bytes, for seats that add no entropy of their own."""
    for i in range(8):
        word = 0
        for at in range(4 * i, 4 * i + 4):
            word = word << 8 | np.int64(seed[at])
        game.key[i] = word
    use_key(game)
    text = game.text
    text[0], text[1], text[2], text[3], text[4], text[5] = 102, 111, 103, 103, 47, 49  # fogg/1
    text[6 : 6 + seats] = 10
    authenticate(game, 6 + seats)
    for i in range(8):
        game.key[i] = game.digest[i]
    use_key(game)


@inner
def advance(seed, by):
    """Add a number to a seed."""
    for at in range(31, -1, -1):
        by += np.int64(seed[at])
        seed[at] = by & 0xFF
        by >>= 8


@inner
def write_number(text, at, number):
    """Write a number in decimal digits; return the place after it."""
    digits, rest = 1, number // 10
    while rest:
        digits, rest = digits + 1, rest // 10
    for place in range(at + digits - 1, at - 1, -1):
        text[place] = 48 + number % 10
        number //= 10
    return at + digits


@inner
def use_label(game, label, number):
    """Begin the draws of a label. A ``number`` above 0 is part of it."""
    at = LENGTHS[label]
    for i in range(at):
        game.text[i] = LABELS[label, i]
    if number:
        at = write_number(game.text, at, number)
    game.text[at] = 58  # a colon
    game.text_length, game.next_number = at + 1, 0


@inner
def below(game, n):
    """Return the label's next number, 0 to n - 1."""
    beyond = (1 << 32) % n
    beyond = beyond * beyond % n  # the numbers above the largest multiple of n
    while True:
        authenticate(game, write_number(game.text, game.text_length, game.next_number))
        game.next_number += 1
        high, low = np.int64(game.digest[0]), np.int64(game.digest[1])
        if high < MASK or low < (1 << 32) - beyond:
            return (high % n * ((1 << 32) % n) + low % n) % n


@inner
def shuffle(game, items, count):
    """Shuffle the first ``count`` items by the current label."""
    for i in range(count - 1, 0, -1):
        j = below(game, i + 1)
        items[i], items[j] = items[j], items[i]
