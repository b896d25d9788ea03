"""docs/fairness.md is enough to write a verifier (``tests.docs.stranger``), also for forks."""

import json
from random import Random

import pytest

from tests.docs.stranger import checked
from tests.domain.game.test_forks import played, wish
from tests.domain.game.test_proof import by_node, chained, with_flags
from tests.histories.kept import expected, read
from tests.histories.written import BOARDS as SHIPPED
from tests.histories.written import BY_DIGEST, History, begun
from tests.outside import BOARDS as OUTSIDE

BOARDS = SHIPPED | {"odd": OUTSIDE["odd"]}
TABLES = BY_DIGEST | {OUTSIDE["odd"].digest: OUTSIDE["odd"]}


def labels(entries: list[dict], folder) -> list[str]:
    """Return the shuffles that the stranger checks, on a board whose members have no order, once
    docs/verify.mjs has found as many."""
    digest = entries[0]["events"][0]["board_digest"]
    board = json.loads(json.dumps(TABLES[digest].described, sort_keys=True))
    done = list(checked([json.dumps(entry) for entry in entries], board))
    said = by_node(folder, entries, TABLES[digest], sort_keys=True)
    count = sum(label.startswith("cards/") for label in done)
    assert f"{len(entries)} entries are right; {count} shuffles of the cards" in said.stdout, said
    return done


@pytest.mark.parametrize("name", sorted(expected()))
def test_a_stranger_verifies_the_kept_histories(name, tmp_path):
    labels(read(name), tmp_path)


@pytest.mark.parametrize("board", BOARDS)
def test_a_stranger_verifies_games_and_their_forks(board, tmp_path):
    clock = {"clock": {"bank": 6000.5, "increment": 0.25}}
    ordinary = begun(BOARDS[board], 3, 21, **clock)
    assert "cards/2" in labels(ordinary.play_on(with_flags).entries, tmp_path)
    numbers = set()
    for cards in ("kept", "reshuffled"):
        for steps in (2, 30, 55):
            fork = History(BOARDS[board], Random(steps))
            fork.play(None, wish(played(BOARDS[board], steps), cards))
            done = labels(json.loads(json.dumps(fork.play_on(with_flags).entries)), tmp_path)
            assert ("fork/cards" in done) == (cards == "reshuffled")
            numbers |= {label for label in done if label.startswith("cards/")}
    assert "cards/1" not in numbers
    assert len(numbers) > 1


def test_the_stranger_refuses_a_fork_whose_shuffle_is_another(tmp_path):
    fork = History(BOARDS["paris"], Random(60))
    fork.play(None, wish(played(BOARDS["paris"], 60), "kept"))
    entries = json.loads(json.dumps(fork.play_on(with_flags).entries))
    event = next(event for entry in entries for event in entry["events"]
                 if event["type"] == "deck_shuffled")
    event["cards"].reverse()
    with pytest.raises(AssertionError, match="cards/"):
        labels(chained(entries), tmp_path)
