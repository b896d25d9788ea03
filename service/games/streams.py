"""The stream of a game's entries as they come.

A stream is a generator. It yields None when it is time for a keep-alive. It ends when the game is
over, and raises ``Cut`` when the listener must come back: so an interrupted stream never looks
complete.
"""

import errno
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from redis import Redis

from domain.errors import FoggError
from domain.game.state import FINISHED
from service.accounts.tokens import is_valid
from service.errors import UnknownThing
from service.games import rollbacks
from service.games.games import Games
from service.games.store import LoadedGame
from service.games.visibility import Viewer, viewer_of

SILENCE_S = 15.0  # seconds without news after which a keep-alive is sent


class Cut(ConnectionResetError):
    """The stream ends although the game goes on. To the server it is a broken connection."""

    def __init__(self, why: str):
        super().__init__(errno.ECONNRESET, why)


@dataclass(frozen=True)
class Lost:
    """A rollback: the entries from after ``version`` up to ``previous_version`` are void."""

    version: int
    previous_version: int


def entries(
    games: Games,
    account: str | None,
    game_id: str,
    after: int,
    token: str | None = None,
    silence: float | None = None,
) -> Iterator[tuple[Viewer, list[Mapping[str, Any]]] | Lost | None]:
    """Yield (viewer of the game as it is now, new entries as they may see them) after a version
    until the game is over; ``Lost`` after a rollback, from which the stream then continues.

    The first item comes at once, even without any entry. The stream is cut once ``token``, the id
    of the caller's token, is revoked, or once the viewer may not see the game any more, as an
    invitation was declined or a seat was left. ``silence`` is in seconds, ``SILENCE_S`` by default.
    """
    game = viewer_of(games, account, game_id).game
    if after > game.state.version:
        raise rollbacks.version_error(games, game, after)
    has_begun = False
    if (certain := rollbacks.confirmed_version(games, game_id, after)) < after:
        yield Lost(certain, after)
        after, has_begun = certain, True
    with games.news.follow(game_id, *([token] if token else [])) as follower:
        is_first = True
        while True:
            now: LoadedGame | None = None
            with suppress(UnknownThing):
                now = games.store.load_shared(game_id)
            stands = now.version_shared_with(game) if now else 0
            if stands < min(after, game.state.version):
                yield Lost(stands, game.state.version)
                after, is_first, has_begun = stands, True, True
            if now is None:
                raise Cut("the game is lost") if has_begun else UnknownThing("game", game_id)
            game = now
            try:
                viewer = Viewer(games, game, account)
                viewer.check()
            except FoggError:  # the viewer has left, or has declined an invitation
                raise Cut("the viewer may not see the game any more") from None
            unread = viewer.entries(after)
            if unread or is_first:
                yield viewer, unread
            is_first, has_begun, after = False, True, game.state.version
            if game.state.status == FINISHED:
                return
            woken = follower.wait(silence or SILENCE_S)
            if token in woken:
                check_token(games.redis, token)
            if not woken:
                yield None


def check_token(redis: Redis, token: str) -> None:
    """Raise Cut if the stream's token was revoked."""
    if not is_valid(redis, token):
        raise Cut("the token was revoked")
