"""Lists of games and tournaments while these are under way, over, and recorded."""

import threading
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
import sqlalchemy as sa

from domain.boards import load_folder
from domain.game.commands import Command, Player, Resign
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from service import settings
from service.accounts import bots
from service.app import build_services
from service.eventlog.pages import place_of
from service.eventlog.store import NewEntry
from service.games import listing
from service.games.index import GameFilter, counts, games_page
from service.games.store import LoadedGame
from service.records import reading
from service.records.recorder import Recorder
from service.times import in_ms
from service.tournaments.index import TournamentFilter
from service.tournaments.records import newest_tournaments
from tools.games import create_command

BOARDS = load_folder()
PEOPLE = [f"p_{n}" for n in range(5)]
FINISHED, PLAYING = "finished", "playing"


@pytest.fixture
def service(redis, connection, database_url):
    """The services over an empty Redis, and an empty database of each kind."""
    with settings.DATABASE.set_to(database_url):
        service = build_services(connection)
    service.games.database.migrate()
    yield service
    service.games.database.close()


def sitter(name: str, seat: int) -> Player:
    return bots.player(name, seat) if name in bots.BOTS else Player(name, name.title())


def make(games, chance: Random, is_over: bool) -> str:
    """Store a game, which all players but one may have resigned; return its id."""
    names = chance.sample([*PEOPLE, "hasty", "planner", "planner"], 2)
    game = LoadedGame(State(BOARDS[chance.choice(["usa", "europe"])]))
    command: Command = replace(
        create_command(2),
        creator=names[0],
        seats=tuple((sitter(name, seat), None) for seat, name in enumerate(names)),
        visibility=chance.choice([None, None, "unlisted", "private"]),
    )
    seat = None
    while command:
        was = game.state
        game, _ = games.store.append(game, NewEntry(*play(was, seat, command)))
        listing.project(games.store, game, was)
        seat, decision = next(iter(game.state.deciding()), (None, ""))
        command = (
            None
            if seat is None
            else (Resign() if decision == "turn" else legal_actions(game.state, seat)[0])
        )
        command = command if is_over else None
    return game.state.id


def pages(store, which: GameFilter, caller: str | None, limit: int):
    """Yield the ids on each page of a list, and the cursor after it."""
    cursor = None
    while True:
        heads, cursor = games_page(store, which, before=cursor, limit=limit, caller=caller)
        assert len(heads) <= limit
        yield [head["id"] for head in heads]
        if cursor is None:
            return


def test_filters_find_the_same_whether_games_are_recorded_or_not(service):
    chance, games = Random(7), service.games
    store, recorder = games.store, Recorder(games, games.database)
    ids = [make(games, chance, chance.random() < 0.8) for _ in range(60)]
    heads = sorted(store.heads(ids), key=lambda head: (head["created"], head["id"]), reverse=True)
    middle = in_ms(heads[30]["created"])
    some = [None, *PEOPLE, "nobody"]
    for turn in range(60):
        if turn in (20, 40):  # some, then all
            for game_id in islice(recorder.waiting(), 20 if turn == 20 else None):
                recorder.record(game_id)
        chosen = {
            "status": [FINISHED, PLAYING],
            "board": ["usa", "europe", "none"],
            "player": some,
            "bot": ["hasty", "planner", "expert"],
            "won_by": some,
            "since": [middle],
            "until": [middle],
            "opponent": [*some, "bot_planner_0"],
        }
        asked = chance.sample(sorted(chosen), chance.choice([0, 1, 1, 2]))
        which = GameFilter(**{name: chance.choice(chosen[name]) for name in asked})
        caller = chance.choice(some)
        is_own = caller is not None and caller in (which.player, which.won_by, which.opponent)
        should = [
            head["id"]
            for head in heads
            if which.fits(head)
            and (is_own or "visibility" not in head)
            and (which.since is None or head in heads[:31])
            and (which.until is None or head not in heads[:31])
        ]
        listed = [
            one for page in pages(store, which, caller, chance.choice([1, 7, 100])) for one in page
        ]
        assert listed == should, which
    assert counts(store)["finished"] == sum(head["status"] == FINISHED for head in heads)


def test_a_game_is_listed_once_while_it_is_recorded(service):
    chance, games = Random(1), service.games
    ids = sorted(make(games, chance, True) for _ in range(40))
    whose = next(iter(PEOPLE))
    mine = sorted(
        head["id"]
        for head in games.store.heads(ids)
        if any(seat["player"]["id"] == whose for seat in head["seats"])
    )
    public = sorted(head["id"] for head in games.store.heads(ids) if "visibility" not in head)
    problems, is_over = [], threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            for which, right in (
                (GameFilter(), public),
                (GameFilter(FINISHED), public),
                (GameFilter(player=whose), mine),
            ):
                listed = [one for page in pages(games.store, which, whose, 7) for one in page]
                if sorted(listed) != right:
                    problems.append((which, listed))

    asking = threading.Thread(target=ask)
    asking.start()
    recorder = Recorder(games, games.database)
    assert sum(map(recorder.record, ids)) == len(ids)
    is_over.set()
    asking.join()
    assert problems == []
    assert not [*recorder.waiting()]


# With these settings PostgreSQL reads a whole table only where no index would do, and by those of
# its connections it sorts a whole list only then.
PLAIN = [f"SET enable_{how} = off" for how in ("seqscan", "bitmapscan")]
WHOLE = ("SCAN", "Seq Scan", "->  Sort", "TEMP B-TREE FOR ORDER BY")
ALONG = (
    GameFilter(),
    GameFilter(FINISHED),
    GameFilter(board="usa"),
    GameFilter(player="p_1"),
    GameFilter(won_by="p_1"),
    GameFilter(opponent="p_1"),
    GameFilter(bot="planner"),
    GameFilter(opponent="bot_planner_0"),
    GameFilter(since=5, until=9),
    TournamentFilter(),
    TournamentFilter(FINISHED),
    TournamentFilter(player="p_1"),
    TournamentFilter(creator="p_1"),
)


def test_each_list_is_read_along_an_index(service):
    database, plans = service.games.database, []

    def explain(db, cursor, statement, parameters, *_) -> None:
        if statement.startswith("SELECT"):
            cursor.execute(f"EXPLAIN {'QUERY PLAN ' * database.is_sqlite}{statement}", parameters)
            plans.append("\n".join(str(row[-1]) for row in cursor.fetchall()))

    with database.reading() as db:
        if not database.is_sqlite:
            db.execute(sa.text(";".join(PLAIN)))
        sa.event.listen(db, "before_cursor_execute", explain)
        for which in ALONG:
            query = reading.newest_games if isinstance(which, GameFilter) else newest_tournaments
            query(db, which, place_of("5.g_5"), 5)
    assert len(plans) == len(ALONG)
    for plan in plans:
        assert not any(words in plan for words in WHOLE), plan
