"""The accounts of the built-in bots."""

import json
import stat

from service.accounts import bots


def test_bots_that_came_later_get_tokens_and_the_others_keep_theirs(tmp_path):
    path = tmp_path / "bots.json"
    bots.write_tokens(path)
    first = json.loads(path.read_text())
    assert list(first) == list(bots.BOTS)
    del first["expert"]
    path.write_text(json.dumps(first))
    bots.write_tokens(path)
    again = json.loads(path.read_text())
    assert {name: again[name] for name in first} == first
    assert len(again["expert"]) == bots.SEATS
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    different = {token for tokens in again.values() for token in tokens}
    assert len(different) == len(bots.BOTS) * bots.SEATS
