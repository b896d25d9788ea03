"""docs/verify.mjs, which uses nothing of Fogg's, verifies all kept histories, and forks."""

import json
from random import Random

import pytest

from domain.game.proof import finished
from tests.domain.game.test_forks import played, wish
from tests.domain.game.test_proof import by_node, with_flags
from tests.outside import BOARDS as OUTSIDE
from tools.histories.kept import expected, read
from tools.histories.written import BOARDS as SHIPPED
from tools.histories.written import BY_DIGEST, History, begun

BOARDS = SHIPPED | {"odd": OUTSIDE["odd"]}
TABLES = BY_DIGEST | {OUTSIDE["odd"].digest: OUTSIDE["odd"]}
MARK = "\ue000"  # before a number with a point, so that it keeps the form that was served


def verified(entries: list[dict], folder) -> list[str]:
    """Return the types of the events of a history that docs/verify.mjs, on a board whose members
    have no order, and ``fogg verify`` find right."""
    entries = json.loads(json.dumps(entries))
    table = TABLES[entries[0]["events"][0]["board_digest"]]
    types = [event["type"] for entry in entries for event in entry["events"]]
    said = by_node(folder, entries, table, sort_keys=True).stdout
    assert said == (
        f"{len(entries)} entries are right; {types.count('deck_shuffled')} shuffles of "
        f"the cards; last hash {entries[-1]['hash']}\n"
    )
    assert finished(TABLES, entries).wrong is None
    return types


@pytest.mark.parametrize("name", sorted(expected()))
def test_a_stranger_verifies_the_kept_histories(name, tmp_path):
    verified(read(name), tmp_path)


@pytest.mark.parametrize("board", BOARDS)
def test_a_stranger_verifies_games_and_their_forks(board, tmp_path):
    game = (
        begun(
            BOARDS[board], BOARDS[board].players[-1], 21, clock={"bank": 6000.5, "increment": 0.25}
        )
        .play_on(with_flags)
        .entries
    )
    happened = verified(game, tmp_path)
    assert happened.count("deck_shuffled") > 1
    assert ("flag_completed" in happened) == ("flags" in BOARDS[board].rules)
    shuffles = 0
    for cards in ("kept", "reshuffled"):
        for steps in (2, 30, 55):
            fork = History(BOARDS[board], Random(steps))
            fork.play(None, wish(played(BOARDS[board], steps), cards))
            happened = verified(fork.play_on(with_flags).entries, tmp_path)
            assert ("undrawn_shuffled" in happened) == (cards == "reshuffled")
            shuffles += happened.count("deck_shuffled")
    assert shuffles > 1
