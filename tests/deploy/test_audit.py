"""The audit of what we install, by an index of advisories that is on this machine."""

import json
import os
import subprocess
import sys

import pytest

from tests import servers
from tests.deploy.parts import ROOT
from tools.ports import free_port

NAME = "GHSA-test-test-test"
ADVISORY = {"id": NAME, "summary": "A hole.", "modified": "2026-01-01T00:00:00Z", "affected": []}


@pytest.fixture
def index():
    """Return (address, set) of an index that reports a vulnerability of each package in the set."""
    holed: set[str] = set()

    class Index(servers.Handler):
        def do_POST(self):
            asked = self.rfile.read(int(self.headers["Content-Length"]))
            self._send(
                {
                    "results": [
                        {"vulns": [{"id": NAME, "modified": ADVISORY["modified"]}]}
                        if query["package"]["name"] in holed
                        else {}
                        for query in json.loads(asked)["queries"]
                    ]
                }
                if self.path.endswith("querybatch")
                else {}
            )  # npm's: there is nothing

        def do_GET(self):
            self._send(ADVISORY)

        def _send(self, value: dict) -> None:
            self.answer(200, json.dumps(value).encode(), Content_Type="application/json")

    with servers.listening(Index) as url:
        yield f"{url}/", holed


def audit(url: str) -> tuple[int, dict[str, str]]:
    """Return (the status, what is said of each lock file)."""
    done = subprocess.run(
        [sys.executable, ".ci/audit.py", "--python-index", url, "--node-index", url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"UV_HTTP_RETRIES": "0"},
    )
    assert done.stderr == ""
    parts = done.stdout.replace("\n    ", " ").splitlines()
    return done.returncode, dict(part.split(": ", 1) for part in parts)


@pytest.mark.parametrize(
    ("package", "lock", "fails"), [("flask", "deploy", True), ("pytest", "dev", False)]
)
def test_a_hole_is_named_and_fails_if_the_package_is_shipped(index, package, lock, fails):
    url, holed = index
    holed.add(package)
    status, said = audit(url)
    assert status == fails
    named = said.pop(f"locks/requirements-{lock}.lock")
    assert named.startswith(f"known vulnerabilities: 1 {package} ")
    assert f" {NAME} A hole. (mended in no version yet)" in named
    assert len(said) == 4
    assert fails or set(said.values()) == {"known vulnerabilities: none"}


def test_an_unreachable_index_differs_from_one_without_advisories():
    status, said = audit(f"http://127.0.0.1:{free_port()}/")
    assert status == 0
    assert len(said) == 5
    assert all(
        what.startswith("NOT AUDITED, the index of advisories could not be reached: ")
        for what in said.values()
    )
