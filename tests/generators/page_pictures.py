"""Make the pictures of the page in docs/ that README.md shows: a replay that moves, two screens.

    python -m tests.generators.page_pictures

lets bots play a game on a service of its own, and takes pictures of it in Chromium.
"""

from __future__ import annotations

import base64
import tempfile
import time
import zlib
from itertools import count
from pathlib import Path

from fogg_client.client import Client
from playwright.sync_api import Page, sync_playwright

from service.operation.stack import Stack
from tests.service.page.conftest import CHROMIUM, FLAGS

DOCS = Path(__file__).parents[2] / "docs"
SEED = "f099" * 16
BOTS = ("planner", "greedy", "planner")
PACE, LAST = 220, 3000  # milliseconds that a picture is shown, and the last one
SIZE = {"width": 800, "height": 560}
# A picture's pixels; an animation's frame has only those that changed.
CHANGED = """async (picture) => {
  const data = Uint8Array.from(atob(picture), (each) => each.charCodeAt(0));
  const image = await createImageBitmap(new Blob([data], { type: "image/png" }));
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, width, height).data;
  const [now, shown] = [new Uint32Array(pixels.buffer.slice()), new Uint32Array(pixels.buffer)];
  if (self.before) shown.forEach((pixel, i) => { if (pixel === before[i]) shown[i] = 0; });
  self.before = now;
  let text = "";
  for (let at = 0; at < pixels.length; at += 32768) {
    text += String.fromCharCode(...pixels.subarray(at, at + 32768));
  }
  return btoa(text);
}"""


class Animation:
    """A PNG that moves (www.w3.org/TR/png-3): each picture lies on top of those before."""

    def __init__(self, width: int, height: int):
        self._width, self._size = width, width.to_bytes(4) + height.to_bytes(4)
        self._shown: list[tuple[bytes, int]] = []

    def add(self, pixels: bytes, milliseconds: int) -> None:
        """Show a picture, four bytes a pixel, for so long."""
        row = 4 * self._width
        unfiltered = (b"\0" + pixels[at:at + row] for at in range(0, len(pixels), row))
        self._shown.append((zlib.compress(b"".join(unfiltered), 9), milliseconds))

    def whole(self) -> bytes:
        """Return the file."""
        numbers = (number.to_bytes(4) for number in count())
        eight_bits_rgba = bytes([8, 6, 0, 0, 0])
        chunks = [_chunk(b"IHDR", self._size + eight_bits_rgba),
                  _chunk(b"acTL", len(self._shown).to_bytes(4) + bytes(4))]  # for ever
        for i, (data, milliseconds) in enumerate(self._shown):
            pause = milliseconds.to_bytes(2) + (1000).to_bytes(2)
            chunks.append(_chunk(b"fcTL", next(numbers) + self._size + bytes(8) + pause + b"\0\1"))
            chunks.append(_chunk(b"fdAT", next(numbers) + data) if i else _chunk(b"IDAT", data))
        return b"\x89PNG\r\n\x1a\n" + b"".join([*chunks, _chunk(b"IEND", b"")])


def _chunk(name: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4) + name + content + zlib.crc32(name + content).to_bytes(4)


def played(url: str) -> tuple[str, list[int]]:
    """Play a game with bots; return its id and the versions at which a route was claimed."""
    client = Client(url).sign_up("Pictures")
    game = client.post("/v1/games", {"board": "usa", "seats": [{"bot": bot} for bot in BOTS],
                                     "options": {"first_seat": 0, "seed": SEED}})["id"]
    while client.view(game)["status"] != "finished":
        time.sleep(1)
    entries = client.get(f"/v1/games/{game}/events?limit=1000")["items"]
    return game, [entry["version"] for entry in entries
                  if any(event["type"] == "route_claimed" for event in entry["events"])]


def animate(page: Page, painter: Page, versions: list[int]) -> bytes:
    """Return an animation of these versions of the game that a page shows in a frame."""
    animation = Animation(**SIZE)
    for version in versions:
        page.evaluate("(version) => document.querySelector('.game').table.show(version)", version)
        page.wait_for_timeout(400)  # until what moves has come to rest
        picture = base64.b64encode(page.screenshot()).decode()
        pixels = base64.b64decode(painter.evaluate(CHANGED, picture))
        animation.add(pixels, LAST if version == versions[-1] else PACE)
    return animation.whole()


def main() -> None:
    """Write the pictures."""
    with (tempfile.TemporaryDirectory() as folder, Stack(Path(folder)) as stack,
          sync_playwright() as playwright):
        game, claims = played(stack.url)
        last = claims[-1]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        page.goto(f"{stack.url}/games/{game}?embed=1&at=1")
        page.wait_for_selector(".map [data-route]")
        painter = browser.new_page()
        (DOCS / "page-replay.png").write_bytes(animate(page, painter, [1, *claims]))
        for name, size, path in (
                ("page-game.png", {"width": 1280, "height": 800}, f"?at={last * 2 // 3}"),
                ("page-phone.png", {"width": 390, "height": 844}, f"?at={last * 2 // 3}")):
            page = browser.new_page(viewport=size, reduced_motion="reduce")
            page.goto(f"{stack.url}/games/{game}{path}")
            page.wait_for_selector(".map [data-route]")
            page.wait_for_selector(".log [aria-current]")
            page.wait_for_timeout(1000)
            page.screenshot(path=DOCS / name)
        browser.close()


if __name__ == "__main__":
    main()
