"""Tournaments: creating, entering and following them."""

from flask import Response

from domain.entry import IdempotencyKey
from domain.errors import Refused
from domain.tournament.rounds import MOST_ROUNDS
from domain.tournament.state import FINISHED
from service.accounts.accounts import Account
from service.accounts.callers import account, viewer
from service.accounts.tokens import PLAY
from service.http.answers import answer, answer_nothing, answer_page
from service.http.blueprint import Blueprint
from service.http.caching import REVALIDATED, answer_version, tag_of, unless_had, version_headers
from service.http.counting import count, count_stream
from service.http.descriptions import ANYBODY, SIGNED_IN, header, location
from service.http.serving import games, services
from service.http.streaming import download
from service.records.histories import line
from service.times import now
from service.tournaments import entering, index, publishing, schemas
from service.tournaments.store import LoadedTournament, TournamentsPage
from service.tournaments.tournaments import Tournaments
from service.tournaments.views import TournamentJson, view

blueprint = Blueprint(
    "tournaments",
    __name__,
    url_prefix="/v1/tournaments",
    description="Tournaments: the service pairs the rounds and creates the games.",
)
CSV, ZIP = "text/csv", "application/zip"
TAG = {
    "ETag": header(
        "The tournament's version, quoted; in answers to GET with a hash of the content.",
        '"42-5f1c0a77b2d49e63"',
    )
}


@blueprint.command("", "createTournament", "create-tournament", schemas.TournamentRequestSchema)
@blueprint.response(
    201,
    TournamentJson,
    description="The new tournament.",
    headers=location("The tournament.", "/v1/tournaments/c_1") | TAG,
)
def create_tournament(caller: Account, once: IdempotencyKey | None, body: dict):
    """Create a tournament

    You need not take part. It starts at `starts_at`, or when you start it. From then on the service
    pairs every round, creates its games, and records their results."""
    if who := caller.answers_for:
        count("creations", who)
    made = entering.create(tournaments(), caller, body, once)
    return _answer(made, caller.id, 201, {"Location": f"/v1/tournaments/{made.state.id}"})


@blueprint.operation("GET", "listTournaments", ANYBODY, 503, query=schemas.TournamentsQuerySchema)
@blueprint.response(200, TournamentsPage, description="A page of tournaments.")
def list_tournaments(query: dict):
    """List tournaments

    Newest first. Send `next` as `after` until it is null. With `creator` or `player`, those of an
    account; your own lists have unlisted tournaments, too."""
    caller = viewer()
    whose = {
        member: account().id if (who := query[member]) == "me" else who
        for member in ("creator", "player")
        if member in query
    }
    which = index.TournamentFilter(query.get("status"), whose.get("creator"), whose.get("player"))
    return answer_page(
        *index.newest(
            tournaments().store,
            which,
            query.get("after"),
            query["limit"],
            unlisted=caller is not None and caller in whose.values(),
        )
    )


@blueprint.operation(
    "GET /<string:tournament>",
    "getTournament",
    ANYBODY,
    404,
    409,
    503,
    query=schemas.TournamentQuerySchema,
)
@blueprint.response(
    200,
    TournamentJson,
    description="The tournament.",
    headers=TAG,
    unchanged="Your copy is still current.",
)
def get_tournament(query: dict, tournament: str):
    """Get a tournament

    Entrants, rounds, results and standings. A table's results appear once all its games are over.
    To follow the tournament, send its `version` as `after`, with `wait`: the answer comes as soon
    as there is a later version."""
    caller = viewer()
    if query["wait"]:
        count_stream()
    loaded = tournaments().after(tournament, query["after"], query["wait"])
    return answer_version(_shown(loaded, caller, query["rounds"]), loaded.state.version)


@blueprint.operation(
    "PATCH /<string:tournament>",
    "changeTournament",
    SIGNED_IN,
    404,
    409,
    503,
    body=schemas.TournamentChangeRequestSchema,
)
@blueprint.response(200, TournamentJson, description="The changed tournament.", headers=TAG)
def change_tournament(body: dict, tournament: str):
    """Change a tournament

    Its creator may change `name`, `description` and `rules` until it is over, and `entry` until the
    start. All other settings can be changed until somebody else enters or the tournament starts,
    whichever comes first, as entrants rely on them. Missing members stay as they are; null removes
    `description`, `rules`, `rounds`, `starts_at` or `round_times`. Entrants stay entered, also if
    `max_entrants` or `per_owner` is lower now, or `entry` narrower."""
    caller = account(PLAY)
    return _answer(entering.edit(tournaments(), caller, tournament, body), caller.id)


