"""The recipes of docs/architecture.md, followed in a copy of the code: what they add is there."""

import json
import re
import shutil
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.programs import output

ROOT = Path(__file__).parents[2]
ROOMS = ("cli", "domain", "service", "workers", "tools/generators")
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ADDING = PAGE.partition("\n## Adding\n")[2].partition("\n## ")[0]
RECIPE = re.compile(r"^- \*(.+?)\*:(.+?)(?=^- |^\*|\Z)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`((?:cli|domain|service|workers)/[\w./*]+)`")

END = ""  # where a text is added at the end of a file
SCREEN = """
import { html, render } from "../vendor/lit-html/lit-html.js";
import { texts } from "../texts/texts.mjs";

export const open = (root) => render(html`<h1>${texts.hello.title}</h1>`, root);
"""
SCHEMA = """

class HelloQuerySchema(Asked):
    name = text("Whom to greet.", required=False, load_default="world")
"""
ENDPOINT = """

from typing import Annotated, TypedDict

from service.boards.schemas import HelloQuerySchema


class Hello(TypedDict):
    hello: Annotated[str, "A greeting."]


@blueprint.operation("GET /hello", "getHello", [], query=HelloQuerySchema)
@blueprint.response(200, Hello, description="A greeting.")
def get_hello(query: dict):
    \"\"\"Get a greeting\"\"\"
    return answer(Hello(hello=query["name"]))
"""
BOT = """
from workers.bots.uniform import Uniform


class Hello(Uniform):
    pass
"""
COMMAND = """
import click


@click.command()
def hello():
    \"\"\"Say hello.\"\"\"
    click.echo("Hello!")
"""
LONDON = json.loads((ROOT / "domain" / "boards" / "london.json").read_text())
HELLO = json.dumps(LONDON | {"board": "hello", "rules": [*LONDON["rules"], "hello"]})
ENGLISH = (ROOT / "service" / "page" / "texts" / "en.mjs").read_text(encoding="utf-8")
# recipe -> file -> the text of a new file; or after which text of it what is added
ADDED: dict[str, dict[str, str | dict[str, str]]] = {
    "A screen of the page": {
        "service/page/screens/hello.mjs": SCREEN,
        "service/page/screens.json": {
            '"screens": [': """
            {"address": "/hello/ID", "module": "hello", "styles": "records"},"""
        },
        "service/page/texts/en.mjs": {
            END: """
export const hello = {
  title: "Hello",
};
"""
        },
    },
    "A language of the page": {
        "service/page/texts/eo.mjs": ENGLISH.replace("Loading …", "Ŝargado …"),
    },
    "A board": {"domain/boards/hello.json": HELLO},
    "A rule": {
        "domain/rules/hello.py": """
from domain.rules.rule import Rule

RULE = Rule(name="hello")
""",
        "domain/rules/__init__.py": {
            "from domain.rules import (\n": "    hello,\n",
            "RULES: tuple[Rule, ...] = (\n": "    hello.RULE,\n",
        },
        "domain/shown/hello.py": """
from domain.rules.hello import RULE
from domain.shown.shown import Shown

SHOWN = Shown(rule=RULE, number="1", says="It says hello.")
""",
        "domain/shown/__init__.py": {
            "from domain.shown import ": "hello, ",
            "MODULES = (": "hello, ",
        },
    },
    "An endpoint": {
        "service/boards/api.py": {END: ENDPOINT},
        "service/boards/schemas.py": {END: SCHEMA},
    },
    "A built-in bot": {
        "workers/bots/hello.py": BOT,
        "workers/bots/bots.json": {
            "{": """
            "hello": {"class": "workers.bots.hello:Hello", "description": "plays anything",
                      "shortest_rated_clock": 1},"""
        },
    },
    "A command of `fogg`": {
        "cli/commands/hello.py": COMMAND,
        "cli/commands/__init__.py": {"COMMANDS = {\n": '    "hello": ("hello", "hello"),\n'},
    },
}
# run in the copy: writes which additions are there, as JSON
LOOK = """
import json
import sys

from click.testing import CliRunner

from cli.commands import fogg
from domain.boards import load_folder
from service.app import create_app
from service.redis.connection import connect
from tools.generators.openapi import described
from workers.bots import BOTS

with connect(sys.argv[1]) as redis:
    client = create_app(redis).test_client()
    ask = lambda path, **headers: client.get(path, headers=headers)
    shown = ask("/hello/x", Accept="text/html")
    other = ask("/", Accept="text/html", **{"Accept-Language": "eo, en;q=0.5"})
    print(json.dumps({
        "screen": [shown.status_code, shown.headers["Content-Security-Policy"], shown.text],
        "texts": ask("/web/texts/en.mjs").text,
        "language": [other.text, ask("/web/texts/eo.mjs").text],
        "boards": [board["id"] for board in ask("/v1/boards").json["items"]],
        "rules": load_folder()["hello"].described["declared"]["rules"],
        "endpoint": ask("/v1/hello").json,
        "described": "/v1/hello" in described({})["paths"],
        "bots": [bot["name"] for bot in ask("/v1/bots").json["items"]],
        "bot": BOTS["hello"].__name__,
        "command": CliRunner().invoke(fogg, ["hello"]).output,
        "help": CliRunner().invoke(fogg, ["--help"]).output,
    }))
"""


