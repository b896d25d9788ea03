"""Playing, and the history of what was played."""

from __future__ import annotations

import orjson

from domain.commands import action_from_json
from domain.state import FINISHED
from domain.view import redacted
from service.api.games import etag, seen
from service.api.http import (
    ANYBODY,
    SIGNED_IN,
    VERSION_TAG,
    Blueprint,
    account,
    account_if_any,
    answer,
    games,
)
from service.api.problems import of_error
from service.api.schemas.games import ActionHeadersSchema, EntriesQuerySchema
from service.api.schemas.tagged import ActionSchema
from service.api.schemas.views import EntriesSchema, LegalActionsSchema, PlayedSchema
from service.errors import NotYours, Stale
from service.games import seat_of
from service.store import Game

blueprint = Blueprint("playing", __name__, url_prefix="/v1/games",
                      description="Playing a game, and following it.")


@blueprint.route("/<string:game>/actions", methods=["POST"])
@blueprint.doc(operationId="playAction", security=SIGNED_IN)
@blueprint.problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 503)
@blueprint.arguments(ActionHeadersSchema, location="headers")
@blueprint.arguments(ActionSchema)
@blueprint.response(200, PlayedSchema, description="The action is played, and stored for good.",
                    headers=VERSION_TAG)
def play_action(headers: dict, action: dict, game: str):
    """Play an action

    Post one of the view's `legal_actions` unchanged, or `resign`. The answer holds the entry that
    the action became and the view after it. A refused action changes nothing. To be safe on a bad
    network send an `Idempotency-Key` and repeat the request until it is answered: an action that
    was played already is answered with its entry and the present view, whatever `If-Match` says."""
    caller = account()
    version = headers.get("if_match")
    try:
        played, entry = games().act(
            caller, game, action_from_json(action),
            key=headers.get("idempotency_key"),
            version=int(version.strip('"')) if version else None)
    except Stale as stale:
        now = games().get(game)
        return of_error(stale, version=now.state.version, view=seen(now, caller),
                        entries=_entries(now, caller, stale.since))
    shown = {"version": entry["version"], "entries": [_seen_entry(played, caller, entry)],
             "view": seen(played, caller)}
    return answer(shown, 200, etag(played))


@blueprint.route("/<string:game>/legal-actions")
@blueprint.doc(operationId="listLegalActions", security=SIGNED_IN)
@blueprint.problems(401, 403, 404, 422, 503)
@blueprint.response(200, LegalActionsSchema, description="What may be played.",
                    headers=VERSION_TAG)
def list_legal_actions(game: str):
    """List one's legal actions

    Exactly those that would be accepted now, `resign` aside; none while the game waits for
    others. The view has the same list."""
    caller = account()
    found = games().get(game)
    you = seen(found, caller).get("you")
    if you is None:
        raise NotYours("you have no seat in this game")
    shown = {"version": found.state.version, "items": you.get("legal_actions", []), "next": None}
    return answer(shown, 200, etag(found))


@blueprint.route("/<string:game>/events")
@blueprint.doc(operationId="listEvents", security=ANYBODY)
@blueprint.problems(401, 404, 422, 503)
@blueprint.arguments(EntriesQuerySchema, location="query")
@blueprint.response(200, EntriesSchema, description="Entries as the caller may see them.")
def list_events(query: dict, game: str):
    """Follow a game

    Its history from the version `after` on, as you may see it. With `wait` the answer is held
    back until there is something new, so that a loop over `next` follows the game live."""
    caller, after = account_if_any(), query["after"]
    games().get(game)
    if query["wait"]:
        games().news.wait(game, query["wait"], lambda: _is_news(games().get(game), after))
    found = games().get(game)
    items = _entries(found, caller, after, query["limit"])
    read = items[-1]["version"] if items else after
    over = found.state.status == FINISHED and read >= found.state.version
    return answer({"items": items, "next": None if over else read})


def _is_news(game: Game, after: int) -> bool:
    return game.state.version > after or game.state.status == FINISHED


def _entries(game: Game, caller: dict | None, after: int, limit: int | None = None) -> list[dict]:
    """Return the entries after a version as the caller may see them, up to the game's version."""
    last = game.state.version if limit is None else min(game.state.version, after + limit)
    if last <= after:
        return []
    return [
        _seen_entry(game, caller, orjson.loads(raw) | {"hash": entry_hash})
        for raw, entry_hash in games().store.entries(game.state.id, after, last)
    ]


def _seen_entry(game: Game, caller: dict | None, entry: dict) -> dict:
    return redacted(entry, seat_of(game.state, caller), game.state.status == FINISHED)
