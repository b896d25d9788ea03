"""Games: what can be done with them, who sees what of them, how they are found and followed."""
