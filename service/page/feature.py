from __future__ import annotations

from service.feature import Blueprints, Feature


def _blueprints() -> Blueprints:
    from service.page import documents, files

    yield documents.blueprint
    yield files.blueprint


FEATURE = Feature("page", _blueprints)
