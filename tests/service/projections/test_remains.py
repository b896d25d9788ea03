"""The data that an archived game leaves in Redis."""

import re
from collections import Counter
from random import Random

import pytest
from redis import Redis

from domain.boards import load_folder
from domain.game.commands import CreateGame, Player, Resign
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import PLAYING, State
from service.projections import archiving, ledger, projecting
from service.store import log, shelved_sets
from service.store.archive import Archive
from service.store.games import GameStore, LoadedGame
from service.store.store import NewEntry
from service.store.vaults import Folder

GAMES = 60  # two thirds of them are rated: these fill whole pages of 20
PEOPLE = [Player(f"p_{number:020x}", f"Player {number}") for number in range(8)]
BOARDS = load_folder()
ACTIONS = 12  # that are played before all but one resign: what remains does not depend on them
MOST = {  # bytes of one more game, by pattern of keys
    "{g:ID}:archived": 300, "{log}:places": 110,
    # too few in each bucket for a page
    "{games:N}:all": 60, "{games:N}:finished": 60}
PARTS = ((r"g_[0-9a-f]{20}", "ID"), (r"games:\d+", "games:N"), (r"p_[0-9a-f]{20}", "ID"),
         (r"table:.*", "table:DIGEST"))


@pytest.fixture
def figures(redis, tmp_path, monkeypatch) -> dict[str, float]:
    """The bytes of Redis that one more archived game takes, by pattern of keys. Players come again,
    so that data which is kept for each player or each pair of players is paid once."""
    monkeypatch.setattr(shelved_sets, "KEEP_ROWS", 0)
    monkeypatch.setattr(log, "KEEP_LINES", 1)
    for module, name in ((ledger, "ROWS"), (log, "ROWS"), (shelved_sets, "PAGE_ROWS")):
        monkeypatch.setattr(module, name, 20)
    store, chance = GameStore(redis, BOARDS, Archive(Folder(tmp_path))), Random(1)
    sizes = []
    for half in range(2):
        for number in range(half * GAMES, (half + 1) * GAMES):
            finish_game(store, chance, number)
        projecting.catch_up(store)
        archiving.run(store, days=0)
        sizes.append(bytes_by_pattern(redis))
    before, after = sizes
    return {name: (after[name] - before[name]) / GAMES for name in after}


def finish_game(store: GameStore, chance: Random, number: int) -> None:
    """Store a game of two to four players that ends when all but one have resigned; of three games
    two are rated, as the others' players chose the seed."""
    board = [*BOARDS.values()][number % len(BOARDS)]
    seats = chance.sample(PEOPLE, 2 + number % 3)
    create = CreateGame(f"g_{number:020x}", seats[0].id, tuple((seat, None) for seat in seats),
                        chance.randbytes(32), seed_known=number % 3 == 2)
    append(store, LoadedGame(State(board)), None, create)
    game = store.load(create.game)
    for _ in range(ACTIONS):
        seat = game.state.deciding()[0][0]
        game = append(store, game, seat, chance.choice(legal_actions(game.state, seat)))
    while game.state.status == PLAYING:
        game = append(store, game, game.state.deciding()[0][0], Resign())


def append(store: GameStore, game: LoadedGame, seat: int | None, action) -> LoadedGame:
    was, done = game.state, None if seat is None else action
    game, _ = store.append(game, NewEntry(*play(was, seat, action), seat, done))
    if game.state.status != was.status:
        projecting.project(store.redis, game, was)
    return game


def bytes_by_pattern(redis: Redis) -> Counter[str]:
    """Return the bytes that Redis uses for all keys of each pattern."""
    sizes: Counter[str] = Counter()
    for key in redis.scan_iter(count=1000):
        name = key.decode()
        for part, word in PARTS:
            name = re.sub(part, word, name)
        sizes[name] += redis.memory_usage(key, samples=0)
    return sizes


def test_an_archived_game_leaves_its_lines_in_lists_and_in_the_log(figures):
    assert sum(figures.values()) < 600  # less than 300 with full pages and many games
    for name in ("rows", "history", "order"):
        assert figures.pop(f"{{ratings}}:{name}", 0) <= 1
    for name in ("player:ID:games", "player:ID:over", "{stats}:games"):
        assert figures.pop(name, 0) <= 1, name
    assert figures.pop("{log}:lines", 0) <= 3  # its last lines have longer numbers
    for name, most in MOST.items():
        assert figures.pop(name) <= most, name
    for name in ("{player:ID:games}:pages", "{player:ID:over}:pages"):
        assert figures.pop(name) <= 40  # a fourth of it with pages of 75 games
    # The rest belongs to players, pairs of players, boards and months, or to pages of many games.
    assert sum(figures.values()) < 150, figures
