from service.feature import Feature

FEATURE = Feature("page", blueprints=("documents:blueprint", "files:blueprint"))
