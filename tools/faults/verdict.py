"""The result of a run, by kind of fault, and all violations."""

from __future__ import annotations

import bisect
import json
import subprocess
import tempfile
import urllib.request
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from domain.game.view import redacted
from tools.faults.ledger import ACKNOWLEDGED, REFUSED, UNKNOWN, Attempt, Ledger
from tools.faults.plan import LOSING, Fault
from tools.faults.run import Happened, Run
from tools.faults.stored import Histories, is_stored
from tools.faults.worlds import FOGG

NONE = "no fault yet"
SOON = 15  # seconds after an action was asked for within which a fault may still lose it


@dataclass
class Row:
    faults: int = 0
    acknowledged: int = 0
    unknown: int = 0
    lost: int = 0
    said: int = 0  # of those lost, in games of which the service said that they have gone back
    duplicated: int = 0
    refused: int = 0  # refused, and stored nevertheless
    failures: Counter = field(default_factory=Counter)  # answers 5xx, by status and code
    recovered: list[float] = field(default_factory=list)  # seconds


@dataclass
class Verdict:
    """The verdict on one run, or on several together."""

    rows: dict[str, Row] = field(default_factory=lambda: defaultdict(Row))
    violations: list[str] = field(default_factory=list)
    games: int = 0
    entries: int = 0
    texts: int = 0  # that could have been secrets, looked up

    def as_json(self) -> dict:
        return vars(self) | {"rows": {name: vars(row) for name, row in self.rows.items()}}

    def add(self, other: dict) -> None:
        for name, more in other["rows"].items():
            row = self.rows[name]
            for member, value in more.items():
                old = getattr(row, member)
                setattr(row, member, old + (Counter(value) if member == "failures" else value))
        self.violations += other["violations"]
        self.games, self.entries = self.games + other["games"], self.entries + other["entries"]
        self.texts += other["texts"]


def verdict_of(run: Run) -> Verdict:
    """Return the verdict on a run, while the service still answers."""
    verdict = counted(run)
    verdict.violations += [
        *_broken(run.histories, {*run.unfinished, *_reopened(run.ledger)}),
        *_served_otherwise(run),
        *_recorded_otherwise(run),
    ]
    return verdict


def counted(run: Run) -> Verdict:
    """Return the verdict from the clients' records."""
    verdict = Verdict(
        games=len(run.histories),
        texts=len(run.ledger.hexes),
        entries=sum(map(len, run.histories.values())),
    )
    began = [one.began for one in run.happened]

    def row_at(moment: float) -> Row:
        number = bisect.bisect_right(began, moment)
        return verdict.rows[run.happened[number - 1].fault.name if number else NONE]

    for one in run.happened:
        row = verdict.rows[one.fault.name]
        row.faults += 1
        if one.recovered is None:
            verdict.violations.append(f"{one.fault} was not recovered from")
        else:
            row.recovered.append(one.recovered)
    for attempt in run.ledger.attempts:
        row_at(attempt.sent).acknowledged += attempt.outcome == ACKNOWLEDGED
        row_at(attempt.sent).unknown += attempt.outcome == UNKNOWN
    for moment, status, code, body in run.ledger.failures:
        row_at(moment).failures[f"{status} {code}"] += 1
        if status == 500:
            verdict.violations.append(f"500: {body}")
    _judge_losses(run, verdict, row_at)
    _judge_repeats(run, verdict, row_at)
    verdict.violations += [
        *run.ledger.wrong,
        *(f"fogg up ended: {words}" for words in run.ends),
        *(f"{game} is not over: {run.ledger.stuck.get(game, '')}" for game in run.unfinished),
        *_heard_otherwise(run),
        *_secrets_sent(run),
    ]
    return verdict


