"""A recorded game, gone through in the terminal: forwards, backwards, or by itself."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from cli.recorded.recording import Recording
from cli.views.game import SEAT_COLORS, line_about
from domain.game.state import State
from domain.game.view import view

NEWS = 8  # lines of what has happened
PACE = 0.25  # seconds a version is shown while the game runs by itself
# what a terminal sends -> what is meant
KEYS = {b"\x1b[C": 1, b"\x1bOC": 1, b"l": 1, b"\x1b[D": -1, b"\x1bOD": -1, b"h": -1,
        b"\x1b[H": "first", b"g": "first", b"\x1b[F": "last", b"G": "last", b" ": "run",
        b"q": "quit", b"\x1b": "quit", b"\x03": "quit"}
HELP = "left/right step · space runs and halts · g/G first and last · q ends"


def position(recording: Recording, version: int) -> Group:
    """Return a position of a game, and what led to it, for the terminal."""
    state = recording.at(version)
    names = {place.id: place.name for place in state.board.locations}
    news = []
    for entry in recording.entries[max(0, version - 3 * NEWS) : version]:
        for event in entry["events"]:
            if (line := line_about(event, names)) is not None:
                news.append(Text.assemble(f"{entry['version']:>5}  ", line))
    parts = [_seats(state, recording.entries[version - 1]["at"], len(recording.states))]
    if state.was_begun:
        parts.append(_piles(state))
    return Group(*parts, *news[-NEWS:])


def step_through(recording: Recording, console: Console, start: int = 1) -> None:
    """Let somebody at the terminal go through a game."""
    version, last, runs = start, len(recording.states), False
    with _keys() as key, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            live.update(Group(position(recording, version), Text(HELP, "dim")), refresh=True)
            wish = key(PACE if runs else None)
            if wish == "quit":
                return
            if wish == "run":
                runs = not runs and version < last
            elif wish in ("first", "last"):
                version, runs = (1 if wish == "first" else last), False
            elif wish is None and not runs:
                continue
            else:
                runs = runs and wish is None
                version = min(last, max(1, version + (wish or 1)))
                runs = runs and version < last


@contextmanager
def _keys():
    """Give a function that waits for a key, so many seconds or for ever, and returns what it
    means; None if there was none, or one that means nothing."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def key(seconds: float | None):
        if not select.select([terminal], [], [], seconds)[0]:
            return None
        pressed = os.read(terminal, 8)
        return KEYS.get(pressed, "quit" if not pressed else None)

    tty.setcbreak(terminal)
    try:
        yield key
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _seats(state: State, at: str, last: int) -> Table:
    """Return who sits there, with what; a recorded game has no secrets."""
    table = Table(title=f"{state.board.name}, {state.status}: version {state.version} of {last}, "
                        f"{at}", title_style="bold")
    for heading in ("", "seat", "player", "score", "trains", "cards", "tickets"):
        table.add_column(heading, justify="right" if heading in ("score", "trains") else "left")
    public = view(state, None, sealed=False)
    deciding = {row["seat"]: row["decision"] for row in public["deciding"]}
    for seat in public["seats"]:
        number = seat["seat"]
        color = SEAT_COLORS[number % len(SEAT_COLORS)]
        player = Text(seat["player"]["name"] if "player" in seat else "open", color)
        if not state.was_begun:
            table.add_row("", f"seat {number}", player)
            continue
        tickets = state.tickets[number] + state.offered[number]
        score = seat.get("result", {}).get("total", seat["score"])
        table.add_row(
            Text(deciding.get(number, seat.get("left", "")).replace("_", " ")), f"seat {number}",
            player, str(score), str(seat["trains"]),
            _counts(state.board.as_set(state.hands[number])),
            Text(", ".join(state.board.tickets[ticket].id for ticket in tickets)))
    return table


def _piles(state: State) -> Text:
    row = " ".join(state.board.names(state.row)) or "nothing"
    return Text(f"face up: {row} · deck {len(state.deck)} · discards {sum(state.discards)} · "
                f"tickets {len(state.ticket_deck)}")


def _counts(cards: dict[str, int]) -> Text:
    return Text(" ".join(f"{n} {color}" for color, n in cards.items()))
