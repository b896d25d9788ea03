"""The summary of judged decisions."""

from domain.analysis import summary


def row(
    version: int, seat: int, win: float | None = None, cost: float = 0.0, least: float = 0.0
) -> dict:
    judged = {"version": version, "seat": seat, "played": {}, "best": {}}
    if win is not None:
        judged |= {"cost": cost, "interval": [least, 2 * cost - least], "win": win}
    return judged


def test_the_turning_point_is_the_version_since_which_the_winner_stays_ahead():
    rows = [
        row(2, 0, 0.6),
        row(3, 1, 0.5),
        row(4, 0, 0.3),
        row(5, 1, 0.4),
        row(6, 0),
        row(7, 0, 0.7),
        row(8, 1, 0.2),
    ]
    assert summary(rows, [1, 2])["turning_point"] == 7
    assert summary(rows[:4], [1, 2])["turning_point"] is None
    assert summary(rows[:3], [2, 1])["turning_point"] == 4
    assert summary([], [1, 2])["turning_point"] is None


def test_a_seat_is_ahead_only_if_its_chance_is_larger():
    assert summary([row(2, 0, 0.5), row(3, 1, 0.5)], [1, 2])["turning_point"] is None


def test_winners_who_share_the_first_rank_count_as_one():
    rows = [row(2, 0, 0.3), row(3, 1, 0.5), row(4, 2, 0.4), row(5, 0, 0.6), row(6, 1, 0.1)]
    assert summary(rows, [1, 1, 3])["turning_point"] == 2
    assert summary(rows, [2, 2, 1])["turning_point"] is None


def test_the_costliest_moves_of_each_seat_are_those_whose_cost_is_certain():
    rows = [
        row(2, 0, 0.5, 9.0, least=-1.0),
        row(3, 0, 0.5, 2.0, least=0.5),
        row(4, 0, 0.5, 8.0, least=1.0),
        row(5, 0, 0.5, 1.0, least=0.1),
        row(6, 0, 0.5, 5.0, least=4.0),
        row(7, 1, 0.5, 3.0, least=0.0),
        row(8, 1),
    ]
    assert summary(rows, [1, 2])["costliest"] == {"0": [4, 6, 3], "1": []}
