"""Games and tournaments in a store, without any service."""

from domain.boards import load_folder
from domain.game.commands import CreateGame, DrawCard, Player
from domain.game.fold import play
from domain.game.legal import legal_actions
from domain.game.state import State
from domain.tournament.events import RULES_VERSION, TournamentCreated
from domain.tournament.fold import create, enter, evolve
from domain.tournament.state import Tournament
from service.eventlog.store import NewEntry
from service.games.store import GameStore, LoadedGame
from service.tournaments.store import LoadedTournament, TournamentStore

BOARDS = load_folder()
GAME = "g_" + "0" * 20


def begin(store: GameStore, game_id: str = GAME, seats: int = 2) -> LoadedGame:
    """Create a game past the choice of the first tickets, seat 0 to play."""
    players = tuple((Player(f"p{seat}", f"P{seat}"), None) for seat in range(seats))
    command = CreateGame(game_id, "p0", players, seed=bytes(32), first_seat=0)
    empty = LoadedGame(State(BOARDS["usa"]))
    game, _ = store.append(empty, NewEntry(*play(empty.state, None, command)))
    for seat in range(seats):
        game = act(store, game, seat, legal_actions(game.state, seat)[0])
    return game


def act(store: GameStore, game: LoadedGame, seat: int, action, **more) -> LoadedGame:
    events, state = play(game.state, seat, action)
    return store.append(game, NewEntry(events, state, seat, action, **more))[0]


class Games:
    """Helpers for testing a store with games."""

    id = GAME
    key = GameStore.key
    edit = b'"first_seat":0', b'"first_seat":1'

    def store(self, redis) -> GameStore:
        return GameStore(redis, BOARDS)

    def begin(self, store: GameStore) -> LoadedGame:
        return begin(store)

    def go_on(self, store: GameStore, game: LoadedGame, other: bool = False, **more) -> LoadedGame:
        """Append one more entry, or another in its place."""
        action = legal_actions(game.state, 0)[0] if other else DrawCard("deck")
        return act(store, game, 0, action, **more)


class Tournaments:
    """Helpers for testing a store with tournaments."""

    id = "c_" + "0" * 20
    key = TournamentStore.key
    edit = b'"seats":2', b'"seats":3'

    def store(self, redis) -> TournamentStore:
        return TournamentStore(redis)

    def begin(self, store: TournamentStore) -> LoadedTournament:
        settings = TournamentCreated(
            tournament=self.id,
            creator="p",
            name="Cup",
            boards=("usa",),
            seats=2,
            least=2,
            format="swiss",
            deals="independent",
            clock={"per_decision": 10},
            on_timeout="resign",
            entry="open",
            most=128,
            lots="5eed",
            rules_version=RULES_VERSION,
        )
        empty = LoadedTournament(Tournament())
        known = self.append(store, empty, create(settings))
        return self.go_on(store, self.go_on(store, known))

    def go_on(
        self, store: TournamentStore, known: LoadedTournament, other: bool = False, **more
    ) -> LoadedTournament:
        """Append one more entry, or another in its place."""
        name = f"{'q' if other else 'p'}{known.state.version}"
        return self.append(store, known, enter(known.state, name, Player(name, name)), **more)

    def append(
        self, store: TournamentStore, known: LoadedTournament, events: list, **more
    ) -> LoadedTournament:
        return store.append(known, NewEntry(events, evolve(known.state, events), **more))[0]
