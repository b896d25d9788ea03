"""The boards that the simulator can play. Imports no numpy: services ask before they seat a bot."""

from domain.board.board import Board

MAX_OFFERED = 12  # tickets at once; each set that may be kept is an action
MAX_NUMBER = 30_000  # of points and cards; observations have 16 bits for a number
COMPILED = frozenset(
    {  # the rules of ``domain.rules`` that are compiled, or play no part in a game
        "lobby",
        "forking",
        "setup",
        "deck",
        "settling",
        "tickets",
        "claiming",
        "longest_path",
        "stations",
        "tunnels",
        "taking",
        "ferries",
        "districts",
        "flags",
        "globetrotter",
        "ending",
        "leaving",
    }
)


class NotCompiled(ValueError):
    """A board with a rule, or of a size, that has no compiled counterpart."""


def refusal(board: Board) -> str | None:
    """Return why a board cannot be played, None if it can."""
    for rule in board.ruleset.in_force:
        if rule.name not in COMPILED:
            return f"the rule {rule.name} of the board {board.name} has no compiled counterpart"
    if (offered := most_offered(board)) > MAX_OFFERED:
        return f"{offered} tickets are offered at once; the simulator takes {MAX_OFFERED} at most"
    if (most := most_points(board)) > MAX_NUMBER:
        return f"routes may bring a seat {most} points; the simulator takes {MAX_NUMBER} at most"
    if (cards := sum(board.cards.values())) > MAX_NUMBER:
        return f"there are {cards} cards; the simulator takes {MAX_NUMBER} at most"
    return None


def most_offered(board: Board) -> int:
    start, turn = board.tickets_at_start, board.tickets_on_a_turn
    return max(start.deal + start.long, turn.deal)


def most_points(board: Board) -> int:
    all_ = sum(board.points[route.length] for route in board.routes)
    each = max(board.points[route.length] / route.length for route in board.routes)
    return min(all_, int(board.trains * each))
