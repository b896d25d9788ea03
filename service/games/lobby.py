"""Before a game starts: finding, joining, leaving, starting, aborting it."""

from collections.abc import Callable
from hmac import compare_digest

from domain.entry import IdempotencyKey
from domain.errors import Refused
from domain.game.commands import AbortGame, LeaveSeat, Resign, StartGame, TakeSeat
from domain.game.events import RatingRangeSet
from domain.game.state import LOBBY, PLAYING, SETUP, State
from domain.rules.lobby import is_in_range
from service import settings
from service.accounts.accounts import Account
from service.errors import NotYours, UnknownThing
from service.games import holding, index, inviting, visibility
from service.games.games import Games
from service.games.playing import append_and_publish, decided, run_command, update
from service.games.store import GameHead, LoadedGame, SeatHead, has_seat
from service.redis.guarding import log_errors
from service.times import in_ms, now, now_in_ms


def join(
    games: Games,
    account: Account,
    game_id: str,
    asked: dict,
    rating: Callable[[], float],
    once: IdempotencyKey | None = None,
) -> tuple[LoadedGame, int]:
    """Take the seat that is reserved for the account, or an open one; return the game and the seat.
    ``rating`` returns the account's overall rating. Raise TooManyUnplayed if it holds too many
    seats without playing."""

    def take(game: LoadedGame) -> LoadedGame:
        state = game.state
        if state.terms.visibility != "public" and not visibility.takes_part(state, account.id):
            code = asked.get("invitation", "")
            if not compare_digest(code, visibility.invitation(games, game_id)):
                if state.terms.visibility == "private" and not state.terms.spectators:
                    raise UnknownThing("game", game_id)
                raise NotYours("joining this game takes an invitation")
        if inviting.kept_apart(games, account, [state.terms.creator]):
            raise inviting.refused()
        command = TakeSeat(
            account.player,
            asked.get("entropy"),
            asked.get("seat"),
            rating() if state.rating_ranges else None,
            now() if state.invitations else None,
        )
        new = decided(game, None, command, once=once)
        is_others = games.answering_for(state.terms.creator) != (account.owner or account.id)
        must_count = is_others and not state.invitation_of(account.id)
        if must_count:  # now, as a refused request does not count
            holding.hold(games, account, new.state)
        return append_and_publish(games, game, new, is_marked=must_count)

    game = update(games, game_id, take, once)
    taken = next(e for e in game.last["events"] if e["type"] == "seat_taken")
    return game, taken["seat"]


def leave(games: Games, account: Account, game_id: str, seat: int) -> LoadedGame:
    """Free a seat before the game starts. Players free their own seat, the creator any."""

    def free(game: LoadedGame) -> LoadedGame:
        state = game.state
        visibility.check(state, account.id)
        if seat not in state.seats:
            raise UnknownThing("seat", str(seat))
        player = state.players[seat]
        if player and account.id not in (player.id, state.terms.creator):
            raise NotYours("this seat is another player's")
        after = append_and_publish(games, game, decided(game, seat, LeaveSeat()))
        if player:
            holding.release(games, player.id, game_id)
        return after

    return update(games, game_id, free)


def start(games: Games, account: Account, game_id: str, once: IdempotencyKey | None) -> LoadedGame:
    """Start a game with the players who have joined; only the creator may."""

    def decision(game: LoadedGame) -> tuple[None, object]:
        _check_creator(game.state, account)
        return None, StartGame()

    return run_command(games, game_id, decision, once)


def abort(
    games: Games, account: Account, game_id: str, once: IdempotencyKey | None = None
) -> LoadedGame:
    """Abort a game; only the creator may. Once the first turn has begun, resign instead. Raise
    Refused if a player has seen tickets and the creator has no seat: otherwise a friend could abort
    games until the player's tickets are good."""

    def decision(game: LoadedGame) -> tuple[int | None, object]:
        state, seat = game.state, visibility.seat_of(game.state, account.id)
        _check_creator(state, account)
        if state.status != PLAYING:
            return None, AbortGame("aborted", None)
        if seat is None and any(player and not player.is_built_in for player in state.players):
            raise Refused(
                "game-started",
                "8.4",
                "players have seen their tickets; only they may end the game, by resigning",
            )
        if seat is not None and state.step != SETUP:
            return seat, Resign()
        return None, AbortGame("aborted", seat)

    return run_command(games, game_id, decision, once)


def expire_all(games: Games) -> None:
    """Abort every game that has waited too long for players and has no open invitation."""
    end = now_in_ms() - int(settings.LOBBY_HOURS.value() * 3_600_000)
    old = index.created_before(games.redis, LOBBY, end)
    for game_id, head in zip(old, games.store.heads(old), strict=True):
        with log_errors(f"{game_id} cannot be aborted"):
            if (
                head
                and head["status"] == LOBBY
                and in_ms(head["updated"]) < end
                and not any(
                    in_ms(seat["expires"]) > now_in_ms()
                    for seat in head["seats"]
                    if "expires" in seat
                )
            ):
                run_command(games, game_id, lambda game: (None, AbortGame("expired")))


def _check_creator(state: State, account: Account) -> None:
    visibility.check(state, account.id)
    if account.id != state.terms.creator:
        raise NotYours("only the creator of a game may do this")


# Filters of the games in the lobby, for an account that looks for one


def joinable(games: Games, account: Account, heads: list[GameHead]) -> list[GameHead]:
    """Return the games in which an account may take a seat: one that is reserved for it, or an open
    one for its rating; none of a creator from whom a block keeps it."""
    rating = games.strengths.overall(account.player)
    may_sit = holding.may_hold(games, account)
    heads = [
        head
        for head in heads
        if index.has_invited(head, account.id)
        or (
            may_sit
            and not has_seat(head, account.id)
            and any(_is_open(seat, rating) for seat in head["seats"])
        )
    ]
    states = games.readable([head["id"] for head in heads])
    apart = inviting.kept_apart(games, account, {state.terms.creator for state in states})
    allowed = {state.id for state in states if state.terms.creator not in apart}
    return [head for head in heads if head["id"] in allowed]


def _is_open(seat: SeatHead, rating: float) -> bool:
    return (
        "player" not in seat
        and "invited" not in seat
        and is_in_range(
            rating, RatingRangeSet(seat["seat"], seat.get("rating_from"), seat.get("rating_to"))
        )
    )


def rated(games: Games, wanted: bool, heads: list[GameHead]) -> list[GameHead]:
    """Return the games in the lobby that may be rated, or the others."""
    states = games.readable([head["id"] for head in heads])
    fitting = {
        state.id for state in states if bool(games.strengths.unrated_because(state)) != wanted
    }
    return [head for head in heads if head["id"] in fitting]
