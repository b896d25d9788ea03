"""The fold of the page: at every version of a game it gives the view that the API gives."""

import subprocess
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random

import orjson
import pytest

from domain.boards import load_folder
from domain.game.commands import CreateGame, Fork
from domain.game.proof import fold
from domain.game.state import PLAYING
from domain.game.view import holdings, redacted, view
from domain.rules.forking import position_of
from tests.domain.games import Game, random_game, random_move
from tests.outside import BOARDS as OUTSIDE
from tests.service.callers import begin, keep_tickets, play_on
from tests.service.page.nodejs import NODE
from tools.histories.kept import expected, read
from tools.histories.written import BY_DIGEST

PAGE = Path(__file__).parents[3] / "docs" / "clients.md"
FOLDING = Path(__file__).with_name("folding.mjs")
BOARDS = load_folder() | OUTSIDE
GAMES = 50  # of each board
# How often a seat claims while it can do something else, and how often one resigns: long games with
# big hands and empty decks, short ones of which all leave, and what is between
WAYS = ((1, 0), (1, 0.05), (0.3, 0.02), (1, 0.02), (0.6, 0.04))


def folded(lines: Iterable[dict]) -> str:
    """Return the fold's output for these games."""
    with subprocess.Popen([NODE, FOLDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as node:
        for line in lines:
            node.stdin.write(orjson.dumps(line, option=orjson.OPT_NON_STR_KEYS) + b"\n")
        return node.communicate()[0].decode()


def told(name: str, game: Game, viewers: Iterable[int | None], *, is_open: bool) -> Iterator[dict]:
    """A game as lines for ``folding.mjs``: its entries, each with the view after it of one of the
    viewers, who take turns. Before it is an open book the entries are those of the one viewer."""
    yield {"name": name}
    viewers = list(viewers)
    begun = next((i for i, state in enumerate(game.states) if state.was_begun), 0)
    for i, entry, state in zip(count(), game.entries, game.states, strict=False):
        entry = {"at": f"t{i}"} | entry
        viewer = viewers[i % len(viewers)]
        if viewer is not None and not (viewer < len(state.players) and state.players[viewer]):
            viewer = None
        shown = view(state, viewer, sealed=not is_open, listed="false") | state.terms.shown()
        shown |= {"created": game.entries[0].get("at", "t0"), "updated": entry["at"]}
        if state.was_begun:
            shown["started"] = game.entries[begun].get("at", f"t{begun}")
            if is_open and state is not game.state:
                for seat in shown["seats"]:
                    seat["revealed"] = holdings(state, seat["seat"])
        line = {"entry": redacted(entry, viewer, is_open), "viewer": viewer, "view": shown}
        if not is_open and state.fork and i == begun:
            line["adopted"] = shown
        yield line
    yield {"over": True}


def sat(game: Game) -> list[int | None]:
    """Return a game's viewers: its seats, and None for all others."""
    return [None, *game.state.seats]


def forked(game: Game, random: Random, cards: str) -> Game:
    """A game that goes on from some position of another, to its end."""
    origin = random.choice([state for state in game.states if state.status == PLAYING])
    position = orjson.loads(orjson.dumps(position_of(origin)))
    fork = Game(board=game.board)
    fork.play(None, CreateGame("h", "p0", tuple((player, None) for player in origin.players),
                               random.randbytes(32),
                               fork=Fork(origin.id, origin.version, cards, position)))
    while fork.state.status == PLAYING:
        fork.play(*random_move(fork.state, random, 1, 0.01))
    return fork


def right(said: str) -> bool:
    """Whether all views that were compared were the API's, and there were some."""
    number, rest = said.split(" ", 1)
    return int(number) > 100 and rest == "views, 0 wrong\n"


def test_the_kept_histories_fold_to_the_views_that_every_viewer_has():
    def lines() -> Iterator[dict]:
        for name in expected():
            entries = read(name)
            game = Game(entries, list(fold(BY_DIGEST, entries)))
            yield {"board": game.state.board.described}
            yield from told(name, game, sat(game), is_open=True)
            for viewer in sat(game):
                yield from told(name, game, [viewer], is_open=False)

    said = folded(lines())
    assert right(said), said


@pytest.mark.parametrize("board", BOARDS)
def test_random_games_fold_to_the_views_at_each_of_their_versions(board):
    def lines() -> Iterator[dict]:
        yield {"board": BOARDS[board].described}
        for seed in range(GAMES):
            random = Random(seed)
            claiming, leaving = WAYS[seed % len(WAYS)]
            game = random_game(random.choice(BOARDS[board].players), seed, board=BOARDS[board],
                               claiming=claiming, leaving=leaving)
            yield from told(f"game {seed}", game, sat(game), is_open=True)
            if seed % 5 in (1, 2):
                yield from told(f"game {seed}", game, [random.choice(sat(game))], is_open=False)
            if seed % 20 == 3:
                fork = forked(game, random, random.choice(("kept", "reshuffled")))
                yield from told(f"fork {seed}", fork, sat(fork), is_open=True)
                if not getattr(fork.states[0], "tunnel", None):  # in a fork, some members lack
                    viewer = random.choice(sat(fork))
                    yield from told(f"fork {seed}", fork, [viewer], is_open=False)

    said = folded(lines())
    assert right(said), said


def test_points_of_an_event_that_the_fold_does_not_know_are_added_to_the_score():
    """As a rule gives them that is younger than the page; a member of another kind does no harm."""
    game = random_game(3, 1, board=BOARDS["usa"])
    version = next(i for i, state in enumerate(game.states) if state.turn == 1) + 1
    of_younger = [{"type": "mandala_completed", "seat": 1, "points": 7},
                  {"type": "night_fell", "seat": 2, "points": -3},
                  {"type": "dawn_broke", "points": 5},
                  {"type": "sun_rose", "seat": 0, "points": {}}]

    def lines() -> Iterator[dict]:
        yield {"board": BOARDS["usa"].described}
        for line in told("younger", game, [None], is_open=True):
            if line.get("entry", {}).get("version") == version:
                line["entry"]["events"] = [*line["entry"]["events"], *of_younger]
            if "view" in line and line["entry"]["version"] >= version:
                for seat, points in ((1, 7), (2, -3)):
                    seats = line["view"]["seats"]
                    seats[seat] = seats[seat] | {"score": seats[seat]["score"] + points}
            yield line

    said = folded(lines())
    assert right(said), said


def without_what_entries_do_not_tell(view: dict) -> set[str]:
    """Take out of a view what docs/clients.md says the fold lacks; return what there was of it."""
    parts = [("invitation", view), *(("deadline", row) for row in view["deciding"]),
             *(("bank", seat) for seat in view["seats"])]
    return {name for name, part in parts if part.pop(name, None) is not None}


def test_the_fold_lacks_of_the_api_s_views_only_what_the_page_says(ada, grace, anybody):
    game = begin(ada, grace, clock={"bank": 3600, "increment": 5}, visibility="unlisted")
    keep_tickets(game, ada, grace)
    chance, lacking = Random(3), set()
    for _ in islice(play_on(game, [ada, grace], chance.choice), 25):
        pass

    def lines() -> Iterator[dict]:
        yield {"board": anybody.get("/v1/boards/usa").json}
        for is_over in (False, True):
            if is_over:
                ada.play(game, {"type": "resign"})
            for viewer, caller in ((None, anybody), (0, ada), (1, grace)):
                yield {"name": f"{viewer}"}
                for entry in caller.get(f"/v1/games/{game}/events").json["items"]:
                    at = f"/v1/games/{game}?at={entry['version']}&legal_actions=false"
                    shown = caller.get(at).json
                    lacking.update(without_what_entries_do_not_tell(shown))
                    yield {"entry": entry, "viewer": viewer, "view": shown}
                yield {"over": True}

    said = folded(lines())
    assert right(said), said
    assert lacking == {"deadline", "bank", "invitation"}
    assert all(f"`{name}`" in PAGE.read_text() for name in lacking)
