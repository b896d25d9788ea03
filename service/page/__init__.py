"""The page to play, watch and replay in a browser: its files, and the feature that serves them."""
