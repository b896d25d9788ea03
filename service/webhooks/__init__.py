"""Webhooks, and the deliveries that wait for them."""
