from fogg_client import Bot


class Mine(Bot):
    """Claims the longest route it can pay for; draws the colour it has most of until then."""

    def choose(self, view):
        by_type = {}
        for action in view["you"]["legal_actions"]:
            by_type.setdefault(action["type"], []).append(action)
        if "keep_tickets" in by_type:
            return min(by_type["keep_tickets"], key=self.miles)
        if "claim_route" in by_type:
            return max(by_type["claim_route"], key=lambda claim: sum(claim["cards"].values()))
        if "draw_card" in by_type:
            hand = view["you"]["hand"]
            return max(by_type["draw_card"], key=lambda draw: hand.get(draw.get("card"), 0))
        return view["you"]["legal_actions"][0]

    def miles(self, keep):
        """The points that the tickets of a choice would cost if none were completed."""
        points = {ticket["id"]: ticket["points"] for ticket in self.board["tickets"]}
        return sum(points[ticket] for ticket in keep["tickets"])
