"""``fogg arena --exec``: bots that are programs."""

import json
import os
import shutil
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

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "bots.md"
QUICK = [sys.executable, "-S"]  # starts in a few milliseconds
EXAMPLES = {"python": QUICK, "js": ["node"]}
NAMES = {"python": "first.py", "js": "first.mjs"}
HERE = [kind for kind, words in EXAMPLES.items() if shutil.which(words[0])]


def example(folder: Path, kind: str) -> str:
    """Write the example of docs/bots.md in a language; return the command that runs it."""
    section = DOCUMENTATION.read_text().partition("### Any language offline")[2]
    source = folder / NAMES[kind]
    source.write_text(section.partition(f"```{kind}\n")[2].partition("```")[0])
    return " ".join([*EXAMPLES[kind], str(source)])


def played(folder: Path, source: str, **limits) -> Result:
    """Return a game of `random` and a program in Python, which reads lines as ``lines``."""
    (folder / "bot.py").write_text(f"import sys, json, os\nlines = sys.stdin\n{source}")
    command = f"{PREFIX}{' '.join(QUICK)} {folder / 'bot.py'}"
    arena = Arena((command, "random"), ("london",), games=1, limits=Limits(**limits))
    return play_game(arena, arena.schedule[0])


@pytest.mark.parametrize("kind", HERE)
def test_the_documented_programs_play_whole_games(tmp_path, kind):
    shown = report("arena", "random", "--exec", example(tmp_path, kind), "--games", 1, "--board",
                   "london", "--jobs", 1)
    assert [row["faults"] for row in shown["overall"]] == [0, 0]


LOOP = "lines.readline()\nfor line in lines:\n    "


@pytest.mark.parametrize(("source", "limits", "said"), [
    ("sys.exit('no idea')", {}, "it ended (exit code 1):\nno idea"),
    (LOOP + "os.abort()", {}, "it ended (SIGABRT)"),
    (LOOP + "pass", {"wait": 0.2}, "it did not answer within 0.2 seconds"),
    (LOOP + "print('{', flush=True)", {}, "JSONDecodeError"),
    (LOOP + "print('[]', flush=True)", {}, "no action but a list"),
    (LOOP + "print('x' * 70_000, flush=True)", {}, "a line of more than"),
    (LOOP + "print('{\"type\": \"fly\"}', flush=True)", {}, "this is no action"),
    (LOOP + "print('{\"type\": \"pass\"}', flush=True)", {}, "illegal action"),
    (LOOP + "os.close(1); lines.read()", {"wait": 0.2},
     "it closed its output and did not end within 0.2 seconds"),
    (LOOP + "os.close(1); os.write(2, b'!' * 300_000); os._exit(3)", {}, "it ended (exit code 3):"),
    (LOOP + "import time; [(os.write(1, b'!'), os.write(2, b'!'), time.sleep(0.001))"
     " for _ in iter(int, 1)]", {"wait": 0.2}, "it did not answer within 0.2 seconds"),
    (LOOP + "os.close(1); [os.write(2, b'!' * 65_536) for _ in iter(int, 1)]", {"wait": 0.2},
     "it closed its output"),
    (LOOP + "bytearray(1 << 28)", {"memory": 64}, "MemoryError"),
    ("while True: pass", {"cpu": 1}, "it ended (SIGKILL)"),
])
def test_a_program_that_fails_loses_the_game(tmp_path, source, limits, said):
    result = played(tmp_path, source, **limits)
    assert result.ranks == (2, 1)
    [(seat, fault)] = result.faults
    assert seat == 0
    assert said in fault


def test_of_what_a_program_writes_to_its_stderr_the_end_is_kept_in_little_memory(tmp_path):
    tracemalloc.start()
    flood = "for _ in range(1000): os.write(2, b'!' * 65_536)\nos.write(2, b'why')"
    [(_, fault)] = played(tmp_path, flood).faults
    assert fault.strip().endswith(f"it ended (exit code 0):\n{'!' * 397}why")
    assert tracemalloc.get_traced_memory()[1] < 1 << 22
    tracemalloc.stop()


def test_a_program_gets_the_board_a_seed_and_the_views_of_its_seat(tmp_path):
    result = played(tmp_path, f"""
open({str(tmp_path / "id")!r}, "w").write(str(os.getpid()))
with open({str(tmp_path / "seen")!r}, "w") as seen:
    for line in lines:
        seen.write(line)
        seen.flush()
        said = json.loads(line)
        if "view" in said:
            print(json.dumps(said["view"]["you"]["legal_actions"][0]), flush=True)
""")
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


@pytest.mark.parametrize(("command", "said"), [
    ("./nothing", "no program '?./nothing"), ("", "no program"), ("'", "no command")])
def test_a_program_that_is_not_there_is_named(command, said):
    with pytest.raises(NoBot, match=said):
        bot_class_called(PREFIX + command)
