"""Settings that are numbers."""

import subprocess
import sys

import pytest

from service.store.numbers import NUMBERS, BadSetting, check, number


def test_a_setting_is_what_it_is_set_to(monkeypatch):
    assert number("FOGG_LOBBY_HOURS") == 24
    monkeypatch.setenv("FOGG_LOBBY_HOURS", "0.5")
    assert number("FOGG_LOBBY_HOURS") == 0.5
    monkeypatch.setenv("FOGG_LOBBY_HOURS", "")
    assert number("FOGG_LOBBY_HOURS") == 24


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("text", ["a week", "-1", "nan", "inf", "1e9"])
def test_another_word_is_refused(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    with pytest.raises(BadSetting, match=f"{name} is '{text}'"):
        check()


def test_a_command_says_so_in_a_sentence(redis_server, tmp_path):
    made = subprocess.run(
        [sys.executable, "-m", "cli", "archive"], capture_output=True, text=True, timeout=60,
        env={"FOGG_REDIS_URL": redis_server.url, "FOGG_ARCHIVE": str(tmp_path),
             "FOGG_ARCHIVE_DAYS": "a week", "PYTHONPATH": ":".join(sys.path)})
    assert made.returncode == 1
    assert made.stderr.startswith("Error: FOGG_ARCHIVE_DAYS is 'a week'")
