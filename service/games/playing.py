"""Playing: from a request to the stored entry, and the answer to it.

``append_action`` plays a player's action. ``run_command`` does the other things that change a game,
such as joining it. ``enforce_deadlines`` acts for seats whose time is over. All of them append by
``append_and_publish``.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from domain.entry import IdempotencyKey, Timing
from domain.errors import FoggError, Refused
from domain.game.clock import ACT, action_for
from domain.game.commands import CloseInvitation, Command, Resign, TimeOut
from domain.game.fold import play
from domain.game.legal import Listed, legal_actions
from domain.game.state import FINISHED
from service.accounts.accounts import Account
from service.accounts.tokens import Caller
from service.errors import HistoryLost, NotYours, OutOfTime, Stale
from service.eventlog.steps import Steps
from service.eventlog.store import NewEntry
from service.games import listing, rollbacks, visibility, workers
from service.games.clocks import GRACE_MS, is_timed
from service.games.games import Games
from service.games.store import LoadedGame
from service.games.visibility import Viewer
from service.redis.conflicts import Conflict
from service.redis.guarding import UNREACHABLE, log_errors
from service.times import now_in_ms

MAX_MISSED = 50  # entries in the answer to a stale action
log = logging.getLogger(__name__)

# a game -> the seat that acts, None for the service or the creator, and its command
Decision = Callable[[LoadedGame], tuple[int | None, object]]


@dataclass(slots=True)  # not frozen, which would make each action slower; nobody changes one
class ActionRequest:
    """A request to play an action in a game, or, without an action, to see the game.

    Nothing is done unless all ``tokens``, named by their keys, are good: the caller's and, in a
    batch, the request's own. ``once`` is the idempotency key, ``versions`` are those that the
    action is meant for, None for any. ``thinking`` is how many milliseconds a built-in bot took to
    choose the action. ``listed`` says how the view lists the legal actions; ``minimal`` asks for an
    answer without the view."""

    caller: Caller
    game: str
    tokens: tuple[str, ...] = ()
    action: Command | None = None
    once: IdempotencyKey | None = None
    versions: tuple[int, ...] | None = None
    note: str | None = None
    thinking: int | None = None
    listed: Listed = "true"
    minimal: bool = False


def append_action(games: Games, request: ActionRequest) -> LoadedGame:
    """Play an action on the caller's seat: load the game, decide, append, publish. Return the game
    right after, whose last entry is the action's.

    An action with an idempotency key is played once, however often it is requested. If a token was
    revoked, nothing is played and no other error is shown. Raise Stale if the game is not at a
    version of the request, HistoryLost if that version may be one that Redis has lost."""
    account, arrived = request.caller.account, now_in_ms()
    rollback: HistoryLost | None = None

    def decide_and_append(game: LoadedGame) -> LoadedGame:
        nonlocal rollback
        # Decide: who acts, on which version, what follows by the rules, how long it took.
        seat = _seat_in(game, account)
        if request.versions is not None:
            version = game.state.version
            if version not in request.versions:
                raise Stale(version, max(request.versions, default=version))
            # remembered: it is reported once, and a second attempt must fail, too
            rollback = rollback or rollbacks.rollback_error(
                games,
                request.game,
                account.id,
                version,
                request.once.id if request.once else "",
            )
            if rollback:
                raise rollback
        events, state = play(game.state, seat, request.action)
        timing = None
        if is_timed(game, seat, request.action):
            timing = games.clocks.timing(game, seat, arrived, request.thinking)
        # Append and publish.
        return append_and_publish(
            games,
            game,
            NewEntry(
                events,
                state,
                seat,
                request.action,
                request.note,
                request.once,
                timing,
                request.tokens,
            ),
        )

    # Load, and again after a conflict.
    return update(games, request.game, decide_and_append, request.once, request.tokens)


def run_command(
    games: Games, game_id: str, decide: Decision, once: IdempotencyKey | None = None
) -> LoadedGame:
    """Load a game, run the command that ``decide`` returns for it, append, publish. Return the
    game right after. With an idempotency key the command is run once."""

    def decide_and_append(game: LoadedGame) -> LoadedGame:
        seat, command = decide(game)
        return append_and_publish(games, game, decided(game, seat, command, None, once))

    return update(games, game_id, decide_and_append, once)


def resign(games: Games, account: Account, game_id: str) -> LoadedGame:
    """Resign an account's seat in a game under way, without a request of that account."""
    return run_command(games, game_id, lambda game: (_seat_in(game, account), Resign()))


def append_and_publish(
    games: Games, game: LoadedGame, new: NewEntry, is_marked: bool = False
) -> LoadedGame:
    """Append an entry and publish it; return the game right after. ``is_marked``: for the sweep."""
    state = new.state
    must_project = new.action is None or state.status != game.state.status
    lease = workers.lease(state, new.seat)
    # marked first, so that the sweep publishes the entry if this process dies on the way
    if must_project:
        if not is_marked:
            games.marks.mark(state.id, state.version)
    elif lease and lease[0] == workers.TAKE:
        games.marks.schedule_check(state.id)
    after, has_lease = games.store.append(game, new, lease)
    try:
        # else there is no deadline, before or after; ``listing`` removes that of a finished game
        steps = Steps(games.store.redis) if must_project else None
        if state.status != FINISHED and (game.since or after.since or state.invitations):
            games.clocks.follow(game, after, steps.pipe if steps else None)
        if steps:  # last of what the mark is for, as this removes it
            listing.project(games.store, after, game.state, steps)
        for listener in games.listeners:
            listener(after)
    except UNREACHABLE as error:  # the sweep does it
        log.warning("projections of %s could not be updated: %r", state.id, error)
    if has_lease:
        workers.call(games.queues, after.state, games.answering_for(after.state.terms.creator))
    return after


