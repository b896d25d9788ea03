"""Finished games as data.

Lines of finished games are spliced from the stored bytes, not parsed and written again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

import orjson

from domain.entry import Entry
from domain.errors import BrokenHistory
from domain.game.state import State
from domain.game.timing import thought
from domain.rules.tickets import completed_tickets
from service.games.games import Games
from service.games.index import is_bot
from service.games.visibility import is_published, open_book_for, view_of_decision
from service.projections.finished import GAMES
from service.records.leaderboards import ratings_before
from service.store.games import GameHead, GameStore, LoadedGame
from service.store.pages import oldest
from service.times import in_ms

BATCH_SIZE = 4  # histories read at a time, which blocks other greenlets for some milliseconds
WORK, PAUSE = 0.002, 0.0005  # seconds of work without I/O, seconds of the pause after it
HEADS = 200  # heads read at a time
MISSES = 2000  # games in a row that do not match a filter, after which an answer ends
# a cursor and a game's head; None as the head ends the answer, None alone is a read without any
Row = tuple[str, GameHead | None] | None


@dataclass(frozen=True)
class HistoryFilter:
    """A filter of finished games; None in a member matches any. ``since`` (included) and ``until``
    (excluded) are when they ended, in milliseconds since 1970. ``bot`` is a built-in bot's name."""

    board: str | None = None
    bot: str | None = None
    since: int | None = None
    until: int | None = None
    limit: int | None = None

    def fits(self, head: GameHead) -> bool:
        """Return whether a game matches."""
        return (
            self.board in (None, head["board"])
            and (self.bot is None or any(is_bot(seat.get("player", {}), self.bot)
                                         for seat in head["seats"]))
            and (self.since is None or in_ms(head["updated"]) >= self.since)
            and (self.until is None or in_ms(head["updated"]) < self.until)
        )


def line(text: bytes, entry_hash: str) -> bytes:
    """Return a stored entry with its hash as one JSON object: the bytes of the entry, with the hash
    added as the last member."""
    return b'%s,"hash":"%s"}' % (text[:-1], entry_hash.encode())


def history(games: Games, viewer: str | None, game_id: str) -> tuple[LoadedGame, bytes]:
    """Return a game without secrets and its whole history, a line for each entry, if the viewer may
    see it."""
    game = open_book_for(games, viewer, game_id)
    return game, b"".join(line(text, entry_hash) + b"\n"
                          for text, entry_hash in games.store.entries(game_id))


def histories(store: GameStore, which: HistoryFilter, after: str | None) -> Iterator[bytes | None]:
    """Yield finished public games as lines of JSON, several at a time, in the order in which they
    ended; None for each read that found none."""
    rows = _at_most(_finished_rows(store, which, after), which.limit)
    while some := list(islice(rows, BATCH_SIZE)):
        matching = _matching(some)
        wholes = store.whole([head["id"] for _, head in matching])
        published = [(cursor, head, whole)
                     for (cursor, head), whole in zip(matching, wholes, strict=True)
                     if whole and is_published(
                         store, head, len(whole), whole[0][0], whole[-1][0])]
        ratings = _ratings_before(store, [head["id"] for _, head, _ in published])
        yield b"".join(_history_line(cursor, head, whole, ratings)
                       for cursor, head, whole in published) + _end(some) or None


def _deal(first: bytes) -> list[str]:
    """Return the ids of the games of the same deal, if a tournament or the pool has paired the game
    whose first entry is given."""
    created = orjson.loads(first)["events"][0]
    return (created.get("tournament") or created.get("pool") or {}).get("games", [])


def _history_line(
    cursor: str, head: GameHead, whole: list[tuple[bytes, str]], ratings: Mapping[str, list[dict]]
) -> bytes:
    about = {
        "cursor": cursor, "game": head["id"], "board": head["board"], "version": head["version"],
        "created": head["created"], "finished": head["updated"], "seats": head["seats"]}
    if head["id"] in ratings:
        about["ratings"] = ratings[head["id"]]
    entries = b",".join([line(text, entry_hash) for text, entry_hash in whole])
    return b'%s,"entries":[%s]}\n' % (orjson.dumps(about)[:-1], entries)


def decisions(games: Games, viewer: str | None, game_id: str) -> Iterator[bytes]:
    """Return every decision of a game without secrets as a line of JSON, if the viewer may see the
    game."""
    return _decisions(games.store, open_book_for(games, viewer, game_id).state.id)


def _decisions(
    store: GameStore, game_id: str, about: dict | None = None, after: int = 0
) -> Iterator[bytes]:
    """Yield every decision of a finished game after a version as a line of JSON: what the player
    saw and did, and their result. ``about`` is put before that, such as the game's id."""
    whole, work = [], _Work()
    for then in store.fold(game_id):
        whole.append(then)
        work.pause()
    over = whole[-1].state
    results, tickets = over.results, [_tickets(over, seat) for seat in over.seats]
    for was, then in pairwise(whole):
        entry, version = then.last, then.state.version
        if version <= after or "action" not in entry:
            continue
        seat = entry["seat"]
        decision = was.state.decision(seat)
        if decision is None:  # a player who resigns out of turn had no decision to make
            continue
        row = (about or {}) | {
            "version": version, "seat": seat, "decision": decision,
            "view": view_of_decision(store, was, seat), "action": entry["action"],
            "at": entry["at"], "milliseconds": _milliseconds(was, entry, seat),
            "events": entry["events"]}
        if "cursor" in row:
            row["cursor"] += f".{version}"
        row |= {name: entry[name] for name in ("note", "timed_out") if name in entry}
        if over.left[seat]:
            row["left"] = over.left[seat]
        if results:
            row |= {"result": results[seat], "tickets": tickets[seat]}
        yield orjson.dumps(row) + b"\n"
        work.pause()


