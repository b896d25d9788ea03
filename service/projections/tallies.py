"""Count the record of two players against each other, and how long each takes to decide.

``{stats}:players``        "A B", two players in the order of their ids, or "A" -> counts by name,
                           as JSON: of two "games", "BOARD games", "BOARD first" and "BOARD second"
                           (A's and B's wins), "BOARD played" (neither left) and "BOARD margin" (A's
                           totals less B's in these); of one what ``counted`` counts. Of two players
                           all versions count together, of one each version by itself
``{stats}:players:met``    "A GAMES B": the opponents of each player, ordered by their bytes
``{stats}:players:games``  "A B WHEN GAME", two players in the order of their ids: their games, by
                           when these were added to the log in milliseconds since 1970, ordered by
                           their bytes. Those of old games are in the archive:
                           ``{stats}:players:games:pages`` and ``{stats}:players:games:paged`` say
                           where (``service.store.shelves``)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import orjson
from redis import Redis

from domain.game.commands import Player
from service.projections.finished import CHECKPOINTS, PREFIX, VERSION, Statistic, log_of
from service.projections.ratings import account_id, rated_id
from service.store.games import GameStore, LoadedGame
from service.store.pace import TIMED_OUT, counted, time_at
from service.store.pages import page_of_lines, without_zeros
from service.store.shelves import ROWS, Place, Rows, Shelf
from service.store.versioned import Versioned

NOBODY: dict[str, int] = {}
DIGITS = 15  # of the time in a line

ADD = """
local function encoded(counts)  -- always the same of the same, as cjson does not
  local names, members = {}, {}
  for name in pairs(counts) do table.insert(names, name) end
  table.sort(names)
  for _, name in ipairs(names) do
    table.insert(members, string.format('"%s":%.0f', name, counts[name]))
  end
  return '{' .. table.concat(members, ',') .. '}'
end
local tallies, met, between = unpack(keys)
for name, counts in pairs(adds) do
  local held = cjson.decode(redis.call('HGET', tallies, name) or '{}')
  local before = held.games or 0
  for what, count in pairs(counts) do
    local sum = (held[what] or 0) + sign * count
    held[what] = sum ~= 0 and sum or nil
  end
  local a, b = string.match(name, '^(%S+) (%S+)$')
  for _, pair in ipairs(a and {{a, b}, {b, a}} or {}) do
    local line = pair[1] .. ' %09.0f ' .. pair[2]
    redis.call('ZREM', met, string.format(line, before))
    if held.games then redis.call('ZADD', met, 0, string.format(line, held.games)) end
  end
  if a then
    local line = string.format('%s %015.0f %s', name, at, game)
    redis.call('ZREM', between, line)
    if sign > 0 then redis.call('ZADD', between, 0, line) end
  end
  if next(held) then
    redis.call('HSET', tallies, name, encoded(held))
  else
    redis.call('HDEL', tallies, name)
  end
