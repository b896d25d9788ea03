"""A run of the benchmark: its games, played into a folder, and played on from there if the run was
broken off."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from fogg_client.bot import bot_for, choice_of

from cli.bench.boards import fresh_board
from cli.bench.deals import Deals
from cli.bench.models import Model, Source
from cli.bench.player import ILLEGAL, NO_ANSWER, UNREADABLE, Decision, Player, Track
from cli.bench.record import Record, lines_in
from cli.offline.games import played, seen_by
from cli.offline.named import board_called, bot_class_called, check_boards
from cli.processes import results_of
from domain.board.board import Board
from domain.entry import text_of
from domain.game.commands import CreateGame
from domain.game.commands import Player as Named
from domain.game.state import State
from workers.bots import BOTS

SEATS = 2
FRESH = "fresh"  # the name of a board that is invented for each deal


class OtherRun(Exception):
    """The folder has a run with other settings."""


@dataclass(frozen=True)
class Bench:
    """The settings of a run: each deal is played from both seats against each anchor."""

    model: str
    folder: Path
    board: str
    deals: int
    against: tuple[str, ...]
    track: Track
    set: Deals
    prices: tuple[float, float] | None = None  # US dollars for a million tokens read, and written
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def fixed(self) -> dict[str, Any]:
        """The settings that all games of a folder have in common."""
        return {"model": self.model, "options": self.options, "board": self.board,
                "track": "listed" if self.track.listed else "withheld",
                "planning": self.track.planning, "set": self.set.name,
                "commitment": self.set.commitment}

    def games(self) -> list[Game]:
        return [Game(deal, anchor, seat) for deal in range(self.deals)
                for anchor in self.against for seat in range(SEATS)]

    def board_of(self, deal: int) -> Board:
        if self.board == FRESH:
            return fresh_board(self.set.bytes_for(f"board {deal}"))
        return board_called(self.board)


@dataclass(frozen=True)
class Game:
    """One game: its deal, the anchor, and the model's seat."""

    deal: int
    anchor: str
    seat: int

    @property
    def name(self) -> str:
        return f"{self.deal:03}-{self.anchor}-{self.seat}"


def check(bench: Bench) -> None:
    """Raise NoBot, NoBoard or BrokenTable if a run cannot be played, OtherRun if the folder has
    another one. Prepare the folder."""
    check_boards(bench.against, [bench.board_of(0)])
    for anchor in bench.against:
        bot_for(bot_class_called(anchor), bench.board_of(0).described)
    settings = bench.folder / "settings.json"
    if settings.exists() and (stored := json.loads(settings.read_text())) != bench.fixed:
        differing = [name for name, value in bench.fixed.items() if stored.get(name) != value]
        raise OtherRun(f"{bench.folder} has a run with another {', '.join(differing)}: name "
                       "another folder by --out")
    for name in ("histories", "transcripts", *(["boards"] if bench.board == FRESH else [])):
        (bench.folder / name).mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps(bench.fixed, indent=1) + "\n")


def done(bench: Bench) -> dict[str, dict[str, Any]]:
    """Return the results of a folder, by the game's name."""
    file = bench.folder / "games.ndjson"
    return {row["game"]: row for row in lines_in(file)} if file.exists() else {}


