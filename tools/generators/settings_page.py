"""The table of settings in docs/operations.md, generated from ``service/settings.py``.

``python -m tools.generators.settings_page`` writes it, between the marks on the page.
"""

import re
from pathlib import Path

from service.settings import SETTINGS, Setting
from tools.generators.events_page import table

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
MARKED = re.compile(r"(<!-- python -m tools.generators.settings_page -->\n).*?(<!-- end -->)",
                    re.DOTALL)


def written(page: str) -> str:
    """Return the page with the table that SETTINGS makes."""
    rows = [(f"`{name}`", setting.words, type_of(setting), default(setting))
            for name, setting in SETTINGS.items()]
    made = table(("setting", "what it is", "value", "default"), rows)
    return MARKED.sub(lambda found: found[1] + made + found[2], page)


def type_of(setting: Setting) -> str:
    """Return the type of a setting, with its unit."""
    return f"{setting.kind.label} of {setting.unit}" if setting.unit else setting.kind.label


def default(setting: Setting) -> str:
    """Return what counts where a setting is not set, and what deploy/ sets."""
    usual = f"`{setting.default}`" if setting.default else setting.without
    return f"{usual}; in deploy/ `{setting.deployed}`" if setting.deployed else usual


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
