"""Playing, and the history of what was played."""

import time
from collections.abc import Iterator
from contextlib import suppress

import orjson
from flask import Response, current_app, request
from marshmallow import ValidationError

from domain.errors import FoggError
from domain.game.legal import Listed
from domain.game.state import FINISHED
from domain.rules import action_from_json
from service.accounts.callers import account, caller_if_any, known_caller, known_holder, viewer
from service.accounts.tokens import PLAY, Caller
from service.errors import HistoryLost, NotYours, Revoked
from service.eventlog.idempotency import idempotency_key
from service.games import faults, rollbacks, streams, visibility
from service.games.batches import answers_to
from service.games.playing import ActionRequest, answer_to
from service.games.schemas import playing as schemas
from service.games.shown import Entries, LegalActions, Played
from service.games.store import LoadedGame
from service.games.views import views
from service.games.visibility import Viewer
from service.http import metrics
from service.http.answers import JSON, NDJSON, SSE, answer, answer_nothing, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import REVALIDATED, answer_version, tag_of, unless_had, version_headers
from service.http.context import context
from service.http.counting import caller_or_address, count, count_stream
from service.http.descriptions import ANYBODY, CONTENT_TAG, PREFERENCE, SIGNED_IN, VERSION_TAG
from service.http.requests import applied, is_minimal
from service.http.schemas.headers import PreferHeadersSchema, versions_in
from service.http.serving import games
from service.http.streaming import (
    BY_FORM,
    download,
    event,
    last_event_id,
    line,
    stream_of,
    wanted_form,
)
from service.redis.batches import batches_of
from service.redis.gathering import Result
from service.redis.guarding import UNREACHABLE

blueprint = Blueprint(
    "playing", __name__, url_prefix="/v1", description="Playing a game, and following it."
)
BATCH_SIZE = 32  # views sent at a time
FAULTS = (409, 422)  # statuses of what a bot may be at fault for


@blueprint.operation(
    "POST /games/<string:game>/actions",
    "playAction",
    SIGNED_IN,
    404,
    409,
    412,
    503,
    headers=schemas.ActionHeadersSchema,
    query=schemas.ActionsQuerySchema,
    body=schemas.ActionSchema,
)
@blueprint.response(
    200,
    Played,
    description="The action is played, and stored for good.",
    headers=VERSION_TAG | PREFERENCE,
)
def play_action(headers: dict, query: dict, action: dict, game: str):
    """Play an action

    Post one of the view's `legal_actions` unchanged, or `resign`. The answer has the entry that
    stores the action, and the view after it. A refused action changes nothing. On an unreliable
    network, send an `Idempotency-Key` and repeat the request until it is answered: an action that
    was already played is answered as the first time, without regard to `If-Match`.

    A `note` with the action is kept in the history. Only you can see it until the game is public in
    full; then everyone can.

    A client that follows `listMyEvents` gets its next view there. `Prefer: return=minimal` leaves
    the view out of this answer."""
    caller = known_caller(PLAY)
    asked = _request(
        caller,
        (caller.key,),
        headers | query | {"game": game, "action": action},
        headers.get("idempotency_key"),
        versions_in(headers.get("if_match")),
    )
    shown = answer_to(games(), asked)
    return answer(shown, 200, version_headers(shown["version"]) | applied(headers))


def _request(
    caller: Caller,
    tokens: tuple[str, ...],
    asked: dict,
    key: str | None,
    versions: tuple[int, ...] | None,
) -> ActionRequest:
    """Return the parsed request; ``tokens`` are the keys of the tokens that it needs."""
    listed = asked["legal_actions"]
    if "action" not in asked:
        return ActionRequest(caller, asked["game"], tokens, listed=listed)
    note = asked["action"].pop("note", None)  # the action is the same with another
    action = action_from_json(asked["action"])
    once = idempotency_key(caller.account.id, key, "action", action.json)
    return ActionRequest(
        caller,
        asked["game"],
        tokens,
        action,
        once,
        versions,
        asked.get("note", note),
        asked.get("thinking"),
        listed,
        is_minimal(asked),
    )


