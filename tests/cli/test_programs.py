"""``fogg arena --exec``: bots that are programs."""

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest
from fogg_client.bot import NoBot

from cli.offline.arena import Arena, Result, play_game
from cli.offline.named import bot_class_called
from cli.offline.programs import PREFIX, Limits, Process
from tests.cli.inside import handlers_kept, report
from tests.programs import output

QUICK = [sys.executable, "-S"]  # starts in a few milliseconds
LOOP = "lines.readline()\nfor line in lines:\n    "
FIRST = LOOP + "print(json.dumps(json.loads(line)['view']['you']['legal_actions'][0]), flush=True)"
ENDS = """
from threading import Thread
from cli.offline.programs import Limits, Process
process = Process("sh -c 'echo $$; exec sleep 212'", Limits(cpu=None, memory=None))
thread = Thread(target=lambda: print(process.answer(b"").decode()))
thread.start()
thread.join()
"""


def written(folder: Path, source: str) -> str:
    """Write a program in Python, which reads lines as ``lines``; return the command that runs
    it."""
    (folder / "bot.py").write_text(f"import sys, json, os\nlines = sys.stdin\n{source}")
    return f"{' '.join(QUICK)} {folder / 'bot.py'}"


def played(folder: Path, source: str, **limits) -> Result:
    """Return a game of `random` and a program in Python."""
    command = PREFIX + written(folder, source)
    arena = Arena((command, "random"), ("london",), games=1, limits=Limits(**limits))
    return play_game(arena, arena.schedule[0])


def test_a_program_plays_whole_games_in_the_arena(tmp_path):
    shown = report(
        "arena",
        "random",
        "--exec",
        written(tmp_path, FIRST),
        "--games",
        1,
        "--board",
        "london",
        "--jobs",
        1,
    )
    assert [row["faults"] for row in shown["overall"]] == [0, 0]


@pytest.mark.parametrize(
    ("source", "limits", "said"),
    [
        ("sys.exit('no idea')", {}, "it ended (exit code 1):\nno idea"),
        (LOOP + "os.abort()", {}, "it ended (SIGABRT)"),
        (
            LOOP + "import signal; os.kill(os.getpid(), signal.SIGRTMIN + 3)",
            {},
            "it ended (signal ",
        ),
        (LOOP + "pass", {"wait": 0.2}, "it did not answer within 0.2 seconds"),
        (LOOP + "print('my turn', flush=True)", {}, "that is no JSON (unexpected character"),
        (LOOP + "print('my turn', flush=True)", {}, ": 'my turn'"),
        (LOOP + "print('[]', flush=True)", {}, "no action but a list"),
        (LOOP + "print('x' * 70_000, flush=True)", {}, "a line of more than"),
        (LOOP + 'print(\'{"type": "fly"}\', flush=True)', {}, "this is no action"),
        (LOOP + 'print(\'{"type": "pass"}\', flush=True)', {}, "illegal action"),
        (
            LOOP + "os.close(1); lines.read()",
            {"wait": 0.2},
            "it closed its output and did not end within 0.2 seconds",
        ),
        (
            LOOP + "os.close(1); os.write(2, b'!' * 300_000); os._exit(3)",
            {},
            "it ended (exit code 3):",
        ),
        (
            LOOP + "import time; [(os.write(1, b'!'), os.write(2, b'!'), time.sleep(0.001))"
            " for _ in iter(int, 1)]",
            {"wait": 0.2},
            "it did not answer within 0.2 seconds",
        ),
        (
            LOOP + "os.close(1); [os.write(2, b'!' * 65_536) for _ in iter(int, 1)]",
            {"wait": 0.2},
            "it closed its output",
        ),
        (LOOP + "bytearray(1 << 28)", {"memory": 64}, "MemoryError"),
        ("while True: pass", {"cpu": 1}, "it ended (SIGKILL)"),
    ],
)
def test_a_program_that_fails_loses_the_game(tmp_path, source, limits, said):
    result = played(tmp_path, source, **limits)
    assert result.ranks == (2, 1)
    [(seat, fault)] = result.faults
    assert seat == 0
    assert said in fault
    assert "programs.py" not in fault  # no traceback of ours


def test_of_what_a_program_writes_to_its_stderr_the_end_is_kept_in_little_memory(tmp_path):
    tracemalloc.start()
    flood = "for _ in range(1000): os.write(2, b'!' * 65_536)\nos.write(2, b'why')"
    [(_, fault)] = played(tmp_path, flood).faults
    assert fault.strip().endswith(f"it ended (exit code 0):\n{'!' * 397}why")
    assert tracemalloc.get_traced_memory()[1] < 1 << 22
    tracemalloc.stop()


def test_a_program_gets_the_board_a_seed_and_the_views_of_its_seat(tmp_path):
    result = played(
        tmp_path,
        f"""
open({str(tmp_path / "id")!r}, "w").write(str(os.getpid()))
with open({str(tmp_path / "seen")!r}, "w") as seen:
    for line in lines:
        seen.write(line)
        seen.flush()
        said = json.loads(line)
        if "view" in said:
            print(json.dumps(said["view"]["you"]["legal_actions"][0]), flush=True)
""",
    )
    assert result.faults == ()
    first, *rest = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]
    assert first.keys() == {"board", "seed"}
    assert first["board"]["id"] == "london"
    assert {view["view"]["you"]["seat"] for view in rest} == {0}
    assert len(rest) == result.decisions[0]
    with pytest.raises(ProcessLookupError):  # no process is left when the game is over
        os.kill(int((tmp_path / "id").read_text()), 0)


def test_a_program_that_is_just_being_started_can_be_ended(tmp_path, monkeypatch):
    start = subprocess.Popen

    def interrupted(*arguments, **options) -> subprocess.Popen:
        process = start(*arguments, **options)
        (tmp_path / "id").write_text(str(process.pid))
        signal.raise_signal(signal.SIGINT)
        return process

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with handlers_kept(), closing(Process("sleep 212", Limits())) as process:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
        with pytest.raises(KeyboardInterrupt):
            process.answer(b"{}\n")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "id").read_text()), 0)


def test_no_program_is_left_when_the_process_whose_thread_has_started_it_ends():
    id = int(output(sys.executable, "-c", ENDS))
    with pytest.raises(ProcessLookupError):
        os.kill(id, 0)


def test_a_program_is_called_like_its_file():
    assert bot_class_called("exec:env ./my-bot.py").__name__ == "my-bot"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("./nothing", "no program '?./nothing"),
        ("", "no program"),
        ("'", "no command"),
        ("env \udcff", "no command"),
    ],
)
def test_a_program_that_is_not_there_is_named(command, said):
    with pytest.raises(NoBot, match=said):
        bot_class_called(PREFIX + command)
