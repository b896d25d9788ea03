"""The games of a pairing. Ids, seats and seed are derived from the pairing, so any process may
create a game, and it is created only once."""

from hashlib import sha256
from hmac import digest

from domain.game import events
from domain.game.commands import CreateGame, Player
from domain.game.state import FINISHED
from domain.pool import Table
from domain.skill import MOVES
from service.accounts import bots
from service.games import faults
from service.games.creating import create_from
from service.games.games import Games
from service.games.store import LoadedGame
from service.pool.pool import CLOCKS, EARLY, Pairing
from service.redis.secret import derived_id, new_id

TESTED_AGAINST = "random"


def pairing(games: Games, table: Table, players: dict[str, Player], at: int) -> Pairing:
    """Return a new pairing of the players at a table, in random order."""
    pairing_id = new_id("m")
    seated = sorted(
        table.players, key=lambda one: sha256(f"{pairing_id}\n{one.id}".encode()).digest()
    )
    rows = tuple(players[one.id].as_json() for one in seated)
    ids = _ids(games, pairing_id, len(rows) if table.from_each_seat else 1)
    return Pairing(pairing_id, table.board, table.clock, rows, ids, at)


def test_of(games: Games, player: Player, board: str, seats: int, clock: str, at: int) -> Pairing:
    """Return a new test: a pairing of one game in which a bot has to show that it can play."""
    pairing_id = new_id("m")
    others = [bots.player(TESTED_AGAINST, 0).as_json()] * (seats - 1)
    return Pairing(
        pairing_id,
        board,
        clock,
        (player.as_json(), *others),
        _ids(games, pairing_id, 1),
        at,
        test=True,
    )


def _ids(games: Games, pairing_id: str, count: int) -> tuple[str, ...]:
    return tuple(derived_id("g", games.secret, f"pool\n{pairing_id}\n{n}") for n in range(count))


def create_game(games: Games, paired: Pairing, rotation: int) -> None:
    """Create a game of a pairing; idempotent. Each game has a seed of its own, derived from the
    service's secret: a player of two games with one seed would know the cards of the second."""
    board, game = games.store.board(paired.board), paired.games[rotation]
    count = len(paired.players)
    seated = [paired.players[(seat + rotation) % count] for seat in range(count)]
    place: events.Pairing = {"id": paired.id, "games": [game]}
    if paired.test:
        place["test"] = True
    create_from(
        games,
        CreateGame(
            game=game,
            creator=paired.id,
            seats=tuple(
                (bots.on_seat(Player(**row), seat), None) for seat, row in enumerate(seated)
            ),
            seed=digest(games.secret, f"deal\n{game}".encode(), "sha256"),
            first_seat=0 if len(paired.games) > 1 else None,
            clock={"per_decision": CLOCKS[paired.clock]},
            on_timeout="resign",
            visibility="unlisted" if paired.test else None,
            pool=place,
        ),
        board,
    )


def newly_finished(games: Games, paired: Pairing, heads: list) -> list[LoadedGame]:
    """Return the games of a pairing that have ended since the last call; create missing games.
    ``heads`` belong to its unfinished games, None for a missing one."""
    finished, waiting = [], [game for game in paired.games if game not in paired.finished]
    for game, head in zip(waiting, heads, strict=True):
        if head is None:
            create_game(games, paired, paired.games.index(game))
        elif head["status"] == FINISHED:
            finished.append(games.get(game))
    return finished


def violations(games: Games, game: LoadedGame) -> dict[str, str]:
    """Return the accounts to remove from the pool after a finished game: account -> reason."""
    reasons, state = {}, game.state
    is_test = bool(state.terms.pool and state.terms.pool.get("test"))
    for seat, (player, left) in enumerate(zip(state.players, state.left, strict=True)):
        if player and not player.is_built_in:
            if is_test and faults.count_of(games.redis, state.id, player.id):
                reasons[player.id] = "illegal"
            elif left == "time":
                reasons[player.id] = "timeout"
            elif left and (is_test or not has_played(game, seat)):
                reasons[player.id] = "resigned"
            elif left and 2 * state.trains[seat] > state.board.trains:
                reasons[player.id] = EARLY
    return reasons


def stayed(game: LoadedGame) -> set[str]:
    """Return the accounts that played a finished game to its end, if they are at least two: a game
    that is left to one account and built-in bots shows nothing about it."""
    state = game.state
    accounts = {
        player.id
        for player, left in zip(state.players, state.left, strict=True)
        if player and not player.is_built_in and not left
    }
    return accounts if len(accounts) > 1 else set()


def has_played(game: LoadedGame, seat: int) -> bool:
    """Return whether a seat has posted as many actions as a rated game needs."""
    return game.moves.get(seat, 0) >= MOVES
