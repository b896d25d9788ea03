"""``fogg tournament``."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from cli.commands import Group, common
from workers.bots import LISTED

if TYPE_CHECKING:
    from fogg_client import Client


@click.group(cls=Group)
def tournament() -> None:
    """Organise tournaments on a service. docs/tournaments.md describes them.

    \b
    Example:
      fogg tournament create Cup --token-file me.token --bots planner,greedy
      fogg tournament enter c_0123456789abcdef0123 --token-file my_bot.token
      fogg bot run my_bot:Mine --open --token-file my_bot.token
      fogg tournament start c_0123456789abcdef0123 --token-file me.token
      fogg tournament watch c_0123456789abcdef0123
    """


TOKEN = common.token_option(required=True)
# options of both create and edit
SHARED = (
    click.option("--description", help="A description, shown to everybody."),
    click.option(
        "--rules", type=click.File(), help="A file with the rules in words, shown to everybody."
    ),
    click.option("--starts-at", help="When to start, such as 2030-01-01T12:00:00Z."),
    click.option(
        "--round-at",
        "round_times",
        multiple=True,
        metavar="TIME",
        help="The earliest time of a round; repeat it, in order, for later rounds.",
    ),
    click.option(
        "--board",
        "boards",
        multiple=True,
        help="A board, by default usa; repeat it for several boards, used in turn.",
    ),
    click.option(
        "--per-decision",
        type=common.Amount(0.1, 30 * 86_400),
        help="Seconds for each decision, by default 10.",
    ),
    click.option(
        "--rounds",
        type=click.IntRange(1, 1000),
        help="Rounds; in a round robin, how often everybody meets everybody.",
    ),
    click.option(
        "--on-timeout",
        type=click.Choice(["resign", "act"]),
        help="When time runs out, leave the game (default), or let the service act.",
    ),
    click.option(
        "--max-entrants",
        type=click.IntRange(2, 128),
        help="Maximum number of entrants, by default 64.",
    ),
    click.option(
        "--per-owner",
        type=click.IntRange(1, 128),
        help="Maximum number of entries of an owner and all their bots, by default 1.",
    ),
    click.option(
        "--entry",
        type=click.Choice(["open", "invitation", "closed"]),
        help="Who may enter: anybody, those with an invitation code, or nobody else.",
    ),
    click.option(
        "--visibility", type=click.Choice(["public", "unlisted"]), help="Whether lists show it."
    ),
)


def _shared(command):
    for option in reversed(SHARED):
        command = option(command)
    return command


def _account(server: str, token_file: Path, name: str = "creator") -> Client:
    """Return a client of the account of a token file; sign up under this name if there is none."""
    from fogg_client import accounts

    return accounts.account(server, name, token_file)


def _path(tournament: str, entrant: str | None = None) -> str:
    from fogg_client.client import segment

    path = f"/v1/tournaments/{segment(tournament)}"
    return f"{path}/entries/{segment(entrant)}" if entrant is not None else path


def _request_body(rules: TextIO | None, per_decision: float | None, **options) -> dict:
    """Return the request's members for the options that were given."""
    given = {name: value for name, value in options.items() if value not in (None, ())}
    given |= {"rules": rules.read().strip()} if rules else {}
    return given | ({"clock": {"per_decision": per_decision}} if per_decision else {})


@tournament.command("create")
@click.argument("name")
@TOKEN
@click.option(
    "--format",
    default="round_robin",
    show_default=True,
    type=click.Choice(["round_robin", "swiss", "knockout"]),
    help="How opponents are paired.",
)
@common.seats_option(5)
@_shared
@click.option("--duplicate", is_flag=True, help="Play each deal from every seat.")
@click.option("--bots", help="Built-in bots to enter: " + ", ".join(LISTED) + ".")
@click.option("--start", is_flag=True, help="Start at once.")
@common.on_a_service
def create_tournament(
    server: str,
    name: str,
    token_file: Path,
    duplicate: bool,
    bots: str | None,
    start: bool,
    as_json: bool,
    **options,
) -> None:
    """Create a tournament.

    \b
    Example:
      fogg tournament create Cup --token-file me.token --duplicate \\
        --bots planner,greedy,random --start
    """
    client = _account(server, token_file, name[:40].strip())
    body = _request_body(**options) | {"name": name}
    body |= {"deals": "duplicate"} if duplicate else {}
    made = client.post("/v1/tournaments", body)
    for bot in bots.split(",") if bots else ():
        made = client.post(f"/v1/tournaments/{made['id']}/entries", {"bot": bot.strip()})
    _warn(made, as_json)
    if start:
        made = client.post(f"/v1/tournaments/{made['id']}/start", {})
    click.echo(json.dumps(made) if as_json else f"{made['id']} is {made['status']}{_code(made)}")


