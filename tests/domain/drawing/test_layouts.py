"""The stored layouts of the shipped boards."""

import dataclasses

from domain.boards import load_folder
from domain.drawing.layout import SETTLED_FILE, key, layout, read, written
from domain.drawing.springs import settle
from tools.generators.layouts import made


def test_the_stored_layouts_of_shipped_boards_are_those_that_the_springs_compute():
    """``python -m tools.generators.layouts`` writes them."""
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
