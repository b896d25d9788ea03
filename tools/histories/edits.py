"""Random edits of finished games' histories, by a forger who does not know the rules.

The forger knows the format and computes all hashes again, but ignores rules and shuffles. The kinds
called "free" change values that no rule depends on: only someone who knows the old hashes finds
them (docs/fairness.md).
"""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from random import Random

from domain.entry import salt_after, with_hash
from domain.game.proof import finished
from tools.histories.written import BOARDS, BY_DIGEST, game

Entries = list[dict]
Edit = Callable[[Entries, Random], None]
FREE_EVENT = {"game", "creator", "visibility", "spectators", "player", "seed_known", "rating_rules"}
CHANCE = {"seed", "commitment", "entropy", "first_seat", "clock", "on_timeout"}


def registering(edits: dict[str, Edit]) -> Callable[[str], Callable[[Edit], Edit]]:
    """Return the decorator that registers a function as the edit of a kind."""
    return lambda words: lambda edit: edits.setdefault(words, edit)


EDITS: dict[str, Edit] = {}
kind = registering(EDITS)


def try_edit(edit: Edit, entries: Entries, random: Random) -> None:
    """Edit a history, unless it has nothing of the kind to choose from."""
    with suppress(IndexError):
        edit(entries, random)


def caught(edit: Edit, histories: list[Entries], random: Random, count: int) -> tuple[Counter, int]:
    """Make ``count`` edits of one kind. Return how many each error code found, and how many there
    were."""
    codes, made = Counter(), 0
    # copied from bytes: copy.deepcopy takes three times as long
    originals = [(pickle.dumps(history), _bare(history)) for history in histories]
    for _ in range(20 * count):
        original, before = random.choice(originals)
        forged = pickle.loads(original)
        try_edit(edit, forged, random)
        if _bare(forged) == before:
            continue
        made += 1
        if wrong := finished(BY_DIGEST, forged if edit is unchained else chained(forged)).wrong:
            codes[wrong.code] += 1
        if made == count:
            break
    return codes, made


@kind("value in an event")
def event_value(entries: Entries, random: Random) -> None:
    event = random.choice(random.choice(entries)["events"])
    _change(event, random, entries, FREE_EVENT | CHANCE | {"type", "results"})


@kind("type of an event")
def event_type(entries: Entries, random: Random) -> None:
    event = random.choice(random.choice(entries)["events"])
    event["type"] = random.choice(random.choice(entries)["events"])["type"]


@kind("event left out")
def event_gone(entries: Entries, random: Random) -> None:
    events = random.choice(entries)["events"]
    if len(events) > 1:
        del events[random.randrange(len(events))]


@kind("event added")
def event_twice(entries: Entries, random: Random) -> None:
    event = random.choice(random.choice(entries)["events"])
    events = random.choice(entries)["events"]
    events.insert(random.randint(0, len(events)), event)


@kind("events swapped")
def events_swapped(entries: Entries, random: Random) -> None:
    events = random.choice(entries)["events"]
    i = random.randrange(len(events))
    events[i - 1], events[i] = events[i], events[i - 1]


@kind("value in an action")
def action_value(entries: Entries, random: Random) -> None:
    acting = [entry for entry in entries if "action" in entry]
    _change(random.choice(acting)["action"], random, entries, {"type"})


@kind("another action")
def action_other(entries: Entries, random: Random) -> None:
    one, other = random.sample([entry for entry in entries if "action" in entry], 2)
    one["action"] = other["action"]


@kind("another seat")
def seat(entries: Entries, random: Random) -> None:
    entry = random.choice([entry for entry in entries if "seat" in entry])
    entry["seat"] = random.choice([-1, 0, 1, 2, 7])


@kind("entry left out")
def entry_gone(entries: Entries, random: Random) -> None:
    del entries[random.randrange(len(entries))]


@kind("entry twice")
def entry_twice(entries: Entries, random: Random) -> None:
    place = random.randrange(len(entries))
    entries.insert(place, copy.deepcopy(entries[place]))


@kind("entries swapped")
def entries_swapped(entries: Entries, random: Random) -> None:
    one, other = random.sample(range(_begun(entries), len(entries)), 2)
    entries[one], entries[other] = entries[other], entries[one]


@kind("end left out")
def cut(entries: Entries, random: Random) -> None:
    del entries[random.randrange(1, len(entries)) :]


@kind("end of another game")
def spliced(entries: Entries, random: Random) -> None:
    board = entries[0]["events"][0]["board"]
    place = random.randrange(1, len(entries))
    entries[place:] = plain(game(board, 2, random.randrange(99, 10**6)))[place:]


@kind("seed")
def seed_alone(entries: Entries, random: Random) -> None:
    entries[0]["events"][0]["seed"] = random.randbytes(32).hex()


@kind("seed and commitment")
def seed_and_commitment(entries: Entries, random: Random) -> None:
    seed = random.randbytes(32)
    entries[0]["events"][0] |= {"seed": seed.hex(), "commitment": sha256(seed).hexdigest()}