def _warn(cup: dict, as_json: bool) -> None:
    """Say why games of a tournament will not be rated, if so; JSON has the reason anyway."""
    if not as_json and (reason := cup.get("unrated")):
        click.echo(f"Not rated: {reason}.", err=True)


def _code(cup: dict) -> str:
    return f", invitation {cup['invitation']}" if "invitation" in cup else ""


@tournament.command("edit")
@click.argument("tournament")
@TOKEN
@_shared
@click.option("--name", help="Another name.")
@common.on_a_service
def edit_tournament(
    server: str, tournament: str, token_file: Path, as_json: bool, **options
) -> None:
    """Change a tournament; for its creator only.

    Options that are left out change nothing. --description "", --rules /dev/null, --starts-at ""
    and --round-at "" remove the former value. The API changes the other settings, too. Name,
    description and rules may change until the end, --entry until the start, the other settings
    until somebody else enters or the tournament starts.

    \b
    Example:
      fogg tournament edit c_0123456789abcdef0123 --token-file me.token \\
        --name "Evening cup" --starts-at 2030-01-01T19:00:00Z
    """
    body = {
        name: None if value in ("", ("",)) else value
        for name, value in _request_body(**options).items()
    }
    cup = _account(server, token_file).patch(_path(tournament), body)
    _warn(cup, as_json)
    said = f"{cup['id']} is at version {cup['version']}{_code(cup)}"
    click.echo(json.dumps(cup) if as_json else said)


@tournament.command("enter")
@click.argument("tournament")
@TOKEN
@click.option("--name", help="Name of a new bot.  [default: the token file's]")
@common.OWNER
@click.option("--invitation", help="The invitation code, if the tournament requires one.")
@click.option(
    "--bot",
    type=click.Choice(list(LISTED)),
    help="Enter this built-in bot instead; for the tournament's creator only.",
)
@common.on_a_service
def enter_tournament(
    server: str,
    tournament: str,
    token_file: Path,
    name: str | None,
    owner: Path | None,
    as_json: bool,
    **body,
) -> None:
    """Enter a tournament with the account in a token file, else with a new one, which is marked as
    a bot of its owner; run the bot to play.

    \b
    Example:
      fogg tournament enter c_0123456789abcdef0123 --token-file my_bot.token \\
        --name Mine
    """
    client = (
        _account(server, token_file)
        if body["bot"]
        else common.bot_account(server, name, token_file.stem[:40], token_file, owner)
    )
    cup = client.post(
        f"{_path(tournament)}/entries",
        {key: value for key, value in body.items() if value is not None},
    )
    click.echo(json.dumps(cup) if as_json else f"{len(cup['entrants'])} have entered")


@tournament.command("withdraw")
@click.argument("tournament")
@TOKEN
@click.option(
    "--entrant",
    default="me",
    metavar="ID",
    help="Withdraw this account or built-in bot instead; for the tournament's creator only.",
)
@click.option(
    "--keep-out",
    is_flag=True,
    help="Let no account of its owner enter again, until `reinstate`; before the start only.",
)
@common.on_a_service
def withdraw_entry(
    server: str, tournament: str, token_file: Path, entrant: str, keep_out: bool, as_json: bool
) -> None:
    """Withdraw from a tournament; games under way continue.

    \b
    Example:
      fogg tournament withdraw c_0123456789abcdef0123 --token-file my_bot.token
    """
    path = _path(tournament, entrant) + ("?keep_out=true" if keep_out else "")
    _account(server, token_file, "player").delete(path)
    click.echo(
        json.dumps({"tournament": tournament, "withdrawn": entrant}) if as_json else "withdrawn"
    )


