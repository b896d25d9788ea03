"""``fogg arena``: schedule, deals and standings."""

import json
import math
import pickle
from random import Random
from statistics import stdev

import numpy as np
import pytest
from fogg_client.bot import NoBot
from fogg_simulator.policy import Policy

from cli.offline.arena import Arena, Fixture, Result, check, play_game, results, start
from cli.offline.games import seen_by
from cli.offline.named import bot_class_called
from cli.offline.standings import standings
from cli.offline.strength import clustered_mean, share, student, wilson
from cli.views.arena import standings_text
from domain.boards import load_folder
from domain.skill import rated
from tests.cli import faulty
from tests.cli.inside import report, run
from workers.bots import BOTS
from workers.bots.greedy import Greedy

BAD = faulty.__name__


def result(deal: int, totals: tuple, bots=("a", "b"), board="usa", number=0) -> Result:
    ranks = tuple(1 + sum(other > total for other in totals) for total in totals)
    game = Fixture(number, board, deal, bots)
    return Result(game, ranks, totals, (1.0, 3.0), (0.5, 2.0), (9, 10))


def left(deal: int, seat: int = 1, *, by_fault: bool = True) -> Result:
    ranks = tuple(1 + (place == seat) for place in range(2))
    return Result(
        Fixture(0, "usa", deal, ("a", "b")),
        ranks,
        None,
        (1.0, 3.0),
        (0.5, 2.0),
        (9, 10),
        ((seat, "broken"),) if by_fault else (),
        () if by_fault else (seat,),
    )


def policy(folder, seed: int = 1) -> str:
    Policy.new(4, np.random.default_rng(seed)).save(folder / "mine.npz")
    return str(folder / "mine.npz")


def named(rows: list[dict]) -> dict[str, dict]:
    return {row["bot"]: row for row in rows}


def timeless(shown: dict) -> list[dict]:
    """Return all rows without the time that bots took."""
    return [
        {name: value for name, value in row.items() if "ms" not in name.split("_")}
        for rows in (shown["overall"], *shown["by_board"].values())
        for row in rows
    ]


# -- the schedule


def test_every_bot_meets_every_other_bot():
    arena = Arena(("a", "b", "c"), ("usa", "paris"), games=4)
    assert arena.tables == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(arena.schedule) == 2 * 3 * 4
    assert [game.number for game in arena.schedule] == list(range(24))


@pytest.mark.parametrize(
    ("bots", "seats", "tables"),
    [
        ("abc", 3, ["abc"]),
        ("abcd", 3, ["abc", "abd", "acd", "bcd"]),
        ("ab", 4, ["abab"]),
        ("ab", 3, ["aba", "bab"]),
        ("abc", 4, ["abca", "bcab", "cabc"]),
    ],
)
def test_a_table_repeats_bots_if_there_are_too_few(bots, seats, tables):
    assert ["".join(table) for table in Arena(tuple(bots), seats=seats).tables] == tables


@pytest.mark.parametrize(
    ("bots", "against", "seats", "tables"),
    [
        ("ab", "cd", 2, ["ac", "ad", "bc", "bd"]),
        ("a", "bcd", 3, ["abc", "abd", "acd"]),
        ("ab", "c", 3, ["acc", "bcc"]),
        ("a", "bc", 4, ["abcb", "acbc"]),
    ],
)
def test_bots_play_only_against_others(bots, against, seats, tables):
    arena = Arena(tuple(bots), seats=seats, against=tuple(against))
    assert ["".join(table) for table in arena.tables] == tables


@pytest.mark.parametrize(
    ("bots", "games", "duplicate", "schedule"),
    [("abc", 4, True, "0abc 0bca 0cab 1abc 1bca 1cab"), ("ab", 4, False, "0ab 1ba 2ab 3ba")],
)
def test_seats_rotate_with_each_deal_or_from_deal_to_deal(bots, games, duplicate, schedule):
    """The number of games is rounded up to whole rounds of the seats."""
    arena = Arena(tuple(bots), games=games, seats=len(bots), duplicate=duplicate)
    played = [f"{game.deal}{''.join(game.bots)}" for game in arena.schedule]
    assert played == schedule.split()


