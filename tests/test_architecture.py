"""Imports run domain <- service and domain <- workers; only the command line joins the two. Of the
service, workers import the settings."""

import ast
import json
import re
import sys
import tokenize
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import networkx as nx
import pytest
from packaging.requirements import Requirement

from domain.boards import FOLDER as BOARDS
from domain.rules import ACTIONS, DECIDES, EVENTS, EVOLVES, RULES
from domain.rules.rule import Rule
from service.accounts import bots
from service.app import FEATURES
from tools.generators.rooms import ABOVE, imports, modules, room_of
from workers.bots import BOTS, LISTED

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {  # a package of ours, and which of ours it may import
    "domain": {"domain"},
    "service": {"domain", "service"},
    "fogg_client": {"fogg_client"},
    "fogg_simulator": {"domain", "fogg_simulator"},
    "workers": {"domain", "fogg_client", "fogg_simulator", "service", "workers"},
    "cli": {"domain", "service", "fogg_client", "fogg_simulator", "workers", "cli"},
}
# names of functions that the service enqueues and workers import; the service imports no worker
JOBS = {"workers.analyse.analyse", "workers.deliver.deliver", "workers.play.play"}
DEVELOPMENT = {"benchmarks", "tests", "tools"}  # forbidden imports, for any room
READ_THE_ENVIRONMENT = {  # module -> why; all others ask service.settings
    "service.settings": "it declares every setting",
    "service.processes": "a child gets this process's environment",
    "service.records.copying": "so do PostgreSQL's programs, and a password besides",
    "cli": "a child gets a PYTHONPATH without the current folder",
    "fogg_simulator.compiled": "FOGG_CACHE: it imports nothing of the service",
}
FOLDER = {"fogg_client": "client/fogg_client", "fogg_simulator": "simulator/fogg_simulator"}


