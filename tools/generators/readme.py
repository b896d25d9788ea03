"""The commands of README.md and their output.

``python -m tools.generators.readme`` runs the commands and writes their output. Long lists and
objects are cut: ``...`` stands for the rest.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

from service.operation.stack import Stack
from tools.generators.pages import BLOCK, ROOT

README = ROOT / "README.md"
TURN = "One turn with curl"  # the section
REST = "..."
CUT = re.compile(r"\.\.\.(\s*[\]}])")
WIDTH = 100  # columns of an answer
ITEMS = 3  # of a list that does not fit on a line
MEMBERS = 10  # of an object within another; one that has more and does not fit on a line is cut


def blocks(heading: str) -> list[tuple[str, str]]:
    """Return the (language, text) of every block of code below a heading."""
    section = README.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return BLOCK.findall(section)


def answers(url: str) -> list[dict]:
    """Run the commands of the turn with curl as one shell; return the JSON that they print."""
    commands = "\n".join(text for language, text in blocks(TURN) if language == "sh")
    commands = commands.replace("http://127.0.0.1:8000", url)
    done = subprocess.run(["sh", "-e"], input=commands, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    decoder, values, text = json.JSONDecoder(), [], done.stdout
    while text:
        value, end = decoder.raw_decode(text)
        values.append(value)
        text = text[end:].lstrip()
    return values


def as_shown(answer: dict) -> str:
    """Return an answer as the README shows it."""
    return "\n".join(_lines("", answer, "", outermost=True)) + "\n"


def as_read(text: str) -> dict:
    """Return an answer that the README shows, with REST where something is cut: the last of a list,
    or the name of a member."""

    def quoted(cut: re.Match) -> str:
        return f'"{REST}"{": 0" if cut[1].endswith("}") else ""}{cut[1]}'

    return json.loads(CUT.sub(quoted, text))


def _lines(start: str, value: object, comma: str, *, outermost: bool = False) -> list[str]:
    """Return a value in lines that fit, the first one after ``start``, the last before a comma."""
    line = start + json.dumps(value, ensure_ascii=False) + comma
    if not isinstance(value, dict | list) or (not outermost and len(line) <= WIDTH):
        return [line]
    if isinstance(value, dict) and not outermost and len(value) > MEMBERS:
        return [_cut(start, value, comma)]
    indent = " " * (len(start) - len(start.lstrip()) + 2)
    if isinstance(value, dict):
        parts = [(f"{indent}{json.dumps(name)}: ", member) for name, member in value.items()]
    else:
        parts = [(indent, item) for item in value[:ITEMS]]
    rest = isinstance(value, list) and len(value) > ITEMS
    inner = []
    for number, (begun, part) in enumerate(parts, 1):
        inner += _lines(begun, part, "," if rest or number < len(parts) else "")
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return [
        start + opening,
        *inner,
        *([indent + REST] if rest else []),
        indent[2:] + closing + comma,
    ]


def _cut(start: str, value: dict, comma: str) -> str:
    """Return as many members of an object as fit on one line."""
    line = start + "{"
    for name, member in value.items():
        longer = f"{line}{json.dumps(name)}: {json.dumps(member, ensure_ascii=False)}, "
        if len(longer + REST + "}" + comma) > WIDTH:
            break
        line = longer
    return line + REST + "}" + comma


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder)) as running:
        real = iter(answers(running.url))
    text = README.read_text()
    before, section = text.split(f"\n## {TURN}\n")
    section, rest = section.split("\n## ", 1)
    section = re.sub(
        r"(^```json\n).*?(^```$)",
        lambda m: m[1] + as_shown(next(real)) + m[2],
        section,
        flags=re.MULTILINE | re.DOTALL,
    )
    README.write_text(f"{before}\n## {TURN}\n{section}\n## {rest}")


if __name__ == "__main__":
    main()
