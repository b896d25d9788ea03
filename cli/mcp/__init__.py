"""Fogg for language models: tools and resources of the Model Context Protocol, each of them made
of requests that any client may make. It needs ``fogg_client``, the extra ``mcp`` and, to measure
paths that everybody sees on the map, ``domain.network`` alone."""
