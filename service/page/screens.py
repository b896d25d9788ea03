"""The screens of the page, as service/page/screens.json declares them: at which address each is,
what a browser loads for it, and whether other sites may show it in a frame.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

MANIFEST = Path(__file__).parents[1] / "page" / "screens.json"
ANY_ID = "ID"  # in an address


@dataclass(frozen=True)
class Screen:
    """A screen: its address, in which ID stands for any id; its module; the module that replaces it
    in a frame of another site, None if it may not be framed; its style sheets. Modules are in the
    folder ``screens``."""

    address: str
    module: str
    framed: str | None
    styles: tuple[str, ...]

    @property
    def first(self) -> str:
        """The first part of the address."""
        return self.address.split("/")[1]


def _read() -> tuple[Screen, ...]:
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return tuple(
        Screen(
            one["address"],
            one["module"],
            one.get("framed"),
            tuple(manifest["styles"][one["styles"]]),
        )
        for one in manifest["screens"]
    )


SCREENS = _read()


def addressed(path: str) -> Screen | None:
    """Return the screen at a path, by the same rule as `addressed` in service/page/screens.mjs."""
    given = path.removesuffix("/").split("/")
    for screen in SCREENS:
        wanted = screen.address.removesuffix("/").split("/")
        if len(wanted) == len(given) and all(
            part == one or (part == ANY_ID and one) for part, one in zip(wanted, given, strict=True)
        ):
            return screen
    return None


def is_embedded(path: str, query: str) -> bool:
    """Return whether an address asks for a screen in a frame of another site: it gives `embed`
    once, as 1. `isEmbedded` in service/page/account.mjs must be the same rule: an address that only
    the service takes for a frame would be a page with an account that others can put in a frame."""
    screen = addressed(path)
    return (
        screen is not None
        and screen.framed is not None
        and (parse_qs(query, keep_blank_values=True).get("embed") == ["1"])
    )
