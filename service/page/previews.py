"""Link previews: the tags from which other sites make a title, a sentence and a picture for a link
to a page (Open Graph, https://ogp.me, and those of Twitter).

Such a site fetches the page without an account. So the tags only have data that everybody with the
address may see, and nothing about private games.
"""

import re
from collections.abc import Callable, Iterator

from flask import request
from redis.exceptions import RedisError

from domain.drawing.card import HEIGHT, SMALLER, WIDTH
from domain.drawing.marks import clean
from domain.errors import FoggError
from domain.game.state import FINISHED, LOBBY
from service.accounts import accounts
from service.games import visibility
from service.http.counting import count_address
from service.http.serving import games, services
from service.page.screens import MANIFEST, Screen

PICTURES = {path.stem for path in MANIFEST.parent.glob("boards/*.png")}  # the boards that have one
USUAL = "usa"  # the board whose picture stands for what has none
Words = dict[str, str]
WORDS: dict[str, Words] = {
    "en": {
        "open": "open seat",
        "join": "Take a seat: {}",
        "watch": "Watch live: {}",
        "result": "Final result: {}",
        "aborted": "This game was called off.",
        "player": "Games and ratings of {}",
        "bot": "Games and ratings of the bot {}",
        "board": "{} locations, {} routes, {} tickets, {} to {} players",
        "/": "Claim the routes before they do: play against people or bots. No account needed.",
        "/leaderboards": "The best players and bots, by board and over all.",
        "/boards": "The boards that can be played, with their maps, rules and statistics.",
    },
    "de": {
        "open": "freier Platz",
        "join": "Nimm Platz: {}",
        "watch": "Live zusehen: {}",
        "result": "Endstand: {}",
        "aborted": "Dieses Spiel wurde abgesagt.",
        "player": "Spiele und Wertungen von {}",
        "bot": "Spiele und Wertungen des Bots {}",
        "board": "{} Orte, {} Strecken, {} Zielkarten, {} bis {} Spieler",
        "/": "Nimm die Strecken, bevor es andere tun: gegen Menschen oder Bots. Ohne Konto.",
        "/leaderboards": "Die besten Spieler und Bots, je Spielplan und insgesamt.",
        "/boards": "Die Spielpläne, mit ihren Karten, Regeln und Statistiken.",
    },
}
Preview = tuple[str, str, str]  # title, description, path of the picture, "" for none
Maker = Callable[[str, str], Preview]  # gets the id in the address, and the language


def tags(screen: Screen | None, language: str) -> str:
    """Return the tags of the page at the request's address. If it has no public content, or the
    store does not answer, return only a description of Fogg."""
    words, address = _words(language), screen.address if screen else ""
    if address in words:
        return "\n".join(_tags("Fogg", words[address], _static(USUAL)))
    make = MAKERS.get(address) or _maker_of_feature(address)
    try:
        if make:
            count_address()
            return "\n".join(_tags(*make(request.path.strip("/").split("/")[-1], language)))
    except (FoggError, RedisError):
        pass
    return f'<meta name="description" content="{clean(words["/"])}">'


def _tags(title: str, description: str, picture: str) -> Iterator[str]:
    if not request.host:  # it was no name
        picture = ""
    properties = {
        "og:site_name": "Fogg",
        "og:type": "website",
        "og:title": title,
        "og:description": description,
    }
    names = {
        "description": description,
        "twitter:card": "summary_large_image" if picture else "summary",
    }
    if picture:
        part = SMALLER if picture.startswith("/web/") else 1
        properties |= {
            "og:image": request.host_url.rstrip("/") + picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH // part),
            "og:image:height": str(HEIGHT // part),
            "og:image:alt": f"{title}: {description}",
        }
    for kind, members in (("property", properties), ("name", names)):
        for name, content in members.items():
            yield f'<meta {kind}="{name}" content="{clean(content)}">'


def _game(game_id: str, language: str) -> Preview:
    words = _words(language)
    game = visibility.viewer_of(games(), None, game_id).game
    view = visibility.view_of_table(games(), game)
    names = [
        seat["player"]["name"] if "player" in seat else words["open"] for seat in view["seats"]
    ]
    title = f"{game.state.board.name}: {', '.join(names)}"
    results = sorted(
        (seat["result"]["rank"], seat["result"]["total"], name)
        for seat, name in zip(view["seats"], names, strict=True)
        if "result" in seat
    )
    if results:
        said = words["result"].format(
            ", ".join(f"{rank}. {name} {total}" for rank, total, name in results)
        )
    elif view["status"] == FINISHED:
        said = words["aborted"]
    elif view["status"] == LOBBY:
        said = words["join"].format(", ".join(names))
    else:
        said = words["watch"].format(
            ", ".join(
                f"{name} {seat['score']}" for seat, name in zip(view["seats"], names, strict=True)
            )
        )
    version, at = game.state.version, request.args.get("at", "")
    if re.fullmatch("[1-9][0-9]{0,5}", at) and int(at) < version:  # the link to a moment
        version = int(at)
    return title, said, f"/v1/games/{game_id}/card.png?at={version}"


def _player(player_id: str, language: str) -> Preview:
    words = _words(language)
    account = accounts.get(games().redis, player_id)
    kind = "bot" if account.bot else "player"
    return account.name, words[kind].format(account.name), _static(USUAL)


def _board(board_id: str, language: str) -> Preview:
    words = _words(language)
    board = games().store.board(board_id)
    said = words["board"].format(
        len(board.locations),
        len(board.routes),
        len(board.tickets),
        board.players[0],
        board.players[-1],
    )
    return board.name, said, _static(board_id)


def _words(language: str) -> Words:
    return WORDS.get(language, WORDS["en"])


def _static(board_id: str) -> str:
    """Return the path of the picture of a shipped board, "" for other boards."""
    return f"/web/boards/{board_id}.png" if board_id in PICTURES else ""


def _maker_of_feature(address: str) -> Maker | None:
    for feature in services().features:
        if make := feature.previews.get(address):
            return lambda id_, language: (*make(services(), id_, language), _static(USUAL))
    return None


MAKERS: dict[str, Maker] = {"/games/ID": _game, "/players/ID": _player, "/boards/ID": _board}