def test_only_rotations_of_a_duplicate_deal_have_the_same_decks():
    arena = Arena(("random", "greedy", "planner"), games=6, seats=3, duplicate=True)
    decks = {}
    for game in arena.schedule:
        state = start(arena, game).state
        decks.setdefault(game.deal, set()).add(
            (state.deck, state.row, state.hands, state.offered, state.ticket_deck, state.seed)
        )
    assert [len(some) for some in decks.values()] == [1, 1]
    assert decks[0] != decks[1]


def test_luck_cancels_between_twins_on_duplicate_deals():
    class Twin(Greedy):
        """Another name for the same play."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BOTS, "twin", Twin)
        patch.setattr(
            Greedy,
            "_gain",
            lambda self, claim: (
                self._board.routes[claim["route"]].points,
                -claim["cards"].get("wild", 0),
            ),
        )
        arena = Arena(("greedy", "twin"), ("paris",), games=6, duplicate=True)
        rows = standings(arena, results(arena))["overall"]
    assert [row["margin"] for row in rows] == [0, 0]
    assert [row["wins"] for row in rows] == [3, 3]
    assert rows[0]["margin_interval"] == [0, 0]
    assert not rows[0]["before_next"]["certain"]


def test_the_result_is_the_same_for_any_number_of_jobs():
    arena = Arena(("random", "greedy", "planner"), ("paris",), games=2, duplicate=True, seed=5)
    one, two = (timeless(standings(arena, results(arena, jobs))) for jobs in (1, 2))
    assert one == two


# -- what the table says


def test_the_mean_margin_of_deals_of_a_single_game_has_students_interval():
    values = [3.0, 5.0, 10.0, -2.0]
    margin = clustered_mean({("usa", n): [value] for n, value in enumerate(values)})
    reach = 3.182 * stdev(values) / math.sqrt(4)
    assert (margin.value, margin.low, margin.high) == pytest.approx((4, 4 - reach, 4 + reach))


def test_agreeing_games_of_a_deal_count_as_one_and_cancelling_ones_as_certain():
    values = {("usa", 0): 1.0, ("usa", 1): 5.0, ("usa", 2): 3.0}
    once = clustered_mean({deal: [value] for deal, value in values.items()})
    twice = clustered_mean({deal: [value, value] for deal, value in values.items()})
    assert (twice.value, twice.low, twice.high) == pytest.approx((once.value, once.low, once.high))
    cancelled = clustered_mean({deal: [value, 2 - value] for deal, value in values.items()})
    assert (cancelled.low, cancelled.high) == (1, 1)
    assert cancelled.is_not_zero
    single = clustered_mean({("usa", 0): [3.0, 4.0]})
    assert (single.value, single.low, single.is_not_zero) == (3.5, None, False)


def test_differences_between_boards_add_no_uncertainty():
    apart = {("usa", n): [100.0 + n] for n in range(5)} | {("paris", n): [n] for n in range(5)}
    alike = {("usa", n): [n] for n in range(5)} | {("paris", n): [n] for n in range(5)}
    wide, narrow = clustered_mean(apart), clustered_mean(alike)
    assert wide.high - wide.low == pytest.approx(narrow.high - narrow.low)


@pytest.mark.parametrize(
    ("degrees", "bound"),
    [
        (1, 12.706),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (10, 2.228),
        (30, 2.042),
        (1000, 1.962),
    ],
)
def test_students_bounds(degrees, bound):
    assert student(degrees) == pytest.approx(bound, abs=0.01)


def test_the_interval_of_independent_games_is_about_wilsons():
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=1e-4)
    won = share({("usa", n): [float(n < 60)] for n in range(100)})
    assert (won.low, won.high) == pytest.approx(wilson(60, 100), abs=0.002)
    won = share({("usa", n): [1.0, 1.0] for n in range(20)})
    assert (won.value, won.low, won.high) == pytest.approx((1, wilson(20, 20)[0], 1))


def test_a_share_is_less_certain_if_one_bot_wins_both_games_of_a_deal():
    alike = {("usa", n): [float(n < 30)] * 2 for n in range(50)}
    mixed = {("usa", n): [1.0, float(n < 10)] for n in range(50)}
    assert share(alike).value == share(mixed).value == 0.6
    assert (share(alike).low, share(alike).high) == pytest.approx(wilson(30, 50), abs=0.005)
    assert (share(mixed).low, share(mixed).high) == pytest.approx(wilson(60, 100), abs=1e-9)


def test_ratings_follow_the_ranks():
    better = rated([{"a": 1, "b": 2}] * 10)
    assert better["a"][0] > 25 > better["b"][0]
    assert better["a"][1] < 25 / 3
    assert rated([{"a": 1, "b": 1}])["a"][0] == pytest.approx(25)


def test_standings_are_sorted_by_margin_and_mark_significant_gaps():
    arena = Arena(("b", "a"))
    clear = standings(arena, [result(n, (100 + n, 90)) for n in range(6)])["overall"]
    assert [row["bot"] for row in clear] == ["a", "b"]
    assert (clear[0]["games"], clear[0]["wins"], clear[0]["win_share"]) == (6, 6, 1)
    assert (clear[0]["mean_total"], clear[0]["margin"]) == (102.5, 12.5)
    assert clear[0]["before_next"]["certain"]
    assert clear[0]["before_next"]["margin"] == 25
    assert clear[1]["ms_per_decision"] == pytest.approx(300)
    assert (clear[1]["slowest_ms"], clear[1]["mu"] < clear[0]["mu"]) == (2000, True)
    close = standings(arena, [result(0, (100, 90)), result(1, (80, 80))])["overall"]
    assert not close[0]["before_next"]["certain"]
    assert [row["wins"] for row in close] == [1.5, 0.5]  # a tie is half a win


def test_each_board_has_its_own_standings():
    arena = Arena(("a", "b"), ("usa", "paris"))
    shown = standings(arena, [result(0, (9, 5)), result(0, (1, 7), board="paris", number=1)])
    assert [rows[0]["bot"] for rows in shown["by_board"].values()] == ["a", "b"]
    told = standings_text(shown)
    assert [name for name in ("usa", "paris", "all boards") if f"\n{name}\n" in told] == [
        "usa",
        "paris",
        "all boards",
    ]
    assert "may be no stronger than" in told


def test_each_pair_of_bots_has_its_games_wins_and_margin_with_intervals():
    played = [
        result(n, totals, bots, number=n)
        for n, (totals, bots) in enumerate(
            [
                ((100, 90), ("a", "b")),
                ((70, 90), ("b", "a")),
                ((80, 80), ("b", "a")),
                ((9, 30), ("b", "c")),
                ((9, 32), ("b", "c")),
            ]
        )
    ]
    first, second = standings(Arena(("a", "b", "c")), played)["pairs"]
    assert (first["bots"], first["games"], first["wins"]) == (["c", "b"], 2, [2, 0])
    assert (first["margin"], first["win_share"]) == (22, 1)
    assert first["margin_interval"] == [9.29, 34.71]  # 22 +- 12.706
    assert (second["bots"], second["games"], second["wins"]) == (["a", "b"], 3, [2.5, 0.5])
    margin = clustered_mean({("usa", n): [value] for n, value in enumerate((10, 20, 0))})
    assert second["margin"] == margin.value == 10
    assert second["margin_interval"] == pytest.approx([margin.low, margin.high], abs=0.01)
    won = share({("usa", n): [value] for n, value in enumerate((1.0, 1.0, 0.5))})
    assert second["win_interval"] == pytest.approx([won.low, won.high], abs=1e-4)


def test_the_margin_of_a_pair_is_in_points_for_any_number_of_seats():
    game = Fixture(0, "usa", 0, ("a", "b", "a"))
    one = Result(game, (1, 2, 3), (50, 40, 10), (0,) * 3, (0,) * 3, (0,) * 3)
    [pair] = standings(Arena(("a", "b"), seats=3), [one])["pairs"]
    assert (pair["bots"], pair["games"], pair["wins"]) == (["b", "a"], 1, [0, 1])
    assert (pair["margin"], pair["margin_interval"]) == (10, None)  # a has 30 on average


def test_against_others_the_bots_are_ranked_and_shown_with_each_opponent():
    arena = Arena(("planner", "random"), ("paris",), games=4, duplicate=True, against=("greedy",))
    shown = standings(arena, results(arena))
    assert {*named(shown["overall"])} == {"planner", "random", "greedy"}
    assert [*map(" ".join, (pair["bots"] for pair in shown["pairs"]))] == [
        "planner greedy",
        "random greedy",
    ]
    *_, one, other = standings_text(shown).splitlines()
    assert one.startswith("planner against greedy: won ")
    assert other.startswith("random against greedy: won ")


# -- faults


FAULTS = {
    f"{BAD}:Raises": "choose raised KeyError",
    f"{BAD}:Exits": "choose raised SystemExit",
    f"{BAD}:Illegal": "illegal action (wrong-cards, rule 4.1)",
    f"{BAD}:Dies": "the process that plays it has ended",
}


@pytest.mark.parametrize("bad", [[one] for one in FAULTS] + [[*FAULTS][1:]])
def test_bots_with_a_fault_lose_the_game_and_each_fault_is_reported(bad):
    seats = len(bad) + 1
    arena = Arena((*bad, "greedy"), games=seats, seats=seats, duplicate=True)
    shown = standings(arena, results(arena))
    rows = named(shown["overall"])
    for one in bad:
        assert (rows[one]["faults"], rows[one]["mean_total"]) == (seats, None)
    assert (rows["greedy"]["faults"], rows["greedy"]["wins"]) == (0, seats)
    assert "lost a game by a fault" in standings_text(shown)
    assert all(FAULTS[fault["bot"]] in fault["what"] for fault in shown["faults"])
    assert len(shown["faults"]) == seats * len(bad)


@pytest.mark.parametrize("by_fault", [True, False])
def test_leaving_games_that_are_lost_brings_a_bot_no_higher(by_fault):
    """b wins 8 of 20 games. It leaves the lost ones, which would have had negative margins."""
    played = [result(n, (100, 122)) for n in range(8)]
    shown = standings(
        Arena(("a", "b")), played + [left(n, by_fault=by_fault) for n in range(8, 20)]
    )
    first, second = shown["overall"]
    assert (first["bot"], first["wins"], second["wins"]) == ("a", 12, 8)
    assert (second["margin"], second["mean_total"]) == (22, 122)  # of whole games
    assert (second["faults"], second["resigned"]) == ((12, 0) if by_fault else (0, 12))
    gap = first["before_next"]
    assert (gap["by"], gap["win_share"], gap["certain"]) == ("wins", 0.2, False)
    assert "a may be no stronger than b: 20.0 % more of the games won (" in standings_text(shown)


def test_a_bot_that_wins_nearly_all_games_is_stronger_even_if_the_other_left_them():
    shown = standings(Arena(("a", "b")), [left(n) for n in range(19)] + [result(19, (1, 40))])
    gap = shown["overall"][0]["before_next"]
    won = share({("usa", n): [float(n < 19)] for n in range(20)})
    assert gap["win_interval"] == pytest.approx([2 * won.low - 1, 2 * won.high - 1], abs=1e-4)
    assert gap["certain"]
    assert "a is stronger than b: 90.0 % more of the games won (" in standings_text(shown)
    few = [left(n) for n in range(2) for _ in range(2)]
    assert not standings(Arena(("a", "b")), few)["overall"][0]["before_next"]["certain"]


def test_bots_that_left_no_game_are_compared_by_margins_even_if_another_did():
    bad = f"{BAD}:Resigns"
    arena = Arena(("random", bad, "greedy"), ("paris",), games=8, duplicate=True)
    first, second, last = standings(arena, results(arena))["overall"]
    assert (first["bot"], second["bot"], last["bot"]) == ("greedy", "random", bad)
    assert (first["before_next"]["by"], second["before_next"]["by"]) == ("margins", "wins")


def test_of_bots_with_as_many_games_won_the_one_that_left_fewer_is_first():
    rows = standings(Arena(("b", "a")), [result(0, (10, 90)), left(1)])["overall"]
    assert [(row["bot"], row["wins"], row["margin"]) for row in rows] == [
        ("a", 1, -80),
        ("b", 1, 80),
    ]


def test_bots_that_have_not_met_yet_are_not_compared():
    early = result(0, (9, 5)), result(1, (9, 5), ("c", "d"))
    shown = standings(Arena(("a", "b", "c", "d")), early, is_complete=False)
    assert "may be no stronger than c: no deal was played by both" in standings_text(shown)


def test_without_any_whole_game_there_are_no_margins():
    shown = standings(Arena(("a", "b")), [left(n) for n in range(9)])
    assert [(row["margin"], row["margin_interval"]) for row in shown["overall"]] == [
        (None, None)
    ] * 2
    assert (shown["overall"][0]["before_next"]["margin"], shown["overall"][0]["bot"]) == (None, "a")
    assert "  none  " in standings_text(shown)
    assert "one deal" not in standings_text(shown)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_that_resigns_at_once_is_last_and_no_stronger(seats):
    bad = f"{BAD}:Resigns"
    arena = Arena(
        (bad, "greedy", "random")[:seats], ("paris",), games=4 * seats, seats=seats, duplicate=True
    )
    shown = standings(arena, results(arena))
    last, best = shown["overall"][-1], shown["overall"][-2]
    assert (last["bot"], last["wins"], last["resigned"], last["faults"]) == (bad, 0, 4 * seats, 0)
    assert best["before_next"]["certain"] or seats == 3
    assert best["mu"] > last["mu"]
    assert f"{bad} resigned {4 * seats} games" in standings_text(shown)


def test_only_tables_with_a_game_that_was_left_are_sorted_by_games_won():
    arena = Arena(("a", "b"), ("usa", "paris"))
    small = [
        result(n, totals, board="paris", number=n)
        for n, totals in enumerate([(9, 8), (9, 8), (1, 90)])
    ]
    shown = standings(arena, [*small, left(0)])
    assert [
        (rows[0]["bot"], rows[0]["before_next"]["by"])
        for rows in (*shown["by_board"].values(), shown["overall"])
    ] == [("a", "wins"), ("b", "margins"), ("a", "wins")]
    assert standings_text(shown).count("sorted by games won") == 2


def test_a_bot_that_cannot_be_made_for_a_game_loses_it(tmp_path, monkeypatch):
    bad, full = f"{BAD}:Unmade", tmp_path / "full"
    monkeypatch.setenv("FULL", str(full))
    arena = Arena((bad, "greedy"), ("paris",), games=4)
    check(arena)
    played = results(arena)
    ended = [next(played)]
    full.touch()
    ended.append(next(played))
    full.unlink()
    ended += played
    assert [len(one.faults) for one in ended] == [0, 1, 0, 0]
    [(seat, what)] = ended[1].faults
    assert (ended[1].game.bots[seat], ended[1].ranks[seat]) == (bad, 2)
    assert "OSError: no room" in what


# -- policies in files


def test_a_policy_is_read_once_for_all_games(tmp_path):
    name = policy(tmp_path)
    arena, same = (Arena((name, "greedy"), ("paris",), games=4, seed=3) for _ in range(2))
    check(arena)
    whole = [one.totals for one in results(same)]
    policy(tmp_path, seed=2)
    assert [one.totals for one in results(arena)] == whole
    (tmp_path / "mine.npz").write_text("half a file")
    again = sorted(results(arena, jobs=2), key=lambda one: one.game.number)
    assert [one.totals for one in again] == whole


def test_other_processes_get_the_policy_but_not_the_schedule(tmp_path):
    arena = Arena((policy(tmp_path), "greedy"), ("paris",), games=2)
    game = arena.schedule[0]
    whole = play_game(arena, game).totals
    sent = pickle.dumps(arena)
    (tmp_path / "mine.npz").unlink()
    there = pickle.loads(sent)
    assert "schedule" not in vars(there)
    assert play_game(there, game).totals == whole


def test_the_commands_read_a_policy_once(tmp_path, monkeypatch):
    read, load = [], Policy.load
    monkeypatch.setattr(Policy, "load", lambda path: read.append(path) or load(path))
    monkeypatch.setattr("cli.commands.common.stop_on_signals", lambda: None)
    name = policy(tmp_path)
    here = ["--board", "paris", "--games", "4", "--jobs", "1"]
    for command in (["arena", name, "greedy"], ["bot", "try", name, "--against", name]):
        report(*command, *here)
        assert read == [name]
        read.clear()


@pytest.mark.parametrize("level", ["1", "soon"])
def test_a_policy_may_be_in_a_folder_with_an_at(tmp_path, level):
    (tmp_path / "runs@2").mkdir()
    name = policy(tmp_path / "runs@2")
    assert bot_class_called(name).__name__ == "mine"
    with pytest.raises(NoBot, match="no levels" if level == "1" else "a number of seconds"):
        bot_class_called(f"{name}@{level}")


# -- levels and the command


def test_a_level_sets_the_seconds_of_a_bot():
    kind = bot_class_called(f"{BAD}:Timed@0.25")
    arena = Arena((f"{BAD}:Timed@0.25", "random"), ("paris",), games=2)
    check(arena)
    assert play_game(arena, arena.schedule[0]).faults == ()
    bot, game = kind(load_folder()["paris"].described, Random(1)), start(arena, arena.schedule[0])
    assert bot.choose(seen_by(game.state, 0))["note"] == "0.25 s"


@pytest.mark.parametrize("bot", ["expert@0.1", "learned"])
def test_a_bot_is_refused_on_a_board_that_it_cannot_play(tmp_path, bot):
    usa, file = load_folder()["usa"].table, tmp_path / "rich.json"
    file.write_text(json.dumps(usa | {"points": dict.fromkeys(usa["points"], 999)}))
    with pytest.raises(NoBot, match=f"{bot} cannot play on USA: routes may bring a seat 44955"):
        check(Arena((bot, "planner"), boards=("usa", str(file))))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("greedy@1", "greedy has no levels"),
        (f"{BAD}:Timed@soon", "a number of seconds"),
        (f"{BAD}:Timed@0", "a number of seconds"),
        ("nobody@1", "neither a built-in bot"),
    ],
)
def test_an_invalid_level_is_refused(name, says):
    with pytest.raises(NoBot, match=says):
        bot_class_called(name)


OPTIONS = ["arena", "random", "greedy", "--board", "paris", "--jobs", 1]


def test_the_command_prints_a_table_and_its_progress_elsewhere():
    done = run(*OPTIONS, "--games", 4, "--duplicate", "--seed", 0)
    assert done.returncode == 0, done.stderr
    heading, best, other = done.stdout.splitlines()[3:6]
    assert heading.split()[:4] == ["bot", "games", "wins", "won"]
    assert (best.split()[0], other.split()[0]) == ("greedy", "random")
    assert done.stdout.splitlines()[0] == (
        "4 games, 2 deals, 2 seats; each deal in every rotation of the seats; seed 0"
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["greedy", "nobody"], "neither a built-in bot"),
        (["greedy", "random", "--board", "mars"], "there is no board called mars"),
        (["greedy", "random", "--seats", "8"], "2 to 5 players, not 8"),
        (["greedy", "greedy"], "all of different names"),
        (["greedy"], "of different names"),
    ],
)
def test_the_command_rejects_an_arena_that_cannot_be_played(arguments, says):
    done = run("arena", *arguments)
    assert done.returncode == (2 if "different" in says else 1)  # 2: a fault of usage
    assert says in done.stderr


def test_a_seed_that_nobody_can_guess_is_chosen_and_shown_so_that_the_match_can_be_repeated():
    first, second = (report(*OPTIONS, "--games", 2) for _ in range(2))
    assert first["seed"] != second["seed"]
    assert max(first["seed"], second["seed"]) > 1 << 32  # but for one run in 10**12
    assert {row["bot"] for row in first["by_board"]["paris"]} == {"greedy", "random"}
    again = report(*OPTIONS, "--games", 2, "--seed", first["seed"])
    assert timeless(again) == timeless(first)


def test_the_games_of_a_seed_stay_the_same():
    arena = Arena(("greedy", "planner"), ("paris",), games=2, seed=7)
    assert [one.totals for one in results(arena)] == [(13, 22), (27, 12)]
