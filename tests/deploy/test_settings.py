"""The files of deploy/ set declared settings alone, and state the declared defaults."""

import re
from collections.abc import Iterator

import pytest
import yaml

from service import settings
from service.settings import SETTINGS
from tests.deploy.parts import COMPOSE, CONTAINERFILE, DEPLOY, ROOT, VARIABLE

NOT_FOGGS = re.compile("PATH|PYTHON[A-Z]+")
EXAMPLES = {"FOGG_SITE": "fogg.example.org"}  # an operator replaces it in a copy of the file
NOT_DECLARED = {"FOGG_CHROMIUM", "FOGG_WEB_SERVICE_HOST"}  # named as what is no setting
Row = tuple[str, str, str]  # file, name, value; "" for a value that is filled in elsewhere


def in_compose() -> Iterator[Row]:
    for name, default in VARIABLE.findall((DEPLOY / "compose.yaml").read_text()):
        yield "compose.yaml", name, default
    for service in ("web", "recorder", "workers", "deliveries", "proxy"):
        for name, value in COMPOSE["services"][service]["environment"].items():
            yield "compose.yaml", name, "" if "$" in str(value) else str(value)


def in_examples() -> Iterator[Row]:
    for file in (".env.example", "systemd/fogg.env.example"):
        for name, value in re.findall(r'^#?(\w+)="?(.*?)"?$', (DEPLOY / file).read_text(), re.M):
            yield file, name, "" if "PASSWORD" in value else value


def in_kubernetes() -> Iterator[Row]:
    config = yaml.safe_load((DEPLOY / "kubernetes/settings.yaml").read_text())
    for name, value in config["data"].items():
        yield "kubernetes/settings.yaml", name, value
    for path in DEPLOY.glob("kubernetes/*.yaml"):
        for name, value in re.findall(
            r'- \{?name: ([A-Z_]+)(?:, value: "(.*?)"\})?', path.read_text()
        ):
            yield f"kubernetes/{path.name}", name, value


def in_units_and_image() -> Iterator[Row]:
    unit = DEPLOY / "systemd/fogg-.service.d/fogg.conf"
    image = CONTAINERFILE.rpartition("\nENV ")[2].partition("\nUSER")[0]
    for file, text in (
        ("fogg.conf", re.search("^Environment=(.*)$", unit.read_text(), re.M)[1]),
        ("Containerfile", image),
    ):
        for name, value in re.findall(r"(\w+)=(\S+)", text):
            yield file, name, value


STATED = sorted(
    {
        row
        for rows in (in_compose, in_examples, in_kubernetes, in_units_and_image)
        for row in rows()
        if not NOT_FOGGS.fullmatch(row[1])
    }
)


def test_every_form_of_file_was_read():
    assert {file for file, _, _ in STATED} == {
        "compose.yaml",
        ".env.example",
        "fogg.conf",
        "Containerfile",
        "systemd/fogg.env.example",
        *(f"kubernetes/{name}.yaml" for name in ("settings", "web", "workers", "deliveries")),
    }
    assert {
        ("compose.yaml", "WEB_CONCURRENCY", "2"),
        ("compose.yaml", "FOGG_PROXIES", "1"),
        ("kubernetes/web.yaml", "WEB_CONCURRENCY", "1"),
        (".env.example", "REDIS_PASSWORD", ""),
        ("kubernetes/workers.yaml", "FOGG_QUEUE_URL", ""),
        ("systemd/fogg.env.example", "FOGG_LOG_LEVEL", "info"),
        ("Containerfile", "FOGG_CACHE", "/tmp/fogg"),
    } <= set(STATED)


@pytest.mark.parametrize(("file", "name", "value"), STATED)
def test_a_file_sets_a_declared_setting_to_its_default_or_to_what_is_declared_for_deploy(
    file, name, value
):
    setting = SETTINGS[name]
    if value:
        setting.kind.parse(value)
    if value and setting.default:
        assert value in (setting.default, setting.deployed, EXAMPLES.get(name))


@pytest.mark.parametrize("setting", [settings.LIMITS, settings.CAPS], ids=lambda each: each.name)
def test_strangers_may_take_the_same_however_it_is_deployed_and_less_than_by_default(setting):
    assert {(file, value) for file, name, value in STATED if name == setting.name and value} == {
        (file, setting.deployed)
        for file in (
            "compose.yaml",
            ".env.example",
            "systemd/fogg.env.example",
            "kubernetes/settings.yaml",
        )
    }
    usual, deployed = map(setting.kind.parse, (setting.default, setting.deployed))
    assert all(rate(deployed[kind]) <= rate(usual[kind]) for kind in usual)
    if setting is settings.LIMITS:
        assert {kind for kind in usual if deployed[kind] != usual[kind]} == {
            "accounts",
            "address",
            "address_requests",
            "requests",
            "actions",
            "creations",
            "invitations",
            "invited",
            "views",
        }


def rate(amount: int | tuple[int, int]) -> float:
    """A cap, or how many requests a second a limit allows."""
    return amount if isinstance(amount, int) else amount[0] / amount[1]


def test_every_setting_that_is_named_is_declared_and_every_declared_one_is_used():
    files = [
        path
        for folder in ("cli", "client", "deploy", "service", "workers")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    texts = {path: path.read_text(errors="ignore") for path in files}
    named = {name for text in texts.values() for name in re.findall(r"\bFOGG_[A-Z_]*[A-Z]", text)}
    assert named - NOT_DECLARED == {name for name in SETTINGS if name.startswith("FOGG_")}
    del texts[ROOT / "service" / "settings.py"]
    for name in SETTINGS:
        use = re.compile(rf"\bsettings\.{name.removeprefix('FOGG_')}\b|\b{name}\b")
        assert any(map(use.search, texts.values())), f"{name} is used nowhere"
