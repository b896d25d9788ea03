"""Settings: what they are set to, and how a wrong one is refused."""

import os
import subprocess
import sys
from itertools import product

import pytest

from service import settings
from service.settings import SETTINGS, BadSetting, Setting, check
from tools.generators.settings_page import PAGE, written

TEXT = PAGE.read_text()
NUMBERS = [name for name, setting in SETTINGS.items() if setting.kind is settings.NUMBER]
URLS = {"REDIS": ["FOGG_REDIS_URL", "FOGG_QUEUE_URL"], "HTTP": ["FOGG_URL", "FOGG_SERVER"]}
WRONG = {  # name -> a wrong value, and how the sentence begins that refuses it
    "FOGG_CAP": ("", "FOGG_CAP is no setting of Fogg; did you mean FOGG_CAPS?"),
    "FOGG_ZZZZZZ": ("1", "FOGG_ZZZZZZ is no setting of Fogg; docs/operations.md lists all"),
    "FOGG_LIMITS": (
        "actions=0/60",
        "FOGG_LIMITS has 'actions=0/60'; it should be KIND=REQUESTS/"
        "SECONDS with spaces between, each number at least 1",
    ),
    "FOGG_CAPS": ("games=0", "FOGG_CAPS has 'games=0'; it should be KIND=NUMBER"),
    "FOGG_PROXIES": ("0.5", "FOGG_PROXIES is '0.5'; it should be a whole number from 0"),
    "FOGG_LOG_LEVEL": ("loud", "FOGG_LOG_LEVEL is 'loud'; it should be one of debug, info"),
    "FOGG_LOG_REQUESTS": ("perhaps", "FOGG_LOG_REQUESTS is 'perhaps'; it should be one of 1, true"),
    "FOGG_WEBHOOKS_PRIVATE": ("some", "FOGG_WEBHOOKS_PRIVATE is 'some'; it should be one of 1"),
    "FOGG_LOBBY_HOURS": ("-1", "FOGG_LOBBY_HOURS is '-1'; it should be a number from 0 to 1000000"),
    "FOGG_CLOCK_HOURS": ("0", "FOGG_CLOCK_HOURS is '0'; it should be a number above 0, at most"),
    "FOGG_URL": ("web:8000", "FOGG_URL is 'web:8000'; it should be a URL such as http://"),
    "FOGG_QUEUE_URL": (
        "http://queue",
        "FOGG_QUEUE_URL is 'http://queue', which is no address of a "
        "Redis; it should be such as redis://127.0.0.1:6379",
    ),
    "WEB_CONCURRENCY": ("abc", "WEB_CONCURRENCY is 'abc'; it should be a whole number from 1"),
}


def refusal(monkeypatch, name: str, text: str) -> str:
    """The sentence that refuses a value."""
    monkeypatch.setenv(name, text)
    with pytest.raises(BadSetting) as refused:
        check()
    return str(refused.value)


# values


def test_a_setting_has_the_value_that_it_is_set_to(monkeypatch):
    assert settings.LOBBY_HOURS.value() == 24
    monkeypatch.setenv("FOGG_LOBBY_HOURS", "0.5")
    assert settings.LOBBY_HOURS.value() == 0.5
    monkeypatch.setenv("FOGG_LOBBY_HOURS", "")
    assert settings.LOBBY_HOURS.value() == 24


def test_a_setting_without_a_default_has_no_value_until_it_is_needed(monkeypatch):
    monkeypatch.delenv("FOGG_URL", raising=False)
    assert settings.URL.value() is None
    with pytest.raises(BadSetting, match="FOGG_URL is not set; it should be a URL such as"):
        settings.URL.needed()
    monkeypatch.setenv("FOGG_URL", "http://web:8000")
    assert settings.URL.value() == settings.URL.needed() == "http://web:8000"