def _tickets(state: State, seat: int) -> list[dict]:
    """Return a seat's tickets at the end, and whether each was completed."""
    if not state.results:
        return []
    completed = completed_tickets(state, seat)
    return [{"ticket": state.board.tickets[ticket].id, "completed": ticket in completed}
            for ticket in (*state.tickets[seat], *state.removed[seat])]


class _Work:
    """Long computations among greenlets. Others run only while a greenlet waits, so this one sleeps
    from time to time. (A sleep of 0 s does not let in greenlets that wait for the network.)"""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def pause(self) -> None:
        """Sleep for a moment if other greenlets are due."""
        if time.perf_counter() - self._since > WORK:
            time.sleep(PAUSE)
            self._since = time.perf_counter()


def _milliseconds(was: LoadedGame, entry: Entry, seat: int) -> int:
    """Return how long a decision took: by the game's clock, or between the two entries."""
    if "arrived" in entry:
        return thought(entry)
    return max(0, in_ms(entry["at"]) - in_ms(was.since[seat][1]))


def all_decisions(
    store: GameStore, which: HistoryFilter, after: str | None
) -> Iterator[bytes | None]:
    """Yield the decisions of finished public games as lines, in the order in which the games ended;
    None for each read that found none. ``which.limit`` counts games."""
    cursor, version = _split(after)
    rows = _at_most(_finished_rows(store, which, cursor, is_included=version > 0), which.limit)
    while some := list(islice(rows, BATCH_SIZE)):
        count = 0
        for about in _published(store, _matching(some)):
            after_version = version if about["cursor"] == cursor else 0
            for one in _readable_decisions(store, about, after_version):
                yield one
                count += 1
        if (end := _end(some)) or not count:
            yield end or None


def _published(store: GameStore, rows: Iterable[tuple[str, GameHead]]) -> Iterator[dict]:
    """Yield what each decision of a public game says about its game, for those of these (cursor,
    head) that are public and not broken."""
    deals: dict[str, list[str]] = {}
    public = []
    for cursor, head in rows:
        try:
            ends = store.ends(head["id"])
        except BrokenHistory as error:
            store.set_aside(head["id"], error)
            continue
        if ends and is_published(store, head, *ends):
            deals[head["id"]] = _deal(ends[1])
            public.append({"cursor": cursor, "game": head["id"], "board": head["board"]})
    ratings = _ratings_before(store, [*deals])
    for about in public:
        game_id = about["game"]
        more: dict = {"deal": deals[game_id]} if deals[game_id] else {}
        if game_id in ratings:
            more["ratings"] = ratings[game_id]
        yield about | more


def _ratings_before(store: GameStore, games: list[str]) -> dict[str, list[dict]]:
    with store.records.database.reading() as db:
        return ratings_before(db, games)


def _readable_decisions(store: GameStore, about: dict, after: int) -> Iterator[bytes]:
    """Yield the decisions of a game after a version; none if the game is broken."""
    try:
        yield from _decisions(store, about["game"], about, after)
    except BrokenHistory as error:
        store.set_aside(about["game"], error)


def _finished_rows(
    store: GameStore, which: HistoryFilter, after: str | None, *, is_included: bool = False
) -> Iterator[Row]:
    """Yield the finished games that match a filter, at most up to ``MISSES`` that do not."""
    score, _, last = (after or "0.").partition(".")
    if is_included and last:  # the last place before that of the game
        last = f"{last[:-1]}{chr(ord(last[-1]) - 1)}~"
    place = int(score), last
    if which.since is not None:
        place = max(place, (which.since, ""))  # no game is listed before it ended
    missed = 0
    while rows := oldest(store.redis, GAMES, place, HEADS):
        heads = store.listed([game_id for _, game_id in rows])
        for (at, game_id), head in zip(rows, heads, strict=True):
            missed += 1
            if head and which.fits(head):
                missed = 0
                yield f"{at}.{game_id}", head
        place = rows[-1]
        if missed >= MISSES:
            yield f"{place[0]}.{place[1]}", None
            return
        if missed >= len(rows):
            yield None


def _matching(rows: Iterable[Row]) -> list[tuple[str, GameHead]]:
    return [(row[0], row[1]) for row in rows if row and row[1]]


def _end(rows: Iterable[Row]) -> bytes:
    """Return the line that says from where to go on, if these rows are the last before others that
    were not read."""
    return b"".join(orjson.dumps({"cursor": row[0]}) + b"\n"
                    for row in rows if row and row[1] is None)


def _at_most(rows: Iterator, limit: int | None) -> Iterator:
    """Yield at most ``limit`` rows; None is yielded too, but does not count."""
    left = limit
    for row in rows:
        yield row
        if row is not None and left is not None:
            left -= 1
            if not left:
                return


def _split(after: str | None) -> tuple[str | None, int]:
    """Return the game that a cursor of decisions is in, and the version within it."""
    if after is None:
        return None, 0
    score, game_id, *version = after.split(".")
    return f"{score}.{game_id}", int(version[0]) if version else 0
