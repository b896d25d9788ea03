"""Downloads of recorded games: each filter finds all games that match, by an index."""

from dataclasses import replace
from random import Random

import orjson
import pytest
import sqlalchemy as sa

from service.games.index import is_bot
from service.records import histories
from service.records.histories import HistoryFilter
from service.records.recorder import Recorder
from service.records.tables import game
from service.times import in_ms
from tests.service.records.test_lists import make, service  # noqa: F401  a fixture


def read(games, which: HistoryFilter) -> list[str]:
    """Return the games of a whole download, part by part: each goes on after the last cursor."""
    ids, cursor, limit = [], None, which.limit
    while limit is None or len(ids) < limit:
        which = replace(which, limit=limit and limit - len(ids))
        parts = b"".join(filter(None, histories.histories(games, which, cursor))).splitlines()
        if not parts:
            break
        for line in map(orjson.loads, parts):
            cursor = line["cursor"]
            ids += [line["game"]] if "game" in line else []
    return ids


def test_filters_find_all_games_that_match_in_their_order(service, monkeypatch):  # noqa: F811
    chance, games = Random(3), service.games
    for _ in range(60):
        make(games, chance, chance.random() < 0.9)
    Recorder(games, games.database).run()
    monkeypatch.setattr(histories, "ROWS", 3)
    monkeypatch.setattr(histories, "MISSES", 5)
    with games.database.reading() as db:
        heads = [
            orjson.loads(head)
            for head in db.scalars(
                sa.select(game.c.head)
                .where(game.c.published.is_not(None), game.c.is_listed)
                .order_by(game.c.published)
            )
        ]
    ends = [in_ms(head["updated"]) for head in heads]
    assert ends == sorted(ends)
    assert len(heads) > 20
    chosen = {
        "board": ["usa", "europe", "none", "\0"],
        "bot": ["hasty", "planner", "expert"],
        "since": ends,
        "until": ends,
        "limit": [1, 4],
    }
    for _ in range(60):
        asked = chance.sample(sorted(chosen), chance.choice([0, 1, 1, 2, 3]))
        which = HistoryFilter(**{name: chance.choice(chosen[name]) for name in asked})
        should = [
            head["id"]
            for head, ended in zip(heads, ends, strict=True)
            if which.board in (None, head["board"])
            and (which.since is None or ended >= which.since)
            and (which.until is None or ended < which.until)
            and (
                which.bot is None
                or any(is_bot(seat["player"], which.bot) for seat in head["seats"])
            )
        ]
        assert read(games, which) == should[: which.limit], which


@pytest.mark.parametrize(
    "which",
    [
        HistoryFilter(),
        HistoryFilter("usa"),
        HistoryFilter(bot="planner"),
        HistoryFilter("usa", "planner"),
    ],
)
def test_the_rows_of_a_download_are_read_by_an_index_in_their_order(records, which):
    query = str(
        which.rows().params(start=1).compile(records.engine, compile_kwargs={"literal_binds": True})
    )
    with records.reading() as db:
        if records.is_sqlite:
            plan = db.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")
        else:
            for name in ("seqscan", "bitmapscan", "sort"):
                db.exec_driver_sql(f"SET LOCAL enable_{name} = off")
            plan = db.exec_driver_sql(f"EXPLAIN {query}")
        steps = [row[-1] for row in plan]
    assert not [
        step
        for step in steps
        if "SCAN" in step
        or "TEMP" in step
        or "Seq Scan" in step
        or "Sort" in step
        or "Filter" in step
    ], steps
