"""A run of the benchmark: its games, played into a folder, and played on from there if the run was
broken off."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from fogg_client.bot import bot_for

from cli.bench.boards import fresh_board
from cli.bench.deals import Deals
from cli.bench.models import Asking
from cli.bench.player import (
    ILLEGAL,
    NO_ANSWER,
    UNREADABLE,
    Decision,
    Player,
    Track,
    bot_decides,
)
from cli.bench.prompts import system_text
from cli.bench.record import Damaged, Record, lines_in
from cli.offline.named import board_called, bot_class_called, check_boards
from cli.processes import results_of
from domain.board.board import Board
from domain.entry import text_of
from domain.game.commands import CreateGame
from domain.game.commands import Player as Named
from domain.game.events import Result
from domain.game.state import State
from workers.bots import BOTS

SEATS, MAX_DEALS = 2, 999
FRESH = "fresh"  # the name of a board that is invented for each deal


class OtherRun(Exception):
    """The folder has a run with other settings."""


def file_name(text: str) -> str:
    """Return a model's or a bot's name as a part of a file's name."""
    return re.sub(r"[^\w.@-]+", "-", text).strip("-.")[:80] or "model"


@dataclass(frozen=True)
class Bench:
    """The settings of a run: a model plays each deal from both seats against each anchor, or
    against a second model, its rival."""

    models: tuple[Asking, ...]
    folder: Path
    board: str
    deals: int
    against: tuple[str, ...]
    track: Track
    set: Deals

    @property
    def fixed(self) -> dict[str, Any]:
        """The settings that all games of a folder have in common."""
        first, *rivals = [{"model": one.model, "options": one.options} for one in self.models]
        return {
            **first,
            **({"rival": rivals[0]} if rivals else {}),
            "board": self.board,
            "track": "listed" if self.track.listed else "withheld",
            "planning": self.track.planning,
            "set": self.set.name,
            "commitment": self.set.commitment,
        }

    @property
    def anchors(self) -> tuple[str, ...]:
        return self.against if len(self.models) == 1 else ()

    def games(self) -> list[Game]:
        return [
            Game(deal, anchor, seat)
            for deal in range(self.deals)
            for anchor in self.against
            for seat in range(SEATS)
        ]

    def board_of(self, deal: int) -> Board:
        if self.board == FRESH:
            return fresh_board(self.set.bytes_for(f"board {deal}"))
        return board_called(self.board)


@dataclass(frozen=True)
class Game:
    """One game: its deal, the anchor or the rival, and the model's seat."""

    deal: int
    anchor: str
    seat: int

    @property
    def name(self) -> str:
        return f"{self.deal:03}-{file_name(self.anchor)}-{self.seat}"


def check(bench: Bench) -> None:
    """Raise NoBot, NoBoard or BrokenTable if a run cannot be played, OtherRun if the folder has
    another one. Prepare the folder."""
    check_boards(bench.anchors, [bench.board_of(0)])
    for anchor in bench.anchors:
        bot_for(bot_class_called(anchor), bench.board_of(0).described)
    settings, due = bench.folder / "settings.json", bench.fixed
    try:
        stored = json.loads(settings.read_bytes()) if settings.exists() else due
        differing = [name for name in due | stored if stored.get(name) != due.get(name)]
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged(settings, str(error)) from error
    if differing:
        raise OtherRun(
            f"{bench.folder} has a run with another {', '.join(differing)}: name "
            "another folder by --out"
        )
    for name in ("histories", "transcripts", *(["boards"] if bench.board == FRESH else [])):
        (bench.folder / name).mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps(due, indent=1) + "\n")


