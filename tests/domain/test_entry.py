"""Entries of histories: text, hash, idempotency key."""

import json
from hashlib import sha256

import orjson
import pytest

from domain.entry import (
    FORMS,
    NEEDED,
    OPTIONAL,
    IdempotencyKey,
    Step,
    canonical,
    hash_after,
    history,
    new_entry,
    salt_after,
    with_hash,
)
from domain.tournament.events import TournamentStarted
from tests.domain.game.test_proof import played
from tools.histories.written import BOARDS


@pytest.mark.parametrize("seed", range(4))
def test_the_text_of_an_entry_is_the_one_that_the_store_writes(seed):
    for board in BOARDS:
        for entry in played(board, 2, seed, seed % 3):
            bare = {k: v for k, v in entry.items() if k != "hash"}
            assert canonical(bare) == orjson.dumps(bare, option=orjson.OPT_SORT_KEYS)


@pytest.mark.parametrize("seconds", [60, 60.0, 0.1, 1e-4, 9.9e-5, 1e-5, 2.5e-6, 5e-324, 86400.5])
def test_seconds_are_written_as_the_store_writes_them(seconds):
    entry = {"events": [{"clock": {"bank": seconds, "increment": 0.0}}]}
    assert canonical(entry) == orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)


def test_the_hash_covers_the_hash_before_and_the_text():
    first = with_hash({"events": []}, "")
    assert first["hash"] == sha256(b'\n{"events":[]}').hexdigest()
    assert (
        with_hash({"events": []}, first["hash"])["hash"]
        == hash_after(first["hash"], b'{"events":[]}')
        != first["hash"]
    )


def test_members_that_are_none_are_left_out_of_an_entry():
    made = new_entry(3, "2026-01-01T00:00:00.000Z", [TournamentStarted()])
    assert made == {
        "version": 3,
        "at": "2026-01-01T00:00:00.000Z",
        "schema_version": 1,
        "events": [{"type": "tournament_started"}],
    }
    assert new_entry(3, made["at"], [], seat=0, salt="s", timing={"paused": 1}).keys() == {
        "version",
        "at",
        "schema_version",
        "events",
        "seat",
        "salt",
        "paused",
    }


def test_every_member_that_has_a_form_of_its_own_is_a_member_of_an_entry():
    assert FORMS.keys() <= NEEDED | OPTIONAL
    assert not any(has_form(None) for has_form in FORMS.values())
    once = IdempotencyKey("0" * 32, "f" * 16)
    assert FORMS["command"](str(once))
    assert IdempotencyKey.read(str(once)) == once


def test_the_salts_of_later_entries_follow_from_the_first_ones():
    first = "00112233445566778899aabbccddeeff"
    made = {salt_after(first, version) for version in range(2, 300)}
    assert len(made | {first}) == 299
    assert all(map(FORMS["salt"], made))
    assert salt_after(first, 2) == "4c52da9fa0428c923260eb37f132e122"
    assert salt_after("ff" * 16, 2) not in made


def test_the_lines_of_a_history_are_its_entries_with_derived_salts_and_the_chain_of_hashes():
    first, step = "ab" * 16, Step("2026-01-01T00:00:00.000Z", [TournamentStarted()])
    lines = history(first, [step, step._replace(seat=1, action={"type": "pass"}, note="é")])
    one, other = map(json.loads, lines.splitlines())
    assert (one["salt"], other["salt"]) == (first, salt_after(first, 2))
    assert (one["version"], other["version"], other["note"]) == (1, 2, "é")
    assert "seat" not in one
    for entry, previous in ((one, ""), (other, one["hash"])):
        bare = {name: value for name, value in entry.items() if name != "hash"}
        assert with_hash(bare, previous) == entry
