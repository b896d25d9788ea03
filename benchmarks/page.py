"""The page in Chromium: what it takes to load, and how smooth a replay is.

A game of five on the board of the USA, whose players play anything, is gone through: a long one.
"""

from __future__ import annotations

from random import Random

import click
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.compare import show
from benchmarks.games import store_random_game
from benchmarks.temporary import service
from domain.boards import load_folder
from service.operation.redis import connect
from service.store.games import GameStore
from tests.service.page.conftest import CHROMIUM, FLAGS

PATIENCE = 120_000  # milliseconds
SETTLING = 1500  # milliseconds until all that a screen asks for has come
# When what one came for is there: something is drawn of the selector that is looked for.
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
# Time spent in what was asked of the next frame, by frame.
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
    document.body.getBoundingClientRect(); // the layout, too
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
    """Return bytes, requests and times of cold loads, and what a replay takes."""
    if not CHROMIUM:
        raise click.ClickException("there is no Chromium here; FOGG_CHROMIUM may name one")
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
    """Open an address in a browser that has nothing yet; note what that took."""
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(f"({USEFUL})({selector!r})")
    page.goto(url)
    useful = page.evaluate(USEFUL_AT)
    page.wait_for_timeout(SETTLING)
    loaded = page.evaluate(LOADED)
    for what, rows in (("files", [row for row in loaded if not row[0].startswith("/v1")]),
                       ("API", [row for row in loaded if row[0].startswith("/v1")])):
        figures |= {f"{name}, {what}, requests": len(rows),
                    f"{name}, {what}, bytes": sum(row[1] for row in rows),
                    f"{name}, {what}, bytes sent": sum(row[2] for row in rows)}
    figures[f"{name}, first useful paint, ms"] = useful
    return page


def _gone_through(page: Page) -> dict[str, float]:
    """Return what steps through a game took."""
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
    """Return what the page's thread has used, however busy the machine is."""
    metrics = chromium.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "TaskDuration")


def _spread(values: list[float]) -> dict[str, float]:
    """Return the middle, the 99th percentile and the highest of sorted values."""
    return {"median": values[len(values) // 2], "99th percentile": values[len(values) * 99 // 100],
            "highest": values[-1]}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def main(as_json: bool) -> None:
    """Measure the page in Chromium.

    \b
    Example:
      python -m benchmarks.page
    """
    show(measure(), as_json)


if __name__ == "__main__":
    main()
