"""Benchmarks: each compares ours with a yardstick, by turns, in one run on one machine.

The speed of a machine changes by the minute; the ratio of two speeds does not. So a benchmark
does not fail when it is slow, and is not a test. Costs that do not depend on the machine are
counted by ``tools/budget`` instead.
"""
