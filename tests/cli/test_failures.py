"""Every expected error of a command is one sentence, never a traceback."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import failures
from cli.commands import COMMANDS, fogg
from cli.failures import SENTENCES
from domain.boards import FOLDER
from tests.proxies import service
from tools.histories.kept import HERE, read

FOGG = Path(sys.executable).parent / "fogg"
NOBODY = "http://127.0.0.1:9"
UP = ["up", "--port", "0", "--data", "data"]
PARIS = str(HERE / "paris.ndjson.gz")
TABLE = (FOLDER / "paris.json").read_text()


def run(*arguments: object, **environment: str) -> Result:
    return CliRunner(env={"FOGG_REDIS_URL": None, "FOGG_SERVER": None} | environment).invoke(
        fogg, [str(argument) for argument in arguments]
    )


def told(*arguments: object, **environment: str) -> str:
    done = run(*arguments, **environment)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (1, 2)
    assert "Traceback" not in done.output
    return re.sub(r"\s+", " ", done.output)


@pytest.fixture(autouse=True)
def signals_as_they_were(monkeypatch):
    """Commands that run here leave it to pytest what Ctrl-C does."""
    monkeypatch.setattr("signal.signal", lambda *_: None)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder to be in, with files that are broken."""
    monkeypatch.chdir(tmp_path)
    Path("utf16.json").write_text(TABLE, encoding="utf-16")
    Path("bom.json").write_text(TABLE, encoding="utf-8-sig")
    Path("boards").mkdir()
    Path("boards/broken.json").write_text('{"board": "x",')
    Path("bad.token").write_bytes(b"\xff\xfe\x01")
    return tmp_path


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("redis://127.0.0.1:9", "Redis does not answer"),
        ("redis//127.0.0.1", "no address of a Redis"),
        ("redis://127.0.0.1:x", "no address of a Redis"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [UP, ["rebuild"], ["check"], ["import", PARIS], ["backup", "b.gz"]],
    ids=lambda c: c[0],
)
def test_a_redis_that_is_dead_or_misspelt(folder, monkeypatch, url, says, command):
    monkeypatch.setattr("service.redis.connection.Retry", lambda _, retries, *more: NoRetry())
    assert says in told(*command, FOGG_REDIS_URL=url)


class NoRetry:
    """A policy without retries, which would only take time here."""

    def __new__(cls):
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        return Retry(NoBackoff(), 0)


@pytest.mark.parametrize("command", [UP, ["demo"], ["rebuild"], ["check"]], ids=lambda c: c[0])
def test_a_broken_table_among_the_boards_is_named(folder, redis_server, command):
    environment = {"FOGG_BOARDS": "boards", "FOGG_REDIS_URL": redis_server.url}
    assert "boards/broken.json: line 1: table: is not JSON" in told(*command, **environment)
    assert not Path("data").exists()
    environment["FOGG_BOARDS"] = "nowhere"
    assert "there is no folder nowhere" in told(*command, **environment)


def test_a_folder_for_data_that_cannot_be_made(folder):
    assert "/proc/nowhere: No such file" in told("up", "--port", "0", "--data", "/proc/nowhere")
    assert "/proc/nowhere: No such file" in told("demo", "--data", "/proc/nowhere")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--board", "nope"], "there is no board called nope; boards are"),
        (["--bots", "nope"], "no bot 'nope'"),
        (["--bots", "planner"], "needs 2 to 5 players; you named 1"),
        (["--bots", ""], "no bot ''"),
        (["--board", "boards/broken.json"], "boards/broken.json: line 1"),
        (["--board", "none.json"], "none.json: table: No such file"),
    ],
)
def test_a_demonstration_checks_its_options_before_it_starts_anything(folder, options, says):
    assert says in told("demo", *options)
    assert not Path("var").exists()


@pytest.mark.parametrize(
    "command", [["board", "check"], ["arena", "random", "greedy", "--board"]], ids=lambda c: c[0]
)
def test_an_unreadable_or_misencoded_table(folder, command):
    assert "utf16.json" in (said := told(*command, "utf16.json"))
    assert "UTF-8" in said
    assert "nowhere.json" in told(*command, "nowhere.json")


