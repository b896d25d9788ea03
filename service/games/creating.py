"""Creating games: new ones, forks, rematches."""

import secrets
from contextlib import nullcontext, suppress
from dataclasses import replace

from domain.board.board import Board
from domain.board.reading import too_much
from domain.chance import SEED_BYTES
from domain.entry import IdempotencyKey
from domain.errors import FoggError, Refused
from domain.game.commands import CreateGame, Fork, Player, TakeSeat
from domain.game.events import RatingRangeSet, Seconds
from domain.game.fold import play
from domain.game.state import FINISHED, State
from domain.rules.forking import position_of
from domain.skill import RATING_RULES
from service import settings
from service.accounts import bots
from service.accounts.accounts import Account
from service.errors import NotYours, RecordsUnavailable, UnknownThing
from service.eventlog import quotas
from service.eventlog.steps import Steps
from service.eventlog.store import NewEntry
from service.games import inviting
from service.games.games import Games
from service.games.playing import append_and_publish, run_command
from service.games.store import LoadedGame
from service.games.visibility import seat_of, viewer_of
from service.redis.conflicts import Conflict
from service.redis.secret import derived_id


def create(
    games: Games,
    account: Account,
    board_id: str,
    seats: list[dict],
    options: dict,
    once: IdempotencyKey | None = None,
) -> LoadedGame:
    """Create a game; it starts at once if no seat is open."""
    board = games.store.board(board_id)
    try:
        new = _new_game(games, account, board, seats, options, once)
    except FoggError:  # an invited account was deleted since the first of the requests
        if once and (made := games.store.made(games.store.new_id(once), once)):
            return made
        raise
    return create_from(games, new, board, once, account)


def fork(
    games: Games,
    account: Account,
    origin: dict,
    seats: list[dict],
    options: dict,
    once: IdempotencyKey | None = None,
) -> LoadedGame:
    """Create a game that continues from a position of a finished one, for any players."""
    if not viewer_of(games, account.id, origin["game"]).is_open:
        raise Refused("game-not-finished", "7", "only a finished game can be forked", "fork.game")
    then = games.store.at(origin["game"], origin["version"]).state
    position = Fork(then.id, then.version, origin["cards"], position_of(then))
    new = _new_game(games, account, then.board, seats, options, once)
    new = replace(new, fork=position, first_seat=None)
    _check_work(then.board)
    return create_from(games, new, then.board, once, account)


def rematch(
    games: Games, account: Account, game_id: str, once: IdempotencyKey | None = None
) -> LoadedGame:
    """Join the rematch of a finished game, one seat further on. The first player who asks creates
    it; it starts once all players have asked."""
    viewer = viewer_of(games, account.id, game_id)
    over, seat = viewer.game.state, viewer.seat
    if seat is None:
        raise NotYours("you had no seat in this game")
    if over.status != FINISHED:
        raise Refused("game-not-finished", "7", "the game is not over")
    game = _game_after(games, over, account)
    place = (seat + 1) % len(over.players)
    is_there = seat_of(game.state, account.id) == place
    if is_there and not (once and game.version_of(once)):
        return game
    return run_command(
        games, game.state.id, lambda _: (None, TakeSeat(account.player, seat=place)), once
    )


def _game_after(games: Games, over: State, account: Account) -> LoadedGame:
    """Return the rematch of a game; create it if the account is the first to ask for it."""
    new = derived_id("g", games.secret, f"rematch\n{over.id}")
    turned = [over.players[place - 1] for place in over.seats]
    try:
        return games.get(new)
    except UnknownThing:
        _check_work(over.board)
        for bot in {p.bot for p in turned if p and p.bot and p.is_built_in}:
            bots.offered(bot, "game", over.board)
        return create_from(
            games,
            CreateGame(
                game=new,
                creator=account.id,
                seats=tuple(
                    (bots.on_seat(p, place), None) if p and p.is_built_in else None
                    for place, p in enumerate(turned)
                ),
                seed=secrets.token_bytes(SEED_BYTES),
                clock=over.clock.limit() if over.clock else None,
                on_timeout=over.clock.on_timeout if over.clock else None,
                visibility="private" if over.terms.visibility == "private" else "unlisted",
                spectators=over.terms.spectators,
            ),
            over.board,
            account=account,
        )


def _check_work(board: Board) -> None:
    """Refuse the board of an old game if it is too large for new games; boards on offer are not."""
    for member, reason in board.once(too_much):
        raise Refused(
            "board-too-large",
            "9.7",
            f"the board {board.name} is too large for new games: {member} {reason}",
        )


