"""The tunnels that seats withdrew from. Without this memory a bot might lay the same cards for the
same tunnel for ever, as its view shows the same after it took them back."""

from collections import Counter, OrderedDict

from fogg_client.types import Action, View

from workers.bots.board import WILD

MAX_SEATS = 1_000  # that are remembered
Hands = dict[str, Counter[str]]  # by tunnel: the cards held when it last asked for more


class Withdrawn:
    """Remembers, by game and seat, the hand with which a seat faced the extra cost of a tunnel. A
    worker that takes over a game does not know it, and may attempt each tunnel once more."""

    def __init__(self) -> None:
        self._seats: OrderedDict[tuple[str, int], tuple[int, Hands]] = OrderedDict()

    def avoid(self, view: View) -> View:
        """Return the view without claims of tunnels that the seat withdrew from and for which it
        holds no more cards that help; the same view if nothing else is legal."""
        you = view["you"]
        hands: Hands = {}
        seat = view["id"], you["seat"]
        if seat in self._seats:
            version, hands = self._seats[seat]
            if version > view["version"]:  # another game with this id
                del self._seats[seat]
                hands = {}
        if "tunnel" in view and view["tunnel"]["seat"] == you["seat"]:
            tunnel = view["tunnel"]
            held = Counter(you["hand"]) + Counter(tunnel["laid"])
            self._remember(seat, view["version"], hands | {tunnel["route"]: held})
        elif hands:
            held = Counter(you["hand"])
            actions = [each for each in you["legal_actions"] if not _is_vain(each, held, hands)]
            if actions:
                return view | {"you": you | {"legal_actions": actions}}
        return view

    def _remember(self, seat: tuple[str, int], version: int, hands: Hands) -> None:
        self._seats[seat] = version, hands
        self._seats.move_to_end(seat)
        if len(self._seats) > MAX_SEATS:
            self._seats.popitem(last=False)


def _is_vain(action: Action, held: Counter[str], hands: Hands) -> bool:
    if action["type"] != "claim_route" or action["route"] not in hands:
        return False
    before, helpful = hands[action["route"]], {*action["cards"], WILD}
    return sum(held[color] for color in helpful) <= sum(before[color] for color in helpful)
