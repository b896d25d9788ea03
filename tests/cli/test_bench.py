"""``fogg bench llm``, against scripted models: an endpoint on this machine, and a program."""

import hashlib
import json
import math
import re
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from cli.bench import models
from cli.bench.boards import faults, fresh_board
from cli.bench.deals import PUBLISHED, NoSeason, season_in
from cli.bench.models import (
    HIDDEN,
    MAX_SILENT,
    Asking,
    Command,
    Endpoint,
    Model,
    NoAnswer,
    Unavailable,
)
from cli.bench.player import ILLEGAL, Track
from cli.bench.player import Player as Asked
from cli.bench.prompts import action_in, system_text
from cli.bench.record import Damaged, Record, lines_in
from cli.offline.games import played
from domain.boards import load_folder
from domain.game.commands import CreateGame, Player
from domain.game.fold import create
from service import settings
from tests import servers
from tests.cli.inside import run
from tests.cli.legal_text import actions_in
from tests.cli.scripted_model import completion, well
from tests.receivers import receiver
from tests.workers.matches import play_out
from workers.bots import BOTS

ROOT = Path(__file__).parents[2]
LONDON = ["--board", "london", "--deals", "1", "--against", "random"]
KEY = "sk-very-secret"


def said(text: str, **usage: float) -> tuple:
    return 200, json.dumps(completion(text, **usage)).encode()


def good(body: dict) -> tuple:
    return 200, json.dumps(well(body)).encode()


@contextmanager
def endpoint(answer):
    with receiver(answer) as server:
        yield server.url.partition("/hook")[0], server


def bench(*arguments: str, code: int = 0) -> dict | str:
    """Run the command; return its report, or what it says if it fails."""
    done = run("bench", "llm", *arguments, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr if code else json.loads(done.stdout)


def written(file: Path, value: object) -> Path:
    file.write_text(json.dumps(value))
    return file


def lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_model_plays_both_seats_of_a_deal_and_its_run_is_not_repeated(tmp_path):
    with endpoint(good) as (url, seen):
        words = [
            "--endpoint",
            url,
            "--model",
            "good",
            "--out",
            str(tmp_path),
            *LONDON,
            "--prices",
            "1",
            "10",
        ]
        with settings.LLM_KEY.set_to(KEY):
            shown = bench(*words)
        asked = len(seen.calls)
        assert bench(*words) == shown
        assert "another track" in bench(*words, "--track", "withheld", code=1)
        assert len(seen.calls) == asked
    assert {headers["authorization"] for headers in seen.headers} == {f"Bearer {KEY}"}
    assert KEY not in "".join(file.read_text() for file in tmp_path.rglob("*.*"))
    [row] = shown["strength"]
    assert (row["anchor"], row["games"], row["deals"]) == ("random", 2, 1)
    assert shown["complete"]
    assert shown["answers"]["requests"] == shown["answers"]["decisions"] == asked
    assert shown["answers"]["fallbacks"] == shown["answers"]["illegal_rate"] == 0
    read = 2 * shown["effort"]["prompt_tokens_per_game"]
    assert read > 1000 * asked
    assert shown["effort"]["completion_tokens_per_game"] == 50 * asked / 2
    assert shown["effort"]["cost"] == pytest.approx((read * 1 + 50 * asked * 10) / 1e6, abs=1e-3)
    checked = run("verify", *tmp_path.glob("histories/*"))
    assert checked.returncode == 0, checked.stdout
    histories = [lines(file) for file in sorted(tmp_path.glob("histories/*"))]
    assert len({entries[0]["events"][0]["seed"] for entries in histories}) == 1
    assert {entry["note"] for entries in histories for entry in entries if "note" in entry} == {
        "so there"
    }
    replayed = run("replay", tmp_path / "histories" / "000-random-0.ndjson", "--to", 9)
    assert '"so there"' in replayed.stdout
    first, *decisions = lines(tmp_path / "transcripts" / "000-random-0.ndjson")
    assert first["system"] == system_text(load_folder()["london"])
    assert {line["seat"] for line in decisions} == {0}
    assert "Your last notes:\nso there" in decisions[1]["requests"][0]["prompt"]


def test_a_damaged_history_is_named(tmp_path):
    file = tmp_path / "game.ndjson"
    file.write_text('{"version": 1\n')
    with pytest.raises(Damaged, match=r"game\.ndjson is damaged: name another folder"):
        lines_in(file)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda rows: [rows[0], rows[1] | {"action": {"type": "pass"}}], "the hash is"),
        (lambda rows: [*rows, 5], "is no object"),
    ],
)
def test_a_history_that_does_not_hold_is_refused_and_kept(tmp_path, change, why):
    file, (board, create, record) = tmp_path / "game.ndjson", begun(tmp_path / "game.ndjson")
    file.write_text("".join(f"{json.dumps(row)}\n" for row in change(record.entries)))
    before = file.read_bytes()
    with pytest.raises(Damaged, match=why):
        Record.begun(file, board, create)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("settings.json", "[]"),
        ("settings.json", "\xff"),
        ("settings.json", "[" * 50_000),
        *(
            ("transcripts/000-random-0.ndjson", f"5\n{row}\n")
            for row in ("[]", '{"seat": 0}', "\xff", "[" * 50_000)
        ),
    ],
)
def test_a_damaged_file_of_a_run_is_named(tmp_path, name, text):
    model = f"env PYTHONPATH={ROOT} {sys.executable} -S -m tests.cli.scripted_model"
    words = ["--exec", model, *LONDON, "--out", str(tmp_path)]
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="latin-1")
    assert f"{name} is damaged: name another folder" in bench(*words, code=1)


