"""Signs of collusion: a planted helper is found, and honest players are not suspected."""

import gzip
import io
import json
from math import log
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import urllib3
from fogg_client.client import Client

from cli.offline import collusion
from cli.offline.collusion import SUSPECT, Played, fisher
from domain.game.commands import Player
from domain.tournament.fold import enter, record_table
from domain.tournament.state import FINISHED, Tournament
from tests.cli.inside import report, run
from tests.domain.tournament.test_tournament import Cup, names
from tools.histories.kept import HERE

FEEDER, FED = "p1", "p2"
USA = HERE / "usa.ndjson.gz"


class Players:
    """How entrants of some strengths play: who is on top in a game, and who leaves it.

    Ranks are drawn as Plackett and Luce have it: how a player does depends on nobody's presence.
    """

    def __init__(self, seed: int, count: int):
        self.rng = Random(seed)
        self.strength = {name: self.rng.gauss(0, 1) for name in names(count)}

    def form(self, who: tuple[str, ...]) -> dict[str, float]:
        return {name: self.strength[name] - log(self.rng.expovariate(1)) for name in who}

    def leaving(self, order: list[str]) -> set[str]:
        """Return who leaves: the last, as often as not."""
        return {order[-1]} if self.rng.random() < 0.5 else set()

    def game(self, who: tuple[str, ...]) -> tuple[dict, ...]:
        form = self.form(who)
        order = sorted(who, key=lambda name: -form[name])
        left = self.leaving(order)
        return tuple(
            {"total": 100 - 10 * order.index(name), "rank": order.index(name) + 1}
            | ({"left": "resigned"} if name in left else {})
            for name in who
        )


class Resigning(Players):
    """One resigns whenever another is there; nobody else ever does."""

    def form(self, who):
        return super().form(who) | ({FEEDER: -99} if {FEEDER, FED} <= set(who) else {})

    def leaving(self, order):
        return {FEEDER} if {FEEDER, FED} <= set(order) else set()


class Losing(Resigning):
    """One loses on the board to somebody as strong, and does not resign."""

    def __init__(self, seed: int, count: int):
        super().__init__(seed, count)
        self.strength |= {FEEDER: 0, FED: 0}

    def leaving(self, order):
        return set()


class Helping(Players):
    """One, at a table of several, sees to it that another beats the rest."""

    def form(self, who):
        form = super().form(who)
        return form | ({FED: form[FED] + 4} if {FEEDER, FED} <= set(who) else {})


def played(players: Players, seed: int = 0, entries=(), **wish) -> Tournament:
    others = set(players.strength) - {player.id for player in entries}
    cup = Cup(lots=str(seed), **wish).enter(*others)
    for player in entries:
        cup.do(enter, player.id, player)
    cup.start()
    while True:
        cup.pair()
        if cup.state.status == FINISHED:
            return cup.state
        for table in cup.state.rounds[-1].tables:
            games = tuple(players.game(table.seated(r)) for r in range(len(table.games)))
            cup.do(record_table, len(cup.state.rounds), table.number, games)


def games_in(state: Tournament) -> list[Played]:
    """Return the games of a tournament as the command reads them."""
    players = {entrant.id: entrant.player for entrant in state.entrants.values()}
    return [
        Played(
            game,
            (paired.number, table.number),
            {entrant: players[entrant] for entrant in table.seated(rotation)},
            results,
        )
        for paired in state.rounds
        for table in paired.tables
        if table.is_over
        for rotation, (game, results) in enumerate(zip(table.games, table.results, strict=True))
    ]


def pairs(state: Tournament, player: str | None = None) -> list[dict]:
    return collusion.pairs(games_in(state), player)


def suspects(state: Tournament) -> list[tuple[str, str]]:
    return [(row["giver"], row["taker"]) for row in pairs(state) if row["suspect"]]


