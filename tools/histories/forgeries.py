"""Edits of histories by a forger who knows the rules, and which checks find each kind.

Each edit leaves as few contradictions as possible, and all hashes and salts are computed again.
``fogg verify`` finds those that break a rule; with the log of finished games it finds all of them.
``python -m tools.histories.forgeries`` writes the table of docs/fairness.md.
"""

from __future__ import annotations

import copy
import json
import pickle
from random import Random

from domain.entry import TIMING
from domain.game.commands import KeepTickets, Resign, TakeSeat
from domain.game.proof import finished, fold
from domain.game.state import State
from domain.game.timing import Times
from domain.log import EMPTY, Head, Log, line_after
from domain.times import in_ms
from tools.generators.pages import DOCS, with_parts
from tools.histories import edits
from tools.histories.edits import Entries, plain
from tools.histories.written import BOARDS, BY_DIGEST, History, begun, game, player, written

PAGE = DOCS / "fairness.md"
EDITS: dict[str, edits.Edit] = {}
kind = edits.registering(EDITS)


def measure(seed: int = 0, games: int = 4) -> list[dict]:
    """Return one row for each kind of edit: how many were made, how many were found, and by which
    error codes."""
    originals = histories(seed, games)
    rows = []
    for words, edit in EDITS.items():
        row = {"kind": words, "made": 0, "found": 0, "found_with_log": 0, "codes": {}}
        for number, original in enumerate(originals):
            forged = pickle.loads(pickle.dumps(original))  # copy.deepcopy takes longer
            random = Random(f"{seed} {number}")
            edits.try_edit(edit, forged, random)
            if forged == original:
                continue
            forged = edits.chained(forged, are_salts_kept=edit in (one_salt, old_salts))
            verdict = finished(BY_DIGEST, forged)
            row["made"] += 1
            if verdict.wrong:
                row["found"] += 1
                row["codes"][verdict.wrong.code] = row["codes"].get(verdict.wrong.code, 0) + 1
            against = log_of(originals).wrong_with(verdict.game, forged[-1]["hash"])
            row["found_with_log"] += bool(verdict.wrong or against)
        rows.append(row)
    return rows


def histories(seed: int, count: int) -> list[Entries]:
    """Return right histories: on a clock or not, begun at once or by the last who sat down, of a
    tournament."""
    rows = []
    for number in range(count):
        on_clock, is_joined = number % 2 == 1, number % 4 == 1
        board = ("usa", "paris", "london", "usa-10th")[number % 4]
        history = begun(
            board,
            2,
            seed + number,
            open_seats=int(is_joined),
            **({"clock": {"per_decision": 60.0}} if on_clock else {}),
        )
        if is_joined:
            history.play(None, TakeSeat(player(1), None, 1))
        entries = plain(history.play_on().entries)
        created = entries[0]["events"][0]
        created["rating_rules"] = 4
        if number % 4 == 2:
            created |= {
                "creator": "t_cup",
                "tournament": {"id": "t_cup", "round": 1, "table": 1, "games": [created["game"]]},
            }
        if number % 4 == 3:
            entries[0]["log_head"] = {"n": 1, "hash": "0" * 64}
        rows.append(edits.chained(entries))
    return rows


def log_of(originals: list[Entries]) -> Log:
    """Return a log that has the games."""
    log, head = Log(), EMPTY
    for entries in originals:
        line = line_after(head, entries[-1]["hash"], entries[0]["events"][0]["game"])
        head = Head(line["n"], line["hash"])
        log.add(line)
    return log


def table(rows: list[dict]) -> str:
    """Return what was found as the page shows it: a list of edits by what a history alone shows."""
    kinds: dict[str, list[str]] = {}
    for row in rows:
        codes = ", ".join(f"`{code}`" for code in sorted(row["codes"]))
        alone = (
            "found"
            if row["found"] == row["made"]
            else ("found in part" if row["found"] else "not found")
        )
        kinds.setdefault(alone, []).append(row["kind"] + (f" ({codes})" if codes else ""))
    return (
        "\n".join(
            f"- **{alone.capitalize()}**: {'; '.join(listed)}." for alone, listed in kinds.items()
        )
        + "\n"
    )