def test_a_history_of_another_game_is_refused(tmp_path):
    board, create, _ = begun(tmp_path / "game.ndjson")
    with pytest.raises(Damaged, match="it is of another game"):
        Record.begun(tmp_path / "game.ndjson", board, replace(create, seed=bytes([1] * 32)))


def begun(file: Path):
    """Write the first two entries of a game; return its board, its command and its record."""
    board = load_folder()["london"]
    create = CreateGame(
        "g",
        "p_0",
        tuple((Player(f"p_{seat}", "bot"), None) for seat in range(2)),
        bytes(32),
        first_seat=0,
    )
    record, state = Record.begun(file, board, create)
    note = "a line\u2028and another"
    kept = [board.tickets[one].id for one in state.offered[0]]
    made = played(state, 0, {"type": "keep_tickets", "tickets": kept}, "it")
    record.add(made[1], made[2], 0, made[0], note)
    assert Record.begun(file, board, create)[0].entries == record.entries
    return board, create, record


def test_a_program_answers_the_same_requests(tmp_path):
    model = f"env PYTHONPATH={ROOT} {sys.executable} -S -m tests.cli.scripted_model"
    shown = bench(
        "--exec", model, *LONDON, "--board", "fresh", "--out", str(tmp_path), "--at-once", "2"
    )
    assert shown["complete"]
    assert shown["answers"]["fallbacks"] == 0
    checked = run("verify", "--boards", tmp_path / "boards", *tmp_path.glob("histories/*"))
    assert checked.returncode == 0, checked.stdout


def test_a_bad_answer_is_refused_with_its_reason_and_a_second_one_is_not_asked_for_again(tmp_path):
    def badly(body: dict) -> tuple:
        if len(body["messages"]) == 2:
            return said("No idea.")
        return said('{"type": "claim_route", "route": "big-ben--waterloo", "cards": {}}')

    with endpoint(badly) as (url, seen):
        words = ["--endpoint", url, "--model", "bad", "--out", str(tmp_path), *LONDON]
        shown = json.loads(bench(*words, code=1))
        text = run("bench", "llm", *words).stdout
    assert text.startswith("This run does not measure strength: more than a tenth of the decisions")
    assert "won %" not in text
    assert (shown["measured"], shown["strength"]) == (False, [])
    answers = shown["answers"]
    assert answers["fallbacks"] == answers["decisions"] == len(seen.calls) / 2
    assert answers["unreadable_rate"] == answers["illegal_rate"] == 0.5
    assert answers["games_with_fallbacks"] == 2
    assert shown["without_fallbacks"] == {"games": 0, "strength": []}
    assert "no JSON object with a type" in seen.calls[1]["messages"][-1]["content"]
    decision = lines(tmp_path / "transcripts" / "000-random-0.ndjson")[-1]
    assert decision["fallback"]
    assert "\n\nRule " in decision["requests"][1]["wrong"]["reason"]


