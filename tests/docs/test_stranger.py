"""docs/verify.mjs, which uses nothing of Fogg's and was written from docs/fairness.md, verifies
histories of every kind, and finds what it can find without knowing the rules."""

import gzip
import json
import zipfile
from pathlib import Path
from random import Random

import pytest

from domain.boards import parse
from domain.game.commands import Resign
from domain.game.proof import finished
from tests.domain.game.test_forks import played, wish
from tests.domain.game.test_proof import by_node, chained, with_flags
from tests.outside import BOARDS as OUTSIDE
from tools.histories.edits import plain
from tools.histories.kept import expected, read
from tools.histories.written import BOARDS as SHIPPED
from tools.histories.written import BY_DIGEST, History, begun

BOARDS = SHIPPED | {"odd": OUTSIDE["odd"]}
TABLES = BY_DIGEST | {board.digest: board for board in OUTSIDE.values()}
RECORDED = Path(__file__).parents[1] / "histories" / "kept-0.1"


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


def test_a_stranger_verifies_the_games_of_a_service(tmp_path):
    """With resignations, lost and played on time, waiting bots, and deals played twice."""
    text = gzip.decompress((RECORDED / "games.ndjson.gz").read_bytes())
    games = [json.loads(line)["entries"] for line in text.splitlines()]
    for line in zipfile.ZipFile(RECORDED / "duplicate.zip").read("histories.ndjson").splitlines():
        entry = json.loads(line)
        games += [[]] * (entry["version"] == 1)
        games[-1] = [*games[-1], entry]
    assert len(games) > 14
    for entries in games:
        assert "rating_rules" in entries[0]["events"][0]
        verified(entries, tmp_path)


@pytest.mark.parametrize("on_timeout", ["act", "resign"])
@pytest.mark.parametrize("board", sorted(OUTSIDE.keys() - {"odd"}))
def test_a_stranger_verifies_games_by_rules_of_outside_authors(board, on_timeout, tmp_path):
    options = {"clock": {"per_decision": 30.0}, "on_timeout": on_timeout}
    history = begun(OUTSIDE[board], OUTSIDE[board].players[-1], 5, **options)
    for seat, _ in history.state.deciding():
        history.play(seat, history.due(seat))
    history.play(history.state.turn, None, late=True)
    history.play(history.state.turn, Resign())
    verified(history.play_on().entries, tmp_path)


def test_a_stranger_computes_the_digest_of_a_table_with_marks_that_are_false(tmp_path):
    table = json.loads(json.dumps(OUTSIDE["mountains"].table))
    table["name"] = "Zürich \U0001f3d4"
    table["routes"][0]["tunnel"] = False
    board = parse(json.dumps(table), rules=OUTSIDE["mountains"].ruleset.known)
    entries = plain(begun(board, 2, 3).play_on().entries)
    assert by_node(tmp_path, entries, board).returncode == 0


@pytest.mark.parametrize("version", [1, 2, 3, 20])
@pytest.mark.parametrize("is_rated", [True, False])
def test_a_salt_that_does_not_follow_from_the_first_is_found(version, is_rated, tmp_path):
    """Where a game is of ratings: else salts may be random, as of old."""
    entries = plain(begun("paris", 2, 7).play_on().entries)
    if is_rated:
        entries[0]["events"][0]["rating_rules"] = 4
    assert by_node(tmp_path, chained(entries), "paris").returncode == 0
    entries[version - 1]["salt"] = "0" * 32
    entries = chained(entries)
    wrong, said = finished(BY_DIGEST, entries).wrong, by_node(tmp_path, entries, "paris").stdout
    if is_rated:
        at = max(version, 2)
        assert (wrong.version, wrong.code) == (at, "salt")
        assert f"entry {at} is wrong: the salt" in said
    else:
        assert (wrong, "entries are right" in said) == (None, True)


def test_a_table_that_is_not_the_games_is_found(tmp_path):
    entries = plain(begun(OUTSIDE["countries"], 2, 3).play_on().entries)
    board = OUTSIDE["countries"]
    table = json.loads(json.dumps(board.table))
    table["locations"][0]["lat"] += 0.5
    other = parse(json.dumps(table), rules=board.ruleset.known)
    other.described["digest"] = board.digest
    assert by_node(tmp_path, entries, board).returncode == 0
    assert "entry 1 is wrong: the board's digest" in by_node(tmp_path, entries, other).stdout
