"""Seeks and challenges: offering a game, and what becomes of the offer.

An offer holds the id of its game from the start. The last account to accept creates the game. If
that is cut off, a sweep creates it; with a fixed id it is created only once.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from redis import Redis

from domain.chance import SEED_BYTES
from domain.errors import Refused
from domain.game.clock import Clock
from domain.game.commands import CreateGame
from service.accounts import accounts
from service.accounts.accounts import Account
from service.errors import NotYours, UnknownThing
from service.games import creating
from service.games.games import Games
from service.matching.terms import check_challenge, is_blocked, terms_of
from service.projections.listing import Listing
from service.projections.ratings import SHORTEST_RATED_CLOCK, rated_id
from service.projections.standing import OVERALL
from service.store import offers
from service.store.guarding import log_errors
from service.store.idempotency import create_once
from service.store.offers import ACCEPTED, CHALLENGE, DECLINED, OPEN, SEEK, WITHDRAWN, Offer
from service.store.pages import page_of
from service.store.quotas import refuse_more
from service.store.secret import new_id
from service.times import as_time, in_ms, now, now_in_ms

LASTS = 15  # minutes, by default
NAMES = {SEEK: "seek", CHALLENGE: "challenge"}


@dataclass(frozen=True)
class SeekFilter:
    """Which seeks: on a board, and those that an account may accept."""

    board: str | None = None
    fits: Account | None = None


def seek(games: Games, account: Account, body: dict, key: str | None = None) -> Offer:
    """Offer a game to any account that fits. A retry with the same idempotency key returns the same
    offer."""
    least, most = body.get("rating_from"), body.get("rating_to")
    if least is not None and most is not None and least > most:
        raise Refused("rating-outside", None, "nobody's rating is at least rating_from and at most "
                                              "rating_to", "rating_to")
    return _offer(games, account, body, SEEK, None, key)


def challenge(
    games: Games, account: Account, player_id: str, body: dict, key: str | None = None
) -> Offer:
    """Offer a game for two to an account; return the offer."""
    other = accounts.get(games.redis, player_id)
    if other.answers_for is None:
        raise Refused("built-in-bot", None, "a built-in bot plays at once: create a game with it")
    if other.id == account.id:
        raise Refused("own-offer", None, "you cannot play against yourself")
    return _offer(games, account, body | {"seats": 2}, CHALLENGE, other, key)


def open_seeks(
    games: Games, which: SeekFilter, before: str | None, limit: int
) -> tuple[list[Offer], str | None]:
    """Return a page of open seeks, those that expire last first, and the cursor of the next page,
    None at the end."""
    rating = _rating(games.redis, which.fits) if which.fits else 0.0
    found = [offer for offer in offers.read(games.redis, offers.seeks(games.redis))
             if offer.state == OPEN and which.board in (None, offer.row["board"])
             and (before is None or _place(offer) < before)
             and (which.fits is None or _why_not(offer, which.fits, rating) is None)]
    found.sort(key=_place, reverse=True)
    return page_of(found, limit, _place)


def get(games: Games, account_id: str | None, kind: str, offer_id: str) -> Offer:
    """Return an offer in any state while Redis keeps it. Only its two accounts may see a
    challenge."""
    found = offers.read(games.redis, [offer_id]) if offers.is_id(kind, offer_id) else []
    if not found or ("to" in found[0].row and account_id not in (
            found[0].row["by"]["id"], found[0].row["to"]["id"])):
        raise UnknownThing(NAMES[kind], offer_id)
    return found[0]


def challenges_of(games: Games, account: Account) -> list[Offer]:
    """Return an account's sent and received challenges that have not lapsed, in any other state."""
    return offers.read(games.redis, offers.challenges(games.redis, account.id))


def accept(games: Games, account: Account, kind: str, offer_id: str) -> Offer:
    """Accept an offer; create its game if every seat is now taken. Accepting again changes
    nothing."""
    offer = get(games, account.id, kind, offer_id)
    if account.id not in offer.accepted:
        rating = _rating(games.redis, account)
        if why_not := _why_not(offer, account, rating):
            raise why_not
        if is_blocked(terms_of(games.redis, offer.row["by"]["id"]), account.player):
            raise Refused("offer-refused", None, "its maker does not play with you")
        if not offers.accept(games.redis, offer, account.id):
            raise _not_open(get(games, account.id, kind, offer_id))
        offer = get(games, account.id, kind, offer_id)
    if offer.state == ACCEPTED:
        _create_game(games, offer)
    return offer


def create_missing_games(games: Games) -> None:
    """Create the missing games of accepted offers: the process of the last acceptance has died
    before it did."""
    for offer in offers.left_over(games.redis):
        with log_errors(f"{offer.id} cannot become a game"):
            _create_game(games, offer)