def test_an_endpoint_that_goes_away_ends_the_run_which_continues_where_it_was(tmp_path):
    def until(count: int):
        return lambda body: (
            good(body) if len(seen.calls) <= count else (401, b'{"no": "%s"}' % (KEY.encode()))
        )

    words = ["--model", "m", "--out", str(tmp_path), *LONDON]
    with endpoint(until(20)) as (url, seen), settings.LLM_KEY.set_to(KEY):
        why = bench("--endpoint", url, *words, code=1)
    assert "status 401" in why
    assert HIDDEN in why
    assert KEY not in why
    with endpoint(good) as (url, seen):
        shown = bench("--endpoint", url, *words)
    assert shown["complete"]
    assert len(seen.calls) == shown["answers"]["requests"] - 20


# -- a model against a model


def test_two_models_play_each_deal_in_both_seatings_and_one_goes_on_where_the_other_left(tmp_path):
    def shy(body: dict) -> tuple:
        return said("No idea.") if len(theirs.calls) % 22 < 2 else good(body)

    def until(count: int):
        return lambda body: good(body) if len(mine.calls) <= count else (401,)

    words = ["--board", "london", "--deals", "2", "--out", str(tmp_path)]
    two = ["--model", "my/own", "--model", "shy", "--prices", "1", "1", "--prices", "0", "9"]
    with (
        endpoint(until(9)) as (url, mine),
        endpoint(shy) as (other, theirs),
        settings.LLM_KEY.set_to(KEY),
    ):
        urls = ["--endpoint", url, "--endpoint", other]
        assert "401" in bench(*urls, *two, *words, code=1)
        mine.answer = good
        shown = bench(*urls, *two, *words)
        text = run("bench", "llm", *urls, *two, *words).stdout
        assert "another rival" in bench(*urls, *two[:3], "else", *words, code=1)
    assert {headers["authorization"] for headers in mine.headers} == {f"Bearer {KEY}"}
    assert "authorization" not in {name for headers in theirs.headers for name in headers}
    [row] = shown["strength"]
    assert (row["anchor"], row["games"], row["deals"]) == ("shy", 4, 2)
    low, high = row["margin_interval"]
    assert low < row["margin"] < high
    assert row["margin"] == pytest.approx(row["mean_total"] - row["mean_total_against"], abs=0.11)
    assert shown["rival"] == {"model": "shy", "options": {}}
    assert (shown["answers"]["fallbacks"], shown["rival_answers"]["fallbacks"] > 0) == (0, True)
    assert shown["rival_answers"]["requests"] == len(theirs.calls)
    assert shown["without_fallbacks"]["games"] == 0
    effort = shown["rival_effort"]
    assert effort["cost_per_game"] == pytest.approx(
        9e-6 * effort["completion_tokens_per_game"], abs=1e-4
    )
    assert (text.count("won %"), text.count("Fallbacks: ")) == (1, 2)
    games = {file.stem: lines(file) for file in sorted(tmp_path.glob("histories/*"))}
    assert [*games] == ["000-shy-0", "000-shy-1", "001-shy-0", "001-shy-1"]
    assert [
        [event["player"]["name"] for event in entries[0]["events"][1:3]]
        for entries in games.values()
    ] == 2 * [["my/own", "shy"], ["shy", "my/own"]]
    assert [entries[0]["events"][0]["seed"] for entries in games.values()] == [
        PUBLISHED.bytes_for(f"deal {deal}").hex() for deal in (0, 0, 1, 1)
    ]
    checked = run("verify", *tmp_path.glob("histories/*"))
    assert checked.returncode == 0, checked.stdout


