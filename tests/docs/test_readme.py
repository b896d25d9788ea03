"""The README, word for word: its commands are run, and what they print is what it shows."""

import json
import os
import re
import sys

from tests.programs import output
from tools.generators.readme import README, REST, ROOT, TURN, answers, as_read, blocks

ID = re.compile(r"[gp]_[0-9a-f]{20}")
# other every time
UNFORESEEN = (
    "at",
    "hash",
    "request_id",
    "deadline",
    "available",
    "arrived",
    "queued",
    "bank",
    "created",
    "updated",
    "started",
)


def alike(real: object, shown: object) -> bool:
    """Return whether an output matches the one shown, which may be shortened."""
    if type(real) is not type(shown):
        return False
    if isinstance(shown, dict):
        names = shown.keys() - {REST}
        return (names < real.keys() if REST in shown else names == real.keys()) and all(
            type(real[name]) is type(shown[name])
            if name in UNFORESEEN
            else alike(real[name], shown[name])
            for name in names
        )
    if isinstance(shown, list):
        cut = shown[-1:] == [REST]
        items = shown[:-1] if cut else shown
        return (len(real) > len(items) if cut else len(real) == len(items)) and all(
            map(alike, real, items)
        )
    return ID.sub("ID", real) == ID.sub("ID", shown) if isinstance(shown, str) else real == shown


def test_the_turn_with_curl_goes_as_it_is_shown(stack):
    shown = [as_read(text) for language, text in blocks(TURN) if language == "json"]
    for real, example in zip(answers(stack.url), shown, strict=True):
        assert alike(real, example), json.dumps(real, indent=1)


def test_no_line_is_too_long_to_be_read():
    assert max(map(len, README.read_text().splitlines())) <= 120


def test_the_bot_wins_more_often_than_not_as_the_readme_says(tmp_path):
    [(language, text)] = blocks("A bot that beats `greedy`")
    assert language == "python"
    (tmp_path / "passepartout.py").write_text(text)
    told = output(
        sys.executable,
        "-m",
        "cli",
        "arena",
        "passepartout:Passepartout",
        "greedy",
        "--games",
        6,
        "--seed",
        0,
        "--duplicate",
        "--json",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    wins = {row["bot"]: row["wins"] for row in json.loads(told)["overall"]}
    assert wins["passepartout:Passepartout"] > 4


def test_make_knows_every_target_that_the_readme_names():
    named = set(re.findall(r"\bmake (\w+)", README.read_text()))
    listed = output("make", "help", cwd=ROOT)
    assert named <= set(re.findall(r"^make (\w+)", listed, re.MULTILINE))
