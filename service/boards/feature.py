from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from service.feature import Feature

if TYPE_CHECKING:
    from flask import Blueprint


def _blueprints() -> Iterable[Blueprint]:
    from service.api import boards

    yield boards.blueprint


FEATURE = Feature("boards", _blueprints)
