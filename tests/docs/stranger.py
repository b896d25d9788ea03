"""A verifier that was written from docs/fairness.md alone: it uses nothing of Fogg's."""

import hmac
import json
import re
from collections.abc import Iterator
from hashlib import sha256

MARK = "\ue000"  # before a number with a point, so that it keeps the form that was served


def checked(lines: list[str], board: dict) -> Iterator[str]:
    """Yield the label of each shuffle of a finished game; raise AssertionError at what is wrong.
    ``board`` is the answer to ``GET /v1/boards/ID``."""
    assert digest(board) == board["digest"]
    colors, tickets = board["declared"]["colors"], [ticket["id"] for ticket in board["tickets"]]
    previous, shuffles, discards, is_over = "", 0, dict.fromkeys(colors, 0), False
    seed, entropy, first, position, entry_at = b"", [], None, {}, ""
    for version, line in enumerate(lines, 1):
        entry = json.loads(line, parse_float=lambda number: f"{MARK}{number}")
        assert (entry["version"], entry["schema_version"]) == (version, 1)
        given = entry.pop("hash")
        assert sha256(f"{previous}\n{text_of(entry)}".encode()).hexdigest() == given
        previous = given
        if "arrived" in entry:
            assert entry_at <= entry["at"] >= entry["arrived"]
        entry_at = entry["at"]
        for event in entry["events"]:
            deals = {}  # label -> the order that is there, and the list before the shuffle
            match event["type"]:
                case "game_created":
                    seed, entropy = bytes.fromhex(event["seed"]), [""] * event["seats"]
                    assert event["commitment"] == sha256(seed).hexdigest()
                    assert event["board_digest"] == board["digest"]
                    first = event.get("first_seat")
                case "seat_taken":
                    entropy[event["seat"]] = event.get("entropy", "")
                case "seat_left":
                    entropy[event["seat"]] = ""
                case "open_seats_closed":
                    entropy = [entropy[seat] for seat in event["seats"]]
                    first = event["seats"].index(first) if first in event["seats"] else None
                case "game_started":
                    drawn = below(numbers(seed, entropy, "first-seat"), len(entropy))
                    assert event["first_seat"] == (drawn if first is None else first)
                case "tickets_shuffled":
                    is_long = event.get("kind") == "long"
                    label = "long-tickets/1" if is_long else "tickets/1"
                    deals[label] = event["tickets"], [
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
                    for color, count in event["cards"].items():
                        discards[color] += count
                    if "kept" in event:
                        discards[event["kept"]] -= 1
                case "game_ended" | "game_aborted":
                    is_over = True
            for label, (order, before) in deals.items():
                assert order == shuffled(before, numbers(seed, entropy, label)), label
                yield label
    assert is_over


def text_of(entry: dict) -> str:
    """Return the canonical form of an entry."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return re.sub(f'"{MARK}([^"]*)"', r"\1", text)


def digest(board: dict) -> str:
    """Return the digest of a board's table, from the service's answer."""
    table = {name: value for name, value in board.items()
             if name not in ("id", "digest", "declared")} | {"board": board["id"]}
    for name, added in (("routes", ("id", "twin", "trains")), ("tickets", ("id",))):
        table[name] = [{k: v for k, v in row.items() if k not in added} for row in board[name]]
    return sha256(json.dumps(table, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def numbers(seed: bytes, entropy: list[str], label: str) -> Iterator[int]:
    key, i = hmac.digest(seed, ("fogg/1\n" + "\n".join(entropy)).encode(), "sha256"), 0
    while True:
        yield int.from_bytes(hmac.digest(key, f"{label}:{i}".encode(), "sha256")[:8], "big")
        i += 1


def below(given: Iterator[int], n: int) -> int:
    return next(number for number in given if number < 2**64 // n * n) % n


def shuffled(items: list[str], given: Iterator[int]) -> list[str]:
    items = [*items]
    for i in range(len(items) - 1, 0, -1):
        j = below(given, i + 1)
        items[i], items[j] = items[j], items[i]
    return items
