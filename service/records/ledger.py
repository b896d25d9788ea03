"""The rated games in their order, and how strong they say that players are.

``{ratings}:waiting``  game -> its row: over, and not counted yet
``{ratings}:version``  random, another one after each change
``{ratings}:order``    the games that are counted, by when they count in milliseconds, then by id
``{ratings}:rows``     game -> its row, with what the game changed
``{ratings}:players``  "SCOPE PLAYER" -> standing
``{ratings}:last``     "SCOPE ACCOUNT" -> which of its versions has played last there, if that is
                       not the account by itself
``{ratings}:pairs``    "SCOPE MONTH PLAYER PLAYER" -> in how many games the two have met
``{ratings}:history``  "SCOPE PLAYER WHEN GAME": a player's games, ordered by their bytes
``{ratings}:table``    "LIST SCOPE POINTS PLAYER": the players, ordered by their bytes

A scope is ``overall`` or a board's id; with a month before, as ``2026-11/usa``, it is a season,
where who has played in that month stands as after the last game in it. A list is ``all`` or
``settled``: the players who are not provisional; of the versions of an account it has the one that
has played last there. The table has "versions ACCOUNT VERSION" beside.

All of it is what one sequence of games comes to, whoever brought them, and when: a
game that comes late is put in its place, and those after it are counted again. Every change is one
script, which does nothing if another one came in between.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import orjson
from redis import Redis

from service.records.counting import (
    Last,
    Met,
    Standings,
    account_of,
    last_of,
    pairs,
    play,
    start,
    take_back,
)
from service.records.standing import OVERALL, RatedGame, Standing
from service.store.scripts import Script
from service.times import as_time

ALL, SETTLED, VERSIONS = "all", "settled", "versions"
PREFIX = "{ratings}:"
NAMES = ("version", "order", "rows", "players", "history", "table", "pairs", "last")
AT_ONCE = 100  # games counted in one change: some milliseconds of work

# KEYS the version, then all that the commands use. ARGV the version that they were decided on, the
# new one, the commands as JSON.
CHANGE = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
for _, command in ipairs(cjson.decode(ARGV[3])) do redis.call(unpack(command)) end
return 1
"""

# KEYS the names of a ledger and, each after it, those of another that is to take its place; last, a
# set of games that need not be in the other. Returns the games that the other lacks, which are to
# be counted there first; none once it is done.
REPLACE = """
local more = redis.call('ZDIFF', 3, KEYS[3], KEYS[4], KEYS[#KEYS])
if #more > 0 then return more end
for i = 1, #KEYS - 1, 2 do
  redis.call('DEL', KEYS[i])
  if redis.call('EXISTS', KEYS[i + 1]) == 1 then
    redis.call('RENAME', KEYS[i + 1], KEYS[i])
    redis.call('PERSIST', KEYS[i])
  end
end
return more
"""