@pytest.mark.parametrize("recipe", ADDED)
def test_a_recipe_names_the_files_that_it_takes(recipe):
    recipes = dict(RECIPE.findall(ADDING))
    assert list(recipes) == list(ADDED)
    named = set(FILE.findall(recipes[recipe]))
    for file in ADDED[recipe]:
        exact = {file} & named or {name for name in named if fnmatch(file, name)}
        assert exact, f"{file} is not named"
        named -= exact
    assert not named, "named, but not needed"


def test_the_recipe_for_a_rule_names_the_files_of_the_simulator():
    """Those that name a rule, but for its twin: here ``globetrotter``, which has none."""
    named = re.findall(r"`(simulator/[\w/]+\.py)`", dict(RECIPE.findall(ADDING))["A rule"])
    assert set(named) == {
        str(file.relative_to(ROOT))
        for file in ROOT.glob("simulator/**/*.py")
        if "globetrotter" in file.read_text().lower()
    }


def change(path: Path, added: str | dict[str, str]) -> None:
    """Make a file, or add to one that is there."""
    assert path.exists() == isinstance(added, dict), path
    if isinstance(added, str):
        path.write_text(added, encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    for after, more in added.items():
        at = text.index(after) + len(after) if after else len(text)
        text = text[:at] + more + text[at:]
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def there(redis_server, tmp_path_factory):
    """The additions that are found in a copy of the code after all recipes were applied."""
    copy = tmp_path_factory.mktemp("copy")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for files in ADDED.values():
        for name, added in files.items():
            change(copy / name, added)
    return json.loads(output(sys.executable, "-c", LOOK, redis_server.url, cwd=copy, timeout=240))


def test_a_screen_is_served_with_its_files_and_may_run(there):
    status, policy, shown = there["screen"]
    assert status == 200
    assert "script-src 'self'" in policy
    for name in ("screens/hello.mjs", "texts/en.mjs", "screens/lists.css"):
        assert re.search(rf'href="/web/\w+/{re.escape(name)}"', shown), name
    assert 'export const hello = {\n  title: "Hello",\n};' in there["texts"]


def test_a_language_is_shown_to_those_whose_browser_prefers_it(there):
    shown, texts = there["language"]
    assert '<html lang="eo">' in shown
    assert "texts/eo.mjs" in shown
    assert "texts/en.mjs" not in shown
    assert "Ŝargado" in texts


def test_a_board_a_rule_an_endpoint_and_a_bot_are_served(there):
    assert "hello" in there["boards"]
    assert there["rules"]["hello"] == {"number": "1", "says": "It says hello."}
    assert there["endpoint"] == {"hello": "world"}
    assert there["described"]
    assert "hello" in there["bots"]
    assert there["bot"] == "Hello"


def test_a_command_runs_and_is_listed(there):
    assert there["command"] == "Hello!\n"
    assert re.search(r"^ +hello +Say hello\.$", there["help"], re.MULTILINE)
