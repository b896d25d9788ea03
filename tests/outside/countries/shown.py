"""How countries are shown."""

from domain.shown.shown import Shown, Sign

from .play import RULE

SHOWN = Shown(
    rule=RULE,
    number="5.3",
    says="A ticket with countries is completed by any place of one of them, and scores the best "
    "that is reached; if none is, it loses the least. If its other end is in a country, any "
    "place of that will do.",
    locations={"country": Sign(says="country {country}")},
    tickets={"countries": Sign(says="points by country: {countries:counts}")},
)
