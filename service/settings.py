"""Every setting of Fogg, declared once: an environment variable with its type, unit, default and
meaning. No other module reads the environment.

``settings.LOBBY_HOURS.value()`` is the value of ``FOGG_LOBBY_HOURS``. It is read at each call, so a
test or a command may set the variable while the process runs. An empty value counts as not set.

The table in docs/operations.md is generated from ``SETTINGS``; a test compares deploy/ with it.
Workers import this module too, and nothing else of the service.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")
MAX_NUMBER = 1_000_000  # of any setting that is a number
MAX_WEB_PROCESSES = 1000
LOG_LEVELS = ("debug", "info", "warning", "error")
YES, NO = ("1", "true", "yes"), ("0", "false", "no")
REDIS_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
# Kubernetes sets variables such as FOGG_WEB_SERVICE_HOST in every pod, for a Service whose name
# begins with fogg. FOGG_CHROMIUM is for tests.
NOT_OURS = re.compile(r"FOGG_(CHROMIUM|(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_\w+)?))")


class BadSetting(ValueError):
    """A setting that is unknown, wrong or missing. The message is one sentence with its name, the
    value that was given, and what it should be."""


class _Wrong(ValueError):
    """A value that cannot be parsed. The message continues the sentence "NAME ..."."""


@dataclass(frozen=True)
class Kind(Generic[T]):
    """The type of a setting."""

    label: str  # in the table of settings
    should_be: str  # ends the sentence "NAME is ...; it should be ..."
    parse: Callable[[str], T]  # raises ValueError; gets "" if there is no text and no default


@dataclass(frozen=True, eq=False)  # hashed by identity, so that a cached value is found fast
class Setting(Generic[T]):
    """An environment variable that Fogg reads."""

    name: str
    kind: Kind[T]
    words: str  # the description in the table of docs/operations.md
    default: str = ""  # the text that is used where the variable is not set
    without: str = ""  # the effect of no value, in words, where there is no ``default``
    unit: str = ""
    deployed: str = ""  # the text in the files of deploy/, where it differs from the default
    may_be_empty: bool = True  # then an empty text counts as not set

    def value(self) -> T:
        """Return the parsed value, else the default; raise BadSetting if it is wrong."""
        text = os.environ.get(self.name, self.default)
        value: T = _parsed(self, self.default if not text and self.may_be_empty else text)
        return value

    def needed(self) -> T:
        """Return the value; raise BadSetting if there is none."""
        if (value := self.value()) is None:
            raise BadSetting(f"{self.name} is not set; it should be {self.kind.should_be}")
        return value

    def is_set(self) -> bool:
        return bool(os.environ.get(self.name))

    def set(self, text: str) -> None:
        """Set the variable for this process and for those that it starts."""
        os.environ[self.name] = text

    def unset(self) -> None:
        """Remove the variable for this process and for those that it starts."""
        os.environ.pop(self.name, None)

    @contextmanager
    def set_to(self, text: str) -> Iterator[None]:
        """Set the variable until the block ends."""
        before = os.environ.get(self.name)
        self.set(text)
        try:
            yield
        finally:
            self.unset() if before is None else self.set(before)


@cache
def _parsed(setting: Setting[T], text: str) -> T:
    try:
        return setting.kind.parse(text)
    except _Wrong as error:
        wrong = str(error)
    except ValueError:
        wrong = f"is {without_secrets(text)!r}"
    raise BadSetting(f"{setting.name} {wrong}; it should be {setting.kind.should_be}")


# types of settings


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number <= MAX_NUMBER:
        raise ValueError
    return number


def _above_0(text: str) -> float:
    if not (number := _number(text)):
        raise ValueError
    return number


def _whole(least: int, most: int) -> Kind[int]:
    def parse(text: str) -> int:
        if not re.fullmatch("[0-9]{1,7}", text) or not least <= int(text) <= most:
            raise ValueError
        return int(text)

    return Kind("whole number", f"a whole number from {least} to {most}", parse)


def _word(text: str, allowed: tuple[str, ...]) -> str:
    if text.lower() not in allowed:
        raise ValueError
    return text.lower()


def is_http_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _http_url(text: str) -> str | None:
    if text and not is_http_url(text):
        raise ValueError
    return text or None


def _redis_url(text: str) -> str | None:
    if not text:
        return None
    try:
        is_address = text.partition("://")[0] in REDIS_SCHEMES
        for node in urlsplit(text).netloc.rpartition("@")[2].split(","):  # several of a cluster
            _ = urlsplit(f"//{node}").port  # raises ValueError
    except ValueError:
        is_address = False
    if not is_address:
        raise _Wrong(f"is {without_secrets(text)!r}, which is no address of a Redis")
    return text


def _database_url(text: str) -> str:
    if not re.match(r"(sqlite:///|postgresql\+psycopg://)", text):
        raise _Wrong(f"is {without_secrets(text)!r}, which is no address of a database")
    return text


def _amounts(
    form: str, numbers: str, read: Callable[..., T], defaults: dict[str, T]
) -> Kind[dict[str, T]]:
    """Return the type of a setting such as ``games=100 tokens=5``: an amount for some kinds; the
    others keep their defaults. ``form`` shows what an amount looks like, ``numbers`` is its regular
    expression, and ``read`` makes the amount of the groups."""

    def parse(text: str) -> dict[str, T]:
        values = dict(defaults)
        for part in text.split():
            match = re.fullmatch(rf"(\w+)={numbers}", part)
            if not match or match[1] not in defaults:
                raise _Wrong(f"has {part!r}")
            values[match[1]] = read(*match.groups()[1:])
        return values

    return Kind(
        f"`KIND={form}` with spaces between",
        f"KIND={form} with spaces between, each "
        f"number at least 1, the kinds being {', '.join(defaults)}",
        parse,
    )


def without_secrets(text: str) -> str:
    """Return a value for a message: without the part before the @ of a URL, and without its query,
    which may contain passwords."""
    return re.sub(r"\?.*", "?...", re.sub(r"^(\w[\w+.-]*:?/*)?.*@", r"\1...@", text))


TEXT: Kind[str | None] = Kind("text", "a text", lambda text: text or None)
FILE: Kind[str | None] = Kind("file", "the path of a file", lambda text: text or None)
FOLDER: Kind[str | None] = Kind("folder", "the path of a folder", lambda text: text or None)
HTTP = Kind("URL", "a URL such as http://127.0.0.1:8000", _http_url)
REDIS = Kind(
    "URL",
    "such as redis://127.0.0.1:6379, with rediss:// for TLS, unix:// for a socket, "
    "and redis+cluster:// or rediss+cluster:// for a cluster",
    _redis_url,
)
DATABASE_URL = Kind(
    "URL",
    "such as sqlite:///var/records.sqlite3, or postgresql+psycopg://user:password@host/name",
    _database_url,
)
NUMBER = Kind("number", f"a number from 0 to {MAX_NUMBER}", _number)
HOURS = Kind("number", f"a number above 0, at most {MAX_NUMBER}", _above_0)
SWITCH = Kind(
    "`true` or `false`", f"one of {', '.join(YES + NO)}", lambda text: _word(text, YES + NO) in YES
)
LEVEL = Kind(
    ", ".join(f"`{level}`" for level in LOG_LEVELS),
    f"one of {', '.join(LOG_LEVELS)}",
    lambda text: _word(text, LOG_LEVELS),
)


# the settings, in the order of the table


DATA_FOLDER = "var"  # default folder for the data of ``fogg up``
REDIS_URL = Setting(
    "FOGG_REDIS_URL",
    REDIS,
    "The Redis that holds the games: `redis://`, `rediss://`, `unix://`; "
    "for a cluster `redis+cluster://` or `rediss+cluster://` with some of its nodes, commas "
    "between.",
    without="an embedded one",
)
QUEUE_URL = Setting(
    "FOGG_QUEUE_URL",
    REDIS,
    "The Redis of the job queue that calls workers, a single server. Jobs "
    "that it loses are queued again, so it need write nothing to disk, and bots are quicker then.",
    without="an embedded one, else `FOGG_REDIS_URL`",
)
DATABASE = Setting(
    "FOGG_DATABASE",
    DATABASE_URL,
    "The database that keeps the games that are over: a file of "
    "SQLite (`sqlite:///FILE`), or PostgreSQL (`postgresql+psycopg://USER:PASSWORD@HOST/NAME`), "
    "which several hosts can share. `fogg up` keeps the file in its `--data`.",
    f"sqlite:///{DATA_FOLDER}/records.sqlite3",
)
KEEP_HOURS = Setting(
    "FOGG_KEEP_HOURS",
    HOURS,
    "How long a game stays in Redis, too, after it was recorded in the "
    "database. It has to be longer than the time between two backups.",
    "48",
    unit="hours",
)
REDIS_SERVER = Setting(
    "FOGG_REDIS_SERVER",
    FILE,
    "The `redis-server` to embed, 7.2 or newer.",
    without="the one on PATH, else the packaged one",
)
CACHE = Setting(
    "FOGG_CACHE",
    FOLDER,
    "Holds the compiled code of the bot `expert`, once for each version and "
    "kind of processor; keep it.",
    without="`~/.cache/fogg`",
)
BOARDS = Setting(
    "FOGG_BOARDS",
    FOLDER,
    "More boards, next to the service's own (docs/boards.md).",
    without="none",
)
CLOCK_HOURS = Setting(
    "FOGG_CLOCK_HOURS",
    HOURS,
    "The time for each decision in a new game whose creator names no "
    "clock, unless only built-in bots play in it.",
    "72",
    unit="hours",
)
TOTAL_HOURS = Setting(
    "FOGG_TOTAL_HOURS",
    NUMBER,
    "The time for all decisions of a player in a new public game whose "
    "creator names no clock, at most 2 if a built-in bot has a seat; 0 is no limit.",
    "24",
    unit="hours",
)
FORGET_DAYS = Setting(
    "FOGG_FORGET_DAYS",
    NUMBER,
    "After this time a game is deleted that was aborted before a "
    "player had seen tickets, or that expired before anybody had played.",
    "7",
    unit="days",
)
URL = Setting("FOGG_URL", HTTP, "Where workers find the service.", without="set by `fogg up`")
LOG_LEVEL = Setting("FOGG_LOG_LEVEL", LEVEL, "The lowest level that is logged.", "info")
LOG_REQUESTS = Setting(
    "FOGG_LOG_REQUESTS", SWITCH, "Whether each request is logged on a line.", "true"
)

# About the capacity of one process, so that one caller alone cannot exceed it. A service that is
# open to the world sets them lower.
LIMIT_DEFAULTS = {  # kind -> requests, seconds
    "accounts": (600, 60),
    "address": (30_000, 60),
    "address_requests": (600_000, 60),
    "requests": (60_000, 60),
    "actions": (60_000, 60),
    "creations": (12_000, 60),
    "invitations": (12_000, 3600),
    "invited": (1_200, 3600),
    "pings": (20, 60),
    "views": (6_000, 60),
}
LIMITS = Setting(
    "FOGG_LIMITS",
    _amounts(
        "REQUESTS/SECONDS",
        "([1-9][0-9]{0,8})/([1-9][0-9]{0,6})",
        lambda requests, seconds: (int(requests), int(seconds)),
        LIMIT_DEFAULTS,
    ),
    "Rate limits. Kinds are `accounts` (new ones) and `address` (requests without a token), both "
    "counted by address, as are the requests of all accounts together (`address_requests`) where "
    "the address is known to be the client's: it is public, or a proxy has reported it; "
    "`requests`, `actions` and `creations` of games and tournaments, counted "
    "by account, its tokens and its bots together, as are `invitations` to games, and those to one "
    "account (`invited`); `pings` of webhooks, counted by account; `views`, for downloads of all "
    "views of a game and streams with views, counted by account, without a token by address. A "
    "kind that is not named keeps its default.",
    " ".join(
        f"{kind}={requests}/{seconds}" for kind, (requests, seconds) in LIMIT_DEFAULTS.items()
    ),
    deployed="accounts=30/3600 address=3000/60 address_requests=60000/60 requests=6000/60 "
    "creations=120/60 actions=6000/60 invitations=120/3600 invited=30/3600 views=300/60",
)

# Enough for somebody who tries the service, and never all that one process has. A service that is
# open to the world sets them lower.
CAP_DEFAULTS = {  # kind -> how many
    "connections": 10_000,  # open, in a web process
    "address_connections": 5_000,  # open, of one address in a web process, unless it is a proxy's
    "streams": 1_000,  # open, of an account and its bots in a web process
    "address_streams": 3_000,  # open, of one address in a web process
    "games": 5_000,  # not over, created by an account and its bots
    "bot_games": 1_000,  # of these games, those with built-in bots
    "tournaments": 200,  # not over, created by an account and its bots
    "analyses": 20,  # under way, asked for by an account and its bots
    "bots": 1_000,  # of an account
    "tokens": 500,  # of an account
    "webhooks": 5,  # of an account
    "unread": 256_000_000,  # bytes of large answers that a web process keeps for slow clients
}
CAPS = Setting(
    "FOGG_CAPS",
    _amounts("NUMBER", "([1-9][0-9]{0,8})", int, CAP_DEFAULTS),
    "How much one client may have at a time; [what one client may take](#what-one-client-may-take) "
    "explains the kinds. A kind that is not named keeps its default.",
    " ".join(f"{kind}={most}" for kind, most in CAP_DEFAULTS.items()),
    deployed="streams=100 address_streams=500 games=200 bot_games=100 tournaments=20 analyses=5 "
    "bots=50 tokens=50",
)

WEBHOOKS_PRIVATE = Setting(
    "FOGG_WEBHOOKS_PRIVATE",
    SWITCH,
    "Allows webhooks that use plain http, any port, or an address "
    "in a private network. Set it for web processes and workers, and only where everybody with an "
    "account may reach all that they reach.",
    "false",
)
ANALYSIS_SECONDS = Setting(
    "FOGG_ANALYSIS_SECONDS",
    NUMBER,
    "For how long a worker thinks about each decision of a game that it analyses.",
    "0.3",
    unit="CPU seconds",
)
LOBBY_HOURS = Setting(
    "FOGG_LOBBY_HOURS",
    NUMBER,
    "How long a game may wait for players before it expires.",
    "24",
    unit="hours",
)
PROXIES = Setting(
    "FOGG_PROXIES",
    _whole(0, MAX_NUMBER),
    "How many proxies in front of the web processes add the "
    "client's address to `X-Forwarded-For`. The last one's `X-Forwarded-Proto` is trusted, too.",
    "0",
    unit="proxies",
    deployed="1",
)
METRICS_TOKEN = Setting(
    "FOGG_METRICS_TOKEN",
    TEXT,
    "Only requests with `Authorization: Bearer` and this token may read `/metrics`.",
    without="none: only this machine may",
)
REDIS_PASSWORD = Setting(
    "REDIS_PASSWORD",
    TEXT,
    "Compose only: the password of the games' Redis; letters and digits.",
    without="none: it has to be set",
)
QUEUE_PASSWORD = Setting(
    "QUEUE_PASSWORD",
    TEXT,
    "Compose only: the password of the queue's Redis; letters and digits.",
    without="none: it has to be set",
)
POSTGRES_PASSWORD = Setting(
    "POSTGRES_PASSWORD",
    TEXT,
    "Compose only: the password of PostgreSQL; letters and digits.",
    without="none: it has to be set",
)
REDIS_MEMORY = Setting(
    "REDIS_MEMORY",
    TEXT,
    "Compose only: the `maxmemory` of the games' Redis, some 60 % of the machine's memory.",
    "2gb",
)
SITE = Setting(
    "FOGG_SITE",
    TEXT,
    "Compose only: the domain that the proxy serves, or an address such as `http://:80`.",
    "localhost",
)
WEB_HOSTS = Setting(
    "WEB_HOSTS",
    TEXT,
    "Compose only: the `HOST:PORT` of all web hosts that the proxy passes "
    "requests to, spaces between.",
    "web:8000",
)
PROMETHEUS_MULTIPROC_DIR = Setting(
    "PROMETHEUS_MULTIPROC_DIR",
    FOLDER,
    "Where the web processes of a machine write their metrics; "
    "emptied when they start. It should be in memory, or on a disk that cannot be full.",
    without="a new one in `/dev/shm` where that exists",
)
SERVER = Setting(
    "FOGG_SERVER",
    HTTP,
    "The service that commands use where `--server` names none.",
    without="`http://127.0.0.1:8000`",
)
TOKEN_FILE = Setting(
    "FOGG_TOKEN_FILE",
    FILE,
    "Keeps the account of commands, as `--token-file` does: it is read if "
    "it exists, else written after signing up, readable by you only.",
    without="none",
)
LLM_KEY = Setting(
    "FOGG_LLM_KEY",
    TEXT,
    "The key of the endpoint that `fogg bench llm` asks; of two endpoints, a "
    "space between their keys.",
    without="none",
)
HEARTBEAT_FILE = Setting(
    "HEARTBEAT_FILE",
    FILE,
    "A worker touches it at least twice a minute, the recorder before each round of its jobs, so "
    "that a probe can look at its age.",
    without="none",
)
WEB_CONCURRENCY = Setting(
    "WEB_CONCURRENCY",
    _whole(1, MAX_WEB_PROCESSES),
    "The number of web processes, where no option of gunicorn says it.",
    "1",
    unit="web processes",
    deployed="2",
    may_be_empty=False,
)

SETTINGS: dict[str, Setting[Any]] = {
    setting.name: setting for setting in globals().copy().values() if isinstance(setting, Setting)
}


def check() -> None:
    """Raise BadSetting if a variable whose name begins with FOGG_ is no setting, or if the value of
    a setting is wrong."""
    for name in sorted(os.environ):
        if name.startswith("FOGG_") and name not in SETTINGS and not NOT_OURS.fullmatch(name):
            raise BadSetting(f"{name} is no setting of Fogg{_suggestion(name)}")
    for setting in SETTINGS.values():
        setting.value()


def _suggestion(name: str) -> str:
    from difflib import get_close_matches  # loaded only by a service that does not start

    near = get_close_matches(name, SETTINGS, 1)
    return f"; did you mean {near[0]}?" if near else "; docs/operations.md lists all settings"
