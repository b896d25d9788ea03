"""The page on which the API can be read and tried, in a browser; and pages that the docs give."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.service.players import begun, resign, sign_up

ROOT = Path(__file__).parents[3]
SERVER = "http://127.0.0.1:8000"


@pytest.mark.quick
def test_the_documentation_is_shown_by_a_browser_and_breaks_no_policy(window):
    page = window().open("/docs")
    page.wait_for_selector("#operations-playing-playAction")


def test_a_page_of_the_docs_is_dark_as_a_whole_for_those_who_want_it(window):
    """With light paper under them, links in the colour for dark paper cannot be read."""
    page = window(color_scheme="dark").open("/docs/bots.md")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light dark"
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": 4, "height": 4})
    assert (
        page.evaluate(
            """async (bytes) => {
      const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const drawing = new OffscreenCanvas(4, 4).getContext('2d');
      drawing.drawImage(picture, 0, 0);
      return Math.max(...drawing.getImageData(0, 0, 1, 1).data.slice(0, 3));
    }""",
            list(shot),
        )
        < 64
    )


def test_the_replay_viewer_of_the_docs_shows_each_version_from_a_file(chromium, stack, tmp_path):
    page = (ROOT / "docs" / "clients.md").read_text()
    [program] = re.findall(r"^```html\n(.*?)^```$", page, re.M | re.S)
    assert SERVER in program
    (tmp_path / "replay.html").write_text(program.replace(SERVER, stack.url))
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = begun(ann, bob)
    hand = ann.view(game)["you"]["hand"]
    resign(bob, game)
    version = ann.view(game)["version"]
    viewer = chromium.new_page()
    viewer.goto(f"{(tmp_path / 'replay.html').as_uri()}?game={game}")
    expect(viewer.locator("pre")).to_contain_text(f"version {version}, face up: ")
    viewer.locator("input").fill(str(version - 1))
    expect(viewer.locator("pre")).to_contain_text(f"version {version - 1}, ")
    expect(viewer.locator("pre")).to_contain_text(
        f"Ann: 0 points, {', '.join(f'{count} {color}' for color, count in hand.items())}"
    )
    viewer.locator("input").fill("1")
    expect(viewer.locator("pre")).to_contain_text("version 1, face up: \nAnn: 0 points, ")
    viewer.close()
