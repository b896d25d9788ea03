"""Filters of the games in the lobby, for an account that looks for one."""

from __future__ import annotations

from domain.game.events import RatingRangeSet
from domain.rules.lobby import is_in_range
from service.accounts.accounts import Account
from service.accounts.invitations import rules_of
from service.games.games import Games
from service.games.index import has_invited
from service.games.store import GameHead, SeatHead


def joinable(games: Games, account: Account, heads: list[GameHead]) -> list[GameHead]:
    """Return the games in which an account may take a seat: one that is reserved for it, or an open
    one for its rating; none of a creator who has blocked it."""
    rating = games.strengths.overall(account.player)
    heads = [head for head in heads if has_invited(head, account.id)
             or (not any(seat.get("player", {}).get("id") == account.id for seat in head["seats"])
                 and any(_is_open(seat, rating) for seat in head["seats"]))]
    states = games.readable([head["id"] for head in heads])
    creators = sorted({state.terms.creator for state in states})
    rules = dict(zip(creators, rules_of(games.redis, creators), strict=True))
    allowed = {state.id for state in states
               if not rules[state.terms.creator].blocks(account.player)}
    return [head for head in heads if head["id"] in allowed]


def _is_open(seat: SeatHead, rating: float) -> bool:
    return "player" not in seat and "invited" not in seat and is_in_range(rating, RatingRangeSet(
        seat["seat"], seat.get("rating_from"), seat.get("rating_to")))


def rated(games: Games, wanted: bool, heads: list[GameHead]) -> list[GameHead]:
    """Return the games in the lobby that may be rated, or the others."""
    states = games.readable([head["id"] for head in heads])
    fitting = {state.id for state in states
               if bool(games.strengths.unrated_because(state)) != wanted}
    return [head for head in heads if head["id"] in fitting]
