"""What has happened in a game, an entry a line."""

from __future__ import annotations

from typing import Any

from cli.mcp.boards import counts


def news_text(entries: list[dict[str, Any]], seat: int | None) -> list[str]:
    """Return what others have done, by the entries since one's own last action."""
    mine = [place for place, entry in enumerate(entries) if entry.get("seat") == seat]
    since = entries[mine[-1] + 1:] if mine else entries
    return [line for entry in since for line in entry_text(entry)]


def entry_text(entry: dict[str, Any]) -> list[str]:
    """Return a line about each event of an entry that is worth one."""
    return [line for event in entry["events"] if (line := _line(event))]


def _line(event: dict[str, Any]) -> str | None:
    seat = f"seat {event.get('seat')}"
    match event["type"]:
        case "card_drawn":
            if event["from"] == "row":
                return f"{seat} took {event['card']} from the row"
            return f"{seat} drew {event.get('card', 'a card')} from the deck"
        case "route_claimed":
            return (f"{seat} claimed {event['route']} for {event['points']} points, paying "
                    f"{counts(event['cards'])}")
        case "tickets_drawn":
            return f"{seat} drew {_number(event, 'tickets')} tickets to choose from"
        case "tickets_kept":
            return f"{seat} kept {_number(event, 'kept')} tickets"
        case "station_built":
            return f"{seat} built a station in {event['location']}"
        case "tunnel_attempted":
            return f"{seat} laid {counts(event['cards'])} for the tunnel {event['route']}"
        case "tunnel_cost_raised":
            return f"the tunnel asks {seat} for {event['extra']} cards more"
        case "tunnel_withdrawn":
            return f"{seat} gave the tunnel up"
        case "flag_completed":
            return f"{seat} completed a flag for {event['points']} points"
        case "row_discarded":
            return "the whole row was discarded and turned anew"
        case "deck_shuffled":
            return "the deck was shuffled"
        case "resigned":
            return f"{seat} left the game"
        case "passed":
            return f"{seat} passed"
        case "final_turns_began":
            return "the final turns began"
        case "game_ended":
            return "the game is over"
    return None


def _number(event: dict[str, Any], member: str) -> int:
    return event.get(f"{member}_count", len(event.get(member, ())))
