"""How shares are shown."""

from domain.shown.shown import Shown, Sign

from .play import RULE, ShareDealt, ShareTaken, TakeShare

SHOWN = Shown(
    rule=RULE,
    number="4.1",
    says="A claim gives a share of a line on the route. The most shares of a line score "
    "{share_points point} at the end.",
    events={
        ShareDealt: "{seat} begins with a share of the {line} line",
        ShareTaken: "{seat} takes a share of the {line} line",
    },
    actions={TakeShare: "Take a share of the {line} line"},
    seats={"shares": "shares: {shares:counts}"},
    routes={"lines": Sign(says="lines: {lines}", sign="§")},
)
