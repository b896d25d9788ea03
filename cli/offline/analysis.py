"""The analysis of a recorded game, as the service makes it for ``GET /v1/games/ID/analysis``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from cli.recorded.recording import Recording
from domain.analysis import JudgedDecision, summary
from domain.game.view import view_with_terms


def decisions(recording: Recording) -> list[tuple[int, int, dict]]:
    """Return each decision of a recorded game: the version of the entry that it became, the seat,
    and the action."""
    return [(entry["version"], entry["seat"], entry["action"])
            for before, entry in zip(recording.states, recording.entries[1:], strict=False)
            if "action" in entry and before.decision(entry["seat"]) is not None]


def judged_rows(recording: Recording, seconds: float, worlds: int) -> Iterator[JudgedDecision]:
    """Judge one decision of a recorded game after the other; ``expert`` must be installed."""
    from workers.judgement import judged

    board, rng = _as_json(recording.board.described), Random()
    for version, seat, action in decisions(recording):
        seen = _as_json(view_with_terms(recording.at(version - 1), seat, sealed=True))
        yield judged(board, version, seen, action, rng, seconds=seconds, worlds=worlds)


def analysis(recording: Recording, rows: list[JudgedDecision]) -> dict[str, Any]:
    """Return the analysis of a game whose decisions were all judged."""
    state = recording.at(None)
    ranks = [result["rank"] for result in state.results]
    return {"game": state.id, "board": recording.board.id, "status": "done", "progress": 1.0,
            "decisions": rows} | summary(rows, ranks)


def _as_json(value: Any) -> Any:
    """Return a value as a bot over HTTP would get it."""
    return json.loads(json.dumps(value))
