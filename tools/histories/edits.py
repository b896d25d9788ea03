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
from hashlib import sha256
from random import Random

from domain.entry import with_hash
from domain.game.proof import finished
from tools.histories.written import BOARDS, BY_DIGEST, game

Entries = list[dict]
Edit = Callable[[Entries, Random], object]
FREE_EVENT = {"game", "creator", "visibility", "spectators", "player", "seed_known",
              "rating_rules"}
CHANCE = {"seed", "commitment", "entropy", "first_seat", "clock", "on_timeout"}


def caught(edit: Edit, histories: list[Entries], random: Random, count: int) -> tuple[Counter, int]:
    """Make ``count`` edits of one kind. Return how many each error code found, and how many there
    were."""
    codes, made = Counter(), 0
    # copied from bytes: copy.deepcopy takes three times as long
    originals = [(pickle.dumps(history), _bare(history)) for history in histories]
    for _ in range(20 * count):
        original, before = random.choice(originals)
        forged = pickle.loads(original)
        if edit(forged, random) is None or _bare(forged) == before:
            continue
        made += 1
        if wrong := finished(BY_DIGEST, forged if edit is unchained else chained(forged)).wrong:
            codes[wrong.code] += 1
        if made == count:
            break
    return codes, made


def event_value(entries: Entries, random: Random) -> object:
    """Another value somewhere in what happened."""
    event = random.choice(random.choice(entries)["events"])
    return _change(event, random, entries, FREE_EVENT | CHANCE | {"type", "results"})


def event_type(entries: Entries, random: Random) -> object:
    """Another type of an event."""
    event = random.choice(random.choice(entries)["events"])
    event["type"] = random.choice(random.choice(entries)["events"])["type"]
    return event


def event_gone(entries: Entries, random: Random) -> object:
    """One thing less happened."""
    events = random.choice(entries)["events"]
    return events.pop(random.randrange(len(events))) if len(events) > 1 else None


def event_twice(entries: Entries, random: Random) -> object:
    """One thing happened twice, or in another entry too."""
    event = random.choice(random.choice(entries)["events"])
    events = random.choice(entries)["events"]
    return events.insert(random.randint(0, len(events)), event) or event


def events_swapped(entries: Entries, random: Random) -> object:
    """Two things happened in the other order."""
    events = random.choice(entries)["events"]
    i = random.randrange(len(events))
    events[i - 1], events[i] = events[i], events[i - 1]
    return events


def action_value(entries: Entries, random: Random) -> object:
    """Something else was played."""
    acting = [entry for entry in entries if "action" in entry]
    return _change(random.choice(acting)["action"], random, entries, {"type"})


def action_other(entries: Entries, random: Random) -> object:
    """The action of another entry."""
    one, other = random.sample([entry for entry in entries if "action" in entry], 2)
    one["action"] = other["action"]
    return one


def seat(entries: Entries, random: Random) -> object:
    """Another seat acted."""
    entry = random.choice([entry for entry in entries if "seat" in entry])
    entry["seat"] = random.choice([-1, 0, 1, 2, 7])
    return entry


def entry_gone(entries: Entries, random: Random) -> object:
    """An entry is left out."""
    return entries.pop(random.randrange(len(entries)))


def entry_twice(entries: Entries, random: Random) -> object:
    """An entry is there twice."""
    place = random.randrange(len(entries))
    entries.insert(place, copy.deepcopy(entries[place]))
    return entries


def entries_swapped(entries: Entries, random: Random) -> object:
    """Two entries stand in the other order, those of the first tickets aside."""
    one, other = random.sample(range(_begun(entries), len(entries)), 2)
    entries[one], entries[other] = entries[other], entries[one]
    return entries


def cut(entries: Entries, random: Random) -> object:
    """The end is left out."""
    del entries[random.randrange(1, len(entries)) :]
    return entries


def spliced(entries: Entries, random: Random) -> object:
    """The end is another game's on the same board."""
    board = entries[0]["events"][0]["board"]
    place = random.randrange(1, len(entries))
    entries[place:] = _plain(game(board, 2, random.randrange(99, 10**6)))[place:]
    return entries


def seed_alone(entries: Entries, random: Random) -> object:
    """Another seed."""
    entries[0]["events"][0]["seed"] = random.randbytes(32).hex()
    return entries


def seed_and_commitment(entries: Entries, random: Random) -> object:
    """Another seed with its commitment."""
    seed = random.randbytes(32)
    entries[0]["events"][0] |= {"seed": seed.hex(), "commitment": sha256(seed).hexdigest()}
    return entries


def entropy(entries: Entries, random: Random) -> object:
    """Other entropy."""
    random.choice([event for event in entries[0]["events"] if event["type"] == "seat_taken"])[
        "entropy"] = random.randbytes(4).hex()
    return entries


def deck(entries: Entries, random: Random) -> object:
    """Two cards or tickets of a shuffle have changed places."""
    event = random.choice([event for entry in entries for event in entry["events"]
                           if event["type"] in ("deck_shuffled", "tickets_shuffled")])
    items = event["cards" if event["type"] == "deck_shuffled" else "tickets"]
    one, other = random.sample(range(len(items)), 2)
    items[one], items[other] = items[other], items[one]
    return entries


