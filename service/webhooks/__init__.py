"""Addresses that are called, and what they are yet to be told."""
