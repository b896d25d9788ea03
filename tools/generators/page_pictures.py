"""Make the pictures of the page in docs/ that README.md shows: the first screen, a game, a phone.

    python -m tools.generators.page_pictures

lets bots play a game on a service of its own, and takes pictures of it in Chromium.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from fogg_client.client import Client
from playwright.sync_api import ViewportSize, sync_playwright

from service.operation.stack import Stack
from tests.service.page.conftest import CHROMIUM, FLAGS

DOCS = Path(__file__).parents[2] / "docs"
SEED = "f099" * 16
BOTS = ("planner", "greedy", "planner")
GAME = "/games/{game}?at={at}"
PICTURES: list[tuple[str, ViewportSize, str]] = [  # file, size of the window, address
    ("page-first.png", {"width": 1280, "height": 800}, "/"),
    ("page-game.png", {"width": 1280, "height": 800}, GAME),
    ("page-phone.png", {"width": 390, "height": 844}, GAME),
]


def played(url: str) -> tuple[str, int]:
    """Play a game with bots; return its id and the version of the last claimed route."""
    client = Client(url).sign_up("Pictures")
    game = client.post(
        "/v1/games",
        {
            "board": "usa",
            "seats": [{"bot": bot} for bot in BOTS],
            "options": {"first_seat": 0, "seed": SEED},
        },
    )["id"]
    while client.view(game)["status"] != "finished":
        time.sleep(1)
    entries = client.get(f"/v1/games/{game}/events?limit=1000")["items"]
    return game, max(
        entry["version"]
        for entry in entries
        if any(event["type"] == "route_claimed" for event in entry["events"])
    )


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder)) as stack,
        sync_playwright() as playwright,
    ):
        game, last = played(stack.url)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, size, address in PICTURES:
            page = browser.new_page(viewport=size, reduced_motion="reduce")
            page.goto(stack.url + address.format(game=game, at=last * 2 // 3))
            page.wait_for_selector("svg [data-route]")
            page.wait_for_timeout(2000)  # until all parts are loaded
            page.screenshot(path=DOCS / name)
        browser.close()


if __name__ == "__main__":
    main()
