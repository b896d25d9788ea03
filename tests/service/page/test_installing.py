"""The page as an app of a device: its manifest, its service worker, and a chosen language."""

import re
import struct

import orjson
import pytest
import resvg_py
from playwright.sync_api import expect

from service.page import files
from service.page.screens import SCREENS
from tests.servers import WebService
from tests.service.page import test_loading
from tests.service.page.conftest import unfair
from tests.service.page.other_services import DIGEST
from tests.service.page.test_previews import tags
from tests.service.players import seated, sign_up

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
KEPT = """async () => Promise.all((await caches.keys()).map(async (name) => [
  name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)]))"""
CONTROLLED = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller)"


@pytest.fixture
def described():
    """openapi.yaml describes no pages."""


@pytest.fixture
def service(redis, redis_server, database):
    """A service that can be stopped and started again at its address."""
    with WebService(redis_server.url, database.url, "service.app:create_app()") as service:
        yield service


def test_the_manifest_and_its_icons_are_there(anybody):
    shown = anybody.get("/", headers=BROWSER).text
    [address] = re.findall('<link rel="manifest" href="([^"]+)">', shown)
    answer = anybody.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "application/manifest+json")
    manifest = orjson.loads(answer.data)
    assert (manifest["id"], manifest["start_url"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        assert anybody.get(f"{address.rpartition('/')[0]}/{icon['src']}").mimetype == icon["type"]
    [touched] = re.findall('<link rel="apple-touch-icon" href="([^"]+)">', shown)
    assert struct.unpack(">II", anybody.get(touched).data[16:24]) == (180, 180)
    assert len(re.findall('<meta name="theme-color"', shown)) == 2


@pytest.mark.parametrize("size", [180, 192, 512])
def test_icons_are_pictures_of_the_drawing(size):
    drawn = resvg_py.svg_to_bytes(
        svg_string=(files.FOLDER / "icon.svg").read_text(), width=size, height=size
    )
    assert (files.FOLDER / f"icon-{size}.png").read_bytes() == bytes(drawn)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_screen_says_what_it_is(anybody, language):
    said = {
        screen.address: tags(
            anybody,
            screen.address.replace("ID", "x_0"),
            Accept="text/html",
            **{"Accept-Language": language},
        )["description"]
        for screen in SCREENS
    }
    assert all(said.values())
    own = {said[address] for address in ("/", "/tournaments", "/leaderboards", "/boards")}
    assert len(own) == 4


def test_the_worker_names_files_that_are_there_and_differs_by_version_and_language(anybody):
    workers = [anybody.get("/worker.js", headers={"Accept-Language": tag}) for tag in ("en", "de")]
    for worker in workers:
        assert worker.mimetype == "text/javascript"
        assert worker.headers["Cache-Control"] == "public, no-cache"
        assert "connect-src 'self'" in worker.headers["Content-Security-Policy"]
        _, offline, *named = orjson.loads(re.search(r"JSON\.parse\(`(.+)`\)", worker.text)[1])
        assert anybody.get(offline).mimetype == "text/html"
        assert len(named) > 3
        assert {anybody.get(name).status_code for name in named} == {200}
        assert not [name for name in named if not name.startswith("/web/")]
    assert workers[0].data != workers[1].data


def test_without_a_connection_the_page_comes_from_the_device_and_goes_on(service, window):
    its = window(service.url, alone=True, worker=True)
    its.expected = "net::ERR"
    page = its.open("/")
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_function(CONTROLLED)
    [(_, kept)] = page.evaluate(KEPT)
    assert "/offline" in kept
    assert [path for path in kept if not path.startswith("/web/")] == ["/offline"]
    page.click("nav a[href='/leaderboards']")
    expect(page.locator("h1")).to_have_text("Leaderboards")
    service.stop()
    page = its.open("/leaderboards")
    expect(page.locator(".bar nav a")).to_have_count(5)
    expect(page.locator(".late")).to_contain_text("cannot be reached")
    service.start()
    expect(page.locator("h1")).to_have_text("Leaderboards")


def test_every_screen_waits_for_a_service_that_is_away_and_goes_on(service, window):
    ann, bea = sign_up(service.url, "Ann", "Bea")
    game = seated(ann, bea)
    its = window(service.url, alone=True, worker=True)
    its.expected = "net::ERR"
    its.page.add_init_script(test_loading.OFFLINE)
    page = its.open("/")
    page.wait_for_function(CONTROLLED)
    for path, there in test_loading.SCREENS:
        service.stop()
        its.open(path.format(game))
        expect(page.locator(".late")).to_contain_text("The service cannot be reached.")
        service.start()
        expect(page.locator(there).first).to_be_visible()
        expect(page.locator(".late")).to_be_empty()


def test_a_new_version_is_shown_at_once_and_no_cache_is_dropped_but_the_old_one(service, window):
    its = window(service.url, alone=True, worker=True)
    its.expected = "net::ERR"
    its.open("/docs/clients.md").evaluate("caches.open('another-app')")
    page = its.open("/")
    page.wait_for_function(CONTROLLED)
    [other, old] = page.evaluate("caches.keys()")
    service.stop()
    service.start("tests.service.page.other_services:with_new_files()")
    page.reload()
    assert f"/web/{DIGEST}/" in page.locator("script[type=module]").get_attribute("src")
    page.wait_for_function("async (old) => !(await caches.keys()).includes(old)", arg=old)
    assert other in page.evaluate("caches.keys()")


def test_a_chosen_language_stays(window):
    its = window(locale="en", alone=True)
    its.expected = "404"
    page = its.open("/leaderboards")
    page.get_by_label("Language").select_option("de")
    expect(page.locator("h1")).to_have_text("Ranglisten")
    page.click("nav a[href='/boards']")
    expect(page.locator("h1")).to_have_text("Spielpläne")
    its.open("/nothing")
    expect(page.locator("h1")).to_have_text("Unter dieser Adresse gibt es nichts.")
    page.get_by_label("Sprache").select_option("en")
    expect(page.locator("h1")).to_have_text("There is nothing at this address.")
    for chosen, shown in (("de", "de"), ("xx", "en"), ("../de", "en")):
        answer = page.request.get(its.url, headers=BROWSER | {"Cookie": f"language={chosen}"})
        assert f'<html lang="{shown}">' in answer.text()
        assert "Cookie" in answer.headers["vary"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_an_unknown_address_has_the_bar_and_the_style_of_the_page(window, width, scheme):
    its = window(viewport={"width": width, "height": 800}, color_scheme=scheme)
    its.expected = "404"
    page = its.open("/nothing/of/it")
    expect(page.locator("h1")).to_have_text("There is nothing at this address.")
    expect(page.locator(".bar nav a").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert unfair(page) == []
