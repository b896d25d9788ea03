"""How fast, and against what: two things are measured in one run, by turns, on one machine.

A machine's speed says little and changes by the minute; the ratio of two speeds says more. So no
benchmark fails for being slow, and none is a test.
"""
