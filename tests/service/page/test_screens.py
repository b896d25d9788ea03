"""No screen changes how another one looks."""

import json
import re

import pytest
from playwright.sync_api import expect

from service.page.files import FOLDER
from service.page.screens import MANIFEST

GO = """(to) => {
  const link = document.createElement('a');
  link.href = to;
  document.querySelector('main').append(link);
  link.click();
}"""


def outermost(sheet: str) -> list[str]:
    """Return what each rule of a style sheet that stands within no other begins with."""
    rules, depth, start = [], 0, 0
    for brace in re.finditer(r"[{}]", sheet):
        if brace[0] == "{":
            rules += [sheet[start : brace.start()].strip()] if depth == 0 else []
        depth += 1 if brace[0] == "{" else -1
        start = brace.end()
    return rules


def test_no_style_sheet_of_a_screen_reaches_another():
    """All rules stand within the element of their screens; base.css and map.css are for all."""
    styles = json.loads(MANIFEST.read_text(encoding="utf-8"))["styles"]
    shared = {"base.css", "map/map.css"}
    assert all("map/map.css" in named for named in styles.values())
    sheets = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.css")}
    assert sheets == shared.union(*styles.values())
    for sheet in sheets - shared:
        [kind] = [kind for kind, named in styles.items() if sheet in named]
        text = (FOLDER / sheet).read_text(encoding="utf-8")
        rules = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        for rule in outermost(rules):
            assert rule.startswith(f':where([data-styles="{kind}"])'), f"{sheet}: {rule}"
            assert "," not in rule.partition(")")[2], f"{sheet}: {rule}"


@pytest.mark.parametrize(
    ("path", "words"),
    [("/games/NOPE", "There is no game called NOPE."), ("/games/a/b", "may be misspelt")],
)
def test_a_screen_says_in_sentences_that_there_is_nothing(window, path, words):
    its = window()
    its.expected = "404 (NOT FOUND)"
    page = its.open(path)
    expect(page.locator("h1")).to_have_text("There is nothing at this address.")
    expect(page.locator("main")).to_contain_text(words)


@pytest.mark.quick
def test_a_screen_is_scrolled_as_it_was_left_on_return(window):
    page = window(viewport={"width": 375, "height": 500}).open("/boards/usa")
    page.wait_for_function("() => document.documentElement.scrollHeight > 1500")
    page.evaluate("scrollTo(0, 900)")
    page.evaluate(GO, "/leaderboards")
    expect(page.locator("h1")).to_have_text("Leaderboards")
    expect(page.locator("[data-styles]")).to_have_attribute("data-styles", "records")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_function("() => Math.round(scrollY) === 900")
    page.reload()
    page.wait_for_function("() => Math.round(scrollY) === 900")
