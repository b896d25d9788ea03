"""A person's own board: the documented form, the checker, the service that plays it."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from domain.boards import FOLDER, check, parse
from domain.errors import BrokenTable
from domain.game.commands import CreateGame, Player
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from domain.rules.tunnels import is_tunnel
from service.eventlog.store import NewEntry
from service.games.boards import all_boards
from service.games.store import GameStore, LoadedGame
from tests.cli.inside import report, run

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "board.schema.json").read_text())
GAME = "g_" + "0" * 20


@pytest.fixture
def tiny(tmp_path) -> Path:
    """The board that the documentation works out, as a file."""
    path = tmp_path / "tiny.json"
    path.write_text(re.search(r"```json\n(.*?)```", (DOCS / "boards.md").read_text(), re.S)[1])
    return path


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_table_fits_the_documented_form(path):
    jsonschema.validate(json.loads(path.read_text()), SCHEMA)


def test_the_documented_board_fits_the_form_and_can_be_played(tiny):
    jsonschema.validate(json.loads(tiny.read_text()), SCHEMA)
    board = parse(tiny.read_text())
    assert (board.id, len(board.routes), is_tunnel(board.routes[4])) == ("tiny", 7, True)


def test_the_checker_shows_what_a_table_holds_and_draws_it(tiny, tmp_path):
    picture = tmp_path / "tiny.svg"
    assert report("board", "check", tiny, "--picture", picture)["double_routes"] == 1
    assert picture.read_text().startswith("<svg")


def test_the_checker_names_the_fault_and_its_line(tiny):
    text = tiny.read_text().replace('"b": "mine", "length": 3', '"b": "mime", "length": 3')
    tiny.write_text(text)
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "mime" in row)
    done = run("board", "check", tiny)
    assert done.returncode == 1
    assert f"line {line}: routes[4].b: no location is called mime" in done.stderr


def faults(table: dict, path: Path) -> set[tuple[str, str]]:
    path.write_text(json.dumps(table))
    with pytest.raises(BrokenTable) as refused:
        check(path)
    return {(one.where, one.reason) for one in (refused.value, *refused.value.others)}


def test_the_checker_names_all_faults_at_once(tiny):
    table = json.loads(tiny.read_text())
    table["trains"], table["rules"], table["players"] = 0, ["luck"], {"least": 2}
    table["routes"][0]["lenght"] = table["routes"][0].pop("length")
    table["routes"][2]["color"] = "plaid"
    table["tickets"][1]["points"] = 0
    table["locations"][0]["lat"] = "north"
    named = faults(table, tiny)
    assert {where for where, _ in named} == {
        "trains",
        "rules[0]",
        "players",
        "routes[0]",
        "routes[2].color",
        "tickets[1].points",
        "locations[0].lat",
    }
    assert {reason for where, reason in named if where == "routes[0]"} == {
        "lacks the member length",
        "has an unknown member lenght",
    }
    done = run("board", "check", tiny)
    assert (done.returncode, done.stderr.count("line 1: ")) == (1, len(named))


def test_the_checker_refuses_the_unknown_members_that_the_form_refuses(tiny):
    table = json.loads(tiny.read_text())
    for place in (
        table,
        table["players"],
        table["tickets_at_start"],
        table["tickets_on_a_turn"],
        table["locations"][0],
        table["routes"][0],
        table["tickets"][0],
    ):
        place["more"] = 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(table, SCHEMA)
        assert "has an unknown member more" in {reason for _, reason in faults(table, tiny)}
        del place["more"]
    table["more"] = 1
    assert parse(json.dumps(table)).table["more"] == 1, "one that a game was played on is forgiven"


def test_the_checker_refuses_what_nobody_can_claim_or_complete(tiny):
    table = json.loads(tiny.read_text())
    for place in "ab":
        table["locations"].append({"id": f"island-{place}", "name": place, "lat": 0, "lon": 0})
    table["routes"].append({"a": "island-a", "b": "island-b", "length": 1, "color": "grey"})
    table["tickets"].append({"a": "harbour", "b": "island-a", "points": 9})
    table["points"]["9"] = 9
    table["trains"] = 5
    table["routes"].append({"a": "harbour", "b": "mine", "length": 9, "color": "grey"})
    named = faults(table, tiny)
    assert {where for where, reason in named if "no routes lead" in reason} == {
        f"tickets[{len(table['tickets']) - 1}]"
    }
    assert {where for where, reason in named if "never be claimed" in reason} == {
        f"routes[{len(table['routes']) - 1}]"
    }
    parse(json.dumps(table))


def test_a_folder_of_boards_is_loaded_next_to_the_services_own(tiny, monkeypatch):
    """A board with the id of one of the service's own is refused."""
    monkeypatch.setenv("FOGG_BOARDS", str(tiny.parent))
    assert {"tiny", "usa"} <= all_boards().keys()
    tiny.write_text(tiny.read_text().replace('"board": "tiny"', '"board": "usa"'))
    with pytest.raises(BrokenTable, match="usa"):
        all_boards()


def test_a_table_changed_later_changes_no_game_that_began_before(tiny, redis):
    old = parse(tiny.read_text())
    new = parse(
        tiny.read_text().replace('"length": 2, "color": "green"', '"length": 1, "color": "green"')
    )
    store = GameStore(redis, {"tiny": old})
    store.keep_table(old)
    players = tuple((Player(f"p{seat}", f"P{seat}"), None) for seat in range(2))
    empty = LoadedGame(State(old))
    create = CreateGame(GAME, "p0", players, seed=bytes(32))
    game, _ = store.append(empty, NewEntry(*play(empty.state, None, create)))
    later = GameStore(redis, {"tiny": new}).load(GAME)
    assert later.state.board.digest == old.digest != new.digest
    assert legal_actions(later.state, 0) == legal_actions(game.state, 0)
    assert GameStore(redis, {}).load(GAME).state.board.table == old.table
