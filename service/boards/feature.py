from service.feature import Blueprints, Feature


def _blueprints() -> Blueprints:
    from service.boards import api

    yield api.blueprint


FEATURE = Feature("boards", _blueprints)
