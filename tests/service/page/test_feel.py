"""What a game feels like: help that knows one's tickets, movement, sound, the first lesson."""

from math import inf

import pytest

from tests.service.page.test_play import draw_two_each, sits
from tests.service.players import begun, sign_up

LIT = """() => Object.fromEntries(['helps', 'would', 'can'].map((kind) => [kind,
  [...document.querySelectorAll(`[data-lit=${kind}]`)].map((one) => one.dataset.route)]))"""


def on_ways(board, view) -> set[str]:
    """Return the unclaimed routes on the shortest ways of the tickets that a seat can complete, of
    equally long ways those with the fewest routes."""
    seat = view["you"]["seat"]
    owners = {claim["route"]: claim["seat"] for claim in view["claims"]}
    is_single = len(view["seats"]) in board["doubles_closed_for"]
    costs = {}
    for route in board["routes"]:
        twin = owners.get(route.get("twin"))
        if owners.get(route["id"]) == seat:
            costs[route["id"]] = (0, 0)
        elif route["id"] not in owners and twin != seat and not (is_single and twin is not None):
            costs[route["id"]] = (route["length"], 1)
    steps = [(one["id"], one["a"], one["b"], costs[one["id"]]) for one in board["routes"]
             if one["id"] in costs]
    places = [one["id"] for one in board["locations"]]
    far = {(a, b): (0, 0) if a == b else (inf, inf) for a in places for b in places}

    def longer(*parts):
        return tuple(map(sum, zip(*parts, strict=True)))

    for _, a, b, cost in steps:
        far[a, b] = far[b, a] = min(far[a, b], cost)
    for by in places:
        for a in places:
            for b in places:
                far[a, b] = min(far[a, b], longer(far[a, by], far[by, b]))
    tickets = {one["id"]: one for one in board["tickets"]}
    ends = [(tickets[id_]["a"], tickets[id_]["b"]) for id_ in view["you"]["tickets"]]
    return {id_ for a, b in ends if 0 < far[a, b][0] <= view["seats"][seat]["trains"]
            for id_, one, other, cost in steps if cost[0] and far[a, b] in (
                longer(far[a, one], cost, far[other, b]), longer(far[a, other], cost, far[one, b]))}


@pytest.mark.parametrize("board", ["europe", "london"])
def test_the_routes_on_ways_of_ones_tickets_are_lit_strongly_the_others_faintly(
        window, stack, board):
    ann, bob = sign_up(stack.url, "Ann", "Bob")
    game = begun(ann, bob, board=board, seed="7" * 64)
    its = sits(window, ann, game)
    described = ann.get(f"/v1/boards/{board}")
    found = []
    for _ in range(4):
        draw_two_each(ann, bob, game=game)
        view = ann.view(game)
        its.page.wait_for_selector(f"[data-version='{view['version']}'][aria-busy=false] .mine")
        lit = {kind: {*routes} for kind, routes in its.page.evaluate(LIT).items()}
        legal = {one["route"] for one in view["you"]["legal_actions"] if "route" in one}
        ways = on_ways(described, view)
        assert lit == {"helps": ways & legal, "would": ways - legal, "can": legal - ways}
        found += [*ways]
        for client in (ann, bob):  # whose ways others may be then
            now = client.view(game)
            claims = [one for one in now["you"]["legal_actions"] if one["type"] == "claim_route"]
            client.play(now, next((one for one in claims if one["route"] in ways), claims[0]))
            if client.view(game).get("tunnel"):
                client.play(client.view(game), client.view(game)["you"]["legal_actions"][0])
    assert found