def test_a_setting_can_be_set_until_a_block_ends(monkeypatch):
    monkeypatch.setenv("FOGG_BOARDS", "mine")
    with settings.BOARDS.set_to("yours"):
        assert settings.BOARDS.value() == os.environ["FOGG_BOARDS"] == "yours"
    assert settings.BOARDS.value() == "mine"
    settings.BOARDS.unset()
    with settings.BOARDS.set_to("yours"):
        assert settings.BOARDS.is_set()
    assert not settings.BOARDS.is_set()


@pytest.mark.parametrize(
    ("text", "is_on"),
    [("1", True), ("true", True), ("YES", True), ("0", False), ("False", False), ("no", False)],
)
def test_a_switch_takes_several_words(monkeypatch, text, is_on):
    for setting in (settings.WEBHOOKS_PRIVATE, settings.LOG_REQUESTS):
        monkeypatch.setenv(setting.name, text)
        assert setting.value() is is_on


def test_amounts_are_set_by_kind_and_the_others_keep_their_defaults(monkeypatch):
    assert settings.CAPS.value() == settings.CAP_DEFAULTS
    assert settings.LIMITS.value() == settings.LIMIT_DEFAULTS
    monkeypatch.setenv("FOGG_CAPS", "games=7 streams=9")
    assert settings.CAPS.value() == settings.CAP_DEFAULTS | {"games": 7, "streams": 9}
    monkeypatch.setenv("FOGG_LIMITS", "actions=1/60 pings=5/1")
    assert settings.LIMITS.value() == settings.LIMIT_DEFAULTS | {
        "actions": (1, 60),
        "pings": (5, 1),
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("FOGG_LIMITS", "actions=1/60 requests=5/1"),
        ("FOGG_CAPS", "games=1"),
        ("FOGG_PROXIES", "2"),
        ("FOGG_LOG_LEVEL", "DEBUG"),
        ("FOGG_LOG_REQUESTS", "No"),
        ("FOGG_WEBHOOKS_PRIVATE", "1"),
        ("WEB_CONCURRENCY", "8"),
        ("FOGG_WEB_SERVICE_HOST", "10.0.0.1"),
        ("FOGG_WEB_SERVICE_PORT_HTTP", "8000"),
        ("FOGG_PORT", "tcp://10.0.0.1:8000"),
        ("FOGG_WEB_PORT_8000_TCP_ADDR", "10.0.0.1"),
        ("FOGG_CHROMIUM", "chromium"),
        ("FOGG_URL", "https://[::1]:8000/fogg"),
        *product(
            URLS["REDIS"],
            (
                "redis://",
                "redis://:a%40b@10.0.0.1:6379/3",
                "redis://[::1]:6379",
                "rediss://redis.example.org?ssl_ca_certs=/ca.pem",
                "unix:///run/redis/redis.sock?db=3",
                "unix://:secret@/run/redis.sock",
                "redis+cluster://10.0.0.1:6379,10.0.0.2:6379,10.0.0.3",
                "rediss+cluster://u:p@redis:6379",
            ),
        ),
    ],
)
def test_a_right_value_is_accepted(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    check()
    if name in URLS["REDIS"]:
        assert SETTINGS[name].value() == text


# refusals


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        *((name, *row) for name, row in WRONG.items()),
        *(
            (name, text, f"{name} is '{text}'; it should be a number")
            for name, text in product(NUMBERS, ("a week", "-1", "nan", "inf", "1e9"))
        ),
        *(
            ("WEB_CONCURRENCY", text, "WEB_CONCURRENCY is ")
            for text in ("0", "-1", "1.5", "", "99999", "\u0661")
        ),
        *(
            ("FOGG_CAPS", f"tokens=4 {text}", f"FOGG_CAPS has '{text}'; it should be KIND=NUMBER")
            for text in ("games", "games=", "games=-1", "cards=3", "games=1.5", "games=3,tokens=4")
        ),
        *(
            ("FOGG_LIMITS", text, f"FOGG_LIMITS has '{text}'")
            for text in ("accounts", "accounts=1", "accounts=1/0", "a=1/1", "token=-1/9")
        ),
        *(
            (name, text, f"{name} is '{text}'; it should be a URL")
            for name, text in product(
                URLS["HTTP"],
                (
                    "localhost",
                    "ftp://web",
                    "http://",
                    "http://web:x",
                    "http://web:0",
                    "http://[::1",
                ),
            )
        ),
        *(
            (name, text, f"{name} is '{text}', which is no address of a Redis; it should be")
            for name, text in product(
                URLS["REDIS"],
                (
                    "localhost",
                    "redis//127.0.0.1",
                    "redis://127.0.0.1:x",
                    "redis://[::1",
                    "redis+cluster://10.0.0.1:1,10.0.0.2:x",
                ),
            )
        ),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence_that_names_it(monkeypatch, name, text, said):
    refused = refusal(monkeypatch, name, text)
    assert refused.startswith(said)
    assert "\n" not in refused
    assert name != "FOGG_CAPS" or "the kinds being connections, " in refused


@pytest.mark.parametrize(
    "url",
    [
        "redis://:secret@10.0.0.1:x",
        "redis//:secret@10.0.0.1",
        ":secret@10.0.0.1",
        "redis://10.0.0.1:x?password=secret",
        "redis://ada:se@secret@10.0.0.1:x",
        "rediss+cluster://ada:secret@10.0.0.1:1,10.0.0.2:x",
    ],
)
def test_no_password_is_in_a_refusal(monkeypatch, url):
    said = refusal(monkeypatch, "FOGG_REDIS_URL", url)
    assert "10.0.0.1" in said
    assert "secret" not in said


@pytest.mark.parametrize("name", ["FOGG_CAP", "FOGG_QUEUE_URL"])
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "cli", "up", "--port", "0"],
        ["-m", "cli", "check"],
        ["-m", "service.web"],
        ["-m", "workers"],
        ["-m", "workers", "deliveries"],
    ],
)
def test_a_start_with_a_wrong_setting_ends_with_that_sentence(
    tmp_path, redis_server, command, name
):
    text, said = WRONG[name]
    done = start(
        tmp_path,
        command,
        FOGG_REDIS_URL=redis_server.url,
        **{"FOGG_URL": "http://127.0.0.1:9", name: text},
    )
    lines = [line for line in done.stderr.splitlines() if not line.startswith("Starting;")]
    assert (done.returncode, len(lines)) == (1, 1)
    assert lines[0].removeprefix("Error: ").startswith(said)


