"""The built-in bots: accounts of their own, played by the workers over HTTP like anybody else's.

A bot has one account for each seat, so that one game may seat it twice and neither sees the
other's hand. The accounts' tokens follow from the service's secret. Web processes put them into the
queue's Redis, where workers get them.

``fogg:bots``            ``{"planner": ["token of planner on seat 0", ...], ...}`` as JSON, there
``fogg:bots:preparing``  bot -> progress of its preparation, 0 to 1 (``workers/preparing.py``)
"""

import json
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

from redis import Redis

from domain.board.board import Board
from domain.game.commands import Player
from service.accounts import accounts, tokens
from service.accounts.accounts import Account
from service.errors import BadRequest
from service.redis.guarding import UNREACHABLE
from service.redis.secret import service_secret
from service.times import now

# The table of built-in bots, which belongs to the workers.
LISTED = Path(__file__).parents[2] / "workers" / "bots" / "bots.json"
_ROWS = json.loads(LISTED.read_text())
BOTS = {name: bot["description"] for name, bot in _ROWS.items()}
# the bots that can play here; the others need modules that are not installed
OFFERED = [name for name, bot in _ROWS.items() if all(map(find_spec, bot.get("needs", ())))]
# bot -> seconds per decision; with less, it may play below its strength
SHORTEST_RATED_CLOCKS = {name: float(bot["shortest_rated_clock"]) for name, bot in _ROWS.items()}
LONGEST_RATED_CLOCK = 7_200  # seconds for all decisions of a player against one of them
SEATS = 8
BUILT_IN = "bot_"  # the start of the accounts' ids
# "PLAYER:BOARD" -> its mu in overall ratings before its first game, 25 for planner, measured in the
# arena. Part of version 4 of the rules of ratings, so the numbers must stay.
STRENGTHS = {
    f"{BUILT_IN}{name}_0:{board}": float(mu)
    for name, row in _ROWS.items()
    for board, mu in row.get("strengths", {}).items()
}
SHARED = "fogg:bots"
SHARED_FOR = 60  # seconds
PREPARING = "fogg:bots:preparing"


def offered(bot: str, field: str, *boards: Board) -> str:
    """Return a bot's name if it can play here on these boards; else refuse the member ``field``."""
    if bot not in OFFERED:
        reason = "is not installed on this server" if bot in BOTS else "is no built-in bot"
        raise BadRequest(f"{bot} {reason}; there are {', '.join(OFFERED)}", field)
    for board in boards:
        if why := refusal(bot, board):
            raise BadRequest(f"{bot} cannot play on {board.name}: {why}", field)
    return bot


def refusal(bot: str, board: Board) -> str | None:
    """Return why an available bot cannot play on a board, None if it can."""
    place = _ROWS[bot].get("refuses")
    return board.once(resolve_name(place)) if place else None


def preparing(queue: Redis) -> dict[str, float]:
    """Return the bots that are still being prepared, each with its progress from 0 to 1."""
    try:
        return json.loads(queue.get(PREPARING) or "{}")
    except UNREACHABLE:
        return {}


def player(bot: str, seat: int) -> Player:
    """Return the account that plays a built-in bot on a seat."""
    return Player(f"{BUILT_IN}{bot}_{seat}", bot, bot)


def on_seat(who: Player, seat: int) -> Player:
    """Return the player for a seat: a built-in bot's account for it, any other player unchanged."""
    return player(who.bot, seat) if who.bot and who.owner is None else who


def known_tokens(redis: Redis) -> dict[str, list[str]]:
    """Return the bots' tokens, which are derived from the service's secret."""
    secret = service_secret(redis)
    return {
        bot: [tokens.token_of(secret, f"built-in bot\n{bot}\n{seat}") for seat in range(SEATS)]
        for bot in BOTS
    }


def register(redis: Redis) -> dict[str, list[str]]:
    """Create the bots' accounts and tokens where they are missing; return the tokens."""
    known = known_tokens(redis)
    rows = [
        (bot, seat, token) for bot, written in known.items() for seat, token in enumerate(written)
    ]
    pipe = redis.pipeline(transaction=False)
    for _, _, token in rows:
        pipe.exists(tokens.token_key(token))
    for (bot, seat, token), is_there in zip(rows, pipe.execute(), strict=True):
        if not is_there:
            account = Account(player(bot, seat).id, bot, now(), bot)
            if not accounts.keep(redis, account, new=True):
                account = accounts.get(redis, account.id)
            tokens.issue(redis, account, token)
    return known


def share(redis: Redis, queue: Redis) -> None:
    """Put the bots' tokens into the queue's Redis for the workers; they expire after a minute."""
    queue.set(SHARED, json.dumps(register(redis)), ex=SHARED_FOR)
