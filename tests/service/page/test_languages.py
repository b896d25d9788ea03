"""Languages of the page: each has all of its texts, and nothing is said but by them."""

import re
from pathlib import Path

import orjson
import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from domain.board.parts import GREY
from domain.boards import load_folder
from service.accounts.bots import BOTS
from tests.service.page.nodejs import evaluated, output_of

TEXTS = Path(__file__).parents[3] / "service/page/texts"
ENGLISH = TEXTS / "en.mjs"
LANGUAGES = [path for path in TEXTS.glob("*.mjs") if path.name not in ("en.mjs", "texts.mjs")]
PART = re.compile(r"^export const (\w+) = \{$", re.MULTILINE)
PARTS = PART.findall(ENGLISH.read_text(encoding="utf-8"))
# a made-up language: the English texts, in angle brackets
MADE_UP = """
import * as en from "ENGLISH";
const made = (text) => (typeof text === "string" ? `\u00ab${text}\u00bb`
  : typeof text === "function" ? (...given) => made(text(...given))
  : Array.isArray(text) ? text.map(made)
  : text?.constructor === Object
    ? Object.fromEntries(Object.entries(text).map(([name, one]) => [name, made(one)])) : text);
export const {PARTS} = made({ ...en });
"""
# words that come from elsewhere: names, texts of the API, signs and units
UNTOLD = """(names) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walk.nextNode()) {
    const { data, parentElement: of } = walk.currentNode;
    let rest = names.reduce((text, name) => text.replaceAll(name, ""), data);
    for (let told = ""; told !== rest;) { // a text may stand in another
      [told, rest] = [rest, rest.replaceAll(/\u00ab[^\u00ab\u00bb]*\u00bb/gu, "")];
    }
    const isOthers = of.closest(
      "bdi, time, option, noscript, .hero .names, .game-row .hidden-text");
    if (/\\p{L}/u.test(rest) && !isOthers) words.push(data.trim());
  }
  return words;
}"""


def compared(english: Path, other: Path) -> list[str]:
    """Return how the texts of a language differ from those of English."""
    return orjson.loads(output_of("languages.mjs", english, other))


def made_up(english: str, *parts: str) -> str:
    """Return a file of texts in a made-up language."""
    return MADE_UP.replace("ENGLISH", english).replace("PARTS", f" {', '.join(parts)} ")


def test_every_language_says_all_that_english_says():
    for language in LANGUAGES:
        assert compared(ENGLISH, language) == [], language


def test_missing_texts_and_arguments_of_a_language_are_found(tmp_path):
    whole, torn = tmp_path / "whole.mjs", tmp_path / "torn.mjs"
    whole.write_text(made_up(ENGLISH.as_uri(), *PARTS))
    assert compared(ENGLISH, whole) == []
    torn.write_text(f"""import * as eo from "{whole.as_uri()}";
        export * from "{whole.as_uri()}";
        const {{ what, ...rest }} = eo.tournaments;
        export const more = "", extra = {{}}, players = {{ ...eo.players, you: () => "yourself" }},
          tournaments = {{ ...rest, of: (some) => `${{some}} of all` }};""")
    assert sorted(compared(ENGLISH, torn)) == [
        "extra: is no text of the page",
        "more: is string, not object",
        "players.you: is function, not string",
        'tournaments.of: says "@a" of @a,@b, not "@a @b"',
        "tournaments.what: lacks",
    ]


def test_a_span_of_days_has_its_hours_rounded_up():
    """A clock of three days begins with three days."""
    assert evaluated(f"""import {{ play }} from "{ENGLISH.as_uri()}";
        console.log([3 * 86_400 - 1, 2 * 86_400, 71 * 3600 - 1, 90_000 - 1, 23.5 * 3600 - 1, 61]
          .map(play.span).join("; "));""") == (
        "3 days; 2 days; 2 days 23 h; 1 day 1 h; 23 h 29 min; 1:01\n"
    )