def results(bench: Bench, source: Source, at_once: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the result of each game, first those that the folder has. Raise Unavailable if the
    model cannot be asked."""
    known = done(bench)
    yield from (known[game.name] for game in bench.games() if game.name in known)
    games = [game for game in bench.games() if game.name not in known]
    if at_once == 1:
        with closing(source.open()) as model:
            for game in games:
                yield _kept(bench, play_game(bench, game, model))
        return
    for row in results_of(_play, ((bench, game, source) for game in games), at_once):
        yield _kept(bench, row)


def _play(bench: Bench, game: Game, source: Source) -> dict[str, Any]:
    with closing(source.open()) as model:
        return play_game(bench, game, model)


def _kept(bench: Bench, row: dict[str, Any]) -> dict[str, Any]:
    """Write a result to the folder; return it."""
    with (bench.folder / "games.ndjson").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    return row


def play_game(bench: Bench, game: Game, model: Model) -> dict[str, Any]:
    """Play a game to its end, from where its history ends; return its result."""
    board = bench.board_of(game.deal)
    if bench.board == FRESH:
        (bench.folder / "boards" / f"{board.id}.json").write_text(json.dumps(board.table))
    record, state = Record.begun(bench.folder / "histories" / f"{game.name}.ndjson", board,
                                 _creation(bench, game))
    transcript = bench.folder / "transcripts" / f"{game.name}.ndjson"
    rng = Random(f"{bench.set.commitment} {game.name} {state.version}")
    anchor = bot_for(bot_class_called(game.anchor), state.board.described, rng)
    player = Player(model, state, bench.track, rng)
    if not transcript.exists():
        _write(transcript, {"game": state.id, "system": player.system})
    deciders = [partial(_anchor_decides, anchor)] * SEATS
    deciders[game.seat] = partial(_model_decides, player, record, transcript, bench.prices)
    while deciding := state.deciding():
        seat = deciding[0][0]
        made = deciders[seat](state, seat)
        record.add(made.events, made.state, seat, made.command, made.note)
        state = made.state
    return _result(game, state, lines_in(transcript)[1:])


def _creation(bench: Bench, game: Game) -> CreateGame:
    """Return the command that creates a game; the model sits on ``game.seat``, seat 0 begins."""
    name = game.anchor.partition("@")[0]
    anchor = (Named(f"bot_{name}_1", game.anchor, name) if name in BOTS
              else Named("p_anchor", game.anchor[:40]))
    players = [anchor] * SEATS
    players[game.seat] = Named("p_model", bench.model[:40] or "model")
    digest = sha256(f"{bench.set.commitment} {bench.model} {game.name}".encode()).hexdigest()
    return CreateGame(f"g_{digest[:20]}", "p_model", tuple((one, None) for one in players),
                      bench.set.bytes_for(f"deal {game.deal}"), first_seat=0)


def _anchor_decides(bot: Any, state: State, seat: int) -> Decision:
    where = f"{state.id}, version {state.version}"
    action = choice_of(bot, seen_by(state, seat), where)
    return Decision(*played(state, seat, action, where), None)


def _model_decides(player: Player, record: Record, transcript: Path,
                   prices: tuple[float, float] | None, state: State, seat: int) -> Decision:
    made = player.decide(state, seat, record.seen_by(seat))
    for row in made.requests:
        if prices and "cost" not in row and "prompt_tokens" in row:
            row["cost"] = (row["prompt_tokens"] * prices[0]
                           + row.get("completion_tokens", 0) * prices[1]) / 1e6
    _write(transcript, {"version": state.version, "seat": seat, "requests": made.requests,
                        "action": made.command.as_json(), "fallback": made.fallback})
    return made


def _write(file: Path, line: dict[str, Any]) -> None:
    with file.open("a", encoding="utf-8", errors="replace") as opened:  # text may be half a pair
        opened.write(text_of(line) + "\n")


def _result(game: Game, state: State, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the result of a game that is over. If a run was killed between a line of the
    transcript and the entry, the decision has two lines, of which the last counts."""
    decisions = [*{line["version"]: line for line in lines}.values()]
    requests = [row for line in decisions for row in line["requests"]]
    wrong = Counter(row["wrong"]["kind"] for row in requests if "wrong" in row)
    mine, theirs = state.results[game.seat], state.results[1 - game.seat]
    winners = [result["rank"] for result in state.results].count(1)

    def total(name: str) -> float | None:
        counts = [row[name] for row in requests if name in row]
        return round(sum(counts), 6) if counts else None

    return {
        "game": game.name, "id": state.id, "board": state.board.id, "deal": game.deal,
        "anchor": game.anchor, "seat": game.seat, "total": mine["total"],
        "total_against": theirs["total"], "margin": mine["total"] - theirs["total"],
        "win": (mine["rank"] == 1) / winners, "decisions": len(decisions),
        "fallbacks": sum(line["fallback"] for line in decisions), "requests": len(requests),
        **{kind: wrong[kind] for kind in (UNREADABLE, ILLEGAL, NO_ANSWER)},
        **{name: total(name) for name in ("prompt_tokens", "completion_tokens", "cost", "seconds")},
    }
