"""The analysis of a finished game in its replay: asked for, waited for, and shown."""

import json
import re

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from domain.analysis import summary
from tests.service.page.conftest import unfair

IN_WORDS = {
    "keep_tickets": "found better: keep ",
    "draw_card": "found better: draw a ",
    "draw_tickets": "found better: draw tickets.",
    "claim_route": re.compile(r"found better: claim .* with an? "),
}


@pytest.fixture(scope="module")
def analysis(stack, paris):
    """An analysis of it, as a worker would make it: inaccuracies and blunders of both seats."""
    rows = []
    for n, line in enumerate(Client(stack.url).download(f"/v1/games/{paris}/decisions")):
        row = json.loads(line)
        actions = row["view"]["you"]["legal_actions"]
        best = [row["action"], actions[0], actions[-1]][n % 3]
        cost = 0.0 if best == row["action"] else [0.0, 6.0, 24.0][n % 3]
        rows.append(
            {
                "version": row["version"],
                "seat": row["seat"],
                "played": row["action"],
                "best": best,
                "cost": cost,
                "interval": [cost - 0.5, cost + 0.5],
                "win": round(0.5 + (0.4 if row["seat"] else -0.4) * n / 500, 3),
            }
        )
    rows[-1] |= {"best": rows[-2]["best"], "cost": 0.0, "interval": [0.0, 0.0]}
    ranks = [seat["result"]["rank"] for seat in Client(stack.url).view(paris)["seats"]]
    return {"status": "done", "progress": 1.0, "decisions": rows} | summary(rows, ranks)


@pytest.fixture
def served(window, paris, analysis):
    """A window on the game, and the requests for its analysis, which is there at the third look."""
    own, asked = window(viewport={"width": 1280, "height": 720}), []
    own.expected = "404"
    queued = {"status": "queued", "progress": 0.0, "decisions": []}
    answers = [
        (404, {"status": 404, "code": "unknown-analysis"}),
        (202, queued),
        (200, queued | {"status": "running", "progress": 0.4}),
        (200, analysis),
    ]

    def answer(route) -> None:
        asked.append(route.request.method)
        status, body = answers[min(len(asked), len(answers)) - 1]
        route.fulfill(status=status, json=body)

    own.page.route(f"**/v1/games/{paris}/analysis", answer)
    return own, asked


def marked(analysis, seat=None) -> list[dict]:
    """The decisions that certainly lost four points or more, of a seat or of all."""
    return [
        row
        for row in analysis["decisions"]
        if row["interval"][0] > 0 and row["cost"] >= 4 and seat in (None, row["seat"])
    ]


def test_the_first_viewer_asks_for_the_analysis_and_sees_it_made(served, paris, analysis):
    own, asked = served
    page = own.open(f"/games/{paris}?at=20")
    map_box = page.locator("section.map").bounding_box()
    panel = page.get_by_role("region", name="Analysis")
    page.get_by_role("button", name="Analyse").click()
    expect(panel.get_by_role("progressbar")).to_have_attribute("value", "0.4")
    curve = page.get_by_role("img", name="Chances of winning over time")
    expect(curve).to_be_visible()
    assert asked == ["GET", "POST", "GET", "GET"]
    assert curve.bounding_box()["height"] >= 160
    on_curve, in_log = page.locator(".scores .judged"), page.locator(".log .judged")
    expect(on_curve).to_have_count(len(marked(analysis)))
    expect(on_curve.first.locator("title")).to_contain_text("The bot expert found better:")
    signs = {6.0: "?!", 24.0: "??"}
    assert (
        on_curve.locator("text").all_text_contents()
        == in_log.all_inner_texts()
        == [signs[row["cost"]] for row in marked(analysis)]
    )
    assert in_log.evaluate_all(
        "(marks) => marks.map((mark) => Number(mark.closest('li').dataset.version))"
    ) == [row["version"] for row in marked(analysis)]

    turn = analysis["turning_point"]
    panel.get_by_role("button", name=f"Turning point: move {turn}").click()
    expect(page.get_by_role("spinbutton", name="Move")).to_have_value(str(turn))
    expect(panel).to_contain_text("from here on, the winner's chances were the best.")
    for version in (version for of in analysis["costliest"].values() for version in of):
        panel.get_by_role("button", name=f"move {version}: 24.0 points").click()
        expect(page.locator(".log [aria-current]")).to_contain_text(str(version))
        expect(panel).to_contain_text("The move cost 24.0 points (between 23.5 and 24.5, 95 %")
    for row in {row["best"]["type"]: row for row in marked(analysis)}.values():
        page.get_by_role("spinbutton", name="Move").fill(str(row["version"]))
        page.keyboard.press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(IN_WORDS[row["best"]["type"]])
        on_map = row["best"]["type"] in ("claim_route", "keep_tickets")
        expect(page.locator(".map path.ghost")).to_have_attribute(
            "d", re.compile("^M.*L" if on_map else "^$")
        )
        assert page.locator("section.map").bounding_box() == map_box
        expect(panel.locator(".places .ghost")).to_have_count(int("card" in row["best"]))
    assert unfair(page) == []
    assert not page.evaluate(f"""() => {{
        const {{ table }} = document.querySelector(".game");
        return Array.from({{ length: table.version }}, (_, at) => {{
            table.show(at + 1);
            return document.querySelector(".verdict").textContent;
        }}).filter((words, at) => words.includes(" 0.0") || words.includes("found better")
            && !{[row["version"] for row in marked(analysis)]}.includes(at + 1));
    }}""")
    expect(panel).to_contain_text("Marked moves, and the points that they lost at least: ??")
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375

    page.get_by_role("button", name="Analyse").click()
    expect(panel).to_have_count(0)
    expect(page.get_by_role("img", name="Score over time")).to_be_visible()
    expect(in_log).to_have_count(0)


def test_one_learns_from_mistakes_by_keyboard(served, paris, analysis):
    own, asked = served
    asked += ["GET"] * 3  # the analysis is there
    page = own.open(f"/games/{paris}")
    page.get_by_role("button", name="Analyse").press("Enter")
    panel, entry = page.get_by_role("region", name="Analysis"), page.get_by_role("spinbutton")
    learn = panel.get_by_role("button", name="Learn from").nth(1)
    mistakes = marked(analysis, seat=1)
    learn.press("Enter")
    expect(entry).to_have_value(str(mistakes[0]["version"] - 1))
    expect(panel).to_contain_text(f"1 of {len(mistakes)}")
    choice, told = panel.get_by_label("Choose a move"), panel.get_by_role("status")
    expect(choice).to_be_focused()
    expect(choice.locator("option").nth(2)).to_be_attached()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(told).to_contain_text("Choose a move")
    ghost = page.locator(".map path.ghost")
    expect(ghost).to_have_attribute("d", "")
    for name in choice.locator("option").all_inner_texts()[1:]:  # until it is found
        choice.select_option(name)
        panel.get_by_role("button", name="Try it").press("Enter")
        expect(told).to_contain_text(re.compile("something else than|Yes, that is it"))
        if "Yes" in told.inner_text():
            break
    expect(told).to_contain_text("The bot expert found better:")
    expect(panel.get_by_role("button", name="Go on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(entry).to_have_value(str(mistakes[1]["version"] - 1))
    expect(choice).to_be_focused()
    panel.get_by_role("button", name="Show it").press("Enter")
    expect(told).to_contain_text("The bot expert found better:")
    assert unfair(page) == []
    panel.get_by_role("button", name="End").press("Enter")
    expect(learn).to_be_visible()
    expect(panel.get_by_role("button").first).to_be_focused()
