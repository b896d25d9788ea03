"""Parses the text of legal actions that models read."""

import re
from itertools import combinations

ID = r"[a-z0-9.-]+"
PRICE = re.compile(
    r"^(\w+)(, keep_for_flag)?(?: \(serves a ticket\))? "
    r"for (\d+) cards? \((.*?)\)(?:: (.*))?$"
)
SHORT = re.compile(r"^(\w+)(, keep_for_flag)?(?: \(serves a ticket\))?: (.*)$")
PAID = re.compile(r"([\w.-]+) for (\d+ \w+(?: \+ \d+ \w+)*)")
MORE = "More in look full"
PLACE = {"claim_route": "route", "build_station": "location"}


def actions_in(text: str) -> list[dict]:
    """The actions, as ``act`` takes them, that a text lists as legal."""
    lines = text.partition("Legal actions:\n")[2].splitlines()
    return [action for line in lines if line != MORE for action in _actions(line)]


def _actions(line: str) -> list[dict]:
    if match := SHORT.match(line):
        return [
            {"type": match[1], PLACE[match[1]]: place}
            | ({"keep_for_flag": True} if match[2] else {})
            | {"cards": {color: int(n) for n, color in map(str.split, cards.split(" + "))}}
            for place, cards in PAID.findall(match[3])
        ]
    if match := PRICE.match(line):
        kind, keep, number, price, places = match.groups()
        common = {"type": kind} | ({"keep_for_flag": True} if keep else {})
        return [
            common | {"cards": cards} | ({PLACE[kind]: place} if places else {})
            for place in (places or "-").split(", ")
            for cards in _payments(price, int(number))
        ]
    kind, _, rest = line.partition(", ")
    if kind == "keep_tickets" and rest.startswith("at least"):
        ids = re.findall(rf"({ID}) \(", rest.partition(" of ")[2])
        return [
            {"type": kind, "tickets": list(some)}
            for size in range(int(rest.split()[2]), len(ids) + 1)
            for some in combinations(ids, size)
        ]
    if kind == "keep_tickets":
        return [
            {"type": kind, "tickets": some.split(", ")}
            for some in rest.removeprefix("one of ").split(" | ")
        ]
    if match := re.fullmatch(r"(\w+) one of (.*)", rest):
        return [{"type": kind, match[1]: one} for one in match[2].split(", ")]
    return [{"type": line}]


def _payments(price: str, number: int) -> list[dict]:
    paid = []
    for way in price.split(", "):
        if " + " in way:  # a set of several colours
            paid.append({color: int(n) for n, color in map(str.split, way.split(" + "))})
            continue
        if match := re.fullmatch(r"\d+ ([\w/]+)", way):
            paid += [{color: number} for color in match[1].split("/")]
            continue
        colors, wilds = re.fullmatch(r"([\w/]+) with (.*) wild", way).groups()
        least, _, most = wilds.partition("-")
        for wild in range(int(least), int(most) + 1) if most else map(int, wilds.split("/")):
            paid += [
                {name: n for name, n in ((color, number - wild), ("wild", wild)) if n}
                for color in colors.split("/")
            ]
    return paid
