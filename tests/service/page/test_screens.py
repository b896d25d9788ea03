"""Every screen opens in a browser, without an error and without asking anybody else; and looks the
same whether its address was opened or a link on another screen led to it."""

import json
import re

import pytest
from fogg_client.client import Client
from playwright.sync_api import Page, expect

from service.page.files import FOLDER, needed
from service.page.screens import MANIFEST, SCREENS

# The computed styles of the elements at each place of a screen, less what follows from how much
# room its text takes and what moves. The style of an element is returned as a hash, as the text
# itself would be megabytes for each screen.
STYLES = """() => {
  document.activeElement?.blur();
  const room = new RegExp('^(?:width|height|(?:inline|block)-size|perspective-origin|transform.*'
    + '|grid-template.*|inset.*|top|right|bottom|left|animation.*|transition.*|outline.*)$');
  const usual = [...getComputedStyle(document.body)].filter((name) => !name.startsWith('--'));
  const names = usual.filter((name) => !room.test(name));
  const place = (one) => one === document.body ? '' : `${place(one.parentElement)} > `
    + [one.localName, ...[...one.classList].sort()].join('.');
  const hash = (said) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < said.length; at += 1) {
      high = Math.imul(high ^ said.charCodeAt(at), 2654435761);
      low = Math.imul(low ^ said.charCodeAt(at), 1597334677);
    }
    return [high, low].join();
  };
  const styles = {};
  for (const one of document.querySelectorAll('body *:not(svg *)')) {
    const style = getComputedStyle(one);
    let said = names.map((name) => style.getPropertyValue(name)).join('; ');
    for (let at = usual.length; at < style.length; at += 1) {  // our own, --NAME
      said += `; ${style[at]}: ${style.getPropertyValue(style[at])}`;
    }
    (styles[place(one)] ??= {})[hash(said)] = true;
  }
  return Object.fromEntries(
    Object.entries(styles).map(([at, said]) => [at, Object.keys(said).sort()]));
}"""
QUIET = """() => new Promise((done) => {  // when nothing has been added or removed for a while
  const wait = () => setTimeout(done, 600);
  let timer = wait();
  new MutationObserver(() => { clearTimeout(timer); timer = wait(); })
    .observe(document.body, { childList: true, subtree: true });
})"""
GO = """(to) => {
  const link = document.createElement('a');
  link.href = to;
  document.querySelector('main').append(link);
  link.click();
}"""


@pytest.fixture(scope="module")
def ann(stack):
    return Client(stack.url).sign_up("Ann")


@pytest.fixture(scope="module")
def to_pay(stack, ann):
    """A game on a board with flags, in which Ann may claim a route and keep a card for her flag."""
    bob = Client(stack.url).sign_up("Bob")
    game = ann.post("/v1/games", {"board": "paris", "options": {"first_seat": 0},
                                  "seats": [{"player": "me"}, {"open": True}]})["id"]
    bob.post(f"/v1/games/{game}/seats", {})
    for _ in range(100):
        for who in (ann, bob):
            while legal := (view := who.view(game))["you"]["legal_actions"]:
                if who is ann and any(action.get("keep_for_flag") for action in legal):
                    return game
                who.play(view, legal[0])
    raise AssertionError("nothing could be kept for a flag")


def shown(page: Page, address: str) -> dict[str, list[str]]:
    """Return the styles of a screen, with those of parts that it opens, once it has loaded."""
    page.wait_for_function("(path) => location.pathname === path", arg=address)
    page.wait_for_selector("main:not([aria-busy]) .screen", state="attached")
    page.evaluate(QUIET)
    pay = page.locator(".prompt button", has_text="to claim")
    for route in range(int(pay.inner_text().split()[0]) if pay.count() else 0):
        pay.click()
        page.locator(".claimable li button").nth(route).click()
        page.wait_for_selector(".paying")
        if page.locator(".paying .keep").count():
            break
        page.click(".paying .cancel")
    return page.evaluate(STYLES)


def test_a_screen_looks_the_same_after_any_other_screen(window, stack, ann, to_pay):
    cup = ann.post("/v1/tournaments", {
        "boards": ["london"], "name": "Cup", "format": "swiss"})["id"]
    waiting = ann.post("/v1/games", {
        "board": "london", "seats": [{"player": "me"}, {"open": True}]})
    me = ann.get("/v1/me")["id"]
    addresses = ["/", f"/games/{to_pay}", f"/games/{waiting['id']}", "/tournaments",
                 f"/tournaments/{cup}", "/leaderboards", "/leaderboards/usa", f"/players/{me}",
                 "/boards", "/boards/usa", f"/tournaments/{cup}/screen"]
    its = window(viewport={"width": 1366, "height": 768})
    its.be(ann)
    direct = {address: shown(its.open(address), address) for address in addresses}
    page = its.open("/")
    page.wait_for_selector("main")  # the page loads its texts first, maybe after the load event
    for address in (f"/games/{to_pay}", "/boards/usa"):  # now all style sheets are there
        page.evaluate(GO, address)
        shown(page, address)
    different = []
    for address in addresses:
        page.evaluate(GO, address)
        reached = shown(page, address)
        both = direct[address].keys() & reached.keys()
        assert len(both) > 15, address
        different += [f"{address}{place}" for place in sorted(both)
                      if direct[address][place] != reached[place]]
    assert not different, "\n".join(different)
    assert any("label.keep" in place for place in direct[f"/games/{to_pay}"])


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.address)
@pytest.mark.parametrize("is_framed", [False, True])
def test_a_screen_names_the_texts_of_all_modules_that_it_begins_with(screen, is_framed):
    used = set()
    for name in needed(screen, is_framed, "en"):
        if name.endswith(".mjs"):
            text = (FOLDER / name).read_text(encoding="utf-8")
            used |= set(re.findall(r"(?<!/)\btexts\.(\w+)(?<!mjs)", text))
    assert used - {"app", "language"} <= set(screen.texts)


def outermost(sheet: str) -> list[str]:
    """Return what each rule of a style sheet that stands within no other begins with."""
    rules, depth, start = [], 0, 0
    for brace in re.finditer(r"[{}]", sheet):
        if brace[0] == "{":
            rules += [sheet[start:brace.start()].strip()] if depth == 0 else []
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


@pytest.mark.parametrize(("path", "words"), [
    ("/games/NOPE", "There is no game called NOPE."), ("/games/a/b", "may be misspelt")])
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
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_function("() => Math.round(scrollY) === 900")
    page.reload()
    page.wait_for_function("() => Math.round(scrollY) === 900")
