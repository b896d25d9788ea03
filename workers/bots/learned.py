"""Plays the action that a small trained network likes best; docs/built-in-bots.md tells how it was
trained. It decides in a few milliseconds and uses no randomness."""

from pathlib import Path

from fogg_simulator.policy import Policy, PolicyBot


class Learned(PolicyBot):
    """Plays the policy in ``learned.npz``, which was trained on USA and Europe for two players."""

    policy = Policy.load(Path(__file__).with_name("learned.npz"))
