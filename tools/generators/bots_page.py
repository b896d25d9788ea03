"""The blocks of code in docs/bots.md, which tests run word for word."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = "http://127.0.0.1:8000"  # the service's address on the page
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def block(language: str, holding: str = "") -> str:
    """The only block in that language that holds a text."""
    page = (ROOT / "docs" / "bots.md").read_text()
    [found] = [text for name, text in BLOCK.findall(page) if name == language and holding in text]
    return found


def languages() -> list[str]:
    """The language of every block."""
    return [name for name, _ in BLOCK.findall((ROOT / "docs" / "bots.md").read_text())]
