"""Create the games of a table, and read their results."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from hmac import digest

from domain.errors import BrokenHistory
from domain.game.commands import CreateGame, Player
from domain.game.events import Place
from domain.game.state import FINISHED
from domain.tournament.events import DUPLICATE, SeatResult
from domain.tournament.fold import Step, record_table
from domain.tournament.state import Entrant, Round, Table, Tournament
from service.accounts import accounts, bots
from service.games.creating import create_from
from service.games.games import Games
from service.games.store import GameHead


class Tables:
    """The tables of tournaments: their games, and the results of these."""

    def __init__(self, games: Games):
        self._games = games

    def play(self, state: Tournament, paired: Round) -> list[Step]:
        """Create the missing games of a round; return the steps that record the tables whose
        games are over. Leave out a table with a broken history."""
        waiting = [table for table in paired.tables if not table.is_over]
        records: list[Step] = []
        heads = iter(
            self._games.store.heads(
                [table.games[rotation] for table in waiting for rotation in table.under_way]
            )
        )
        for table in waiting:
            of_deal: list[GameHead | None] = [next(heads) for _ in table.under_way]
            for rotation, head in zip(table.under_way, of_deal, strict=True):
                if head is None:
                    self._create_game(state, paired, table, rotation)
            if all(head and head["status"] == FINISHED for head in of_deal):
                with suppress(BrokenHistory):
                    results = tuple(
                        self._results(table.games[rotation]) for rotation in table.under_way
                    )
                    records.append(
                        partial(
                            record_table, number=paired.number, at_table=table.number, games=results
                        )
                    )
        return records

    def changed_players(self, state: Tournament) -> dict[str, Player]:
        """Return the players whose account has changed its version since they entered. They keep
        the name that they entered with."""
        present = {
            account.id: replace(account.player, name=state.entrants[account.id].player.name)
            for account in accounts.some(
                self._games.redis,
                [
                    entrant.id
                    for entrant in state.entrants.values()
                    if not entrant.player.is_built_in
                ],
            )
        }
        return {
            entrant: player
            for entrant, player in present.items()
            if player != state.entrants[entrant].player
        }

    def _create_game(self, state: Tournament, paired: Round, table: Table, rotation: int) -> None:
        """Create a game of a table; this is idempotent. All rotations of a deal have the same seed,
        which cannot be guessed without the service's secret."""
        tournament = state.id
        deal, of_deal = next(
            (deal, table.games[of])
            for deal, of in enumerate(table.by_deal)
            if rotation in range(of.start, of.stop)
        )
        lines = ["deal", tournament, paired.number, table.number, *([deal] if deal else [])]
        is_duplicate = state.settings.deals == DUPLICATE
        place: Place = {
            "id": tournament,
            "round": paired.number,
            "table": table.number,
            "games": [*of_deal],
            "owners": state.owners,
        }
        if state.is_by_invitation:
            place["entry"] = "invitation"
        if state.settings.visibility:
            place["visibility"] = state.settings.visibility
        create_from(
            self._games,
            CreateGame(
                game=table.games[rotation],
                creator=tournament,
                seats=tuple(
                    (_player(state.entrants[entrant], seat), None)
                    for seat, entrant in enumerate(table.seated(rotation))
                ),
                seed=digest(self._games.secret, "\n".join(map(str, lines)).encode(), "sha256"),
                first_seat=0,
                clock=state.settings.clock,
                on_timeout=state.settings.on_timeout,
                visibility="unlisted" if is_duplicate else state.settings.visibility,
                spectators=not is_duplicate,
                tournament=place,
            ),
            self._games.store.board(paired.board),
        )

    def _results(self, game_id: str) -> tuple[SeatResult, ...]:
        state = self._games.store.load(game_id).state
        rows = list[SeatResult]()
        for result, left in zip(state.results, state.left, strict=True):
            # in the order of the stored text, so that a view of them has one form
            row: SeatResult = {"rank": result["rank"], "total": result["total"]}
            rows.append({"left": left, **row} if left else row)
        return tuple(rows)


def _player(entrant: Entrant, seat: int) -> Player:
    """Return the player for an entrant's seat: the version of a bot that it had at the start."""
    return bots.on_seat(entrant.player, seat) if entrant.player.is_built_in else entrant.player
