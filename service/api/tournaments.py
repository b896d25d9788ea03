"""Tournaments: creating, entering and following them."""

from __future__ import annotations

from flask import Response

from domain.entry import IdempotencyKey
from domain.tournament.collusion import pairs
from service.accounts.accounts import Account
from service.accounts.tokens import PLAY
from service.api.answers import answer, answer_nothing, answer_page, aside
from service.api.blueprint import Blueprint
from service.api.caching import unless_had, version_headers
from service.api.callers import account, viewer
from service.api.descriptions import ANYBODY, SIGNED_IN, header, location
from service.api.limits import count_creation, count_stream
from service.api.schemas.tournaments import (
    ROUNDS,
    EntrantRequestSchema,
    PairsQuerySchema,
    PairsSchema,
    TournamentQuerySchema,
    TournamentRequestSchema,
    TournamentSchema,
    TournamentsQuerySchema,
    TournamentsSchema,
)
from service.api.serving import services
from service.store.tournaments import LoadedTournament
from service.tournaments import entering, index
from service.tournaments.tournaments import Tournaments
from service.tournaments.views import view

blueprint = Blueprint("tournaments", __name__, url_prefix="/v1/tournaments",
                      description="Tournaments: the service pairs the rounds and creates the "
                                  "games.")
TAG = {"ETag": header("The tournament's version, quoted.", '"42"')}


@blueprint.command("", "createTournament", "create-tournament", TournamentRequestSchema)
@blueprint.response(201, TournamentSchema, description="The new tournament.",
                    headers=location("The tournament.", "/v1/tournaments/c_1") | TAG)
def create_tournament(caller: Account, once: IdempotencyKey | None, body: dict):
    """Create a tournament

    You need not take part. It starts at `starts_at`, or when you start it. From then on the service
    pairs every round, creates its games, and records their results."""
    count_creation(caller)
    made = entering.create(tournaments(), caller, body, once)
    return _answer(made, caller.id, 201, {"Location": f"/v1/tournaments/{made.state.id}"})


@blueprint.operation("GET", "listTournaments", ANYBODY, 503, query=TournamentsQuerySchema)
@blueprint.response(200, TournamentsSchema, description="A page of tournaments.")
def list_tournaments(query: dict):
    """List tournaments

    Newest first. Send `next` as `after` until it is null."""
    viewer()
    return answer_page(*index.newest(
        tournaments().store, query.get("status"), query.get("after"), query["limit"]))


@blueprint.operation("GET /<string:tournament>", "getTournament", ANYBODY, 404, 409, 503,
                     query=TournamentQuerySchema)
@blueprint.response(200, TournamentSchema, description="The tournament.", headers=TAG,
                    unchanged="Your copy is still current.")
def get_tournament(query: dict, tournament: str):
    """Get a tournament

    Entrants, rounds, results and standings. A table's results appear once all its games are over.
    To follow the tournament, send its `version` as `after`, with `wait`: the answer comes as soon
    as there is a later version."""
    caller = viewer()
    if query["wait"]:
        count_stream()
    found = tournaments().after(tournament, query["after"], query["wait"])
    return unless_had(version_headers(found.state.version),
                      lambda: _answer(found, caller, rounds=query["rounds"]))


@blueprint.operation("GET /<string:tournament>/pairs", "listTournamentPairs", ANYBODY, 404, 409,
                     503, query=PairsQuerySchema)
@blueprint.response(200, PairsSchema, description="The pairs.", headers=TAG,
                    unchanged="Your copy is still current.")
def list_tournament_pairs(query: dict, tournament: str):
    """Check a tournament for collusion

    For every two entrants who shared at least two tables: whether one did better against, or next
    to, the other than chance explains. This can indicate collusion, such as one entrant losing to
    another on purpose. docs/tournaments.md says what is compared, and what this cannot find."""
    viewer()
    found = tournaments().get(tournament)
    return unless_had(version_headers(found.state.version), lambda: answer_page(
        aside(lambda: pairs(found.state))[:query["limit"]]))


@blueprint.command("/<string:tournament>/entries", "enterTournament", "enter-tournament",
                   EntrantRequestSchema)
@blueprint.response(201, TournamentSchema, description="The tournament with the new entrant.",
                    headers=location("The entry; send DELETE to withdraw it.",
                                     "/v1/tournaments/c_1/entries/p_1") | TAG)
def enter_tournament(caller: Account, once: IdempotencyKey | None, body: dict, tournament: str):
    """Enter a tournament

    Each account can enter once, before the start (a `ladder` at any time). An owner, including all
    their bots, has at most `per_owner` entries. Then follow `listMyEvents`: it sends `paired` for
    each of your games. The creator may also enter built-in bots."""
    entered = entering.enter(tournaments(), caller, tournament, body, once)
    entrant = body.get("bot", caller.id)
    where = {"Location": f"/v1/tournaments/{tournament}/entries/{entrant}"}
    return _answer(entered, caller.id, 201, where)


@blueprint.operation("DELETE /<string:tournament>/entries/<string:entrant>", "withdrawEntry",
                     SIGNED_IN, 404, 409, 503)
@blueprint.response(204, description="The entry is withdrawn.")
def withdraw_entry(tournament: str, entrant: str):
    """Withdraw an entry

    Withdraw your own entry; games under way continue. The creator may withdraw built-in bots and,
    before the start, anyone."""
    caller = account(PLAY)
    entering.withdraw(tournaments(), caller, tournament, caller.id if entrant == "me" else entrant)
    return answer_nothing()


@blueprint.command("/<string:tournament>/start", "startTournament", "start-tournament")
@blueprint.response(200, TournamentSchema, description="The tournament, which has "
                                                       "started.", headers=TAG)
def start_tournament(caller: Account, once: IdempotencyKey | None, _body: dict, tournament: str):
    """Start a tournament

    Start with the entrants so far. The service then pairs the first round. Only the creator may do
    this."""
    return _answer(entering.start(tournaments(), caller, tournament, once), caller.id)


@blueprint.command("/<string:tournament>/end", "endTournament", "end-tournament")
@blueprint.response(200, TournamentSchema, headers=TAG,
                    description="The tournament, over or in its last round.")
def end_tournament(caller: Account, once: IdempotencyKey | None, _body: dict, tournament: str):
    """End a tournament

    End a tournament before all rounds are played; a `ladder` always ends this way. The current
    round is played to its end and counts, so that nobody can cancel a bad result: `last_round`
    names it. Only the creator may do this."""
    return _answer(entering.end(tournaments(), caller, tournament, once), caller.id)


def tournaments() -> Tournaments:
    """Return the application functions of this app."""
    return services().tournaments


def _answer(
    found: LoadedTournament, caller: str | None, status: int = 200, headers: dict | None = None,
    rounds: int = ROUNDS,
) -> Response:
    tournaments().wait_for_games(found)
    shown = view(tournaments(), found, caller, rounds)
    return answer(shown, status, (headers or {}) | version_headers(found.state.version))
