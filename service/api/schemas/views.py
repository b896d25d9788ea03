"""A game, its entries, and notices, as the caller may see them."""

from __future__ import annotations

from marshmallow import Schema, fields

from domain.game.state import FINISHED, LOBBY, PLAYING
from domain.game.view import (
    BEGUN,
    ENDING,
    GAME,
    HEAD,
    SEAT,
    SEAT_BEGUN,
    SEAT_ENDING,
    SEAT_LOBBY,
    SETTINGS,
    YOU,
    YOU_BEGUN,
)
from domain.rules import ALL, RULES
from domain.secrecy import Member
from domain.tournament.announcing import CHANGES
from domain.tournament.events import ENDINGS
from service.api.schemas import pages
from service.api.schemas.base import (
    Answered,
    ProblemSchema,
    cards,
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
from service.api.schemas.declared import answer_of, fields_of
from service.api.schemas.histories import LogHeadSchema
from service.api.schemas.seats import (
    ClockSchema,
    PairingSchema,
    PlaceSchema,
    PlayerSchema,
    ResultSchema,
)
from service.api.schemas.tagged import (
    ActionGroupSchema,
    ActionSchema,
    EventSchema,
    PlayedActionSchema,
)
from service.games.notices import NOTICES

STATUSES = [LOBBY, PLAYING, FINISHED]


def _of_rules(where: str) -> tuple[Member, ...]:
    """Return the members that rules add to a part of views."""
    return tuple(shown for rule in RULES for shown in getattr(rule, where))


def status() -> fields.String:
    """Return the field for a game's status."""
    return one_of(STATUSES, "`lobby` until every seat is taken, then `playing`, then `finished`.")


class RevealedSchema(Answered):
    """The cards and tickets of a seat at the end of the game or, with `at`, at that version."""

    hand = cards("Cards in hand.")
    tickets = texts("Tickets kept.")
    offered = texts("Offered tickets, if the seat had not chosen yet at that "
                    "version.", required=False)


class DecidingSchema(Answered):
    """A decision that the game waits for."""

    seat = whole("The seat that has to decide.")
    decision = one_of(ALL.decisions, "The kind of decision.")
    deadline = time("When the action has to arrive, if the game has a clock. A built-in bot has no "
                    "deadline, since its clock does not run while it waits for a worker.",
                    required=False)


class OriginSchema(Answered):
    """The position that a fork continues from."""

    game = text("The id of the original game.")
    version = whole("The version of the original game.", 1)
    cards = one_of(["reshuffled", "kept"], "Whether undrawn cards and tickets were `reshuffled` or "
                                           "keep their order (`kept`); then anyone who has seen "
                                           "the original game knows the order.")


NESTED: dict[str, type[Schema]] = {
    "player": PlayerSchema, "invited": PlayerSchema, "result": ResultSchema,
    "revealed": RevealedSchema, "deciding": DecidingSchema, "clock": ClockSchema,
    "fork": OriginSchema}

SeatSchema = answer_of(
    "Seat",
    "The public part of a seat. Once the game has started, it includes score, trains, and numbers "
    "of cards and tickets.",
    {
        **fields_of(SEAT, NESTED, required=True),
        **fields_of((*SEAT_LOBBY, *SEAT_BEGUN, *_of_rules("seat_view"), *SEAT_ENDING), NESTED,
                    required=False),
        "bank": number("Seconds left in the seat's bank at the start of the present decision, if "
                       "the clock has a bank or a total.", required=False),
    })


OwnSeatSchema = answer_of(
    "OwnSeat",
    "The private part of the caller's own seat. In the lobby it has only the seat's number.",
    {
        **fields_of(YOU, NESTED, required=True),
        **fields_of(YOU_BEGUN, NESTED, required=False),
        "legal_actions": many(
            ActionSchema, "All actions that may be posted now, except `resign`; empty while the "
                          "game waits for others.", required=False),
        "grouped_actions": many(
            ActionGroupSchema, "The same actions in groups, with `legal_actions=grouped`.",
            required=False),
    })


ViewSchema = answer_of(
    "View",
    "A game as the caller may see it. The table's members appear once the game has started.",
    {
        **fields_of(HEAD, NESTED, required=True),
        "creator": text("The id of the account that created the game, or of the tournament."),
        "seats": many(SeatSchema, "The seats in the order of play."),
        **fields_of(GAME, NESTED, required=True),
        **fields_of((*BEGUN, *_of_rules("view"), *ENDING, *SETTINGS), NESTED, required=False),
        "visibility": one_of(["unlisted", "private"], "Where the game is not public.",
                             required=False),
        "spectators": flag("`false` where those without a seat may not watch.", required=False),
        "tournament": one(PlaceSchema, "Where the game belongs, if it is one of a tournament.",
                          required=False),
        "pool": one(PairingSchema, "Which pairing the game is of, if it is one of the pool.",
                    required=False),
        "created": time("When the game was created."),
        "updated": time("When the last entry was accepted."),
        "started": time("When the first tickets were dealt; missing before.", required=False),
        "you": one(OwnSeatSchema, "The caller's own seat; missing if they have none.",
                   required=False),
        "invitation": text("The code for joining, if the game is not public; only the creator sees "
                           "it.",
                           required=False),
        "unrated": text("Why the game will not be rated; only in the answer to `createGame`, "
                        "missing if it may be.", required=False),
    })


class EntrySchema(Answered):
    """An entry of a game's history: one accepted action, or a step in the lobby."""

    version = whole("The game's version after it.", 1)
    at = time("When it was accepted.")
    schema_version = whole("The version of the entry format.", 1)
    seat = whole("The seat that acted; missing for steps in the lobby.", required=False)
    action = one(PlayedActionSchema, "The action; missing for steps in the lobby.", required=False)
    note = text("The player's note on the action. Only the player sees it until the game is public "
                "in full; then everyone does.", required=False)
    available = time("If the game has a clock: when the decision was due.", required=False)
    arrived = time("If the game has a clock: when the action arrived.", required=False)
    paused = whole("Milliseconds of the service's downtime between these two, which do not "
                   "count.", 1,
                   required=False)
    queued = whole("Milliseconds that a built-in bot waited for a worker between these two, which "
                   "do not count.", 1,
                   required=False)
    timed_out = flag("Whether time ran out, so that the seat left or the service acted for "
                     "it.", required=False)
    events = many(EventSchema, "The events of the entry, in order.")
    hash = text("SHA-256 of the previous hash, a newline and this entry; see docs/fairness.md.")
    salt = text("Random text that keeps the hash from revealing secrets; shown once the game is "
                "finished.",
                required=False)
    log_head = one(LogHeadSchema, "In the first entry: the head of the log of finished games "
                                  "(`getLog`) when the game was created.", required=False)
    command = text("Hashes of the idempotency key, if there was one, and of the request; shown "
                   "once the game is finished.",
                   required=False)


class EntriesSchema(Answered):
    """A page of a game's history."""

    items = many(EntrySchema, "The entries, oldest first.")
    next = fields.Integer(required=True, allow_none=True, metadata={
        "description": "The `after` of the next request; null once the game is over and fully "
                       "read."})


class PlayedSchema(Answered):
    """The answer to an accepted action."""

    version = whole("The game's version after the action.", 1)
    entries = many(EntrySchema, "The entry that stores the action.")
    view = one(ViewSchema, "The game after the action; left out with `Prefer: return=minimal`.",
               required=False)


class NoticeSchema(Answered):
    """A notice for an account about one of its games, or a tournament that it takes part in or
    organises."""

    type = one_of(
        NOTICES, "`paired`: a tournament or the pool has created a game for you. `started`: the "
                 "first tickets are dealt. `your_turn`: the game waits for your decision. `over`: "
                 "it is over. `invited`: a seat is reserved for you. `declined`: an invitation of "
                 "yours was declined or has expired. `lost`: it was rolled back because a server "
                 "lost entries; get it again. `tournament`: something has happened in a "
                 "tournament, see `change`.")
    game = text("The game's id; with `tournament`, the tournament's id, as there may be no game.")
    player = one(PlayerSchema, "With `declined`: the player who was invited.", required=False)
    tournament = text("The tournament's id, with `paired` and `tournament`.", required=False)
    change = one_of(
        CHANGES, "With `tournament`. `begun`: it has started. `round`: a round was paired; only "
                 "the creator and entrants with a bye get this (the others get `paired`). "
                 "`removed`: the creator has removed `entrant`. `withdrawn`: `entrant` is not "
                 "paired any more. `disqualified`: `entrant` is disqualified. `reinstated`: the "
                 "disqualification of `entrant` is lifted. `last_round`: the creator has ended it, "
                 "`round` is the last one. `ended`: it is over, see `ending`. Notices about one "
                 "entrant go to that entrant and the creator.", required=False)
    name = text("The tournament's name, with `tournament`.", required=False)
    at = time("When it happened, with `tournament`.", required=False)
    round = whole("The number of the round, with `paired` and `tournament`.", 1, required=False)
    board = text("The board of the round, with `round`.", required=False)
    bye = flag("True if you have a bye in the round, with `round`.", required=False)
    entrant = one(PlayerSchema, "The entrant whom it is about.", required=False)
    reason = text("Why: the creator's reason; `absent` if the service has withdrawn the "
                  "entrant, as no action came. With `declined`: the reason of the invited player, "
                  "or `expired`.", required=False)
    ending = one_of(ENDINGS, "How it ended, with `ended`: `complete`: all rounds were played; "
                    "`too_few`: at the time of its start there were too few entrants; `ended`: the "
                    "creator has ended it; `expired`: nobody has started it.", required=False)
    pool = text("The pairing's id, with `paired` by the pool.", required=False)
    version = whole("The game's version; missing before the game starts. With `lost`, the version "
                    "that is left, or 0 if none is.", 0, required=False)
    previous_version = whole("With `lost`: the version before the rollback.", 1, required=False)
    view = one(ViewSchema, "The game as you may see it, with `your_turn`, `over` and `invited`.",
               required=False)
    by = one(PlayerSchema, "With `invited`: the player who invited you.", required=False)
    cursor = text("The cursor to resume from after this notice. If several notices come together, "
                  "only the last has it.", required=False)


class NoticesSchema(Answered):
    """A page of notices."""

    items = many(NoticeSchema, "The notices.")
    next = text("The `after` of the next request.")


class LegalActionsSchema(Answered):
    """The caller's legal actions."""

    version = whole("The game's version at which they are legal.", 1)
    items = many(ActionSchema, "The complete list.")
    next = fields.Integer(required=True, allow_none=True, metadata={
        "description": "Always null: there is one page."})


class ListedSeatSchema(Answered):
    """A seat of a game in a list."""

    seat = whole("The seat's number.")
    player = one(PlayerSchema, "The player; missing while the seat is open.", required=False)
    invited = one(PlayerSchema, "The player for whom the seat is reserved.", required=False)
    expires = time("When the invitation expires.", required=False)
    rating_from = whole("The minimum overall rating for this seat.", None, required=False)
    rating_to = whole("The maximum overall rating for this seat.", None, required=False)
    score = whole("Points so far, while the game is under way and anyone may watch it.",
                  required=False)
    total = whole("Final points, once the game is finished.", None, required=False)
    rank = whole("Final rank, once the game is finished.", 1, required=False)


class ListedGameSchema(Answered):
    """A game in a list."""

    id = text("The game's id.")
    board = text("The board's id.")
    status = status()
    version = whole("The number of entries in the game's history.", 1)
    created = time("When it was created.")
    updated = time("When the last entry was accepted.")
    started = time("When the first tickets were dealt; missing before.", required=False)
    seats = many(ListedSeatSchema, "The seats in the order of play.")
    deciding = many(DecidingSchema, "The decisions that the game waits for. The `deadline` is left "
                                    "out, because it moves with the service's downtime and rows of "
                                    "lists are stored as of `version`; the game's view has it.")
    visibility = one_of(["unlisted", "private"], "The visibility, if the game is not "
                                                 "public.", required=False)
    clock = one(ClockSchema, "The time that seats have, if the game has a clock.",
                required=False)
    tournament = one(PlaceSchema, "Its place in a tournament, if it belongs to one.",
                     required=False)


GamesSchema = pages.page_of(
    ListedGameSchema, "GamesSchema", "A page of games, newest first.",
    "The games.")


class StaleProblemSchema(ProblemSchema):
    """The game has a later version. The problem includes what is needed to decide again."""

    version = whole("The game's current version.", 1)
    entries = many(EntrySchema, "The first 50 entries after the version in `If-Match`, as the "
                                "caller may see them.")
    next = whole("If there are more entries: the `after` with which `listEvents` "
                 "continues.", 1, required=False)
    view = one(ViewSchema, "The current view of the game.")
