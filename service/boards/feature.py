from service.feature import Blueprints, Feature


def _blueprints() -> Blueprints:
    from service.boards import api as boards

    yield boards.blueprint


FEATURE = Feature("boards", _blueprints)
