"""Count the rated games in their order, and update the keys that ``service.projections.listing``
describes and reads.

The ratings are a fold of one sequence of games, and do not depend on the order in which the games
arrive: a late game is put in its place, and those after it are counted again. Every change is one
script, which does nothing if another change came in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import orjson

from service.projections.counting import (
    Last,
    Met,
    Standings,
    account_of,
    last_of,
    pairs,
    play,
    take_back,
)
from service.projections.listing import ALL, BATCH_SIZE, SETTLED, VERSIONS, Listing, game_of
from service.projections.standing import OVERALL, RatedGame, Standing
from service.store.scripts import REPLACE_KEYS, Script
from service.store.versioned import Versioned

# Replaces a ledger by another one. KEYS pairs of a key and the new ledger's key; last, a set of
# games that the new ledger need not have. Returns the games that the new ledger lacks, having
# changed nothing; none once it is done.
REPLACE = REPLACE_KEYS + """
local more = redis.call('ZDIFF', 3, KEYS[3], KEYS[4], KEYS[#KEYS])
if #more > 0 then return more end
replace_keys(1, #KEYS - 1)
return more
"""


class Ledger(Listing):
    """The rated games whose keys begin with a prefix, and the functions that change them."""

    def put(self, games: Iterable[RatedGame]) -> None:
        """Add games to those that wait to be counted."""
        if rows := {game.id: orjson.dumps(game.as_row()) for game in games}:
            self.redis.hset(self.waiting, mapping=rows)

    def drop(self, games: Iterable[str]) -> None:
        """Remove waiting games that will never count."""
        if games := [*games]:
            self.redis.hdel(self.waiting, *games)

    def step(self, games: Sequence[RatedGame]) -> bool:
        """Count the earliest of the waiting games. If later games are counted already, take these
        back first, the latest first. Return whether no games are left to count."""
        pipe = self.redis.pipeline(transaction=False)
        pipe.get(self.version)  # read first: if the rest is newer, the change is refused
        pipe.zmscore(self.order, [game.id for game in games])
        pipe.zrange(self.order, -BATCH_SIZE, -1, withscores=True)
        version, known, rows = pipe.execute()
        version = version or b""
        last = [(int(at), game.decode()) for game, at in rows]
        twice = [game.id for game, at in zip(games, known, strict=True) if at is not None]
        order = sorted((game for game in games if game.id not in {*twice}), key=_place)
        if twice:
            self._changes.change(version, [["HDEL", self.waiting, *twice]])
        elif order and last and last[-1] > order[0].place:
            self.take_back(version, [game for at, game in last if (at, game) > order[0].place])
        elif order:
            return self.count(version, order[:BATCH_SIZE]) and len(order) <= BATCH_SIZE
        return False

    def count(self, version: bytes, games: Sequence[RatedGame]) -> bool:
        """Count games. They must be in order, and after all counted games. Return False, having
        changed nothing, if the version is not ``version`` any more."""
        last, met = self._last(games), self._met(games)
        before, was, rows = self._standings(games, last), dict(last), []
        now = dict(before)
        for game in games:
            changes = {scope: play(now, met, last, scope, game) for scope in game.scopes}
            counted = replace(game, deal=(), changes=changes)
            rows += [game.id, orjson.dumps(counted.as_row()).decode()]
        return self._changes.change(version, [
            ["HDEL", self.waiting, *(game.id for game in games)],
            ["ZADD", self.order, *(str(x) for game in games for x in game.place)],
            ["HSET", self.rows, *rows],
            ["ZADD", self.history, *(x for line in _lines(games) for x in ("0", line))],
            *self._meetings(met), *self._moves((before, was), (now, last))])

    def take_back(self, version: bytes, games: Sequence[str]) -> bool:
        """Take back the last counted games, which must be given in order; they wait to be counted
        again. Return False, having changed nothing, if the version is not ``version`` any more."""
        rows = self.redis.hmget(self.rows, games)
        if not all(rows):  # another process has taken them back
            return False
        counted = [game_of(game_id, raw) for game_id, raw in zip(games, rows, strict=True)]
        last, met = self._last(counted), self._met(counted)
        before, was, waiting = self._standings(counted, last), dict(last), []
        now = dict(before)
        for game in reversed(counted):
            take_back(now, met, last, game)
            waiting += [game.id, orjson.dumps(replace(game, changes={}).as_row()).decode()]
        return self._changes.change(version, [
            ["HSET", self.waiting, *waiting], ["ZREM", self.order, *games],
            ["HDEL", self.rows, *games], ["ZREM", self.history, *_lines(counted)],
            *self._meetings(met), *self._moves((before, was), (now, last))])

    def replace_by(self, other: Ledger, gone: str) -> list[str]:
        """Replace this ledger by another one, if that has all games of this one except those in the
        set ``gone``. Return the games that the other lacks."""
        keys = [key for pair in zip(self.keys, other.keys, strict=True) for key in pair]
        return [game.decode() for game in Script(self.redis, REPLACE)([*keys, gone])]

    def _standings(self, games: Sequence[RatedGame], last: Last) -> Standings:
        """Return the standings of the players, and of the versions that have played last before."""
        names = dict.fromkeys(name for game in games for name in game.names)
        names |= dict.fromkeys(f"{name.partition(' ')[0]} {other}" for name, other in last.items())
        for game in games:
            names |= dict.fromkeys(f"{scope} {change.last}" for scope, changes in
                                   game.changes.items() for change in changes if change.last)
        return dict(zip(names, self._read([*names]), strict=True))

    def _last(self, games: Sequence[RatedGame]) -> Last:
        names = list(dict.fromkeys(account_of(name) for game in games for name in game.names))
        stored = self.redis.hmget(self.last, names) if names else ()
        return {name: raw.decode() if raw else name.partition(" ")[2]
                for name, raw in zip(names, stored, strict=True)}

    def _met(self, games: Iterable[RatedGame]) -> Met:
        names = list(dict.fromkeys(pair for game in games for pair in pairs(game)))
        stored = self.redis.hmget(self.pairs, names) if names else ()
        return {pair: int(raw or 0) for pair, raw in zip(names, stored, strict=True)}

    def _meetings(self, met: Met) -> list[list[str]]:
        """Return the commands that store how often pairs have met."""
        return [["HSET", self.pairs, *(x for pair, n in met.items() if n for x in (pair, str(n)))],
                ["HDEL", self.pairs, *(pair for pair, n in met.items() if not n)]]

    def _moves(
        self, before: tuple[Standings, Last], after: tuple[Standings, Last]
    ) -> list[list[str]]:
        """Return the commands that store the standings of players."""
        old, new = ([line for name, standing in standings.items()
                     for line in _places(name, standing, last)]
                    for standings, last in (before, after))
        now, last = after
        played = {name: s for name, s in now.items() if s.games or s.aborted}
        versions = {name: s for name, s in last.items() if not name.endswith(f" {s}")}
        return [
            ["ZREM", self.table, *old], ["ZADD", self.table, *(x for m in new for x in ("0", m))],
            ["HSET", self.players, *(x for name, standing in played.items() for x in
                                     (name, orjson.dumps([*standing]).decode()))],
            ["HDEL", self.players, *(name for name in now if name not in played)],
            ["HSET", self.last, *(x for row in versions.items() for x in row)],
            ["HDEL", self.last, *(name for name in last if name not in versions)]]

    @property
    def _changes(self) -> Versioned:
        return Versioned(self.redis, self.version, [self.waiting, *self.keys[1:]])


def _place(game: RatedGame) -> tuple[int, str]:
    return game.place


def _places(name: str, standing: Standing, last: Last) -> list[str]:
    """Return a player's lines in the table."""
    if not standing.games or ":" in name:  # a built-in bot on one board is in no overall list
        return []
    scope, _, player = name.partition(" ")
    account, _, version = player.partition("@")
    lines = [f"{VERSIONS} {account} {version}"] if version and scope == OVERALL else []
    if last_of(last, scope, player) != player:
        return lines
    line = f"{scope} {standing.points} {player}"
    lists = (ALL,) if standing.is_provisional else (ALL, SETTLED)
    return [*lines, *(f"{which} {line}" for which in lists)]


def _lines(games: Iterable[RatedGame]) -> list[str]:
    """Return games' lines in their players' histories."""
    return [f"{scope} {player} {game.at:015d} {game.id}" for game in games for scope in game.scopes
            for player, _ in game.players if not game.was_aborted]
