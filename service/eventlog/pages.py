"""One page of a list, and the cursor of the page after it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from redis import Redis

from service.eventlog.histories import Histories, Place
from service.eventlog.steps import Steps
from service.redis.scripts import Script

Row = TypeVar("Row")
READ_AT_MOST = 1000  # heads that are read for one page
STEP = 100  # rows that are read at a time at most, unless a page has more
REVEALED = len("g_") + 8  # characters of an id that a cursor may reveal
END: Place = (1 << 52, "")  # after all rows
LAST: Place = (0, "")  # before all rows
ROWS = Script(__file__, "rows.lua")


def page_of(
    rows: Sequence[Row], limit: int, cursor: Callable[[Row], str]
) -> tuple[list[Row], str | None]:
    """Return at most ``limit`` rows and the cursor of the last of them; the cursor is None at the
    end of the list. Pass at least one row more than the limit if there is one."""
    page = [*rows[:limit]]
    return page, cursor(page[-1]) if len(rows) > limit else None


@dataclass(frozen=True)
class NewestFirst:
    """The members of several sorted sets, merged: the highest score first, equal scores by id from
    the last to the first. Scores are milliseconds since 1970, from ``since`` (included) on."""

    redis: Redis
    keys: Sequence[str]
    since: int | None = None

    def below(self, place: Place, limit: int) -> list[Place]:
        """Return the next places below a place, even if its id has left the sets. Fewer than
        ``limit`` means the end."""
        share = limit if len(self.keys) == 1 else 2 * limit // len(self.keys) + 8  # mostly enough
        rows = self._newest(self.keys, place, share)
        first = _newest(rows, limit)
        for number, some in enumerate(rows):
            is_enough = len(first) == limit and some and some[-1] < first[-1]
            if len(some) == share < limit and not is_enough:
                [rows[number]] = self._newest([self.keys[number]], place, limit)
        return _newest(rows, limit)

    def _newest(self, keys: Sequence[str], below: Place, limit: int) -> list[list[Place]]:
        steps = Steps(self.redis)
        for key in keys:
            steps.run(ROWS, set=key, at=below[0], id=below[1], lowest=self.since or 0, most=limit)
        return [_places(raw) for raw in steps.execute()]


def place_of(cursor: str | None, until: int | None = None) -> Place:
    """Return the place from which a list continues: after the cursor "SCORE.ID", None at the start,
    and below a score."""
    score, _, some_id = (cursor or "").partition(".")
    return min((int(score), some_id) if cursor else END, END if until is None else (until, ""))


def page_of_newest(
    fitting: Callable[[list[Any]], list[Any]],
    store: Histories,
    live: NewestFirst,
    recorded: Callable[[Place, int], tuple[Mapping[Place, Any], Place | None]],
    place: Place,
    limit: int,
) -> tuple[list[Any], str | None]:
    """Return a page of heads and the cursor of the next page, None at the end: those in Redis and
    those that are ``recorded`` (``Records.newest``), the newest first. ``fitting`` returns those of
    some heads that belong on the page.

    Redis is read before the records, and a game is recorded before it leaves the lists in Redis: so
    it is in one of them at least. Its place is the same in both, so it is listed once. About
    ``READ_AT_MOST`` heads are read, so a page before the last one may be short or empty."""
    page: list[Any] = []
    here, is_end = list[Place](), False  # places in Redis, and whether it has no others
    asked, step = 0, limit
    while asked < READ_AT_MOST:
        if not is_end:
            here = live.below(place, step)
            is_end = len(here) < step
        heads, last = recorded(place, step)
        # above this place, neither has more
        floor = max(last or LAST, LAST if is_end else here[-1])
        places = sorted(one for one in {*here, *heads} if one >= floor)[::-1]
        left = [one for one in places if one not in heads]
        heads = {**heads, **dict(zip(left, store.heads(i for _, i in left), strict=True))}
        there = [heads[one] for one in places if heads[one]]
        fits = {head["id"]: head for head in fitting(there)}
        for place in places:
            if head := fits.get(place[1]):
                page.append(head)
                if len(page) == limit:
                    return page, _cursor(place)
        if floor == LAST:
            return page, None
        here = [one for one in here if one < floor]
        asked += len(places)
        step = max(limit, min(2 * step, STEP, READ_AT_MOST - asked))
    is_shown = place[1] in fits or "visibility" not in (heads[place] or {"visibility": None})
    return page, _cursor(place if is_shown else _just_above(place))


def _cursor(place: Place) -> str:
    return f"{place[0]}.{place[1]}"


def _just_above(place: Place) -> Place:
    """Return a place just above a row that does not reveal the row's id, which the caller may not
    know."""
    at, some_id = place
    return at, some_id[:REVEALED].ljust(len(some_id), "f")


def _newest(rows: Iterable[list[Place]], limit: int) -> list[Place]:
    return sorted(chain.from_iterable(rows), reverse=True)[:limit]


def _places(raw: Sequence[bytes]) -> list[Place]:
    return [(int(at), member.decode()) for member, at in zip(raw[::2], raw[1::2], strict=True)]
