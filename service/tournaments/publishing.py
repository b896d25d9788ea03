"""A tournament as files: standings as CSV, and an archive of its games."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, cast

import orjson

from domain.tournament.state import Tournament

COLUMNS = (
    "rank",
    "entrant",
    "name",
    "state",
    "points",
    "opponents_points",
    "forfeits",
    "margin",
    "margin_low",
    "margin_high",
    "mean_total",
    "wins",
    "games",
    "tables",
    "byes",
    "final_at",
)
FORMULA = ("=", "+", "-", "@", "\t")  # begin a formula in spreadsheets
LICENCE = """\
To the extent that anybody has rights in these records of games, those who provide this archive
waive them under CC0 1.0 Universal: https://creativecommons.org/publicdomain/zero/1.0/

Names of players are in the records as the players chose them. Notes that players attached to their
actions are their own texts. The program that made the records, Fogg, has the MIT licence.
"""
CARD = """\
# {name}

{description}

| | |
| --- | --- |
| tournament | {id}, created {created}, over since {updated} |
| format | {format}, {seats} seats at a table, deals {deals}, boards {boards} |
| clock | {clock} |
| entrants, rounds, games | {entrants}, {rounds}, {games} |

## Files

- `tournament.json`: settings, entrants, rounds with the results of every game, and standings, as
  `GET /v1/tournaments/ID` answers.
- `standings.csv`: the standings. `state` is empty, `withdrawn`, `absent` or `disqualified`; the
  other columns are those of docs/tournaments.md. Before `final_at` they are provisional.
- `histories.ndjson`: every entry of every game, a line of JSON each, a game after the other in the
  order of `tournament.json`. A line has the bytes that its `hash` was computed from, and the hash
  as its last member. docs/events.md describes the events, docs/fairness.md the hashes and shuffles.
- `LICENCE.txt`: what you may do with it.

## How it was made, and how to check it

Each game was played over HTTP, and the service stored every action when it accepted it. The games'
seeds were committed to before the first card. `fogg verify histories.ndjson` checks the chains of
hashes, the shuffles, the rules and the scores, and needs nothing else. Entrants chose their own
names; a name does not prove who played. Games that somebody left end with `resigned` events.

## Rules of this competition

{rules}
"""


def standings_csv(shown: Mapping[str, Any]) -> str:
    """Return the standings of a tournament, as the API shows it, as CSV (RFC 4180)."""
    entrants = {row["entrant"]: row for row in shown["entrants"]}
    disqualified = {row["entrant"] for row in shown.get("disqualified", ())}
    text = io.StringIO()
    rows = csv.DictWriter(text, COLUMNS, extrasaction="ignore")
    rows.writeheader()
    for row in shown["standings"]:
        entrant = entrants[row["entrant"]]
        low, high = row.get("margin_interval", ("", ""))
        states = (
            ["disqualified"]
            if row["entrant"] in disqualified
            else [state for state in ("absent", "withdrawn") if entrant.get(state)]
        )
        rows.writerow(
            {
                **row,
                "name": _plain(entrant["player"]["name"]),
                "state": "".join(states[:1]),
                "margin_low": low,
                "margin_high": high,
                "final_at": shown.get("standings_final_at", ""),
            }
        )
    return text.getvalue()


def _plain(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name


def games_of(state: Tournament) -> list[str]:
    return [game for paired in state.rounds for table in paired.tables for game in table.games]


def archive(shown: Mapping[str, Any], games: int, histories: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of a zip file with the ``histories`` of a finished tournament's games, its
    results, a data card and the licence. ``shown`` is the tournament as the API shows it."""
    from zipfile import ZIP_DEFLATED, ZipFile

    files: dict[str, Iterable[bytes]] = {
        "README.md": [_card(shown, games).encode()],
        "LICENCE.txt": [LICENCE.encode()],
        "tournament.json": [orjson.dumps(shown, option=orjson.OPT_INDENT_2)],
        "standings.csv": [standings_csv(shown).encode()],
        "histories.ndjson": histories,
    }
    sink = _Sink()
    with ZipFile(cast("IO[bytes]", sink), "w", ZIP_DEFLATED) as whole:
        for name, parts in files.items():
            with whole.open(name, "w", force_zip64=True) as file:
                for part in parts:
                    file.write(part)
                    if written := sink.taken():
                        yield written
    yield sink.taken()


def _card(shown: Mapping[str, Any], games: int) -> str:
    settings = shown["settings"]
    clock = ", ".join(f"{name} {value}" for name, value in settings["clock"].items())
    return CARD.format(
        **{
            "description": "",
            "rules": "None were written down.",
            **shown,
            **settings,
            "boards": ", ".join(settings["boards"]),
            "clock": clock,
            "games": games,
            "entrants": len(shown["entrants"]),
            "rounds": len(shown["rounds"]),
        }
    )


class _Sink:
    """A file object that collects written bytes until they are taken."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Do nothing: written bytes stay in memory until they are taken."""

    def taken(self) -> bytes:
        """Return the bytes written since the last call."""
        whole = b"".join(self._parts)
        self._parts.clear()
        return whole
