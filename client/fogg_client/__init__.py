"""A client of Fogg over HTTP, the base of a bot, and what runs it."""
