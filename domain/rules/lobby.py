"""Before the first turn: seats are taken and left; the last one taken starts the game (2.1-2.3)."""

from domain.chance import commitment
from domain.errors import Refused
from domain.game import commands, events
from domain.game.clock import Clock
from domain.game.state import FINISHED, LOBBY, SETUP, Draft, State, put
from domain.game.terms import Terms
from domain.rules import forking, setup
from domain.rules.rule import Rule

RULES_VERSION = 1


def create_game(draft: Draft, _seat: None, command: commands.CreateGame) -> None:
    board, seats = draft.state.board, len(command.seats)
    if seats not in board.players:
        least, most = board.players[0], board.players[-1]
        raise Refused(
            "wrong-number-of-seats",
            "1",
            f"{board.name} is for {least} to {most} players, not {seats}",
            "seats",
        )
    if command.first_seat is not None and not 0 <= command.first_seat < seats:
        raise Refused("no-such-seat", "2.3", f"first_seat should be 0 to {seats - 1}", "first_seat")
    draft.emit(
        events.GameCreated(
            game=command.game,
            board=board.id,
            board_digest=board.digest,
            rules_version=RULES_VERSION,
            creator=command.creator,
            seats=seats,
            commitment=commitment(command.seed),
            seed=command.seed.hex(),
            seed_known=command.seed_known,
            first_seat=command.first_seat,
            clock=command.clock,
            on_timeout=command.on_timeout,
            visibility=command.visibility,
            spectators=None if command.spectators else False,
            tournament=command.tournament,
            pool=command.pool,
            rating_rules=command.rating_rules,
        )
    )
    if fork := command.fork:
        count = len(fork.position["hands"])
        if seats != count:
            raise Refused(
                "wrong-number-of-seats", "1", f"the game forked has {count} seats", "seats"
            )
        draft.emit(events.GameForked(fork.origin, fork.version, fork.cards, fork.position))
    for seat, taken in enumerate(command.seats):
        if taken:
            sit_down(draft, seat, *taken)
    for invitation in command.invitations:
        _check_open(draft.state, invitation.seat)
        _check_unseated(draft.state, invitation.player["id"], invitation.player["name"])
        draft.emit(invitation)
    for rating_range in command.rating_ranges:
        _check_open(draft.state, rating_range.seat)
        lowest, highest = rating_range.rating_from, rating_range.rating_to
        if lowest is not None and highest is not None and lowest > highest:
            raise Refused(
                "rating-outside",
                None,
                "no rating is at least rating_from and at most rating_to",
                f"seats.{rating_range.seat}.rating_to",
            )
        draft.emit(rating_range)
    _start_if_full(draft)


def _check_open(state: State, seat: int) -> None:
    if seat not in _open_seats(state):
        raise Refused("seat-taken", "2.2", "this seat is not open", "seat")


def _check_unseated(state: State, player: str, name: str) -> None:
    """Raise Refused if a player is here already: with two seats they would see two hands."""
    is_here = bool(state.invitations and state.invitation_of(player))
    for one in state.players:
        is_here = is_here or (one is not None and one.id == player)
    if is_here:
        raise Refused("already-seated", "2.2", f"{name} has a seat in this game", "seats")


def _open_seats(state: State) -> list[int]:
    reserved = [one.seat for one in state.invitations] if state.invitations else ()
    return [
        seat for seat, player in enumerate(state.players) if player is None and seat not in reserved
    ]


def _start_if_full(draft: Draft) -> None:
    if None not in draft.state.players:
        (forking.set_up if draft.state.fork else setup.start)(draft)


def take_seat(draft: Draft, _seat: None, command: commands.TakeSeat) -> None:
    """Sit down on an open seat; the last one taken starts the game."""
    in_the_lobby(draft.state)
    sit_down(draft, _seat_for(draft.state, command), command.player, command.entropy)
    _start_if_full(draft)


def _seat_for(state: State, command: commands.TakeSeat) -> int:
    if state.invitations and (own := state.invitation_of(command.player.id)):
        if command.seat not in (None, own.seat):
            raise Refused("seat-taken", "2.2", f"seat {own.seat} is reserved for you", "seat")
        if command.at is not None and own.expires <= command.at:
            raise Refused("invitation-closed", None, "this invitation has expired")
        return own.seat
    seats = _open_seats(state)
    if command.seat is not None:
        seats = [command.seat] if command.seat in seats else []
    elif not seats:
        _check_unseated(state, command.player.id, command.player.name)
    if not seats:
        raise Refused("seat-taken", "2.2", "this seat is not open", "seat")
    if command.rating is None:
        return seats[0]
    ranges = {one.seat: one for one in state.rating_ranges}
    for seat in seats:
        if is_in_range(command.rating, ranges.get(seat)):
            return seat
    raise Refused(
        "rating-outside",
        None,
        f"your rating, {command.rating:.2f}, is not in the range of this seat",
        "seat",
    )


def is_in_range(rating: float, seat: events.RatingRangeSet | None) -> bool:
    return seat is None or (
        (seat.rating_from is None or seat.rating_from <= rating)
        and (seat.rating_to is None or rating <= seat.rating_to)
    )


def close_invitation(draft: Draft, _seat: None, command: commands.CloseInvitation) -> None:
    """Close an invitation; open its seat or abort the game, as the invitation says."""
    in_the_lobby(draft.state)
    invitation = draft.state.invitation_of(command.player)
    if invitation is None:
        raise Refused("invitation-closed", None, "this invitation is no longer open")
    draft.emit(events.InvitationClosed(invitation.seat, invitation.player, command.reason))
    if invitation.if_declined == "withdraw":
        draft.emit(events.GameAborted("expired" if command.reason == "expired" else "aborted"))


