"""Pages of Markdown in docs/: their blocks of code, and parts between marks that are generated."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)  # language, text


def with_parts(page: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with new text between ``<!-- MARK -->`` and ``<!-- end -->``, for each mark."""
    for mark, made in parts.items():
        page = re.sub(
            rf"(?<=<!-- {mark} -->\n).*?(?=<!-- end -->)",
            lambda _, made=made: made(),
            page,
            flags=re.DOTALL,
        )
    return page


def table(head: tuple, rows: Iterable[tuple]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
