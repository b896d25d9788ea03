"""Visibility: who may see a game, and which part of it. Games leave the service only through here.

A viewer is the id of an account, or None for anybody. A game is an open book, without secrets, once
it is over; a game whose deal is played several times, once all games of the deal are over. This
module checks that each time, so that no caller can forget to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import orjson

from domain.errors import Refused
from domain.game import view as secrecy
from domain.game.legal import Listed
from domain.game.state import FINISHED, State
from service.errors import NotYours, UnknownThing
from service.games import rollbacks
from service.games.games import Games
from service.store import secret
from service.store.games import GameStore, LoadedGame
from service.store.loaded import entry_of
from service.times import as_time, in_ms

# parts of an entry's JSON text; no string inside an entry can contain them, as quotes are escaped
ENDED = b'"type":"game_ended"'
HIDDEN = (b'"visibility":"', b'"spectators":false')


# Permissions


def seat_of(state: State, viewer: str | None) -> int | None:
    """Return the seat that an account has in a game, None if it has none."""
    for seat, player in enumerate(state.players) if viewer else ():
        if player and player.id == viewer:
            return seat
    return None


def takes_part(state: State, viewer: str | None) -> bool:
    """Return whether an account has created a game, has a seat in it, or is invited to one."""
    return viewer is not None and (
        viewer == state.terms.creator or seat_of(state, viewer) is not None
        or state.invitation_of(viewer) is not None)


def is_for_all(state: State) -> bool:
    """Return whether anybody who knows a game's id may see it."""
    return state.terms.visibility != "private" and state.terms.spectators


def is_public(state: State) -> bool:
    """Return whether anybody may find and see a game."""
    return state.terms.visibility == "public" and state.terms.spectators


def check(state: State, viewer: str | None) -> None:
    """Raise NotYours if the viewer may not see a game under way, UnknownThing if it is private."""
    if state.terms.spectators or takes_part(state, viewer):
        return
    if state.terms.visibility == "private":
        raise UnknownThing("game", state.id)
    raise NotYours("this game is not open to spectators")


def game_for(games: Games, viewer: str | None, game_id: str) -> LoadedGame:
    """Return a game if the viewer may see it."""
    game = games.get(game_id)
    check_now(games, viewer, game.state)
    return game


def check_now(games: Games, viewer: str | None, state: State) -> None:
    """Raise NotYours or UnknownThing if the viewer may not see a game in its present state. All may
    see the games of a duplicate deal once the deal is over."""
    if not is_duplicate(state) or _is_sealed(games, state):
        check(state, viewer)


def open_book_for(games: Games, viewer: str | None, game_id: str) -> LoadedGame:
    """Return an open book if the viewer may see it; raise Refused if the game is not over."""
    game = game_for(games, viewer, game_id)
    if not is_open_book(games, game.state):
        raise Refused("game-not-finished", "7", "the game is not over")
    return game


def is_open_book(games: Games, state: State, *, then: bool = False) -> bool:
    """Return whether a game has no secrets any more. With ``then``, return it as the answer to the
    game's last action did, so that a repeated request gets the same answer."""
    if state.status != FINISHED:
        return False
    return not (is_duplicate(state) and (then or _is_sealed(games, state)))


def is_published(store: GameStore, first: bytes, last: bytes) -> bool:
    """Return whether a history may be published: the game is over, and it is public or belongs to a
    deal that is over. This is read from the history (its first and last entry), not from
    indexes."""
    if ENDED not in last:
        return False
    if not any(word in first for word in HIDDEN):
        return True
    created = orjson.loads(first)["events"][0]
    place = created.get("tournament") or created.get("pool")
    return place is not None and created.get("spectators") is False and is_deal_over(
        store, place["games"])


def is_deal_over(store: GameStore, deal: Collection[str]) -> bool:
    return store.ended(deal).keys() == {*deal}


def is_duplicate(state: State) -> bool:
    """Return whether a game's deal is played several times, by the same players in other seats."""
    return not state.terms.spectators and bool(state.terms.deal)


def _is_sealed(games: Games, state: State) -> bool:
    """Return whether a game's cards must stay secret although it is over, since another game of the
    same deal is not over. While the game itself goes on, nothing is read."""
    return is_duplicate(state) and (
        state.status != FINISHED or not is_deal_over(games.store, state.terms.deal))


# Views


