"""Filters of the games in the lobby, for an account that looks for one."""

from __future__ import annotations

from redis import Redis

from domain.errors import BrokenHistory
from domain.game.events import RatingRangeSet
from domain.rules.lobby import is_in_range
from service.accounts.accounts import Account
from service.accounts.invitations import rules_of
from service.errors import UnknownThing
from service.games.index import has_invited
from service.projections.listing import Listing
from service.projections.ratings import may_be_rated, rated_id
from service.projections.standing import OVERALL
from service.store.games import GameHead, GameStore, SeatHead


def overall_rating(redis: Redis, account: Account) -> float:
    """Return an account's rating over all boards."""
    return Listing(redis).standing(OVERALL, rated_id(account.player)).rating


def joinable(redis: Redis, account: Account, heads: list[GameHead]) -> list[GameHead]:
    """Return the games in which an account may take a seat: one that is reserved for it, or an open
    one for its rating; none of a creator who has blocked it."""
    rating = overall_rating(redis, account)
    heads = [head for head in heads if has_invited(head, account.id)
             or (not any(seat.get("player", {}).get("id") == account.id for seat in head["seats"])
                 and any(_is_open(seat, rating) for seat in head["seats"]))]
    creators = sorted({head["creator"] for head in heads})
    rules = dict(zip(creators, rules_of(redis, creators), strict=True))
    return [head for head in heads if not rules[head["creator"]].blocks(account.player)]


def _is_open(seat: SeatHead, rating: float) -> bool:
    return "player" not in seat and "invited" not in seat and is_in_range(rating, RatingRangeSet(
        seat["seat"], seat.get("rating_from"), seat.get("rating_to")))


def rated(store: GameStore, wanted: bool, heads: list[GameHead]) -> list[GameHead]:
    """Return the games in the lobby that may be rated, or the others."""
    return [head for head in heads if _may_be_rated(store, head["id"]) == wanted]


def _may_be_rated(store: GameStore, game_id: str) -> bool | None:
    try:
        return may_be_rated(store.load(game_id).state)
    except (UnknownThing, BrokenHistory):
        return None
