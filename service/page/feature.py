from __future__ import annotations

from service.feature import Blueprints, Feature


def _blueprints() -> Blueprints:
    from service.page import documents as pages
    from service.page import files as page

    yield pages.blueprint
    yield page.blueprint


FEATURE = Feature("page", _blueprints)
