"""Games: what can be done with them, and how they are found and followed."""
