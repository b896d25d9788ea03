"""Visibility: who may see a game, and which part of it. Games leave the service only through here.

Each answer makes one ``Viewer``, which says who looks and whether the game is an open book. A game
is one, without secrets, once it is over; a game whose deal is played several times, once all games
of the deal are over.
"""

from collections.abc import Collection, Mapping
from typing import Any

import orjson

from domain.errors import Refused
from domain.game import view
from domain.game.legal import Listed
from domain.game.state import FINISHED, State
from service.errors import NotYours, UnknownThing
from service.eventlog.loaded import entry_of
from service.games import rollbacks
from service.games.games import Games
from service.games.store import GameStore, LoadedGame
from service.redis import secret
from service.times import as_time, in_ms

# parts of an entry's JSON text; no string inside an entry can contain them, as quotes are escaped
ENDED = b'"type":"game_ended"'
HIDDEN = (b'"visibility":"', b'"spectators":false')


class Viewer:
    """An account that looks at a game as it is now, or anybody, who has no account.

    With ``then``, they look at the answer to the game's last action, which is the same each time
    that it is requested."""

    def __init__(self, games: Games, game: LoadedGame, account: str | None, *, then: bool = False):
        state = game.state
        self.games, self.game, self.account, self.then = games, game, account, then
        self.seat = seat_of(state, account)
        self.is_open = state.status == FINISHED and not (
            is_duplicate(state) and (then or not is_deal_over(games.store, state.terms.deal))
        )

    def check(self) -> None:
        """Raise NotYours or UnknownThing if the viewer may not see the game now. All may see the
        games of a duplicate deal once the deal is over."""
        if not (self.is_open and is_duplicate(self.game.state)):
            check(self.game.state, self.account)

    def at(self, version: int | None) -> LoadedGame:
        """Return the state of the game at a version, by default the present one. Raise Ahead if the
        version does not exist, HistoryLost if it was lost."""
        games, game = self.games, self.game
        if version is None or version == game.state.version:
            return game
        if version > game.state.version:
            raise rollbacks.version_error(games, game, version)
        return games.store.at(game.state.id, version)

    def view(self, listed: Listed = "true") -> dict:
        """Return the game as the viewer may see it: the API's view object."""
        games, game, state = self.games, self.game, self.game.state
        shown = view.view_with_terms(state, self.seat, listed=listed, sealed=not self.is_open)
        if state.clock:
            deadlines = games.clocks.deadlines(
                game, in_ms(game.updated) if self.then else None, is_shown=True
            )
            for row in shown["deciding"]:
                if (end := deadlines.get(row["seat"])) is not None:
                    row["deadline"] = as_time(end)
        _complete(games.store, game, shown)
        if state.terms.visibility != "public" and self.account == state.terms.creator:
            shown["invitation"] = invitation(games, state.id)
        if state.terms.tournament and (reason := games.strengths.unrated_because(state)):
            shown["unrated"] = reason
        return shown

    def view_at(self, was: LoadedGame, listed: Listed) -> dict:
        """Return an earlier state of the game, ``was``, as the viewer may see it now.

        While the game runs, the viewer sees what they could see then. Once it is an open book,
        every seat shows what it held then."""
        if was.state.version == self.game.state.version:
            return self.view(listed)
        shown = Viewer(self.games, was, self.account).view(listed)
        for row in shown["deciding"]:
            row.pop("deadline", None)  # the decision was made
        if was.state.was_begun and self.is_open:
            for seat in shown["seats"]:
                seat["revealed"] = view.holdings(was.state, seat["seat"])
        return shown

    def entries(self, after: int, limit: int | None = None) -> list[Mapping[str, Any]]:
        """Return entries after a version as the viewer may see them, each with its hash."""
        version = self.game.state.version
        last = version if limit is None else min(version, after + limit)
        if last <= after:
            return []
        if after + 1 == version:
            return [self.last_entry()]
        return [
            view.redacted(entry_of(text, entry_hash), self.seat, self.is_open)
            for text, entry_hash in self.games.store.entries(self.game.state.id, after, last)
        ]

    def last_entry(self) -> Mapping[str, Any]:
        return view.redacted(self.game.last, self.seat, self.is_open)


def viewer_of(games: Games, account: str | None, game_id: str) -> Viewer:
    """Return the viewer of a game; raise NotYours or UnknownThing if they may not see it."""
    viewer = Viewer(games, games.get(game_id), account)
    viewer.check()
    return viewer


def open_book_for(games: Games, account: str | None, game_id: str) -> LoadedGame:
    """Return an open book if the account may see it; raise Refused if the game is not over."""
    viewer = viewer_of(games, account, game_id)
    if not viewer.is_open:
        raise Refused("game-not-finished", "7", "the game is not over")
    return viewer.game


def view_of_table(games: Games, game: LoadedGame) -> dict:
    """Return the public part of a game, which every player sees on the table."""
    shown = view.view_with_terms(game.state, None, listed="false", sealed=True)
    games.store.deleted.hide(shown["seats"])
    return shown


def view_of_decision(store: GameStore, game: LoadedGame, seat: int) -> dict:
    """Return the view, without deadlines and ``unrated``, that a seat had when it had to decide."""
    shown = view.view_with_terms(game.state, seat, sealed=True)
    _complete(store, game, shown)
    return shown


def seat_of(state: State, account: str | None) -> int | None:
    for seat, player in enumerate(state.players) if account else ():
        if player and player.id == account:
            return seat
    return None


def takes_part(state: State, account: str | None) -> bool:
    """Return whether an account has created a game, has a seat in it, or is invited to one."""
    return account is not None and (
        account == state.terms.creator
        or seat_of(state, account) is not None
        or state.invitation_of(account) is not None
    )


def check(state: State, account: str | None) -> None:
    """Raise NotYours if the account may not see a game under way, UnknownThing if it is private."""
    if state.terms.spectators or takes_part(state, account):
        return
    if state.terms.visibility == "private":
        raise UnknownThing("game", state.id)
    raise NotYours("this game is not open to spectators")


def is_for_all(state: State) -> bool:
    """Return whether anybody who knows a game's id may see it."""
    return state.terms.visibility != "private" and state.terms.spectators


def is_public(state: State) -> bool:
    """Return whether anybody may find and see a game."""
    return state.terms.visibility == "public" and state.terms.spectators


def is_duplicate(state: State) -> bool:
    """Return whether a game's deal is played several times, by the same players in other seats."""
    return not state.terms.spectators and bool(state.terms.deal)


def is_deal_over(store: GameStore, deal: Collection[str]) -> bool:
    return store.ended(deal).keys() == {*deal}


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
    return (
        place is not None
        and created.get("spectators") is False
        and is_deal_over(store, place["games"])
    )


def invitation(games: Games, game_id: str) -> str:
    """Return the code that lets people join a game that is not public."""
    return secret.invitation(games.secret, game_id)


def _complete(store: GameStore, game: LoadedGame, shown: dict) -> None:
    """Add the times of the creation, the start and the last entry to a view, and the time left to
    each seat if it is limited for the whole game. Hide the names of deleted accounts."""
    shown |= {"created": game.created, "updated": game.updated}
    if game.started:
        shown["started"] = game.started
    clock = game.state.clock
    if clock and clock.has_bank and game.state.was_begun:
        for seat, bank in zip(shown["seats"], game.banks, strict=True):
            seat["bank"] = bank / 1000
    store.deleted.hide(shown["seats"])
