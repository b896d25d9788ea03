"""The operations on games."""