@blueprint.operation(
    "POST /me/actions",
    "playActions",
    SIGNED_IN,
    503,
    headers=PreferHeadersSchema,
    query=schemas.ActionsQuerySchema,
    body=schemas.ActionsRequestSchema,
)
@blueprint.response(
    200, schemas.ActionOutcomes, description="The result of each action.", headers=PREFERENCE
)
def play_actions(headers: dict, query: dict, body: dict):
    """Play actions in many games

    For bots that play many games: up to 100 actions. Each is checked, stored and answered as if it
    were posted alone, so a refused one does not affect the others. For each action the answer has
    its `status` and what `playAction` would have answered. Actions in the same game are played in
    their order. Each action counts towards the rate limit. An item without `action` returns the
    view of its game. Together with `listMyEvents`, which sends the view of every game that waits
    for you, this is all that a bot needs. A program that plays for several bots sets the `token` of
    each item. Give each action a `key`: if the response was lost, or an item's status is 429 or
    503, post it again.

    If several items of one account are refused with 412 at the same version of a game, only the
    first has `entries` and `view`. The answer has about 4 MB at most: items that no longer fit have
    status 429 and the code `answer-too-long`; neither they nor later items in the same game were
    played. If the token of the request was revoked, the answer is 401 and nothing was played. If a
    token is revoked during the request, the remaining items are 401."""
    caller = known_caller(PLAY)
    items = [_item(caller, item, headers | query) for item in body["items"]]
    requests = [item for item in items if isinstance(item, ActionRequest)]
    outcomes = answers_to(games(), requests)
    _check_sender(caller, outcomes)
    results = iter(outcomes)
    answers = [
        _item_answer(next(results) if isinstance(item, ActionRequest) else item) for item in items
    ]
    for item, one in zip(items, answers, strict=True):
        if one["status"] in FAULTS:
            _note_fault(*_game_and_account(item), one["code"])
    played = [
        item
        for item, one in zip(items, answers, strict=True)
        if isinstance(item, ActionRequest) and item.action and one["status"] == 200
    ]
    metrics.count_actions(len(played), time.perf_counter() - context().began)
    return answer({"items": answers}, headers=applied(headers))


def _check_sender(caller: Caller, outcomes: list[Result[dict]]) -> None:
    """Raise Revoked if no item was done because the token of the batch was revoked. An item that
    was done, or refused for another reason, proves that the token was valid."""
    errors = [outcome.error for outcome in outcomes]
    if not errors or (None not in errors and any(isinstance(error, Revoked) for error in errors)):
        games().check_tokens((caller.key,))


def _item(caller: Caller, item: dict | ValidationError, of_all: dict) -> ActionRequest | Exception:
    tokens: tuple[str, ...] = (caller.key,)
    try:
        if isinstance(item, dict) and "token" in item:
            caller = known_holder(item["token"], PLAY)
            if caller.key != tokens[0]:
                tokens = (caller.key, *tokens)
        if who := caller.account.answers_for:
            count("actions", who)
    except FoggError as error:
        return error
    if isinstance(item, ValidationError):
        return item
    versions = (item["if_match"],) if "if_match" in item else None
    return _request(caller, tokens, of_all | item, item.get("key"), versions)


def _item_answer(result: Result[dict] | Exception) -> dict:
    if isinstance(result, Result):
        if result.error is None:
            return {"status": 200} | result.result
        result = result.error
    problem = current_app.handle_user_exception(result)
    assert isinstance(problem, Response)
    shown = orjson.loads(problem.data)
    if later := problem.headers.get("Retry-After"):
        shown["retry_after"] = int(later)
    return shown


def _game_and_account(item: ActionRequest | Exception) -> tuple[str | None, str | None]:
    if isinstance(item, ActionRequest):
        return item.game, item.caller.account.id
    read = getattr(item, "valid_data", None)
    return (read.get("game"), context().account) if isinstance(read, dict) else (None, None)


