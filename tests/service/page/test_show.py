"""A game of bots is a show: spectators see each move, though the bots have played on."""

import re

import pytest
from fogg_client.client import Client
from playwright.sync_api import Page, expect

from tests.service.players import seated, sign_up

WATCHED = """() => {
  const { table } = document.querySelector(".game");
  globalThis.watched = [];
  table.addEventListener("change", () => watched.push({
    version: table.version, ahead: table.pace.waiting.length,
    scores: [...document.querySelectorAll(".seat .score")].map((one) => parseInt(one.textContent)),
    marked: Number(document.querySelector(".log li:last-child").dataset.version) }));
}"""


def play_out(bots: list[Client], game: str) -> int:
    """Play a game to its end, claims first; return the last version."""
    while (view := bots[0].view(game))["status"] == "playing":
        bot = bots[view["deciding"][0]["seat"]]
        view = bot.view(game)
        actions = view["you"]["legal_actions"]
        claims = [action for action in actions if action["type"] == "claim_route"]
        bot.play(view, (claims or actions)[0])
    return view["version"]


class Show:
    """A spectator's page of a game that bots have played to its end since it was opened; only the
    test advances the page's clock."""

    def __init__(self, window, url: str):
        (owner,) = sign_up(url, "Ada")
        made = [owner.post("/v1/me/bots", {"name": f"Bot {place}"}) for place in range(2)]
        bots = [Client(url, one["token"]) for one in made]
        self.game = seated(*bots, board="paris")
        own = window(alone=True)
        own.context.clock.install()
        self.page: Page = own.open(f"/games/{self.game}")
        self.page.wait_for_selector(".replay .slide")
        self.page.clock.pause_at(self.page.evaluate("Date.now() / 1000") + 1)
        self.end = play_out(bots, self.game)
        self.page.wait_for_function(
            "(end) => document.querySelector('.game').table.pace.waiting.at(-1)?.version === end",
            arg=self.end,
        )
        self.page.evaluate(WATCHED)
        self.anybody = Client(url)

    def goes_on(self, milliseconds: int) -> int:
        """Advance the clock; return the version that is shown then."""
        for _ in range(0, milliseconds, 10):
            self.page.clock.run_for(10)
        return self.page.evaluate("document.querySelector('.game').table.version")

    def scores(self, version: int) -> list[int]:
        view = self.anybody.get(f"/v1/games/{self.game}", at=version)
        return [seat["score"] for seat in view["seats"]]


@pytest.fixture
def show(window, stack) -> Show:
    return Show(window, stack.url)


def test_no_move_is_left_out_and_nothing_tells_more_than_is_shown(show):
    page = show.page
    begun = show.goes_on(2000)
    assert begun < show.end - 30
    page.get_by_label("Speed").select_option("15")
    later = show.goes_on(1000)
    assert 10 <= later - begun <= 22
    watched = page.evaluate("watched")
    versions = list(dict.fromkeys(one["version"] for one in watched))
    assert versions == list(range(versions[0], later + 1))
    for one in watched:
        assert one["version"] + one["ahead"] == show.end
        assert one["scores"] == show.scores(one["version"])
        assert one["marked"] == one["version"]
    expect(page.locator(".replay .ahead")).to_have_text(f"{show.end - later} moves ahead")
    expect(page.locator(".tray")).to_contain_text(
        re.compile("to play|takes a second card|chooses tickets")
    )  # it may be within a turn


def test_it_stands_still_while_one_pauses_or_looks_back(show):
    page = show.page
    shown = show.goes_on(2000)
    for stop, on in (("Pause", "Play"), ("One back", "Back to live")):
        page.get_by_role("button", name=stop, exact=True).click()
        assert show.goes_on(4000) == shown
        page.get_by_role("button", name=on, exact=True).click()
        assert show.goes_on(4000) > shown
        shown = show.goes_on(0)
    expect(page.locator(".replay .ahead")).to_be_visible()


def test_one_skips_to_the_end_where_seats_plot_and_table_agree(show):
    page = show.page
    show.goes_on(2000)
    page.locator(".replay .ahead").click()
    expect(page.locator(".prompt.over")).to_contain_text("The points are being added up.")
    expect(page.locator(".log li")).to_have_count(show.end - 1)  # the last one tells the result
    due = [str(score) for score in show.scores(show.end)]
    expect(page.locator(".seat .score")).to_have_text([re.compile(rf"^{one}\b") for one in due])
    plot = page.locator(".scores").get_by_role("img")
    expect(plot).to_have_attribute("aria-label", re.compile(rf"{due[0]}\b.*\b{due[1]}\b"))
    show.goes_on(1500)  # until the routes are counted
    expect(page.locator(".scoring tbody td:nth-of-type(2)")).to_have_text(due)
    expect(page.get_by_role("slider")).not_to_have_attribute("aria-valuetext", re.compile("over"))


def test_what_is_rolled_back_before_it_was_shown_is_left_out_and_nothing_comes_after_the_end(
    window,
):
    """The service sends versions 2 to 4, takes back 3 and 4, and sends others."""
    page = window().open("/")
    shown = page.evaluate("""async () => {
      const { Pace } = await import(new URL("pace.mjs", document.querySelector("script[src]").src));
      const entry = (version, note) => ({ event: "entries", data: { version, note, events: [] } });
      const sent = [entry(2, "a"), entry(3, "b"), entry(4, "c"),
        { event: "lost", data: { version: 2 } },
        entry(3, "d"), entry(4, "e")];
      const pace = Object.assign(new Pace(), { speed: Infinity, isHeld: true });
      const table = Object.assign(new EventTarget(), {
        version: 1, seat: null, isShow: true, isLatest: true,
        entries: [entry(1).data], board: { trains: 45 }, view: { seats: [{}, {}] } });
      const stream = async function* () {
        yield* sent;
        setTimeout(() => {
          pace.isHeld = false;
          table.dispatchEvent(new Event("change"));
        });
      };
      const [shown, closing] = [[], new AbortController()];
      for await (const { event, data } of pace.direct(stream(), table, closing.signal)) {
        shown.push(data.note ?? event);
        if (data.note === "d") closing.abort(); // as when the tab is hidden
      }
      return [shown, pace.waiting.length];
    }""")
    assert shown == [["a", "lost", "d"], 1]
