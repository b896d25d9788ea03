"""Load tests of a service, measured at its clients."""