@blueprint.after_request
def note_fault(response: Response) -> Response:
    """Count a refused action, if its code is one that counts."""
    if response.status_code in FAULTS and request.method == "POST" and request.view_args:
        _note_fault(
            request.view_args["game"], context().account, orjson.loads(response.get_data())["code"]
        )
    return response


def _note_fault(game: str | None, account_id: str | None, code: str) -> None:
    if game:
        with suppress(FoggError, *UNREACHABLE):  # the request was answered already
            faults.note(games(), game, account_id or viewer(), code)


@blueprint.operation(
    "GET /games/<string:game>/legal-actions", "listLegalActions", SIGNED_IN, 404, 409, 503
)
@blueprint.response(
    200,
    LegalActions,
    description="The legal actions.",
    headers=VERSION_TAG,
    unchanged="The game is still at that version.",
)
def list_legal_actions(game: str):
    """List your legal actions

    All actions that would be accepted now, except `resign`; none while the game waits for others.
    The view has the same list."""
    view = visibility.viewer_of(games(), account().id, game).view()
    if "you" not in view:
        raise NotYours("you have no seat in this game")
    shown = {
        "version": view["version"],
        "items": view["you"].get("legal_actions", []),
        "next": None,
    }
    return answer_version(shown, view["version"])


@blueprint.operation(
    "GET /games/<string:game>/views",
    "getViews",
    ANYBODY,
    404,
    409,
    503,
    query=schemas.ViewsQuerySchema,
)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=NDJSON,
    description="One line for each version: a `View`.",
    headers={"ETag": CONTENT_TAG["ETag"] | {"required": False}},
    unchanged="Your copy is still current.",
)
def get_views(query: dict, game: str):
    """Download all views of a game

    The view at each version after `after`, one line each: what `getGame` shows with `at` and
    `legal_actions=false`. While the game runs, each is as you could see it then; once it is
    finished, each has `revealed`. So a replay needs one download, and its client need not know how
    entries change views. To resume, send the last `version` as `after`. Only answers about finished
    games without secrets have an `ETag`. Use `Accept-Encoding: gzip`."""
    caller, after = viewer(), query["after"]
    count("views", caller_or_address())
    looking = visibility.viewer_of(games(), caller, game)
    loaded = looking.game
    if caller and (wrong := rollbacks.rollback_error(games(), game, caller, after)):
        raise wrong
    if after > loaded.state.version:
        raise rollbacks.version_error(games(), loaded, after)
    if not looking.is_open:
        return _all_views(looking, after)
    # the last view shows what may change: names of deleted accounts, members of a later release
    told = [loaded.hash, caller, len(games().store.deleted.ids), looking.view("false")]
    return unless_had(
        {"ETag": tag_of(orjson.dumps(told))} | REVALIDATED, lambda: _all_views(looking, after)
    )


def _all_views(looking: Viewer, after: int) -> Response:
    lines = map(line, views(looking, after))
    return download(b"".join(some) for some in batches_of(BATCH_SIZE, lines))


