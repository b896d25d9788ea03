"""The blocks of code in docs/bots.md, which tests run word for word."""

from tools.generators.pages import BLOCK, DOCS

SERVER = "http://127.0.0.1:8000"  # the service's address on the page


def blocks() -> list[tuple[str, str]]:
    """The language and the text of every block."""
    return BLOCK.findall((DOCS / "bots.md").read_text())


def block(language: str, holding: str = "") -> str:
    """The only block in that language that holds a text."""
    [text] = [text for name, text in blocks() if name == language and holding in text]
    return text


def languages() -> list[str]:
    """The language of every block."""
    return [name for name, _ in blocks()]