# Edits of actions


@kind("which of two tracks alike (same places, colour and length) was claimed")
def twin_track(entries: Entries, random: Random) -> None:
    alike: dict[tuple, list[str]] = {}
    text = json.dumps(entries)
    for route in BOARDS[entries[0]["events"][0]["board"]].routes:
        alike.setdefault((route.a, route.b, route.length, route.color), []).append(f'"{route.id}"')
    pairs = [pair for pair in alike.values() if len(pair) == 2 and any(id in text for id in pair)]
    one, other = random.choice(pairs)
    entries[:] = json.loads(text.replace(one, "?").replace(other, one).replace("?", other))


@kind("the order of the tickets in an action; `keep_for_flag`, as `false` where it is missing")
def written_otherwise(entries: Entries, random: Random) -> None:
    actions = [entry["action"] for entry in entries if "action" in entry]
    kept = [action for action in actions if len(action.get("tickets", ())) > 1]
    claims = [action for action in actions if action["type"] == "claim_route"]
    random.choice(kept)["tickets"].reverse()
    random.choice(claims).setdefault("keep_for_flag", False)


@kind("an action, for another that the rules allow, where the rest does not follow from that")
def action(entries: Entries, random: Random) -> None:
    other = _played_otherwise(entries, random, -random.randint(5, 15))
    places = [
        i
        for i, (a, b) in enumerate(zip(entries, other, strict=False))
        if a.get("action") != b.get("action")
    ]
    entries[places[0]] = other[places[0]]


@kind("the last turns, for others by the rules, with the score that they lead to")
def last_turns(entries: Entries, random: Random) -> None:
    entries[:] = _played_otherwise(entries, random, -random.randint(2, 8))


@kind("the end, for a resignation")
def resignation(entries: Entries, random: Random) -> None:
    history = _history(entries, random, -random.randint(2, 8))
    history.play(random.choice(history.state.seats), Resign())
    entries[:] = plain(history.entries)


@kind("a resignation or last turns, left out")
def end(entries: Entries, random: Random) -> None:
    del entries[-random.randint(1, 8) :]


@kind("all of it, for another game by the rules with a seed of one's own")
def whole(entries: Entries, random: Random) -> None:
    created = entries[0]["events"][0]
    if "tournament" in created:
        return
    other = plain(game(created["board"], 2, random.randrange(10**6)))
    other[0]["events"][0]["game"] = created["game"]
    entries[:] = other


@kind("the order in which seats chose their first tickets")
def first_tickets(entries: Entries, random: Random) -> None:
    if "clock" in entries[0]["events"][0]:
        return
    start = next(i for i, entry in enumerate(entries) if "action" in entry)
    history = _history(entries, random, start)
    for entry in (entries[start + 1], entries[start]):
        history.play(entry["seat"], KeepTickets(tuple(entry["action"]["tickets"])))
    entries[:] = plain(history.entries) + entries[start + 2 :]


# Edits of players


@kind("the players of two seats, for each other")
def swapped(entries: Entries, random: Random) -> None:
    one, other = _taken(entries)[:2]
    one["player"], other["player"] = other["player"], one["player"]


@kind("a player's name, id or bot's version")
def name(entries: Entries, random: Random) -> None:
    member = random.choice(["name", "id", "version"])
    random.choice(_taken(entries))["player"][member] = "another"


@kind("a person's marks, for those of somebody's bot")
def marks(entries: Entries, random: Random) -> None:
    random.choice(_taken(entries))["player"] |= {"bot": "external", "owner": "p_another"}


