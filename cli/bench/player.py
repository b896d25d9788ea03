"""A language model that plays one seat of one game."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from fogg_client.bot import Fault, choice_of

from cli.bench.models import Answer, Message, Model, NoAnswer
from cli.bench.prompts import action_in, rules, system_text, turn_text
from cli.bench.record import as_note
from cli.mcp.actions import as_posted
from cli.offline.games import played, seen_by
from domain.errors import Refused
from domain.game.asked import asked
from domain.game.commands import Command, Resign
from domain.game.events import Event
from domain.game.legal import legal_actions
from domain.game.state import State
from domain.network import turned

TRIES = 2  # the first answer, and one more with the reason why that was refused
UNREADABLE, ILLEGAL, NO_ANSWER = "unreadable", "illegal", "no_answer"
NO_ACTION = (
    'your answer has no JSON object with a type, such as {"type": "draw_card", "card": "deck"}'
)
NO_ACTIONS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
TRY_AGAIN = "Nothing was played: {}\n\nAnswer once more, with another action."


class Refusal(Exception):
    """An answer cannot be played; ``kind`` is UNREADABLE, ILLEGAL or NO_ANSWER."""

    def __init__(self, kind: str, reason: str):
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True)
class Track:
    """The help in a model's prompts: whether legal actions are listed, and whether plans are
    suggested."""

    listed: bool = True
    planning: bool = False


@dataclass
class Decision:
    """A played command with its events and the state after it. ``requests`` are those of the
    transcript; ``fallback`` says whether the command was drawn by lot for the model."""

    command: Command
    events: list[Event]
    state: State
    note: str | None
    requests: list[dict[str, Any]] = field(default_factory=list)
    fallback: bool = False


class Player:
    """Asks a model for the decisions of one seat."""

    def __init__(self, model: Model, state: State, track: Track, rng: Random):
        """``rng`` chooses the fallbacks: any legal action, each as likely as the next."""
        self._model, self._track, self._rng = model, track, rng
        self.system, self._rules = system_text(state.board), rules()

    def decide(self, state: State, seat: int, entries: list[dict[str, Any]]) -> Decision:
        """Return a decision. ``entries``: the game's, as the seat may see them. Raise Unavailable
        if the model cannot be asked."""
        prompt = turn_text(
            state.board,
            seen_by(state, seat),
            entries,
            listed=self._track.listed,
            planning=self._track.planning,
        )
        messages = [_message("system", self.system), _message("user", prompt)]
        requests: list[dict[str, Any]] = []
        for _ in range(TRIES):
            row: dict[str, Any] = {"prompt": messages[-1]["content"]}
            requests.append(row)
            try:
                answer = self._asked(messages, row)
                decision = self._played(state, seat, answer)
            except Refusal as refusal:
                row["wrong"] = {"kind": refusal.kind, "reason": str(refusal)}
                if "answer" in row:
                    messages += [
                        _message("assistant", row["answer"]),
                        _message("user", TRY_AGAIN.format(refusal)),
                    ]
                continue
            decision.requests = requests
            return decision
        command = self._rng.choice(legal_actions(state, seat))
        made = played(state, seat, command.json, "fallback")
        return Decision(*made, None, requests, fallback=True)

    def _asked(self, messages: list[Message], row: dict[str, Any]) -> Answer:
        try:
            answer = self._model.ask(messages)
        except NoAnswer as error:
            raise Refusal(NO_ANSWER, str(error)) from error
        row |= {
            "answer" if name == "text" else name: value
            for name, value in asdict(answer).items()
            if value not in (None, "")
        }
        row.setdefault("answer", "")
        return answer

    def _played(self, state: State, seat: int, answer: Answer) -> Decision:
        """Return the decision of an answer; raise Refusal if it cannot be played."""
        action = action_in(answer.text)
        if action is None:
            raise Refusal(UNREADABLE, NO_ACTION)
        note = action.pop("note", None)
        try:
            posted = as_posted(action)
            if (route := turned(str(posted.get("route")))) in state.board.route_index:
                posted["route"] = route
            asked(state, {"seat": seat, "action": posted, "events": [{}]})  # checks all types
            made = played(state, seat, posted, "the model")
        except Fault as fault:
            raise Refusal(ILLEGAL, self._reason(fault)) from fault
        except NO_ACTIONS as error:
            raise Refusal(ILLEGAL, f"this is no action: {error}") from error
        if isinstance(made[0], Resign):
            raise Refusal(ILLEGAL, "resigning is no answer here: play on")
        before = answer.text.rpartition(json.dumps(action["type"]))[0].rpartition("{")[0]
        said = note if isinstance(note, str) else before.strip() or answer.reasoning
        return Decision(*made, as_note(said))

    def _reason(self, fault: Fault) -> str:
        """Return why an action is illegal, with the rule that it breaks."""
        refused = fault.__cause__
        if not isinstance(refused, Refused):
            return fault.what
        said = None
        with suppress(LookupError):
            said = self._rules.about(refused.rule) if "." in refused.rule else None
        return f"{refused} ({refused.code})." + (f"\n\n{said}" if said else "")


def bot_decides(bot: Any, state: State, seat: int, _entries: list[dict[str, Any]]) -> Decision:
    """Return a bot's decision, without requests; raise Fault if its action is illegal."""
    where = f"{state.id}, version {state.version}"
    return Decision(*played(state, seat, choice_of(bot, seen_by(state, seat), where), where), None)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
