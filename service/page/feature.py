from __future__ import annotations

from service.feature import Blueprints, Feature


def _blueprints() -> Blueprints:
    from service.api import page, pages

    yield pages.blueprint
    yield page.blueprint


FEATURE = Feature("page", _blueprints)