def test_a_byte_order_mark_is_no_fault(folder):
    done = run("board", "check", "bom.json", "--picture", "paris.png")
    assert done.exit_code == 0, done.output
    assert Path("paris.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "command",
    [
        ["board", "check", "bom.json", "--picture", "nowhere/x.svg"],
        ["replay", PARIS, "--picture", "nowhere/x.svg"],
        ["replay", PARIS, "--picture", "nowhere/x.png"],
    ],
    ids=["board", "svg", "png"],
)
def test_a_picture_that_cannot_be_written(folder, command):
    assert f"{command[-1]}: No such file or directory" in told(*command)
    assert "should end in" in told(*command[:-1], "x.txt")


SPEAKING = [
    ["leaderboard"],
    ["tournament", "create", "Cup", "--token-file", "new.token"],
    ["tournament", "watch", "c_1"],
    ["tournament", "results", "c_1"],
    ["tournament", "list"],
    ["bot", "run", "workers.bots.greedy:Greedy"],
    ["export", "--decisions", "--out", "x.ndjson"],
]


@pytest.mark.parametrize("command", SPEAKING, ids=lambda c: " ".join(c[:2]))
def test_all_commands_report_an_unreachable_service_alike(folder, monkeypatch, command):
    monkeypatch.setattr("fogg_client.accounts.reach.__defaults__", (0.1,))
    says = f"{NOBODY} cannot be reached: Connection refused. Name another service with --server"
    assert says in told(*command, "--server", NOBODY)
    assert says in told(*command, FOGG_SERVER=NOBODY)
    assert not Path("new.token").exists()
    for wrong in ("nonsense", "htp://x", "http://", "http://[x", "http://x:99999"):
        assert f"{wrong!r} is not a URL (example: " in told(*command, "--server", wrong)


def test_a_wrong_command_is_reported_before_any_service_is_asked(folder):
    for wrong, says in (
        (["x:Y", "--open", "--pool"], "choose one"),
        (["nowhere.npz"], "nowhere.npz"),
    ):
        assert says in told("bot", "run", *wrong, "--server", NOBODY)


@pytest.mark.parametrize("command", SPEAKING, ids=lambda c: " ".join(c[:2]))
@pytest.mark.parametrize(
    "body",
    [b"<html>Hello</html>\n", b"[]\n", b'{"hello": "world"}\n'],
    ids=["page", "list", "object"],
)
def test_all_commands_say_that_a_server_is_no_fogg_service(folder, command, body):
    with service((200, {}, body)) as (url, asked):
        assert f"Error: what answers at {url} is no Fogg service" in told(*command, "--server", url)
    assert len(asked) == 1
    assert not Path("new.token").exists()


def test_an_invalid_or_unusable_token_file(folder, monkeypatch):
    monkeypatch.setattr("fogg_client.client.Client.get", lambda *_, **__: {"status": "ok"})
    asked = []
    monkeypatch.setattr("fogg_client.client.Client.post", lambda *told, **__: asked.append(told))
    create = ["tournament", "create", "Cup", "--token-file"]
    assert "bad.token holds no token: its first line should be" in told(*create, "bad.token")
    for empty in ("", " \n"):
        Path("empty.token").write_text(empty)
        assert "empty.token is empty: put a token into it" in told(*create, "empty.token")
    assert "nowhere/x.token: No such file or directory" in told(*create, "nowhere/x.token")
    assert asked == [], "an account whose token cannot be kept"


def test_every_listed_error_class_exists():
    for name in SENTENCES:
        module, _, kind = name.rpartition(".")
        assert issubclass(getattr(__import__(module, fromlist=[kind]), kind), Exception)


@pytest.mark.parametrize("command", ["analyse", "replay", "verify"])
def test_a_game_that_a_service_does_not_have_is_said_to_be_unknown(stack, command):
    game = "g_" + 20 * "0"
    where = (
        [game, "--server", stack.url] if command == "analyse" else [f"{stack.url}/v1/games/{game}"]
    )
    assert f"there is no game called {game}" in told(command, *where)


def test_the_address_of_a_service_may_end_as_that_of_its_api(stack):
    for ending in ("/v1", "/v1/", "/"):
        done = run("leaderboard", "usa", "--server", f"{stack.url}{ending}", "--json")
        assert done.exit_code == 0, done.output


