"""Schemas that read requests, and a few answers that no other module makes alone."""
