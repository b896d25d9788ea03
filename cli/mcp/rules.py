"""The rules page of the service, looked up by number."""

import re

SECTION = re.compile(r"^## (?:(\d) )?(.+)$")
RULE = re.compile(r"^\*\*(\d+\.\d+)\*\* ")


class Rules:
    """The rules and sections of docs/rules.md, by number."""

    def __init__(self, page: str):
        self._rules: dict[str, list[str]] = {}
        self._titles: dict[str, str] = {}
        lines: list[str] = []
        for line in page.splitlines():
            if heading := SECTION.match(line):
                number, title = heading.groups()
                lines = self._rules[number or title.lower()] = [title]
                if number:
                    self._titles[number] = title
                continue
            if heading := RULE.match(line):
                lines = self._rules[heading[1]] = []
                line = f"Rule {heading[1]}: {line[heading.end() :]}"
            lines.append(line)

    def about(self, number: str) -> str | None:
        """Return a rule (4.1), a section with all its rules (4) or the course of a turn; None if
        the number does not exist."""
        number = number.strip().removeprefix("rule ").rstrip(".")
        if number not in self._rules:
            return None
        parts = [number, *(other for other in self._rules if other.startswith(f"{number}."))]
        return "\n\n".join("\n".join(self._rules[part]).strip() for part in parts)

    def contents(self) -> str:
        by_section = {
            number: [rule for rule in self._rules if rule.startswith(f"{number}.")]
            for number in self._titles
        }
        return "; ".join(
            f"{number} {self._titles[number]}: {', '.join(rules)}"
            for number, rules in by_section.items()
            if rules
        )