def imported(path: Path) -> set[str]:
    """The top-level names of all modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.split(".")[0])
    return names


def named(path: Path) -> set[str]:
    """The top-level names of all modules of ours that strings in a file name, such as those for
    ``import_module``; without the names of jobs."""
    strings = {
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    names = {
        text.partition(":")[0]
        for text in strings - JOBS
        if re.fullmatch(r"\w+(\.\w+)+(:\w+)?", text)
    }
    return {name.split(".")[0] for name in names if ".".join(name.split(".")[:2]) in modules()}


def extended(path: Path) -> set[str]:
    """The top-level names of all modules of others whose classes a file extends."""
    tree = ast.parse(path.read_text())
    origin = {}  # a name in the file -> the module that it comes from
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            origin |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin |= {alias.asname or alias.name: node.module for alias in node.names}
    bases = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        for name in ast.walk(base)
        if isinstance(name, ast.Name)
    }
    modules = {origin[name].split(".")[0] for name in bases & origin.keys()}
    return modules - sys.stdlib_module_names - MAY_IMPORT.keys()


def graph() -> nx.DiGraph:
    """Which module of ours takes which to run."""
    return nx.DiGraph((name, other) for name in modules() for other in imports(name, to_run=True))


CORE = {"http", "redis", "eventlog", "records", "accounts", "games"}  # what features are made of


def folder_of(module: str) -> str:
    """The folder of the service that a module is in; empty for the modules next to the folders."""
    return room_of(module).removesuffix(ABOVE).partition(".")[2]


def imported_features(module: str) -> set[str]:
    """The features that a module imports to run."""
    return (
        {folder_of(other) for other in imports(module, to_run=True) if other.startswith("service.")}
        - CORE
        - {""}
    )


def test_no_module_imports_in_a_circle():
    assert list(nx.simple_cycles(graph())) == []


def test_no_folder_of_the_service_imports_in_a_circle():
    arrows = [
        (folder_of(a), folder_of(b))
        for a, b in graph().edges
        if a.startswith("service.") and b.startswith("service.")
    ]
    between = nx.DiGraph((a, b) for a, b in arrows if a != b and a and b)
    assert list(nx.simple_cycles(between)) == []


def test_each_folder_of_the_service_is_a_feature_or_core():
    folders = {folder_of(name) for name in modules() if name.startswith("service.")} - {""}
    assert folders == CORE | {feature.name for feature in FEATURES}


def test_only_one_module_imports_several_features():
    """A feature imports none but itself, and what features are made of imports none."""
    others = {
        (name, feature)
        for name in modules()
        if name.startswith("service.") and name != "service.app"
        for feature in imported_features(name) - {folder_of(name)}
    }
    assert others == set()
    assert imported_features("service.app") == {feature.name for feature in FEATURES} - CORE


# Modules outside a feature's folder that name it: in a name of the code, or in a string that is one
# word, so in a key or a member. Sentences may name everything.
NAMED = {
    "webhooks": """
        service.app service.settings workers.__main__ workers.deliver""",
    "analyses": """
        cli.commands cli.commands.analyse cli.failures cli.views.analysis
        service.app service.eventlog.backup service.eventlog.quotas
        service.settings workers.__main__ workers.analyse workers.judgement workers.queue""",
    "tournaments": """
        cli.commands cli.commands.tournaments cli.export.columns cli.export.tables
        cli.offline.collusion cli.views.tournament service.games.api.live service.games.shown
        service.app service.games.listing service.games.live service.games.notices
        service.games.visibility service.records.games service.records.histories
        service.ratings.rating_rules service.records.unplayed service.settings
        service.games.store service.records.tables service.records.views
        service.webhooks.attempts domain.codec domain.game.asked domain.game.commands
        domain.game.events domain.game.terms domain.rules.lobby
        domain.tournament.announcing domain.tournament.events
        domain.tournament.fold domain.tournament.rounds domain.tournament.standings
        domain.tournament.state""",
    "ratings": """
        cli.commands.leaderboard cli.export.columns cli.export.tables cli.offline.standings
        service.games.schemas.games service.app service.games.creating service.games.listing
        service.games.lobby service.games.strengths
        service.pool.sweep service.pool.views service.records.checking
        service.games.store service.records.views domain.game.asked
        domain.game.commands domain.game.events domain.game.proof domain.game.state
        domain.game.terms domain.game.view
        domain.pool
        domain.rules.lobby domain.skill""",
}
WORDS = {
    "webhooks": "webhook",
    "analyses": "analys",
    "tournaments": "tournament",
    "ratings": "rating",
}


@pytest.mark.parametrize("feature", NAMED)
def test_no_further_module_names_a_feature(feature):
    others = {
        name
        for name, path in modules().items()
        if name.split(".")[0] in ("service", "domain", "workers", "cli")
        and folder_of(name) != feature
        and is_named(WORDS[feature], path)
    }
    assert others <= set(NAMED[feature].split())


def is_named(word: str, path: Path) -> bool:
    """Whether a file has a word in a name, or in a string without spaces."""
    with tokenize.open(path) as lines:
        return any(
            word in token.string.lower()
            and (
                token.type == tokenize.NAME
                or (token.type == tokenize.STRING and not re.search(r"\s", token.string))
            )
            for token in tokenize.generate_tokens(lines.readline)
        )


def test_the_service_shows_nothing_of_a_game_but_by_one_module():
    shows = {
        name
        for name in modules()
        if name.startswith("service.") and "domain.game.view" in imports(name)
    }
    assert shows == {"service.games.visibility"}


def test_no_function_on_the_way_of_an_action_has_more_than_five_parameters():
    """Values that travel together are one: an ``ActionRequest``, a ``NewEntry``."""
    for name in ("service/games/playing.py", "service/eventlog/store.py", "domain/entry.py"):
        for node in ast.walk(ast.parse((ROOT / name).read_text())):
            if isinstance(node, ast.FunctionDef):
                parameters = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
                assert len(parameters - {"self"}) <= 5, f"{name}: {node.name}"


def files_of(room: str) -> list[Path]:
    return sorted((ROOT / FOLDER.get(room, room)).rglob("*.py"))


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_lies_below_it(room):
    for path in files_of(room):
        ours = (imported(path) | named(path)) & (MAY_IMPORT.keys() | DEVELOPMENT)
        assert ours <= MAY_IMPORT[room], f"{path} imports {ours - MAY_IMPORT[room]}"


def test_workers_import_nothing_of_the_service_but_its_settings():
    of_service = {
        other
        for name in modules()
        if name.split(".")[0] == "workers"
        for other in imports(name)
        if other.split(".")[0] == "service"
    }
    assert of_service == {"service.settings"}


def test_the_settings_need_nothing_but_python():
    assert imported(ROOT / "service" / "settings.py") <= sys.stdlib_module_names


def test_one_module_reads_the_environment():
    readers = {
        name
        for name, path in modules().items()
        if names_of_os(path) & {"environ", "environb", "getenv", "getenvb"}
    }
    assert readers == READ_THE_ENVIRONMENT.keys()


def names_of_os(path: Path) -> set[str]:
    """The names that a file uses of the module ``os``."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names |= {node.attr} if node.value.id == "os" else set()
    return names


# these are no streams: a table of the database, and where its last line is noted
NO_STREAMS = r'"log",\s+"The public log|"records:log"'


def test_only_the_store_opens_a_stream():
    for room in MAY_IMPORT:
        for path in files_of(room):
            if not path.is_relative_to(ROOT / "service" / "eventlog"):
                match = re.search(
                    r"\bx(add|del|len|range|read|revrange|trim)\b|[:\"]log\"",
                    re.sub(NO_STREAMS, "", path.read_text()),
                    re.I,
                )
                assert not match, f"{path} has {match[0]}"


def test_a_package_whose_classes_are_extended_has_an_upper_bound():
    projects = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
        for folder in (".", "simulator")
    ]
    lists = [
        each
        for project in projects
        for each in (project["dependencies"], *project["optional-dependencies"].values())
    ]
    bounded = {
        one.name
        for one in map(Requirement, chain.from_iterable(lists))
        if any(each.operator == "<" for each in one.specifier)
    }
    packages = packages_distributions()
    used = {
        packages[module][0].lower().replace("_", "-")
        for room in MAY_IMPORT
        for path in files_of(room)
        for module in extended(path)
    }
    assert {"gunicorn", "redis", "rq"} <= used
    assert used <= bounded


