"""The table of settings in docs/operations.md, generated from ``service/settings.py``.

``python -m tools.generators.settings_page`` writes it, between the marks on the page.
"""

from service.settings import SETTINGS, Setting
from tools.generators.pages import DOCS, table, with_parts

PAGE = DOCS / "operations.md"


def written(page: str) -> str:
    """Return the page with the table that SETTINGS makes."""
    rows = [
        (f"`{name}`", setting.words, type_of(setting), default(setting))
        for name, setting in SETTINGS.items()
    ]
    return with_parts(
        page,
        {
            "python -m tools.generators.settings_page": lambda: table(
                ("setting", "what it is", "value", "default"), rows
            )
        },
    )


def type_of(setting: Setting) -> str:
    """Return the type of a setting, with its unit."""
    return f"{setting.kind.label} of {setting.unit}" if setting.unit else setting.kind.label


def default(setting: Setting) -> str:
    """Return what counts where a setting is not set, and what deploy/ sets."""
    usual = f"`{setting.default}`" if setting.default else setting.without
    return f"{usual}; in deploy/ `{setting.deployed}`" if setting.deployed else usual


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