@blueprint.operation(
    "GET /games/<string:game>/events",
    "listEvents",
    ANYBODY,
    404,
    409,
    503,
    query=schemas.EntriesQuerySchema,
)
@blueprint.response(200, Entries, description="Entries as the caller may see them.")
@blueprint.streams(
    "One line for each `Entry`; empty lines are keep-alives. A line of the `type` `lost` has "
    "`version` and `previous_version`, like the event.",
    "An event `view` with your current view, then one event `entry` for each `Entry`; its `id` is "
    "the version. Comments are keep-alives. An event `lost` with `version` and "
    "`previous_version` means that the game was rolled back: all entries after `version`, up to "
    "`previous_version`, are void. A `view` and the new entries follow.",
)
@blueprint.response(
    204, description="Only for `text/event-stream`: the game is over and you have all its entries."
)
def list_events(query: dict, game: str):
    """Follow a game

    The entries after the version `after`, as you may see them; works for players, spectators and
    replays. `Accept` selects the form. JSON is one page: with `wait` the answer is delayed until
    there is something new, so a loop over `next` follows the game live. `text/event-stream` and
    `application/x-ndjson` continue until the game is over. To resume, send the last version as
    `after` or `Last-Event-ID`; nothing is missed or repeated. `wait` and `limit` are only for JSON.

    A version that does not exist is refused (`version-ahead`), as is one that was lost in a
    rollback (`history-lost`). Continue from the problem's `version`.

    In a stream with `views=true` each entry has a further member `view`: the view after it, as
    `getGame` with `at` shows it, with the legal actions of that time. So a client that follows a
    game need not know how entries change views."""
    caller, form, after = viewer(), wanted_form(), query["after"]
    looking = visibility.viewer_of(games(), caller, game)
    loaded = looking.game
    if form == JSON:
        return answer_page(*_page(looking, after, query), BY_FORM)
    if last := last_event_id("[0-9]{1,9}"):
        after = int(last)
        if form == SSE and loaded.state.status == FINISHED and after == loaded.state.version:
            return answer_nothing()
    signed_in = caller_if_any()
    token = signed_in.token if signed_in else None
    news = streams.entries(games(), caller, game, after, token, query.get("keep_alive"))
    if query["views"] == "true":
        count("views", caller_or_address())
        news = _with_views(news, query["legal_actions"])
    return stream_of(_parts(news, form, query["legal_actions"]), form)


def _page(looking: Viewer, after: int, query: dict) -> tuple[list, int | None]:
    caller, game = looking.account, looking.game
    if caller and (wrong := rollbacks.rollback_error(games(), game.state.id, caller, after)):
        raise wrong
    if query["wait"] and not _is_news(game, after):
        count_stream()
        was = game
        games().news.wait(
            game.state.id, query["wait"], lambda: _is_news(games().get(was.state.id), after)
        )
        looking = visibility.viewer_of(games(), caller, game.state.id)
        game = looking.game
        rollbacks.refuse_if_rolled_back(was, game)
    if after > game.state.version:
        error = rollbacks.version_error(games(), game, after)
        if game.state.status != FINISHED or isinstance(error, HistoryLost):
            raise error
    items = looking.entries(after, query["limit"])
    read = items[-1]["version"] if items else after
    over = game.state.status == FINISHED and read >= game.state.version
    return items, None if over else read


def _with_views(news: Iterator, listed: Listed) -> Iterator:
    """Yield what ``streams.entries`` yields, some entries at a time, each with the view after it.
    Runs without a request."""
    known: LoadedGame | None = None
    for loaded in news:
        if isinstance(loaded, tuple) and loaded[1]:
            looking, rows = loaded
            shown = views(looking, looking.game.state.version - len(rows), listed, known)
            for some in batches_of(BATCH_SIZE, zip(rows, shown, strict=True)):
                yield looking, [row | {"view": view} for row, view in some]
            known = looking.game
        else:
            known = None if isinstance(loaded, streams.Lost) else known
            yield loaded


def _parts(news: Iterator, form: str, listed: Listed) -> Iterator[bytes | None]:
    """Yield what is sent of a game, in one of the forms of a stream. Runs without a request."""
    is_first = form == SSE
    for loaded in news:
        if loaded is None:
            yield None
            continue
        if isinstance(loaded, streams.Lost):
            shown = {"version": loaded.version, "previous_version": loaded.previous_version}
            is_first = form == SSE
            yield (
                event("lost", shown, loaded.version)
                if form == SSE
                else line({"type": "lost"} | shown)
            )
            continue
        looking, rows = loaded
        if form == NDJSON:
            yield b"".join(map(line, rows)) or None
            continue
        view = [event("view", looking.view(listed))] if is_first else []
        is_first = False
        yield b"".join(view + [event("entry", row, row["version"]) for row in rows])


def _is_news(game: LoadedGame, after: int) -> bool:
    return game.state.version != after or game.state.status == FINISHED