def test_the_swapped_models_have_the_same_games_and_the_opposite_margin(tmp_path):
    def hasty(body: dict) -> tuple:
        [prompt] = [one["content"] for one in body["messages"] if one["role"] == "user"]
        return said(json.dumps(actions_in(prompt)[0]))

    with endpoint(good) as (url, _), endpoint(hasty) as (other, asked):
        one, back = (
            bench(
                "--endpoint",
                first,
                "--endpoint",
                second,
                "--model",
                "same",
                *LONDON[:4],
                "--out",
                str(tmp_path / name),
            )
            for name, first, second in (("one", url, other), ("back", other, url))
        )
    assert one["strength"][0]["margin"] == -back["strength"][0]["margin"] != 0
    assert "so there" not in json.dumps(asked.calls)  # the other's notes

    def actions(run: str, seat: int) -> list:
        return [
            entry.get("action")
            for entry in lines(tmp_path / run / "histories" / f"000-same-{seat}.ndjson")
        ]

    assert [actions("one", seat) for seat in (0, 1)] == [actions("back", seat) for seat in (1, 0)]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--against", "greedy"], "--against is for one model"),
        (["--model", "c"], "three times"),
        (["--exec", "x"], "either"),
        (["--endpoint", "ftp://x"], "is not a URL"),
        (["--model", "\udcff"], "can be printed"),
        (["--options", "[]"], "a JSON object"),
        (["--options", "[" * 50_000], "without model"),
    ],
)
def test_options_that_do_not_name_one_model_or_two_are_refused(words, why):
    told = bench(
        "--endpoint", "http://127.0.0.1:9/v1", "--model", "a", "--model", "b", *words, code=2
    )
    assert why in told


def test_an_opponent_is_named_once():
    twice = [word for name in ("exec:a b", "exec:a-b") for word in ("--against", name)]
    assert "name each opponent once" in bench("--exec", "x", *twice, code=2)


def test_a_key_in_any_letters_is_sent_as_it_is_and_hidden():
    with endpoint(lambda body: (404, "the key €".encode())) as (url, seen):
        model = Endpoint(url, "€", Asking("m", {}, retry_for=0))
        with pytest.raises(Unavailable, match=re.escape(f"the key {HIDDEN}")):
            model.ask([])
    assert seen.headers[0]["authorization"].encode("latin-1") == "Bearer €".encode()


# -- models that answer late, or not at all


def ask(answer, **asking):
    with endpoint(answer) as (url, seen):
        model = Endpoint(url, None, Asking("m", {"temperature": 0}, **asking))
        try:
            return model.ask([{"role": "user", "content": "?"}]), seen
        except (NoAnswer, Unavailable) as error:
            return error, seen


def test_a_busy_endpoint_is_asked_again_when_it_says(monkeypatch):
    pauses: list[float] = []
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=pauses.append)
    monkeypatch.setattr(models, "time", clock)
    date = formatdate(time.time() + 90, usegmt=True)
    answers = iter(
        [
            (429, {"Retry-After": "3.5"}),
            (429, {"Retry-After": date}),
            (503,),
            said("Yes", cost=0.25),
        ]
    )
    answer, seen = ask(lambda body: next(answers), retry_for=200)
    assert (answer.text, answer.cost) == ("Yes", 0.25)
    assert [call["temperature"] for call in seen.calls] == [0, 0, 0, 0]
    assert pauses == [3.5, pytest.approx(90, abs=30), 4 * models.FIRST_PAUSE_S]


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/chat/completions"])
def test_the_query_of_an_address_stays(path):
    with endpoint(lambda body: said("Yes")) as (url, seen):
        Endpoint(f"{url}{path}?version=2/1&key=x", None, Asking("m", {})).ask([])
    assert seen.paths == ["/v1/chat/completions?version=2/1&key=x"]


def test_the_texts_in_the_parts_of_an_answer_are_joined_and_its_thinking_is_kept():
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": '{"type": "resign"}'}]}
    parts = [{"type": "text", "text": text} for text in ('{"type": ', '"pass"}')]
    for more in ([], [thinking], [{"type": "image_url"}]):
        answer, _ = ask(lambda body, more=more: said([*more, *parts]))
        assert action_in(answer.text) == {"type": "pass"}
        assert ("resign" in answer.reasoning) == (thinking in more)


