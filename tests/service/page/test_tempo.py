"""How long the entries of a game are shown while it plays itself, without a browser and a clock."""

import orjson
import pytest

from tests.service.page.nodejs import evaluated
from tools.histories.kept import read

CLAIM, DRAW, END, TURN = (
    {"type": one} for one in ("route_claimed", "card_drawn", "game_ended", "turn_began")
)


def pauses(
    entries: list[dict], *, waiting: int = 0, speed: str = "SHOW", trains: int = 45
) -> list[float]:
    """Return the milliseconds that entries are shown, the last ones of which wait in the buffer."""
    shown = len(entries) - waiting
    bare = [
        {
            "seat": entry.get("seat"),
            "at": entry.get("at"),
            "events": [{"type": event["type"]} for event in entry["events"]],
        }
        for entry in entries
    ]
    table = {"entries": bare[:shown], "view": {"seats": [{}, {}]}, "board": {"trains": trains}}
    return orjson.loads(
        evaluated(f"""
        import {{ pause, SHOW, REAL }} from "./service/page/tempo.mjs";
        const [table, waiting] = {orjson.dumps([table, bare[shown:]]).decode()};
        const lasts = table.entries.map((_, i) => pause(table, i + 1, {speed}, waiting));
        console.log(JSON.stringify(lasts));
    """)
    )


def turn(seat: int, *events: dict) -> dict:
    return {"seat": seat, "events": [*events, TURN]}


@pytest.mark.parametrize("name", ["usa", "usa-10th", "europe", "london", "paris", "former-usa"])
def test_a_whole_game_is_shown_for_one_minute_to_one_and_a_half(name):
    """However long it is, and whether the bots have played it already or not."""
    entries = read(name)
    lasts = pauses(entries)
    assert 59_999 <= sum(lasts) <= 90_001
    assert pauses(entries, waiting=len(entries) - 30) == lasts[:30]


def test_two_draws_are_one_move_and_a_claim_is_two():
    draws = [{"seat": 0, "events": [DRAW]}, turn(0, DRAW)]
    game = [*draws, turn(1, CLAIM), turn(0, DRAW), turn(1, DRAW)] * 25
    first, second, claim, alone, _ = pauses([*game, turn(0, CLAIM), turn(1, END)])[:5]
    assert first + second == pytest.approx(600)
    assert first < second
    assert (claim, alone) == pytest.approx((1200, 600))


def test_a_game_whose_end_is_unknown_has_the_pace_of_others_on_its_board():
    """A board with more trains has longer games, so its moves are shorter."""
    begun = [turn(seat, DRAW) for seat in (0, 1)]
    assert pauses(begun, trains=15) == pauses(begun, trains=10) == [1500] * 2  # no move is slower
    assert pauses(begun, trains=45) == pytest.approx([600] * 2)  # such a game lasts long enough
    assert pauses(begun, trains=1000) == [200] * 2  # no move is quicker


def test_other_speeds_are_entries_a_second_or_the_times_at_which_they_were_played():
    entries = [turn(0, CLAIM) | {"at": f"2027-01-01T00:00:{at}Z"} for at in ("00", "02", "59")]
    assert pauses(entries, speed="5") == [200] * 3
    assert pauses(entries, speed="Infinity") == [0] * 3
    assert pauses(entries, speed="REAL") == [2000, 10_000, 0]
