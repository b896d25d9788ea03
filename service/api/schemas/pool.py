"""What is asked and answered about the pool."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.base import (
    Answered,
    Asked,
    Whole,
    distinct,
    many,
    one,
    one_of,
    text,
    texts,
    time,
    whole,
)
from service.api.schemas.seats import PlayerSchema
from service.matching.pool import CLOCKS, LASTS

CLOCK_WORDS = ", ".join(f"`{name}` {seconds:g}" for name, seconds in CLOCKS.items())
WISH = "What was asked for."


class PoolRequestSchema(Asked):
    """What an account is ready for."""

    boards = fields.List(
        fields.String(validate=validate.Length(1, 100)), load_default=lambda: ["usa"],
        validate=[validate.Length(1, 20), distinct],
        metadata={"description": "Ids of boards that may be played; `usa` by default. They take "
                                 "turns.", "uniqueItems": True})
    seats = fields.List(
        Whole(validate=validate.Range(2, 5)), load_default=lambda: [2],
        validate=[validate.Length(1, 4), distinct],
        metadata={"description": "With how many seats; 2 by default.", "uniqueItems": True})
    clocks = fields.List(
        fields.String(validate=validate.OneOf(list(CLOCKS))), load_default=lambda: ["normal"],
        validate=[validate.Length(1, len(CLOCKS)), distinct],
        metadata={"description": f"On which clocks, the first if there is a choice: {CLOCK_WORDS} "
                                 "seconds for each decision; `normal` by default.",
                  "uniqueItems": True})
    at_once = whole("How many games at the same time; 1 by default. The same deal from each seat "
                    "takes as many games as there are seats, so it is played from 2 on.", 1, 100,
                    required=False, load_default=1)
    lasts = whole(f"For how many seconds after a sign of life you are ready; {LASTS} by default. A "
                  "sign of life is this request, and listening to `listMyEvents`. Who only has a "
                  "webhook takes a longer time.", 10, 86_400, required=False, load_default=LASTS)


class ReadyForSchema(Answered):
    """What an account is ready for."""

    boards = texts("Ids of boards.")
    seats = fields.List(fields.Integer(), required=True, metadata={"description": "Of a game."})
    clocks = texts("Names of clocks.")
    at_once = whole("How many games at the same time.", 1)
    lasts = whole("For how many seconds a sign of life is good.", 1)


class PoolPairingSchema(Answered):
    """What is under way of the pool."""

    pairing = text("The pairing's id.")
    board = text("The board's id.")
    clock = text("The name of the clock.")
    players = many(PlayerSchema, "In the order of seats of the first game; in each game after it "
                                 "they sit one seat further on.")
    games = texts("The ids of the games: one, or the same deal once from each seat.")
    over = texts("Those of them that are over.")
    at = time("When it was decided on.")
    test = fields.Boolean(metadata={"description": "`true` where a bot is to show that it can "
                                                   "play; the game is not rated."})


class OutSchema(Answered):
    """Why the service took an account out."""

    reason = one_of(
        ["time", "illegal", "resigned"],
        "`time`: it ran out of time. `illegal`: it did in the test what the rules do not allow. "
        "`resigned`: it resigned the test.")
    game = text("In which game.")
    again_at = time("From when on it may be ready again: later with each time in a row.")


class MyPoolSchema(Answered):
    """How an account stands in the pool."""

    status = one_of(
        ["ready", "testing", "away", "out"],
        "`ready`: it is paired when somebody is near. `testing`: it is to play a game against "
        "`random` first, in which it may do nothing illegal nor run out of time. `away`: nothing "
        "was heard of it for too long; the next sign of life makes it ready again, within an hour. "
        "`out`: it is not in the pool.")
    games_today = whole("For how many games it was paired today (UTC).")
    under_way = many(PoolPairingSchema, "What it is playing.")
    wish = one(ReadyForSchema, WISH, required=False)
    ready_until = time("Until when it is ready without another sign of life.", required=False)
    out = one(OutSchema, "Where it was the service that took it out.", required=False)


class ReadySchema(Answered):
    """Somebody who is ready."""

    player = one(PlayerSchema, "Who it is.")
    wish = one(ReadyForSchema, WISH)
    tested = fields.Boolean(required=True, metadata={
        "description": "Whether it has shown that it can play, as the version that it is."})
    games_today = whole("For how many games it was paired today (UTC).")
    games_under_way = whole("How many games it is playing.")
    since = time("Since when it has waited for the next one.")


class ReadyOnBoardSchema(Answered):
    """How many are ready for a board."""

    board = text("The board's id.")
    ready = whole("How many.")


class OutCountsSchema(Answered):
    """How many were taken out."""

    time = whole("As they ran out of time.")
    illegal = whole("As they did in the test what the rules do not allow.")
    resigned = whole("As they resigned the test.")


class PoolTodaySchema(Answered):
    """How pairing has gone since midnight (UTC)."""

    pairings = whole("How many pairings.")
    games = whole("How many games they have.")
    duplicates = whole("How many of them play the same deal once from each seat.")
    with_built_in = whole("How many have a built-in bot, as nobody near was there.")
    tests_passed = whole("How many bots have shown that they can play.")
    out = one(OutCountsSchema, "How many were taken out.")
    mean_distance = fields.Float(metadata={
        "description": "How far the ratings (mu) of a pairing's players were apart, on average."})
    mean_wait = fields.Float(metadata={
        "description": "For how many seconds players had waited, on average."})


class PoolSchema(Answered):
    """The pool."""

    ready_count = whole("How many are ready.")
    ready = many(ReadySchema, "Those who have waited longest, 200 at most.")
    boards = many(ReadyOnBoardSchema, "How many are ready for each board.")
    under_way_count = whole("How many pairings are under way.")
    under_way = many(PoolPairingSchema, "The latest, 200 at most.")
    today = one(PoolTodaySchema, "How pairing has gone today.")
    reach = fields.Float(required=True, metadata={
        "description": "Within which distance of ratings (mu) two are paired at once."})
