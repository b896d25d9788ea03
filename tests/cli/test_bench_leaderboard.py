"""``fogg bench leaderboard``: submitted reports whose games hold, and others."""

import json
import shutil
from html.parser import HTMLParser

import pytest

from tests.cli.inside import run
from tests.cli.legal_text import actions_in
from tests.cli.scripted_model import completion, well
from tests.receivers import receiver

ODD = "<script>x</script> [a|b](javascript:0) `&amp;` \\"
GOOD = {"fallback_rate": 0.1}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder of runs: of two models on the same deals, of both together, and of a season."""
    folder = tmp_path_factory.mktemp("runs")
    season = folder / "autumn.json"
    assert run("bench", "season", season, "--name", "autumn").returncode == 0
    bots = ["--deals", 2, "--against", "random", "--against", "greedy"]
    kinds = {
        "first": ["--model", "first", *bots],
        "odd": ["--model", ODD, *bots, "--options", '{"seed": "<b>"}'],
        "pair": ["--model", "first", "--model", "second", "--deals", 1],
        "late": ["--model", "late", "--deals", 1, "--against", "random", "--season", season],
    }
    with receiver(answer) as server:
        url = server.url.partition("/hook")[0]
        for name, words in kinds.items():
            out = ["--board", "london", "--out", folder / name]
            done = run("bench", "llm", "--endpoint", url, *out, *words)
            assert done.returncode == 0, done.stderr
    return folder


def answer(body: dict) -> tuple:
    """Play well as the models first and late, and the first legal action as others."""
    first = actions_in(body["messages"][-1]["content"])[0]
    is_good = body["model"] in ("first", "late")
    said = well(body) if is_good else completion(json.dumps(first))
    return 200, json.dumps(said).encode()


@pytest.fixture
def submitted(runs, tmp_path):
    """Return a copy of some runs."""

    def copied(*names: str):
        for name in names:
            shutil.copytree(runs / name, tmp_path / "in" / name)
        return tmp_path / "in"

    return copied


def rank(folder, *more: object, code: int = 0) -> tuple[dict, str]:
    """Run the command; return its report and the page."""
    page = folder.parent / "page.html"
    done = run("bench", "leaderboard", folder, "--out", page, "--json", *more)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout), page.read_text()


class Cells(HTMLParser):
    def __init__(self, page: str):
        super().__init__()
        self.rows, self.tags = [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1] and data.strip():
            self.rows[-1][-1] += data


def report_of(folder, name: str) -> dict:
    return json.loads((folder / name / "report.json").read_text())


def test_reports_whose_games_hold_are_ranked_by_their_margins(submitted, runs):
    folder = submitted("first", "odd", "pair")
    shown, page = rank(folder)
    assert shown["refused"] == []
    rows = {row["folder"]: row for row in shown["reports"]}
    assert rows["first"]["strength"] == report_of(folder, "first")["strength"]
    assert (rows["first"]["games"], rows["odd"]["model"]) == (8, ODD)
    assert rows["first"]["margin"] > rows["odd"]["margin"]
    assert rows["pair"]["rival"]["model"] == "second"
    assert rows["pair"]["fallback_rates"] == [0, 0]
    read = Cells(page)
    assert read.tags.isdisjoint({"script", "a", "b", "img", "code"})
    assert page.count("<table>") == 2
    start = next(at for at, row in enumerate(read.rows) if "greedy" in row)
    headings, first, odd = read.rows[start : start + 3]
    assert headings[-3:] == ["random", "greedy", "fallbacks\xa0%"]
    assert read.rows[1][0] == "first against second"
    margins = [f"{one['margin']:+.1f}" for one in rows["first"]["strength"]]
    assert [first[0], *first[-3:]] == ["first", *margins, "0.0"]
    assert odd[0] == f'{ODD} {{"seed": "<b>"}}'
    folder = submitted("late")
    assert "--season" in rank(folder, code=1)[0]["refused"][0]["refused"]
    shown, page = rank(folder, "--season", runs / "autumn.json")
    assert {row["set"] for row in shown["reports"]} == {"published", "autumn"}
    assert json.loads((runs / "autumn.json").read_text())["secret"] not in json.dumps(shown) + page


def change_report(folder, name: str, **changes: object) -> None:
    (folder / name / "report.json").write_text(json.dumps(report_of(folder, name) | changes))


def refusal(folder) -> str:
    """Return why the only report is refused."""
    shown, page = rank(folder, code=1)
    assert (shown["reports"], "<table>" in page) == ([], False)
    [row] = shown["refused"]
    assert row["folder"] == "first"
    return row["refused"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"deals": 1}, "another strength than its games"),
        ({"model": "second"}, "is another game"),
        ({"rival": {"model": "x", "options": {}}, "rival_answers": GOOD}, "model than its rival"),
        ({"planning": "on", "track": "none"}, "another track, planning than its games"),
        ({"complete": False}, "another complete than its games"),
        ({"board": "/etc/own.json"}, "none of Fogg's"),
        ({"board": "usa"}, "no board london with"),
        ({"deals": 10**12}, "1 to 999 deals"),
        ({"strength": []}, "each opponent once"),
        ({"strength": 5}, "TypeError"),
        ({"strength": 2 * [{"anchor": "random"}]}, "each opponent once"),
        ({"commitment": "00"}, "--season"),
        ({"commitment": []}, "TypeError"),
        ({"model": "\x1b[2J"}, "cannot be printed"),
        ({"model": ["first"]}, "AttributeError"),
        ({"options": "<b>"}, "its options are no JSON object"),
        ({"options": {"model": "x"}}, "without model, messages and stream"),
        ({"answers": {"fallback_rate": -1}}, "from 0 to 0.1"),
        ({"answers": {"fallback_rate": 0.11}}, "from 0 to 0.1"),
        ({"answers": {}}, "KeyError"),
    ],
)
def test_a_report_of_other_games_is_refused(submitted, changes, why):
    folder = submitted("first")
    change_report(folder, "first", **changes)
    assert why in refusal(folder)


@pytest.mark.parametrize("name", ["report.json", "histories/000-random-0.ndjson"])
def test_a_link_to_what_never_ends_is_refused(submitted, name):
    folder = submitted("first")
    (folder / "first" / name).unlink()
    (folder / "first" / name).symlink_to("/dev/zero")
    assert refusal(folder) == f"{name} is no file"


def test_a_rival_is_the_model_that_the_games_were_against(submitted):
    folder = submitted("pair")
    change_report(folder, "pair", rival={"model": "famous", "options": {}})
    assert "another model than its rival" in rank(folder, code=1)[0]["refused"][0]["refused"]


def with_another_margin(run):
    report = report_of(run.parent, run.name)
    report["strength"][1]["margin"] += 1
    (run / "report.json").write_text(json.dumps(report))


def without_json(run):
    (run / "report.json").write_text("[" * 50_000)


def without_a_game(run):
    (run / "histories" / "001-greedy-0.ndjson").unlink()


def with_a_game_twice(run):
    shutil.copy(*(run / "histories" / f"{name}-greedy-0.ndjson" for name in ("000", "001")))


def with_another_action(run):
    file = run / "histories" / "000-random-1.ndjson"
    before, last = file.read_text().rstrip().rsplit("\n", 1)
    entry = json.loads(last) | {"action": {"type": "draw_tickets"}}
    file.write_text(f"{before}\n{json.dumps(entry)}\n")


def without_an_end(run):
    file = run / "histories" / "000-random-1.ndjson"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (with_another_margin, "another strength than its games"),
        (without_json, "no report"),
        (without_a_game, "001-greedy-0.ndjson: entry 1: No such file"),
        (with_a_game_twice, "another game than deal 1 of this model against greedy on seat 0"),
        (with_another_action, ": the hash is "),
        (without_an_end, "the game does not"),
    ],
)
def test_a_report_whose_games_do_not_hold_is_refused(submitted, change, why):
    folder = submitted("first")
    change(folder / "first")
    assert why in refusal(folder)


def test_games_of_other_deals_are_not_taken_for_those_of_the_set(submitted):
    folder = submitted("first", "late")
    first = report_of(folder, "first")
    change_report(folder, "late", set=first["set"], commitment=first["commitment"])
    shown, _ = rank(folder, code=1)
    assert "another game than deal 0" in shown["refused"][0]["refused"]
    assert [row["model"] for row in shown["reports"]] == ["first"]
    said = run("bench", "leaderboard", folder, "--out", folder / "page.html").stdout
    assert "late is refused: histories/000-random-0.ndjson is another game" in said
    assert "has 1 of 2 reports" in said


def test_a_folder_without_reports_says_what_should_be_there(tmp_path):
    done = run("bench", "leaderboard", tmp_path, "--out", tmp_path / "page.html")
    assert done.returncode == 1
    assert "a folder for each run" in done.stderr
    assert not (tmp_path / "page.html").exists()
