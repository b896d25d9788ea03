"""What public finished games add up to, and which they are: derived, and kept as games finish.

``{stats}:games``   game id -> when it was filed here, in milliseconds since 1970; no two that were
                    filed as they finished have the same, so that a reader misses none
``{stats}:waiting``  game -> the games of its deal, as JSON: over, and others may still play that
``{stats}:counts``  "seat BOARD SEATS WHO MEASURE", "game BOARD SEATS", "route BOARD ID",
                    "kept BOARD TICKET" or "done BOARD TICKET" -> how many

What is counted of players is beside it, in ``service.projections.tallies``.

Only games that everybody may see and that were played from the start to a result are here; those
of a deal that is played several times, once it is over in all of its games (``catch_up``). One
script files a game and counts it, or does nothing where it is filed already: so a game is counted
once, whoever dies in between and whoever tries again.
"""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import orjson
from redis import Redis

from domain.game.state import FINISHED, State
from domain.rules.tickets import completed_tickets
from service.games.sight import is_duplicate, is_public
from service.projections.guarding import told
from service.projections.tallies import BETWEEN, MET, TALLIES, TALLY, tallies_of, written
from service.store.games import GameStore, KnownGame
from service.store.scripts import Script
from service.times import in_ms

GAMES, COUNTS, WAITING = "{stats}:games", "{stats}:counts", "{stats}:waiting"
KEYS = (GAMES, COUNTS, TALLIES, MET, BETWEEN)
PERSON = "person"
DAY = 86_400  # seconds

# KEYS those of ``KEYS``. ARGV the game, the time it is to be filed under or ""
# for now, what to add to tallies, what to add to which counts, as JSON.
COUNT = TALLY + """
local at = tonumber(ARGV[2])
if not at then
  local now = redis.call('TIME')
  at = now[1] * 1000 + math.floor(now[2] / 1000)
  local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
  if last and tonumber(last) >= at then at = tonumber(last) + 1 end
end
if redis.call('ZADD', KEYS[1], 'NX', string.format('%.0f', at), ARGV[1]) == 0 then return 0 end
for name, adds in pairs(cjson.decode(ARGV[4])) do
  redis.call('HINCRBY', KEYS[2], name, string.format('%.0f', adds))
end
tally(KEYS[3], KEYS[4], KEYS[5], ARGV[1], at, ARGV[3], 1)
return 1
"""

# KEYS those of ``KEYS``. ARGV the game, what it has added to tallies, what it has added to which
# counts, as JSON.
TAKE_BACK = TALLY + """
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
for name, adds in pairs(cjson.decode(ARGV[3])) do
  if redis.call('HINCRBY', KEYS[2], name, string.format('%.0f', -adds)) == 0 then
    redis.call('HDEL', KEYS[2], name)
  end
end
tally(KEYS[3], KEYS[4], KEYS[5], ARGV[1], tonumber(at), ARGV[2], -1)
return 1
"""

# KEYS those of ``KEYS``, and what is to take their place. ARGV games that are no more. Returns the
# games that finished meanwhile, which are to be counted first; none once it is done.
REPLACE = """
if #ARGV > 0 then redis.call('ZREM', KEYS[1], unpack(ARGV)) end
local more = redis.call('ZDIFF', 2, KEYS[1], KEYS[#KEYS / 2 + 1])
if #more > 0 then return more end
for i = 1, #KEYS / 2 do
  redis.call('DEL', KEYS[i])
  if redis.call('EXISTS', KEYS[i + #KEYS / 2]) == 1 then
    redis.call('RENAME', KEYS[i + #KEYS / 2], KEYS[i])
    redis.call('PERSIST', KEYS[i])
  end
end
return more
"""


def is_counted(state: State) -> bool:
    """Return whether a game belongs here, if its deal is over: it is, with a result, for all to
    see then, and no fork."""
    return bool(state.status == FINISHED and state.results and state.fork is None
                and (is_public(state) or is_duplicate(state)))


