"""Playing: the players' actions, and what the service does for those whose time is over."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import orjson
from redis import RedisError

from domain.entry import Once, Timing
from domain.errors import BrokenHistory, Refused
from domain.game.clock import ACT, action_for
from domain.game.commands import Command, TimeOut
from domain.game.fold import play
from domain.game.legal import Listed, legal_actions
from domain.game.state import FINISHED, PLAYING
from service.accounts.accounts import Account
from service.accounts.tokens import Caller
from service.errors import HistoryLost, NotYours, Stale, TooLong
from service.games import losses, sight
from service.games.clocks import GRACE, LATE
from service.games.games import Games
from service.store.games import KnownGame
from service.store.histories import Conflict
from service.store.side_by_side import Outcome, side_by_side
from service.times import now_in_ms

MISSED = 50  # entries that a stale action is told of at once
SHARE = 40 * 1024  # bytes of the answer to a batch that are reserved for an item before it is done
LARGEST = 100 * SHARE  # bytes that such an answer may have, about
# bytes, at most, of a view of the boards here: without a list, and of each row of the lists
VIEW, ACTION, GROUP = 9_000, 100, 300
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Wish:
    """What somebody wishes in a game: that an action be played, or, without one, to see it; how the
    view is to have the legal actions, and whether it ``is_told_less``: of an action no view.
    Nothing is done unless all ``tokens``, named by their keys, are good: the caller's and, in a
    batch, the request's own."""

    caller: Caller
    game: str
    tokens: tuple[str, ...] = ()
    action: Command | None = None
    once: Once | None = None
    version: int | None = None
    note: str | None = None
    thinking: int | None = None
    listed: Listed = "true"
    is_told_less: bool = False


@dataclass
class Room:
    """How many bytes are left of the answer to a batch. Once one item had no room, those that have
    not begun have none either, so that in a game no action is played before an earlier one.
    ``shown`` has the version of each game at which an account was shown what it had missed."""

    left: int = LARGEST
    is_full: bool = False
    shown: dict[tuple[str, str], int] = field(default_factory=dict)


def answers_to(games: Games, wishes: Iterable[Wish]) -> list[Outcome[dict]]:
    """Do what is wished in many games at once; return what comes of each wish, in their
    order. In each game they are done one after the other; all is as if each had come alone, but
    that what was missed in a game is told once, and that some may be left to another request
    (TooLong)."""
    outcomes: list[Outcome[dict]] = []
    room = Room()
    of_games: dict[str, list[Outcome[dict]]] = {}
    for wish in wishes:
        outcomes.append(Outcome(partial(_answer_in, room, games, wish)))
        of_games.setdefault(wish.game, []).append(outcomes[-1])
    side_by_side([partial(_do_in_turn, of_one) for of_one in of_games.values()])
    return outcomes


def _do_in_turn(outcomes: Iterable[Outcome[dict]]) -> None:
    for outcome in outcomes:
        outcome.do()


def _answer_in(room: Room, games: Games, wish: Wish) -> dict:
    """Do what is wished if the answer has room for it; else raise TooLong and do nothing. An
    action keeps the whole share that was reserved for it, as it must be answered once it is played:
    that is enough, since nobody has many legal actions right after an own action."""
    if room.is_full or room.left < SHARE:
        room.is_full = True
        raise TooLong
    room.left -= SHARE
    try:
        answer = answer_to(games, wish, room)
    except Exception as error:
        room.left += SHARE
        if isinstance(error, Stale):
            size = len(orjson.dumps(error.more))
            if size > room.left:
                size, error.more = 0, {"version": error.more["version"]}
            room.left -= size
        raise
    if wish.action is None:
        room.left += SHARE - (size := size_of(answer["view"]))
        if room.left < 0:
            room.left, room.is_full = room.left + size, True
            raise TooLong
    return answer


def size_of(view: dict) -> int:
    """Return about how many bytes a view takes as JSON, rather too many than too few."""
    you = view.get("you", {})
    if "legal_actions" in you:
        return VIEW + ACTION * len(you["legal_actions"])
    return VIEW + GROUP * len(you["grouped_actions"]) if "grouped_actions" in you else VIEW


def answer_to(games: Games, wish: Wish, room: Room | None = None) -> dict:
    """Do what is wished; return what is answered: the ``version``, the ``entries`` that an
    action became, and the ``view``. Raise what refuses it, Stale with what is needed to decide
    again. In a batch, which has this ``room``, an account is given that once for each version of a
    game."""
    account, me = wish.caller.account, wish.caller.account.id
    if wish.action is None:
        games.check_tokens(wish.tokens)
        game = sight.game_for(games, me, wish.game)
        return {"version": game.state.version, "view": sight.view(games, game, me, wish.listed)}
    try:
        game = act(games, account, wish.game, wish.action, wish.once, wish.version,
                   wish.tokens, wish.note, wish.thinking)
    except Stale as stale:
        now = games.get(wish.game)
        wrong = losses.ahead(games, now, stale.since) if stale.since > now.state.version else None
        if isinstance(wrong, HistoryLost):
            raise wrong from None
        stale.more = {"version": now.state.version}
        if room is None or room.shown.get((wish.game, me)) != now.state.version:
            stale.more |= _missed(games, now, wish, stale.since)
            if room:
                room.shown[wish.game, me] = now.state.version
        raise
    played = {"version": game.state.version,
              "entries": [sight.last_entry(games, game, me, then=True)]}
    if not wish.is_told_less:
        played["view"] = sight.view(games, game, me, wish.listed, then=True)
    return played


