"""The page on which the API can be read and tried, in a browser."""

import pytest


@pytest.mark.quick
def test_the_documentation_is_shown_by_a_browser_and_breaks_no_policy(window):
    page = window().open("/docs")
    page.wait_for_selector("#operations-playing-playAction")


def test_a_page_of_the_docs_is_dark_as_a_whole_for_those_who_want_it(window):
    """With light paper under them, links in the colour for dark paper cannot be read."""
    page = window(color_scheme="dark").open("/docs/bots.md")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light dark"
    shot = page.screenshot(clip={"x": 0, "y": 0, "width": 4, "height": 4})
    assert page.evaluate("""async (bytes) => {
      const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const drawing = new OffscreenCanvas(4, 4).getContext('2d');
      drawing.drawImage(picture, 0, 0);
      return Math.max(...drawing.getImageData(0, 0, 1, 1).data.slice(0, 3));
    }""", list(shot)) < 64