def view(
    games: Games, game: LoadedGame, viewer: str | None, listed: Listed = "true", *,
    then: bool = False,
) -> dict:
    """Return a game as a viewer may see it: the API's view object. ``then`` is for an answer that
    must be the same each time that it is requested."""
    state = game.state
    shown = secrecy.view(state, seat_of(state, viewer), listed=listed,
                         sealed=not is_open_book(games, state, then=then)) | terms(state)
    if state.clock:
        deadlines = games.clocks.deadlines(
            game, in_ms(game.updated) if then else None, is_shown=True)
        for row in shown["deciding"]:
            if (end := deadlines.get(row["seat"])) is not None:
                row["deadline"] = as_time(end)
    _show_times(game, shown)
    _show_banks(game, shown)
    games.store.deleted.hide(shown["seats"])
    if state.terms.visibility != "public" and viewer == state.terms.creator:
        shown["invitation"] = invitation(games, state.id)
    return shown


def view_at(
    games: Games, game: LoadedGame, was: LoadedGame, viewer: str | None, listed: Listed
) -> dict:
    """Return an earlier state of a game, ``was``, as a viewer may see it now.

    While the game runs, the viewer sees what they could see then. Once it is an open book, every
    seat shows what it held then."""
    shown = view(games, was, viewer, listed)
    if was.state.version == game.state.version:
        return shown
    for row in shown["deciding"]:
        row.pop("deadline", None)  # the decision was made
    if was.state.was_begun and is_open_book(games, game.state):
        for seat in shown["seats"]:
            seat["revealed"] = secrecy.holdings(was.state, seat["seat"])
    return shown


def view_of_table(games: Games, game: LoadedGame) -> dict:
    """Return the public part of a game, which every player sees on the table."""
    shown = secrecy.view(game.state, None, listed="false", sealed=True) | terms(game.state)
    games.store.deleted.hide(shown["seats"])
    return shown


def view_of_decision(store: GameStore, game: LoadedGame, seat: int) -> dict:
    """Return the view, without deadlines, that a seat had when it had to decide."""
    shown = secrecy.view(game.state, seat, sealed=True) | terms(game.state)
    _show_times(game, shown)
    _show_banks(game, shown)
    store.deleted.hide(shown["seats"])
    return shown


def terms(state: State) -> dict:
    """Return the members of a view that show the terms of a game."""
    own, shown = state.terms, dict[str, Any](creator=state.terms.creator)
    if own.visibility != "public":
        shown["visibility"] = own.visibility
    if not own.spectators:
        shown["spectators"] = False
    if place := own.tournament:
        shown["tournament"] = {name: place[name] for name in ("id", "round", "table")}
    if pairing := own.pool:
        shown["pool"] = {"id": pairing["id"]} | ({"test": True} if pairing.get("test") else {})
    return shown


def entries(
    games: Games, game: LoadedGame, viewer: str | None, after: int, limit: int | None = None
) -> list[Mapping[str, Any]]:
    """Return the entries after a version, up to the game's, as a viewer may see them, each with
    its hash."""
    version = game.state.version
    last = version if limit is None else min(version, after + limit)
    if last <= after:
        return []
    if after + 1 == version:
        return [last_entry(games, game, viewer)]
    seat, is_open = seat_of(game.state, viewer), is_open_book(games, game.state)
    return [secrecy.redacted(entry_of(text, entry_hash), seat, is_open)
            for text, entry_hash in games.store.entries(game.state.id, after, last)]


def last_entry(
    games: Games, game: LoadedGame, viewer: str | None, *, then: bool = False
) -> Mapping[str, Any]:
    """Return the last entry of a game as a viewer may see it; ``then`` as in ``view``."""
    return secrecy.redacted(game.last, seat_of(game.state, viewer),
                            is_open_book(games, game.state, then=then))


def at(games: Games, game: LoadedGame, version: int | None) -> LoadedGame:
    """Return the state of a game at a version, by default the present one. Raise Ahead if the
    version does not exist, HistoryLost if it was lost."""
    if version is None or version == game.state.version:
        return game
    if version > game.state.version:
        raise rollbacks.version_error(games, game, version)
    return games.store.at(game.state.id, version)


def invitation(games: Games, game_id: str) -> str:
    """Return the code that lets people join a game that is not public."""
    return secret.invitation(games.secret, game_id)


def _show_times(game: LoadedGame, shown: dict) -> None:
    """Add the times of the creation, the start and the last entry to a view."""
    shown |= {"created": game.created, "updated": game.updated}
    if game.started:
        shown["started"] = game.started


def _show_banks(game: LoadedGame, shown: dict) -> None:
    """Add the time left to each seat to a view, if it is limited for the whole game."""
    clock = game.state.clock
    if clock and clock.has_bank and game.state.was_begun:
        for seat, bank in zip(shown["seats"], game.banks, strict=True):
            seat["bank"] = bank / 1000