def create_from(
    games: Games,
    command: CreateGame,
    board: Board,
    once: IdempotencyKey | None = None,
    account: Account | None = None,
) -> LoadedGame:
    """Create a game with the id in the command; return the existing game if there is one. With an
    idempotency key, return its first state.

    ``account`` is the creator, whose number of unfinished games is limited. If the command names no
    clock, the game has the default one, so that nobody waits for ever; only games of built-in bots
    alone have none. A public game, which may be rated, also has a limit for all decisions of a
    player, with a built-in bot one by which it is rated.

    Most games are new, so the creation is tried first. If that is refused, or the id is taken,
    check whether the same key has already created the game. If that has left Redis, the id is free
    there, so the records are asked first, unless they do not answer."""
    with suppress(RecordsUnavailable):
        if (
            once
            and games.store.records.has(command.game)
            and (made := games.store.made(command.game, once))
        ):
            return made
    clock = command.clock
    built_in = [bool(sitter and sitter[0].is_built_in) for sitter in command.seats]
    if clock is None and not all(built_in):
        clock = usual_clock(command.visibility is None, any(built_in))
    command = replace(command, clock=clock, rating_rules=RATING_RULES)
    game = LoadedGame(State(board))
    try:
        events, state = play(game.state, None, command)
        # first, as a refused game is not counted
        with inviting.checked(games, account, state) if state.invitations else nullcontext():
            _announce(games, command.game, account, any(built_in))
            games.store.keep_table(board)
            new = NewEntry(events, state, once=once)
            return append_and_publish(games, game, new, is_marked=True)
    except (Conflict, FoggError) as error:
        if once and (made := games.store.made(games.store.new_id(once), once)):
            return made
        if isinstance(error, FoggError):
            raise
        # another process has created it at the same time
        return games.store.made(command.game) or games.get(command.game)


def _announce(games: Games, game_id: str, account: Account | None, has_bots: bool) -> None:
    """Prepare a game's first entry: mark the game for the sweep and count it for its creator."""
    steps = Steps(games.redis)
    games.marks.mark_in(steps, game_id, 1)
    if account and (who := account.answers_for):
        kinds = ("bot_games", "games") if has_bots else ("games",)
        quotas.reserve_all(games.store, kinds, who, game_id, steps)
    else:
        steps.execute()


def usual_clock(is_public: bool, has_bots: bool = False) -> Seconds:
    """Return the clock of games whose creator names none; ``has_bots``: built-in ones."""
    clock: Seconds = {"per_decision": settings.CLOCK_HOURS.value() * 3600}
    total = settings.TOTAL_HOURS.value() * 3600
    if has_bots:
        total = min(total, bots.LONGEST_RATED_CLOCK)
    return clock | {"total": total} if is_public and total else clock


def _new_game(
    games: Games,
    account: Account,
    board: Board,
    seats: list[dict],
    options: dict,
    once: IdempotencyKey | None,
) -> CreateGame:
    invitations, rating_ranges = [], []
    for seat, row in enumerate(seats):
        if "invite" in row:
            invitations.append(inviting.invitation(games, account, seat, row))
        elif "rating_from" in row or "rating_to" in row:
            rating_ranges.append(RatingRangeSet(seat, row.get("rating_from"), row.get("rating_to")))
    seed = options.get("seed")
    visibility = options.get("visibility", "public")
    return CreateGame(
        game=games.store.new_id(once),
        creator=account.id,
        seats=tuple(_sitter(account, board, seat, row) for seat, row in enumerate(seats)),
        invitations=tuple(invitations),
        rating_ranges=tuple(rating_ranges),
        seed=bytes.fromhex(seed) if seed else secrets.token_bytes(SEED_BYTES),
        seed_known=bool(seed),
        first_seat=options.get("first_seat"),
        clock=options.get("clock"),
        on_timeout=options.get("on_timeout"),
        visibility=None if visibility == "public" else visibility,
        spectators=options.get("spectators", visibility != "private"),
    )


def _sitter(me: Account, board: Board, seat: int, row: dict) -> tuple[Player, str | None] | None:
    if "open" in row or "invite" in row:
        return None
    if "bot" in row:
        return bots.player(bots.offered(row["bot"], f"seats.{seat}.bot", board), seat), None
    return me.player, row.get("entropy")
