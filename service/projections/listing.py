"""Read ratings and rated games, which a ledger (``service.projections.ledger``) has written.

``{ratings}:waiting``  game -> its row; finished games that are not counted yet
``{ratings}:version``  random text, replaced by each change
``{ratings}:order``    the games that are counted, by when they count in milliseconds, then by id
``{ratings}:rows``     game -> its row, with what the game changed
``{ratings}:players``  "SCOPE PLAYER" -> standing
``{ratings}:last``     "SCOPE ACCOUNT" -> the version that has played last there, unless that is
                       the account without a version
``{ratings}:pairs``    "SCOPE MONTH PLAYER PLAYER" -> in how many games the two have met
``{ratings}:history``  "SCOPE PLAYER WHEN GAME": a player's games, ordered by their bytes
``{ratings}:table``    "LIST SCOPE POINTS PLAYER": the players, ordered by their bytes

A scope is ``overall`` or a board's id. A list is ``all``, or ``settled`` for the players who are
not provisional; of the versions of an account it has the one that has played last there. The table
also has "versions ACCOUNT VERSION".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import orjson
from redis import Redis

from service.projections.counting import account_of, start
from service.projections.standing import RatedGame, Standing
from service.store.pages import page_of_lines

ALL, SETTLED, VERSIONS = "all", "settled", "versions"
PREFIX = "{ratings}:"
NAMES = ("version", "order", "rows", "players", "history", "table", "pairs", "last")
DIGITS = 15  # of the time in a line of the history
BATCH_SIZE = 100  # games counted in one change, which takes some milliseconds


class Listing:
    """Reads the ratings whose keys begin with a prefix."""

    def __init__(self, redis: Redis, prefix: str = PREFIX):
        self.redis, self.waiting = redis, f"{prefix}waiting"
        self.keys = [prefix + name for name in NAMES]
        (self.version, self.order, self.rows, self.players, self.history, self.table,
         self.pairs, self.last) = self.keys

    # Games

    def counted_ids(self) -> set[str]:
        """Return the ids of the games that are counted."""
        return {game.decode() for game, _ in self.redis.zscan_iter(self.order, count=1000)}

    def last_games(self) -> list[str]:
        """Return the last games that are counted, as many as one change takes back, in order."""
        return [game.decode() for game in self.redis.zrange(self.order, -BATCH_SIZE, -1)]

    def waiting_games(self) -> list[RatedGame]:
        """Return the games that wait to be counted."""
        return [game_of(game.decode(), raw)
                for game, raw in self.redis.hgetall(self.waiting).items()]

    def counted(self, games: Sequence[str]) -> list[RatedGame]:
        """Return those of some games that are counted."""
        rows = self.redis.hmget(self.rows, games) if games else ()
        return [game_of(game, raw) for game, raw in zip(games, rows, strict=True) if raw]

    def games_of(
        self, scope: str, player: str, before: str | None, limit: int
    ) -> tuple[list[RatedGame], str | None]:
        """Return a player's games in a scope, the latest first, and the cursor of the next page,
        None at the end."""
        lines, cursor = page_of_lines(
            self.redis, self.history, f"{scope} {player}", before, limit, digits=DIGITS)
        return self.counted([game for _, game in lines]), cursor

    # Players

    def read(self, scope: str, players: Iterable[str]) -> list[Standing]:
        """Return the standings of players in a scope. A player without games has the standing at
        the start; a new version starts from the last one."""
        names = [*players]
        standings = self._read([f"{scope} {player}" for player in names])
        new = [i for i, player in enumerate(names) if "@" in player and not standings[i].games]
        lasts = [self.last_versions(account_of(names[i]), [scope])[0] for i in new]
        for i, old in zip(new, self._read([f"{scope} {last}" for last in lasts]), strict=True):
            standings[i] = old.of_new_version(standings[i].aborted)
        return standings

    def last_versions(self, account: str, scopes: Iterable[str]) -> list[str]:
        """Return the player that is the last version of an account to have played, for each
        scope."""
        stored = self.redis.hmget(self.last, [f"{scope} {account}" for scope in scopes])
        return [raw.decode() if raw else account for raw in stored]

    def versions(self, account: str, limit: int) -> list[str]:
        """Return at most ``limit`` versions of an account that have played, in alphabetical
        order."""
        start = f"{VERSIONS} {account} "
        return [line.decode().removeprefix(start) for line in self.redis.zrangebylex(
            self.table, f"[{start}", f"({start}~", start=0, num=limit)]

    def standing(self, scope: str, player: str) -> Standing:
        """Return the standing of a player in a scope."""
        return self._read([f"{scope} {player}"])[0]

    def standings(self, players: Mapping[str, str]) -> dict[str, tuple[Standing, int]]:
        """Return the standing and the rank of the player of each scope, if they have played
        there."""
        standings = self._read([f"{scope} {player}" for scope, player in players.items()])
        rated = [(scope, s) for scope, s in zip(players, standings, strict=True) if s.games]
        ranks = self._ranks(ALL, rated)
        return {scope: (s, rank) for (scope, s), rank in zip(rated, ranks, strict=True)}

    def page(
        self, scope: str, which: str, before: str | None, limit: int
    ) -> tuple[list[tuple[int, str, Standing]], str | None]:
        """Return (rank, player, standing) for a page of a list of a scope, the strongest first, and
        the cursor of the next page, None at the end. Equal ratings share a rank."""
        lines, cursor = page_of_lines(self.redis, self.table, f"{which} {scope}", before, limit,
                                      digits=10)
        names = [name for _, name in lines]
        standings = self._read([f"{scope} {name}" for name in names])
        ranks = self._ranks(which, [(scope, standing) for standing in standings])
        return list(zip(ranks, names, standings, strict=True)), cursor

    def _ranks(self, which: str, standings: Iterable[tuple[str, Standing]]) -> list[int]:
        pipe = self.redis.pipeline(transaction=False)
        for scope, standing in standings:
            pipe.zlexcount(self.table, f"({which} {scope} {standing.points} ~",
                           f"({which} {scope} :")
        return [count + 1 for count in pipe.execute()]

    def how_many(self, which: str, scope: str) -> int:
        """Return how many players a list of a scope has."""
        return self.redis.zlexcount(self.table, f"[{which} {scope} ", f"({which} {scope} :")

    def _read(self, names: Sequence[str]) -> list[Standing]:
        stored = self.redis.hmget(self.players, names) if names else ()
        return [Standing(*orjson.loads(raw)) if raw else start(name)
                for name, raw in zip(names, stored, strict=True)]


def game_of(game_id: str, raw: bytes) -> RatedGame:
    return RatedGame.of_row(game_id, orjson.loads(raw))
