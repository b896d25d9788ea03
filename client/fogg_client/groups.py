"""Legal actions in groups, the short form of a long list (``legal_actions=grouped``).

    {"type": "claim_route", "route": ["a--b", "c--d"], "cards": [{"red": 2}, {"wild": 2}]}

Each member but ``type`` lists what it may be, and every combination is an action: four here.
"""

from collections.abc import Iterable
from itertools import product
from typing import Any, cast

from fogg_client.types import Action, ActionGroup, View


def actions_of(groups: Iterable[ActionGroup]) -> list[Action]:
    """Return all actions in these groups, one for each combination."""
    actions: list[dict[str, Any]] = []
    for group in groups:
        kind = group["type"]
        names = [name for name in group if name != "type"]
        choices = [cast(dict[str, Any], group)[name] for name in names]
        actions += [
            {"type": kind, **dict(zip(names, chosen, strict=True))} for chosen in product(*choices)
        ]
    return cast(list[Action], actions)


def expanded(view: View) -> View:
    """Return a view in which the list of legal actions replaces their groups, if it has groups."""
    you = view.get("you")
    if you is None or "grouped_actions" not in you:
        return view
    rest = {name: value for name, value in you.items() if name != "grouped_actions"}
    legal = {"legal_actions": actions_of(you["grouped_actions"])}
    return cast(View, {**view, "you": rest | legal})
