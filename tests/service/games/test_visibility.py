"""Visibility of games: no way of reading a game reveals a secret."""

import json

import pytest

from domain.game.commands import CreateGame, Player
from service.errors import NotYours, UnknownThing
from service.games import visibility
from service.games.creating import create_from
from service.ratings.rating_rules import rated_game
from tests.service.callers import begin
from tests.service.tournaments.test_tournaments import begun, games_of

RESIGN = {"type": "resign"}


@pytest.fixture(params=["tournament", "older pool"])
def sealed(request, games, tournaments, ada, grace):
    """A game that is over, whose deal is still played in another."""
    if request.param == "tournament":
        first, second = (row["game"] for row in games_of(
            begun(tournaments, ada, grace, deals="duplicate")))
    else:  # such pairings are no longer made
        first, second = ids = [games.store.new_id() for _ in range(2)]
        for game, seated in ((first, (ada, grace)), (second, (grace, ada))):
            create_from(games, CreateGame(
                game=game, creator="m_1", pool={"id": "m_1", "games": ids}, spectators=False,
                seats=tuple((Player(one.id, "X"), None) for one in seated), seed=bytes(32),
                visibility="unlisted", rating_rules=3), games.store.board("usa"))
    grace.play(first, RESIGN)
    return first, second


def looks(games, game_id: str, viewer: str | None) -> dict[str, object]:
    """Every way to look at a game, with what it shows."""
    game = games.get(game_id)
    was = games.store.at(game_id, game.state.version - 1)
    now, again = (visibility.Viewer(games, game, viewer, then=then) for then in (False, True))
    return {
        "view": now.view(),
        "view at its end, again": again.view(),
        "view before": now.view_at(was, listed="true"),
        "table": visibility.view_of_table(games, game),
        "table before": visibility.view_of_table(games, was),
        "decision": visibility.view_of_decision(games.store, game, 0),
        "entries": now.entries(0),
        "last entry": now.last_entry(),
        "last entry, again": again.last_entry(),
    }


def secrets_of(games, game_id: str) -> set[str]:
    """Return the secrets for a viewer without a seat: the seed, the salts, and each seat's offered
    tickets."""
    state = games.get(game_id).state
    salts = [json.loads(text)["salt"] for text, _ in games.store.entries(game_id)]
    tickets = [state.board.tickets[ticket].id for of_seat in state.offered for ticket in of_seat]
    return {state.seed, *salts, *tickets}


def test_a_game_that_is_over_is_sealed_in_every_look_while_others_play_its_deal(
        games, ada, grace, sealed):
    first, second = sealed
    assert games.get(first).state.status == "finished"
    hidden = {games.get(first).state.seed, '"revealed"', '"salt"'}
    for viewer in (ada.id, grace.id, None):
        for way, shown in looks(games, first, viewer).items():
            assert not [secret for secret in hidden if secret in json.dumps(shown)], way
    grace.play(second, RESIGN)
    opened = looks(games, first, None)
    assert games.get(first).state.seed in json.dumps(opened["view"])
    assert '"salt"' in json.dumps(opened["entries"])
    assert {*rated_game(games.get(first)).deal} == {first, second}


def test_nobody_without_a_seat_sees_a_secret_of_a_game_under_way_in_any_look(games, ada, grace):
    game = begin(ada, grace)
    ada.play(game, ada.view(game)["you"]["legal_actions"][0])
    hidden = secrets_of(games, game)
    ways = looks(games, game, None)
    del ways["decision"]  # which is a seat's own
    for way, shown in ways.items():
        assert not [secret for secret in hidden if secret in json.dumps(shown)], way


def test_the_table_is_drawn_without_secrets_also_when_the_game_has_none(games, ada, grace, game):
    grace.play(game, RESIGN)
    shown = visibility.view_of_table(games, games.get(game))
    assert "seed" not in shown
    assert not any("revealed" in seat for seat in shown["seats"])


def test_only_those_who_take_part_may_look_at_a_game_without_spectators(games, ada, grace, mary):
    closed = begin(ada, grace, spectators=False)
    seats = [{"player": "me"}, {"open": True}]
    private = ada.post("/v1/games", {
        "board": "usa", "seats": seats, "options": {"visibility": "private"}}).json["id"]
    assert visibility.viewer_of(games, grace.id, closed).game.state.id == closed
    for viewer in (mary.id, None):
        with pytest.raises(NotYours):
            visibility.viewer_of(games, viewer, closed)
        with pytest.raises(UnknownThing):
            visibility.viewer_of(games, viewer, private)


def test_the_text_of_a_history_shows_whether_its_game_is_public_and_over(games, ada, grace):
    def both(game: str) -> tuple[bool, bool]:
        state, (first, *_, last) = games.get(game).state, games.store.entries(game)
        return (visibility.is_published(games.store, first[0], last[0]),
                visibility.is_public(state) and state.status == "finished")

    shown = begin(ada, grace)
    assert both(shown) == (False, False)
    closed = begin(ada, grace, spectators=False)
    for game in (shown, closed):
        grace.play(game, RESIGN)
    assert both(shown) == (True, True)
    assert both(closed) == (False, False)
    seats = [{"player": "me"}, {"open": True}]
    aborted = ada.post("/v1/games", {"board": "usa", "seats": seats, "options": {
        "visibility": "unlisted"}}).json["id"]
    assert ada.post(f"/v1/games/{aborted}/abort", {}).status_code == 200
    assert both(aborted) == (False, False)
