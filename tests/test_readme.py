"""The README, word for word: its commands are run, and what they print is what it shows.

``python -m tests.test_readme`` writes the answers that it shows anew.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from service.operation.stack import Stack

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(heading: str) -> list[tuple[str, str]]:
    """The (language, text) of every block of code below a heading."""
    section = README.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return BLOCK.findall(section)


def answers(url: str) -> list[dict]:
    """Run the commands of the turn with curl as one shell; return the JSON that they print."""
    commands = "\n".join(text for language, text in blocks("One turn with curl")
                         if language == "sh")
    commands = commands.replace("http://127.0.0.1:8000", url)
    done = subprocess.run(["sh", "-e"], input=commands, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    decoder, found, text = json.JSONDecoder(), [], done.stdout
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].lstrip()
    return found


def shown(value: dict) -> str:
    """A JSON object with a line for each member."""
    lines = [f"  {json.dumps(name)}: {json.dumps(member)}" for name, member in value.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    with Stack(tmp_path_factory.mktemp("readme")) as running:
        yield running


def test_the_turn_with_curl_goes_as_it_is_shown(stack):
    told = [json.loads(text) for language, text in blocks("One turn with curl")
            if language == "json"]
    for real, example in zip(answers(stack.url), told, strict=True):
        assert real.keys() == example.keys()
        for name in ("status", "row", "you", "code", "rule"):
            assert real.get(name) == example.get(name)


def test_the_bot_plays_a_game_to_its_end(stack, tmp_path):
    [(language, text)] = blocks("A bot in 25 lines")
    assert language == "python"
    assert len(text.splitlines()) <= 25
    (tmp_path / "my_bot.py").write_text(text)
    done = subprocess.run([sys.executable, "my_bot.py", stack.url], cwd=tmp_path, text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["Passepartout", "greedy"]


def test_make_knows_every_target_that_the_readme_names():
    named = set(re.findall(r"\bmake (\w+)", README.read_text()))
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    assert named <= set(re.findall(r"^make (\w+)", listed, re.MULTILINE))


def test_the_files_that_the_docs_link_to_are_there():
    for page in [README, *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def main() -> None:
    """Write the answers anew."""
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder)) as running:
        real = iter(answers(running.url))
    text = README.read_text()
    before, section = text.split("\n## One turn with curl\n")
    section, rest = section.split("\n## ", 1)
    section = re.sub(r"(^```json\n).*?(^```$)", lambda m: m[1] + shown(next(real)) + m[2], section,
                     flags=re.MULTILINE | re.DOTALL)
    README.write_text(f"{before}\n## One turn with curl\n{section}\n## {rest}")


if __name__ == "__main__":
    main()
