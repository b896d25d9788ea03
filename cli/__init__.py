"""The command ``fogg``: the only package that imports both the service and the clients."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command that the arguments name."""
    import_nothing_here()
    try:
        from cli.commands import fogg

        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # a terminal may lack characters of a name
        fogg(prog_name="fogg")
    except KeyboardInterrupt:  # before a command had begun, or after it had ended
        print("\nAborted!", file=sys.stderr)
        sys.exit(130)


def import_nothing_here() -> None:
    """Remove the current folder from the import path, here and in child processes. A bot's folder
    must not shadow a package that Fogg imports."""
    here = os.getcwd()
    if here == str(Path(__file__).parents[1]):
        return  # Fogg is imported from this folder

    def elsewhere(paths: list[str]) -> list[str]:
        return [path for path in paths if os.path.abspath(path) != here]

    sys.path[:] = elsewhere(sys.path)
    os.environ["PYTHONSAFEPATH"] = "1"
    if named := os.environ.get("PYTHONPATH"):
        os.environ["PYTHONPATH"] = os.pathsep.join(elsewhere(named.split(os.pathsep)))
