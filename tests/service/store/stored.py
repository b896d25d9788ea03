"""Games in a store, played without any service."""

from domain.boards import load_folder
from domain.game.commands import CreateGame, Player
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from service.store.games import GameStore, KnownGame

BOARDS = load_folder()
GAME = "g_" + "0" * 20


def begin(store: GameStore, game_id: str = GAME, seats: int = 2) -> KnownGame:
    """Create a game past the choice of the first tickets, seat 0 to play."""
    players = tuple((Player(f"p{seat}", f"P{seat}"), None) for seat in range(seats))
    command = CreateGame(game_id, "p0", players, seed=bytes(32), first_seat=0)
    empty = KnownGame(State(BOARDS["usa"]))
    game, _ = store.append(empty, *play(empty.state, None, command))
    for seat in range(seats):
        game = act(store, game, seat, legal_actions(game.state, seat)[0])
    return game


def act(store: GameStore, game: KnownGame, seat: int, action, **more) -> KnownGame:
    events, state = play(game.state, seat, action)
    return store.append(game, events, state, seat=seat, action=action, **more)[0]
