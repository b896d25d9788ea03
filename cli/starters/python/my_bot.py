from fogg_client import Bot

LONG = 4  # trains; shorter routes bring few points: they wait until no card can be drawn


class Mine(Bot):
    """Draws the colour it has most of until it can pay for a long route."""

    def choose(self, view):
        hand = view["you"]["hand"]
        return max(view["you"]["legal_actions"], key=lambda action: self.worth(action, hand))

    def worth(self, action, hand):
        """How good an action is."""
        if action["type"] == "claim_route":
            cards = sum(action["cards"].values())
            return 100 + cards if cards >= LONG else cards
        if action["type"] == "draw_card":
            return 50 + hand.get(action.get("card"), 0)
        if action["type"] == "keep_tickets":  # each costs its points if it is not completed
            points = {ticket["id"]: ticket["points"] for ticket in self.board["tickets"]}
            return -sum(points[ticket] for ticket in action["tickets"])
        return -1000
