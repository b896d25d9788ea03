"""The texts for a language model, and the reading of its answers."""

import json
from pathlib import Path
from typing import Any

import service
from cli.mcp.boards import board_text
from cli.mcp.planning import plan_text
from cli.mcp.rules import Rules
from cli.mcp.views import full_text, news_text
from domain.board.board import Board
from domain.game.commands import Command, DrawCard

RULES = Path(service.__file__).parent / "page" / "docs" / "rules.md"
SECTIONS = ("the turn", "3", "4", "5", "7", "8.1")  # of the rules, for every board
OWN_SHORTHAND = {"from"}  # members that an answer need not have, as the tools of fogg mcp
MAX_ANSWER_CHARS = 200_000  # characters of an answer in which an action is looked for
ROLE = """You play Ticket to Ride against one opponent. Your aim is the largest possible margin: \
your points minus theirs. Each message shows the game and asks for your next decision. Earlier \
messages are not repeated, so keep your plans in a note: your last notes are shown again."""
FORM = """Answer with one JSON object, the action, as the last thing you write. Its "type" is one \
of these, with these members:
{kinds}
The cards to pay are exact, such as {{"red": 2, "wild": 1}}. A card to draw is a colour of the \
row, "wild" from the row, or "deck" for the unseen top card; one card in each answer. Members in \
brackets are optional, and so is "note", for yourself: why, and your plan, in at most {note} \
characters.
Example: {{"type": "draw_card", "card": "deck", "note": "blue for the way to the coast"}}"""
NOTE_CHARS = 500
MAX_NOTES = 5


def rules() -> Rules:
    return Rules(RULES.read_text(encoding="utf-8"))


def system_text(board: Board) -> str:
    """Return the fixed part of a game's prompts: the task, the form of answers, rules, and the
    board."""
    known, own = rules(), board.described["declared"]["rules"]
    more = sorted({about["number"].partition(".")[0] for about in own.values()} - {*SECTIONS})
    kinds = "\n".join(
        f'- "{name}": {_members(kind)}'
        for name, kind in board.ruleset.actions.items()
        if name != "resign" and kind not in board.ruleset.absent
    )
    return "\n\n".join(
        [
            ROLE,
            FORM.format(kinds=kinds, note=NOTE_CHARS),
            *filter(None, map(known.about, (*SECTIONS, *more))),
            board_text(board.described),
        ]
    )


def _members(kind: type[Command]) -> str:
    """Return the members of an action as text, optional ones in brackets."""
    names = [
        member if member in kind.required or kind is DrawCard else f"[{member}]"
        for _, member in kind.members
        if member not in OWN_SHORTHAND
    ]
    return ", ".join(names) or "no members"


def turn_text(
    board: Board,
    view: dict[str, Any],
    entries: list[dict[str, Any]],
    *,
    listed: bool,
    planning: bool,
) -> str:
    """Return one decision: what has happened, the game, and with planning a plan for the tickets.
    ``entries``: those of the game, as the seat may see them."""
    seat, described = view["you"]["seat"], board.described
    notes = [entry["note"] for entry in entries if entry.get("seat") == seat and "note" in entry]
    lines = ["Since your last action:", *(news_text(described, entries, seat) or ["nothing"]), ""]
    if notes:
        lines += ["Your last notes:", *notes[-MAX_NOTES:], ""]
    lines.append(full_text(described, view, with_legal_actions=listed, with_planning=planning))
    tickets = [*view["you"]["tickets"], *view["you"].get("offered", [])]
    if planning and tickets:
        lines += ["", "A plan for the tickets:", plan_text(described, view, tickets)]
    return "\n".join(lines)


def action_in(text: str) -> dict[str, Any] | None:
    """Return the last JSON object with a type in an answer; None if there is none."""
    decoder, last, at = json.JSONDecoder(), None, 0
    text = text[-MAX_ANSWER_CHARS:]
    while (at := text.find("{", at)) >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(value, dict) and isinstance(value.get("type"), str):
            last = value
        at = end
    return last
