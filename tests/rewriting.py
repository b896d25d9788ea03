"""Rewrites the assertions of all test modules once, before several processes start.

Otherwise each process of pytest-xdist would rewrite every module itself. pytest has no public
function for this; ``tests/test_private_parts.py`` fails if pytest no longer reads what is written.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_tests(folder: Path, config: pytest.Config) -> None:
    """Write the rewritten code of each test module below a folder where pytest looks for it."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules" and name[0] != "."]
        for path in [Path(here, name) for name in names if name.startswith("test_")]:
            kept = rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
            if path.suffix == ".py" and rewrite._read_pyc(path, kept) is None:
                rewrite.try_makedirs(kept.parent)
                state = config.stash[rewrite.assertstate_key]
                source, code = rewrite._rewrite_test(path, config)
                rewrite._write_pyc(state, code, source, kept)
