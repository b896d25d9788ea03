"""Data that a client has cached is not sent again."""

import json
import re
from hashlib import sha256

import orjson
import pytest

from domain.boards import FOLDER, FORMER, load
from domain.drawing import layout
from service.app import create_app
from tests.service.callers import Caller, create, sign_up
from tests.service.looks import direct
from tests.service.tournaments.test_tournaments import begun, games_of

DRAW = {"type": "draw_card", "from": "deck"}
FOR_EVER = "public, max-age=31536000, immutable"


def again(caller: Caller, path: str, tag: str | None = None):
    """Ask for what one has: by the ETag that it came with, if no other is named."""
    tag = tag or caller.get(path).headers["ETag"]
    return caller.get(path, headers={"If-None-Match": tag})


def digest_of(table: dict) -> str:
    """Return the digest of a table in an answer, computed as docs/fairness.md says."""
    rest = {
        name: value for name, value in table.items() if name not in ("id", "digest", "declared")
    }
    rest |= {
        "board": table["id"],
        "routes": [
            {name: value for name, value in row.items() if name not in ("id", "twin", "trains")}
            for row in table["routes"]
        ],
        "tickets": [
            {name: value for name, value in row.items() if name != "id"} for row in table["tickets"]
        ],
    }
    return sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize(
    "what", ["", "?legal_actions=false", "?at=2", "/board.svg", "/board.svg?at=2", "/legal-actions"]
)
def test_a_cached_game_is_not_sent_again_until_it_changes(ada, game, what):
    path = f"/v1/games/{game}{what}"
    first = ada.get(path)
    same = again(ada, path)
    assert (same.status_code, same.data) == (304, b"")
    assert "Content-Type" not in same.headers
    for name in ("ETag", "Cache-Control", "Vary"):
        assert same.headers[name] == first.headers[name]
    assert again(ada, path, '"1"').status_code == 200
    ada.play(game, DRAW)
    assert again(ada, path, first.headers["ETag"]).status_code == (304 if "at=" in what else 200)


def test_an_answer_of_another_process_has_the_same_content_and_etag(
    connection, app, ada, grace, anybody, finished, tournaments
):
    bot = Caller(app, ada.post("/v1/me/bots", {"name": "Bot"}).json)
    lobby = create(grace, {"invite": bot.id})["id"]
    cup = begun(tournaments, ada, grace)
    grace.play(games_of(cup)[0]["game"], {"type": "resign"})
    direct(tournaments)
    version = anybody.view(finished)["version"]
    whats = ("", f"?at={version}", "/views", "/board.svg", "/card.png")
    paths = [f"/v1/games/{finished}{what}" for what in whats]
    paths += [f"/v1/games/{lobby}", f"/v1/tournaments/{cup['id']}"]
    other = create_app(connection)
    for caller in (ada, grace, anybody):
        callers = caller, Caller(other, caller.account)
        for path in paths:
            here, there = [one.get(path) for one in callers]
            tag = here.headers["ETag"]
            assert (there.data, there.headers["ETag"]) == (here.data, tag), path
            assert [again(one, path, tag).status_code for one in callers] == [304, 304]


def test_the_past_of_a_game_that_is_over_is_sent_again_as_more_is_shown_of_it(ada, grace, game):
    path = f"/v1/games/{game}?at=2"
    tag = ada.get(path).headers["ETag"]
    grace.play(game, {"type": "resign"})
    now = again(ada, path, tag)
    assert "revealed" in now.json["seats"][0]
    assert again(ada, path).status_code == 304


def test_an_answer_gets_another_etag_once_it_shows_another_name(
    ada, grace, mary, anybody, game, tournaments
):
    """A deleted account has another name, also in the past of a game and after a tournament."""
    cup = begun(tournaments, mary, grace)
    for played in (game, games_of(cup)[0]["game"]):
        grace.play(played, {"type": "resign"})
    direct(tournaments)
    paths = [
        f"/v1/games/{game}{what}"
        for what in ("", "?at=2", "/board.svg", "/board.svg?at=2", "/card.png")
    ]
    paths += [f"/v1/tournaments/{cup['id']}{what}" for what in ("", "/standings.csv")]
    first = {(caller, path): caller.get(path) for caller in (ada, anybody) for path in paths}
    assert grace.delete("/v1/me").status_code == 204
    for (caller, path), was in first.items():
        assert "immutable" not in was.headers["Cache-Control"]
        now = again(caller, path, was.headers["ETag"])
        assert (now.status_code, now.data != was.data) == (200, True), path
        assert again(caller, path).status_code == 304