end
"""


def tallies_of(game: LoadedGame) -> dict[str, Counter[str]]:
    """Return what a finished game adds to each tally."""
    state, found = game.state, dict[str, Counter[str]]()
    names = [rated_id(player) for player in state.players if player]
    for seat, name in enumerate(names):
        if pace := counted(game.pace, seat):
            found.setdefault(name, Counter()).update(pace)
    accounts = [name.partition("@")[0] for name in names]
    once = [(name, seat) for seat, name in enumerate(accounts) if accounts.count(name) == 1]
    for (a, one), (b, other) in combinations(sorted(once), 2):
        first, second = state.results[one], state.results[other]
        counts = found[f"{a} {b}"] = Counter({"games": 1, f"{state.board.id} games": 1})
        if first["rank"] != second["rank"]:
            won = "first" if first["rank"] < second["rank"] else "second"
            counts[f"{state.board.id} {won}"] = 1
        if state.left[one] is None and state.left[other] is None:
            counts[f"{state.board.id} played"] = 1
            counts[f"{state.board.id} margin"] = first["total"] - second["total"]
    return found


def read(redis: Redis, key: str) -> dict[str, dict[str, int]]:
    """Return all counts, by player or by pair of players."""
    return {name.decode(): orjson.loads(raw) for name, raw in redis.hscan_iter(key, count=1000)}


def shelf_of(store: GameStore) -> Shelf:
    """Return the pages with the lines of old games."""
    return Shelf(store.redis, store.archive, f"{BETWEEN}:")


def _keys(store: GameStore, shelf: Shelf) -> Versioned:
    """Return the keys that change together if lines move. Games that are counted change no version:
    they add lines, and move none."""
    return Versioned(store.redis, VERSION, [BETWEEN, *shelf.keys])


def archive(store: GameStore, before: int) -> None:
    """Move the lines of the games that were added to the log before a time to the archive, as far
    as they fill pages."""
    shelf = shelf_of(store)

    def next_rows() -> Rows | None:
        last = shelf.last_page()
        places = _counted(store, last.last if last else (0, ""), before)
        return (places, _lines(store, places), {}) if len(places) == ROWS else None

    shelf.move(_keys(store, shelf), next_rows,
               lambda page: [["ZREM", BETWEEN, *shelf.lines(page)]])


def fetch_back(store: GameStore, place: Place) -> None:
    """Move lines back into Redis, so that those of a game are there."""
    shelf = shelf_of(store)
    while True:
        version, page = _keys(store, shelf).version(), shelf.last_page()
        if page is None or page.last < place:
            return
        lines = [x for line in shelf.lines(page) for x in ("0", line)]
        _keys(store, shelf).change(version, [*shelf.pop(page), ["ZADD", BETWEEN, *lines]])


def _counted(store: GameStore, after: Place, before: int) -> list[Place]:
    """Return the places in the log of the next games after one that this statistic counts, and that
    were added before a time."""
    at, game = (store.redis.hget(CHECKPOINTS, STATISTIC.name) or b"0 ").decode().split(" ")
    until, found = min((int(at), f"{game}~"), (before, "")), list[Place]()
    while len(found) < ROWS and (rows := log_of(store).oldest(after, ROWS)):
        found += [row for row in rows if row < until]
        after = rows[-1]
        if after >= until:
            break
    return found[:ROWS]


def _lines(store: GameStore, places: Sequence[Place]) -> list[str]:
    """Return the lines that Redis has of games."""
    lines = []
    for (at, game), head in zip(places, store.heads([game for _, game in places]), strict=True):
        seats = [seat["player"] for seat in head["seats"] if "player" in seat] if head else []
        accounts = Counter(account_id(Player(**player)) for player in seats)
        once = sorted(account for account, seats in accounts.items() if seats == 1)
        lines += [f"{a} {b} {at:0{DIGITS}d} {game}" for a, b in combinations(once, 2)]
    scores = store.redis.zmscore(BETWEEN, lines) if lines else ()
    return [line for line, score in zip(lines, scores, strict=True) if score is not None]


STATISTIC = Statistic("players", tallies_of, ADD, ("met", "games"),
                      ("games:pages", "games:paged"), read, archive, fetch_back)
TALLIES, MET, BETWEEN = STATISTIC.keys(PREFIX)


# For the API


def opponents(
    redis: Redis, player: str, before: str | None, limit: int
) -> tuple[list[tuple[str, dict]], str | None]:
    """Return a page of the opponents of a player, each with the record against them, the most
    often met first, and the cursor of the next page, None at the end."""
    lines, cursor = page_of_lines(redis, MET, player, before, limit, digits=9)
    names = [name for _, name in lines]
    return list(zip(names, _against(redis, player, names), strict=True)), cursor


def against(redis: Redis, player: str, opponent: str) -> dict:
    """Return a player's record against another, as the API shows it."""
    return _against(redis, player, [opponent])[0]


def games_of_two(
    store: GameStore, player: str, opponent: str, before: str | None, limit: int
) -> tuple[list[str], str | None]:
    """Return the games that the record of a player against another counts, the latest first, and
    the cursor of the next page, None at the end."""
    lines, cursor = page_of_lines(store.redis, BETWEEN, " ".join(sorted((player, opponent))),
                                  before, limit, digits=DIGITS, cursor=without_zeros,
                                  shelf=shelf_of(store))
    return [game for _, game in lines], cursor


def conduct(redis: Redis, player: str) -> dict:
    """Return how long a player takes to decide, as the API shows it, an empty object without
    decisions."""
    counts = _read(redis, [player])[0]
    times = {int(name.split(" ")[1]): count for name, count in counts.items() if " " in name}
    decisions = sum(times.values())
    if not decisions:
        return {}
    late = counts.get(TIMED_OUT, 0)
    return {"decisions": decisions + late, "timeouts": late, "latency": {
        "median": _share(times, decisions * 0.5), "p95": _share(times, decisions * 0.95)}}


def _share(times: Mapping[int, int], share: float) -> int:
    """Return a quantile of the times of decisions, in milliseconds: ``share`` of them took no
    longer."""
    for place in sorted(times):
        share -= times[place]
        if share <= 0:
            break
    return time_at(place)


def _against(redis: Redis, player: str, opponents: list[str]) -> list[dict]:
    found = _read(redis, [" ".join(sorted((player, other))) for other in opponents])
    return [_record(counts, player < other)
            for counts, other in zip(found, opponents, strict=True)]


def _read(redis: Redis, names: list[str]) -> list[dict[str, int]]:
    return [orjson.loads(raw) if raw else NOBODY
            for raw in (redis.hmget(TALLIES, names) if names else ())]


def _record(counts: Mapping[str, int], is_first: bool) -> dict:
    """Return the record of the first or the second of two players, over all and by board."""
    boards = sorted(name.removesuffix(" games") for name in counts if name.endswith(" games"))
    rows = [{name: counts.get(f"{board} {name}", 0) for name in
             ("games", "first", "second", "played", "margin")} for board in boards]
    total = {name: sum(row[name] for row in rows) for name in
             ("games", "first", "second", "played", "margin")}
    return _shown(total, is_first) | {"boards": [
        {"board": board} | _shown(row, is_first) for board, row in zip(boards, rows, strict=True)]}


def _shown(row: Mapping[str, int], is_first: bool) -> dict:
    first, second = row["first"], row["second"]
    wins, losses = (first, second) if is_first else (second, first)
    shown: dict[str, float] = {"games": row["games"], "wins": wins,
                               "draws": row["games"] - wins - losses, "losses": losses}
    if row["played"]:
        shown["margin"] = round((1 if is_first else -1) * row["margin"] / row["played"], 4)
    return shown
