"""The analysis of a finished game in its replay: asked for, waited for, and shown."""

import json
import re

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from domain.analysis import summary
from tests.service.page.conftest import AXE
from tests.service.page.test_everybody import AXE_RUN

IN_WORDS = {"keep_tickets": "found better: keep ", "draw_card": "found better: draw a ",
            "draw_tickets": "found better: draw tickets.",
            "claim_route": re.compile(r"found better: claim .* with an? ")}


@pytest.fixture(scope="module")
def analysis(stack, paris):
    """An analysis of it, as a worker would make it."""
    rows = []
    for n, line in enumerate(Client(stack.url).download(f"/v1/games/{paris}/decisions")):
        row = json.loads(line)
        actions = row["view"]["you"]["legal_actions"]
        rows.append({"version": row["version"], "seat": row["seat"], "played": row["action"],
                     "best": [row["action"], actions[0], actions[-1]][n % 3],
                     "cost": float(n % 3), "interval": [n % 3 - 0.5, n % 3 + 0.5],
                     "win": round(0.5 + (0.4 if row["seat"] else -0.4) * n / 500, 3)})
    ranks = [seat["result"]["rank"] for seat in Client(stack.url).view(paris)["seats"]]
    return {"status": "done", "progress": 1.0, "decisions": rows} | summary(rows, ranks)


@pytest.fixture
def served(window, paris, analysis):
    """A window on the game, and the requests for its analysis, which is there at the third look."""
    own, asked = window(viewport={"width": 1280, "height": 720}), []
    own.expected = "404"
    queued = {"status": "queued", "progress": 0.0, "decisions": []}
    answers = [(404, {"status": 404, "code": "unknown-analysis"}), (202, queued),
               (200, queued | {"status": "running", "progress": 0.4}), (200, analysis)]

    def answer(route) -> None:
        asked.append(route.request.method)
        status, body = answers[min(len(asked), len(answers)) - 1]
        route.fulfill(status=status, json=body)

    own.page.route(f"**/v1/games/{paris}/analysis", answer)
    return own, asked


def test_the_first_viewer_asks_for_the_analysis_and_sees_it_made(served, paris, analysis):
    own, asked = served
    page = own.open(f"/games/{paris}?at=20")
    panel = page.get_by_role("region", name="Analysis")
    page.get_by_role("button", name="Analyse").click()
    expect(panel.get_by_role("progressbar")).to_have_attribute("value", "0.4")
    expect(panel).to_contain_text("Triangles: costliest moves")
    assert asked == ["GET", "POST", "GET", "GET"]
    expect(page.locator(".scores .chance")).to_have_count(len(analysis["costliest"]))
    costly = page.locator(".scores .costly")
    expect(costly).to_have_count(3 * len(analysis["costliest"]))
    expect(costly.first.locator("title")).to_contain_text("points. The bot expert found better:")

    turn = analysis["turning_point"]
    panel.get_by_role("button", name=f"Turning point: entry {turn}").click()
    expect(page.get_by_role("spinbutton", name="Move")).to_have_value(str(turn))
    version = analysis["costliest"]["0"][0]
    panel.get_by_role("button", name=f"entry {version}: 2.0 points").click()
    expect(page.locator(".log [aria-current]")).to_contain_text(str(version))
    expect(panel).to_contain_text("The bot expert found better: ")
    expect(panel).to_contain_text("The move cost 2.0 points (between 1.5 and 2.5, 95 % sure).")
    for row in {row["best"]["type"]: row for row in analysis["decisions"]
                if row["best"] != row["played"]}.values():
        page.get_by_role("spinbutton", name="Move").fill(str(row["version"]))
        page.keyboard.press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(IN_WORDS[row["best"]["type"]])
    page.evaluate(AXE.read_text())
    assert page.evaluate(AXE_RUN) == []
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 375

    page.get_by_role("button", name="Analyse").click()
    expect(panel).to_have_count(0)
    expect(page.locator(".scores .chance")).to_have_count(0)

