"""No word of a table is broken, no dialog is out of line."""

import pytest
from playwright.sync_api import expect

from tests.service.players import sign_up
from tests.waiting import until

SIZES = [(1920, 1080), (1400, 900), (820, 1180)]
# words of a table that stand on two lines, unless a hyphen or a dash in them may end one
BROKEN = """() => [...document.querySelectorAll("main :is(td, th)")].flatMap((cell) => {
  const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), broken = [];
  while (walk.nextNode()) {
    for (const { 0: word, index } of walk.currentNode.data.matchAll(/[^\\s\u00ad\\/\u2013-]+/gu)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
})"""
MIDDLES = """(elements) => elements.map((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return (top + bottom) / 2;
})"""


@pytest.fixture(scope="module")
def played(stack):
    """Games of bots on two boards, in the statistics."""
    [ann] = sign_up(stack.url, "Ann")
    for board in ("london", "europe"):
        ann.post("/v1/games", {"board": board, "seats": [{"bot": "random"}] * 2})
    until(
        lambda: (
            {"london", "europe"} <= {row["board"] for row in ann.get("/v1/stats/bots")["items"]}
        ),
        100,
    )


@pytest.mark.parametrize("locale", ["en", "de"])
def test_no_word_of_a_table_is_broken(window, played, locale):
    its = window(locale=locale)
    for path in ("/leaderboards", "/boards/london", "/boards/usa", "/boards/europe"):
        page = its.open(path)
        expect(page.locator("main table").first).to_be_visible()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN) == [], (path, width)


def test_the_settings_of_an_account_stand_in_line(window):
    its = window(viewport={"width": 375, "height": 800})
    page = its.open("/")
    page.click(".chip")
    expect(page.locator("dialog.account label:has([type=checkbox])").first).to_be_visible()
    heading, close = page.locator("dialog.account > form:first-child > *").evaluate_all(MIDDLES)
    assert abs(heading - close) < 12
    ends = page.locator("dialog.account > form:first-child").evaluate(
        "(form) => form.getBoundingClientRect().right"
        " - form.lastElementChild.getBoundingClientRect().right"
    )
    assert ends < 1
    for box in page.locator("dialog.account label:has([type=checkbox])").all():
        assert box.evaluate("""(label) => {
          const words = document.createRange();
          words.selectNodeContents(label.lastChild);
          return words.getBoundingClientRect().top
            < label.firstElementChild.getBoundingClientRect().bottom;
        }""")
    wide = page.locator("dialog.account").evaluate("(one) => [one.scrollWidth, one.clientWidth]")
    assert wide[0] <= wide[1]
    assert page.locator("dialog.account label:has(select)").bounding_box()["height"] < 120


def test_who_takes_which_place_is_a_grid(window, paris):
    page = window(viewport={"width": 1280, "height": 720}).open(f"/games/{paris}?at=20")
    page.get_by_role("button", name="What if?").click()
    choices = page.locator("dialog.more .in-places select")
    expect(choices.first).to_be_visible()
    widths = choices.evaluate_all(
        "(all) => all.map((one) => Math.round(one.getBoundingClientRect().width))"
    )
    assert len({*widths}) == 1
