"""The command ``fogg``: the one place where the service and its clients meet."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command that the arguments name."""
    import_here_last()
    try:
        from cli.commands import fogg

        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # a terminal may lack letters that a name has
        fogg(prog_name="fogg")
    except KeyboardInterrupt:  # before a command had begun, or after it had ended
        print("\nAborted!", file=sys.stderr)
        sys.exit(130)


def import_here_last() -> None:
    """Let nothing in the current folder, where a bot may lie, hide what Fogg is made of: neither in
    this process nor in those that it starts."""
    here = os.getcwd()
    if here == str(Path(__file__).parents[1]):
        return  # it is what Fogg is made of

    def elsewhere(paths: list[str]) -> list[str]:
        return [path for path in paths if os.path.abspath(path) != here]

    sys.path[:] = [*elsewhere(sys.path), here]
    os.environ["PYTHONSAFEPATH"] = "1"
    if named := os.environ.get("PYTHONPATH"):
        os.environ["PYTHONPATH"] = os.pathsep.join(elsewhere(named.split(os.pathsep)))
