"""Play a bot of https://github.com/willdzeng/ticket_to_ride (BSD) for ``fogg arena --exec``, on USA
for two. Clone it, and convert the clone to Python 3: ``python3.11 -m lib2to3 -wn CLONE``. Then
``python -m benchmarks.public_bots CLONE ai.cf_ai.cf_combined_ai:CFCombinedAI`` plays one game."""

import json
import random
import sys
from collections import Counter
from contextlib import redirect_stdout
from importlib import import_module
from types import SimpleNamespace

COLORS = {"red": 0, "orange": 1, "blue": 2, "yellow": 3, "green": 4, "purple": 5, "black": 6,
          "white": 7, "wild": 8, "grey": 8}
ME, OTHER, MYSELF = "me", "other", SimpleNamespace(name="me")


class Table:
    """What their game tells its players, from our views; their bots are given our map."""

    def __init__(self, board: dict):
        self.actions, self.classes = import_module("game.actions"), import_module("game.classes")
        self.connected = import_module("game.methods").connected
        theirs = import_module("game.board")
        self.edges = {row["id"]: self.classes.Edge(
            row["a"], row["b"], row["length"], COLORS[row["color"]]) for row in board["routes"]}
        self.cities = theirs.create_city_edges([*self.edges.values()])
        theirs.create_board = lambda: (self.cities, [*self.edges.values()])
        self.tickets = {row["id"]: self.classes.Destination(row["a"], row["b"], row["points"])
                        for row in board["tickets"]}

    def show(self, view: dict) -> None:
        you, info = view["you"], self.classes.PlayerInfo()
        taken = {self.edges[claim["route"]]: ME if claim["seat"] == you["seat"] else OTHER
                 for claim in view["claims"]}
        closed = {edge[:2] for edge in taken}  # with two players, both tracks of a double route
        claims = {edge: taken.get(edge, OTHER if edge[:2] in closed else None)
                  for edge in self.edges.values()}
        cars = {(OTHER, ME)[seat["seat"] == you["seat"]]: seat["trains"] for seat in view["seats"]}
        info.hand, info.num_cars = self.classes.Hand(counted(you["hand"])), cars[ME]
        info.destinations = [ticket for ticket in map(self.tickets.get, you["tickets"])
                             if not self.connected(*ticket[:2], self.cities, claims, MYSELF)]
        actions = [(self._action(action), action) for action in you["legal_actions"]]
        self.legal = {key(theirs): action for theirs, action in actions}
        self.answers = {
            "player_info": info, "edge_claims": claims, "opponents_name": [OTHER],
            "face_up_cards": [COLORS[card] for card in view["row"]], "player_car_counts": cars,
            "available_actions": [theirs for theirs, _ in actions],
            "remaining_actions": 1 if view["deciding"][0]["decision"] == "second_card" else 2,
            "edges_for_player": {e for e in taken if taken[e] == ME}}

    def __getattr__(self, name: str):
        return lambda *_: self.answers[name.removeprefix("get_")]

    def _action(self, action: dict):
        if action["type"] == "claim_route":
            return self.actions.ConnectAction(self.edges[action["route"]], counted(action["cards"]))
        if action["type"] != "draw_card":
            return self.actions.DrawDestinationAction()
        if action["from"] == "deck":
            return self.actions.DrawDeckAction()
        return self.actions.DrawFaceUpAction(0, COLORS[action["card"]])

    def choice(self, bot, view: dict) -> dict:
        """Return the bot's action; if that is not legal, a card from the deck, else any action."""
        self.show(view)
        you, legal = view["you"], view["you"]["legal_actions"]
        if not bot.opponent_name:
            bot.initialize_game(self)
        if offered := you.get("offered"):
            select = bot.select_destinations if you["tickets"] else bot.select_starting_destinations
            kept = {*select(self, [self.tickets[ticket] for ticket in offered])}
            return next(action for action in legal
                        if kept == {self.tickets[ticket] for ticket in action["tickets"]})
        chosen = self.legal.get(key(bot.take_turn(self)))
        return chosen or next((one for one in legal if one.get("from") == "deck"), legal[0])


def counted(cards: dict[str, int]) -> Counter[int]:
    return Counter({COLORS[card]: count for card, count in cards.items()})


def key(action) -> tuple:
    """Return a key that is the same for equal actions of theirs."""
    return (type(action), getattr(action, "edge", None), getattr(action, "card", None),
            frozenset((+getattr(action, "cards", Counter())).items()))


if __name__ == "__main__":
    sys.path.append(sys.argv[1])  # last, as it has a package called logging
    sys.modules["gui"] = sys.modules["gui.gui"] = SimpleNamespace(GUI=None)
    first, answers = json.loads(sys.stdin.readline()), sys.stdout
    random.seed(first["seed"])
    with redirect_stdout(sys.stderr):  # they print
        table, (module, name) = Table(first["board"]), sys.argv[2].split(":")
        player = getattr(import_module(module), name)(ME)
        for line in sys.stdin:
            action = table.choice(player, json.loads(line)["view"])
            print(json.dumps(action), file=answers, flush=True)
