"""The cost of operations, in counts that other work on the machine does not change.

``python -m tools.budget`` compares the costs with ``budget.json`` and fails if a count has grown by
more than 1 %. ``--write`` overwrites the file; its diff shows a reviewer what a change costs.
"""

from __future__ import annotations

import json
import os
import sys

from tools.budget import still

VERSION = (3, 11)  # other versions of Python count calls differently


def main(*args: str) -> None:
    if sys.version_info[:2] != VERSION:
        sys.exit("the budget is counted with Python {}.{}; this is another".format(*VERSION))
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of a set changes some counts
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tools.budget", *args])
    still.make_still()  # before any other module reads the time
    from tools.budget.costs import FILE, growth, measured

    now = measured()
    if "--write" in args:
        FILE.write_text(json.dumps(now, indent=2) + "\n")
    grown = [*growth(json.loads(FILE.read_text()), now)]
    print("\n".join(grown) or "within the budget")
    sys.exit(bool(grown))


if __name__ == "__main__":
    main(*sys.argv[1:])