def test_tournaments_are_listed_the_newest_first(folder, stack):
    names = [f"Listed {number}" for number in range(3)]
    for name in names:
        create = ["tournament", "create", name, "--token-file", "me.token", "--server", stack.url]
        assert run(*create).exit_code == 0
    ask = ["tournament", "list", "--status", "open", "--server", stack.url]
    rows = json.loads(run(*ask, "--tournaments", "2", "--json").output)["items"]
    assert [row["name"] for row in rows] == names[:0:-1]
    shown = run(*ask).output
    assert shown.index(names[2]) < shown.index(names[0])
    assert rows[0]["id"] in shown


def test_it_is_said_that_games_of_a_tournament_will_not_be_rated(folder, stack):
    mine = ["--token-file", "me.token", "--server", stack.url]
    done = run("tournament", "create", "Slow", "--entry", "invitation", *mine)
    assert "Not rated: not everybody can find and enter it." in done.output
    cup = json.loads(run("tournament", "create", "Cup", *mine, "--json").output)["id"]
    done = run("tournament", "edit", cup, "--per-decision", "600", *mine)
    assert "Not rated: its clock lets a player hold a game with a built-in bot" in done.output


def test_a_tournament_is_changed_by_its_creator(folder, stack):
    mine = ["--token-file", "me.token", "--server", stack.url]
    Path("rules.txt").write_text("Be fair.\n")
    done = run(
        "tournament",
        "create",
        "Cup",
        "--description",
        "Fun",
        "--rules",
        "rules.txt",
        "--starts-at",
        "2090-01-01T00:00:00Z",
        *mine,
        "--json",
    )
    cup = json.loads(done.output)
    assert (cup["description"], cup["rules"]) == ("Fun", "Be fair.")
    change = [
        "tournament",
        "edit",
        cup["id"],
        "--name",
        "Big cup",
        "--starts-at",
        "",
        "--board",
        "london",
        "--description",
        "",
        "--max-entrants",
        "5",
        "--round-at",
        "2099-01-05T18:00:00Z",
        *mine,
    ]
    assert run(*change).output == f"{cup['id']} is at version 2\n"
    now = json.loads(run(*change, "--json").output)
    assert (now["name"], now["rules"], now["settings"]["boards"]) == (
        "Big cup",
        "Be fair.",
        ["london"],
    )
    assert (now["next_round_at"], now["settings"]["max_entrants"]) == (
        "2099-01-05T18:00:00.000Z",
        5,
    )
    assert not now.keys() & {"starts_at", "description"}
    change = ["tournament", "edit", cup["id"], "--entry", "invitation", *mine]
    assert re.search(r"is at version 3, invitation \w{20}\n$", run(*change).output)
    run("tournament", "enter", cup["id"], "--bot", "random", *mine)
    out = ["tournament", "withdraw", cup["id"], "--entrant", "random", "--keep-out", *mine]
    assert run(*out).output == "withdrawn\n"
    enter = ["tournament", "enter", cup["id"], "--bot", "random", *mine]
    assert "the creator keeps this owner's entries out" in told(*enter)
    run("tournament", "reinstate", cup["id"], "random", *mine)
    run(*enter)
    out = ["tournament", "disqualify", cup["id"], "random", "--reason", "Bad luck", *mine]
    assert run(*out).output == "disqualified\n"
    assert run("tournament", "reinstate", cup["id"], "random", *mine).output == "reinstated\n"
    ask = ["tournament", "list", "--creator", now["creator"], "--server", stack.url, "--json"]
    assert [row["id"] for row in json.loads(run(*ask).output)["items"]] == [cup["id"]]


@pytest.mark.parametrize(
    "words",
    [("tournament", "results"), ("tournament", "watch"), ("leaderboard",)],
    ids=lambda w: w[-1],
)
@pytest.mark.parametrize("name", ["../me", "..", ".", "", "a/b?c=d#e", "\u2800"])
def test_an_id_cannot_change_the_path_of_a_request(stack, words, name):
    said = told(*words, name, "--server", stack.url)
    assert re.search("there is (no|nothing)", said), said