@pytest.mark.parametrize(
    ("kind", "count", "wish"),
    [
        (Resigning, 4, {"rounds": 12}),
        (Resigning, 5, {"rounds": 12, "deals": "duplicate"}),
        (Helping, 6, {"rounds": 40, "seats": 3}),
        *(
            pytest.param(*case, marks=pytest.mark.deep)
            for case in (
                (Resigning, 6, {"rounds": 10}),
                (Resigning, 8, {"rounds": 40, "format": "ladder"}),
                (Resigning, 8, {"rounds": 30, "seats": 4}),
                (Helping, 8, {"rounds": 40, "seats": 4}),
            )
        ),
    ],
)
def test_a_planted_feeder_is_found_and_nobody_else(kind, count, wish):
    by_seed = [suspects(played(kind(seed, count), seed, **wish)) for seed in range(4)]
    assert sum((FEEDER, FED) in pairs for pairs in by_seed) >= 3, by_seed
    assert sum(any(pair != (FEEDER, FED) for pair in pairs) for pairs in by_seed) <= 1, by_seed


def test_losing_on_the_board_is_found_by_the_wins_alone():
    states = [played(Losing(seed, 5), seed, rounds=20) for seed in range(4)]
    rows = [pairs(state)[0] for state in states]
    caught = [
        row for row in rows if (row["giver"], row["taker"], row["suspect"]) == (FEEDER, FED, True)
    ]
    assert len(caught) >= 3
    assert all(
        row["wins"]["count"] == row["wins"]["of"] == 20 > row["wins"]["expected"] for row in caught
    )
    assert not any("giver_left" in row for row in rows)


@pytest.mark.parametrize(
    ("count", "wish"),
    [
        (4, {"rounds": 12}),
        (9, {"rounds": 8, "seats": 3}),
        *(
            pytest.param(*case, marks=pytest.mark.deep)
            for case in (
                (6, {"rounds": 5}),
                (8, {"rounds": 30, "seats": 4}),
                (8, {"rounds": 10, "format": "swiss"}),
            )
        ),
    ],
)
def test_honest_players_are_not_suspected(count, wish):
    """Also those who resign what is lost: if one of fifty tournaments has a false alarm, fifteen
    have three or more in 3 runs of a thousand."""
    alarms = [bool(suspects(played(Players(seed, count), seed, **wish))) for seed in range(15)]
    assert sum(alarms) <= 2


def test_a_weak_player_is_not_suspected():
    players = Players(1, 5)
    players.strength |= {FEEDER: -9, FED: 9}
    assert suspects(played(players, rounds=20)) == []


def test_players_who_met_once_are_not_compared():
    assert pairs(played(Resigning(1, 6))) == []


def test_pairs_of_one_owner_are_marked():
    entries = [Player(name, name, "external", "ada") for name in ("p0", "p3")]
    rows = pairs(played(Players(1, 4), entries=entries, rounds=3))
    assert {(row["giver"], row["taker"]) for row in rows if row.get("same_owner")} == {
        ("p0", "p3"),
        ("p3", "p0"),
    }


def test_a_pair_is_compared_with_what_it_did_elsewhere():
    rows, again = (pairs(played(Resigning(3, 4), rounds=12)) for _ in range(2))
    assert rows == again
    row = next(row for row in rows if row["suspect"])
    assert (row["giver"], row["taker"], row["tables"]) == (FEEDER, FED, 12)
    left = row["giver_left"]
    assert (left["count"], left["of"]) == (12, 12)
    assert left["expected"] < 12
    assert left["p"] <= SUSPECT
    own = pairs(played(Resigning(3, 4), rounds=12), FEEDER)
    assert own[0] == row
    assert {FEEDER in (each["giver"], each["taker"]) for each in own} == {True}
    assert len(own) == 6


def test_fishers_test_is_exact():
    assert fisher([True] * 3, [False] * 3) == pytest.approx(1 / 20)
    assert fisher([False] * 3, [True] * 3) == 1
    assert fisher([True, True, False], [True, False, False]) == pytest.approx(10 / 20)


# The command


