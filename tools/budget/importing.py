"""``python -m tools.budget.importing``: how many calls it takes to import the application."""

from __future__ import annotations

import gc
import sys
from collections import Counter


def main() -> None:
    """Print how many Python functions and C functions were called."""
    gc.disable()
    # redis-py imports it where it is installed
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    counts: Counter[str] = Counter()

    def on_event(_frame: object, event: str, _function: object) -> None:
        counts[event] += 1

    sys.setprofile(on_event)
    from service.app import FEATURES
    from service.http.application import all_blueprints

    all_blueprints(FEATURES)  # which imports the operations
    sys.setprofile(None)
    print(counts["call"], counts["c_call"])


if __name__ == "__main__":
    main()
