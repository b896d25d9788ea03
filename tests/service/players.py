"""People who play on a running service, through the package of clients."""

from fogg_client.client import Client

RANDOM, GREEDY, OPEN = {"bot": "random"}, {"bot": "greedy"}, {"open": True}


def sign_up(url: str, *names: str) -> list[Client]:
    """Make accounts; return their clients."""
    return [Client(url).sign_up(name) for name in names]


def seated(*players: Client, others: tuple = (), board: str = "london", **options) -> str:
    """Return a game of these players, in which the first is to begin, and of other seats."""
    made = players[0].post(
        "/v1/games",
        {
            "board": board,
            "options": {"first_seat": 0} | options,
            "seats": [{"player": "me"}, *[{"open": True}] * (len(players) - 1), *others],
        },
    )
    code = {"invitation": made["invitation"]} if "invitation" in made else {}
    for player in players[1:]:
        player.post(f"/v1/games/{made['id']}/seats", code)
    return made["id"]


def play_first(player: Client, game: str) -> None:
    """Play the first of the legal actions."""
    view = player.view(game)
    player.play(view, view["you"]["legal_actions"][0])


def begun(*players: Client, board: str = "london", **options) -> str:
    """Return a game in which these players have chosen their first tickets."""
    game = seated(*players, board=board, **options)
    for player in players:
        play_first(player, game)
    return game


def resign(player: Client, game: str) -> None:
    player.post(f"/v1/games/{game}/actions", {"type": "resign"})
