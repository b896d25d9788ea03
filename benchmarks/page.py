"""Measures the page in Chromium: how much it loads, how soon it is useful, how smooth a replay is.

The replay is a long one: a random game of five on the USA board.
"""

from __future__ import annotations

from random import Random

import click
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.runner import command
from benchmarks.services import service
from domain.boards import load_folder
from service.games.store import GameStore
from service.redis.connection import connect
from tests.service.page.conftest import CHROMIUM, FLAGS
from tools.games import store_random_game

TIMEOUT_MS = 120_000
SETTLE_MS = 1500  # until a screen has loaded everything
# Notes when an element that matches the selector has been painted.
USEFUL = """(selector) => new MutationObserver((_, watching) => {
  if (!document.querySelector(selector)) return;
  watching.disconnect();
  requestAnimationFrame(() => setTimeout(() => { self.usefulAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true })"""
USEFUL_AT = """() => new Promise((done) => setInterval(() => self.usefulAt && done(usefulAt)))"""
AT_END = """() => new Promise((done) => setInterval(() => (
  document.querySelector(".game").table.isLatest && done())))"""
LOADED = """() => performance.getEntriesByType("resource")
  .concat(performance.getEntriesByType("navigation"))
  .map((one) => [new URL(one.name).pathname, one.decodedBodySize, one.transferSize])"""
# Adds up the time spent in the callbacks of each frame.
TIMED = """() => {
  self.frames = new Map();
  const ask = self.requestAnimationFrame.bind(self);
  self.requestAnimationFrame = (act) => ask((now) => {
    const start = performance.now();
    act(now);
    frames.set(now, (frames.get(now) ?? 0) + performance.now() - start);
  });
}"""
SCRUBBED = """() => {
  const { table } = document.querySelector(".game");
  const steps = [];
  const versions = Array.from({ length: table.version }, (_, i) => i + 1);
  for (const version of [...versions, ...versions.toReversed()]) {
    const start = performance.now();
    table.show(version);
    document.body.getBoundingClientRect(); // forces the layout
    steps.push(performance.now() - start);
  }
  return steps;
}"""
FOLDED = """async () => {
  const { fold } = await import("/web/fold.mjs");
  const { entries, board } = document.querySelector(".game").table;
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < 1000; count += entries.length) fold(entries, board, null);
  return 1000 * count / (performance.now() - start);
}"""


def measure() -> dict:
    """Return bytes, requests and times of loads with an empty cache, and the times of a replay."""
    if not CHROMIUM:
        raise click.ClickException("no Chromium was found; FOGG_CHROMIUM may name one")
    figures: dict[str, float] = {}
    with service() as stack, connect(stack.redis.url) as redis, sync_playwright() as playwright:
        boards = load_folder()
        game = store_random_game(GameStore(redis, boards), boards["usa"], 5, Random(5)).id
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, path, selector in (("the games", "/", "main h1"),
                                     ("a game", f"/games/{game}", ".map [data-route]")):
            _opened(browser, stack.url + path, selector, name, figures).close()
        page = _opened(browser, f"{stack.url}/games/{game}?at=1", ".map [data-route]", "", {})
        figures |= _gone_through(page)
        browser.close()
    return {"benchmark": "page", "figures": figures}


def _opened(browser: Browser, url: str, selector: str, name: str, figures: dict) -> Page:
    """Load an address with an empty cache; add what that took to the figures."""
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.add_init_script(f"({USEFUL})({selector!r})")
    page.goto(url)
    useful = page.evaluate(USEFUL_AT)
    page.wait_for_timeout(SETTLE_MS)
    loaded = page.evaluate(LOADED)
    for what, rows in (("files", [row for row in loaded if not row[0].startswith("/v1")]),
                       ("API", [row for row in loaded if row[0].startswith("/v1")])):
        figures |= {f"{name}, {what}, requests": len(rows),
                    f"{name}, {what}, bytes": sum(row[1] for row in rows),
                    f"{name}, {what}, bytes sent": sum(row[2] for row in rows)}
    figures[f"{name}, first useful paint, ms"] = useful
    return page


def _gone_through(page: Page) -> dict[str, float]:
    """Step through the game, then replay it; return how long that took."""
    chromium = page.context.new_cdp_session(page)
    chromium.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _processor_seconds(chromium)
    steps = sorted(page.evaluate(SCRUBBED))
    used = _processor_seconds(chromium) - before
    page.evaluate(TIMED)
    page.evaluate("document.querySelector('.game').table.show(1)")
    page.get_by_label("Speed").select_option("Infinity")
    page.get_by_role("button", name="Play", exact=True).click()
    page.evaluate(AT_END)
    frames = sorted(page.evaluate("[...frames.values()]"))
    return {
        "entries": page.evaluate("document.querySelector('.game').table.version"),
        "fold, entries a second": page.evaluate(FOLDED),
        "a step of a scrub, processor time, mean, ms": 1000 * used / len(steps),
        **{f"a step of a scrub, script and layout, {what}, ms": value
           for what, value in _spread(steps).items()},
        **{f"script of a frame of the quickest replay, {what}, ms": value
           for what, value in _spread(frames).items()},
        "frames over 50 ms": sum(frame > 50 for frame in frames),
    }


def _processor_seconds(chromium: CDPSession) -> float:
    """Return the processor seconds of the page's main thread."""
    metrics = chromium.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "TaskDuration")


def _spread(values: list[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the highest of sorted values."""
    return {"median": values[len(values) // 2], "99th percentile": values[len(values) * 99 // 100],
            "highest": values[-1]}


if __name__ == "__main__":
    command(measure)()