def _judge_losses(run: Run, verdict: Verdict, row_at) -> None:
    """Count what was acknowledged and is not stored."""
    for attempt in run.ledger.acknowledged():
        if is_stored(attempt, run.histories[attempt.game]):
            continue
        attempt.is_lost = True
        fault = _losing(run.happened, attempt)
        row = verdict.rows[fault.name] if fault else row_at(attempt.answered)
        is_said = run.has_gone_back(attempt.game)
        row.lost, row.said = row.lost + 1, row.said + is_said
        if not fault or not is_said:
            verdict.violations.append(
                f"lost{', though said' if is_said else ''}: {attempt} by {fault}"
            )


def _losing(happened: list[Happened], attempt: Attempt) -> Fault | None:
    """Return the fault that has lost what was acknowledged, None if it was none that may: the one
    after which it was found to be missing, else the first right after it was asked for."""
    losing = [one for one in happened if one.fault.kind in LOSING]
    reported = [one for one in losing if any(attempt is lost for lost in one.lost)]
    near = [one for one in losing if attempt.sent < one.ended < attempt.sent + SOON]
    return (reported or near)[0].fault if reported or near else None


def _judge_repeats(run: Run, verdict: Verdict, row_at) -> None:
    """Count what was played though it was not asked for again, or refused and yet played."""
    asked: dict[tuple[str, int], list[Attempt]] = defaultdict(list)
    for attempt in run.ledger.attempts:
        asked[attempt.game, attempt.seat].append(attempt)
        if attempt.repeats and not attempt.repeats.is_lost and attempt.outcome == ACKNOWLEDGED:
            row_at(attempt.answered).duplicated += 1
            verdict.violations.append(f"played again: {attempt}")
    for (game, seat), attempts in asked.items():
        back = run.has_gone_back(game)
        answered = {one.hash for one in attempts}
        for entry, entry_hash in _played(run.histories[game], seat):
            if entry_hash in answered:
                continue
            action = json.dumps(entry["action"], sort_keys=True)
            same = [one for one in attempts if one.action == action]
            maker = _taken(same, UNKNOWN, entry["version"], back)
            if maker:
                continue
            maker = _taken(same, REFUSED, entry["version"], back)
            near = maker or min(same or attempts, key=lambda one: abs(one.known - entry["version"]))
            row = row_at(near.sent)
            row.refused, row.duplicated = row.refused + bool(maker), row.duplicated + (not maker)
            verdict.violations.append(
                f"{'refused, and stored' if maker else 'stored once more'} as version "
                f"{entry['version']}: {near}"
            )


def _played(history: list[tuple[bytes, str]], seat: int):
    """Yield the entries that a client has played on a seat, with their hashes."""
    for text, entry_hash in history:
        entry = json.loads(text)
        if entry.get("seat") == seat and "action" in entry and not entry.get("timed_out"):
            yield entry, entry_hash


def _taken(
    attempts: list[Attempt], outcome: str, version: int, has_gone_back: bool
) -> Attempt | None:
    """Take the one out of attempts that may have come to a version, None if none may. It comes
    after the version that its client knew, unless it did not name that one and the game has gone
    back since."""
    for one in attempts:
        comes_later = one.known < version or (has_gone_back and not one.has_version)
        if one.outcome == outcome and comes_later:
            attempts.remove(one)
            return one
    return None


def _reopened(ledger: Ledger) -> set[str]:
    """Return the games that were over and are open again after their last entries were lost.
    Clients that saw the end do not look again."""
    return ledger.finished & {one.game for one in ledger.acknowledged() if one.is_lost}


def _broken(histories: Histories, unfinished: set[str]) -> list[str]:
    """Return the histories that ``fogg verify`` finds wrong."""
    if not histories:
        return []
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        for history in histories.values():
            file.writelines(
                json.dumps(json.loads(text) | {"hash": entry_hash}) + "\n"
                for text, entry_hash in history
            )
        file.flush()
        done = subprocess.run(
            [*FOGG, "verify", "--json", file.name], capture_output=True, text=True, timeout=1800
        )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [
        f"broken: {row}"
        for row in rows
        if not row["ok"] and not (row["code"] == "unfinished" and row["game"] in unfinished)
    ]
    verified = {row["game"] for row in rows}
    return wrong + [
        f"{game} was not verified: {done.stderr[-300:]}"
        for game, history in histories.items()
        if history and game not in verified
    ]


