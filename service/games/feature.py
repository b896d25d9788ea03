from collections.abc import Iterable
from functools import partial

from domain.game.state import LOBBY
from service.accounts.accounts import Account
from service.eventlog.loaded import Rollback
from service.feature import Blueprints, Feature, Loop, Services
from service.games import (
    inviting,
    listing,
    lobby,
    measures,
    playing,
    rollbacks,
    visibility,
    workers,
)
from service.games.games import Games
from service.games.live import Live
from service.games.store import LoadedGame
from service.games.sweep import sweep
from service.redis.guarding import log_errors
from service.redis.queue import Crew


def _blueprints() -> Blueprints:
    from service.games.api import games, live, notices, playing

    for module in (games, playing, live):
        yield module.blueprint
    yield notices.blueprint


def _build(services: Services) -> None:
    games = services.games
    services.add(Live(games.store, games.news))
    games.store.on_append.append(measures.count_append)
    games.store.on_conflict.append(measures.CONFLICTS.inc)
    games.on_rollback.insert(0, partial(_on_rollback, games))  # other listeners read its note


def _on_rollback(games: Games, rollback: Rollback[LoadedGame]) -> None:
    rollbacks.note(games, rollback)
    if rollback.now:
        listing.move(games.store, rollback.now.state.id, rollback.was.state)


def _loops(services: Services) -> Iterable[Loop]:
    games = services.games
    yield Loop("sweep", 2.0, partial(sweep, games), is_shared=True)
    yield Loop("beat", 0.25, games.clocks.beat)
    yield Loop("clocks", 0.25, partial(playing.enforce_deadlines, games), is_shared=True)


def _leave_all(services: Services, account: Account) -> None:
    """Decline an account's invitations and leave its games. Log those that it cannot leave, as they
    have ended in between or are broken."""
    games = services.games
    decline = partial(inviting.close, player=account.id, reason="generic")
    for which, leave in (("invited", decline), ("current", _leave)):
        for raw in games.redis.zrange(f"player:{account.id}:{which}", 0, -1):
            with log_errors(f"{raw.decode()} was not left"):
                leave(games, account, raw.decode())


def _leave(games: Games, account: Account, game: str) -> None:
    """Resign a game under way. Before its start free the seat, or abort the account's own
    game."""
    state = games.get(game).state
    if state.status != LOBBY:
        playing.resign(games, account, game)
    elif state.terms.creator == account.id:
        lobby.abort(games, account, game)
    elif (seat := visibility.seat_of(state, account.id)) is not None:
        lobby.leave(games, account, game, seat)


FEATURE = Feature(
    "games", _blueprints, _build, _loops, works=(workers.GUESTS, workers.BOTS),
    crew=Crew(workers.BOTS.queue, "plays built-in bots", "games"), measures=measures.measures,
    on_account_closed=_leave_all)
