"""Fields and schemas that requests of several features share."""
