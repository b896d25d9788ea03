"""Writes what came of faults into docs/reliability.md:
``python -m tools.generators.reliability RUN.json ...``, of which each is what
``python -m tools.faults --json`` has printed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tools.faults.table import COLUMNS, cells, together
from tools.faults.verdict import Row, Verdict

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
SHOWN = (*COLUMNS[:-3], "back, at most")
PLACE = re.compile(r"(<!-- faults -->\n).*?(<!-- /faults -->)", re.DOTALL)


def section(verdict: Verdict) -> str:
    """Return what the page says of a verdict: a row for each kind of fault."""
    kinds: dict[str, Verdict] = {}
    for name, row in sorted(verdict.rows.items()):
        if row.faults:
            kinds.setdefault(name.split()[0], Verdict()).rows[name] = row
    lines = [SHOWN, ["---"] + ["---:"] * (len(SHOWN) - 1)]
    lines += [[kind, *shown(together(rows))] for kind, rows in kinds.items()]
    lines.append([cell and f"**{cell}**" for cell in ("together", *shown(together(verdict)))])
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    wrong = (
        f"{len(verdict.violations)} were not as they should be"
        if verdict.violations
        else ("nothing was otherwise than it should be")
    )
    return (
        f"{table}\n\n{verdict.games:,} games with {verdict.entries:,} entries were verified; "
        f"{verdict.texts:,} texts were compared with every secret: {wrong}.\n"
    )


def shown(row: Row) -> list[str]:
    """Return the columns of the page after the first: of the times to recover, the longest."""
    *counts, _, _, longest = cells(row)
    return [*counts, longest]


def main(files: list[str]) -> None:
    verdict = Verdict()
    for file in files:
        verdict.add(json.loads(Path(file).read_text()))
    said = section(verdict)
    PAGE.write_text(PLACE.sub(lambda found: found[1] + said + found[2], PAGE.read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
