"""docs/events.md says what the code does."""

import json
import re

from domain.game.events import EVENTS, event_from_json
from domain.game.view import NOBODYS, OWN
from tests.generators.events_page import NOBODY, OWNER, PAGE, who, written

TEXT = PAGE.read_text()


def test_the_page_is_up_to_date():
    assert written(TEXT) == TEXT, "run python -m tests.generators.events_page"


def test_every_event_has_its_section_with_an_example_that_is_one():
    headings = re.findall(r"^### `(\w+)`$", TEXT, re.MULTILINE)
    assert headings == list(EVENTS)
    blocks = re.findall(r"^```json\n(.*?)\n```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(EVENTS)
    for kind, block in zip(EVENTS, blocks, strict=True):
        whole, *others = [json.loads(line) for line in block.splitlines()]
        assert event_from_json(whole).type == kind
        hidden = OWN.get(kind, ()) + NOBODYS.get(kind, ())
        assert [name for shown in others for name in hidden if name in shown] == []
        assert bool(others) == bool(hidden) or kind == "card_drawn", kind


def test_what_is_secret_is_said_to_be():
    assert {(kind, name) for kind, cls in EVENTS.items() for _, name in cls.members
            if who(kind, name) == NOBODY} == {
        (kind, name) for kind, names in NOBODYS.items() for name in names if kind in EVENTS}
    assert {(kind, name) for kind, cls in EVENTS.items() for _, name in cls.members
            if who(kind, name) == OWNER} == {
        (kind, name) for kind, names in OWN.items() for name in names if kind in EVENTS}
