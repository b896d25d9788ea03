"""Responses are compressed for clients that accept it: whole ones, and streams part by part."""

from __future__ import annotations

import gzip
import json
import re
import zlib

import pytest

from tests.service.callers import Caller, sign_up

GZIP = {"Accept-Encoding": "gzip"}
DRAW = {"type": "draw_card", "from": "deck"}


def is_small(answer) -> bool:
    return answer.headers.get("Content-Encoding") == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/{game}",
        "/v1/games/{game}/board.svg",
        "/docs",
        "/v1/games/{game}/events",
        "/v1/boards/usa",
        "/openapi.yaml",
        "/docs/swagger-ui.css",
    ],
)
def test_a_long_response_is_compressed_without_loss(ada, game, path):
    path = path.format(game=game)
    plain, small = ada.get(path), ada.get(path, headers=GZIP)
    assert (
        gzip.decompress(small.get_data()) == plain.get_data()
        if is_small(small)
        else (len(plain.get_data()) < 1000)
    )
    assert is_small(small) == (len(plain.get_data()) >= 1000)
    assert not is_small(plain)
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert small.headers["Vary"] == plain.headers["Vary"]
    assert small.content_length == len(small.get_data())
    head = ada.request("HEAD", path, headers=GZIP)
    assert head.headers.get("Content-Encoding") == small.headers.get("Content-Encoding")
    for answer in (plain, small, head):
        answer.close()


@pytest.mark.parametrize(
    ("accepted", "is_taken"),
    [
        ("gzip", True),
        ("br, gzip;q=0.1", True),
        ("*", True),
        ("GZIP", True),
        ("gzip;q=0.5, identity;q=0.5", True),
        ("identity;q=0, gzip", True),
        ("deflate, br", False),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("identity, gzip;q=0.9", False),
        (",;q=x", False),
    ],
)
def test_the_caller_has_the_choice(ada, game, accepted, is_taken):
    assert is_small(ada.get(f"/v1/games/{game}", headers={"Accept-Encoding": accepted})) == is_taken


def test_a_short_response_is_not_compressed(ada):
    answer = ada.get("/v1/me", headers=GZIP)
    assert len(answer.get_data()) < 1000
    assert not is_small(answer)


def test_the_answer_about_a_later_version_is_compressed(ada, game, is_problem):
    answer = ada.act(game, DRAW, headers=GZIP | {"If-Match": '"1"'})
    assert answer.status_code == 412
    assert json.loads(gzip.decompress(answer.get_data()))["version"] == 4


def test_an_etag_names_the_coding_and_is_good_for_an_action_either_way(ada, game):
    plain = ada.get(f"/v1/games/{game}")
    small = ada.get(f"/v1/games/{game}", headers=GZIP)
    tags = plain.headers["ETag"], small.headers["ETag"]
    assert re.fullmatch('"4-[0-9a-f]{16}"', tags[0])
    assert tags[1] == f'{tags[0][:-1]}-gzip"'
    for tag in tags:
        assert ada.get(f"/v1/games/{game}", headers={"If-None-Match": tag}).status_code == 304
    for version, tag in ((4, tags[1]), (5, '"5"')):
        played = ada.act(game, DRAW, headers=GZIP | {"If-Match": tag})
        assert played.status_code == 200, played.get_data()
        assert played.headers["ETag"] == f'"{version + 1}-gzip"'
    assert ada.act(game, DRAW, headers={"If-Match": '"5-gzip"'}).status_code == 412
    assert ada.act(game, DRAW, headers={"If-Match": '"x-gzip"'}).status_code == 412


def test_a_response_cached_in_either_coding_is_not_sent_again(anybody):
    path = "/v1/boards/usa"
    plain, small = anybody.get(path), anybody.get(path, headers=GZIP)
    assert plain.headers["ETag"] != small.headers["ETag"]
    for answer in (plain, small):
        tag = answer.headers["ETag"]
        for sent in (tag, f'"other", {tag}', f"W/{tag}"):  # also in a list, and as a weak one
            again = anybody.get(path, headers=GZIP | {"If-None-Match": sent})
            assert (again.status_code, again.get_data()) == (304, b"")
            assert again.headers["ETag"] == tag
            assert "Accept-Encoding" in again.headers["Vary"]
    assert anybody.get(path, headers={"If-None-Match": '"other-gzip"'}).status_code == 200


def test_no_secret_that_is_shown_once_is_compressed(app, ada):
    name = "x" * 20
    answers = [
        Caller(app).post("/v1/players", {"name": name}, headers=GZIP),
        ada.post("/v1/me/tokens", {"label": "y" * 20}, headers=GZIP),
        ada.post("/v1/me/bots", {"name": name}, headers=GZIP),
    ]
    for answer in answers:
        assert "token" in answer.json
        assert not is_small(answer)
        assert "Accept-Encoding" not in answer.headers.get("Vary", "")


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
@pytest.mark.parametrize("path", ["/v1/games/{game}/events", "/v1/me/events"])
def test_each_part_of_a_stream_can_be_read_when_it_comes(ada, grace, game, form, path):
    stream = ada.get(path.format(game=game), headers=GZIP | {"Accept": form})
    assert is_small(stream)
    assert "Accept-Encoding" in stream.headers["Vary"]
    parts, reader = iter(stream.response), zlib.decompressobj(wbits=31)
    ends = b"\n\n" if form == "text/event-stream" else b"\n"
    said = reader.decompress(next(parts))
    assert said.endswith(ends)
    ada.play(game, DRAW)
    said = reader.decompress(next(parts))
    assert b'"version":5' in said
    assert said.endswith(ends)
    stream.close()


def test_data_of_other_users_is_compressed_separately(app, ada, game):
    """Else the length of an invitation tells whether its sender's name is in the view before."""
    other = sign_up(app, "boston--miami")
    stream = ada.get("/v1/me/events", headers=GZIP | {"Accept": "text/event-stream"})
    parts = iter(stream.response)
    next(parts)
    made = other.post(
        "/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"invite": ada.id}]}
    )
    assert made.status_code == 201, made.json
    part = next(parts)  # the end of what was before, then what can be read by itself
    by_itself = zlib.decompressobj(wbits=-15)
    assert b"boston--miami" in by_itself.decompress(part[part.index(b"\0\0\xff\xff") + 4 :])
    stream.close()