@blueprint.command(
    "/<string:tournament>/entries",
    "enterTournament",
    "enter-tournament",
    schemas.EntrantRequestSchema,
)
@blueprint.response(
    201,
    TournamentJson,
    description="The tournament with the new entrant.",
    headers=location("The entry; send DELETE to withdraw it.", "/v1/tournaments/c_1/entries/p_1")
    | TAG,
)
def enter_tournament(caller: Account, once: IdempotencyKey | None, body: dict, tournament: str):
    """Enter a tournament

    Each account can enter once, before the start. If its name looks like that of an entrant before
    it, it is shown with the beginning of its id: `Ada (p_3f2a91)`. An owner, including all their
    bots, has at most `per_owner` entries. Then follow `listMyEvents`: it sends `paired` for each of
    your games. The creator may also enter built-in bots."""
    entered = entering.enter(tournaments(), caller, tournament, body, once)
    entrant = body.get("bot", caller.id)
    where = {"Location": f"/v1/tournaments/{tournament}/entries/{entrant}"}
    return _answer(entered, caller.id, 201, where)


@blueprint.operation(
    "DELETE /<string:tournament>/entries/<string:entrant>",
    "withdrawEntry",
    SIGNED_IN,
    404,
    409,
    503,
    query=schemas.RemovalQuerySchema,
)
@blueprint.response(204, description="The entry is withdrawn.")
def withdraw_entry(query: dict, tournament: str, entrant: str):
    """Withdraw an entry

    Withdraw your own entry; games under way continue. The creator may withdraw built-in bots and,
    before the start, anyone: `removed` shows whom, when, by whom, and the `reason`. With `keep_out`
    neither the entrant nor another account of the same owner can enter again, until the creator
    lifts that (`reinstateEntrant`)."""
    caller = account(PLAY)
    entering.withdraw(
        tournaments(),
        caller,
        tournament,
        caller.id if entrant == "me" else entrant,
        query.get("reason"),
        keep_out=query["keep_out"],
    )
    return answer_nothing()


@blueprint.command(
    "/<string:tournament>/entries/<string:entrant>/disqualification",
    "disqualifyEntrant",
    "disqualify-entrant",
    schemas.DisqualificationRequestSchema,
)
@blueprint.response(
    200, TournamentJson, description="The tournament without the entrant.", headers=TAG
)
def disqualify_entrant(
    caller: Account, once: IdempotencyKey | None, body: dict, tournament: str, entrant: str
):
    """Disqualify an entrant

    The entrant is not paired any more and cannot enter again, nor can other accounts of the same
    owner; games under way continue. The entrant is ranked last, and everybody sees the reason. What
    others scored against them counts as after a withdrawal; after the end it stays as it is. Only
    the creator may do this: before the start, during the tournament, and afterwards until
    `standings_final_at`. To lift it, send DELETE."""
    return _answer(
        entering.disqualify(tournaments(), caller, tournament, entrant, body["reason"], once),
        caller.id,
    )


@blueprint.operation(
    "DELETE /<string:tournament>/entries/<string:entrant>/disqualification",
    "reinstateEntrant",
    SIGNED_IN,
    404,
    409,
    503,
)
@blueprint.response(204, description="The entrant is not disqualified any more.")
def reinstate_entrant(tournament: str, entrant: str):
    """Let an entrant back

    The entrant is ranked by its results again and, while the tournament runs, paired from the next
    round on; after the end, what others scored against it stays as it is. An entrant who was
    disqualified or kept out before the start may enter again. `reinstated` shows everybody the
    former disqualification. Only the creator may do this, until `standings_final_at`, and once for
    each entrant: a second disqualification stands."""
    entering.reinstate(tournaments(), account(PLAY), tournament, entrant)
    return answer_nothing()


