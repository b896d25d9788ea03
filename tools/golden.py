"""A golden game: a whole history, and every viewer's view of it at every version.

``usa-3.ndjson`` has one stored entry a line. ``usa-3.views.ndjson`` has one line for each version
and viewer, a seat or null for anybody else: the members of the view that differ from those at the
version before (null: gone). Legal actions are counted and hashed, or they would fill the file.

``python -m tools.golden`` writes the views again. Do so only where views are meant to change. The
history stays: a golden game that no longer replays is a stored game that no longer does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from domain.game.fold import evolve
from domain.game.state import State
from domain.game.view import view
from tests.domain.games import events_of
from tests.domain.given import USA

HISTORY = Path(__file__).parents[1] / "tests" / "golden" / "usa-3.ndjson"
VIEWS = HISTORY.with_name("usa-3.views.ndjson")


def views(entries: Iterable[dict]) -> Iterator[dict]:
    """Yield each viewer's changes of the view at each version of a history."""
    state, before = State(USA), {viewer: {} for viewer in (None, 0, 1, 2)}
    for entry in entries:
        state = evolve(state, events_of(entry))
        for viewer in before:
            shown = json.loads(json.dumps(view(state, viewer, sealed=False)))
            if actions := shown.get("you", {}).get("legal_actions"):
                digest = sha256(json.dumps(actions, sort_keys=True).encode()).hexdigest()
                shown["you"]["legal_actions"] = {"count": len(actions), "sha256": digest}
            changed = {
                name: value for name, value in shown.items() if before[viewer].get(name) != value
            }
            gone = dict.fromkeys(sorted(before[viewer].keys() - shown.keys()))
            yield {"version": state.version, "viewer": viewer, "view": changed | gone}
            before[viewer] = shown


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    lines = (
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        for value in views(read(HISTORY))
    )
    VIEWS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
