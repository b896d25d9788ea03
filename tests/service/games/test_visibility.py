"""Which games are an open book."""



from domain.game.commands import CreateGame, Player
from service.games import visibility
from service.games.creating import create_from
from service.ratings.rating_rules import rated_game
from tests.service.callers import begin, create

RESIGN = {"type": "resign"}


def test_a_game_of_a_pair_with_the_same_cards_is_sealed_until_both_are_over(games, ada, grace):
    """The pool made such pairs once."""
    first, second = ids = [games.store.new_id() for _ in range(2)]
    for game, seated in ((first, (ada, grace)), (second, (grace, ada))):
        create_from(games, CreateGame(
            game=game, creator="m_1", pool={"id": "m_1", "games": ids}, spectators=False,
            seats=tuple((Player(one.id, "X"), None) for one in seated), seed=bytes(32),
            visibility="unlisted", rating_rules=3), games.store.board("usa"))
    grace.play(first, RESIGN)
    assert (grace.view(first)["status"], "seed" in grace.view(first)) == ("finished", False)
    grace.play(second, RESIGN)
    assert grace.view(first)["seed"]
    assert {*rated_game(games.get(first)).deal} == {*ids}


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
    aborted = create(ada, visibility="unlisted")["id"]
    assert ada.post(f"/v1/games/{aborted}/abort", {}).status_code == 200
    assert both(aborted) == (False, False)
