"""Plays a whole game with what openapi-generator has made in Python; writes the two totals."""

import sys

from openapi_client import (
    ApiClient,
    BotSeatRequest,
    ClaimRouteAction,
    Configuration,
    DrawCardAction,
    FreshGameRequest,
    GameRequest,
    GamesApi,
    MySeatRequest,
    PlayerRequest,
    PlayersApi,
    PlayingApi,
    SeatRequest,
)

client = ApiClient(Configuration(host=sys.argv[1]))
games, playing = GamesApi(client), PlayingApi(client)
made = PlayersApi(client).create_player(PlayerRequest(name="Python"))
client.configuration.access_token = made.token
view = games.create_game(
    GameRequest(
        FreshGameRequest(
            board="london",
            seats=[
                SeatRequest(MySeatRequest(player="me")),
                SeatRequest(BotSeatRequest(bot="random")),
            ],
        )
    )
)


def worth(action) -> int:
    """Claim the longest route that can be claimed, else take a card."""
    if isinstance(action.actual_instance, ClaimRouteAction):
        return 10 + sum(action.actual_instance.cards.values())
    return 5 * isinstance(action.actual_instance, DrawCardAction)


while view.status != "finished":
    if view.you.legal_actions:
        view = playing.play_action(view.id, max(view.you.legal_actions, key=worth)).view
    else:
        playing.list_events(view.id, after=view.version, wait=20)
        view = games.get_game(view.id)
print(*(seat.result.total for seat in view.seats))
