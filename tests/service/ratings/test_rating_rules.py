"""Which games are rated."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from domain.boards import load_folder
from domain.game.commands import CreateGame, Player, Resign
from domain.game.events import GameForked
from domain.game.fold import play
from domain.game.state import State
from domain.game.terms import Terms
from service.accounts import bots
from service.games import importing
from service.ratings import rating_rules as ratings
from service.records import tables
from service.times import as_time, in_ms
from tests.service.callers import begin, keep_tickets
from tools.histories.kept import expected, read
from tools.histories.written import BY_DIGEST

BOARDS = load_folder()
ADA, GRACE, MARY = (Player(f"p_{name}", name) for name in ("ada", "grace", "mary"))
ADABOT, ADABOT2 = (Player(f"p_{name}", name, "external", "p_ada") for name in ("one", "two"))
CUP = {"id": "c_1", "round": 1, "table": 1, "games": ["g_1"]}


def finished(*players: Player, **options) -> State:
    """Return a game of these players that all but the first have resigned."""
    create = CreateGame(
        "g_" + 20 * "0", "p_0", tuple((p, None) for p in players), bytes(32), **options
    )
    _, state = play(State(BOARDS["usa"]), None, create)
    for seat in range(1, len(players)):
        _, state = play(state, seat, Resign())
    assert state.status == "finished"
    return state


def replaced(state: State, **change) -> State:
    """Return a state with other values for some of its attributes, or of its terms'."""
    terms = {name: change.pop(name) for name in [*change] if name in Terms.__dataclass_fields__}
    return replace(state, terms=replace(state.terms, **terms), **change)


@pytest.mark.parametrize(
    "players",
    [
        (ADA, GRACE),
        (ADA, GRACE, MARY),
        (ADA, bots.player("planner", 1)),
        (GRACE, ADABOT),
        tuple(bots.player(bot, seat) for seat, bot in enumerate(("planner", "greedy", "random"))),
    ],
)
def test_a_finished_game_of_different_players_is_rated(players):
    assert ratings.is_rated(finished(*players))


@pytest.mark.parametrize(
    "players",
    [
        (ADA, ADABOT),
        (ADABOT, ADABOT2),
        (GRACE, ADABOT, ADABOT2),
        (ADA, GRACE, ADABOT),
        (bots.player("planner", 0), bots.player("planner", 1)),
        (ADA, bots.player("planner", 1), bots.player("planner", 2)),
    ],
)
def test_a_game_with_two_seats_of_one_owner_is_not(players):
    assert not ratings.is_rated(finished(*players))


@pytest.mark.parametrize(
    "change",
    [
        {"visibility": "unlisted"},
        {"visibility": "private", "spectators": False},
        {"spectators": False},
        {"seed_known": True},
        {"fork": GameForked("g_1", 5, {}, {})},
        {"results": ()},
        {"status": "playing"},
        {"tournament": CUP, "seed_known": True},
        {"tournament": CUP | {"entry": "invitation"}},
    ],
    ids=str,
)
def test_a_game_not_open_to_all_or_not_played_out_from_the_start_is_not(change):
    state = finished(ADA, GRACE)
    assert ratings.is_rated(state)
    assert not ratings.is_rated(replaced(state, **change))


@pytest.mark.parametrize(
    ("bot", "clock", "rated"),
    [
        ("expert", {"per_decision": 0.2}, False),
        ("expert", {"per_decision": 2}, True),
        ("planner", {"per_decision": 0.2}, False),
        ("planner", {"per_decision": 0.5}, True),
        ("expert", {"bank": 60, "increment": 1}, False),
        ("expert", None, True),
        ("expert", {"bank": 100, "increment": 1}, True),
    ],
)
def test_a_game_on_a_clock_too_short_for_a_built_in_bot_is_not(bot, clock, rated):
    state = finished(ADA, bots.player(bot, 1), clock=clock)
    assert ratings.is_rated(state) is rated
    assert ratings.is_rated(finished(ADA, GRACE, clock={"per_decision": 0.2}))


def test_a_clock_too_short_for_anybody_is_not_rated_in_new_games():
    for seconds, rated in ((0.4, False), (0.5, True)):
        state = finished(ADA, GRACE, clock={"per_decision": seconds}, rating_rules=2)
        assert ratings.is_rated(state) is rated


@pytest.mark.parametrize(
    ("clock", "rated"),
    [
        ({"per_decision": 864}, (True, False)),
        ({"per_decision": 865}, (False, False)),
        ({"per_decision": 259_200, "total": 86_400}, (True, False)),
        ({"per_decision": 600, "total": 172_800}, (True, False)),
        ({"bank": 86_400}, (True, False)),
        ({"bank": 86_400, "increment": 1}, (False, False)),
        ({"per_decision": 72}, (True, True)),
        ({"per_decision": 73}, (True, False)),
        ({"per_decision": 259_200, "total": 7_200}, (True, True)),
        ({"bank": 6_200, "increment": 10}, (True, True)),
        (None, (True, True)),
    ],
)
def test_a_clock_too_long_for_a_game_to_end_soon_takes_the_agreement_of_all(clock, rated):
    """So no loser holds a game against a built-in bot for months; ``rated`` by versions 3 and 4."""

    def is_rated(other, rules, **more):
        state = finished(ADA, other, clock=clock, rating_rules=rules)
        return ratings.is_rated(replaced(state, **more))

    planner = bots.player("planner", 1)
    assert (is_rated(planner, 3), is_rated(planner, 4)) == rated
    assert (is_rated(planner, 3, tournament=CUP), is_rated(planner, 4, tournament=CUP)) == (
        True,
        rated[1],
    )
    assert all(is_rated(GRACE, rules) for rules in (3, 4))
    assert is_rated(planner, 2)


