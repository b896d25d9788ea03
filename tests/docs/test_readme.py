"""The README, word for word: its commands are run, and what they print is what it shows."""

import json
import os
import re
import subprocess
import sys

from tools.generators.readme import README, REST, ROOT, TURN, answers, as_read, as_shown, blocks

ID = re.compile(r"[gp]_[0-9a-f]{20}")
# other every time
UNFORESEEN = ("at", "hash", "request_id", "deadline", "available", "arrived", "queued", "bank",
              "created", "updated", "started")


def alike(real: object, shown: object) -> bool:
    """Return whether an output matches the one shown, which may be shortened."""
    if type(real) is not type(shown):
        return False
    if isinstance(shown, dict):
        names = shown.keys() - {REST}
        return (names < real.keys() if REST in shown else names == real.keys()) and all(
            type(real[name]) is type(shown[name]) if name in UNFORESEEN
            else alike(real[name], shown[name]) for name in names)
    if isinstance(shown, list):
        cut = shown[-1:] == [REST]
        items = shown[:-1] if cut else shown
        return (len(real) > len(items) if cut else len(real) == len(items)) and all(
            map(alike, real, items))
    return ID.sub("ID", real) == ID.sub("ID", shown) if isinstance(shown, str) else real == shown


def test_the_turn_with_curl_goes_as_it_is_shown(stack):
    shown = [as_read(text) for language, text in blocks(TURN) if language == "json"]
    for real, example in zip(answers(stack.url), shown, strict=True):
        assert alike(real, example), json.dumps(real, indent=1)


LONG = {"id": "g_" + "0" * 20, "row": ["red"] * 40, "turns": [{"seat": 0, "card": "red"}] * 40,
        "view": dict.fromkeys("abcdefghijk", "x" * 10)}


def test_long_output_is_cut_and_the_shown_part_is_compared():
    shown = as_read(as_shown(LONG))
    assert max(map(len, as_shown(LONG).splitlines())) <= 100
    assert shown["row"] == ["red"] * 3 + [REST]
    assert REST in shown["view"]
    assert alike(LONG, shown)
    assert alike(LONG | {"id": "g_" + "1" * 20}, shown)
    assert alike(LONG | {"row": ["red"] * 4}, shown)
    for other in ({"row": ["red"] * 3}, {"row": ["blue"] * 40}, {"view": {}}, {"more": 1},
                  {"turns": [{"seat": 1, "card": "red"}] * 40}, {"id": "p_1"}):
        assert not alike(LONG | other, shown)


def test_no_line_is_too_long_to_be_read():
    assert max(map(len, README.read_text().splitlines())) <= 120


def test_the_bot_wins_more_often_than_not_as_the_readme_says(tmp_path):
    [(language, text)] = blocks("A bot that beats `greedy`")
    assert language == "python"
    assert len(text.splitlines()) <= 52
    (tmp_path / "passepartout.py").write_text(text)
    done = subprocess.run([sys.executable, "-m", "cli", "arena", "passepartout:Passepartout",
                           "greedy", "--games", "6", "--seed", "0", "--duplicate", "--json"],
                          cwd=tmp_path, text=True, capture_output=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=120)
    assert done.returncode == 0, done.stderr
    wins = {row["bot"]: row["wins"] for row in json.loads(done.stdout)["overall"]}
    assert wins["passepartout:Passepartout"] > 4


def test_make_knows_every_target_that_the_readme_names():
    named = set(re.findall(r"\bmake (\w+)", README.read_text()))
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    assert named <= set(re.findall(r"^make (\w+)", listed, re.MULTILINE))


def test_the_files_that_the_docs_link_to_are_there():
    for page in [README, *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
