"""Downloads of finished games, and the public log of them."""