def decided(
    game: LoadedGame,
    seat: int | None,
    command: object,
    timing: Timing | None = None,
    once: IdempotencyKey | None = None,
) -> NewEntry:
    """Return the entry of a command; only that of a player's action names seat and action."""
    events, state = play(game.state, seat, command)
    action = command if isinstance(command, Command) else None
    return NewEntry(
        events, state, seat if action or timing else None, action, once=once, timing=timing
    )


def _seat_in(game: LoadedGame, account: Account) -> int:
    """Return an account's seat in a game; raise NotYours, or UnknownThing, if it has none."""
    seat = visibility.seat_of(game.state, account.id)
    if seat is None:
        visibility.check(game.state, account.id)
        raise NotYours("you have no seat in this game")
    return seat


def update(
    games: Games,
    game_id: str,
    decide_and_append: Callable[[LoadedGame], LoadedGame],
    once: IdempotencyKey | None = None,
    tokens: tuple[str, ...] = (),
) -> LoadedGame:
    """Return a game after what ``decide_and_append`` does with it. It is called again after a
    conflict. With an idempotency key it does its work once."""
    try:
        game, is_new = games.store.do(game_id, decide_and_append, once)
    except Conflict:
        raise Refused("too-busy", "9", "others were quicker too often; try again") from None
    except FoggError:
        games.check_tokens(tokens)
        raise
    if not is_new:
        games.check_tokens(tokens)
    return game


def answer_to(
    games: Games, request: ActionRequest, shown: dict[tuple[str, str], int] | None = None
) -> dict:
    """Return the answer to a request: the ``version``, the ``entries`` that an action became, and
    the ``view``. Raise what refuses it, Stale with the entries that the caller has missed.

    The requests of a batch share ``shown``: the versions at which each account got the missed
    entries of a game. It gets them once for each version."""
    account = request.caller.account
    me = account.id
    if request.action is None:
        games.check_tokens(request.tokens)
        viewer = visibility.viewer_of(games, me, request.game)
        return {"version": viewer.game.state.version, "view": viewer.view(request.listed)}
    try:
        game = append_action(games, request)
    except Stale as stale:
        viewer = Viewer(games, games.get(request.game), me)
        version = viewer.game.state.version
        if stale.since > version:
            wrong = rollbacks.version_error(games, viewer.game, stale.since)
            if isinstance(wrong, HistoryLost):
                raise wrong from None
        stale.more = {"version": version}
        if shown is None or shown.get((request.game, me)) != version:
            stale.more["view"] = viewer.view(request.listed)
            stale.more["entries"] = entries = viewer.entries(stale.since, MAX_MISSED)
            if entries and entries[-1]["version"] < version:
                stale.more["next"] = entries[-1]["version"]
            if shown is not None:
                shown[request.game, me] = version
        raise
    except OutOfTime as late:
        if account.player.is_built_in:  # no loop watches their clocks
            _act_for(games, late.game, late.seat)
        raise
    viewer = Viewer(games, game, me, then=True)
    played = {"version": game.state.version, "entries": [viewer.last_entry()]}
    if not request.minimal:
        played["view"] = viewer.view(request.listed)
    return played


def enforce_deadlines(games: Games) -> None:
    """Act for all seats whose time is over. Of several processes, the append lets one succeed."""
    for game_id in games.clocks.due():
        with log_errors(f"the clock of {game_id} could not be kept") as guard:
            time_out(games, game_id)
        if guard.failed:
            games.clocks.put_off(game_id)


def time_out(games: Games, game_id: str) -> None:
    """Act, or resign, for one seat whose time is over, or close an expired invitation. If there is
    none, store the next deadline."""
    game = games.get(game_id)
    deadlines = games.clocks.deadlines(game)
    late = [seat for seat, ms in deadlines.items() if ms + GRACE_MS <= now_in_ms()]
    if not late:
        games.clocks.schedule(game, deadlines, is_checked=True)
        return
    if game.state.invitations:
        with suppress(Conflict):  # it was answered, or another process was quicker: look again
            [player] = [one.player["id"] for one in game.state.invitations if one.seat == late[0]]
            append_and_publish(games, game, decided(game, None, CloseInvitation(player, "expired")))
        return
    _act_for(games, game, late[0])


def _act_for(games: Games, game: LoadedGame, seat: int) -> None:
    state, clock = game.state, game.state.clock
    acts = clock is not None and clock.on_timeout == ACT
    command = action_for(legal_actions(state, seat)) if acts else TimeOut()
    timing: Timing = {"available": game.since[seat][1], "timed_out": True}
    with suppress(Conflict):  # the seat or another process was quicker: look again
        append_and_publish(games, game, decided(game, seat, command, timing))
