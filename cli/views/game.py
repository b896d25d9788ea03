"""A game in the terminal, with public information only."""

from collections.abc import Iterator
from unicodedata import category

from fogg_client import Client
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from cli.views.tables import table
from domain.rules import PARTS
from domain.sentences import Reader, plain_readers, seat_text, sentences

SEAT_COLORS = ("dodger_blue1", "red1", "green3", "gold1", "grey70", "magenta", "cyan", "white")


def watch(client: Client, game: str, console: Console) -> list[dict]:
    """Show a game until it is over; return its entries as they came."""
    board = client.get(f"/v1/boards/{client.view(game)['board']}")
    trains = {route["id"]: route.get("trains", route["length"]) for route in board["routes"]}
    entries, news = [], []
    with Live(console=console, refresh_per_second=12, transient=True) as live:
        for entry in client.entries(game):
            entries.append(entry)
            news += lines_about(entry, board)
            if len(entries) % 4 == 0 or entry["events"][-1]["type"] == "game_ended":
                view = client.view(game)
                live.update(Group(_seats(view, board), _progress(view, board, trains), *news[-6:]))
    return entries


def lines_about(entry: dict, board: dict) -> Iterator[Text]:
    """Yield the sentence of each event of an entry that has one, a seat in its colour."""
    for said in sentences(entry["events"], board["declared"]["events"], readers(board)):
        line = Text(printable(said))
        for number, color in enumerate(SEAT_COLORS):
            line.highlight_words([seat_text(number)], color)
        yield line


def printable(text: str) -> str:
    """Return a text with a name, which a file may have from anybody, without what controls a
    terminal. A joiner stays, as emoji of several parts have it."""
    return "".join(letter for letter in text if category(letter)[0] != "C" or letter == "\u200d")


def readers(board: dict) -> dict[str, Reader]:
    """Return readers of sentences that write places by their names."""
    places = {place["id"]: place["name"] for place in board["locations"]}

    def ends(ids: str | list[str]) -> str:
        each = [ids] if isinstance(ids, str) else ids
        return ", ".join(" to ".join(places[end] for end in one.split("--")[:2]) for one in each)

    return plain_readers(seat=seat_text, place=places.__getitem__) | {"route": ends}


def result_table(view: dict) -> Table:
    """Return the final scores, part by part, the winner first."""
    parts = [part for part in PARTS if any(seat["result"].get(part) for seat in view["seats"])]
    rows = []
    for seat in sorted(view["seats"], key=lambda seat: seat["result"]["rank"]):
        result = seat["result"]
        held = len(seat["revealed"]["tickets"])
        rows.append(
            (
                str(result["rank"]),
                _seat(seat["seat"]),
                _name(seat),
                *(str(result[p]) for p in parts),
                Text(str(result["total"]), "bold"),
                f"{result['tickets_completed']}/{held}",
                str(result["longest_path_length"]),
            )
        )
    return table(
        (
            "rank",
            "seat",
            "player",
            *(part.replace("_", " ") for part in parts),
            "total",
            "tickets",
            "path",
        ),
        rows,
        ["player"],
        f"{view['board']} after {view['version']} actions",
    )


def winners(view: dict) -> str:
    return " and ".join(
        f"{seat['player']['name']} ({seat_text(seat['seat'])})"
        for seat in view["seats"]
        if seat["result"]["rank"] == 1
    )


def _seats(view: dict, board: dict) -> Table:
    deciding = {row["seat"] for row in view["deciding"]}
    rows = [
        (
            ">" if seat["seat"] in deciding else " ",
            _seat(seat["seat"]),
            _name(seat),
            *(str(seat[part]) for part in ("score", "trains", "cards", "tickets")),
        )
        for seat in view["seats"]
    ]
    return table(
        ("", "seat", "player", "score", "trains", "cards", "tickets"),
        rows,
        ["player"],
        f"{board['name']}: {view['deck']} cards and {view['ticket_deck']} tickets to draw",
    )


def _progress(view: dict, board: dict, trains: dict[str, int]) -> Table:
    """Return a progress bar: full once any seat has placed all its trains."""
    placed = dict.fromkeys((seat["seat"] for seat in view["seats"]), 0)
    for claim in view["claims"]:
        placed[claim["seat"]] += trains[claim["route"]]
    done = max(placed.values())
    row = Table.grid(padding=(0, 1))
    row.add_row(
        f"{view['version']:>4} actions",
        ProgressBar(total=board["trains"], completed=done, width=40),
        f"{done}/{board['trains']} trains",
    )
    return row


def _seat(number: int) -> Text:
    return Text(seat_text(number), SEAT_COLORS[number])


def _name(seat: dict) -> Text:
    return Text(seat["player"]["name"], SEAT_COLORS[seat["seat"]])