@pytest.mark.parametrize(
    ("answer", "kind", "why"),
    [
        ((503,), Unavailable, "status 503"),
        ((404, b"no such model"), Unavailable, "no such model"),
        ((302, {"Location": "http://127.0.0.1:9/"}), Unavailable, "status 302"),
        ((400, b"too long"), NoAnswer, "too long"),
        ((200, b"<html>"), NoAnswer, "no chat completion"),
        ((200, b'{"choices": []}'), NoAnswer, "no chat completion"),
        ((200, b'{"error": {"code": 401}}'), NoAnswer, "no chat completion"),
        (said(["x"]), NoAnswer, "no chat completion"),
    ],
)
def test_an_unusable_answer_is_reported(answer, kind, why):
    error, _ = ask(lambda body: answer, retry_for=0)
    assert type(error) is kind
    assert why in str(error)


def test_a_number_of_tokens_that_no_request_has_is_not_counted():
    answer, _ = ask(lambda body: said("x", prompt_tokens=10**400, cost=10**400), prices=(1, 1))
    assert (answer.text, answer.prompt_tokens, answer.cost) == ("x", None, None)


def test_nobody_listens():
    with endpoint(good) as (url, _):
        pass
    with pytest.raises(Unavailable, match="cannot be reached"):
        Endpoint(url, None, Asking("m", {}, retry_for=0)).ask([])


def test_a_model_that_never_answers_ends_the_run():
    over = threading.Event()
    with endpoint(lambda body: over.wait() and (204,)) as (url, _):
        model = Endpoint(url, None, Asking("m", {}, wait=0.02))
        for _ in range(MAX_SILENT - 1):
            with pytest.raises(NoAnswer, match=r"within 0\.02 seconds"):
                model.ask([])
        with pytest.raises(Unavailable, match=f"{MAX_SILENT} requests in a row"):
            model.ask([])
        over.set()


def test_an_answer_that_comes_too_slowly_is_not_waited_for():
    class Slow(servers.Handler):
        def do_POST(self):
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while not over.wait(0.01):
                    self.wfile.write(b" ")

    over = threading.Event()
    with servers.listening(Slow) as url:
        with pytest.raises(NoAnswer, match=r"within 0\.1 seconds"):
            Endpoint(url, None, Asking("m", {}, 0.1)).ask([])
        over.set()


def test_a_program_that_ends_is_started_anew(tmp_path):
    (tmp_path / "once.py").write_text(f"input(); print({json.dumps(completion('Hm'))!r})")
    model = Command(f"{sys.executable} -S {tmp_path / 'once.py'}", Asking("m", {}))
    assert model.ask([]).text == "Hm"
    with pytest.raises(NoAnswer, match="it ended"):
        model.ask([])
    assert model.ask([]).text == "Hm"
    model.close()


# -- answers


class Said(Model):
    def __init__(self, *texts: str):
        super().__init__(Asking("m", {}))
        self._texts = iter(texts)

    def _response(self, body: bytes) -> bytes:
        return json.dumps(completion(next(self._texts), cost=math.nan)).encode()


