"""Histories in little space: what comes out is what went in, to the byte."""

import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.entry import canonical, hash_after, salt_after
from service.store.packing import packed, unpacked

KEPT = sorted((Path(__file__).parents[2] / "histories").glob("*.ndjson.gz"))


def chained(texts: list[bytes]) -> list[tuple[bytes, str]]:
    """A history of these texts."""
    history, last = [], ""
    for text in texts:
        last = hash_after(last, text)
        history.append((text, last))
    return history


def read(path: Path) -> list[tuple[bytes, str]]:
    """The history in a file."""
    entries = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    return chained([canonical({k: v for k, v in entry.items() if k != "hash"})
                    for entry in entries])


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_every_kind_of_history_is_unpacked_without_loss(path):
    history = read(path)
    texts, rest = packed(history)
    assert unpacked(texts, rest) == history
    assert b'"at":"2' not in texts


def test_derivable_members_are_left_out():
    salts = ["00112233445566778899aabbccddeeff"]
    salts += [salt_after(salts[0], version) for version in range(2, 50)]
    history = chained([canonical({
        "version": number, "at": f"2026-01-01T00:00:{number:02}.000Z", "events": [{}],
        "salt": salt, "schema_version": 1}) for number, salt in enumerate(salts, 1)])
    texts, rest = packed(history)
    assert unpacked(texts, rest) == history
    assert len(set(texts.split(b"\n"))) == 2  # the first, and all others
    assert len(rest) < 16 + 6 + 2 * 49


def test_members_that_cannot_be_derived_are_kept():
    texts = [b'{"at":"2026-01-01T00:00:00.000Z","salt":"%s","version":%d}' % (b"5e" * 16, number)
             for number in (1, 3, 2)]
    texts += [b'{"at":"yesterday","version":04}', b"", "♜\"\\".encode(), b'{"action":{"a":1},"at":'
              b'"0001-01-01T00:00:00.000Z","command":"' + b"ab" * 16 + b"." + b"cd" * 8 + b'"}']
    assert unpacked(*packed(chained(texts))) == chained(texts)


@given(st.binary(max_size=200), st.binary(max_size=200))
@settings(max_examples=500, deadline=None)
def test_arbitrary_bytes_are_refused_or_some_history(texts, rest):
    with contextlib.suppress(ValueError):
        assert isinstance(unpacked(texts, rest), list)
