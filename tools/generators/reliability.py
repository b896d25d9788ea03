"""Writes what came of faults into docs/reliability.md:
``python -m tools.generators.reliability RUN.json ...``, of which each is what
``python -m tools.faults --json`` has printed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tools.faults.table import COLUMNS, cells, together
from tools.faults.verdict import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
PLACE = re.compile(r"(<!-- faults -->\n).*?(<!-- /faults -->)", re.DOTALL)


def section(verdict: Verdict) -> str:
    """Return what the page says of a verdict."""
    rows = [(name, row) for name, row in sorted(verdict.rows.items()) if row.faults]
    lines = [COLUMNS, ["---"] + ["---:"] * (len(COLUMNS) - 1)]
    lines += [[name, *cells(row)] for name, row in rows]
    lines.append([cell and f"**{cell}**" for cell in ("together", *cells(together(verdict)))])
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    wrong = f"{len(verdict.violations)} were not as they should be" if verdict.violations else (
        "nothing was otherwise than it should be")
    return (f"{table}\n\n{verdict.games:,} games with {verdict.entries:,} entries were verified; "
            f"{verdict.texts:,} texts were compared with every secret: {wrong}.\n")


def main(files: list[str]) -> None:
    """Write the page."""
    verdict = Verdict()
    for file in files:
        verdict.add(json.loads(Path(file).read_text()))
    said = section(verdict)
    PAGE.write_text(PLACE.sub(lambda found: found[1] + said + found[2], PAGE.read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
