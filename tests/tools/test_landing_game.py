"""The game that the first screen replays on a service where none has been played."""

import gzip
import json

from tools.generators.landing_game import FILE, made


def test_the_game_of_the_first_screen_is_what_rules_and_bots_make_of_its_deal():
    assert made() == FILE.read_text(), "run python -m tools.generators.landing_game"


def test_the_game_of_the_first_screen_is_whole_and_small():
    text = FILE.read_bytes()
    first, *_, last = map(json.loads, text.splitlines())
    assert (first["version"], last["status"]) == (1, "finished")
    assert all(seat["result"]["total"] > 0 for seat in last["seats"])
    assert len(gzip.compress(text)) < 20_000
