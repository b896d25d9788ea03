"""Commands that work on a service's Redis find it by its data folder, whether it runs or not."""

import pytest
from fogg_client.client import Client

from service.operation.stack import Stack
from tests.cli.inside import report, run
from tools.histories.kept import HERE

PARIS = HERE / "paris.ndjson.gz"


@pytest.fixture(autouse=True)
def no_redis_is_named(monkeypatch):
    monkeypatch.delenv("FOGG_REDIS_URL", raising=False)


def test_the_redis_of_a_service_is_found_while_it_runs_and_afterwards(tmp_path):
    data = tmp_path / "var"
    with Stack(data, workers=0) as stack:
        assert report("import", PARIS, "--data", data)["new"] is True
        assert report("check", "--data", data)["games"] == 1
        assert report("rebuild", "--data", data) == {"games": 1, "broken": []}
        [game] = Client(stack.url).get("/v1/games", status="finished")["items"]
    assert game["board"] == "paris"
    assert (data / "records.sqlite3").stat().st_mode & 0o077 == 0
    assert report("import", PARIS, "--data", data)["new"] is False
    assert report("check", "--data", data)["games"] == 1


@pytest.mark.parametrize(
    "command", [["check"], ["rebuild"], ["import", PARIS]], ids=lambda command: command[0]
)
def test_a_folder_that_no_service_has_used_is_named_and_not_made(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    said = run(*command)
    assert (said.returncode, said.stdout) == (1, "")
    assert "there is no var/redis: name the folder of fogg up by --data, or" in said.stderr
    assert not list(tmp_path.iterdir())