@blueprint.command("/<string:tournament>/start", "startTournament", "start-tournament")
@blueprint.response(
    200, TournamentJson, description="The tournament, which has started.", headers=TAG
)
def start_tournament(caller: Account, once: IdempotencyKey | None, _body: dict, tournament: str):
    """Start a tournament

    Start with the entrants so far. The service then pairs the first round. Only the creator may do
    this; once somebody else has entered, not before `starts_at`, if the tournament has one."""
    return _answer(entering.start(tournaments(), caller, tournament, once), caller.id)


@blueprint.command(
    "/<string:tournament>/end", "endTournament", "end-tournament", schemas.ReasonRequestSchema
)
@blueprint.response(
    200, TournamentJson, headers=TAG, description="The tournament, over or with its last round."
)
def end_tournament(caller: Account, once: IdempotencyKey | None, body: dict, tournament: str):
    """End a tournament

    End a tournament before all rounds are played. The current round is played to its end and
    counts, so that nobody can cancel a bad result. With two `seats` a tournament ends after an even
    number of rounds, so that first and second seats even out: after an odd one, the next round is
    played too, at its time if it has one. `last_round` names the last round. `ended_early` shows
    who has ended it, when, and the `reason`. Only the creator may do this."""
    return _answer(
        entering.end(tournaments(), caller, tournament, body.get("reason"), once), caller.id
    )


@blueprint.operation(
    "GET /<string:tournament>/standings.csv", "getTournamentStandings", ANYBODY, 404, 409, 503
)
@blueprint.response(
    200,
    {"type": "string"},
    content_type=CSV,
    headers=TAG,
    description="The standings.",
    unchanged="Your copy is still current.",
)
def get_tournament_standings(tournament: str):
    """Download the standings as CSV

    A header and a row for each entrant, best first, with the members of the tournament's
    `standings`. `state` is empty, `withdrawn`, `absent` or `disqualified`. Before the time in
    `final_at`, which is empty until the tournament is over, the standings are provisional. A name
    that a spreadsheet would take for a formula begins with an apostrophe."""
    viewer()
    loaded = tournaments().get(tournament)
    table = publishing.standings_csv(view(tournaments(), loaded, None, 0))
    headers = {"ETag": tag_of(table.encode(), loaded.state.version)} | REVALIDATED
    return unless_had(headers, lambda: Response(table, mimetype=CSV))


@blueprint.operation(
    "GET /<string:tournament>/archive.zip", "getTournamentArchive", ANYBODY, 404, 409, 503
)
@blueprint.response(
    200, {"type": "string", "format": "binary"}, content_type=ZIP, description="The archive."
)
def get_tournament_archive(tournament: str):
    """Download a finished tournament with all of its games

    One zip file: the histories of all games as lines of JSON, the tournament as JSON, the standings
    as CSV, a data card (README.md) and a licence. `fogg verify` checks the histories. Until
    `standings_final_at` the archive is for the creator only, while that account exists."""
    caller = viewer()
    loaded = tournaments().get(tournament)
    if loaded.state.status != FINISHED:
        raise Refused("tournament-not-finished", None, "the tournament is not over yet")
    creator, is_provisional = loaded.state.settings.creator, now() < (loaded.final_at or "")
    if is_provisional and caller != creator and creator not in games().store.deleted.ids:
        raise Refused(
            "standings-provisional",
            None,
            "the standings are provisional, and the archive is for the creator only, "
            f"until {loaded.final_at}",
        )
    shown, ids = view(tournaments(), loaded, None, MOST_ROUNDS), publishing.games_of(loaded.state)
    parts = publishing.archive(
        shown,
        len(ids),
        (
            line(text, entry_hash) + b"\n"
            for game in ids
            for text, entry_hash in games().store.entries(game)
        ),
    )
    response = download(parts, ZIP)
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament}.zip"'
    return response


def tournaments() -> Tournaments:
    return services().find(Tournaments)


def _answer(
    loaded: LoadedTournament, caller: str | None, status: int = 200, headers: dict | None = None
) -> Response:
    return answer(
        _shown(loaded, caller, schemas.ROUNDS),
        status,
        (headers or {}) | version_headers(loaded.state.version),
    )


def _shown(loaded: LoadedTournament, caller: str | None, rounds: int) -> TournamentJson:
    tournaments().wait_for_games(loaded)
    return view(tournaments(), loaded, caller, rounds)
