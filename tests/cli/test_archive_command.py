"""``fogg archive`` says in a sentence what is wrong, and does nothing then."""

import pytest

from tests.cli.inside import run


@pytest.mark.parametrize(("archive", "url", "said"), [
    ("ftp://x", None, "FOGG_ARCHIVE is 'ftp://x'; it should be a folder or s3://BUCKET/PREFIX"),
    ("/dev/null/x", "unix:///nowhere", "Redis does not answer"),
])
def test_a_missing_archive_is_reported(redis_server, archive, url, said):
    done = run("archive", env={
        "FOGG_ARCHIVE": archive, "FOGG_REDIS_URL": url or redis_server.url})
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_an_archive_that_cannot_be_written_stops_no_game(store_with_a_game):
    store, environment = store_with_a_game
    done = run("archive", "--older-than", 0, env=environment | {"FOGG_ARCHIVE": "/dev/null/x"})
    assert (done.returncode, done.stdout) == (1, "")
    assert "the archive cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(list(store.ids_here())) == 1


@pytest.fixture
def store_with_a_game(redis, redis_server):
    from random import Random

    from domain.boards import load_folder
    from service.store.games import GameStore
    from tests.games import store_random_game

    boards = load_folder()
    store = GameStore(redis, boards)
    store_random_game(store, boards["paris"], 2, Random(1))
    return store, {"FOGG_REDIS_URL": redis_server.url}