def results(bench: Bench, at_once: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the result of each game; a finished one in the folder is not played again. Raise
    Unavailable if a model cannot be asked."""
    return results_of(play_game, ((bench, game) for game in bench.games()), at_once)


def play_game(bench: Bench, game: Game) -> dict[str, Any]:
    """Play a game to its end, from where its history ends; return its result."""
    board = bench.board_of(game.deal)
    if bench.board == FRESH:
        (bench.folder / "boards" / f"{board.id}.json").write_text(json.dumps(board.table))
    record, state = Record.begun(
        bench.folder / "histories" / f"{game.name}.ndjson", board, creation(bench, game)
    )
    transcript = bench.folder / "transcripts" / f"{game.name}.ndjson"
    if not transcript.exists():
        _write(transcript, {"game": state.id, "system": system_text(board)})
    with ExitStack() as stack:
        deciders = _deciders(bench, game, state, stack)
        while deciding := state.deciding():
            seat = deciding[0][0]
            made = deciders[seat](state, seat, record.seen_by(seat))
            if made.requests:
                _write(
                    transcript,
                    {
                        "version": state.version,
                        "seat": seat,
                        "requests": made.requests,
                        "action": made.command.as_json(),
                        "fallback": made.fallback,
                    },
                )
            record.add(made.events, made.state, seat, made.command, made.note)
            state = made.state
    lines = lines_in(transcript)[1:]
    row = {"id": state.id, "board": board.id, **outcome(game, state.results)}
    try:
        row |= _counts(lines, game.seat)
        return row if bench.anchors else row | {"rival": _counts(lines, 1 - game.seat)}
    except (LookupError, TypeError, AttributeError) as error:
        raise Damaged(transcript, repr(error)) from error


def _deciders(
    bench: Bench, game: Game, state: State, stack: ExitStack
) -> list[Callable[..., Decision]]:
    """Return what decides for each seat; models are open until the stack is closed."""
    rng = Random(f"{bench.set.commitment} {game.name} {state.version}")
    deciders: list[Callable[..., Decision]] = [
        Player(stack.enter_context(closing(one.open())), state, bench.track, rng).decide
        for one in bench.models
    ]
    if bench.anchors:
        anchor = bot_for(bot_class_called(game.anchor), state.board.described, rng)
        deciders.append(partial(bot_decides, anchor))
    return deciders[::-1] if game.seat else deciders


def creation(bench: Bench, game: Game) -> CreateGame:
    """Return the command that creates a game; the model sits on ``game.seat``, seat 0 begins."""
    model, name = bench.models[0].model, game.anchor.partition("@")[0]
    anchor = (
        Named(f"bot_{name}_1", game.anchor, name)
        if name in BOTS and bench.anchors
        else Named("p_anchor" if bench.anchors else "p_rival", game.anchor[:40])
    )
    players = [anchor] * SEATS
    players[game.seat] = Named("p_model", model[:40])
    digest = sha256(f"{bench.set.commitment} {model} {game.name}".encode()).hexdigest()
    return CreateGame(
        f"g_{digest[:20]}",
        "p_model",
        tuple((one, None) for one in players),
        bench.set.bytes_for(f"deal {game.deal}"),
        first_seat=0,
    )


def outcome(game: Game, results: Sequence[Result]) -> dict[str, Any]:
    """Return what the model has achieved in a game with these final results of the seats."""
    mine, theirs = results[game.seat], results[1 - game.seat]
    winners = [result["rank"] for result in results].count(1)
    return {
        "game": game.name,
        **asdict(game),
        "total": mine["total"],
        "total_against": theirs["total"],
        "margin": mine["total"] - theirs["total"],
        "win": (mine["rank"] == 1) / winners,
    }


def _write(file: Path, line: dict[str, Any]) -> None:
    with file.open("a", encoding="utf-8", errors="replace") as opened:  # text may be half a pair
        opened.write(text_of(line) + "\n")


def _counts(lines: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    """Return the requests and the effort of a seat's model, from a transcript. If a run was killed
    between a line and the entry, the decision has two lines, of which the last counts."""
    decisions = [*{line["version"]: line for line in lines if line["seat"] == seat}.values()]
    requests = [row for line in decisions for row in line["requests"]]
    wrong = Counter(row["wrong"]["kind"] for row in requests if "wrong" in row)

    def total(name: str) -> float | None:
        counts = [row[name] for row in requests if name in row]
        return round(sum(counts), 6) if counts else None

    return {
        "decisions": len(decisions),
        "fallbacks": sum(line["fallback"] for line in decisions),
        "requests": len(requests),
        **{kind: wrong[kind] for kind in (UNREADABLE, ILLEGAL, NO_ANSWER)},
        **{name: total(name) for name in ("prompt_tokens", "completion_tokens", "cost", "seconds")},
    }
