"""docs/events.md says what the code does."""

import json
import re

from domain.rules import ACTIONS, EVENTS, event_from_json
from tools.generators.events_page import NOBODY, OWNER, PAGE, who

TEXT = PAGE.read_text()


def test_every_event_has_its_rows_and_an_example_that_is_one():
    assert re.findall(r"^\| \*\*`(\w+)`\*\* \|", TEXT, re.MULTILINE) == list(EVENTS)
    [block] = re.findall(r"^```json\n(.*?)\n```$", TEXT, re.MULTILINE | re.DOTALL)
    examples = [json.loads(line) for line in block.splitlines()]
    assert list(dict.fromkeys(example["type"] for example in examples)) == list(EVENTS)
    for kind, cls in EVENTS.items():
        whole, *others = [example for example in examples if example["type"] == kind]
        assert event_from_json(whole).type == kind
        hidden = [member.member for member in cls.secrets if not member.seen_by.unless]
        assert [name for shown in others for name in hidden if name in shown] == []
        assert bool(others) == bool(hidden) or kind == "card_drawn", kind


def test_secret_members_are_marked_as_secret():
    for kind, cls in EVENTS.items():
        rows = TEXT.partition(f"| **`{kind}`** |")[2].partition("| **`")[0]
        for member in cls.secrets:
            [line] = re.findall(rf"^\| `{member.member}` \|.*$", rows, re.MULTILINE)
            assert f"| {who(member)} |" in line
            assert who(member).startswith(OWNER if member.seen_by.who == "owner" else NOBODY)


def test_these_are_the_secrets_of_a_game_under_way():
    """Said once more, so that one that is declared to be for all by mistake is noticed."""
    said = {
        who: {
            f"{kind}.{member.member}"
            for kind, cls in (EVENTS | ACTIONS).items()
            for member in cls.secrets
            if member.seen_by.who == who
        }
        for who in ("owner", "nobody")
    }
    assert said == {
        "owner": {
            "hand_dealt.cards",
            "tickets_drawn.tickets",
            "tickets_kept.kept",
            "tickets_kept.refused",
            "keep_tickets.tickets",
            "card_drawn.card",
        },
        "nobody": {
            "game_created.seed",
            "game_forked.position",
            "undrawn_shuffled.cards",
            "undrawn_shuffled.tickets",
            "undrawn_shuffled.long_tickets",
            "deck_shuffled.cards",
            "tickets_shuffled.tickets",
            "tickets_returned.tickets",
            "tickets_removed.tickets",
            "resigned.tickets",
        },
    }
