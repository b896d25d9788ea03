"""One target of the fuzzer: ``python -m tests.fuzz.target NAME``, with libFuzzer's options, or with
files that are to be tried again."""

from gevent import monkey

monkey.patch_all()  # as in a web process, and as early

import json  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from collections import Counter  # noqa: E402
from importlib import import_module  # noqa: E402
from pathlib import Path  # noqa: E402

import atheris  # noqa: E402

OURS = ["service", "domain", "cli", "gunicorn"]


def main(name: str, *options: str) -> None:
    """Try inputs for as long as the options say."""
    with atheris.instrument_imports(include=OURS):
        module = import_module(f"tests.fuzz.{name}")
        target = module.Target()
    corpus = [Path(option) for option in options if Path(option).is_dir()]
    for number, seed in enumerate(target.seeds() if corpus else ()):
        (corpus[0] / f"seed-{number:03}").write_bytes(seed)
    counted, answers = os.environ.get("FUZZ_COUNTED"), Counter()

    def try_one(data: bytes) -> None:
        answers.update(target.answers(data))
        if counted:  # at once, as no code of ours runs when libFuzzer ends
            Path(counted).write_text(json.dumps(answers))

    atheris.Setup([f"fuzz {name}", *options], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
