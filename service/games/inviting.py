"""Invitations to the seats of a new game: checking, declining and withdrawing them.

``player:ID:inviting``  a lock, held while a game with an invitation to this account is created
"""

from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

from redis.exceptions import LockError
from redis.lock import Lock

from domain.errors import Refused
from domain.game.commands import CloseInvitation
from domain.game.events import DeclineReason, PlayerInvited
from domain.game.state import State
from service.accounts import accounts
from service.accounts.accounts import Account, with_bots
from service.accounts.invitations import rules_of
from service.errors import NotYours, RecordsUnavailable, UnknownThing
from service.games import index, visibility
from service.games.games import Games
from service.games.playing import run_command
from service.games.store import LoadedGame
from service.redis.gathering import gather
from service.times import as_time, now_in_ms

MAX_OF_ONE = 3  # open invitations of one account and its bots to another account
LOCK_S = 10.0


def refused() -> Refused:
    """Return the error for a game that the rules of one of two accounts exclude. It is the same for
    a blocked account, which is not to know that."""
    return Refused(
        "invitation-refused",
        None,
        "you and the other player do not meet in this game: it is excluded by what one of you has "
        "set",
    )


def invitation(games: Games, account: Account, seat: int, row: dict) -> PlayerInvited:
    """Return the invitation to a seat that an account asks for."""
    field = f"seats.{seat}.invite"
    other = accounts.get(games.redis, row["invite"])
    if other.answers_for is None:
        raise Refused("built-in-bot", None, "seat a built-in bot by its name, with `bot`", field)
    if other.id == account.id:
        raise Refused("own-invitation", None, "you cannot invite yourself", field)
    expires = as_time(now_in_ms() + 60_000 * row["minutes"])
    return PlayerInvited(seat, other.player.as_json(), expires, row["if_declined"])


@contextmanager
def checked(games: Games, account: Account | None, state: State) -> Iterator[None]:
    """Check the invitations of a new game, and keep others from inviting the same players during
    the ``with`` block. Raise Refused if a player does not take the invitation."""
    with ExitStack() as stack:
        for player in sorted(one.player["id"] for one in state.invitations):
            lock = games.redis.lock(
                f"player:{player}:inviting", timeout=LOCK_S, blocking_timeout=LOCK_S / 2
            )
            if not lock.acquire():
                raise Refused("too-busy", "9", "others invite the same player; try again")
            stack.callback(_release, lock)
            assert account
            _check(games, account, state, player)
        yield


def _release(lock: Lock) -> None:
    with suppress(LockError):  # it has expired
        lock.release()


def _check(games: Games, account: Account, state: State, player: str) -> None:
    [rules] = rules_of(games.redis, [player])
    heads = index.invited_to(games.store, player)
    owners = [
        games.answering_for(state.terms.creator)
        for state in games.readable(head["id"] for head in heads)
    ]
    if owners.count(account.owner or account.id) >= MAX_OF_ONE:
        raise Refused(
            "too-many-invitations",
            None,
            f"this player has {MAX_OF_ONE} invitations of yours to answer",
        )
    places = rules.open
    with suppress(RecordsUnavailable):  # while they do not answer, everybody is a stranger
        if len(heads) >= places and games.strengths.have_played(account.id, player):
            places *= 2  # for whom one has played with: no stranger takes these
    if (
        kept_apart(games, account, [player])
        or len(heads) >= places
        or (rules.boards and state.board.id not in rules.boards)
        or (state.clock and state.clock.pace() < rules.shortest_clock)
    ):
        raise refused()


def kept_apart(games: Games, account: Account, others: Collection[str]) -> set[str]:
    """Return those of the ``others`` that an account meets in no open game and by no invitation:
    one of the two, or its owner or another bot of that, has blocked somebody of the other side."""
    blocking = games.blocking.ids
    if not blocking:
        return set()
    me = account.owner or account.id
    owners = {other: games.answering_for(other) for other in others}
    owner_of = with_bots(games.redis, {me, *owners.values()})
    blockers = [one for one in owner_of if one in blocking]
    apart = set[str | None]()  # owners
    for blocker, rules in zip(blockers, rules_of(games.redis, blockers), strict=True):
        blocked = {owner_of.get(one) for one in rules.blocked}
        if owner_of[blocker] == me:
            apart |= blocked
        elif me in blocked:
            apart.add(owner_of[blocker])
    return {other for other, owner in owners.items() if owner in apart - {me}}


def decline_all(games: Games, account: Account, reason: DeclineReason) -> int:
    """Decline all open invitations to an account; return how many there were. Leave out games that
    begin or end at the same time."""
    declined: list[str] = []

    def decline(game_id: str) -> None:
        with suppress(Refused, UnknownThing, NotYours):
            close(games, account, game_id, account.id, reason)
            declined.append(game_id)

    heads = index.invited_to(games.store, account.id)
    gather([partial(decline, head["id"]) for head in heads])
    return len(declined)


def close(games: Games, account: Account, game_id: str, player: str, reason: DeclineReason) -> None:
    """Decline an own invitation, or withdraw one to an own game. Repeating it changes nothing."""

    def was_closed(state: State) -> bool:
        return any(one.player["id"] == player for one in state.closed_invitations)

    def decision(game: LoadedGame) -> tuple[None, object]:
        state = game.state
        was_invited = bool(state.invitation_of(player)) or was_closed(state)
        if not (was_invited and account.id == player):
            visibility.check(state, account.id)
            if account.id not in (state.terms.creator, player):
                raise NotYours("only the creator and the invited player may do this")
        if not was_invited and visibility.seat_of(state, player) is None:
            raise UnknownThing("invitation", player)
        why = reason if account.id == player else "withdrawn"
        return None, CloseInvitation(player, why)

    try:
        run_command(games, game_id, decision)
    except Refused:
        if not was_closed(games.get(game_id).state):
            raise