@tournament.command("disqualify")
@click.argument("tournament")
@click.argument("entrant")
@click.option("--reason", required=True, help="The reason; everybody can see it.")
@TOKEN
@common.on_a_service
def disqualify_entrant(
    server: str, tournament: str, entrant: str, reason: str, token_file: Path, as_json: bool
) -> None:
    """Disqualify an entrant, who is then ranked last; for the creator only.

    This is possible until 72 hours after the end. `reinstate` takes it back.

    \b
    Example:
      fogg tournament disqualify c_0123456789abcdef0123 p_0123456789abcdef0123 \\
        --reason "Two entrants with one program" --token-file me.token
    """
    cup = _account(server, token_file).post(
        f"{_path(tournament, entrant)}/disqualification", {"reason": reason}
    )
    click.echo(json.dumps(cup) if as_json else "disqualified")


@tournament.command("reinstate")
@click.argument("tournament")
@click.argument("entrant")
@TOKEN
@common.on_a_service
def reinstate_entrant(
    server: str, tournament: str, entrant: str, token_file: Path, as_json: bool
) -> None:
    """Lift a disqualification, until 72 hours after the end and once for each entrant, or let one
    enter again who was kept out; for the creator only.

    \b
    Example:
      fogg tournament reinstate c_0123456789abcdef0123 p_0123456789abcdef0123 \\
        --token-file me.token
    """
    _account(server, token_file).delete(f"{_path(tournament, entrant)}/disqualification")
    click.echo(
        json.dumps({"tournament": tournament, "reinstated": entrant}) if as_json else "reinstated"
    )


def _moving(what: str, words: str):
    @tournament.command(
        what,
        help=f"""{words}

    \b
    Example:
      fogg tournament {what} c_0123456789abcdef0123 --token-file me.token
    """,
    )
    @click.argument("tournament")
    @TOKEN
    @common.on_a_service
    def move(server: str, tournament: str, token_file: Path, as_json: bool) -> None:
        cup = _account(server, token_file).post(f"{_path(tournament)}/{what}", {})
        _warn(cup, as_json)
        status = f"{cup['id']} is {cup['status']}"
        if "last_round" in cup:
            status += f", and round {cup['last_round']} is the last"
        click.echo(json.dumps(cup) if as_json else status)


_moving("start", "Start a tournament with those who have entered; for the creator only.")
_moving(
    "end",
    "End a tournament after the current round, with two seats after an even number of rounds; for "
    "the creator only.",
)


@tournament.command("list")
@click.option("--creator", metavar="ID", help="Only tournaments that this account has created.")
@click.option("--player", metavar="ID", help="Only tournaments that this account has entered.")
@click.option(
    "--status",
    type=click.Choice(["open", "running", "finished"]),
    help="Only tournaments with this status.",
)
@click.option(
    "--tournaments",
    "most",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    help="Maximum number of tournaments.",
)
@common.on_a_service
def list_tournaments(server: str, most: int, as_json: bool, **query: str | None) -> None:
    """List the tournaments of a service, the newest first.

    \b
    Example:
      fogg tournament list --status open
    """
    from fogg_client import accounts

    from cli.views import tournament as shown

    query = {name: value for name, value in query.items() if value}
    items = accounts.reach(server).items("/v1/tournaments", limit=min(most, 100), **query)
    rows = [*islice(items, most)]
    common.show(
        as_json, {"items": rows}, shown.listed(rows) if rows else "There is no such tournament"
    )


@tournament.command("watch")
@click.argument("tournament")
@common.on_a_service
def watch_tournament(server: str, tournament: str, as_json: bool) -> None:
    """Watch the standings until the tournament is over.

    \b
    Example:
      fogg tournament watch c_0123456789abcdef0123
    """
    from fogg_client import accounts
    from fogg_client.client import Client

    from cli.views import tournament as shown

    accounts.reach(server)
    client = Client(server, patience=accounts.RETRY_FOR_S)
    common.stop_on_signals()
    for cup in shown.watch(client, tournament, None if as_json else common.terminal()):
        if as_json:
            click.echo(json.dumps(cup))


@tournament.command("results")
@click.argument("tournament")
@common.on_a_service
def tournament_results(server: str, tournament: str, as_json: bool) -> None:
    """Print the standings and the games of every round.

    \b
    Example:
      fogg tournament results c_0123456789abcdef0123 --json
    """
    from fogg_client import accounts

    from cli.views import tournament as shown

    client = accounts.reach(server)
    cup = client.get(_path(tournament), rounds=1000)
    common.show(as_json, cup, shown.standings(cup), shown.games(cup))
