"""The stored layouts of the shipped boards."""

import dataclasses

from domain.boards import load_folder
from domain.drawing.layout import SETTLED_FILE, key, layout, read, written
from domain.drawing.springs import settle
from tests.generators.layouts import made


def test_what_is_kept_for_the_boards_that_are_shipped_is_what_the_springs_come_to():
    """``python -m tests.generators.layouts`` writes them."""
    assert made() == SETTLED_FILE.read_text(encoding="utf-8")


def test_a_map_that_is_not_shipped_is_laid_out_by_what_it_is_like():
    london = load_folder()["london"]
    first, *others = london.locations
    renamed = (dataclasses.replace(first, name="Elsewhere"), *others)
    assert key(renamed, london.routes) != key(london.locations, london.routes)
    other = dataclasses.replace(london, locations=renamed)
    assert layout(other).labels[first.id].lines == ("Elsewhere",)
    settled = settle(renamed, london.routes)
    assert read(written(settled)) == settled
