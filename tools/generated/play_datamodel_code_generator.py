"""Plays a whole game with the models that datamodel-code-generator has made: every body is written
and every answer read by them. Writes the two totals."""

import sys
from urllib.request import Request, urlopen

from models import (
    Action,
    BotSeatRequest,
    ClaimRouteAction,
    CreatedAccount,
    DrawCardAction,
    Entries,
    FreshGameRequest,
    MySeatRequest,
    Played,
    PlayerRequest,
    SeatRequest,
    View,
)
from pydantic import BaseModel

headers = {"Content-Type": "application/json"}


def call(path: str, kind: type[BaseModel], body: BaseModel | None = None):
    """Ask the service, and return its answer as a model."""
    data = body.model_dump_json(exclude_none=True, by_alias=True).encode() if body else None
    with urlopen(Request(sys.argv[1] + path, data, headers)) as answer:
        return kind.model_validate_json(answer.read())


def worth(action: Action) -> int:
    """Claim the longest route that can be claimed, else take a card."""
    if isinstance(action.root, ClaimRouteAction):
        return 10 + sum(action.root.cards.values())
    return 5 * isinstance(action.root, DrawCardAction)


me = call("/v1/players", CreatedAccount, PlayerRequest(name="Models"))
headers["Authorization"] = f"Bearer {me.token}"
view = call(
    "/v1/games",
    View,
    FreshGameRequest(
        board="london",
        seats=[SeatRequest(MySeatRequest(player="me")), SeatRequest(BotSeatRequest(bot="random"))],
    ),
)
game = f"/v1/games/{view.id}"
while view.status.value != "finished":
    if view.you.legal_actions:
        view = call(f"{game}/actions", Played, max(view.you.legal_actions, key=worth)).view
    else:
        call(f"{game}/events?after={view.version}&wait=20", Entries)
        view = call(game, View)
print(*(seat.result.total for seat in view.seats))
