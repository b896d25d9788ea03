"""Plays a whole game with what openapi-python-client has made; writes the two totals."""

import sys

from fogg_client import AuthenticatedClient, Client
from fogg_client.api.games import create_game, get_game
from fogg_client.api.players import create_player
from fogg_client.api.playing import list_events, play_action
from fogg_client.models import (
    BotSeatRequest,
    BotSeatRequestBot,
    ClaimRouteAction,
    DrawCardAction,
    FreshGameRequest,
    MySeatRequest,
    PlayerRequest,
    ViewStatus,
)

made = create_player.sync(client=Client(sys.argv[1]), body=PlayerRequest(name="Python"))
me = AuthenticatedClient(sys.argv[1], made.token, raise_on_unexpected_status=True)
view = create_game.sync(
    client=me,
    body=FreshGameRequest(
        board="london",
        seats=[MySeatRequest(player="me"), BotSeatRequest(bot=BotSeatRequestBot.RANDOM)],
    ),
)


def worth(action) -> int:
    """Claim the longest route that can be claimed, else take a card."""
    if isinstance(action, ClaimRouteAction):
        return 10 + sum(action.cards.additional_properties.values())
    return 5 * isinstance(action, DrawCardAction)


while view.status is not ViewStatus.FINISHED:
    if view.you.legal_actions:
        action = max(view.you.legal_actions, key=worth)
        view = play_action.sync(view.id, client=me, body=action).view
    else:
        list_events.sync(view.id, client=me, after=view.version, wait=20)
        view = get_game.sync(view.id, client=me)
print(*(seat.result.total for seat in view.seats))
