"""Warnings about a Redis that may lose games, and settings that are rejected."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import urllib3

from service.redis import durability
from service.redis.connection import connect
from service.redis.durability import refuse_unfit, risky_settings
from service.starting import RedisUnavailable

FOGG = [sys.executable, "-m", "cli"]


@contextmanager
def set_to(client, name: str, value: object) -> Iterator[None]:
    """Give a Redis another setting for a while."""
    before = client.config_get(name)[name]
    client.config_set(name, value)
    try:
        yield
    finally:
        client.config_set(name, before)


def test_the_embedded_redis_causes_no_warning(client):
    assert risky_settings(client) == []


@pytest.mark.parametrize(
    ("name", "value", "good"),
    [
        ("appendonly", "no", "yes"),
        ("appendfsync", "everysec", "always"),
        ("aof-load-truncated", "yes", "no"),
        ("maxmemory-policy", "allkeys-lru", "noeviction"),
    ],
)
def test_each_setting_by_which_games_may_be_lost_is_named(client, name, value, good):
    with set_to(client, name, value):
        [said] = risky_settings(client)
    assert said.startswith(f"Redis has {name} {value}, not {good}: ")


def test_an_unlimited_redis_is_reported(client):
    with set_to(client, "maxmemory", 0):
        [said] = risky_settings(client)
    assert said.startswith("Redis has no maxmemory: ")


def test_a_redis_that_is_away_or_hides_its_settings_causes_no_warning(server, client):
    client.execute_command("ACL SETUSER shy on >secret ~* &* +@all -config")
    with connect(server.url.replace("unix://", "unix://shy:secret@")) as shy:
        assert risky_settings(shy) == []
    with connect("unix:///nowhere.sock", retry=False) as away:
        assert risky_settings(away) == []


@pytest.mark.parametrize("policy", ["allkeys-lru", "allkeys-lfu", "allkeys-random"])
def test_a_redis_that_would_delete_histories_is_refused(client, policy):
    with (
        set_to(client, "maxmemory-policy", policy),
        pytest.raises(RedisUnavailable, match=f"maxmemory-policy {policy}"),
    ):
        refuse_unfit(client)
    refuse_unfit(client)


def test_a_redis_that_is_too_old_is_refused(client, monkeypatch):
    version = client.info("server")["redis_version"]
    monkeypatch.setattr(durability, "OLDEST_SERVER", (99, 0))
    with pytest.raises(RedisUnavailable, match=f"version {version}; the service needs 99.0 or"):
        refuse_unfit(client)


@pytest.mark.parametrize(
    ("version", "is_old"),
    [("6.2.14", True), ("7.0.15", True), ("7.2.0", False), ("7.10.1", False), ("8.2.3", False)],
)
def test_versions_are_compared_by_their_numbers(version, is_old):
    assert (durability.numbers(version) < durability.OLDEST_SERVER) is is_old


def test_a_redis_that_hides_its_settings_is_accepted(server, client):
    client.execute_command("ACL SETUSER mute on >secret ~* &* +@all -config -info")
    with connect(server.url.replace("unix://", "unix://mute:secret@")) as mute:
        refuse_unfit(mute)


@pytest.mark.parametrize(
    "command", [["-m", "cli", "up", "--port", "0"], ["-m", "cli", "check"], ["-m", "service.web"]]
)
def test_every_start_on_an_unfit_redis_ends_with_a_sentence(server, client, tmp_path, command):
    client.flushall()  # another test has noted where its database is
    with set_to(client, "maxmemory-policy", "allkeys-lru"):
        done = subprocess.run(
            [sys.executable, *command],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | {"FOGG_REDIS_URL": server.url},
            cwd=tmp_path,
        )
    assert done.returncode == 1
    assert "Set maxmemory-policy to noeviction" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_setting_that_may_lose_games_is_said_on_the_console_in_metrics_and_by_check(
    server, client, tmp_path
):
    environment = os.environ | {"FOGG_REDIS_URL": server.url}
    with (
        set_to(client, "appendfsync", "everysec"),
        subprocess.Popen(
            [*FOGG, "up", "--port", "0", "--data", str(tmp_path), "--json", "--workers", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as up,
    ):
        ready, warning = (json.loads(up.stdout.readline()) for _ in range(2))
        metrics = urllib3.request("GET", f"{ready['url']}/metrics").data.decode()
        checked = subprocess.run(
            [*FOGG, "check", "--data", str(tmp_path), "--json"],
            capture_output=True,
            text=True,
            env=environment,
        )
        up.send_signal(signal.SIGTERM)
    said = (
        "Redis has appendfsync everysec, not always: the last second before the machine fails "
        "may be lost"
    )
    assert warning == {"event": "warning", "message": said}
    assert "\nfogg_redis_warnings 1.0\n" in metrics
    assert (checked.returncode, json.loads(checked.stdout)["warnings"]) == (0, [said])