@kind("a person's marks, for those of a built-in bot")
def built_in(entries: Entries, random: Random) -> None:
    random.choice(_taken(entries))["player"]["bot"] = "expert"


@kind("the seat of an action")
def seat(entries: Entries, random: Random) -> None:
    entry = random.choice([entry for entry in entries if "seat" in entry])
    entry["seat"] = 1 - entry["seat"]


@kind("that a player sat down as the game was created, or an entry later")
def sat_down_later(entries: Entries, random: Random) -> None:
    first = entries[0]
    events = first["events"]
    places = [i for i, event in enumerate(events) if event["type"] == "seat_taken"]
    if len(places) < 2:  # the other sat down later: move it into the creation
        later = entries.pop(1)
        first["at"], first["events"] = later["at"], events + later["events"]
    else:
        entries.insert(
            1,
            {
                "version": 2,
                "at": first["at"],
                "schema_version": 1,
                "salt": random.randbytes(16).hex(),
                "events": events[places[-1] :],
            },
        )
        del events[places[-1] :]


# Edits of settings


@kind("the first seat, said to be fixed where it was drawn")
def first_seat(entries: Entries, random: Random) -> None:
    drawn = next(
        event["first_seat"]
        for entry in entries
        for event in entry["events"]
        if event["type"] == "game_started"
    )
    entries[0]["events"][0]["first_seat"] = drawn


@kind("who may see the game, and whether its seed was known")
def visibility(entries: Entries, random: Random) -> None:
    name, value = random.choice(
        [
            ("visibility", "unlisted"),
            ("visibility", "private"),
            ("spectators", False),
            ("seed_known", True),
        ]
    )
    entries[0]["events"][0][name] = value


@kind("the ids of the game or of its creator, outside tournaments")
def ids(entries: Entries, random: Random) -> None:
    if "tournament" not in entries[0]["events"][0]:
        entries[0]["events"][0][random.choice(["game", "creator"])] += "0"


@kind("the ids of the game or of its creator, in a tournament")
def tournament_ids(entries: Entries, random: Random) -> None:
    if "tournament" in entries[0]["events"][0]:
        entries[0]["events"][0][random.choice(["game", "creator"])] += "0"


@kind("the round or table in a tournament, or the other games of its deal")
def place(entries: Entries, random: Random) -> None:
    tournament = entries[0]["events"][0].get("tournament")
    if tournament is None:
        return
    member = random.choice(["round", "table", "games"])
    old = tournament[member]
    tournament[member] = [*old, "g_other"] if member == "games" else old + 1


@kind("that the game was of a tournament")
def no_tournament(entries: Entries, random: Random) -> None:
    entries[0]["events"][0].pop("tournament", None)


@kind("the seed, with its commitment; the entropy; the order of a deck")
def seed(entries: Entries, random: Random) -> None:
    random.choice([edits.seed_and_commitment, edits.entropy, edits.deck])(entries, random)


# Edits of times


@kind("all times, by an hour")
def shifted(entries: Entries, random: Random) -> None:
    for entry in entries:
        for name in ("at", "available", "arrived"):
            if name in entry:
                entry[name] = written(in_ms(entry[name]) + 3_600_000)


@kind("times of two entries, for each other, where no clock runs")
def times(entries: Entries, random: Random) -> None:
    if "clock" in entries[0]["events"][0]:
        return
    one, other = random.sample(entries, 2)
    one["at"], other["at"] = other["at"], one["at"]


@kind("when the last action was written down, on a clock: before it arrived, or hours later")
def written_down(entries: Entries, random: Random) -> None:
    last = _timed(entries)[-1]
    last["at"] = written(in_ms(last["arrived"]) + random.choice([-1, 2]) * 3_600_000)


@kind("when an action arrived, within what the clock allows")
def arrival(entries: Entries, random: Random) -> None:
    entry = random.choice(_timed(entries))
    entry["arrived"] = entry["available"]