def test_a_total_is_shared_by_a_hundred_decisions():
    for total, rated in ((49, False), (50, True)):
        clock = {"per_decision": 10, "total": total}
        assert ratings.is_rated(finished(ADA, GRACE, clock=clock, rating_rules=3)) is rated


def test_a_game_that_is_not_for_all_to_see_is_rated_in_a_tournament_that_is_listed():
    for game, cup in (
        ({"visibility": "unlisted", "spectators": False}, {}),
        ({}, {"visibility": "unlisted"}),
    ):
        state = replaced(finished(ADA, GRACE), tournament=CUP | cup, **game)
        assert ratings.is_rated(state) is bool(game)


@pytest.mark.parametrize(
    ("more", "rated"),
    [({}, False), ({"tournament": CUP}, True), ({"pool": {"id": "m_1", "games": ["g_1"]}}, True)],
)
def test_a_game_whose_creator_named_the_first_seat_is_not(more, rated):
    """The first seat wins 60 % on London; tournaments and the pool seat players themselves."""
    for rules in (3, 4):
        state = finished(ADA, GRACE, first_seat=0, rating_rules=rules)
        assert ratings.is_rated(replaced(state, **more)) is (rated or rules == 3)
    assert ratings.is_rated(finished(ADA, GRACE, rating_rules=4))


@pytest.mark.parametrize("owners", [None, 3, 4])
def test_a_game_of_two_is_rated_if_four_owners_have_entered_its_tournament(owners):
    """Else an account could seat itself first in cups of its own; former games do not say it."""
    place = CUP if owners is None else CUP | {"owners": owners}
    for players in ((ADA, GRACE), (ADA, GRACE, MARY)):
        state = replaced(finished(*players), tournament=place)
        assert ratings.is_rated(state) is (owners != 3 or len(players) == 3)


def test_a_game_of_the_pool_is_rated_unless_it_only_tests_a_bot():
    paired = {
        "pool": {"id": "m_1", "games": ["g_1", "g_2"]},
        "visibility": "unlisted",
        "spectators": False,
    }
    assert ratings.is_rated(replaced(finished(ADA, GRACE), **paired))
    paired["pool"] = {"id": "m_1", "games": ["g_1"], "test": True}
    assert not ratings.is_rated(replaced(finished(ADA, GRACE), **paired))


def test_imported_games_are_not_rated(games, recorder):
    known = importing.known_boards(games.store, BY_DIGEST.values())
    for name in expected():
        importing.put(games.store, known, read(name))
    states = [games.get(game).state for game in games.store.ids()]
    assert any(map(ratings.is_rated, states)), "none would be rated if it had been played here"
    assert recorder.run() == len(states)
    with games.database.reading() as db:
        assert db.execute(sa.select(tables.rated)).all() == []


@pytest.mark.parametrize(
    ("rules", "clock", "seconds", "decided", "recorded"),
    [
        (5, {"per_decision": 600}, 60, [], [0, 1, 2]),
        (5, {"per_decision": 600}, 60, [0], [1, 2]),
        (5, {"per_decision": 600}, 60, [0, 1], [2]),
        (5, {"per_decision": 600}, 60, [1, 2], [0, 1, 2]),
        (5, {"per_decision": 600}, 59, [0, 1], [0, 1, 2]),
        (5, {"per_decision": 10}, 5, [0, 1], [2]),
        (5, {"per_decision": 10}, 4, [0, 1], [0, 1, 2]),
        (5, {"bank": 40, "increment": 5}, 20, [0], [1, 2]),
        (4, {"per_decision": 600}, 60, [0, 1], [0, 1, 2]),
        (3, {"per_decision": 600}, 60, [0, 1], [0]),
    ],
)
def test_an_abort_is_recorded_for_those_who_kept_the_host_waiting(
    ada, grace, mary, games, rules, clock, seconds, decided, recorded
):
    game = begin(ada, grace, mary, first_seat=None, clock=clock)
    keep_tickets(game, *[(ada, grace, mary)[seat] for seat in decided])
    assert ada.post(f"/v1/games/{game}/abort", {}).status_code == 200
    over = games.get(game)
    over = replace(
        over,
        state=replaced(over.state, rating_rules=rules),
        started=as_time(in_ms(over.updated) - 1000 * seconds),
    )
    assert ratings.is_rated(over.state)
    assert ratings.rated_game(over).left == dict.fromkeys(recorded, "aborted")
