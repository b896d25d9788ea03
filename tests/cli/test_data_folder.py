"""Commands that work on a service's Redis find it by its data folder, whether it runs or not."""

import re

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
    data = tmp_path / "a?b%41#c @d:1 %(here)s"
    with Stack(data, workers=0) as stack:
        assert report("import", PARIS, "--data", data)["new"] is True
        assert report("check", "--data", data)["games"] == 1
        assert report("rebuild", "--data", data) == {"games": 1, "broken": []}
        [game] = Client(stack.url).get("/v1/games", status="finished")["items"]
    assert game["board"] == "paris"
    assert [*tmp_path.iterdir()] == [data]
    assert (data / "records.sqlite3").stat().st_mode & 0o077 == 0
    assert report("import", PARIS, "--data", data)["new"] is False
    assert report("check", "--data", data)["games"] == 1


def test_an_import_names_its_service_and_ends_if_that_is_not_the_one_asked_for(
    tmp_path, monkeypatch
):
    """The folder has data of its own, and the service that runs has another."""
    monkeypatch.chdir(tmp_path)
    with Stack(tmp_path / "var", workers=0):
        pass
    two = tmp_path / "two.ndjson.gz"
    two.write_bytes(PARIS.read_bytes() + (HERE / "london.ndjson.gz").read_bytes())
    with Stack(tmp_path / "other", workers=0) as stack:
        wrong = run("import", two, "--server", stack.url)
        assert wrong.returncode == 1
        assert "No service runs on var: its Redis is started for this command." in wrong.stderr
        assert re.search(rf"{stack.url} does not have g_\w+, which was imported here", wrong.stderr)
        right = run("import", two, "--data", "other", env={"FOGG_SERVER": stack.url})
        assert (right.returncode, right.stderr) == (0, "")
        assert re.match(r"2 of 2 games are new .*\n.*other/redis/redis.sock\n", right.stdout)
    away = run("import", two, "--server", stack.url)
    assert f"{stack.url} cannot be reached" in away.stderr
    assert report("check")["games"] == 1


@pytest.mark.parametrize(
    "command", [["check"], ["rebuild"], ["import", PARIS]], ids=lambda command: command[0]
)
def test_a_folder_that_no_service_has_used_is_named_and_not_made(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    said = run(*command)
    assert (said.returncode, said.stdout) == (1, "")
    assert "there is no var/redis: name the folder of fogg up by --data, or" in said.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command",
    [["check"], ["rebuild"], ["import", PARIS], ["backup", "one.gz"], ["move", "--to", "{}"]],
    ids=lambda command: command[0],
)
def test_a_database_that_is_not_there_is_named_and_not_made(
    redis, redis_server, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    words = (str(word).format("sqlite:///new.sqlite3") for word in command)
    said = run(*words, "--data", "wrong")
    assert (said.returncode, said.stdout) == (1, "")
    assert re.fullmatch("Error: .* there is no wrong/records.sqlite3\n", said.stderr)
    assert not list(tmp_path.iterdir())


def test_no_tables_are_made_in_another_database(redis, redis_server, tmp_path, monkeypatch):
    monkeypatch.setenv("FOGG_REDIS_URL", redis_server.url)
    (tmp_path / "records.sqlite3").touch()
    said = run("check", "--data", tmp_path)
    assert (said.returncode, said.stdout) == (1, "")
    assert "its tables are not made yet" in said.stderr