def decline(games: Games, account: Account, offer_id: str, reason: str) -> Offer:
    """Decline a challenge; notify the challenger."""
    offer = get(games, account.id, CHALLENGE, offer_id)
    if offer.row["to"]["id"] != account.id:
        raise NotYours("only who was challenged may decline")
    return _close(games, offer, {"state": DECLINED, "reason": reason, "at": now()})


def withdraw(games: Games, account: Account, kind: str, offer_id: str) -> None:
    """Take back an offer of one's own."""
    offer = get(games, account.id, kind, offer_id)
    if offer.row["by"]["id"] != account.id:
        raise NotYours("only who has made an offer may take it back")
    _close(games, offer, {"state": WITHDRAWN, "at": now()})


def _offer(
    games: Games, account: Account, body: dict, kind: str, to: Account | None, key: str | None
) -> Offer:
    owner = account.answers_for or account.id
    board = games.store.board(body["board"])
    if body["seats"] not in board.players:
        raise Refused("wrong-number-of-seats", "1", f"{board.name} is for {board.players[0]} to "
                      f"{board.players[-1]} players", "seats")
    clock = Clock.of(body.get("clock"), None)
    if body["rated"] and clock and clock.pace() < SHORTEST_RATED_CLOCK:
        raise Refused("clock-too-short", None, "a rated game has at least "
                      f"{SHORTEST_RATED_CLOCK:g} seconds for each decision", "clock")
    some_id, at = new_id(kind), now_in_ms()
    row = {
        "id": some_id, "game": f"g{some_id[1:]}", "by": account.player.as_json(),
        **({"to": to.player.as_json()} if to else {}),
        **{name: value for name, value in body.items() if name != "minutes"},
        "created": as_time(at), "lapses": as_time(at + 60_000 * body["minutes"])}
    if key:
        row = create_once(games.redis, f"offer\n{account.id}\n{key}", row, _what_was_asked)
    if row["id"] == some_id:
        refuse_more("offers", offers.count(games.redis, owner), "take some of them back")
        if to:
            check_challenge(games.redis, account, to, body)
    offers.put(games.redis, row, owner)
    if "to" in row:
        games.news.publish(row["to"]["id"])
    return offers.read(games.redis, [row["id"]])[0]


def _what_was_asked(row: dict) -> dict:
    lasts = in_ms(row["lapses"]) - in_ms(row["created"])
    return row | {"id": "", "game": "", "created": "", "lapses": lasts}


def _why_not(offer: Offer, account: Account, rating: float) -> Refused | NotYours | None:
    """Return why an account may not accept an offer, None if it may."""
    row = offer.row
    if offer.state != OPEN:
        return _not_open(offer)
    if row["by"]["id"] == account.id:
        return Refused("own-offer", None, "you cannot play against yourself")
    if row["rated"] and (row["by"].get("owner") or row["by"]["id"]) == account.answers_for:
        return Refused("same-owner", None, "a game of one owner's accounts is not rated")
    if not row.get("rating_from", rating) <= rating <= row.get("rating_to", rating):
        return Refused("rating-outside", None, f"your rating, {rating:.2f}, is not in the range "
                                               "that is wished for")
    return None


def _not_open(offer: Offer) -> Refused:
    return Refused("offer-closed", None, f"this offer was {offer.state}"
                   if offer.state != "lapsed" else "this offer has lapsed")


def _close(games: Games, offer: Offer, closed: dict) -> Offer:
    """Close an offer for good; raise an error if it is not open."""
    if not offers.close(games.redis, offer, closed):
        raise _not_open(offers.read(games.redis, [offer.id])[0])
    _drop(games, offer)
    if "to" in offer.row:
        games.news.publish(offer.row["by"]["id"])
    return offers.read(games.redis, [offer.id])[0]


def _drop(games: Games, offer: Offer) -> None:
    by = offer.row["by"]
    offers.drop(games.redis, offer, by.get("owner") or by["id"])


def _create_game(games: Games, offer: Offer) -> None:
    """Create the game of an accepted offer, unless it exists."""
    row, redis = offer.row, games.redis
    sitting = [accounts.get(redis, who) for who in (row["by"]["id"], *offer.accepted)]
    if not games.store.has(row["game"]):
        creating.create_from(games, CreateGame(
            game=row["game"], creator=sitting[0].id,
            seats=tuple((account.player, None) for account in sitting),
            seed=secrets.token_bytes(SEED_BYTES), clock=row.get("clock"),
            on_timeout=row.get("on_timeout"), visibility=None if row["rated"] else "unlisted",
        ), games.store.boards[row["board"]], account=sitting[0])
    _drop(games, offer)


def _rating(redis: Redis, account: Account) -> float:
    """Return an account's rating over all boards."""
    return Listing(redis).standing(OVERALL, rated_id(account.player)).rating


def _place(offer: Offer) -> str:
    return f"{offer.lapses}.{offer.id}"
