"""``fogg bot try`` and ``fogg bot run``, and the Python on docs/bots.md."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys

import numpy as np
import pytest
from fogg_client import Bot, Client
from fogg_client.bot import Fault, bot_for, choice_of
from fogg_simulator.policy import Policy

from cli.offline.arena import play_game, results
from cli.offline.classes import host_of, own_class
from cli.offline.standings import trial
from cli.views.bots import Tally
from domain.boards import load_folder
from service.pool.online import KEY as ONLINE
from service.redis.connection import connect
from tests.cli import faulty
from tests.cli.inside import report, run
from tests.waiting import until
from tools.generators.bots_page import block, languages
from workers.bots import BOTS

BOT = [sys.executable, "-m", "cli", "bot"]


@pytest.fixture
def folder(tmp_path):
    shutil.copy(faulty.__file__, tmp_path / "my_bot.py")
    return tmp_path


def in_folder(folder, *arguments, timeout: float = 120) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*BOT[:-1], *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def bot(folder, *arguments: str, timeout: float = 120) -> subprocess.CompletedProcess:
    return in_folder(folder, "bot", *arguments, timeout=timeout)


@pytest.fixture
def refused(folder, monkeypatch):
    """Return the message of a failing command, which must not be a traceback. The command runs in
    this process: starting processes would take longer than the tests."""
    monkeypatch.chdir(folder)
    for function in (own_class, host_of):
        function.cache_clear()  # of other folders
    monkeypatch.setattr("cli.commands.common.stop_on_signals", lambda: None)

    def refused(*arguments: str) -> str:
        done = run("bot", *arguments)
        assert done.returncode == 1
        return done.stderr

    return refused


@pytest.mark.parametrize("name", ["Dies", "First"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_folder_of_a_class_is_removed_even_if_a_process_is_killed(folder, name, jobs):
    here = folder / "tmp"
    here.mkdir()
    words = [*BOT, "try", f"my_bot:{name}", "--games", "10000", "--jobs", jobs]
    command = subprocess.Popen(words, cwd=folder, env=os.environ | {"TMPDIR": str(here)})
    if name == "First":
        until(lambda: [*here.glob("pymp-*/*")], what="a socket")
        command.kill()
    command.wait(60)
    until(lambda: not [*here.glob("pymp-*")], what="the end of all folders")


def running(folder, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [*BOT, "run", *map(str, arguments)], cwd=folder, text=True, stdout=subprocess.PIPE
    )


def lines(done: subprocess.CompletedProcess) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def played_over(client: Client, **query) -> list[dict]:
    return client.get("/v1/games", player="me", status="finished", **query)["items"]


# -- offline


def test_a_trial_measures_a_bots_strength(folder):
    done = bot(folder, "try", "my_bot:First", "--against", "random", "--games", 5, "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert (shown["games"], shown["seats"], shown["board"]) == (6, 2, "usa")  # whole deals
    assert 0 <= shown["interval"][0] <= shown["win_share"] <= shown["interval"][1] <= 1
    assert shown["wins"] == pytest.approx(shown["win_share"] * 6, abs=0.01)
    assert shown["ms_per_decision"] > 0
    assert shown["decisions"] < shown["actions"]


def test_a_bot_that_resigns_has_no_totals():
    shown = report(
        "bot",
        "try",
        f"{faulty.__name__}:Resigns",
        "--against",
        "random",
        "--board",
        "paris",
        "--games",
        2,
        "--jobs",
        1,
    )
    assert (shown["wins"], shown["mean_total"], shown["mean_total_against"]) == (0, None, None)


def test_a_trial_prints_its_result_with_progress_on_stderr(folder):
    done = bot(
        folder,
        "try",
        "my_bot:First",
        "--against",
        "my_bot:First",
        "--games",
        2,
        "--board",
        "paris",
        "--seats",
        2,
    )
    assert done.returncode == 0, done.stderr
    assert "my_bot:First against my_bot:First on paris" in done.stdout
    assert "of 2 games" in done.stdout


def test_a_trial_is_the_same_in_several_processes():
    match = trial("greedy", "random", "usa", games=4)
    told = [
        sorted((game.game.number, game.totals) for game in results(match, jobs)) for jobs in (1, 2)
    ]
    assert told[0] == told[1]


def test_each_deal_is_played_from_each_seat():
    match = trial("planner", "greedy", "usa", games=6, seats=3)
    assert [(game.deal, game.bots.index("planner")) for game in match.schedule] == [
        (0, 0),
        (0, 2),
        (0, 1),
        (1, 0),
        (1, 2),
        (1, 1),
    ]
    match = trial("greedy", "greedy", "usa", games=3, seats=3)
    totals = [play_game(match, game).totals for game in match.schedule]
    assert totals[0] == totals[1] == totals[2]  # the same bot on all seats: the same game


def test_a_trial_counts_the_games_of_a_bot_against_itself():
    """Deals are played from each seat, so a bot wins as many games as it loses."""
    shown = report(
        "bot", "try", "greedy", "--against", "greedy", "--board", "paris", "--games", 4, "--jobs", 1
    )
    assert (shown["wins"], shown["mean_total"]) == (2, shown["mean_total_against"])


def test_a_bot_sees_offline_what_it_would_see_over_http(stack):
    view = {}

    class Looks(Bot):
        def choose(self, seen):
            view.update(seen)
            raise LookupError

    ann = Client(stack.url).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa", "seats": [{"player": "me"}, {"bot": "greedy"}]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BOTS, "looks", Looks)
        match = trial("looks", "greedy", "usa")
        with pytest.raises(Fault, match="LookupError"):
            play_game(match, match.schedule[0])
    served = ann.view(game["id"])
    assert set(view) == set(served) - {"clock"}  # without a service nobody is waited for
    assert set(view["you"]) == set(served["you"])
    assert [set(seat) for seat in view["seats"]] == [
        set(seat) - {"bank"} for seat in served["seats"]
    ]
    assert view["seats"][1]["player"]["bot"] == served["seats"][1]["player"]["bot"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("nowhere:Mine", "there is no module nowhere"),
        ("my_bot:Mine", "my_bot has no class Mine; it has First, Raises"),
        ("my_bot:nothing", "is of type int, not a class"),
        ("my_bot:Chooseless", "has no method choose"),
        ("my_bot:Demanding", "Demanding cannot be made"),
        ("my_bot", "module:Class"),
        ("broken:Mine", "broken cannot be imported"),
        ("broken:Mine", "No module named 'nonsense'"),
        (
            "my_bot:Illegal",
            "version 6: illegal action (wrong-cards, rule 4.1): the route takes red",
        ),
        ("my_bot:Illegal", '{"type": "claim_route", "route": "boston--new-york"'),
        ("my_bot:Malformed", "version 1: this is no action: no type is called 'fly'"),
        ("my_bot:Silent", "version 1: choose returned no action but a NoneType"),
        ("my_bot:Raises", "version 6: choose raised KeyError"),
        ("my_bot:Raises", 'view["nothing"]'),
        ("my_bot:Exits", "version 1: choose raised SystemExit"),
        ("none.npz", "there is no file none.npz"),
        ("empty.npz", "empty.npz is no policy that can be played: it is damaged"),
        ("my_bot:First --board mars", "there is no board called mars"),
        ("my_bot:First --against nobody", "neither a built-in bot"),
        ("my_bot:First --seats 8", "2 to 5 players, not 8"),
    ],
)
def test_a_bot_or_a_match_that_cannot_be_played_is_reported(folder, refused, words, says):
    (folder / "broken.py").write_text("import nonsense\n")
    (folder / "empty.npz").touch()
    said = refused(
        "try", "--against", "greedy", "--games", 2, "--seed", 0, "--jobs", 1, *words.split()
    )
    assert says in said
    assert "cli/commands" not in said  # no traceback of ours


def test_a_fault_in_another_process_is_reported_too(folder):
    done = bot(folder, "try", "my_bot:Illegal", "--jobs", 2, "--games", 2, "--seed", 7)
    assert done.returncode == 1
    assert "deal-0 of seed 7, seat" in done.stderr  # of whichever game ends first
    assert "illegal action (" in done.stderr


def test_built_in_bots_get_a_board_and_a_random_source():
    class Plain(Bot):
        def choose(self, view):
            return {}

    assert bot_for(Plain, {"id": "x"}).board == {"id": "x"}
    table = load_folder()["usa"].described
    for kind in BOTS.values():
        assert isinstance(bot_for(kind, table), kind)


def test_each_bot_has_a_board_of_its_own():
    class Keen(Bot):
        def __init__(self, board, rng):
            board["routes"].reverse()
            board["routes"][0]["length"] = 9

        def choose(self, view):
            return {}

    table = load_folder()["usa"].described
    before = json.dumps(table)
    one, other = bot_for(Keen, table), bot_for(Keen, table)
    assert one.board == other.board != table
    assert one.board["routes"] is not other.board["routes"]
    assert json.dumps(table) == before


def nested(depth: int) -> dict:
    value: dict = {}
    for _ in range(depth):
        value = {"type": value}
    return value


@pytest.mark.parametrize(
    ("action", "says"),
    [({"type": {"a", "set"}}, "no JSON"), (nested(100_000), "nested too deeply")],
    ids=["set", "nested"],
)
def test_a_choice_that_is_no_json_is_a_fault(action, says):
    class Odd(Bot):
        def choose(self, view):
            return action

    with pytest.raises(Fault, match=says):
        choice_of(Odd(), {}, "here")


# -- over HTTP


def test_a_bot_signs_up_and_plays_games_with_a_running_tally(stack, folder):
    done = bot(
        folder,
        "run",
        "my_bot:First",
        "--server",
        stack.url,
        "--against",
        "random",
        "--board",
        "london",
        "--games",
        3,
        "--at-once",
        2,
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert len(told) == 4
    assert all("First " in line and "random " in line for line in told[:3])
    assert [line.rpartition(" of ")[2] for line in told] == ["1 won", "2 won", "3 won", "3 won"]


def test_a_policy_in_a_file_plays_on_a_service(stack, folder):
    Policy.new(4, np.random.default_rng(1)).save(folder / "mine.npz")
    done = bot(
        folder,
        "run",
        "mine.npz",
        "--server",
        stack.url,
        "--against",
        "random",
        "--board",
        "london",
        "--json",
    )
    *_, over, last = lines(done)
    assert over["players"][over["seat"]] == "mine"
    assert (last["games"], last["faults"]) == (1, 0)


def test_the_account_is_kept_in_a_file_for_its_owners_eyes(stack, folder):
    for games in (1, 2):
        done = bot(
            folder,
            "run",
            "my_bot:First",
            "--server",
            stack.url,
            "--against",
            "random",
            "--board",
            "london",
            "--token-file",
            "kept",
            "--name",
            "Kept",
            "--json",
        )
        *_, over, last = lines(done)
        assert over["event"] == "over"
        assert over["players"][over["seat"]] == "Kept"
        assert last == {"event": "done", "games": 1, "wins": over["won"], "faults": 0}
        assert stat.S_IMODE((folder / "kept").stat().st_mode) == 0o600
        client = Client(stack.url, (folder / "kept").read_text().split()[0])
        assert len(played_over(client)) == games


@pytest.mark.parametrize("kind", ["Illegal", "Raises", "Exits", "Malformed", "Silent", "Dies"])
def test_a_fault_is_reported_and_only_that_game_is_resigned(stack, folder, kind):
    done = bot(
        folder,
        "run",
        f"my_bot:{kind}",
        "--server",
        stack.url,
        "--games",
        2,
        "--token-file",
        "kept",
        "--json",
    )
    assert done.returncode == 1
    *told, last = [line for line in lines(done) if line["event"] != "created"]
    assert last == {"event": "done", "games": 0, "wins": 0, "faults": 2}
    for fault in told:
        assert fault["event"] == "fault"
        assert fault["resigned"]
        assert fault["version"] >= 1
        assert ("claim_route" in (fault["action"] or "")) == (kind == "Illegal")
    client = Client(stack.url, (folder / "kept").read_text().split()[0])
    assert {game["id"] for game in played_over(client)} == {fault["game"] for fault in told}


def test_a_fixed_bot_continues_a_game_left_after_a_fault(stack, folder):
    where = (
        "--server",
        stack.url,
        "--token-file",
        "kept",
        "--against",
        "random",
        "--board",
        "london",
    )
    done = bot(folder, "run", "my_bot:Raises", *where, "--no-resign")
    assert "the game is left as is" in done.stdout
    assert done.stdout.count("0 of 0 won, 1 with a fault") == 1
    client = Client(stack.url, (folder / "kept").read_text().split()[0])
    assert not played_over(client)
    done = bot(folder, "run", "my_bot:First", *where, "--games", 2)
    assert done.returncode == 0, done.stderr
    assert len(played_over(client)) >= 2


@pytest.mark.usefixtures("no_open_seats")
def test_an_open_bot_takes_open_seats_and_accepts_invitations(stack, folder):
    ann, me = (Client(stack.url).sign_up(name) for name in ("Ann", "Me"))
    (folder / "kept").write_text(me.token)
    seats = [{"bot": "random"}, {"open": True}]
    public = ann.post("/v1/games", {"board": "paris", "seats": seats})["id"]
    with running(
        folder,
        "my_bot:First",
        "--server",
        stack.url,
        "--open",
        "--board",
        "paris",
        "--token-file",
        "kept",
        "--games",
        2,
        "--at-once",
        2,
        "--json",
    ) as process:
        assert json.loads(process.stdout.readline()) == {"event": "joined", "game": public}
        private = ann.post(
            "/v1/games",
            {
                "board": "paris",
                "seats": [{"bot": "random"}, {"invite": me.get("/v1/me")["id"]}],
                "options": {"visibility": "private", "clock": {"per_decision": 60}},
            },
        )["id"]
        told = [json.loads(line) for line in process.stdout]
    assert process.returncode == 0
    assert {line["game"] for line in told if line["event"] == "over"} == {public, private}


@pytest.mark.usefixtures("no_open_seats")
def test_an_open_bot_declines_invitations_that_it_does_not_want(stack, folder):
    ann, me = (Client(stack.url).sign_up(name) for name in ("Ann", "Me"))
    (folder / "kept").write_text(me.token)
    me.patch("/v1/me", {"invitations": {"shortest_clock": 0}})
    cursor = ann.get("/v1/me/events")["next"]

    def invite(board: str, **clock: float) -> str:
        seats = [{"player": "me"}, {"invite": me.get("/v1/me")["id"]}]
        return ann.post("/v1/games", {"board": board, "seats": seats, "options": {"clock": clock}})[
            "id"
        ]

    invite("london", bank=600)
    invite("london", per_decision=1)
    game = invite("london", per_decision=600)
    with running(
        folder,
        "my_bot:Timely",
        "--server",
        stack.url,
        "--open",
        "--board",
        "london",
        "--token-file",
        "kept",
        "--games",
        1,
        "--json",
    ) as process:
        for message in ann.stream("/v1/me/events", cursor):
            if message.event == "your_turn":
                break
        ann.post(f"/v1/games/{game}/actions", {"type": "resign"})
        told = [json.loads(line) for line in process.stdout]
    assert [line["game"] for line in told if line["event"] == "over"] == [game]
    declined = [
        row["reason"]
        for row in ann.get("/v1/me/events", after=cursor)["items"]
        if row["type"] == "declined"
    ]
    assert sorted(declined) == ["clock", "too_fast"]


@pytest.mark.usefixtures("no_open_seats")
def test_a_bot_in_the_pool_is_tested_paired_and_leaves_once_it_has_played_enough(stack, folder):
    """It is alone there, so that a built-in bot sits in after a while."""
    with running(
        folder,
        "my_bot:First",
        "--server",
        stack.url,
        "--pool",
        "--board",
        "paris",
        "--clock",
        "slow",
        "--games",
        1,
        "--token-file",
        "pooled",
        "--json",
    ) as process:
        told = [json.loads(line) for line in process.stdout]
    assert process.returncode == 0
    assert [line["event"] for line in told] == ["tested", "over", "done"]
    assert told[-1]["games"] == 1
    me = Client(stack.url, (folder / "pooled").read_text().split()[0])
    assert me.get("/v1/me/pool")["status"] == "out"
    assert me.view(told[1]["game"])["pool"]["id"].startswith("m_")


@pytest.mark.usefixtures("no_open_seats")
def test_a_cancelled_game_is_reported_and_not_counted(stack, folder):
    ann = Client(stack.url).sign_up("Ann")
    seats = [{"open": True}, {"open": True}, {"open": True}]
    game = ann.post("/v1/games", {"board": "europe", "seats": seats})["id"]
    with running(
        folder, "my_bot:First", "--server", stack.url, "--open", "--board", "europe", "--json"
    ) as process:
        process.stdout.readline()
        ann.post(f"/v1/games/{game}/abort", {})
        told = json.loads(process.stdout.readline())
        process.terminate()
        done = json.loads(process.stdout.readline())
    assert told == {"event": "called_off", "game": game, "ending": "aborted"}
    assert done["games"] == 0


@pytest.mark.usefixtures("no_open_seats")
def test_a_stopped_run_prints_its_tally(stack, folder):
    ann = Client(stack.url).sign_up("Ann")
    game = ann.post("/v1/games", {"board": "usa-10th", "seats": [{"open": True}, {"open": True}]})
    with running(
        folder, "my_bot:First", "--server", stack.url, "--open", "--board", "usa-10th", "--json"
    ) as process:
        joined = json.loads(process.stdout.readline())
        assert joined == {"event": "joined", "game": game["id"]}
        process.send_signal(signal.SIGINT)
        done = json.loads(process.stdout.read())
    assert done == {"event": "done", "games": 0, "wins": 0, "faults": 0}
    assert process.returncode == 130


def test_a_run_that_is_stopped_while_its_bot_thinks_leaves_the_game(stack, folder):
    words = ["--server", stack.url, "--against", "random", "--token-file", "kept"]
    with subprocess.Popen(
        [*BOT, "run", "my_bot:Thinks", *words], cwd=folder, text=True, stderr=subprocess.PIPE
    ) as process:
        until(lambda: process.stderr.readline() == "I think\n")
        process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    client = Client(stack.url, (folder / "kept").read_text().split()[0])
    assert not played_over(client)


def test_a_bot_that_cannot_run_is_reported(stack, folder):
    (folder / "old").write_text("fogg_of_another_service\n")
    for arguments, says in [
        (["--token-file", "old"], "the token in old is not valid on"),
        (["--board", "mars"], "there is no board called mars"),
        (["--against", "nobody"], "Must be one of"),
    ]:
        done = bot(folder, "run", "my_bot:First", "--server", stack.url, *arguments)
        assert done.returncode == 1
        assert says in done.stderr


@pytest.mark.usefixtures("no_open_seats")
def test_a_run_and_an_entry_sign_up_bots_and_name_the_owner(stack, folder):
    """Each bot has an owner of its own, unless one is named: two of one owner are not rated."""
    creator = Client(stack.url).sign_up("Creator")
    cup = creator.post("/v1/tournaments", {"name": "Cup", "per_owner": 2, "seats": 2})["id"]
    names = ["First", "Second", "Third", "Fourth"]
    commands = [
        ("bot", "run", "my_bot:First", "--against", "random", "--board", "london"),
        *[("tournament", "enter", cup, "--name", name) for name in names[1:]],
    ]
    owners = []
    for number, (name, command) in enumerate(zip(names, commands, strict=True)):
        file, shared = folder / f"{number}.token", folder / "me.token"
        more = ["--owner", shared] if number > 1 else []
        said = in_folder(folder, *command, "--server", stack.url, "--token-file", file, *more)
        token, *of_owner = file.read_text().split()
        bot = Client(stack.url, token).get("/v1/me")
        owner = Client(stack.url, (of_owner or [shared.read_text().strip()])[0]).get("/v1/me")
        assert (bot["name"], bot["bot"], bot["owner"]) == (name, "external", owner["id"])
        of = names[min(number, 2)]
        assert said.stderr == (
            f"Signed up the bot {name} ({bot['id']}), owned by Owner of {of} "
            f"({owner['id']}). Its public games are rated.\n"
        )
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        owners.append(owner["id"])
    assert len(set(owners)) == 3
    assert owners[2] == owners[3]
    entered = creator.get(f"/v1/tournaments/{cup}")["entrants"]
    assert [row["player"]["owner"] for row in entered] == owners[1:]
    late = in_folder(
        folder,
        "tournament",
        "enter",
        cup,
        "--server",
        stack.url,
        "--token-file",
        folder / "4.token",
        "--owner",
        folder / "me.token",
    )
    assert "Signed up the bot 4 (" in late.stderr
    assert "an owner, with all bots of theirs, may enter 2 times here" in late.stderr
    other = in_folder(
        folder,
        "tournament",
        "enter",
        cup,
        "--server",
        stack.url,
        "--token-file",
        "3.token",
        "--name",
        "Other",
    )
    assert "3.token holds the account Fourth; --name is for a new one only" in other.stderr


@pytest.mark.usefixtures("no_open_seats")
@pytest.mark.parametrize(
    ("option", "says"),
    [
        (
            "--open",
            "Waiting for games of open seats, invitations and tournaments; Ctrl-C ends it.\n",
        ),
        ("--pool", "Waiting for games of the pool; Ctrl-C ends it.\n"),
    ],
)
def test_a_run_without_games_of_its_own_says_that_it_waits(stack, folder, option, says):
    me = Client(stack.url).sign_up("Me")
    (folder / "kept").write_text(me.token)
    with subprocess.Popen(
        [*BOT, "run", "my_bot:First", "--server", stack.url, option, "--token-file", "kept"],
        cwd=folder,
        text=True,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr.readline() == says
        process.terminate()


def test_a_run_says_why_a_game_was_lost_and_what_it_waits_for():
    tally = Tally()
    over = {
        "game": "g_1",
        "board": "usa",
        "won": 0,
        "players": ["Long", "Slow"],
        "totals": [7, 9],
        "left": [None, "time"],
    }
    assert tally.line_about("over", over) == (
        "lost   game g_1 on usa: Long 7, Slow 9 (lost on time); 0 of 0 won"
    )
    assert [tally.line_about("waiting", {"games": games}) for games in (1, 2)] == [
        "waiting for the end of 1 other game",
        "waiting for the end of 2 other games",
    ]


# -- the page


def test_every_block_of_the_page_is_run_by_a_test():
    # The first, a starter: test_starters.py. The last of "sh", the pool: further up.
    assert languages() == ["sh", "sh", "sh", "sh", "python", "python"]


def test_the_bot_on_the_page_is_tried_and_run_as_the_page_says(stack, tmp_path):
    folder = tmp_path / "my-bot"
    run("bot", "new", folder)
    fogg = tmp_path / "fogg"
    fogg.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli "$@"\n')
    fogg.chmod(0o755)
    commands = (
        block("sh", "bot try my_bot")
        + block("sh", "--against greedy --games 4").rstrip()
        + f" --server {stack.url}\n"
    )
    done = subprocess.run(
        ["sh", "-e"],
        input=commands,
        cwd=folder,
        capture_output=True,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert "of 20 games" in done.stdout
    assert "of 4 won" in done.stdout.splitlines()[-1]
    assert (folder / "my_bot.token").exists()


def test_the_bot_on_the_page_that_plays_on_a_clock_alone_declines_the_rest():
    names: dict = {}
    exec("class Mine:\n" + block("python", "def decline"), names)
    games = ({"clock": {"per_decision": 9}}, {"clock": {"bank": 9}})
    assert [names["Mine"].decline(game) for game in games] == [None, "clock"]


@pytest.mark.usefixtures("no_open_seats")
def test_the_bot_on_the_page_invites_another_and_they_play(stack, folder):
    owner = Client(stack.url).sign_up("Owner")
    with connect(stack.redis.url) as redis:
        redis.delete(ONLINE)  # bots of other tests, which have ended
    (folder / "kept").write_text(owner.post("/v1/me/bots", {"name": "Other"})["token"])
    (folder / "inviting.py").write_text(block("python", "Inviting").replace("Mine", "First"))
    with running(
        folder,
        "my_bot:First",
        "--server",
        stack.url,
        "--open",
        "--games",
        1,
        "--token-file",
        "kept",
        "--json",
    ) as process:
        until(lambda: owner.get("/v1/bots/online")["items"], 120)
        done = subprocess.run(
            [sys.executable, "inviting.py", stack.url],
            cwd=folder,
            text=True,
            capture_output=True,
            timeout=120,
        )
        told = [json.loads(line)["event"] for line in process.stdout]
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("over ")
    assert told == ["joined", "over", "done"]
