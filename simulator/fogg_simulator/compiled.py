"""Decorators that compile the functions of this package with numba.

``entry``  for functions that Python calls: compiled on the first call, then loaded from a cache.
           A package that extends this one has a decorator of its own, ``entry_for(its folder)``
``inner``  for functions that only compiled functions call: they have no wrapper for Python
``part``   for functions that one compiled function calls: they become a part of that one. This
           saves time to compile, as numba optimises an ``inner`` function again for each ``entry``
           that reaches it

A function is compiled once for each combination of argument types, and once more for each Python
int that is passed as it stands. Therefore all fields of records that are passed on are int64, and
constants are numpy's. The cache has a folder for each version of the source files, as numba itself
looks only at the file of an ``entry``.
"""

import os
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from platform import machine
from typing import Any

from numba import __version__ as numba_version
from numba import config, njit

HERE = Path(__file__).parent


@cache
def digest(package: Path = HERE) -> str:
    """Return the SHA-256 of a package's files, the simulator's, and Python's version."""
    sources = [
        sys.version,
        *(
            path.read_text()
            for folder in sorted({HERE, package})
            for path in sorted(folder.rglob("*.py"))
        ),
    ]
    return sha256("\n".join(sources).encode()).hexdigest()


@cache
def rules_digest() -> str:
    """Return the SHA-256 of the files that define a game's record, for any version of Python."""
    files = [
        HERE / "arrays.py",
        HERE / "fold.py",
        HERE / "tables.py",
        *sorted((HERE / "rules").glob("*.py")),
    ]
    return sha256("\n".join(path.read_text() for path in files).encode()).hexdigest()


def folder(package: Path = HERE) -> Path:
    """Return the cache folder, in FOGG_CACHE or the user's cache, for these source files where they
    are: numba looks at the path and the time of an ``entry``'s file."""
    caches = Path(os.environ.get("FOGG_CACHE") or os.path.expanduser("~/.cache/fogg"))
    places = [f"{path} {path.stat().st_mtime_ns}" for path in sorted(package.rglob("*.py"))]
    made_of = "\n".join((digest(package), machine(), numba_version, *places))
    return caches / f"simulator-{sha256(made_of.encode()).hexdigest()[:16]}"


def entry_for(package: Path) -> Callable[[Callable[..., Any]], Any]:
    """Return the decorator that compiles a function of a package for Python. If the cache folder
    cannot be written, numba uses another."""

    def compile(function: Callable[..., Any]) -> Any:
        settings: Any = config
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder(package))
        try:
            return njit(cache=True, nogil=True, error_model="numpy")(function)
        finally:
            settings.CACHE_DIR = before

    return compile


entry = entry_for(HERE)


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function for other compiled functions."""
    options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    return njit(**options)(function)


def part(function: Callable[..., Any]) -> Any:
    """Compile a function as a part of its caller."""
    options: Any = {"inline": "always", "error_model": "numpy"}
    return njit(**options)(function)


@inner
def copy(to, row):  # type: ignore[no-untyped-def]
    """Copy a row. (An assignment would also compile a check of lengths, with its message.)"""
    for i in range(len(to)):
        to[i] = row[i]