class Ledger:
    """The games under a prefix."""

    def __init__(self, redis: Redis, prefix: str = PREFIX):
        self.redis = redis
        self.waiting = f"{prefix}waiting"
        self.keys = [prefix + name for name in NAMES]
        (self.version, self.order, self.rows, self.players, self.history, self.table,
         self.pairs, self.last) = self.keys

    # Changes

    def put(self, games: Iterable[RatedGame]) -> None:
        """Let games wait to be counted."""
        if rows := {game.id: orjson.dumps(game.as_row()) for game in games}:
            self.redis.hset(self.waiting, mapping=rows)

    def drop(self, games: Iterable[str]) -> None:
        """Forget games that wait and will never count."""
        if games := [*games]:
            self.redis.hdel(self.waiting, *games)

    def step(self, games: Sequence[RatedGame]) -> None:
        """Count some of the games that wait, the earliest first; or, where later ones are counted
        already, let some of these wait again, the latest first."""
        version = self.redis.get(self.version) or b""
        known = self.redis.zmscore(self.order, [game.id for game in games])
        twice = [game.id for game, at in zip(games, known, strict=True) if at is not None]
        order = sorted((game for game in games if game.id not in {*twice}), key=_place)
        last = [(int(at), game.decode()) for game, at in
                self.redis.zrange(self.order, -AT_ONCE, -1, withscores=True)]
        if twice:
            self._change(version, [["HDEL", self.waiting, *twice]])
        elif order and last and last[-1] > order[0].place:
            self.take_back(version, [game for at, game in last if (at, game) > order[0].place])
        elif order:
            self.count(version, order[:AT_ONCE])

    def count(self, version: bytes, games: Sequence[RatedGame]) -> bool:
        """Count games, which are in order and after all that are counted; return whether nothing
        else was changed since ``version``."""
        last, met = self._last(games), self._met(games)
        before, was, rows = self._standings(games, last), dict(last), []
        now = dict(before)
        for game in games:
            changes = {scope: play(now, met, last, scope, game) for scope in game.scopes}
            counted = replace(game, deal=(), changes=changes)
            rows += [game.id, orjson.dumps(counted.as_row()).decode()]
        return self._change(version, [
            ["HDEL", self.waiting, *(game.id for game in games)],
            ["ZADD", self.order, *(str(x) for game in games for x in game.place)],
            ["HSET", self.rows, *rows],
            ["ZADD", self.history, *(x for line in _lines(games) for x in ("0", line))],
            *self._meetings(met), *self._moves((before, was), (now, last))])

    def take_back(self, version: bytes, games: Sequence[str]) -> bool:
        """Let the last games that are counted, in order, wait again; return whether nothing else
        was changed since ``version``."""
        rows = self.redis.hmget(self.rows, games)
        if not all(rows):  # somebody else has taken them back
            return False
        counted = [_game(game_id, raw) for game_id, raw in zip(games, rows, strict=True)]
        last, met = self._last(counted), self._met(counted)
        before, was, waiting = self._standings(counted, last), dict(last), []
        now = dict(before)
        for game in reversed(counted):
            take_back(now, met, last, game)
            waiting += [game.id, orjson.dumps(replace(game, changes={}).as_row()).decode()]
        return self._change(version, [
            ["HSET", self.waiting, *waiting], ["ZREM", self.order, *games],
            ["HDEL", self.rows, *games], ["ZREM", self.history, *_lines(counted)],
            *self._meetings(met), *self._moves((before, was), (now, last))])

    def replace_by(self, other: Ledger, gone: str) -> list[str]:
        """Let another ledger take this one's place, if it has all of its games but those in the
        set ``gone``; return those that it lacks."""
        keys = [key for pair in zip(self.keys, other.keys, strict=True) for key in pair]
        return [g.decode() for g in Script(self.redis, REPLACE)(keys=[*keys, gone])]

    def read(self, scope: str, players: Iterable[str]) -> list[Standing]:
        """Return how players stand in a scope, whether or not they have played in it; a version
        that has not, as it would start."""
        names = [*players]
        found = self._read([f"{scope} {player}" for player in names])
        new = [i for i, player in enumerate(names) if "@" in player and not found[i].games]
        lasts = [self.last_versions(account_of(names[i]), [scope])[0] for i in new]
        for i, old in zip(new, self._read([f"{scope} {last}" for last in lasts]), strict=True):
            found[i] = old.of_new_version(found[i].aborted)
        return found

    def _standings(self, games: Sequence[RatedGame], last: Last) -> Standings:
        """Return how those stand who play, and the versions that have played last before."""
        found = dict.fromkeys(name for game in games for name in game.names)
        found |= dict.fromkeys(f"{name.partition(' ')[0]} {other}" for name, other in last.items())
        for game in games:
            found |= dict.fromkeys(f"{scope} {change.last}" for of, changes in game.changes.items()
                                   for change in changes if change.last
                                   for scope in (of, f"{game.month}/{of}"))
        return dict(zip(found, self._read([*found]), strict=True))

    def _last(self, games: Sequence[RatedGame]) -> Last:
        names = list(dict.fromkeys(account_of(name) for game in games for name in game.names))
        found = self.redis.hmget(self.last, names) if names else ()
        return {name: raw.decode() if raw else name.partition(" ")[2]
                for name, raw in zip(names, found, strict=True)}

    def _read(self, names: Sequence[str]) -> list[Standing]:
        found = self.redis.hmget(self.players, names) if names else ()
        return [Standing(*orjson.loads(raw)) if raw else start(name)
                for name, raw in zip(names, found, strict=True)]

    def _met(self, games: Iterable[RatedGame]) -> Met:
        names = list(dict.fromkeys(pair for game in games for pair in pairs(game)))
        found = self.redis.hmget(self.pairs, names) if names else ()
        return {pair: int(raw or 0) for pair, raw in zip(names, found, strict=True)}

    def _meetings(self, met: Met) -> list[list[str]]:
        """Return the commands that let pairs have met so often."""
        return [["HSET", self.pairs, *(x for pair, n in met.items() if n for x in (pair, str(n)))],
                ["HDEL", self.pairs, *(pair for pair, n in met.items() if not n)]]

    def _moves(
        self, before: tuple[Standings, Last], after: tuple[Standings, Last]
    ) -> list[list[str]]:
        """Return the commands that let players stand as they do now."""
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

    def _change(self, version: bytes, commands: Iterable[list[str]]) -> bool:
        asked = [command for command in commands if len(command) > 2]
        return bool(Script(self.redis, CHANGE)(
            keys=[self.version, self.waiting, *self.keys[1:]],
            args=[version, secrets.token_hex(8), orjson.dumps(asked)]))

    # What is there

    def counted_ids(self) -> set[str]:
        """Return the ids of the games that are counted."""
        return {game.decode() for game, _ in self.redis.zscan_iter(self.order, count=1000)}

    def last_games(self) -> list[str]:
        """Return the last games that are counted, as many as one change takes back, in order."""
        return [game.decode() for game in self.redis.zrange(self.order, -AT_ONCE, -1)]

    def waiting_games(self) -> list[RatedGame]:
        """Return the games that wait."""
        return [_game(game.decode(), raw)
                for game, raw in self.redis.hgetall(self.waiting).items()]

    def counted_games(self) -> dict[str, RatedGame]:
        """Return the games that are counted by their ids, as they once waited."""
        rows = self.redis.hscan_iter(self.rows, count=1000)
        return {game.decode(): replace(_game(game.decode(), raw), changes={})
                for game, raw in rows}

    def last_versions(self, account: str, scopes: Iterable[str]) -> list[str]:
        """Return which version of an account has played last in each scope, as a player."""
        found = self.redis.hmget(self.last, [f"{scope} {account}" for scope in scopes])
        return [raw.decode() if raw else account for raw in found]

    def versions(self, account: str, limit: int) -> list[str]:
        """Return versions of an account that have played, by their letters."""
        start = f"{VERSIONS} {account} "
        return [line.decode().removeprefix(start) for line in self.redis.zrangebylex(
            self.table, f"[{start}", f"({start}~", start=0, num=limit)]

    def months(self) -> tuple[str, str] | None:
        """Return the first and the last month in which a game counts, None without any."""
        ends = [self.redis.zrange(self.order, end, end, withscores=True) for end in (0, -1)]
        if not all(ends):
            return None
        first, last = (as_time(int(rows[0][1]))[:7] for rows in ends)
        return first, last

    def how_many_games(self, since: int, until: int) -> int:
        """Return how many games count in a time, in milliseconds since 1970."""
        return self.redis.zcount(self.order, since, f"({until}")

    def standing(self, scope: str, player: str) -> Standing:
        """Return how a player stands in a scope."""
        return self._read([f"{scope} {player}"])[0]

    def standings(self, players: Mapping[str, str]) -> dict[str, tuple[Standing, int]]:
        """Return how the player of each scope stands, and on which rank of all, if they have played
        there."""
        found = self._read([f"{scope} {player}" for scope, player in players.items()])
        found = [(scope, s) for scope, s in zip(players, found, strict=True) if s.games]
        ranks = self._ranks(ALL, found)
        return {scope: (s, rank) for (scope, s), rank in zip(found, ranks, strict=True)}

    def page(
        self, scope: str, which: str, before: str | None, limit: int
    ) -> tuple[list[tuple[int, str, Standing]], str | None]:
        """Return (rank, player, standing) of a list of a scope, the strongest first, and the
        cursor of the next page, None at the end. Equals share a rank."""
        start = f"{which} {scope} "
        top = f"({start}{before.replace('.', ' ', 1)}" if before else f"({start}:"
        lines = [line.decode() for line in self.redis.zrevrangebylex(
            self.table, top, f"[{start}", start=0, num=limit + 1)]
        names = [line.rpartition(" ")[2] for line in lines[:limit]]
        found = self._read([f"{scope} {name}" for name in names])
        ranks = self._ranks(which, [(scope, standing) for standing in found])
        more = ".".join(lines[limit - 1].split(" ")[2:]) if len(lines) > limit else None
        return list(zip(ranks, names, found, strict=True)), more

    def _ranks(self, which: str, found: Iterable[tuple[str, Standing]]) -> list[int]:
        pipe = self.redis.pipeline(transaction=False)
        for scope, standing in found:
            pipe.zlexcount(self.table, f"({which} {scope} {standing.points} ~",
                           f"({which} {scope} :")
        return [count + 1 for count in pipe.execute()]

    def how_many(self, which: str, scope: str) -> int:
        """Return how many players a list of a scope has."""
        return self.redis.zlexcount(self.table, f"[{which} {scope} ", f"({which} {scope} :")

    def games_of(
        self, scope: str, player: str, before: str | None, limit: int
    ) -> tuple[list[RatedGame], str | None]:
        """Return a player's games in a scope, the latest first, and the cursor of the next page,
        None at the end."""
        start = f"{scope} {player} "
        at, _, game = (before or "").partition(".")
        top = f"({start}{int(at):015d} {game}" if before else f"({start}:"
        lines = [line.decode().split(" ")[2:] for line in self.redis.zrevrangebylex(
            self.history, top, f"[{start}", start=0, num=limit + 1)]
        games = [game for _, game in lines[:limit]]
        rows = self.redis.hmget(self.rows, games) if games else ()
        found = [_game(game, raw) for game, raw in zip(games, rows, strict=True) if raw]
        return found, f"{int(lines[limit - 1][0])}.{games[-1]}" if len(lines) > limit else None


def _place(game: RatedGame) -> tuple[int, str]:
    return game.place


def _game(game_id: str, raw: bytes) -> RatedGame:
    return RatedGame.of_row(game_id, orjson.loads(raw))


def _places(name: str, standing: Standing, last: Last) -> list[str]:
    """Return a player's lines in the table."""
    if not standing.games:
        return []
    scope, _, player = name.partition(" ")
    account, _, version = player.partition("@")
    found = [f"{VERSIONS} {account} {version}"] if version and scope == OVERALL else []
    if last_of(last, scope, player) != player:
        return found
    line = f"{scope} {standing.points} {player}"
    lists = (ALL,) if standing.is_provisional else (ALL, SETTLED)
    return [*found, *(f"{which} {line}" for which in lists)]


def _lines(games: Iterable[RatedGame]) -> list[str]:
    """Return games' lines in their players' histories."""
    return [f"{scope} {player} {game.at:015d} {game.id}" for game in games for scope in game.scopes
            for player, _ in game.players if not game.was_aborted]
