"""The domain's errors, as one tree with stable codes.

FoggError +- BrokenTable a board table cannot be used (where, line) +- BrokenHistory a stored
history cannot be folded (version) +- Refused a command that the rules do not accept (code, rule,
field)
"""


class FoggError(Exception):
    """The base class; ``code`` is stable and ``str(error)`` is a sentence for people."""

    code = "error"


class BrokenTable(FoggError):
    """A board table that cannot be played: ``where`` is a path such as ``routes[3].length``,
    ``file`` is the table's file, or None, ``others`` are its other faults."""

    code = "broken-table"

    def __init__(
        self, where: str, line: int | None, reason: str, others: "tuple[BrokenTable, ...]" = ()
    ):
        super().__init__(where, line, reason)
        self.where, self.line, self.reason, self.others = where, line, reason, others
        self.file: str | None = None

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else None
        more = (
            f"{len(self.others)} more: fogg board check tells all"
            if self.others and self.file
            else None
        )
        said = ": ".join(filter(None, (self.file, line, self.where, self.reason)))
        return f"{said} ({more})" if more else said


class BrokenHistory(FoggError):
    """A history that cannot be folded: ``version`` is the first invalid entry."""

    code = "history-broken"

    def __init__(self, version: int, reason: str):
        super().__init__(f"entry {version}: {reason}")
        self.version, self.reason = version, reason


class Refused(FoggError):
    """A command that a rule refuses; nothing has changed.

    ``code`` names the reason for programs, ``rule`` is the number in docs/rules.md, or None if it
    is not about a rule of the game, and ``field`` the action's invalid member, if there is one.
    """

    def __init__(self, code: str, rule: str | None, reason: str, field: str | None = None):
        super().__init__(reason)
        self.code, self.rule, self.field = code, rule, field
