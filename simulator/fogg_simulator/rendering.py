"""A game as an SVG picture, or as text for a terminal: what a seat's view shows."""

from domain.board.board import Board
from domain.codec import Json
from domain.drawing.picture import draw
from domain.sentences import seat_text

FACTS = ("trains", "cards", "tickets")  # of a seat


class Rendered(str):
    """A rendered game; a notebook shows an SVG picture as one."""

    def _repr_svg_(self) -> str | None:
        return str(self) if self.startswith("<svg") else None


def svg(board: Board, view: Json) -> str:
    seats = [seat | {"player": {"name": seat_text(seat["seat"])}} for seat in view["seats"]]
    return draw(board, view | {"seats": seats})


def ansi(board: Board, view: Json) -> str:
    """Return lines of text: what lies on the table, a line for each seat, the observer's own
    cards and tickets."""
    deciding = {row["seat"]: row["decision"] for row in view["deciding"]}
    lines = [
        f"{board.name}, {view['status']}; face up: {' '.join(view['row'])}; deck: "
        f"{view['deck']}, discards: {view['discards']}, tickets: {view['ticket_deck']}"
    ]
    for seat in view["seats"]:
        number, score = seat["seat"], seat.get("result", {}).get("total", seat["score"])
        facts = [f"{score} points", *(f"{seat[fact]} {fact}" for fact in FACTS)]
        facts += [f"to decide: {deciding[number]}"] if number in deciding else []
        routes = " ".join(claim["route"] for claim in view["claims"] if claim["seat"] == number)
        lines.append(f"{seat_text(number)}: {', '.join(facts)}; routes: {routes or 'none'}")
    you = view["you"]
    own = [", ".join(f"{count} {color}" for color, count in you["hand"].items()) or "no cards"]
    own += [f"{name}: {' '.join(you[name])}" for name in ("tickets", "offered") if you.get(name)]
    return "\n".join((*lines, f"{seat_text(you['seat'])} holds: {'; '.join(own)}"))


MODES = {"svg": svg, "ansi": ansi}