def _heard_otherwise(run: Run) -> list[str]:
    """Return what streams told that is not stored, and where they had gaps."""
    problems, reopened = [], _reopened(run.ledger)
    for heard in run.ledger.heard:
        problems += [f"a stream had a gap: {words}" for words in heard.problems]
        history = run.histories[heard.game]
        if (heard.game in run.ledger.gone and not history) or heard.game in reopened:
            continue  # the whole game is lost, or its end, which is never reported
        wrong = [
            version
            for version, entry_hash in heard.entries
            if version > len(history) or history[version - 1][1] != entry_hash
        ]
        if wrong:
            problems.append(f"a stream told versions of {heard.game} that are not stored: {wrong}")
    return problems


def _served_otherwise(run: Run) -> list[str]:
    """Return the games that the service serves otherwise than they are stored."""
    problems = []
    for game, history in run.histories.items():
        if not history:
            continue
        try:
            hashes, after = [], 0
            while after is not None:
                with urllib.request.urlopen(
                    f"{run.url}/v1/games/{game}/events?after={after}", timeout=20
                ) as answer:
                    page = json.load(answer)
                hashes += [entry["hash"] for entry in page["items"]]
                after = page["next"] if page["items"] else None
            if hashes != [entry_hash for _, entry_hash in history]:
                problems.append(
                    f"{game} is served otherwise than stored: {len(hashes)} entries of "
                    f"{len(history)}"
                )
        except (OSError, ValueError) as error:
            problems.append(f"{game} is not served: {error}")
    return problems


def _recorded_otherwise(run: Run) -> list[str]:
    """Return the games that are over and not recorded once, everywhere, as they are stored."""
    problems, recorded = [], run.recorded
    for game in sorted(run.ledger.finished - {*run.unfinished}):
        if not (history := run.histories[game]):
            continue
        last_hash = history[-1][1]
        if recorded.games.get(game) != last_hash:
            problems.append(
                f"{game} is recorded with the last hash {recorded.games.get(game)}, "
                f"and stored with {last_hash}"
            )
        elif recorded.lines[last_hash] != 1:
            problems.append(f"{game} has {recorded.lines[last_hash]} lines in the log")
    if recorded.published != recorded.counted:
        problems.append(f"{recorded.published} games count, and the sums have {recorded.counted}")
    return problems


def _secrets_sent(run: Run) -> list[str]:
    """Return the secrets that were sent before their game was over, including entries' members that
    the receiving seat may not see."""
    problems = []
    over = _last_asked(run.ledger)
    for game, history in run.histories.items():
        for text, _ in history:
            entry = json.loads(text)
            secrets = {
                entry.get("salt"),
                entry.get("command", "").partition(".")[0],
                *(event.get("seed") for event in entry["events"]),
            }
            for secret in secrets & run.ledger.hexes.keys():
                moment, client = run.ledger.hexes[secret]
                if moment < over.get(game, 0):
                    problems.append(f"client {client} was sent the secret {secret} of {game}")
    for game, seat, shown in run.ledger.shown:
        history = run.histories[game]
        version = shown["version"]
        if version > len(history) or history[version - 1][1] != shown["hash"]:
            continue  # lost since
        whole = json.loads(history[version - 1][0]) | {"hash": shown["hash"]}
        if shown not in (redacted(whole, seat, False), whole):
            problems.append(f"seat {seat} of {game} was shown {shown}")
    return problems


def _last_asked(ledger: Ledger) -> dict[str, float]:
    """Return the moment before which each game was not over: when the last of its actions that was
    accepted was asked for."""
    moments: dict[str, float] = {}
    for one in ledger.acknowledged():
        moments[one.game] = max(moments.get(one.game, 0), one.sent)
    return moments
