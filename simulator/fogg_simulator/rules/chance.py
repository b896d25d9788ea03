"""All randomness of a game, from its seed: the twin of ``domain.chance``.

SHA-256 takes most of the time of a shuffle. The numbers of a label are independent of each other,
so LANES numbers are hashed at once. ``words`` and ``state`` have a column for each. LLVM
turns a loop over the columns into vector instructions (SIMD) if it can see that the rows read and
written are distinct: they are fields of ``game``, with row numbers that are constants or differ by
constants. numba would make the sum of two uint32 an uint64; np.uint32() cuts it off again.
"""

import numpy as np

from fogg_simulator.arrays import LANES
from fogg_simulator.compiled import inner, part

LAST = np.uint64(0xFFFFFFFFFFFFFFFF)  # the largest number of 64 bits
INNER, OUTER = np.uint32(0x36363636), np.uint32(0x5C5C5C5C)  # the pads of HMAC (RFC 2104)
FIRST_SEAT, LONG_TICKETS, TICKETS, CARDS, WORLD = map(np.int64, range(5))  # labels
LABELS = np.array(
    [
        [*label.ljust(16, b"\0")]
        for label in (b"first-seat", b"long-tickets/", b"tickets/", b"cards/", b"world")
    ],
    np.int64,
)
LENGTHS = np.array([10, 13, 8, 6, 5])
PREFIX = np.array([*b"fogg/1"], np.uint8)


def _roots(power: int, count: int) -> np.ndarray:
    """Return the first 32 bits of the fractional parts of roots of the first primes (FIPS
    180-4)."""
    primes = [n for n in range(2, 312) if all(n % k for k in range(2, n))][:count]
    words = []
    for prime in primes:
        scaled, k = prime << (32 * power), power
        root = round(float(prime) ** (1 / k) * (1 << 32))
        while root**k > scaled:
            root -= 1
        while (root + 1) ** k <= scaled:
            root += 1
        words.append(root & 0xFFFFFFFF)
    return np.array(words, np.uint32)


START, ROUND = _roots(2, 8), _roots(3, 64)


@inner
def sigma_a(x):
    """Return SHA-256's function Sigma0 of ``a`` (FIPS 180-4)."""
    return np.uint32((x >> 2 | x << 30) ^ (x >> 13 | x << 19) ^ (x >> 22 | x << 10))


@inner
def sigma_e(x):
    """Return SHA-256's function Sigma1 of ``e`` (FIPS 180-4)."""
    return np.uint32((x >> 6 | x << 26) ^ (x >> 11 | x << 21) ^ (x >> 25 | x << 7))


