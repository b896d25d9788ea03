"""The HTTP kit that features share: blueprints, callers, problems, answers, streams, the server."""
