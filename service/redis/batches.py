"""Cut items into batches."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batches_of(size: int, items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield the items in lists of ``size``; the last one may be shorter."""
    left = iter(items)
    while some := list(islice(left, size)):
        yield some