def file(redis: Redis, game: KnownGame) -> None:
    """File and count a game that is over, once; or let it wait, if its deal is played several
    times. Statistics stop no game: what cannot be counted is logged. ``redis`` may be a pipeline,
    which is then to be executed."""
    if is_duplicate(game.state):
        _wait(redis, game.state)
    else:
        with told(f"{game.state.id} cannot be counted"):
            _count(redis, game)


def _wait(redis: Redis, state: State) -> None:
    if is_counted(state):
        redis.hset(WAITING, state.id, orjson.dumps(state.deal))


def catch_up(store: GameStore) -> None:
    """File and count the games that wait, and whose deal is over."""
    with told("deals that are over cannot be counted"):
        waiting = {game.decode(): orjson.loads(deal)
                   for game, deal in store.redis.hgetall(WAITING).items()}
        ended = store.ended({other for deal in waiting.values() for other in deal})
        ready = [game for game, deal in waiting.items() if all(other in ended for other in deal)]
        for game_id in sorted(ready, key=lambda game: (ended[game], game)):
            with told(f"{game_id} cannot be counted"):
                _count(store.redis, store.load(game_id))
            store.redis.hdel(WAITING, game_id)


def _count(redis: Redis, game: KnownGame) -> None:
    if is_counted(game.state):
        # sent whole, so that a pipeline does it in its turn also where Redis does not know it
        redis.execute_command("EVAL", COUNT, len(KEYS), *KEYS, game.state.id, "", *_words_of(game))


def take_back(redis: Redis, game: KnownGame) -> None:
    """Count a game no more that was over, and is not."""
    redis.hdel(WAITING, game.state.id)
    if is_counted(game.state):
        Script(redis, TAKE_BACK)(
            keys=KEYS, args=[game.state.id, *_words_of(game)])


def counts_of(state: State) -> Counter[str]:
    """Return what a finished game adds to each count."""
    board, found = state.board, Counter()
    found[f"game {board.id} {len(state.players)}"] = 1
    for seat in state.seats:
        of_seat = f"seat {board.id} {len(state.players)} {kind_of_player(state, seat)}"
        result = state.results[seat]
        found[f"{of_seat} played"] += 1
        found[f"{of_seat} won"] += result["rank"] == 1
        found[f"{of_seat} points"] += result["total"]
        found[f"{of_seat} completed"] += result["tickets_completed"]
        found[f"{of_seat} kept"] += len(state.tickets[seat]) + len(state.removed[seat])
        for route in state.routes[seat]:
            found[f"route {board.id} {board.routes[route].id}"] += 1
        for ticket in state.tickets[seat] + state.removed[seat]:
            found[f"kept {board.id} {board.tickets[ticket].id}"] += 1
        for ticket in completed_tickets(state, seat):
            found[f"done {board.id} {board.tickets[ticket].id}"] += 1
    return found


def kind_of_player(state: State, seat: int) -> str:
    """Return what kind of player has a seat: a built-in bot's name, ``external`` or ``person``."""
    player = state.players[seat]
    return (player.bot if player else None) or PERSON


def players_by_seats(redis: Redis, board: str | None = None) -> list[dict]:
    """Return how each kind of player has done, by board and number of seats."""
    rows: dict[tuple, dict[str, int]] = defaultdict(dict)
    for (kind, on, *rest), count in _all(redis):
        if kind == "seat" and board in (None, on):
            seats, name, measure = rest
            rows[on, int(seats), name][measure] = count
    return [
        {"board": on, "seats": seats, "player": name, "played": row["played"],
         "won": row.get("won", 0), "mean_score": _mean(row, "points", "played"),
         "tickets_completed": _mean(row, "completed", "kept")}
        for (on, seats, name), row in sorted(rows.items())
    ]