def test_language_models_play_by_the_client_measure_paths_and_read_sentences_alone():
    for path in (ROOT / "cli" / "mcp").glob("*.py"):
        ours = imports(f"cli.mcp.{path.stem}".removesuffix(".__init__"))
        assert {
            name
            for name in ours
            if not re.match(r"(cli\.mcp|fogg_client)\b|domain\.(network|sentences)$", name)
        } == set()


def test_the_built_in_bots_know_of_fogg_its_client_and_simulator_alone():
    for path in (ROOT / "workers" / "bots").rglob("*.py"):
        assert imported(path) & MAY_IMPORT.keys() <= {"workers", "fogg_client", "fogg_simulator"}, (
            path
        )


@pytest.mark.parametrize(
    ("room", "needs"), [("fogg_client", {"urllib3"}), ("domain", {"networkx", "openskill"})]
)
def test_a_room_needs_few_packages(room, needs):
    for path in files_of(room):
        foreign = imported(path) - sys.stdlib_module_names - {room}
        assert foreign <= needs, f"{path} imports {foreign}"


def test_the_domain_knows_no_clock_no_randomness_and_no_network():
    for path in files_of("domain"):
        assert not imported(path) & {"random", "secrets", "time", "datetime", "socket", "os"}, path


def test_games_and_rules_know_nothing_of_how_they_are_shown():
    for name in modules():
        if name.startswith(("domain.rules", "domain.game", "domain.board.")):
            shown = {
                other
                for other in imports(name, to_run=True)
                if other.startswith(("domain.shown", "domain.drawing", "domain.sentences"))
            }
            assert not shown, f"{name} imports {shown}"


def test_no_rule_asks_which_board_it_is_on():
    ids = [json.loads(path.read_text())["board"] for path in BOARDS.glob("*.json")]
    for path in files_of("domain"):
        text = path.read_text()
        assert not [name for name in ids if f'"{name}"' in text], path


def test_every_event_has_a_change_and_every_action_one_rule():
    assert set(EVOLVES) == set(EVENTS.values())
    assert set(ACTIONS.values()) <= set(DECIDES)


# Modules that still know a rule that not every board has, and by which names. Add no new ones.
KNOWN = {
    # an open tunnel has a place of its own on the page
    "service/page/play/offers.mjs": {"pay_tunnel", "withdraw_tunnel"},
    # the part of the final score that has words of its own
    "service/page/scoring/steps.mjs": {"longest_path"},
    # works out by itself, from the rules' text alone, which cards every shuffle had
    "service/page/verify.mjs": {"station_built", "tunnel_cards_discarded", "flag_completed"},
}


def names_of(rule: Rule) -> set[str]:
    """The names by which a module may know a rule: its own, and those of the events and actions
    that are its alone."""
    others = {
        cls for other in RULES if other is not rule for cls in (*other.evolves, *other.decides)
    }
    own = {*rule.evolves, *rule.decides} - others
    return {rule.name, *(cls.type for cls in own)}


def sources_of(room: str) -> list[Path]:
    """The modules of a room, those that run in browsers included."""
    return [
        path
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in (".py", ".mjs") and "vendor" not in path.parts
    ]


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if not rule.common], ids=lambda rule: rule.name
)
def test_a_rule_is_known_to_no_other_module(rule):
    """Other code uses a rule only by its declarations. (Bots know rules: that is their trade.
    The page's languages but English translate what rules declare, by the names of events.)"""
    named, texts = {}, ROOT / "service" / "page" / "texts"
    for room in ("domain", "service", "cli"):
        for path in sources_of(room):
            own = path.parent in (ROOT / "domain" / "rules", ROOT / "domain" / "shown") and (
                path.stem == rule.name
            )
            if own or (path.parent == texts and path.name != "en.mjs"):
                continue
            text = path.read_text()
            # a rule's name is a word of the language, too, so it counts where it is a string
            known = {
                name
                for name in names_of(rule)
                if f'"{name}"' in text or (name != rule.name and re.search(rf"\b{name}\b", text))
            }
            if known:
                named[path.relative_to(ROOT).as_posix()] = known
    expected = {path: names & names_of(rule) for path, names in KNOWN.items()}
    assert named == {path: names for path, names in expected.items() if names}


def test_the_bots_that_the_service_offers_are_those_that_the_workers_play():
    assert list(bots.BOTS) == list(LISTED)
    assert list(BOTS) == bots.OFFERED


def test_the_tests_mirror_the_source_and_nothing_else_is_named_like_one():
    tests = ROOT / "tests"
    files = [path for path in tests.rglob("*.py") if "node_modules" not in path.parts]
    folders = {path.parent.relative_to(tests) for path in files if path.name.startswith("test_")}
    # another Redis; old games; other languages
    others = {Path("cluster"), Path("golden"), Path("histories"), Path("typescript")}
    assert [folder for folder in folders - others if not (ROOT / folder).is_dir()] == []
    assert [
        path
        for path in files
        if not path.name.startswith("test_")
        and re.search(r"^\s*def test_|^class Test", path.read_text(), re.MULTILINE)
    ] == []
