"""The ids under which players are counted: each version of a bot by itself, or all together."""

from domain.game.commands import Player
from service.accounts import bots


def version_id(player: Player) -> str:
    """Return the id under which a player is rated. Each version of a bot is a player of its own."""
    return account_id(player) + (f"@{player.version}" if player.version else "")


def account_id(player: Player) -> str:
    """Return the id that all versions of a player share, or all accounts of a built-in bot."""
    return bots.on_seat(player, 0).id


def account_of(version: str) -> str:
    """Return the account, or the built-in bot, that has a version."""
    return version.partition("@")[0]


def owner_of(player: Player) -> str:
    """Return the account that profits from a player's strength: the owner, else its own."""
    return player.owner or version_id(player)