@kind("entropy")
def entropy(entries: Entries, random: Random) -> None:
    random.choice([event for event in entries[0]["events"] if event["type"] == "seat_taken"])[
        "entropy"
    ] = random.randbytes(4).hex()


@kind("order of a deck")
def deck(entries: Entries, random: Random) -> None:
    event = random.choice(
        [
            event
            for entry in entries
            for event in entry["events"]
            if event["type"] in ("deck_shuffled", "tickets_shuffled")
        ]
    )
    items = event["cards" if event["type"] == "deck_shuffled" else "tickets"]
    one, other = random.sample(range(len(items)), 2)
    items[one], items[other] = items[other], items[one]


@kind("score")
def score(entries: Entries, random: Random) -> None:
    result = random.choice(entries[-1]["events"][-1]["results"])
    part = random.choice(list(result))
    result[part] += random.choice([-10, -1, 1, 2, 15])


@kind("clock")
def clock(entries: Entries, random: Random) -> None:
    entry = random.choice(entries)
    if "available" not in entry:
        return
    if random.random() < 0.5:
        entry["available"] = random.choice(entries)["at"]
    else:
        entry["arrived"] = f"2{random.randint(101, 999)}{entry['arrived'][4:]}"


@kind("kind of a value")
def json_type(entries: Entries, random: Random) -> None:
    where = random.choice([entry for entry in entries if "seat" in entry])
    where = random.choice([where, where["action"], *where["events"]])
    names = [name for name, value in where.items() if type(value) is int and name != "version"]
    name = random.choice(names)
    others = [float(where[name]), str(where[name])] + [bool(where[name])] * (where[name] in (0, 1))
    where[name] = random.choice(others)


@kind("unknown member")
def unknown(entries: Entries, random: Random) -> None:
    entry = random.choice(entries)
    random.choice([entry, entry.get("action", entry), *entry["events"]])["note"] = None


@kind("anything, hashes left")
def unchained(entries: Entries, random: Random) -> None:
    random.choice([event_value, score, salt, action_value, entry_gone])(entries, random)


@kind("free: name or id")
def name(entries: Entries, random: Random) -> None:
    created, *rest = entries[0]["events"]
    players = [event["player"] for event in rest if event["type"] == "seat_taken"]
    where, member = random.choice(
        [(created, "creator"), (created, "game"), (players[0], "name"), (players[-1], "id")]
    )
    where[member] += "x"


@kind("free: first salt, or a key")
def salt(entries: Entries, random: Random) -> None:
    entries[0]["salt"] = random.randbytes(16).hex()
    entry = random.choice(entries)
    if "command" in entry:
        entry["command"] = f"{random.randbytes(16).hex()}{entry['command'][32:]}"


@kind("free: time, no clock")
def moment(entries: Entries, random: Random) -> None:
    if "clock" in entries[0]["events"][0]:
        return
    entry = random.choice(entries)
    entry["at"] = f"{entry['at'][:-4]}{random.randrange(1000):03}Z"


def _change(value: dict, random: Random, entries: Entries, never: set[str]) -> None:
    """Change one value in an object, or in what it holds, if one can be."""
    where, at = value, random.choice(sorted(value.keys() - never))
    while isinstance(where[at], dict | list) and where[at]:
        where = where[at]
        at = (
            random.choice(sorted(where))
            if isinstance(where, dict)
            else random.randrange(len(where))
        )
    was = where[at]
    if isinstance(was, bool):
        where[at] = not was
    elif isinstance(was, int):
        where[at] = was + random.choice([-1, 1, 2])
    elif isinstance(was, str):
        where[at] = random.choice(_alike(was, entries))


def _alike(was: str, entries: Entries) -> list[str]:
    """Return other strings of a game, of the same sort."""
    board = BOARDS[entries[0]["events"][0]["board"]]
    for sort in (
        board.colors,
        list(board.route_index),
        list(board.ticket_index),
        list(board.location_index),
    ):
        if was in sort:
            return [other for other in sort if other != was]
    return [was[::-1], f"{was}x", ""]


def _begun(entries: Entries) -> int:
    """Return the place of the first entry after all seats have chosen their first tickets."""
    return 1 + next(
        i
        for i, entry in enumerate(entries)
        if any(event["type"] == "turn_began" for event in entry["events"])
    )


def chained(entries: Entries, *, are_salts_kept: bool = False) -> Entries:
    """Return the entries with new version numbers, salts and hashes."""
    done, previous = [], ""
    for version, entry in enumerate(entries, 1):
        entry = {name: value for name, value in entry.items() if name != "hash"}
        entry["version"] = version
        if done and not are_salts_kept:
            entry["salt"] = salt_after(done[0]["salt"], version)
        done.append(with_hash(entry, previous))
        previous = done[-1]["hash"]
    return done


def _bare(entries: Entries) -> str:
    """Return all but the hashes as text, in which 1 and true differ."""
    return json.dumps([{**entry, "hash": ""} for entry in entries])


def plain(entries: Entries) -> Entries:
    """Return entries as JSON would give them."""
    return json.loads(json.dumps(entries))