def score(entries: Entries, random: Random) -> object:
    """Another score, or another winner."""
    result = random.choice(entries[-1]["events"][-1]["results"])
    part = random.choice(list(result))
    result[part] += random.choice([-10, -1, 1, 2, 15])
    return entries


def clock(entries: Entries, random: Random) -> object:
    """Another time since which a decision was there, or a thought too long for the clock."""
    entry = random.choice(entries)
    if "available" not in entry:
        return None
    if random.random() < 0.5:
        entry["available"] = random.choice(entries)["at"]
    else:
        entry["arrived"] = f"2{random.randint(101, 999)}{entry['arrived'][4:]}"
    return entry


def kind(entries: Entries, random: Random) -> object:
    """A number is written as another kind of value that many languages take for the same."""
    where = random.choice([entry for entry in entries if "seat" in entry])
    where = random.choice([where, where["action"], *where["events"]])
    names = [name for name, value in where.items() if type(value) is int and name != "version"]
    if not names:
        return None
    name = random.choice(names)
    others = [float(where[name]), str(where[name])] + [bool(where[name])] * (where[name] in (0, 1))
    where[name] = random.choice(others)
    return where


def unknown(entries: Entries, random: Random) -> object:
    """A member that nobody knows."""
    entry = random.choice(entries)
    random.choice([entry, entry.get("action", entry), *entry["events"]])["note"] = None
    return entry


def unchained(entries: Entries, random: Random) -> object:
    """Anything at all, with the hashes left as they were."""
    return random.choice([event_value, score, salt, action_value, entry_gone])(entries, random)


def name(entries: Entries, random: Random) -> object:
    """Another name or id of somebody, or of the game."""
    created, *rest = entries[0]["events"]
    players = [event["player"] for event in rest if event["type"] == "seat_taken"]
    where, member = random.choice([(created, "creator"), (created, "game"),
                                   (players[0], "name"), (players[-1], "id")])
    where[member] += "x"
    return entries


def salt(entries: Entries, random: Random) -> object:
    """Another salt or idempotency key."""
    entry = random.choice(entries)
    entry["salt"] = random.randbytes(16).hex()
    if "command" in entry:
        entry["command"] = f"{random.randbytes(16).hex()}{entry['command'][32:]}"
    return entry


def moment(entries: Entries, random: Random) -> object:
    """Another time at which something was written, where no clock runs."""
    if "clock" in entries[0]["events"][0]:
        return None
    entry = random.choice(entries)
    entry["at"] = f"{entry['at'][:-4]}{random.randrange(1000):03}Z"
    return entry


EDITS: dict[str, Edit] = {
    "anything, hashes left": unchained, "value in an event": event_value,
    "type of an event": event_type, "event left out": event_gone, "event added": event_twice,
    "events swapped": events_swapped, "value in an action": action_value,
    "another action": action_other, "another seat": seat, "entry left out": entry_gone,
    "entry twice": entry_twice, "entries swapped": entries_swapped, "end left out": cut,
    "end of another game": spliced, "seed": seed_alone, "seed and commitment": seed_and_commitment,
    "entropy": entropy, "order of a deck": deck, "score": score, "clock": clock,
    "kind of a value": kind, "unknown member": unknown,
    "free: name or id": name, "free: salt or key": salt, "free: time, no clock": moment,
}


def _change(value: dict, random: Random, entries: Entries, never: set[str]) -> object:
    """Change one value in an object, or in what it holds; return it, None if nothing can be."""
    names = sorted(value.keys() - never)
    if not names:
        return None
    where, at = value, random.choice(names)
    while isinstance(where[at], dict | list) and where[at]:
        where = where[at]
        at = random.choice(sorted(where)) if isinstance(where, dict) else random.randrange(
            len(where))
    was = where[at]
    if isinstance(was, bool):
        where[at] = not was
    elif isinstance(was, int):
        where[at] = was + random.choice([-1, 1, 2])
    elif isinstance(was, str):
        where[at] = random.choice(_alike(was, entries))
    else:
        return None
    return value


def _alike(was: str, entries: Entries) -> list[str]:
    """Return other strings of a game, of the same sort."""
    board = BOARDS[entries[0]["events"][0]["board"]]
    for sort in (board.colors, list(board.route_index), list(board.ticket_index),
                 list(board.location_index)):
        if was in sort:
            return [other for other in sort if other != was]
    return [was[::-1], f"{was}x", ""]


def _begun(entries: Entries) -> int:
    """Return the place of the first entry after all seats have chosen their first tickets."""
    return 1 + next(i for i, entry in enumerate(entries)
                    if any(event["type"] == "turn_began" for event in entry["events"]))


def chained(entries: Entries) -> Entries:
    """Return the entries with new version numbers and hashes."""
    done, previous = [], ""
    for version, entry in enumerate(entries, 1):
        entry = {name: value for name, value in entry.items() if name != "hash"}
        done.append(with_hash(entry | {"version": version}, previous))
        previous = done[-1]["hash"]
    return done


def _bare(entries: Entries) -> str:
    """Return all but the hashes as text, in which 1 and true differ."""
    return json.dumps([{**entry, "hash": ""} for entry in entries])


def _plain(entries: Entries) -> Entries:
    return json.loads(json.dumps(entries))
