"""Link previews on other sites: the tags of pages, and the cards."""

import re
import struct
from html.parser import HTMLParser

import gevent
import pytest
from redis.exceptions import ConnectionError as RedisDown

from service.errors import TooMany
from service.games.api import pictures
from service.games.api.pictures import png
from service.http.serving import services
from tests.service.callers import sign_up
from tools.generators.board_pictures import FOLDER, made

NAME = 'Eve "<script> & Söhne'


class Tags(HTMLParser):
    """The tags of a page by name, and the names of all elements."""

    def __init__(self, text: str):
        super().__init__()
        self.texts: dict[str, str] = {}
        self.elements: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)
        named = dict(attrs)
        if tag == "meta" and "content" in named:
            self.texts[named.get("property", named.get("name"))] = named["content"]


def tags(caller, path: str, **headers) -> dict[str, str]:
    answer = caller.get(path, headers={"Accept": "*/*"} | headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    return Tags(answer.text).texts


def test_a_game_has_its_players_and_its_result(anybody, finished):
    preview = tags(anybody, f"/games/{finished}")
    assert preview["og:title"] == "USA: Ada, Grace"
    assert re.fullmatch(r"Final result: 1\. Ada -?\d+, 2\. Grace -?\d+", preview["og:description"])
    assert preview["description"] == preview["og:description"]
    assert preview["twitter:card"] == "summary_large_image"
    version = anybody.view(finished)["version"]
    assert preview["og:image"] == f"http://localhost/v1/games/{finished}/card.png?at={version}"
    german = tags(anybody, f"/games/{finished}", **{"Accept-Language": "de"})
    assert german["og:description"].startswith("Endstand: 1. Ada ")


def test_a_link_to_a_moment_shows_its_card(anybody, finished):
    for at, shown in (("3", "3"), ("99", "?"), ("0", "?"), ("x", "?"), ("03", "?")):
        image = tags(anybody, f"/games/{finished}?at={at}")["og:image"]
        last = str(anybody.view(finished)["version"])
        assert image.endswith(f"card.png?at={last if shown == '?' else shown}"), at


def test_a_game_that_waits_or_goes_on_has_what_is_public(ada, anybody, game):
    assert tags(anybody, f"/games/{game}")["og:description"] == "Watch live: Ada 0, Grace 0"
    waiting = ada.post(
        "/v1/games",
        {
            "board": "usa",
            "seats": [{"player": "me"}, {"open": True}],
            "options": {"visibility": "unlisted"},
        },
    ).json
    for address in (f"/games/{waiting['id']}", f"/games/{waiting['id']}?invitation=x"):
        text = anybody.get(address, headers={"Accept": "*/*"}).text
        assert Tags(text).texts["og:description"] == "Take a seat: Ada, open seat"
        assert waiting["invitation"] not in text


@pytest.mark.parametrize("options", [{"visibility": "private"}, {"spectators": False}])
def test_a_game_that_others_may_not_see_has_none(app, ada, grace, anybody, options):
    game = ada.post(
        "/v1/games",
        {"board": "usa", "seats": [{"player": "me"}, {"open": True}], "options": options},
    ).json["id"]
    nothing = tags(anybody, "/games/g_" + "0" * 20)
    for caller in (anybody, ada, grace):  # also its players: the page is the same for all
        assert tags(caller, f"/games/{game}") == nothing
    assert not [name for name in nothing if name.startswith("og:")]
    assert anybody.get(f"/v1/games/{game}/card.png").status_code in (403, 404)


def test_players_tournaments_and_boards_have_tags(app, anybody):
    eve = sign_up(app, NAME)
    cup = eve.post("/v1/tournaments", {"name": f"{NAME} Cup"}).json["id"]
    eve.post(f"/v1/tournaments/{cup}/entries", {})
    player = tags(anybody, f"/players/{eve.id}")
    assert (player["og:title"], player["twitter:card"]) == (NAME, "summary_large_image")
    assert player["og:image"] == "http://localhost/web/boards/usa.png"
    preview = tags(anybody, f"/tournaments/{cup}")
    assert preview["og:title"] == f"{NAME} Cup"
    assert preview["og:description"] == f"Tournament, 1 entered: {NAME}"
    board = tags(anybody, "/boards/london")
    assert board["og:image"] == "http://localhost/web/boards/london.png"
    picture = anybody.get("/web/boards/london.png")
    assert (picture.status_code, picture.mimetype) == (200, "image/png")
    assert struct.unpack(">II", picture.data[16:24]) == (600, 315)
    assert (board["og:image:width"], board["og:image:height"]) == ("600", "315")
    assert board["og:description"] == "17 locations, 44 routes, 20 tickets, 2 to 4 players"
    for path in (f"/players/{eve.id}", f"/tournaments/{cup}"):
        page = Tags(anybody.get(path, headers={"Accept": "*/*"}).text)
        assert page.elements == Tags(anybody.get("/leaderboards").text).elements
    eve.delete("/v1/me")
    assert "og:title" not in tags(anybody, f"/players/{eve.id}")
    assert "Eve" not in tags(anybody, f"/tournaments/{cup}")["og:description"]


def test_the_page_needs_no_store(app, anybody, game, monkeypatch):
    def fails(*_):
        raise RedisDown

    monkeypatch.setattr(services(app).games.store, "load", fails)
    assert "og:title" not in tags(anybody, f"/games/{game}")


def test_a_host_that_is_no_name_gets_no_picture(anybody, finished):
    preview = tags(anybody, f"/games/{finished}", Host='a"b.example')
    assert "og:title" in preview
    assert "og:image" not in preview


def test_a_card_is_a_png_for_all_who_may_see_the_game(ada, anybody, finished):
    path = f"/v1/games/{finished}/card.png"
    answer = anybody.get(path)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data.startswith(b"\x89PNG")
    assert struct.unpack(">II", answer.data[16:24]) == (1200, 630)
    assert ada.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_a_card_is_drawn_once_for_a_version(ada, grace, anybody, game, monkeypatch):
    drawings = []

    def counted(svg: str) -> bytes:
        drawings.append(svg)
        return png(svg)

    monkeypatch.setattr(pictures, "png", counted)
    path = f"/v1/games/{game}/card.png"
    requests = [gevent.spawn(caller.get, path) for caller in (anybody, ada, grace) * 3]
    gevent.joinall(requests, raise_error=True)
    assert len({answer.value.data for answer in requests}) == len(drawings) == 1
    first = anybody.view(game)["version"]
    ada.play(
        game,
        next(
            action
            for action in ada.view(game)["you"]["legal_actions"]
            if action["type"] == "claim_route"
        ),
    )
    second = anybody.get(path)
    assert (len(drawings), second.headers["Cache-Control"]) == (2, "private, no-cache")
    assert anybody.get(f"{path}?at={first}").data == requests[0].value.data
    grace.play(game, {"type": "resign"})
    last = anybody.get(path)
    assert last.headers["Cache-Control"] == "private, no-cache"
    assert last.data == anybody.get(f"{path}?at={anybody.view(game)['version']}").data
    assert len(drawings) == 3
    monkeypatch.setattr(pictures, "MAX_CARDS", 1)
    for at in (first - 1, first, first, first - 1):
        assert anybody.get(f"{path}?at={at}").status_code == 200
    assert len(drawings) == 6


def test_a_drawing_that_fails_is_tried_again(anybody, game, monkeypatch, is_problem):
    monkeypatch.setattr(pictures, "WAIT_S", 0)
    path = f"/v1/games/{game}/card.png"
    with pictures._turn:
        requests = [gevent.spawn(anybody.get, path) for _ in range(3)]
        gevent.joinall(requests, raise_error=True)
    for answer in requests:
        is_problem(answer.value, 429, TooMany.code)
        assert answer.value.headers["Retry-After"]
    assert anybody.get(path).status_code == 200


def test_the_files_of_shipped_boards_are_their_cards():
    assert made() == {path.name: path.read_bytes() for path in FOLDER.iterdir()}, (
        "run python -m tools.generators.board_pictures"
    )