@pytest.mark.parametrize("missing", ["FOGG_URL", "FOGG_REDIS_URL"])
def test_a_worker_that_lacks_a_setting_ends_with_a_sentence(tmp_path, missing):
    needed = {
        "FOGG_URL": "http://127.0.0.1:9",
        "FOGG_REDIS_URL": "redis://127.0.0.1:9",
        "FOGG_QUEUE_URL": "",
    } | {missing: ""}
    done = start(tmp_path, ["-m", "workers"], **needed)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"{missing} is not set; it should be ")


def start(folder, command: list[str], **environment: str) -> subprocess.CompletedProcess:
    """Run a program of Fogg's that ends at once."""
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
        env=os.environ | environment,
    )


# declarations


def test_every_setting_is_called_as_its_variable():
    named = {name: each for name, each in vars(settings).items() if isinstance(each, Setting)}
    assert {each.name.removeprefix("FOGG_"): each for each in SETTINGS.values()} == named


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_says_what_it_is_and_what_is_so_without_it(setting):
    assert setting.words.endswith(".")
    assert bool(setting.default) != bool(setting.without)
    for text in filter(None, (setting.default, setting.deployed)):
        setting.kind.parse(text)


def test_the_page_has_the_table_of_the_settings():
    assert written(TEXT) == TEXT, "run python -m tools.generators.settings_page"
    assert "| `FOGG_LOBBY_HOURS` | How long a game may wait" in TEXT