def declared_in_angles(declared: dict) -> dict[str, dict]:
    """Return what a language says of its own, by part, where English says what boards declare."""

    def made(template: str) -> str:  # it may begin with a condition; tables show it up to the colon
        angled = re.sub(r"^(\w+(?:=\w+)?\? )?(.*)$", "\\1\u00ab\\2\u00bb", template)
        return angled.replace(": ", "\u00bb: \u00ab")

    templates = {}
    for what in ("events", "actions", "routes", "locations", "seat_view", "rules"):
        for name, one in declared[what].items():
            says = one.get("says") or []
            templates[f"{what} {name}"] = list(map(made, [says] if isinstance(says, str) else says))
    return {
        "log": {"declared": templates},
        "boards": {"ruleNames": {rule: f"\u00ab{rule}\u00bb" for rule in declared["rules"]}},
    }


def test_nothing_is_said_on_the_page_but_by_its_texts(window, stack):
    """Where there is another language, the page is in it from end to end."""
    own_words = declared_in_angles(Client(stack.url).get("/v1/boards/europe")["declared"])
    own, boards = window(locale="eo"), load_folder()
    europe = boards["europe"].described
    names = sorted(
        [
            "mu",
            "sigma",
            *BOTS,
            *BOTS.values(),
            *(board.name for board in boards.values()),
            europe["rulebook"],
            *europe["vocabulary"].values(),
            *europe["cards"],
            GREY,
            *(place["name"] for place in europe["locations"]),
        ],
        key=len,
        reverse=True,
    )

    def in_another(route):
        shown = route.fetch()
        body = (
            shown.text()
            .replace('<html lang="en">', '<html lang="eo">')
            .replace("/texts/en.mjs", "/texts/eo.mjs")
        )
        route.fulfill(response=shown, body=body)

    def made(route):
        text = made_up(route.request.url.replace("/eo.", "/en."), *PARTS)
        text += "".join(
            f"Object.assign({part}, {orjson.dumps(words).decode()});\n"
            for part, words in own_words.items()
        )
        route.fulfill(body=text, content_type="text/javascript")

    own.context.route(lambda url: "/web/" not in url and "/v1/" not in url, in_another)
    own.context.route("**/texts/eo.mjs", made)
    untold = {}
    for path in (
        "/",
        "/tournaments",
        "/leaderboards",
        "/leaderboards/usa",
        "/boards",
        "/boards/europe",
        "/players/bot_planner_0",
    ):
        page = own.open(path)
        page.wait_for_selector("main h1")
        if path == "/":
            page.wait_for_selector(".hero .seats li")
        assert page.locator("html").get_attribute("lang") == "eo"
        untold[path] = page.evaluate(UNTOLD, names)
    assert {path: texts for path, texts in untold.items() if texts} == {}


@pytest.mark.quick
def test_a_browser_that_prefers_german_gets_german_and_one_that_takes_any_language_english(
    window, anybody
):
    page = window(locale="de-AT").open("/")
    expect(page.locator("h1")).to_have_text("Hol dir die Strecken, bevor es andere tun.")
    expect(page.locator(".posters li", has_text="London").locator(".faint")).to_have_text(
        "5 Minuten · 2 bis 4 Spieler"
    )
    assert page.locator("html").get_attribute("lang") == "de"
    for accepted, language in (("*", "en"), ("fr", "en"), ("fr, de;q=0.5", "de")):
        shown = anybody.get("/", headers={"Accept": "text/html", "Accept-Language": accepted})
        assert f'<html lang="{language}">' in shown.text


def test_the_log_of_a_game_is_in_german(anybody):
    """Also what boards declare, and their words for pieces."""
    declared = {
        f"{what} {name}"
        for board in load_folder().values()
        for what in ("events", "routes", "locations", "seat_view", "rules")
        for name, one in board.described["declared"][what].items()
        if one.get("says")
    }
    script = f"""import {{ log, map, play }} from "{(TEXTS / "de.mjs").as_uri()}";
        console.log(JSON.stringify([Object.keys(log.declared), play.count(2, "Bahnhof"),
          log.count(1, "train"), play.canTicket(map.nouns["Destination Ticket"])]));"""
    german, *said = orjson.loads(evaluated(script))
    assert {*german} == declared
    assert said == ["2 Bahnhöfe", "1 Wagen", "Zielkarten ziehen"]
