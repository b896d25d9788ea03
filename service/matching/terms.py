"""An account's terms: which challenges it receives.

``player:ID:terms``  the terms of an account, as JSON; missing while it has the usual ones
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from redis import Redis

from domain.errors import Refused
from domain.game.clock import Clock
from domain.game.commands import Player
from service.accounts.accounts import Account
from service.store import offers
from service.store.games import GameStore

MOST_OF_ONE = 3  # open challenges of one account and its bots to another account
MOST_OPEN = 100  # open challenges to an account
MOST_BLOCKED = 1000


@dataclass(frozen=True)
class Terms:
    """``shortest_clock`` is in seconds for a decision. Without ``boards``, any board is welcome.
    ``open`` is how many challenges may wait for an answer. ``blocked`` are ids of accounts; their
    bots are blocked, too."""

    shortest_clock: float = 0.0
    boards: tuple[str, ...] = ()
    open: int = MOST_OPEN
    blocked: tuple[str, ...] = ()


def terms_of(redis: Redis, account_id: str) -> Terms:
    """Return an account's terms."""
    raw = redis.get(_key(account_id))
    row = orjson.loads(raw) if raw else {}
    return Terms(**row | {name: tuple(row[name]) for name in ("boards", "blocked") if name in row})


def blocked_by(redis: Redis, account_ids: Sequence[str]) -> list[frozenset[str]]:
    """Return the accounts that each of some accounts has blocked."""
    pipe = redis.pipeline(transaction=False)
    for account_id in account_ids:
        pipe.get(_key(account_id))
    return [frozenset(orjson.loads(raw)["blocked"] if raw else ()) for raw in pipe.execute()]


def set_terms(store: GameStore, account: Account, body: dict[str, Any]) -> Terms:
    """Replace an account's terms; raise UnknownThing for an unknown board."""
    for board in body["boards"]:
        store.board(board)
    terms = Terms(**body | {name: tuple(body[name]) for name in ("boards", "blocked")})
    store.redis.set(_key(account.id), orjson.dumps(asdict(terms)))
    return terms


def delete_terms(redis: Redis, account_id: str) -> None:
    """Delete an account's terms."""
    redis.delete(_key(account_id))


def check_challenge(redis: Redis, by: Account, to: Account, body: dict[str, Any]) -> None:
    """Raise Refused if an account does not receive this challenge, or has too many."""
    terms, clock = terms_of(redis, to.id), Clock.of(body.get("clock"), None)
    if is_blocked(terms, by.player):
        raise _refused(f"{to.name} receives no challenges from you")
    if terms.boards and body["board"] not in terms.boards:
        raise _refused(f"{to.name} plays on {', '.join(terms.boards)} only", "board")
    if clock and clock.pace() < terms.shortest_clock:
        raise _refused(f"{to.name} wants at least {terms.shortest_clock:g} seconds for a decision",
                       "clock")
    challengers = offers.challengers(redis, to.id)
    if challengers.count(by.answers_for or by.id) >= MOST_OF_ONE:
        raise Refused("too-many-offers", None, f"{to.name} has {MOST_OF_ONE} challenges of "
                                                   "yours to answer")
    if len(challengers) >= terms.open:
        raise Refused("too-many-offers", None, f"{to.name} has {len(challengers)} challenges "
                                                   "to answer, and wants no more at a time")


def is_blocked(terms: Terms, player: Player) -> bool:
    """Return whether an account with these terms has blocked a player, or the player's owner."""
    return not {player.id, player.owner}.isdisjoint(terms.blocked)


def _refused(why: str, member: str | None = None) -> Refused:
    return Refused("offer-refused", None, why, member)


def _key(account_id: str) -> str:
    return f"player:{account_id}:terms"
