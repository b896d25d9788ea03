"""A real browser that looks at a real service.

It is Debian's Chromium, or whatever FOGG_CHROMIUM names; without one these tests are skipped, and
say so.
"""

import json
import os
import shutil
from pathlib import Path

import pytest
from fogg_client.client import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

CHROMIUM = os.environ.get("FOGG_CHROMIUM") or shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
PATIENCE = 60_000  # milliseconds: CI is a busy machine
AXE = Path(__file__).parents[2] / "typescript/node_modules/axe-core/axe.min.js"


@pytest.fixture(scope="session")
def chromium():
    """The browser; the same one for all tests of a process."""
    if not CHROMIUM:
        pytest.skip("there is no Chromium here: install it (apt install chromium), "
                    "or name one in FOGG_CHROMIUM")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Window:
    """A window of somebody's own browser, which keeps what went wrong in it."""

    def __init__(self, browser: Browser, url: str, **options):
        self.url = url
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.addresses: list[str] = []
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.context.on("request", lambda request: self.addresses.append(request.url))

    def _note(self, message) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def be(self, client: Client) -> None:
        """Keep an account in it, as if it had been made there."""
        me = client.get("/v1/me")
        account = {"id": me["id"], "name": me["name"], "token": client.token}
        self.context.add_init_script(
            f"localStorage.setItem('fogg-account', {json.dumps(json.dumps(account))})")

    def open(self, path: str) -> Page:
        """Go to an address of the page."""
        self.page.goto(self.url + path)
        return self.page

    def check(self) -> None:
        """Hold that nothing went wrong, and that nothing was asked of anybody else."""
        assert self.errors == []
        assert [url for url in self.addresses
                if not url.startswith((self.url, "data:", "blob:"))] == []


@pytest.fixture
def window(chromium, stack):
    """Makes windows on the service, each of somebody else; looks at the end that all is well."""
    made: list[Window] = []

    def make(url: str = stack.url, **options) -> Window:
        made.append(Window(chromium, url, **options))
        return made[-1]

    yield make
    for each in made:
        each.context.close()
    for each in made:
        each.check()
