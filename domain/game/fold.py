"""A game is a fold: ``decide`` holds the rules, ``evolve`` the facts.

An entry of a history is the list of events that one accepted command led to; ``version`` counts
entries. Example, a whole random game::

    board = domain.boards.load("my-board.json")  # or one of domain.boards.load_folder()
    state = create(board, CreateGame("g", "me", seats, seed=secrets.token_bytes(32)))
    while deciding := state.deciding():
        seat, _ = deciding[0]
        events, state = play(state, seat, random.choice(legal_actions(state, seat)))
"""

from collections.abc import Iterable

from domain.board.board import Board
from domain.codec import Json, what_is_wrong
from domain.errors import Refused
from domain.game.commands import Command, CreateGame, Resign
from domain.game.events import Event
from domain.game.state import LOBBY, PLAYING, Draft, State


def decide(state: State, seat: int | None, command: object) -> list[Event]:
    """Return the events that a seat's command leads to; raise Refused where a rule forbids it."""
    return play(state, seat, command)[0]


def play(state: State, seat: int | None, command: object) -> tuple[list[Event], State]:
    """Return the events of ``decide``, and the state after them."""
    if isinstance(command, Command):
        _check_turn(state, seat, command)
    draft = Draft(state)
    draft.rules.decides[type(command)](draft, seat, command)
    draft.state.version += 1
    return draft.events, draft.state


def evolve(state: State, events: Iterable[Event]) -> State:
    """Return the state after one more entry; the given state is not changed (9.5)."""
    new, evolves = state.copy(), state.board.ruleset.evolves
    for event in events:
        evolves[type(event)](new, event)
    new.version += 1
    return new


def evolve_from_json(state: State, events: Iterable[Json]) -> None:
    """Change a state that nobody else has by an entry; raise ValueError for an invalid event."""
    rules = state.board.ruleset
    steps = rules.steps
    for value in events:
        try:
            read, change = steps[value["type"]]
            event = read(value)
        except (LookupError, TypeError):
            raise ValueError(what_is_wrong(rules.events, value)) from None
        change(state, event)
    state.version += 1


def create(board: Board, command: CreateGame) -> State:
    return play(State(board), None, command)[1]


def _check_turn(state: State, seat: int | None, command: Command) -> None:
    """Refuse an action of a seat that the game does not wait for, or of the wrong kind (5.2)."""
    if state.status != PLAYING:
        over = state.status != LOBBY
        raise Refused(
            "game-finished" if over else "game-not-started",
            "7" if over else "2.2",
            "the game is over" if over else "the game has not begun",
        )
    assert seat is not None
    if state.left[seat] is not None:
        raise Refused("seat-left", "8.2", "this seat has left the game")
    if type(command) is Resign:
        return
    rules = state.board.ruleset
    if type(command) in rules.absent:
        raise Refused(
            "not-on-this-board",
            "1",
            f"{command.type} is no action on the board {state.board.name}",
            "type",
        )
    decision = state.decision(seat)
    if decision is None:
        waiting = " and ".join([f"seat {s}" for s, _ in state.deciding()])
        raise Refused("not-your-turn", "2.3", f"it is not your turn: the game waits for {waiting}")
    due = rules.decisions[decision]
    answers = due.answers or rules.turn_actions
    if command.type not in answers:
        # no rule asks for a turn's action: the one that is broken says when this action is due
        numbers = [one.number for one in rules.decisions.values() if command.type in one.answers]
        raise Refused(
            "wrong-decision",
            due.number if due.answers or not numbers else numbers[0],
            f"now you have to {due.words}: post {' or '.join(answers)}",
            "type",
        )