def _missed(games: Games, game: KnownGame, wish: Wish, since: int) -> dict:
    """Return the ``view`` of a game, its first ``entries`` since a version and, if there are more,
    the ``next`` from which on they are to be had."""
    me = wish.caller.account.id
    entries = sight.entries(games, game, me, since, MISSED)
    missed = {"view": sight.view(games, game, me, wish.listed), "entries": entries}
    if entries and entries[-1]["version"] < game.state.version:
        missed["next"] = entries[-1]["version"]
    return missed


def act(
    games: Games,
    account: Account,
    game_id: str,
    action: Command,
    once: Once | None = None,
    version: int | None = None,
    tokens: tuple[str, ...] = (),
    note: str | None = None,
    thinking: int | None = None,
) -> KnownGame:
    """Play an action on the caller's seat; return the game as it was then, which the action's
    entry is the last of.

    The same key again is the same action, played once. ``version`` makes the action count only if
    the game is still there; raise Stale otherwise. ``tokens`` are the keys of tokens that were
    good a while ago: the same step checks that none was revoked. ``note`` is kept next to the
    action; one that comes with a key that was used already is not. ``thinking``, in milliseconds,
    counts of built-in bots alone.
    """
    def decision(game: KnownGame) -> tuple[int, Command]:
        seat = sight.seat_of(game.state, account.id)
        if seat is None:
            sight.check(game.state, account.id)
            raise NotYours("you have no seat in this game")
        if version is not None and game.state.version != version:
            raise Stale(game.state.version, version)
        if not wrong and version is not None:
            wrong.extend(losses.doubt(games, game_id, account.id, version, once and once.id))
        if wrong:  # also when the decision is made again
            raise wrong[0]
        return seat, action

    wrong: list[HistoryLost] = []
    try:
        return games.do(game_id, decision, once, tokens, note, thinking)
    except Refused as refused:
        if refused.code == LATE and account.player.is_built_in:  # nobody else looks at its clock
            _time_out_of(games, games.get(game_id), account.id)
        raise


def _time_out_of(games: Games, game: KnownGame, account_id: str) -> None:
    seat = sight.seat_of(game.state, account_id)
    if seat in game.since:
        _act_for(games, game, seat)


def end_silence(
    games: Games, account: Account, game_id: str, once: Once | None = None
) -> KnownGame:
    """Let a seat leave that has been silent for too long in a game without a clock, as a player
    asks for who waits for it."""
    def decision(game: KnownGame) -> tuple[int, object]:
        state, seat = game.state, sight.seat_of(game.state, account.id)
        sight.check(state, account.id)
        if seat is None:
            raise NotYours("you have no seat in this game")
        if state.status != PLAYING:
            raise Refused("game-finished" if state.status == FINISHED else "game-not-started",
                          "8.5", "the game is not under way")
        if state.clock:
            raise Refused("has-a-clock", "8.5", "the game's clock ends it for those who are late")
        if state.left[seat] is not None or seat in game.since:
            raise Refused("not-waiting", "8.5", "only who waits for others may ask for this")
        return min(game.since, key=lambda other: game.since[other][1]), TimeOut()

    return games.do(game_id, decision, once)


def enforce_deadlines(games: Games) -> None:
    """Let no deadline pass that is over. Several processes may do so at a time: what one has
    appended, another cannot append again."""
    for game_id in games.clocks.due():
        try:
            time_out(games, game_id)
        except (RedisError, OSError):
            raise
        except Exception as error:  # whatever is wrong with one, the others are to have their turn
            if not isinstance(error, BrokenHistory):  # which was said already
                log.exception("the clock of %s could not be kept", game_id)
            games.clocks.put_off(game_id)


def time_out(games: Games, game_id: str) -> None:
    """Act, or resign, for a seat whose time is over; note when to look next."""
    game = games.get(game_id)
    deadlines = games.clocks.deadlines(game)
    late = [seat for seat, ms in deadlines.items() if ms + GRACE <= now_in_ms()]
    if not late:
        games.clocks.file(game, deadlines, looked_at=True)
        return
    _act_for(games, game, late[0])


def _act_for(games: Games, game: KnownGame, seat: int) -> None:
    """Act, or resign, for a seat."""
    state, clock = game.state, game.state.clock
    acts = clock is not None and clock.on_timeout == ACT
    command = action_for(legal_actions(state, seat)) if acts else TimeOut()
    events, after = play(state, seat, command)
    timing: Timing = {"available": game.since[seat][1], "timed_out": True}
    with suppress(Conflict):  # the seat or another process was quicker: look again
        games.append(game, events, after, seat, command, timing=timing)
