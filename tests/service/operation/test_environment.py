"""Settings that are unknown or senseless."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.operation.environment import NAMES, check
from service.store.numbers import BadSetting

PAGE = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
SENSELESS = {
    "FOGG_CAP": ("", "FOGG_CAP is no setting of Fogg; did you mean FOGG_CAPS?"),
    "FOGG_ZZZZZZ": ("1", "FOGG_ZZZZZZ is no setting of Fogg; docs/operations.md lists all"),
    "FOGG_LIMITS": ("actions=0/60", "FOGG_LIMITS has 'actions=0/60'"),
    "FOGG_CAPS": ("games=0", "FOGG_CAPS has 'games=0'"),
    "FOGG_PROXIES": ("0.5", "FOGG_PROXIES is '0.5'; it should be a whole number"),
    "FOGG_LOG_LEVEL": ("loud", "FOGG_LOG_LEVEL is 'loud'"),
    "FOGG_LOG_REQUESTS": ("perhaps", "FOGG_LOG_REQUESTS is 'perhaps'"),
    "FOGG_WEBHOOKS_PRIVATE": ("some", "FOGG_WEBHOOKS_PRIVATE is 'some'"),
    "WEB_CONCURRENCY": ("abc", "WEB_CONCURRENCY is 'abc'"),
}


@pytest.mark.parametrize(("name", "text", "said"), [(n, *row) for n, row in SENSELESS.items()])
def test_what_makes_no_sense_is_refused_by_name(monkeypatch, name, text, said):
    check()
    monkeypatch.setenv(name, text)
    with pytest.raises(BadSetting) as refused:
        check()
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "", "99999", "\u0661"])
def test_there_is_at_least_one_web_process_and_not_a_crowd(monkeypatch, text):
    monkeypatch.setenv("WEB_CONCURRENCY", text)
    with pytest.raises(BadSetting, match="WEB_CONCURRENCY"):
        check()


@pytest.mark.parametrize(("name", "text"), [
    ("FOGG_LIMITS", "actions=1/60 requests=5/1"), ("FOGG_CAPS", "games=1"), ("FOGG_PROXIES", "2"),
    ("FOGG_LOG_LEVEL", "DEBUG"), ("FOGG_LOG_REQUESTS", "No"), ("FOGG_WEBHOOKS_PRIVATE", "1"),
    ("WEB_CONCURRENCY", "8"), ("FOGG_WEB_SERVICE_HOST", "10.0.0.1"),
    ("FOGG_WEB_SERVICE_PORT_HTTP", "8000"), ("FOGG_PORT", "tcp://10.0.0.1:8000"),
    ("FOGG_WEB_PORT_8000_TCP_ADDR", "10.0.0.1"), ("FOGG_CHROMIUM", "chromium")])
def test_what_makes_sense_is_taken(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    check()


def test_every_setting_is_on_the_page_and_no_other():
    assert set(re.findall(r"^\| `(FOGG_\w+)`", PAGE, re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", ["FOGG_CAP", "FOGG_LIMITS", "WEB_CONCURRENCY"])
@pytest.mark.parametrize("command", [["-m", "cli", "up", "--port", "0"], ["-m", "service.web"]])
def test_a_start_with_it_ends_in_words(tmp_path, redis_server, command, name):
    text, said = SENSELESS[name]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=60,
                          cwd=tmp_path,
                          env=os.environ | {"FOGG_REDIS_URL": redis_server.url, name: text})
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
