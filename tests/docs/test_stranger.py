"""docs/fairness.md is enough to write a verifier, also for forks. ``checked`` was written from that
page alone, as ``digest_of`` and ``shuffled`` were: they use nothing of Fogg's."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest

from domain.game.proof import finished
from tests.domain.game.test_forks import played, wish
from tests.domain.game.test_proof import by_node, with_flags
from tests.domain.test_chance import below, numbers, shuffled
from tests.outside import BOARDS as OUTSIDE
from tests.service.http.test_caching import digest_of
from tools.histories.kept import expected, read
from tools.histories.written import BOARDS as SHIPPED
from tools.histories.written import BY_DIGEST, History, begun

BOARDS = SHIPPED | {"odd": OUTSIDE["odd"]}
TABLES = BY_DIGEST | {OUTSIDE["odd"].digest: OUTSIDE["odd"]}
MARK = "\ue000"  # before a number with a point, so that it keeps the form that was served


def checked(lines: list[str], board: dict) -> Iterator[str]:
    """Yield the label of each shuffle of a finished game; raise AssertionError at what is wrong.
    ``board`` is the answer to ``GET /v1/boards/ID``."""
    assert digest_of(board) == board["digest"]
    colors, tickets = board["declared"]["colors"], [ticket["id"] for ticket in board["tickets"]]
    previous, at, shuffles, discards, types = "", "", 0, dict.fromkeys(colors, 0), []
    for version, line in enumerate(lines, 1):
        entry = json.loads(line, parse_float=lambda number: f"{MARK}{number}")
        assert (entry["version"], entry["schema_version"]) == (version, 1)
        given = entry.pop("hash")
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        text = re.sub(f'"{MARK}([^"]*)"', r"\1", text)
        assert sha256(f"{previous}\n{text}".encode()).hexdigest() == given
        assert "arrived" not in entry or at <= entry["at"] >= entry["arrived"]
        previous, at = given, entry["at"]
        for event in entry["events"]:
            deals = {}  # label -> the order that is there, and the list before the shuffle
            types.append(event["type"])
            match event["type"]:
                case "game_created":
                    seed, entropy = bytes.fromhex(event["seed"]), [""] * event["seats"]
                    assert event["commitment"] == sha256(seed).hexdigest()
                    assert event["board_digest"] == board["digest"]
                    first = event.get("first_seat")
                case "seat_taken" | "seat_left":
                    entropy[event["seat"]] = event.get("entropy", "")
                case "open_seats_closed":
                    entropy = [entropy[seat] for seat in event["seats"]]
                    first = event["seats"].index(first) if first in event["seats"] else None
                case "game_started":
                    drawn = below(numbers(seed, entropy, "first-seat"), len(entropy))
                    assert event["first_seat"] == (drawn if first is None else first)
                case "tickets_shuffled":
                    is_long = event.get("kind") == "long"
                    deals["long-tickets/1" if is_long else "tickets/1"] = event["tickets"], [
                        row["id"] for row in board["tickets"] if row.get("long", False) == is_long]
                case "deck_shuffled":
                    shuffles += 1
                    counts = board["cards"] if shuffles == 1 else discards
                    deals[f"cards/{shuffles}"] = event["cards"], [
                        color for color in colors for _ in range(counts[color])]
                    discards = dict.fromkeys(colors, 0)
                case "game_forked":
                    position = event["position"]
                case "position_set":
                    shuffles = position["shuffles"]
                    discards = dict(zip(colors, position["discards"], strict=True))
                case "undrawn_shuffled":
                    for label, member, names, deck in (
                            ("fork/cards", "cards", colors, "deck"),
                            ("fork/tickets", "tickets", tickets, "ticket_deck"),
                            ("fork/long-tickets", "long_tickets", tickets, "long_deck")):
                        deals[label] = event[member], [names[i] for i in sorted(position[deck])]
                case "row_discarded" | "tunnel_cards_discarded":
                    for color in event["cards"]:
                        discards[color] += 1
                case "route_claimed" | "flag_completed" | "station_built" | "resigned":
                    for color, cards in event["cards"].items():
                        discards[color] += cards - (color == event.get("kept"))
            for label, (order, before) in deals.items():
                assert order == shuffled(seed, entropy, label, before), label
                yield label
    assert types[-1] in ("game_ended", "game_aborted")


def labels(entries: list[dict], folder) -> list[str]:
    """Return the shuffles that this verifier checks, on a board whose members have no order, once
    docs/verify.mjs has checked as many, and ``fogg verify`` all."""
    entries = json.loads(json.dumps(entries))
    table = TABLES[entries[0]["events"][0]["board_digest"]]
    board = json.loads(json.dumps(table.described, sort_keys=True))
    done = list(checked([json.dumps(entry) for entry in entries], board))
    said = by_node(folder, entries, table, sort_keys=True).stdout
    times = sum(label.startswith("cards/") for label in done)
    assert said == (f"{len(entries)} entries are right; {times} shuffles of the cards; last hash "
                    f"{entries[-1]['hash']}\n")
    assert finished(TABLES, entries).wrong is None
    return done


@pytest.mark.parametrize("name", sorted(expected()))
def test_a_stranger_verifies_the_kept_histories(name, tmp_path):
    labels(read(name), tmp_path)


@pytest.mark.parametrize("board", BOARDS)
def test_a_stranger_verifies_games_and_their_forks(board, tmp_path):
    game = begun(BOARDS[board], BOARDS[board].players[-1], 21, clock={
        "bank": 6000.5, "increment": 0.25}).play_on(with_flags).entries
    assert "cards/2" in labels(game, tmp_path)
    happened = {event["type"] for entry in game for event in entry["events"]}
    assert ("flag_completed" in happened) == ("flags" in BOARDS[board].rules)
    shuffles = set()
    for cards in ("kept", "reshuffled"):
        for steps in (2, 30, 55):
            fork = History(BOARDS[board], Random(steps))
            fork.play(None, wish(played(BOARDS[board], steps), cards))
            done = labels(fork.play_on(with_flags).entries, tmp_path)
            assert ("fork/cards" in done) == (cards == "reshuffled")
            shuffles |= {label for label in done if label.startswith("cards/")}
    assert "cards/1" not in shuffles
    assert len(shuffles) > 1