@kind("that the service was away while somebody thought")
def paused(entries: Entries, random: Random) -> None:
    random.choice(
        [
            entry
            for entry in _timed(entries)
            if "paused" not in entry and in_ms(entry["at"]) > in_ms(entry["available"])
        ]
    )["paused"] = 1


@kind("when an action arrived, beyond what the clock allows")
def late(entries: Entries, random: Random) -> None:
    entry = random.choice(_timed(entries))
    entry["arrived"] = written(in_ms(entry["arrived"]) + 10_000_000)


@kind("the clock's allowance, to one that nobody would have exceeded; what happens on a timeout")
def allowance(entries: Entries, random: Random) -> None:
    created = entries[0]["events"][0]
    if "clock" not in created:
        return
    if random.random() < 0.5:
        created["clock"] = {"per_decision": 600.0}
    else:
        created["on_timeout"] = "act" if created.get("on_timeout") == "resign" else "resign"


@kind("that the game was on a clock")
def no_clock(entries: Entries, random: Random) -> None:
    if "clock" not in entries[0]["events"][0]:
        return
    for where, names in (
        (entries[0]["events"][0], ("clock", "on_timeout")),
        *((entry, TIMING) for entry in entries),
    ):
        for name in names:
            where.pop(name, None)


@kind("that the game was on no clock")
def new_clock(entries: Entries, random: Random) -> None:
    created = entries[0]["events"][0]
    if "clock" in created:
        return
    created |= {"clock": {"per_decision": 86400.0}, "on_timeout": "resign"}
    before, times = None, Times()
    for entry, after in zip(entries, fold(BY_DIGEST, copy.deepcopy(entries)), strict=True):
        if before and entry.get("seat") in times.since:
            entry |= {"available": times.since[entry["seat"]], "arrived": entry["at"]}
        before, times = after, times.after(before or State(after.board), after, entry)


# Edits of other members


@kind("idempotency keys; the first salt, with all that follow from it")
def keys(entries: Entries, random: Random) -> None:
    entries[0]["salt"] = random.randbytes(16).hex()
    random.choice(entries).pop("command", None)


@kind("all salts, where the version of the rules of ratings is left out, as in an older game")
def old_salts(entries: Entries, random: Random) -> None:
    del entries[0]["events"][0]["rating_rules"]
    for entry in entries:
        entry["salt"] = random.randbytes(16).hex()


@kind("a salt")
def one_salt(entries: Entries, random: Random) -> None:
    random.choice(entries)["salt"] = random.randbytes(16).hex()


@kind("a note with an action")
def note(entries: Entries, random: Random) -> None:
    random.choice([entry for entry in entries if "action" in entry])["note"] = "Take that!"


@kind("the line of the log that the first entry names")
def log_head(entries: Entries, random: Random) -> None:
    entries[0]["log_head"] = {"n": 1, "hash": random.randbytes(32).hex()}


def _timed(entries: Entries) -> list[dict]:
    return [entry for entry in entries if "arrived" in entry]


def _taken(entries: Entries) -> list[dict]:
    return [
        event for entry in entries[:2] for event in entry["events"] if event["type"] == "seat_taken"
    ]


def _history(entries: Entries, random: Random, until: int) -> History:
    """Return a history up to some entry, to be gone on with by the rules."""
    kept, times, before = copy.deepcopy(entries[:until]), Times(), None
    for entry, after in zip(kept, fold(BY_DIGEST, kept), strict=True):
        before, times = after, times.after(before or State(after.board), after, entry)
    assert before
    return History(before.board, random, kept, before, times, in_ms(kept[-1]["at"]))


def _played_otherwise(entries: Entries, random: Random, until: int) -> Entries:
    """Return the history with another end, by the rules."""
    return plain(_history(entries, random, until).play_on().entries)


if __name__ == "__main__":
    PAGE.write_text(with_parts(PAGE.read_text(), {"forgeries": lambda: table(measure())}))
