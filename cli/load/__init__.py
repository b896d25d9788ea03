"""Load on a service, as its clients bring it, measured where they stand."""
