"""What commands show in the terminal."""