@inner
def sigma_0(x):
    """Return SHA-256's function sigma0, for the word 15 places before."""
    return np.uint32((x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ (x >> 3))


@inner
def sigma_1(x):
    """Return SHA-256's function sigma1, for the word 2 places before."""
    return np.uint32((x >> 17 | x << 15) ^ (x >> 19 | x << 13) ^ (x >> 10))


@inner
def one_round(a, b, c, d, e, f, g, h, word):
    """Return the new values of ``d`` and ``h`` after a round of SHA-256."""
    one = np.uint32(h + sigma_e(e) + ((e & f) ^ (~e & g)) + word)
    two = np.uint32(sigma_a(a) + ((a & b) ^ (a & c) ^ (b & c)))
    return np.uint32(d + one), np.uint32(one + two)


@inner
def compress(game, start):
    """Hash the block in ``words[:16]`` of each lane (SHA-256) after the state ``start``; the result
    is ``state``.

    Four rounds at a time use ``words[:4]``; then the schedule moves on by four words. This function
    is long, so that its loops stay loops: LLVM would unroll loops over calls."""
    s, w = game.state, game.words
    for at in range(8):
        for i in range(LANES):
            s[at, i] = start[at]
    for at in range(0, 64, 4):
        for i in range(LANES):
            a, b, c, d, e, f, g, h = (
                s[0, i],
                s[1, i],
                s[2, i],
                s[3, i],
                s[4, i],
                s[5, i],
                s[6, i],
                s[7, i],
            )
            d, h = one_round(a, b, c, d, e, f, g, h, np.uint32(w[0, i] + ROUND[at]))
            c, g = one_round(h, a, b, c, d, e, f, g, np.uint32(w[1, i] + ROUND[at + 1]))
            b, f = one_round(g, h, a, b, c, d, e, f, np.uint32(w[2, i] + ROUND[at + 2]))
            a, e = one_round(f, g, h, a, b, c, d, e, np.uint32(w[3, i] + ROUND[at + 3]))
            s[0, i], s[1, i], s[2, i], s[3, i], s[4, i], s[5, i], s[6, i], s[7, i] = (
                e,
                f,
                g,
                h,
                a,
                b,
                c,
                d,
            )
            for k in range(4):
                w[k + 16, i] = np.uint32(
                    w[k, i] + sigma_0(w[k + 1, i]) + w[k + 9, i] + sigma_1(w[k + 14, i])
                )
            for k in range(16):
                w[k, i] = w[k + 4, i]
    for at in range(8):
        for i in range(LANES):
            s[at, i] = np.uint32(s[at, i] + start[at])


@inner
def load_text(game, lane, length):
    """Make ``text[:length]``, at most 55 bytes, the block of a lane in which all words are 0. It
    is the last one of a message whose first block was an HMAC's key."""
    for at in range(length):
        game.words[at >> 2, lane] |= np.uint32(np.int64(game.text[at]) << (24 - 8 * (at & 3)))
    game.words[length >> 2, lane] |= np.uint32(0x80 << (24 - 8 * (length & 3)))
    game.words[15, lane] = np.uint32((64 + length) * 8)


@part
def authenticate(game):
    """Set ``state`` to the HMACs of the texts in ``words`` under the game's key. (In a loop, so
    that ``compress`` is compiled into it once only.)"""
    for is_outer in range(2):
        if is_outer:
            load_hashes(game)
        compress(game, game.outer if is_outer else game.inner)


@part
def load_hashes(game):
    """Make the hash in ``state`` the block of each lane: the last one, as in ``load_text``."""
    game.words[8:15] = 0
    for lane in range(LANES):
        for i in range(8):
            game.words[i, lane] = game.state[i, lane]
        game.words[8, lane] = 0x80000000
        game.words[15, lane] = (64 + 32) * 8


@inner
def use_key(game):
    """Use the key of 32 bytes that is in ``key``: hash it for the inner hash of HMAC in the first
    lane, for the outer one in the second."""
    for i in range(16):
        word = game.key[i] if i < 8 else np.uint32(0)
        game.words[i, 0] = word ^ INNER
        game.words[i, 1] = word ^ OUTER
    for i in range(8):
        game.inner[i] = START[i]
    compress(game, game.inner)
    for i in range(8):
        game.inner[i], game.outer[i] = game.state[i, 0], game.state[i, 1]


@inner
def use_seed(game, seed, seats):
    """Use a seed of 32 bytes, for seats that add no entropy of their own."""
    for i in range(8):
        word = 0
        for at in range(4 * i, 4 * i + 4):
            word = word << 8 | np.int64(seed[at])
        game.key[i] = word
    use_key(game)
    for at in range(6):
        game.text[at] = PREFIX[at]
    for at in range(6, 6 + seats):
        game.text[at] = 10  # a new line
    game.words[:] = 0
    load_text(game, 0, 6 + seats)
    authenticate(game)
    for i in range(8):
        game.key[i] = game.state[i, 0]
    use_key(game)


@inner
def advance(seed, by):
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
    game.text_length, game.next_number, game.lanes_used = at + 1, 0, LANES


@inner
def hash_numbers(game):
    game.words[:] = 0
    for lane in range(LANES):
        load_text(game, lane, write_number(game.text, game.text_length, game.next_number + lane))
    authenticate(game)
    game.next_number += LANES
    game.lanes_used = 0


@part
def below(game, n):
    """Return the label's next number, 0 to n - 1."""
    n = np.uint64(n)
    beyond = (LAST % n + np.uint64(1)) % n  # the numbers above the largest multiple of n
    while True:
        if game.lanes_used == LANES:
            hash_numbers(game)
        lane = game.lanes_used
        game.lanes_used += 1
        number = np.uint64(game.state[0, lane]) << np.uint64(32) | np.uint64(game.state[1, lane])
        if number <= LAST - beyond:
            return np.int64(number % n)


@inner
def shuffle(game, items, count):
    for i in range(count - 1, 0, -1):
        j = below(game, i + 1)
        items[i], items[j] = items[j], items[i]
