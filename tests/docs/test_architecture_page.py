"""What is generated for the documents is that of the code, and what they name is there."""

import re

import networkx as nx
import pytest

from tools.generators import (
    board_schema,
    client_types,
    clients_page,
    database_page,
    errors_page,
    events_page,
)
from tools.generators.architecture import PICTURE, ROOT, picture
from tools.generators.rooms import rooms

PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "client" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
FOLDERS = "benchmarks|cli|client|deploy|docs|domain|service|simulator|tests|workers"
NAMED = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})/[\w./*-]*\w)")
LINK = re.compile(r"\]\(([^)#:]+)\)")
MODULE = re.compile(rf"python -m ((?:{FOLDERS})[\w.]*)")
HELD = re.compile(r"`(\w+)`\s+(?:in\s+|of\s+|\()`([\w/]+\.py)`")  # `name` in `file.py`
MADE_BY_USERS = {"deploy/.env"}


@pytest.mark.parametrize(
    ("file", "written"),
    [
        (PICTURE, lambda _: picture()),
        (database_page.PAGE, database_page.written),
        (errors_page.PAGE, errors_page.written),
        (events_page.PAGE, events_page.written),
        (client_types.TYPES, lambda _: client_types.written()),
        (clients_page.PAGE, clients_page.written),
        (ROOT / "docs" / "board.schema.json", lambda _: board_schema.written()),
    ],
    ids=lambda part: getattr(part, "stem", ""),
)
def test_generated_files_are_up_to_date(file, written):
    text = file.read_text()
    assert written(text) == text, "run make openapi"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_files_modules_and_links_that_a_page_names_are_there(page):
    text = page.read_text()
    for name in set(NAMED.findall(text)) - MADE_BY_USERS:
        assert list(ROOT.glob(name)), f"{page.name}: {name}"
    for name in MODULE.findall(text):
        path = ROOT / name.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), f"{page.name}: {name}"
    for link in LINK.findall(text):
        assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_names_in_the_walks_are_in_the_files_that_they_name():
    walks = (ROOT / "docs" / "architecture.md").read_text()
    for name, path in HELD.findall(walks):
        text = (ROOT / path).read_text()
        assert re.search(rf"\b(?:def|class) {name}\b|^ *{name}\b.* = ", text, re.MULTILINE), (
            f"{name} is not in {path}"
        )


def test_no_room_imports_another_in_a_circle():
    assert nx.is_directed_acyclic_graph(rooms())
