"""Targets of the fuzzer: ``python -m tools.fuzz.target NAME``, with libFuzzer's options, or with
files to repeat. ``tools.fuzz`` runs each target in its own process."""

from gevent import monkey

monkey.patch_all()  # as in a web process, and as early

import json  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from collections import Counter  # noqa: E402
from collections.abc import Callable  # noqa: E402
from importlib import import_module  # noqa: E402
from pathlib import Path  # noqa: E402

import atheris  # noqa: E402
import gevent  # noqa: E402

OURS = ["service", "domain", "cli", "gunicorn"]


def main(names: str, *options: str) -> None:
    """Try inputs for as long as the options say."""
    with atheris.instrument_imports(include=OURS):  # it takes seconds, so once for all
        kinds = {name: import_module(f"tools.fuzz.{name}").Target for name in names.split(",")}
    if corpus := os.environ.get("FUZZ_CORPUS"):
        gather(kinds, options, Path(corpus), Path(os.environ["FUZZ_OUTCOMES"]))
    else:
        fuzz(names, kinds[names], options)


def fuzz(name: str, kind: Callable, options: tuple[str, ...], counted: Path | None = None) -> None:
    """Try inputs to a target, and end the process."""
    target, answers = kind(), Counter()
    corpus = [Path(option) for option in options if Path(option).is_dir()]
    for number, seed in enumerate(target.seeds() if corpus else ()):
        (corpus[0] / f"seed-{number:03}").write_bytes(seed)

    def try_one(data: bytes) -> None:
        answers.update(target.answers(data))
        if counted:  # at once, as no code of ours runs when libFuzzer ends
            counted.write_text(json.dumps(answers))

    atheris.Setup([f"fuzz {name}", *options], try_one)
    atheris.Fuzz()


def gather(
    kinds: dict[str, Callable], options: tuple[str, ...], corpus: Path, outcomes: Path
) -> None:
    """Try inputs to each target, as many targets at a time as there are cores. Of each, files among
    the outcomes hold what it answered, what the fuzzer said, and with which code it ended."""
    running: dict[int, str] = {}

    def end_one() -> None:
        process, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        (outcomes / f"{running.pop(process)}.code").write_text(str(code))

    for name, kind in kinds.items():
        if len(running) == os.cpu_count():
            end_one()
        if process := monkey.get_original("os", "fork")():
            running[process] = name
            continue
        gevent.reinit()
        os.dup2(os.open(outcomes / f"{name}.said", os.O_WRONLY | os.O_CREAT), 2)
        (corpus / name).mkdir(parents=True, exist_ok=True)
        fuzz(
            name,
            kind,
            (*options, f"-artifact_prefix={corpus / name}-", str(corpus / name)),
            outcomes / f"{name}.answers",
        )
    while running:
        end_one()


if __name__ == "__main__":
    main(*sys.argv[1:])
