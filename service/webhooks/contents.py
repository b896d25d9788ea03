"""The content of deliveries. It is built when it is sent, so that no cards are stored with a
delivery, and no turn is announced that was played in the meantime."""

import logging
import time
from typing import Annotated, NotRequired, TypedDict

import orjson

from domain.described import Action, Positive, Time, choice
from domain.errors import FoggError
from service.games.games import Games
from service.games.notices import LOST, NOTICES, YOUR_TURN, Situation, facts, lost_games, notice
from service.times import as_time
from service.webhooks.attempts import PING
from service.webhooks.lanes import Delivery
from service.webhooks.webhooks import Webhook, signature, signing_secret, token

log = logging.getLogger(__name__)


class Call(Situation):
    """A call to a webhook: a `Notice` with a time, or a test."""

    type: Annotated[str, choice([*NOTICES, PING]), "As in `Notice`; `ping` is a test."]
    timestamp: Annotated[Time, "When the situation arose."]
    game: NotRequired[Annotated[str, "As in `Notice`; missing from `ping`."]]
    webhook: NotRequired[Annotated[str, "The webhook's id, with `ping`."]]


class CallAnswer(TypedDict):
    """The optional response to `your_turn`: the action to play."""

    action: NotRequired[
        Annotated[
            Action, "One of the view's `legal_actions`. It is played as if you had posted it."
        ]
    ]
    version: NotRequired[
        Annotated[
            Positive,
            "The version of the view that it was chosen from. If the game has a later "
            "version, it is not played.",
        ]
    ]


def content(games: Games, webhook: Webhook, delivery: Delivery) -> dict | None:
    """Return the content of a delivery, None if it is out of date."""
    fact = delivery.fact
    try:
        shown = _notice(games, webhook, delivery)
    except FoggError as error:
        log.warning("%s cannot be notified of %s: %s", webhook.id, fact.game, error)
        return None
    return shown and {"type": shown["type"], "timestamp": as_time(fact.at)} | shown


def _notice(games: Games, webhook: Webhook, delivery: Delivery) -> dict | None:
    fact, player = delivery.fact, webhook.account
    if fact.type == PING:
        return {"type": PING, "webhook": webhook.id}
    for source in games.notices:
        if source.type == fact.type:
            return source.of(fact, player)
    if fact.type == LOST:
        return next((shown for known, shown in lost_games(games, player) if known == fact), None)
    game = games.get(fact.game)
    return notice(games, game, player, fact) if fact in facts(game, player) else None


def request(games: Games, webhook: Webhook, delivery: Delivery, attempt: int, shown: dict) -> dict:
    """Return everything that a worker needs to attempt a delivery."""
    at, body = int(time.time()), orjson.dumps(shown).decode()
    secret = signing_secret(games.redis, webhook.id)
    asked = {
        "call": delivery.member,
        "attempt": attempt,
        "url": webhook.url,
        "body": body,
        "headers": {
            "webhook-id": delivery.id,
            "webhook-timestamp": str(at),
            "webhook-signature": signature(secret, delivery.id, at, body),
        },
    }
    if delivery.fact.type == YOUR_TURN:
        asked["play"] = {"game": delivery.fact.game, "token": token(games.redis, webhook.id)}
    return asked
