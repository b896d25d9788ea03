"""The event log: histories in Redis, appended to by scripts; only this folder opens a stream."""
