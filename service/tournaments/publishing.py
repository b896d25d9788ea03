"""What a tournament publishes: standings as CSV, a badge, a feed, and an archive of its games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import IO, cast

import orjson

from domain.drawing.marks import clean
from domain.tournament import announcing
from domain.tournament.announcing import Announcement
from domain.tournament.state import FINISHED, Tournament
from service.store.tournaments import LoadedTournament

COLUMNS = ("rank", "entrant", "name", "state", "points", "opponents", "left", "margin",
           "margin_low", "margin_high", "mean_total", "wins", "games", "tables", "byes", "team")
TEAM_COLUMNS = ("rank", "team", "points", "opponents", "members", "counted")
FORMULA = ("=", "+", "-", "@", "\t")  # begin a formula in spreadsheets
MOST_ENTRIES = 100  # of a feed
LETTER = 6.6  # estimated width of a letter of a badge, in its units
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
  other columns are those of docs/tournaments.md. A tournament with teams has `teams.csv`, too.
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


def standings_csv(shown: dict) -> str:
    """Return the standings of a tournament, as the API shows it, as CSV (RFC 4180)."""
    entrants = {row["entrant"]: row for row in shown["entrants"]}
    disqualified = {row["entrant"] for row in shown.get("disqualified", ())}
    text, rows = _table(COLUMNS)
    for row in shown["standings"]:
        entrant = entrants[row["entrant"]]
        low, high = row.get("margin_interval", ("", ""))
        states = ["disqualified"] if row["entrant"] in disqualified else [
            state for state in ("absent", "withdrawn") if entrant.get(state)]
        rows.writerow({**row, "name": _plain(entrant["player"]["name"]),
                       "state": "".join(states[:1]), "margin_low": low, "margin_high": high,
                       "team": _plain(entrant.get("team", ""))})
    return text.getvalue()


def teams_csv(shown: dict) -> str:
    """Return the standings of a tournament's teams, as the API shows it, as CSV (RFC 4180). Members
    are separated by spaces."""
    text, rows = _table(TEAM_COLUMNS)
    for row in shown["team_standings"]:
        rows.writerow({**row, "team": _plain(row["team"]), "members": " ".join(row["members"]),
                       "counted": " ".join(row["counted"])})
    return text.getvalue()


def _table(columns: tuple[str, ...]) -> tuple[io.StringIO, csv.DictWriter]:
    """Return a text with a header, and the writer of its rows."""
    text = io.StringIO()
    rows = csv.DictWriter(text, columns, extrasaction="ignore")
    rows.writeheader()
    return text, rows


def _plain(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name


def badge(shown: dict) -> str:
    """Return a small picture (SVG) of a tournament's name and how far it is."""
    names = {row["entrant"]: row["player"]["name"] for row in shown["entrants"]}
    said = shown["status"]
    if shown["status"] == FINISHED and shown["standings"] and shown["round"]:
        said = f"won by {names[shown['standings'][0]['entrant']]}"
    elif shown["round"]:
        said = f"round {shown['round']}"
    elif shown["entrants"]:
        said += f", {len(shown['entrants'])} entered"
    left, right = (len(text) * LETTER + 12 for text in (shown["name"], said))
    texts = "".join(
        f'<text x="{x + 6:.0f}" y="14" textLength="{width - 12:.0f}" '
        f'lengthAdjust="spacingAndGlyphs">{clean(text)}</text>'
        for text, x, width in ((shown["name"], 0, left), (said, left, right)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:.0f}" height="20" '
            f'role="img"><title>{clean(shown["name"])}: {clean(said)}</title>'
            f'<rect width="{left:.0f}" height="20" fill="#444"/>'
            f'<rect x="{left:.0f}" width="{right:.0f}" height="20" fill="#7a3b2e"/>'
            f'<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">{texts}</g></svg>')


def feed(found: LoadedTournament, host: str) -> str:
    """Return what happened in a tournament as an Atom feed (RFC 4287), the latest
    first. ``host`` is the service's address, with a slash at its end."""
    state, page = found.state, f"{host}tournaments/{found.state.id}"
    rows = [(0, found.created, f"It is open for entries: {state.settings.name}"),
            *((announcement.number, announcement.at, words) for announcement in found.announced
              if (words := _sentence(state, announcement)))]
    items = "".join(
        f"<entry><id>urn:fogg:tournament:{state.id}:{number}</id>"
        f"<title>{clean(words)}</title><updated>{at}</updated>"
        f'<link href="{clean(page)}"/></entry>'
        for number, at, words in rows[:-MOST_ENTRIES - 1:-1])
    return ('<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
            f"<id>urn:fogg:tournament:{state.id}</id><author><name>Fogg</name></author>"
            f"<title>{clean(state.settings.name)}</title><updated>{rows[-1][1]}</updated>"
            f'<link href="{clean(page)}"/>{items}</feed>')


def _sentence(state: Tournament, announcement: Announcement) -> str | None:
    """Return what readers of the feed are told, None if that is not for them."""
    more = announcement.more
    match announcement.what:
        case announcing.BEGUN:
            return f"It has started: {state.settings.name}"
        case announcing.ROUND:
            tables = state.rounds[more["round"] - 1].tables
            return f"Round {more['round']} is paired, {len(tables)} tables"
        case announcing.DISQUALIFIED:
            return f"{more['entrant']['name']} is disqualified: {more['reason']}"
        case announcing.ENDED:
            return f"It is over: {state.settings.name}"
    return None


def games_of(state: Tournament) -> list[str]:
    """Return the ids of a tournament's games that count."""
    return [game for paired in state.counted for table in paired.tables for game in table.games]


def archive(shown: dict, games: int, histories: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the parts of a zip file with the ``histories`` of a finished tournament's games, its
    results, a data card and the licence. ``shown`` is the tournament as the API shows it."""
    from zipfile import ZIP_DEFLATED, ZipFile

    files: dict[str, Iterable[bytes]] = {
        "README.md": [_card(shown, games).encode()],
        "LICENCE.txt": [LICENCE.encode()],
        "tournament.json": [orjson.dumps(shown, option=orjson.OPT_INDENT_2)],
        "standings.csv": [standings_csv(shown).encode()],
        **({"teams.csv": [teams_csv(shown).encode()]} if "team_standings" in shown else {}),
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


def _card(shown: dict, games: int) -> str:
    settings = shown["settings"]
    clock = ", ".join(f"{name} {value}" for name, value in settings["clock"].items())
    return CARD.format(**{
        "description": "", "rules": "None were written down."} | shown | settings | {
        "boards": ", ".join(settings["boards"]), "clock": clock, "games": games,
        "entrants": len(shown["entrants"]), "rounds": len(shown["rounds"])})


class _Sink:
    """A file that hands over what was written to it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Do nothing: what was written is taken when it is wanted."""

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        whole = b"".join(self._parts)
        self._parts.clear()
        return whole
