"""What is sent for as long as somebody listens: a game's entries as they come.

Each is a generator that yields None when it is time for a sign of life. It ends when there can be
nothing more, and raises ``Cut`` when the listener is to come back: a stream that is cut off never
looks like one that is complete.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass

from redis import Redis

from domain.game.state import FINISHED
from service.accounts.tokens import is_valid
from service.errors import UnknownThing
from service.games import losses, sight
from service.games.games import Games
from service.store.games import KnownGame

SILENCE = 15.0  # seconds without news after which a sign of life is sent


class Cut(ConnectionResetError):
    """The stream cannot go on, though it is not complete. To the server that is as if the
    connection had been cut, and no fault."""

    def __init__(self, why: str):
        super().__init__(errno.ECONNRESET, why)


@dataclass(frozen=True)
class Lost:
    """What was sent of a game after a ``version``, up to the one that it ``was`` at, is no more."""

    version: int
    was: int


def entries(
    games: Games, viewer: str | None, game_id: str, after: int, token: str | None = None
) -> Iterator[tuple[KnownGame, list[dict]] | Lost | None]:
    """Yield (the game, its entries since as a viewer may see them) from the version ``after`` on
    until the game is over; ``Lost`` where the game has gone back, and it goes on from there.

    The first is yielded at once, also when there is no entry yet. ``token`` is the id of the
    token that the stream was asked for with: once it is revoked the stream is cut.
    """
    game = sight.game_for(games, viewer, game_id)
    if after > game.state.version:
        raise losses.ahead(games, game, after)
    has_begun = False
    if (certain := losses.certain(games, game_id, after)) < after:
        yield Lost(certain, after)
        after, has_begun = certain, True
    with games.news.follow(game_id, *([token] if token else ())) as follower:
        is_first = True
        while True:
            was, game = game, _game(games, game_id)
            stands = game.version_shared_with(was) if game else 0
            if stands < min(after, was.state.version):
                yield Lost(stands, was.state.version)
                after, is_first, has_begun = stands, True, True
            if game is None:
                raise Cut("the game is lost") if has_begun else UnknownThing("game", game_id)
            found = sight.entries(games, game, viewer, after)
            if found or is_first:
                yield game, found
            is_first, has_begun, after = False, True, game.state.version
            if game.state.status == FINISHED:
                return
            woken = follower.wait(SILENCE)
            if token in woken:
                check_token(games.redis, token)
            if not woken:
                yield None


def _game(games: Games, game_id: str) -> KnownGame | None:
    try:
        return games.store.load_together(game_id)
    except UnknownThing:
        return None


def check_token(redis: Redis, token: str) -> None:
    """Cut the stream if its token was revoked."""
    if not is_valid(redis, token):
        raise Cut("the token was revoked")
