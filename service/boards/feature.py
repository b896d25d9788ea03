from service.feature import Feature

FEATURE = Feature("boards")
