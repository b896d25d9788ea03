"""The npm package in client/javascript, built, packed and installed as others would have it: the
program of its README is checked and plays a whole game.

`make setup` installs its dependencies, pinned in package-lock.json.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from subprocess import PIPE

import pytest
from fogg_client import Client

from service.operation.stack import Stack
from service.redis.connection import connect
from tests.service.games.test_rollbacks import Failover
from tests.waiting import until
from tools.packages import JAVASCRIPT, MODULES, NODE, NPM, npm_package

pytestmark = pytest.mark.deep

ROOT, HERE = Path(__file__).parents[2], Path(__file__).parent
SOURCE = ROOT / JAVASCRIPT
[BOT] = re.findall(r"^```ts\n(.*?)^```$", (SOURCE / "README.md").read_text(), re.M | re.S)
[COMMANDS] = re.findall(r"^```sh\n(.*?)^```$", (SOURCE / "README.md").read_text(), re.M | re.S)


def node(folder: Path, *words: object) -> str:
    """Run a program of Node's that must succeed; return what it prints."""
    done = subprocess.run(
        [NPM[0], *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "PATH": f"{NODE}/bin:{os.environ['PATH']}",
            "npm_config_offline": "true",
            "npm_config_update_notifier": "false",
        },
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_is_made_of_what_is_pinned_here():
    pinned = json.loads((HERE / "package.json").read_text())["dependencies"]
    package = json.loads((SOURCE / "package.json").read_text())
    fetch = package["dependencies"].pop("openapi-fetch")
    assert fetch == f"^{pinned.pop('openapi-fetch')}"
    assert package["dependencies"] == {}
    assert package["devDependencies"] == pinned


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder in which the package, and what it needs, was installed without a registry."""
    folder, made = tmp_path_factory.mktemp("bot"), tmp_path_factory.mktemp("made")
    npm_package(made)
    [packed] = made.iterdir()
    assert f"npm install ./dist/{packed.name} " in COMMANDS
    needed = ("openapi-fetch", "openapi-typescript-helpers", "@types/node", "undici-types")
    node(folder, NPM[1], "install", packed, *[MODULES / name for name in needed])
    package = folder / "node_modules" / "fogg-client"
    assert {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()} == {
        "package.json",
        "README.md",
        "LICENSE",
        "dist/index.js",
        "dist/index.d.ts",
        "dist/openapi.d.ts",
        "dist/client.mjs",
        "dist/client.d.mts",
    }
    return folder


def check(folder: Path, program: str) -> None:
    """Save a program and check its types, as the README says."""
    (folder / "bot.mts").write_text(program)
    [words] = [line.split()[2:] for line in COMMANDS.splitlines() if line.startswith("npx tsc ")]
    node(folder, MODULES / "typescript/bin/tsc", *words)


def test_the_program_of_its_page_is_checked_and_plays(stack, installed):
    check(installed, BOT)
    said = node(installed, "bot.mts", stack.url)
    assert re.fullmatch(r"Typed -?\d+\nrandom -?\d+\n", said)


def test_a_member_that_no_action_has_is_an_error(installed):
    with pytest.raises(AssertionError, match="'cities' does not exist"):
        check(installed, BOT.replace("action.type", "action.cities"))


FOLLOWS = """
import { Fogg } from "fogg-client";

const me = new Fogg(process.argv[2], process.argv[3]);
const games = me.play((view, actions) => {
  console.log(view.version);
  return actions[0];
});
for await (const over of games) {
  console.log(over.ending);
  process.exit();
}
"""


def test_a_game_that_has_gone_back_is_played_on(installed, tmp_path):
    """The bot has seen later versions than that in which it is its turn again."""
    check(installed, FOLLOWS)
    with Stack(tmp_path) as stack, connect(stack.redis.url) as redis:
        host, guest = (Client(stack.url).sign_up(name) for name in ("Host", "Guest"))
        seats = [{"player": "me"}, {"open": True}]
        options = {"board": "usa", "seats": seats, "options": {"first_seat": 0}}
        game = host.post("/v1/games", options)["id"]
        guest.post(f"/v1/games/{game}/seats", {})
        words = [NPM[0], "bot.mts", stack.url, guest.token]
        bot = subprocess.Popen([*map(str, words)], cwd=installed, stdout=PIPE, text=True)
        try:
            turn_of(host, game)  # the tickets of both are chosen
            lagging = Failover(redis)
            take_turn(host, game)
            most = turn_of(host, game)
            lagging.happen()
            assert take_turn(host, game) < most
            assert turn_of(host, game) == most
            host.post(f"/v1/games/{game}/actions", {"type": "resign"})
            said, _ = bot.communicate(timeout=60)
        finally:
            bot.kill()
            bot.wait()
    *versions, ending = said.split()
    assert ending == "one_seat_left"
    # the first action is refused once, as its version was lost and is there again
    assert versions[-5:] == [str(most - 2 + more) for more in (0, 1, 0, 0, 1)]


def turn_of(host: Client, game: str) -> int:
    """Play what comes before a turn; wait until it is the host's, and return the version."""

    def version() -> int | None:
        view = host.view(game)
        decisions = {one["seat"]: one["decision"] for one in view["deciding"]}
        if decisions.get(0) == "keep_tickets":
            host.play(view, view["you"]["legal_actions"][0])
        return view["version"] if decisions.get(0) == "turn" else None

    return until(version)


def take_turn(host: Client, game: str) -> int:
    """Draw two cards; return the version."""
    for _ in range(2):
        version = host.post(f"/v1/games/{game}/actions", {"type": "draw_card", "from": "deck"})
    return version["version"]