def leave_seat(draft: Draft, seat: int, _command: commands.LeaveSeat) -> None:
    """Stand up before the start; a reserved seat counts as a declined invitation then."""
    in_the_lobby(draft.state)
    accepted = [one for one in draft.state.accepted if one.seat == seat]
    if seat not in draft.state.seats or draft.state.players[seat] is None:
        raise Refused("seat-not-taken", "2.2", "nobody sits on this seat", "seat")
    draft.emit(events.SeatLeft(seat))
    if accepted and accepted[0].if_declined == "withdraw":
        draft.emit(events.GameAborted("aborted"))


def start_game(draft: Draft, _seat: None, _command: commands.StartGame) -> None:
    in_the_lobby(draft.state)
    board, players = draft.state.board, draft.state.players
    taken = tuple([seat for seat in draft.state.seats if players[seat]])
    if draft.state.fork:
        raise Refused("too-few-players", "1", "a fork needs as many players as its origin")
    if len(taken) not in board.players:
        raise Refused(
            "too-few-players",
            "1",
            f"{board.name} is for {board.players[0]} players or more, and {len(taken)} are here",
        )
    draft.emit(events.OpenSeatsClosed(taken))
    setup.start(draft)


def abort_game(draft: Draft, _seat: None, command: commands.AbortGame) -> None:
    """Abort the game; once the first turn has begun it is too late."""
    state = draft.state
    if state.status == FINISHED:
        raise Refused("game-finished", "7", "the game is over")
    if state.status != LOBBY and state.step != SETUP:
        raise Refused("game-started", "2.3", "the first turn has begun; players may resign")
    if command.seat is not None and not (state.was_begun and command.seat in state.active):
        raise Refused("no-such-seat", "8.4", "this seat has seen no tickets", "seat")
    draft.emit(events.GameAborted(command.reason, command.seat))


def sit_down(draft: Draft, seat: int, player: commands.Player, entropy: str | None) -> None:
    if not (draft.state.invitations and draft.state.invitation_of(player.id)):
        _check_unseated(draft.state, player.id, player.name)
    if "\n" in (entropy or ""):  # a newline joins the entropies (docs/fairness.md)
        raise Refused("wrong-entropy", "2.1", "entropy should be one line", "entropy")
    draft.emit(events.SeatTaken(seat, player.as_json(), entropy))


def in_the_lobby(state: State) -> None:
    """Raise Refused if the game has begun."""
    if state.status != LOBBY:
        raise Refused("game-started", "2.2", "the game has begun, its seats are settled")


def game_created(state: State, event: events.GameCreated) -> None:
    state.id, state.rules_version, state.terms = event.game, event.rules_version, Terms.of(event)
    state.seed, state.seed_known, state.commitment = event.seed, event.seed_known, event.commitment
    state.fixed_first_seat = event.first_seat
    state.clock = Clock.of(event.clock, event.on_timeout)
    state.players, state.entropy = (None,) * event.seats, ("",) * event.seats


def seat_taken(state: State, event: events.SeatTaken) -> None:
    state.players = put(state.players, event.seat, commands.Player(**event.player))
    state.entropy = put(state.entropy, event.seat, event.entropy or "")
    if state.invitations:
        state.accepted += tuple([one for one in state.invitations if one.seat == event.seat])
        _drop_invitation(state, event.seat)


def player_invited(state: State, event: events.PlayerInvited) -> None:
    state.invitations += (event,)


def invitation_closed(state: State, event: events.InvitationClosed) -> None:
    _drop_invitation(state, event.seat)
    state.closed_invitations += (event,)


def _drop_invitation(state: State, seat: int) -> None:
    state.invitations = tuple([one for one in state.invitations if one.seat != seat])


def rating_range_set(state: State, event: events.RatingRangeSet) -> None:
    state.rating_ranges += (event,)


def seat_left(state: State, event: events.SeatLeft) -> None:
    state.players = put(state.players, event.seat, None)
    state.entropy = put(state.entropy, event.seat, "")
    state.accepted = tuple([one for one in state.accepted if one.seat != event.seat])


def open_seats_closed(state: State, event: events.OpenSeatsClosed) -> None:
    if state.fixed_first_seat in event.seats:
        state.fixed_first_seat = event.seats.index(state.fixed_first_seat)
    else:
        state.fixed_first_seat = None
    state.players = tuple([state.players[seat] for seat in event.seats])
    state.entropy = tuple([state.entropy[seat] for seat in event.seats])
    state.invitations, state.accepted, state.rating_ranges = (), (), ()


def game_aborted(state: State, event: events.GameAborted) -> None:
    state.status, state.ending, state.invitations = FINISHED, event.reason, ()
    if event.seat is not None:
        state.left = put(state.left, event.seat, "aborted")


RULE = Rule(
    name="lobby",
    common=True,
    decides={
        commands.CreateGame: create_game,
        commands.TakeSeat: take_seat,
        commands.LeaveSeat: leave_seat,
        commands.CloseInvitation: close_invitation,
        commands.StartGame: start_game,
        commands.AbortGame: abort_game,
    },
    evolves={
        events.GameCreated: game_created,
        events.SeatTaken: seat_taken,
        events.SeatLeft: seat_left,
        events.PlayerInvited: player_invited,
        events.InvitationClosed: invitation_closed,
        events.RatingRangeSet: rating_range_set,
        events.OpenSeatsClosed: open_seats_closed,
        events.GameAborted: game_aborted,
    },
)
