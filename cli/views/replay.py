"""Replay of a recorded game in the terminal: forwards, backwards, or automatically."""

import json
import os
import re
import select
import sys
import termios
import tty
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from cli.recorded.recording import Recording
from cli.views.game import SEAT_COLORS, lines_about, printable
from cli.views.tables import table
from domain.game.state import State
from domain.game.view import view
from domain.sentences import seat_text

NEWS = 8  # most recent event lines to show
PACE = 0.25  # seconds to show each version while the game runs automatically
# bytes from the terminal -> command
KEYS = {
    b"\x1b[C": 1,
    b"\x1bOC": 1,
    b"l": 1,
    b"\x1b[D": -1,
    b"\x1bOD": -1,
    b"h": -1,
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"k": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"j": "down",
    b"\x1b[H": "first",
    b"\x1bOH": "first",
    b"\x1b[1~": "first",
    b"g": "first",
    b"\x1b[F": "last",
    b"\x1bOF": "last",
    b"\x1b[4~": "last",
    b"G": "last",
    b" ": "run",
    b"q": "quit",
    b"\x1b": "quit",
    b"\x03": "quit",
    b"\x04": "quit",
}
KEY = re.compile(rb"\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|[^\x1b]|\x1b", re.S)  # one key in typed bytes
HELP = "left/right step · up/down scroll · space runs and halts · g/G first and last · q ends"


def position(recording: Recording, version: int) -> Group:
    """Return a position of a game, and the last events before it, for the terminal."""
    state = recording.at(version)
    news = [
        Text.assemble(f"{entry['version']:>5}  ", line)
        for entry in recording.entries[max(0, version - NEWS) : version]
        for line in (*lines_about(entry, state.board.described), *_note(entry))
    ]
    parts = [_seats(state, recording.entries[version - 1]["at"], len(recording.states))]
    if state.was_begun:
        row = " ".join(state.board.names(state.row)) or "nothing"
        parts.append(
            Text(
                f"face up: {row} · deck {len(state.deck)} · discards "
                f"{sum(state.discards)} · tickets {len(state.ticket_deck)}"
            )
        )
    return Group(*parts, *news[-NEWS:])


def step_through(recording: Recording, console: Console, start: int = 1) -> None:
    """Show a game step by step; keys choose the version, until one quits."""
    version, last, runs, top = start, len(recording.states), False, 0
    with _keys() as key, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            lines = console.render_lines(position(recording, version), pad=False)
            room = max(1, console.height - len(console.render_lines(Text(HELP), pad=False)))
            top = max(0, min(top, len(lines) - room))
            live.update(
                Group(
                    *(Segments([*line, Segment.line()]) for line in lines[top : top + room]),
                    Text(HELP, "dim"),
                ),
                refresh=True,
            )
            command = key(PACE if runs else None)
            if command == "quit":
                return
            if command in ("up", "down"):
                top += 1 if command == "down" else -1
            elif command == "run":
                runs = not runs and version < last
            elif command in ("first", "last"):
                version, runs = (1 if command == "first" else last), False
            elif command is None and not runs:
                continue
            else:
                runs = runs and command is None
                version = min(last, max(1, version + (command or 1)))
                runs = runs and version < last


@contextmanager
def _keys():
    """Yield a function that waits for a key, up to a number of seconds or for ever, and returns its
    command; None without a key, or for an unknown one. If several keys were typed at once, each
    call returns the next one."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    typed: list[bytes] = []

    def key(seconds: float | None):
        if not typed:
            if not select.select([terminal], [], [], seconds)[0]:
                return None
            typed.extend(KEY.findall(os.read(terminal, 4096)))
            if not typed:
                return "quit"  # the terminal is gone
        return KEYS.get(typed.pop(0))

    tty.setcbreak(terminal, termios.TCSADRAIN)  # keep keys typed before
    try:
        yield key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _seats(state: State, at: str, last: int) -> Table:
    rows = []
    public = view(state, None, sealed=False)
    deciding = {row["seat"]: row["decision"] for row in public["deciding"]}
    for seat in public["seats"]:
        number = seat["seat"]
        color = SEAT_COLORS[number % len(SEAT_COLORS)]
        player = Text(printable(seat["player"]["name"]) if "player" in seat else "open", color)
        if not state.was_begun:
            rows.append(("", seat_text(number), player, "", "", "", ""))
            continue
        tickets = state.tickets[number] + state.offered[number]
        hand = state.board.as_set(state.hands[number])
        score = seat.get("result", {}).get("total", seat["score"])
        rows.append(
            (
                Text(deciding.get(number, seat.get("left", "")).replace("_", " ")),
                seat_text(number),
                player,
                str(score),
                str(seat["trains"]),
                Text(" ".join(f"{n} {color}" for color, n in hand.items())),
                Text(", ".join(state.board.tickets[ticket].id for ticket in tickets)),
            )
        )
    return table(
        ("", "seat", "player", "score", "trains", "cards", "tickets"),
        rows,
        ["", "player", "cards", "tickets"],
        f"{state.board.name}, {state.status}: version {state.version} of {last}, {at}",
    )


def _note(entry: dict) -> list[Text]:
    return (
        [Text(f"  {json.dumps(entry['note'], ensure_ascii=False)}", "italic")]
        if ("note" in entry)
        else []
    )
