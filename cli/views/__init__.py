"""Output of commands in the terminal."""