@pytest.mark.parametrize(
    ("of", "what"),
    [
        ("game", ""),
        ("game", "?at=3"),
        ("game", "/legal-actions"),
        *(("finished", f"?at={version}") for version in (1, 5)),
    ],
)
def test_the_etag_of_one_viewer_is_not_that_of_another(ada, grace, anybody, request, of, what):
    """A cache may revalidate its answer to one account for a request of another."""
    path = f"/v1/games/{request.getfixturevalue(of)}{what}"
    callers = [ada, grace] + [anybody] * (what != "/legal-actions")
    tags = [caller.get(path).headers["ETag"] for caller in callers]
    assert len({*tags}) == len(callers)
    for caller, own in zip(callers, tags, strict=True):
        assert [again(caller, path, tag).status_code for tag in tags] == [
            304 if tag == own else 200 for tag in tags
        ]


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("/v1/leaderboards/overall", "public, max-age=10"),
        *(
            (path, "public, no-cache")
            for path in (
                "/openapi.yaml",
                "/docs/clients.md",
                "/v1/boards/usa",
                "/v1/boards/usa/map.svg",
            )
        ),
    ],
)
def test_answers_that_are_the_same_for_all_are_sent_again_when_they_have_changed(
    anybody, path, rules
):
    first = anybody.get(path)
    assert first.headers["Cache-Control"] == rules
    same = again(anybody, path)
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert again(anybody, path, '"other"').status_code == 200


@pytest.mark.parametrize("what", ["map.svg", "layout"])
def test_a_map_is_sent_again_if_it_was_drawn_anew(anybody, what, tmp_path, monkeypatch):
    path = f"/v1/boards/london/{what}"
    first = anybody.get(path)
    monkeypatch.setattr(layout, "LAND_FILE", tmp_path / "land.json")
    layout.LAND_FILE.write_text("{}", encoding="utf-8")
    layout.version.cache_clear()
    try:
        assert again(anybody, path, first.headers["ETag"]).status_code == 200
    finally:
        layout.version.cache_clear()


@pytest.mark.parametrize("what", ["", "/map.svg"])
@pytest.mark.parametrize(
    "file", sorted([*FOLDER.glob("*.json"), *FORMER.glob("*.json")]), ids=lambda file: file.stem
)
def test_every_shipped_table_stays_available_by_digest(anybody, file, what):
    board = load(file)
    answer = anybody.get(f"/v1/boards/{board.id}{what}?digest={board.digest}")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, FOR_EVER)
    if not what:
        assert digest_of(answer.json) == board.digest


def test_an_own_table_stays_available_by_digest_after_changes(redis, tmp_path, monkeypatch):
    table = orjson.loads((FOLDER / "london.json").read_bytes()) | {"board": "mine"}
    monkeypatch.setenv("FOGG_BOARDS", str(tmp_path))
    digests = []
    for name in ("As it was", "As it is"):
        (tmp_path / "mine.json").write_bytes(orjson.dumps(table | {"name": name}))
        app = create_app(redis)
        ann, ben = sign_up(app, "Ann"), sign_up(app, "Ben")
        game = ann.post(
            "/v1/games", {"board": "mine", "seats": [{"player": "me"}, {"open": True}]}
        ).json["id"]
        ben.post(f"/v1/games/{game}/seats", {})
        ben.play(game, {"type": "resign"})
        first = orjson.loads(ann.get(f"/v1/games/{game}/history").data.splitlines()[0])
        digests.append(first["events"][0]["board_digest"])
    (tmp_path / "mine.json").unlink()
    anybody = Caller(create_app(redis))
    assert anybody.get("/v1/boards/mine").status_code == 404
    for digest, name in zip(digests, ("As it was", "As it is"), strict=True):
        table = anybody.get(f"/v1/boards/mine?digest={digest}").json
        assert (table["digest"], table["name"]) == (digest, name)


def test_an_unknown_table_is_not_found(anybody, is_problem):
    no_table = sha256(b"").hexdigest()
    for board, digest in (("usa", no_table), ("europe", load(FOLDER / "usa.json").digest)):
        problem = is_problem(
            anybody.get(f"/v1/boards/{board}?digest={digest}"), 404, "unknown-table"
        )
        assert re.search(f"board {board} .* digest {digest}", problem["detail"])
    for digest in ("", "abc", no_table.upper(), f"{no_table}0"):
        is_problem(anybody.get(f"/v1/boards/usa?digest={digest}"), 422, "malformed")
