"""Everything that the domain refuses, as one tree with stable codes.

FoggError
 +- BrokenTable        a board table cannot be used            (where, line)
 +- BrokenHistory      a stored history cannot be folded       (version)
 +- Refused            a command that the rules do not accept  (code, rule, field)
"""

from __future__ import annotations


class FoggError(Exception):
    """The root of the tree; ``code`` is stable and ``str(error)`` is a sentence for people."""

    code = "error"


class BrokenTable(FoggError):
    """A board table that cannot be played: ``where`` is a path such as ``routes[3].length``,
    ``file`` is where the table was read from, if that is one, ``others`` are its other faults."""

    code = "broken-table"

    def __init__(self, where: str, line: int | None, reason: str,
                 others: tuple[BrokenTable, ...] = ()):
        super().__init__(where, line, reason)
        self.where, self.line, self.reason, self.others = where, line, reason, others
        self.file: str | None = None

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else None
        more = (f"{len(self.others)} more: fogg board check tells all"
                if self.others and self.file else None)
        said = ": ".join(filter(None, (self.file, line, self.where, self.reason)))
        return f"{said} ({more})" if more else said


class BrokenHistory(FoggError):
    """A history that cannot be folded: ``version`` is the first entry that is wrong."""

    code = "history-broken"

    def __init__(self, version: int, reason: str):
        super().__init__(f"entry {version}: {reason}")
        self.version, self.reason = version, reason


class Refused(FoggError):
    """A command refused by a rule; nothing has changed.

    ``code`` names the reason for programs, ``rule`` is its number in docs/rules.md, None where no
    rule of the game is to blame, and ``field`` the member of the action at fault, if one is.
    """

    def __init__(self, code: str, rule: str | None, reason: str, field: str | None = None):
        super().__init__(reason)
        self.code, self.rule, self.field = code, rule, field
