"""What an account is to be told of its games: paired, started, your turn, over, invited.

Nothing of it is stored. A notice is worked out from the histories and the indexes whenever the
account listens, so none can be lost; the cursor that comes with each says up to when the account
has been told, and which of the latest notices it has had, so that none comes twice.

``player:ID:invited``  game id -> who invited the account and when, as JSON
"""

from __future__ import annotations

from collections.abc import Iterator

import orjson

from domain.state import FINISHED, LOBBY, PLAYING
from domain.timing import in_ms
from service.clocks import now_in_ms
from service.errors import UnknownThing
from service.games import Games, seat_of
from service.players import Caller
from service.streams import SILENCE, check

OVERLAP = 10_000  # milliseconds by which clocks may differ, or an entry be seen late


class Agenda:
    """What one account has been told over one connection."""

    def __init__(self, games: Games, account: dict, cursor: str | None):
        """``cursor``: of the last notice that the account has had, None to begin now."""
        self._games, self._account = games, account
        self._begin = 0 if cursor else now_in_ms()  # what was before is not told
        self._since, self._told = _read(cursor) if cursor else (now_in_ms() - 2 * OVERLAP, {})
        self._is_first = True
        self._turns: dict[str, int] = {}  # game -> since which version its decision was there
        self.following: set[str] = set()  # the account's games that are not over

    @property
    def cursor(self) -> str:
        """Where to go on from: the time, and what was told of the latest past."""
        since = now_in_ms() - OVERLAP
        return f"{since}:{','.join(n for n, at in self._told.items() if at > since)}"

    def look(self, games: set[str] | None = None) -> Iterator[dict]:
        """Yield what is new in these games, or anywhere."""
        start, everywhere = now_in_ms(), games is None
        if everywhere:
            games = self._ids("current") | self._ids("over", self._since)
            yield from self._invitations()
        for game_id in sorted(games):
            yield from self._of(game_id)
        if everywhere:
            self._since = max(self._since, start - 2 * OVERLAP)
            self._told = {name: at for name, at in self._told.items() if at > self._since}

    def _ids(self, which: str, least: int | str = "-inf") -> set[str]:
        key = f"player:{self._account['id']}:{which}"
        return {row.decode() for row in self._games.redis.zrangebyscore(key, least, "+inf")}

    def _of(self, game_id: str) -> Iterator[dict]:
        """Yield what is new in one game."""
        try:
            game = self._games.get(game_id)
        except UnknownThing:
            return
        state, seat = game.state, seat_of(game.state, self._account)
        if seat is None:
            self.following.discard(game_id)
            return
        about = {"game": game_id, "version": state.version}
        if state.status == FINISHED:
            self.following.discard(game_id)
            self._turns.pop(game_id, None)
        else:
            self.following.add(game_id)
        if (place := state.tournament) and self._is_new("p", game_id, in_ms(game.created)):
            yield {"type": "paired"} | about | {"tournament": place["id"], "round": place["round"]}
        if state.was_begun and self._is_new("s", game_id, in_ms(game.started)):
            yield {"type": "started"} | about
        since = game.since.get(seat)
        if state.status == PLAYING and since and self._turns.get(game_id) != since[0]:
            self._turns[game_id] = since[0]
            yield {"type": "your_turn"} | about | {"view": self._games.seen(game, self._account)}
        if state.status == FINISHED and self._is_new("o", game_id, in_ms(game.updated)):
            yield {"type": "over"} | about | {"view": self._games.seen(game, self._account)}

    def _invitations(self) -> Iterator[dict]:
        rows = self._games.redis.hgetall(f"player:{self._account['id']}:invited")
        heads = self._games.store.heads([game_id.decode() for game_id in rows])
        for head, raw in zip(heads, rows.values(), strict=True):
            if head is None or head["status"] != LOBBY:
                continue
            row = orjson.loads(raw)
            is_new = self._is_new("i", head["id"], in_ms(row["at"]))
            if is_new or (self._is_first and self._begin):
                yield {"type": "invited", "game": head["id"], "by": row["by"],
                       "invitation": self._games.invitation(head["id"])}
        self._is_first = False

    def _is_new(self, kind: str, game_id: str, at: int) -> bool:
        """Return whether something that happened at a time is still to be told; then it is."""
        name = f"{kind}.{game_id}"
        if at <= self._since or name in self._told:
            return False
        self._told[name] = at
        return at > self._begin


def notices(
    games: Games, caller: Caller, cursor: str | None, silence: float = SILENCE
) -> Iterator[tuple[list[dict], str]]:
    """Yield (notices, cursor), at once and then as there are any, for ever; (none, cursor) when
    there have not been any for so many seconds."""
    agenda = Agenda(games, caller.account, cursor)
    own = {caller.account["id"], caller.token}
    with games.news.follow(*own) as follower:
        woken, looked_at = set(), None  # the games to look at, None for all
        while True:
            found = list(agenda.look(looked_at))
            for game_id in agenda.following - follower.topics:
                follower.add(game_id)
                found += agenda.look({game_id})  # what happened before it was followed
            for topic in follower.topics - agenda.following - own:
                follower.drop(topic)
            if found or not woken:
                yield found, agenda.cursor
            woken = follower.wait(silence)
            if caller.token in woken:
                check(games.redis, caller.token)
            looked_at = None if caller.account["id"] in woken else woken


def _read(cursor: str) -> tuple[int, dict[str, int]]:
    """Return since when an account is to be told, and what it was told since then."""
    since, _, told = cursor.partition(":")
    return int(since), {name: now_in_ms() for name in told.split(",") if name}
