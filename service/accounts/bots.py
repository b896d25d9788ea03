"""The built-in bots: accounts of their own, played by the workers over HTTP like anybody else's.

A bot has one account for each seat, so that one game may seat it twice and neither sees the
other's hand. The accounts' tokens are in a file that web processes and workers are both given
(FOGG_BOTS): ``{"planner": ["token of planner on seat 0", ...], ...}``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from redis import Redis

from domain.game.commands import Player
from service.accounts import accounts, tokens
from service.accounts.accounts import Account
from service.times import now

# What the workers play, they list: a table to read, as those of the boards are.
LISTED = Path(__file__).parents[2] / "workers" / "bots" / "bots.json"
BOTS = {name: bot["description"] for name, bot in json.loads(LISTED.read_text()).items()}
SEATS = 8


def player(bot: str, seat: int) -> Player:
    """Return the account that plays a built-in bot on a seat."""
    return Player(f"bot_{bot}_{seat}", bot, bot)


def write_tokens(path: Path) -> None:
    """Write tokens for every built-in bot to a file that only its owner may read; bots that have
    some there keep them."""
    known = json.loads(path.read_text()) if path.exists() else {}
    if known.keys() >= BOTS.keys():
        return
    rows = {bot: [tokens.new_token() for _ in range(SEATS)] for bot in BOTS}
    written = path.with_name(path.name + ".new")
    handle = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "w") as file:
        json.dump(rows | known, file, indent=1)
    written.replace(path)


def register(redis: Redis, path: Path) -> None:
    """Make sure that the bots' accounts exist and answer to the tokens in the file."""
    for bot, written in json.loads(path.read_text()).items():
        for seat, token in enumerate(written):
            account = Account(player(bot, seat).id, bot, now(), bot)
            if accounts.keep(redis, account, new=True):
                tokens.issue(redis, account, token)
