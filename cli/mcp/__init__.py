"""Fogg for language models: tools of the Model Context Protocol, all built on public
requests. It needs only ``fogg_client``, the extra ``mcp`` and, for the longest path on the map,
``domain.network``."""
