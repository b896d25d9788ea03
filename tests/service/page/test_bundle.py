"""The page as the wheel has it: in bundles, of which a screen asks for few."""

import sys
import zipfile
from pathlib import Path

import pytest
from fogg_client.client import Client
from playwright.sync_api import expect

from service.operation.stack import Stack
from tests.programs import output
from tests.service.page.nodejs import NODE
from tests.service.page.test_served import ROOT
from tests.service.players import seated, sign_up

# requests for a game's screen: the document and its files, without calls of the API and what the
# service worker copies once the page is loaded
MOST, MOST_BYTES = 6, 130_000  # bytes as they are sent
BYTES = """() => [...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource").filter(
    ({ name }) => new URL(name).pathname.startsWith("/web/"))]
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The content of the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    output(
        sys.executable,
        "-m",
        "pip",
        "--quiet",
        "--disable-pip-version-check",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        folder,
        ROOT,
    )
    [wheel] = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.fixture(scope="module")
def stack(unpacked, tmp_path_factory):
    """A service whose processes run what is in the wheel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(unpacked))
        patch.chdir(unpacked)
        with Stack(tmp_path_factory.mktemp("stack")) as running:
            yield running


@pytest.mark.deep
def test_bundles_are_in_the_wheel_and_not_in_a_checkout(unpacked):
    page = Path("service/page")
    output(NODE, "--check", unpacked / page / "bundle.mjs")
    for name in ("bundle.mjs", "bundle.css"):
        assert (unpacked / page / name).stat().st_size > 10_000
        assert not (ROOT / page / name).exists()


@pytest.mark.parametrize("locale", ["en", "de"])
def test_a_game_is_played_with_few_requests(window, stack, locale):
    ann, bea = sign_up(stack.url, "Ann", "Bea")
    game = seated(ann, bea, board="london")
    its = window(by=ann, alone=True, locale=locale)
    page = its.open(f"/games/{game}")
    expect(page.locator(".offer label")).to_have_count(2)
    page.wait_for_load_state("load")
    kept = [one for one in its.addresses if "/v1/" not in one]
    assert len({*kept}) <= MOST, kept
    assert 10_000 < page.evaluate(BYTES) < MOST_BYTES
    assert not [one for one in kept if one.endswith(".mjs") and "bundle" not in one]
    version = ann.view(game)["version"]
    page.locator(".offer label").first.click()
    page.locator(".tray button.main").first.click()
    page.wait_for_function(
        "(version) => document.querySelector('.game').table.version > version", arg=version
    )


def test_every_screen_comes_from_the_bundles(window, stack):
    ann, bea = sign_up(stack.url, "Ann", "Bea")
    cup = ann.post("/v1/tournaments", {"name": "Cup", "boards": ["london"]})["id"]
    me = Client(stack.url, token=ann.token).get("/v1/me")["id"]
    its = window(by=ann, alone=True)
    for path in (
        "/",
        "/tournaments",
        f"/tournaments/{cup}",
        f"/tournaments/{cup}/screen",
        "/boards",
        "/leaderboards",
        "/leaderboards/usa",
        f"/players/{me}",
        "/boards/london",
        f"/games/{seated(ann, bea)}?embed=1",
    ):
        page = its.open(path)
        expect(page.locator("main h1").first).to_be_attached()
        page.wait_for_function("!document.querySelector('main').ariaBusy")
        assert page.evaluate("""() => [...document.styleSheets].length""") == 1, path
        expect(page.locator(".failed")).to_have_count(0)
    page = its.open("/")
    page.click("nav a[href='/leaderboards']")
    expect(page.locator("h1")).to_have_text("Leaderboards")
    page.click(".chip")
    expect(page.locator("dialog.account form").first).to_be_visible()
    modules = {one.rpartition("/")[2] for one in its.addresses if one.endswith(".mjs")}
    assert modules == {"bundle.mjs"}
