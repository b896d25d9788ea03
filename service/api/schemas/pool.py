"""Requests and views of the pool."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.skill import MOVES
from service.api.schemas.base import (
    Answered,
    Asked,
    Whole,
    distinct,
    flag,
    many,
    number,
    one,
    one_of,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.seats import PlayerSchema
from service.matching.pool import CLOCKS, EXPIRES_IN_S, MAX_EARLY

CLOCK_WORDS = ", ".join(f"`{name}` {seconds:g}" for name, seconds in CLOCKS.items())
PREFERENCES = "The account's settings in the pool."


class PoolRequestSchema(Asked):
    """The games that an account is ready for."""

    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)), load_default=lambda: ["usa"],
        validate=[validate.Length(1, 20), distinct],
        metadata={"description": "Ids of boards to play in turn; `usa` by default.",
                  "uniqueItems": True})
    seats = fields.List(
        Whole(validate=validate.Range(2, 5)), load_default=lambda: [2],
        validate=[validate.Length(1, 4), distinct],
        metadata={"description": "Accepted numbers of seats; 2 by default.", "uniqueItems": True})
    clocks = fields.List(
        fields.String(validate=validate.OneOf(list(CLOCKS))), load_default=lambda: ["normal"],
        validate=[validate.Length(1, len(CLOCKS)), distinct],
        metadata={"description": f"Accepted clocks, in order of preference: {CLOCK_WORDS} seconds "
                                 "for each decision; `normal` by default.",
                  "uniqueItems": True})
    parallel_games = whole(
        "The maximum number of games at the same time; 1 by default. Leave it at 1 if you play one "
        "game after the other, as all clocks run. A pairing has one game from each seat where all "
        "players have room for so many, else one game.",
        1, 100, required=False, load_default=1)
    expires_in = whole(
        f"Seconds without a heartbeat after which you are no longer ready; {EXPIRES_IN_S} by "
        "default. This request and following `listMyEvents` are heartbeats. With only a webhook, "
        "choose a longer time.", 10, 86_400, required=False, load_default=EXPIRES_IN_S)


class PoolPreferencesSchema(Answered):
    """The games that an account is ready for."""

    boards = texts("Ids of boards.")
    seats = fields.List(fields.Integer(), required=True, metadata={
        "description": "Accepted numbers of seats."})
    clocks = texts("Names of accepted clocks.")
    parallel_games = whole("The maximum number of games at the same time.", 1)
    expires_in = whole("Seconds without a heartbeat after which the account is no longer ready.",
                       1)


class PoolPairingSchema(Answered):
    """A pairing of the pool that is under way."""

    id = text("The pairing's id.")
    board = text("The board's id.")
    clock = text("The name of the clock.")
    players = many(PlayerSchema, "The players, in the seat order of the first game. In each "
                                 "further game they move on by one seat.")
    games = texts("The ids of its games: one, or one for each seat. Each has its own deal.")
    finished = texts("The ids of its finished games.")
    at = time("When the pairing was made.")
    test = flag("`true` for a test game, in which a bot shows that it can play; it is not "
                "rated.", required=False)


class PoolRemovalSchema(Answered):
    """The reason why the service removed an account from the pool."""

    reason = one_of(
        ["timeout", "illegal", "resigned"],
        "`timeout`: it ran out of time. `illegal`: it sent an illegal action in the test game. "
        f"`resigned`: it resigned the test game, a game before it had played {MOVES} actions, or "
        f"{MAX_EARLY} games in a row before it had placed half of its trains.")
    game = text("The id of the game.")
    retry_at = time("When it may enter again. The pause grows with each removal in a row.")


class MyPoolSchema(Answered):
    """The status of an account in the pool."""

    status = one_of(
        ["ready", "testing", "away", "out"],
        "`ready`: it is paired once there is a suitable opponent. `testing`: it first has to play "
        "a game against `random` without illegal actions and without running out of time. `away`: "
        "it sent no heartbeat for too long; the next one within an hour makes it ready again. "
        "`out`: it is not in the pool.")
    games_today = whole("The number of games it was paired for today (UTC).")
    under_way = many(PoolPairingSchema, "Its pairings under way.")
    preferences = one(PoolPreferencesSchema, PREFERENCES, required=False)
    ready_until = time("When its readiness expires without another heartbeat.", required=False)
    removal = one(PoolRemovalSchema, "The reason, if the service removed it.", required=False)


class ReadyPlayerSchema(Answered):
    """A player who is ready."""

    player = one(PlayerSchema, "The player.")
    preferences = one(PoolPreferencesSchema, PREFERENCES)
    test_passed = flag("Whether its current version has passed the test game.")
    games_today = whole("The number of games it was paired for today (UTC).")
    games_under_way = whole("The number of games under way.")
    waiting_since = time("When it began to wait for the next game.")


class ReadyOnBoardSchema(Answered):
    """The number of players who are ready for a board."""

    board = text("The board's id.")
    ready = whole("The number of players.")


class PoolRemovalCountsSchema(Answered):
    """The numbers of accounts removed, by reason."""

    timeout = whole("Ran out of time.")
    illegal = whole("Sent an illegal action in the test game.")
    resigned = whole("Resigned the test game, or a game before playing.")


class PoolTodaySchema(Answered):
    """The pairings since midnight (UTC)."""

    pairings = whole("The number of pairings.")
    games = whole("The number of their games.")
    with_built_in = whole("The number of pairings with a built-in bot, for lack of a suitable "
                          "opponent.")
    tests_passed = whole("The number of bots that passed the test game.")
    removals = one(PoolRemovalCountsSchema, "The numbers of accounts removed, by reason.")
    mean_rating_difference = number("The mean difference in ratings (mu) within pairings.",
                                    required=False)
    mean_wait = number("The mean wait of players, in seconds.", required=False)


class PoolSchema(Answered):
    """The state of the pool."""

    ready_count = whole("The number of players who are ready.")
    ready = many(ReadyPlayerSchema, "The players who are ready, longest wait first; at most 200.")
    boards = many(ReadyOnBoardSchema, "The number of players who are ready, by board.")
    under_way_count = whole("The number of pairings under way.")
    under_way = many(PoolPairingSchema, "The latest pairings under way; at most 200.")
    today = one(PoolTodaySchema, "Today's pairings.")
    rating_range = number("The difference in ratings (mu) within which two players are paired "
                          "immediately.")