def test_mcp_does_not_start_without_a_service(monkeypatch):
    monkeypatch.setattr("cli.commands.mcp.RETRY_FOR_S", 0.1)
    said = told("mcp", "--server", NOBODY)
    assert f"{NOBODY} cannot be reached: Connection refused." in said
    assert "played on" not in said


def test_a_missing_source_is_reported_as_unreadable(folder):
    assert "is right" not in (said := told("verify", "none.ndjson"))
    assert "are right" not in said
    assert "none.ndjson: No such file or directory 1 source could not be checked" in said
    said = told("verify", "none.ndjson", PARIS, f"{NOBODY}/v1/games/g_1")
    assert re.search(r"1 of 1 game is right \(\d+ a second\) 2 sources could not be", said)
    assert f"{NOBODY}/v1/games/g_1: cannot be reached: Connection refused " in said


# files of export, and other ones


def exported(*names: str) -> bytes:
    lines = []
    for name in names:
        entries = read(name)
        game = entries[0]["events"][0]["game"]
        lines.append(
            json.dumps(
                {
                    "cursor": f"1.{game}",
                    "game": game,
                    "board": name,
                    "version": len(entries),
                    "seats": [],
                    "entries": entries,
                }
            )
        )
    return "\n".join(lines).encode() + b"\n"


def test_an_export_is_verified_game_by_game(folder):
    good, bad = exported("paris", "london"), exported("europe").replace(b'"at": "2', b'"at": "3', 7)
    Path("games.ndjson").write_bytes(good + bad + good)
    Path("games.ndjson.gz").write_bytes(gzip.compress(good + bad))
    done = run("verify", "games.ndjson", "games.ndjson.gz", "--jobs", "1")
    assert done.exit_code == 1
    assert "games.ndjson:3: entry 1 is wrong (chain)" in done.output
    assert "games.ndjson.gz:3: entry 1 is wrong (chain)" in done.output
    assert "6 of 8 games are right" in done.output


def test_one_game_of_an_export_is_replayed(folder):
    Path("games.ndjson").write_bytes(exported("paris", "london"))
    for words in (["--seat", 0], ["--to", 1], ["--picture", "it.svg"]):
        assert "holds several games: name one by --game" in told("replay", "games.ndjson", *words)
    london = json.loads(exported("london"))["game"]
    done = run("replay", "games.ndjson", "--game", london, "--json")
    assert (done.exit_code, json.loads(done.output)["board"]) == (0, "london")
    assert "holds no game g_x" in told("replay", "games.ndjson", "--game", "g_x")


@pytest.mark.parametrize(
    "content",
    [
        TABLE.encode(),
        TABLE.encode("utf-16"),
        b"\x89PNG\r\n",
        b"[1, 2]\n",
        b'{"cursor": "1", "game": "g_1", "decision": "turn", "view": {}}\n',
        b'{"items": []}',
    ],
    ids=["board", "utf-16", "picture", "array", "decision", "page"],
)
def test_a_file_in_another_format_is_reported_as_such(folder, content):
    Path("it").write_bytes(content)
    for said in (told("verify", "it"), told("replay", "it")):
        assert "it: this is another format: a history has" in said
        assert "wrong" not in said


# help


def test_help_describes_every_command_in_a_whole_sentence():
    for group in ([], ["board"], ["bot"], ["tournament"]):
        said = run(*group, "--help").output.partition("Commands:")[2]
        rows = re.sub(r"\n {6,}", " ", said).strip().splitlines()
        assert rows
        assert [row for row in rows if not re.fullmatch(r" *[a-z]+ .*[^.]\.", row)] == []
    assert set(COMMANDS) <= set(run("--help").output.split())


def test_in_a_pipe_an_error_begins_with_its_text(folder):
    done = subprocess.run([FOGG, "arena", "nowhere:Mine", "greedy"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: "), done.stderr


def test_the_version_is_printed():
    done = run("--version")
    assert (done.exit_code, bool(re.search(r"version \d+\.\d+", done.output))) == (0, True)


def test_ctrl_c_while_a_class_is_made_is_ctrl_c():
    """Python 3.11 raises an error in its place there."""

    class Interrupted:
        def __set_name__(self, *_):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), failures.render_errors():
        type("Holder", (), {"attribute": Interrupted()})
