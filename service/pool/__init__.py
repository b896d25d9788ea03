"""The pool: finding opponents by strength, and the bots that are online."""
