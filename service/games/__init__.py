"""Games: playing them, their visibility, lists, and streams."""
