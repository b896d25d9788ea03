"""A game within somebody else's page, which docs/embedding.md shows how to make."""

import re
from pathlib import Path

import pytest
from fogg_client.client import Client
from playwright.sync_api import Page, Request, expect

from tests import servers
from tests.service.players import RANDOM, seated
from tools.histories.kept import expected, read

PAGE = (Path(__file__).parents[3] / "docs" / "embedding.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```html\n(.*?)```", PAGE, re.DOTALL)[1]
ACCOUNT = '{"id": "p_0", "name": "Ada", "token": "fogg_0123456789"}'


@pytest.fixture
def page_of_others():
    """Serves a page at an origin of its own."""
    served = {}

    class Handler(servers.Handler):
        def do_GET(self):
            text = served["page"].encode() if self.path == "/" else b""
            self.answer(
                200 if text else 404,
                text,
                Content_Type="text/html; charset=utf-8",
                **served["headers"],
            )

    def serve(text: str, headers: dict[str, str] | None = None) -> str:
        served["headers"] = headers or {}
        served["page"] = f"<!doctype html><link rel=icon href=data:,><title>Mine</title>{text}"
        return f"{url}/"

    with servers.listening(Handler) as url:
        yield serve


def test_the_example_plays_a_game_in_another_origins_page_to_its_end(
    window, stack, paris, page_of_others
):
    """The frame uses no token, though there is one."""
    example = (
        EXAMPLE.replace("https://fogg.example", stack.url)
        .replace("g_00000000000000000003", paris)
        .replace("speed=5", "speed=max")
    )
    own = window()
    own.open("/").wait_for_selector(".lobby")  # which has read that there is no account yet
    own.page.evaluate("(account) => localStorage.setItem('fogg-account', account)", ACCOUNT)
    page = own.context.new_page()
    sent = []
    page.on("request", lambda request: sent.append(request))
    address = page_of_others(example)
    page.goto(address)
    own.addresses.remove(address)  # all others are the service's

    results, frame = expected()["paris"]["results"], page.frame_locator("iframe")
    slider = frame.locator(".replay input[type=range]")
    expect(slider).to_have_value(str(len(read("paris"))))
    scores = frame.locator(".seats .score")
    expect(scores).to_contain_text([str(one["total"]) for one in results])
    assert not any(
        "authorization" in request.all_headers()
        for request in sent
        if request.url.startswith(stack.url)
    )
    for hidden in ("header.bar", ".tray", ".log"):
        expect(frame.locator(hidden).first).to_be_hidden()


@pytest.fixture
def in_play(stack):
    """A game that waits for its owner, and the owner."""
    owner = Client(stack.url).sign_up("Ada")
    return owner, seated(owner, others=(RANDOM,))


def framed(window, in_play, page_of_others, query: str) -> tuple[Page, list[Request]]:
    """Put a game into a frame of another origin of the same site, which shares the storage of the
    service's page. Its policy is lost on the way: without it, every frame is allowed."""
    owner, game = in_play
    own = window(by=owner)
    own.open("/")

    def without_policy(route):
        answer = route.fetch()
        headers = {
            name: value
            for name, value in answer.headers.items()
            if name != "content-security-policy"
        }
        route.fulfill(response=answer, headers=headers)

    address = f"{own.url}/games/{game}{query}"
    page = own.context.new_page()
    page.route(address, without_policy)
    sent = []
    page.on("request", lambda request: sent.append(request))
    outside = page_of_others(f'<iframe id="game" src="{address}" height=700 width=1000></iframe>')
    page.goto(outside)
    own.addresses.remove(outside)
    return page, sent


@pytest.mark.quick
@pytest.mark.parametrize("query", ["", "?embed=0", "?embed=0&embed=1", "?embed=1&embed=0"])
def test_a_page_in_a_frame_has_no_account_at_any_address(window, in_play, page_of_others, query):
    """Should the policy be lost on the way, a frame still shows only what anybody may see."""
    page, sent = framed(window, in_play, page_of_others, query)
    frame = page.frame_locator("iframe")
    expect(frame.locator(".seats-list")).to_be_visible()
    assert frame.get_by_text("Resign").count() == 0
    assert not any("authorization" in request.all_headers() for request in sent)
    page.frames[1].evaluate("""localStorage.setItem('fogg-account', JSON.stringify(
        {...JSON.parse(localStorage.getItem('fogg-account')), name: 'Eve'}))""")
    page.frames[1].evaluate("dispatchEvent(new StorageEvent('storage', {key: 'fogg-account'}))")
    page.frames[1].evaluate("document.querySelector('.game').table.reload()")
    assert not any("authorization" in request.all_headers() for request in sent)


@pytest.mark.quick
def test_without_controls_there_is_only_the_game(window, paris):
    page = window().open(f"/games/{paris}?embed=1&at=20&controls=0")
    expect(page.locator(".map")).to_be_visible()
    expect(page.locator(".replay")).to_be_hidden()


def test_a_page_that_isolates_itself_shows_a_frame_too(window, stack, paris, page_of_others):
    """Such a page gets precise clocks and shared memory; the browser shows in it only what says
    that it may be shown there."""
    example = EXAMPLE.replace("https://fogg.example", stack.url).replace(
        "g_00000000000000000003", paris
    )
    own = window()
    address = page_of_others(
        example,
        {
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Embedder-Policy": "require-corp",
        },
    )
    page = own.page
    page.goto(address)
    expect(page.frame_locator("iframe").locator(".map")).to_be_visible()
    assert page.evaluate("crossOriginIsolated")
    own.addresses.remove(address)
