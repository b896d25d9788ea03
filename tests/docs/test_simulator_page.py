"""The examples of docs/simulator.md run, as they stand but for fewer games."""

import re

import pytest
from fogg_simulator.policy import Policy

from cli.recorded.verdicts import verdicts
from tools.generators.readme import BLOCK, ROOT

PAGE = (ROOT / "docs" / "simulator.md").read_text()
EXAMPLES = [text for language, text in BLOCK.findall(PAGE) if language == "python"]
GAMES, HISTORIES, GYMNASIUM, PETTINGZOO, OPENSPIEL, TRAINING = EXAMPLES


def test_the_games_that_end_are_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(HISTORIES.replace("games=64", "games=2").replace("1000", "200"), {})
    rows = [*verdicts(["games.ndjson"])]
    assert rows
    assert all(row["ok"] for row in rows)


@pytest.mark.parametrize(
    ("program", "is_over"),
    [
        (GAMES.replace("games=64", "games=4"), lambda sim, **_: int.from_bytes(sim.seed(0)) > 7),
        (GYMNASIUM, lambda info, **_: len(info["scores"]) > 1),
        (PETTINGZOO, lambda env, **_: env.agents == []),
        (OPENSPIEL, lambda state, **_: sum(state.returns()) == 0),
    ],
    ids=["games", "gymnasium", "pettingzoo", "openspiel"],
)
def test_an_example_plays_games_to_their_end(program, is_over):
    names: dict = {}
    exec(program, names)
    assert is_over(**names)


def test_the_policy_learns_and_is_kept(tmp_path, monkeypatch, capsys):
    """For two games instead of minutes."""
    monkeypatch.chdir(tmp_path)
    program = TRAINING
    for line, short in (
        (r"MINUTES, GAMES, DEALS, RATE = .*", "MINUTES, GAMES, DEALS, RATE = 5.0, 2, 1, 0.02"),
        (r"    while time.process_time\(\) < end:", "    while played < 2:"),
    ):
        program, count = re.subn(f"^{line}$", short, program, flags=re.M)
        assert count == 1
    exec(program, {"__name__": "training"})
    assert re.match(r"[23] games; margin over random -?\d+ before", capsys.readouterr().out)
    assert Policy.load("policy.npz").weights["direct"].any()
