"""Users' bots, by the names in a command's arguments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fogg_client.bot import NoBot, bot_class

if TYPE_CHECKING:
    from fogg_simulator.policy import Policy

POLICY = ".npz"  # the ending of files with a policy


def own_bot_class(name: str) -> type:
    """Return the class that MODULE:CLASS names, or of the bots that play the policy in a file."""
    if not name.endswith(POLICY):
        return bot_class(name)
    try:
        from fogg_simulator import policy
    except ImportError as error:
        raise NoBot(f"{name} needs the distribution fogg-simulator: pip install fogg-simulator "
                    "(docs/simulator.md)") from error
    try:
        return policy.bot_class(name)
    except FileNotFoundError as error:
        raise NoBot(f"there is no file {name}") from error
    except (policy.NoPolicy, OSError) as error:
        raise NoBot(f"{name} is no policy that can be played: {error}") from error


def policy_class(name: str, policy: Policy) -> type:
    """Return the class of the bots that play a policy, which was read from the file of a name."""
    from fogg_simulator.policy import PolicyBot

    return type(Path(name).stem, (PolicyBot,), {"policy": policy})
