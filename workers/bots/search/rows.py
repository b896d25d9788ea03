"""Replacements for numpy functions on rows; numba compiles them in a tenth of the time."""

from __future__ import annotations

import numpy as np

from workers.bots.search.compiled import inner


@inner
def same(to, of):
    """Copy one row into another."""
    for n in range(len(of)):
        to[n] = of[n]


@inner
def order_of(numbers, count):
    """Return the indexes of the first numbers, sorted; the sort is stable."""
    order = np.empty(count, np.int64)
    for n in range(count):
        at = n
        while at > 0 and numbers[order[at - 1]] > numbers[n]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = n
    return order


@inner
def largest(numbers):
    most = numbers[0]
    for number in numbers:
        most = max(most, number)
    return most


@inner
def total(numbers):
    found = 0 * numbers[0]
    for number in numbers:
        found += number
    return found