@pytest.fixture(scope="module")
def people(stack):
    return {name: Client(stack.url).sign_up(name) for name in ("Ada", "Grace", "Mary")}


@pytest.fixture(scope="module")
def archive(stack, people, tmp_path_factory):
    """The archive.zip of a tournament in which Grace always resigns."""
    ada = people["Ada"]
    cup = f"/v1/tournaments/{ada.post('/v1/tournaments', {'name': 'Cup', 'rounds': 2})['id']}"
    ids, over, version = {}, set(), 1
    for person in people.values():
        person.post(f"{cup}/entries", {})
        ids[person.get("/v1/me")["id"]] = person
    ada.post(f"{cup}/start", {})
    while (now := ada.get(cup, after=version, wait=20))["status"] != "finished":
        version = now["version"]
        for game in (
            game
            for paired in now["rounds"]
            for table in paired["tables"]
            for game in table["games"]
            if game["game"] not in over
        ):
            over.add(game["game"])
            loser = next(
                (one for one in game["seats"] if ids[one] is people["Grace"]), game["seats"][0]
            )
            ids[loser].post(f"/v1/games/{game['game']}/actions", {"type": "resign"})
    file = tmp_path_factory.mktemp("collusion") / "archive.zip"
    answer = urllib3.request(
        "GET", f"{stack.url}{cup}/archive.zip", headers={"Authorization": f"Bearer {ada.token}"}
    )  # only its creator may have it yet
    file.write_bytes(answer.data)
    return file


def test_the_archive_of_a_tournament_is_compared(archive, people, tmp_path):
    done = run("collusion", archive, "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert (shown["games"], len(shown["pairs"])) == (6, 6)
    row = next(
        row for row in shown["pairs"] if row["giver_name"] == "Grace" and row["taker_name"] == "Ada"
    )
    ada = people["Ada"].get("/v1/me")["id"]
    assert (row["taker"], row["tables"], row["suspect"]) == (ada, 2, False)
    assert (row["wins"]["count"], row["wins"]["of"]) == (2, 2)
    assert "2 of 2 wins against the giver" in run("collusion", archive).stdout
    assert len(report("collusion", archive, "--pairs", 2)["pairs"]) == 2
    own = report("collusion", archive, "--player", ada)["pairs"]
    assert len(own) == 4
    with ZipFile(archive) as whole:
        histories = tmp_path / "histories.ndjson"
        histories.write_bytes(whole.read("histories.ndjson"))
    assert run("collusion", histories, "--json").stdout == done.stdout
    verified = run("verify", archive)
    assert verified.stdout.startswith("6 of 6 games are right")


def zipped(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as whole:
        whole.writestr(name, data)
    return file.getvalue()


def refusal(file: Path, *args: str) -> str:
    """Return what the command says about a file that it cannot compare."""
    done = run("collusion", file, *args)
    assert (done.returncode, str(file) in done.stderr) == (1, True), done.stdout
    return done.stderr


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    assert "No such file" in refusal(tmp_path / "none.zip")
    for data, reason in (
        (b"# A text\n", "another format"),
        (zipped("other.txt", b"{}"), "without histories.ndjson"),
        (zipped("histories.ndjson", b"{}")[:40], "another format"),
        (zipped("histories.ndjson", b"{}").replace(b"histories", b"histerias", 1), "zip file"),
        (zipped("histories.ndjson", b" " * (64 << 20)), "100 times"),
        (USA.read_bytes()[:2000], "breaks off"),
    ):
        file = tmp_path / "archive.zip"
        file.write_bytes(data)
        assert reason in refusal(file)


def test_a_game_that_is_not_over_is_refused(tmp_path):
    file = tmp_path / "games.ndjson"
    file.write_bytes(b"".join(gzip.decompress(USA.read_bytes()).splitlines(keepends=True)[:20]))
    assert "unfinished" in refusal(file)


def test_a_player_without_games_is_refused():
    assert "p_nobody has played none" in refusal(USA, "--player", "p_nobody")
    assert "No two players" in run("collusion", USA).stdout
