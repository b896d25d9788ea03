"""Some inputs to each target of the fuzzer."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.deep


@pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info >= (3, 14),
    reason="the fuzzer is not to be had here",
)
def test_some_inputs_lead_to_no_500_no_crash_and_no_end(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tools.fuzz",
            "--inputs",
            "600",
            "--seconds",
            "60",
            "--corpus",
            str(tmp_path),
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=200,
    )
    rows = json.loads(done.stdout)
    assert [row["failed"] for row in rows.values()] == [0, 0, 0]
    assert all(row["inputs"] and row["covered"] > 100 for row in rows.values())
