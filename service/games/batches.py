"""Many action requests that come in one HTTP request."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

import orjson

from service.errors import Stale, TooLong
from service.games.games import Games
from service.games.playing import ActionRequest, answer_to
from service.redis.gathering import Result, gather

SHARE = 40 * 1024  # bytes of the answer that are reserved for a request before it is run
MAX_ANSWER = 100 * SHARE  # bytes of the answer, about
# bytes, at most, of a view of the boards here: without a list, and of each row of the lists
VIEW, ACTION, GROUP = 9_000, 100, 300


@dataclass
class Room:
    """The bytes left for an answer. After a request that found no room, later ones find none
    either, so that no action of a game is played after a skipped one."""

    left: int = MAX_ANSWER
    is_full: bool = False
    # (game, account) -> the version at which the account got the entries that it had missed
    shown: dict[tuple[str, str], int] = field(default_factory=dict)


def answers_to(games: Games, requests: Iterable[ActionRequest]) -> list[Result[dict]]:
    """Run many action requests; return one result for each, in order.

    The games run concurrently, the requests of each game one after the other. Each result is that
    of the request alone, with two exceptions: missed entries are shown once, and requests fail with
    TooLong once the answer is full."""
    outcomes: list[Result[dict]] = []
    room = Room()
    of_games: dict[str, list[Result[dict]]] = {}
    for request in requests:
        outcomes.append(Result(partial(_answer_in, room, games, request)))
        of_games.setdefault(request.game, []).append(outcomes[-1])
    gather([partial(_do_in_turn, of_one) for of_one in of_games.values()])
    return outcomes


def _do_in_turn(outcomes: Iterable[Result[dict]]) -> None:
    for outcome in outcomes:
        outcome.do()


def _answer_in(room: Room, games: Games, request: ActionRequest) -> dict:
    """Run a request if the answer has room for the result; else raise TooLong and do nothing. A
    played action must be answered, so its whole reserved share counts as used. That is enough room
    for its view, as nobody has many legal actions right after an action of their own."""
    if room.is_full or room.left < SHARE:
        room.is_full = True
        raise TooLong
    room.left -= SHARE
    try:
        answer = answer_to(games, request, room.shown)
    except Exception as error:
        room.left += SHARE
        if isinstance(error, Stale):
            size = len(orjson.dumps(error.more))
            if size > room.left:
                size, error.more = 0, {"version": error.more["version"]}
            room.left -= size
        raise
    if request.action is None:
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
