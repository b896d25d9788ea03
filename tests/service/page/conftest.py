"""A real browser on a real service.

It is Debian's Chromium, or the one in FOGG_CHROMIUM; without a browser these tests are skipped with
a reason. The headless shell is used if it is installed: it needs half the CPU time.
"""

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fogg_client.client import Client
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from domain.boards import load_folder
from service.games import importing
from service.games.store import GameStore
from service.redis.connection import connect
from tools.histories.kept import read

CHROMIUM = (
    os.environ.get("FOGG_CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT_MS = 60_000  # milliseconds: CI is a busy machine
AXE = Path(__file__).parents[2] / "typescript/node_modules/axe-core/axe.min.js"
# what moves is looked at where it comes to rest: on its way it fades
AXE_RUN = """async (part) => {
    await Promise.allSettled(document.getAnimations()
        .filter(({ effect, playState }) =>
            playState === "running" && effect.getComputedTiming().endTime < Infinity)
        .map(({ finished }) => finished));
    const { violations } = await axe.run(part ?? document, { resultTypes: ["violations"], runOnly:
        ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return violations.map(({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`);
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests in a browser as deep, but for those that are marked as quick."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("quick"):
            item.add_marker(pytest.mark.deep)


@pytest.fixture(scope="session")
def chromium():
    """The browser; the same one for all tests of a process."""
    if not CHROMIUM:
        pytest.skip(
            "there is no Chromium here: install it (apt install chromium), "
            "or name one in FOGG_CHROMIUM"
        )
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Window:
    """A window of somebody's own browser, which keeps what went wrong in it."""

    def __init__(
        self,
        context: BrowserContext,
        url: str,
        by: Client | None = None,
        viewport=None,
        color_scheme=None,
        worker=False,
    ):
        self.url, self.context = url, context
        self.page: Page = context.new_page()
        context.new_cdp_session(self.page).send(
            "Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"}
        )
        if not worker:  # it answers in place of the service, unseen by tests
            self.page.add_init_script("delete Navigator.prototype.serviceWorker")
        if viewport:
            self.page.set_viewport_size(viewport)
        self.page.emulate_media(color_scheme=color_scheme)
        self.errors: list[str] = []
        self.expected = "nothing"  # allowed text of an error
        self.addresses: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        context.on("request", self._ask)
        if by:
            self.be(by)

    def _ask(self, request) -> None:
        self.addresses.append(request.url)

    def _note(self, message) -> None:
        if message.type in ("error", "warning") and self.expected not in message.text:
            self.errors.append(message.text)

    def be(self, client: Client) -> None:
        """Keep an account in it, as if it had been made there."""
        me = client.get("/v1/me")
        account = {"id": me["id"], "name": me["name"], "token": client.token}
        self.page.add_init_script(
            f"localStorage.setItem('fogg-account', {json.dumps(json.dumps(account))})"
        )

    def open(self, path: str) -> Page:
        """Go to an address of the page."""
        self.page.goto(self.url + path)
        return self.page

    def close(self) -> None:
        """Close it, and what was opened from it."""
        for page in self.context.pages:
            page.close()
        self.context.remove_listener("request", self._ask)

    def check(self) -> None:
        """Hold that nothing went wrong, and that nothing was asked of anybody else."""
        assert self.errors == []
        assert [
            url for url in self.addresses if not url.startswith((self.url, "data:", "blob:"))
        ] == []


@pytest.fixture(scope="session")
def browsers(chromium):
    """Return the idle browsers, by their options. A test's data in them is deleted, except the
    page's files: loading and compiling them for each window took most of a test's time."""
    return defaultdict(list)


def windows(chromium, browsers, stack):
    """Yield a function that opens windows on the service, each of another account, ``by`` whom it
    is used if it is not a new one; check at the end that no errors occurred. A browser that is
    ``alone`` is not used again; ``options`` are the browser's."""
    made: list[Window] = []
    ends: list[Callable[[], None]] = []  # clean-up of each browser

    def make(
        url: str = stack.url,
        *,
        by: Client | None = None,
        alone=False,
        viewport=None,
        color_scheme=None,
        worker=False,
        **options,
    ) -> Window:
        idle = [] if alone else browsers[repr(options)]
        context = idle.pop() if idle else chromium.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        made.append(Window(context, url, by, viewport, color_scheme, worker))
        ends.append(context.close if alone else partial(idle.append, context))
        return made[-1]

    yield make
    for each, end in zip(made, ends, strict=True):
        each.close()
        end()
    for each in made:
        each.check()


window = pytest.fixture(windows)
module_window = pytest.fixture(windows, scope="module")  # for what the tests of a module share


@pytest.fixture(scope="module")
def put(stack):
    """Put a game into the service; return its id."""
    with connect(stack.redis.url) as redis:
        store = GameStore(redis, load_folder())
        boards = importing.known_boards(store, [])
        yield lambda entries: importing.put(store, boards, entries)[0]


@pytest.fixture(scope="module")
def paris(put):
    """A whole game on the board of Paris."""
    return put(read("paris"))


def unfair(page: Page, part: str | None = None) -> list[str]:
    """What axe finds wrong for some people on a page, or in a part of it (a selector)."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return page.evaluate(AXE_RUN, part)