@pytest.mark.parametrize(
    "odd",
    [
        '{"type": "fly"}',
        '{"type": "draw_card", "card": ["red"]}',
        '{"type": "resign"}',
        '{"type": "keep_tickets", "tickets": null}',
        '{"type": "keep_tickets", "tickets": "ab"}',
        '{"type": "claim_route", "route": "x", "cards": {"red": Infinity}}',
        '{"type": "keep_tickets", "tickets": ' + "[" * 900 + "]" * 900 + "}",
        r'{"type": "keep_tickets", "tickets": ["\ud800"]}',
    ],
)
def test_an_odd_action_is_refused_and_written_down(tmp_path, odd):
    board = load_folder()["london"]
    file = tmp_path / "odd.ndjson"
    create = CreateGame(
        "g",
        "p_0",
        tuple((Player(f"p_{seat}", "bot"), None) for seat in range(2)),
        bytes(32),
        first_seat=0,
    )
    record, state = Record.begun(file, board, create)
    kept = json.dumps(
        {
            "type": "keep_tickets",
            "note": "\ud800",
            "tickets": [board.tickets[one].id for one in state.offered[0]],
        }
    )
    player = Asked(Said(odd, kept), state, Track(), Random(0))
    made = player.decide(state, 0, record.seen_by(0))
    assert not made.fallback
    assert [row.get("wrong", {}).get("kind") for row in made.requests] == [ILLEGAL, None]
    record.add(made.events, made.state, 0, made.command, made.note)
    assert Record.begun(file, board, create)[0].entries == record.entries


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("", None),
        ("pass", None),
        ("{", None),
        ('{"kind": "pass"}', None),
        ('```json\n{"type": "pass"}\n```', {"type": "pass"}),
        ('{"type": "pass"} or rather {"type": "draw_tickets"}.', {"type": "draw_tickets"}),
        ('{{"type": "pass"}', {"type": "pass"}),
        (
            '{"type": "claim_route", "cards": {"red": 2}}',
            {"type": "claim_route", "cards": {"red": 2}},
        ),
    ],
)
def test_the_last_action_of_an_answer_counts(text, action):
    assert action_in(text) == action


# -- deals and boards


def test_a_season_is_committed_to_and_stays_secret(tmp_path):
    file = tmp_path / "autumn.json"

    def season(*more: str) -> dict:
        done = run("bench", "season", file, *more, "--json")
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr

    made = season("--name", "autumn")
    assert season() == made
    assert "exists" in season("--name", "winter")
    assert file.stat().st_mode & 0o77 == 0
    assert (
        hashlib.sha256(bytes.fromhex(json.loads(file.read_text())["secret"])).hexdigest()
        == (made["commitment"])
    )
    assert season_in(file).bytes_for("deal 0") != PUBLISHED.bytes_for("deal 0")
    with pytest.raises(NoSeason):
        season_in(written(tmp_path / "no.json", {"season": "x", "secret": "00"}))
    (tmp_path / "no.json").write_text("[" * 50_000)
    with pytest.raises(NoSeason):
        season_in(tmp_path / "no.json")


@pytest.mark.parametrize("seed", range(8))
def test_an_invented_board_is_played_to_its_end(seed):
    board = fresh_board(bytes([seed]))
    assert faults(board.table) == []
    state = create(
        board,
        CreateGame(
            "g", "p_0", tuple((Player(f"p_{seat}", "bot"), None) for seat in range(2)), bytes(32)
        ),
    )
    over = play_out(state, [BOTS["greedy"](board.described, Random(seed)) for _ in range(2)])
    assert min(over.trains) <= 2


def test_a_board_depends_on_its_seed_alone():
    fresh_board.cache_clear()
    one = fresh_board(b"seed").digest
    fresh_board.cache_clear()
    assert fresh_board(b"seed").digest == one
    assert fresh_board(b"other").digest != one


def test_a_map_that_one_claim_divides_or_with_a_rare_colour_is_refused():
    table = fresh_board(b"seed").table
    place = table["locations"][0]["id"]
    kept, at = [], 0
    for route in table["routes"]:
        at += place in (route["a"], route["b"])
        if place not in (route["a"], route["b"]) or at == 1:
            kept.append(route)
    assert {"one route divides the map", "one place divides the map"} <= {
        *faults(table | {"routes": kept})
    }
    red = [
        route | {"color": "red" if route["color"] == "blue" else route["color"]}
        for route in table["routes"]
    ]
    assert faults(table | {"routes": red}) == ["a colour has more spaces than another"]


def test_the_published_deals_stay_as_they_are():
    assert PUBLISHED.commitment == (
        "0296b008b4e055096fe6933529727b61a00e15643c6c6afbb65bfddf021484a4"
    )
    assert fresh_board(PUBLISHED.bytes_for("board 0")).digest == (
        "5a69ed808bd19928515629288453f178a3c2e41c4032279107b080c427050c76"
    )
