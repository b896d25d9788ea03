"""What requests about games may ask."""
