"""The clock: how long seats may think, and what happens when their time is up.

Nothing here reads a clock: times are milliseconds since 1970 and come in as values. A decision's
time runs from when it became available to when the action arrived, less what the service itself
was away in between.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from domain.game.commands import Command, DrawCard, KeepTickets
from domain.game.events import Seconds

SILENCE = 3 * 86_400_000  # milliseconds for a decision in a game without a clock (8.5)
RESIGN: Final = "resign"
ACT: Final = "act"
DECISIONS = 100  # of a seat in a long game


class ClockJson(Seconds):
    """A game's clock; times are in seconds."""

    on_timeout: Annotated[
        Literal["resign", "act"],
        "The effect of running out of time: the seat leaves the game, "
        "or the service acts for it once (rule 8.3).",
    ]


@dataclass(frozen=True)
class Clock:
    """A time limit in milliseconds: ``per_decision``; or a ``bank`` for all decisions, and an
    ``increment`` that each decision adds to it; or both limits, without an increment (``total`` in
    a game's options is the bank then). ``on_timeout``: whether the seat resigns, or an action is
    played for it."""

    per_decision: int | None
    bank: int
    increment: int
    on_timeout: Literal["resign", "act"]

    @staticmethod
    def of(clock: Seconds | None, on_timeout: Literal["resign", "act"] | None) -> "Clock | None":
        """Return the clock of a game's options, which are in seconds; None for no clock."""
        if not clock:
            return None
        each = clock.get("per_decision")
        if each is not None:
            return Clock(_in_ms(each), _in_ms(clock.get("total", 0)), 0, on_timeout or RESIGN)
        return Clock(
            None,
            _in_ms(clock.get("bank", 0)),
            _in_ms(clock.get("increment", 0)),
            on_timeout or RESIGN,
        )

    @property
    def has_bank(self) -> bool:
        return self.per_decision is None or self.bank > 0

    def as_json(self) -> ClockJson:
        """Return the clock as the API shows it, in seconds."""
        return {**self.limit(), "on_timeout": self.on_timeout}

    def limit(self) -> Seconds:
        """Return the same without ``on_timeout``, as a game's options have it."""
        if self.per_decision is None:
            return {"bank": self.bank / 1000, "increment": self.increment / 1000}
        limit: Seconds = {"per_decision": self.per_decision / 1000}
        if self.bank:
            limit["total"] = self.bank / 1000
        return limit

    def allowance(self, bank: int) -> int:
        """Return the milliseconds for the next decision, with so many left in the bank."""
        if self.per_decision is None:
            return bank
        return min(self.per_decision, bank) if self.bank else self.per_decision

    def pace(self) -> float:
        """Return the seconds available for one decision; a bank is shared by a hundred."""
        each = self.bank / DECISIONS + self.increment
        if self.per_decision is not None:
            each = min(each, self.per_decision) if self.bank else self.per_decision
        return each / 1000

    def longest(self) -> float:
        """Return the seconds that a seat may take for all its decisions, assuming a hundred."""
        if self.per_decision is None or not self.bank:
            return self.pace() * DECISIONS
        return min(self.bank, self.per_decision * DECISIONS) / 1000

    def bank_after(self, bank: int, used: int) -> int:
        """Return the milliseconds in a bank after a decision that took so long."""
        return max(0, bank - max(0, used)) + self.increment


def _in_ms(seconds: float) -> int:
    return round(seconds * 1000)


def action_for(legal_actions: list[Command]) -> Command:
    """Return the legal action to play for a seat whose time is up (8.3)."""
    for action in legal_actions:
        if action.gives_up or action == DrawCard("deck"):
            return action
    choices = [action for action in legal_actions if isinstance(action, KeepTickets)]
    return min(choices, key=lambda action: len(action.tickets)) if choices else legal_actions[0]
