"""Create the games of a table, and read their results."""

from __future__ import annotations

from dataclasses import replace
from hmac import digest

from domain.game.commands import CreateGame, Player
from domain.game.events import Place
from domain.tournament.events import DUPLICATE, SeatResult
from domain.tournament.state import Entrant, Round, Table, Tournament
from service.accounts import accounts, bots
from service.games.creating import create_from
from service.games.games import Games


def create_game(
    games: Games, state: Tournament, paired: Round, table: Table, rotation: int
) -> None:
    """Create a game of a table; this is idempotent. All rotations of a deal have the same seed,
    which cannot be guessed without the service's secret."""
    tournament, board = state.id, games.store.board(paired.board)
    deal, of_deal = next((deal, table.games[of]) for deal, of in enumerate(table.by_deal)
                         if rotation in range(of.start, of.stop))
    lines = ["deal", tournament, paired.number, table.number, *([deal] if deal else [])]
    is_duplicate = state.settings.deals == DUPLICATE
    place: Place = {"id": tournament, "round": paired.number, "table": table.number,
                    "games": [*of_deal]}
    if state.settings.entry == "invitation":
        place["entry"] = "invitation"
    if state.settings.visibility:
        place["visibility"] = state.settings.visibility
    create_from(games, CreateGame(
        game=table.games[rotation], creator=tournament,
        seats=tuple((_player(state.entrants[entrant], seat), None)
                    for seat, entrant in enumerate(table.seated(rotation))),
        seed=digest(games.secret, "\n".join(map(str, lines)).encode(), "sha256"),
        first_seat=0, clock=state.settings.clock, on_timeout=state.settings.on_timeout,
        visibility="unlisted" if is_duplicate else state.settings.visibility,
        spectators=not is_duplicate, tournament=place,
    ), board)


def results(games: Games, game_id: str) -> tuple[SeatResult, ...]:
    """Return the results of a finished game: the total and rank of each seat, and why it left, if
    it did."""
    state = games.get(game_id).state
    rows: list[SeatResult] = [{"total": result["total"], "rank": result["rank"]}
                               for result in state.results]
    for row, left in zip(rows, state.left, strict=True):
        if left:
            row["left"] = left
    return tuple(rows)


def changed_players(games: Games, state: Tournament) -> dict[str, Player]:
    """Return the players whose account has changed its version since they entered. They keep the
    name that they entered with."""
    present = {account.id: replace(account.player, name=state.entrants[account.id].player.name)
               for account in accounts.some(games.redis, [
                   entrant.id for entrant in state.entrants.values()
                   if not entrant.player.is_built_in])}
    return {entrant: player for entrant, player in present.items()
            if player != state.entrants[entrant].player}


def _player(entrant: Entrant, seat: int) -> Player:
    """Return the player for an entrant's seat: the version of a bot that it had at the start."""
    return bots.on_seat(entrant.player, seat) if entrant.player.is_built_in else entrant.player