def board_statistics(redis: Redis, board: str) -> dict:
    """Return what is counted of a board: games by number of seats, routes and tickets, the most
    frequent first."""
    games: dict[int, int] = {}
    found: dict[str, dict[str, int]] = {"route": {}, "kept": {}, "done": {}}
    for (kind, on, *rest), count in _all(redis):
        if on == board and kind == "game":
            games[int(rest[0])] = count
        elif on == board and kind in found:
            found[kind][rest[0]] = count
    total = sum(games.values())
    return {
        "board": board,
        "games": total,
        "by_seats": [{"seats": seats, "games": games[seats]} for seats in sorted(games)],
        "players": [{name: v for name, v in row.items() if name != "board"}
                    for row in players_by_seats(redis, board)],
        "routes": [{"route": route, "claimed": count, "share": round(count / total, 4)}
                   for route, count in _most_frequent(found["route"])],
        "tickets": [{"ticket": ticket, "kept": count, "completed": found["done"].get(ticket, 0)}
                    for ticket, count in _most_frequent(found["kept"])],
    }


@dataclass(frozen=True)
class Recount:
    """New counts, which are made beside the old ones; several processes may add games to them.

    Games keep the times that they are filed under; from nothing, they are filed by when they ended.
    """

    keys: tuple[str, ...]
    was_filed: bool  # whether there were games before

    @staticmethod
    def begin(redis: Redis) -> Recount:
        """Return new counts, of nothing yet."""
        prefix = f"{{stats}}:new:{secrets.token_hex(8)}:"
        return Recount(tuple(prefix + key.removeprefix("{stats}:") for key in KEYS),
                       bool(redis.exists(GAMES)))

    def count(self, redis: Redis, game: KnownGame) -> None:
        """Count a game, once."""
        if not is_counted(game.state):
            return
        at = redis.zscore(GAMES, game.state.id)
        if at is None and is_duplicate(game.state):
            _wait(redis, game.state)  # for ``catch_up``
            return
        if at is None and self.was_filed:  # it was missed, or is new: who reads on is to find it
            file(redis, game)
        at = at or redis.zscore(GAMES, game.state.id) or in_ms(game.updated)
        Script(redis, COUNT)(keys=self.keys, args=[game.state.id, int(at), *_words_of(game)])

    def keep(self, redis: Redis) -> None:
        """Keep the counts for a day more, should nobody come to the end of this."""
        pipe = redis.pipeline(transaction=False)
        for key in self.keys:
            pipe.expire(key, DAY)
        pipe.execute()

    def finish(self, redis: Redis, load: Callable[[str], KnownGame | None]) -> None:
        """Put the new counts in the place of the old ones. Games that have finished meanwhile are
        filed in the old place, found there and counted too; ``load(game_id)`` returns such a game,
        None if its history is gone."""
        replace, gone = Script(redis, REPLACE), list[bytes]()
        while True:
            self.keep(redis)
            more = replace(keys=[*KEYS, *self.keys], args=gone[:1000])
            if not more:
                return
            gone = []
            for game_id in more:
                game = load(game_id.decode())
                if game and is_counted(game.state):
                    self.count(redis, game)
                else:
                    gone.append(game_id)


def _words_of(game: KnownGame) -> list[bytes]:
    """Return what a game adds, as the scripts take it."""
    counts = {name: count for name, count in counts_of(game.state).items() if count}
    return [written(tallies_of(game)), orjson.dumps(counts)]


def all_counts(redis: Redis) -> dict[str, int]:
    """Return every count by its name."""
    return {name.decode(): int(count) for name, count in redis.hgetall(COUNTS).items()}


def _all(redis: Redis) -> list[tuple[list[str], int]]:
    return [(name.split(" "), count) for name, count in all_counts(redis).items()]


def _most_frequent(found: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(found.items(), key=lambda row: (-row[1], row[0]))


def _mean(row: dict[str, int], what: str, of: str) -> float:
    return round(row.get(what, 0) / row[of], 4) if row.get(of) else 0.0
