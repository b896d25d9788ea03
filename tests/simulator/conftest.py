"""Random games are the same in every run, so that a failure is one for everybody."""

from hypothesis import settings

settings.register_profile("simulator", derandomize=True, deadline=None, max_examples=25)
settings.load_profile("simulator")
