"""``fogg import`` and ``fogg rebuild``: they work on a service's Redis directly."""

from __future__ import annotations

import json
import sys

import click

from cli.commands.common import (
    BOARDS,
    SOURCES,
    json_option,
    on_the_store,
    terminal,
    wrong_game,
)


@click.command("import")
@SOURCES
@BOARDS
@json_option("each game")
@on_the_store
def import_games(sources: tuple[str, ...], folders: tuple[str, ...], as_json: bool) -> None:
    """Import finished games into the service, each whole or not at all.

    A game that fogg verify rejects is rejected. A game that exists already stays unchanged; a
    different game with its id is rejected. Safe while the service runs.

    \b
    Example:
      fogg import --data /srv/fogg/var games.ndjson.gz
    """
    from cli.recorded.games import read
    from domain.boards import boards_by_digest
    from domain.game.proof import Wrong
    from service.api import wiring
    from service.projections import importing

    store = wiring.services().games.store
    boards = importing.known_boards(store, boards_by_digest(folders).values())
    refused = count = new = 0
    for game in (game for source in sources for game in read(source)):
        row = {"source": game.source}
        try:
            game, is_new = importing.put(store, boards, game.entries())
            row |= {"game": game, "ok": True, "new": is_new}
            new += is_new
        except Wrong as wrong:
            row |= {"game": "", "ok": False, "line": game.line_of(wrong.version),
                    "version": wrong.version, "code": wrong.code, "reason": wrong.reason}
        except importing.NotImported as error:
            row |= {"game": "", "ok": False, "line": game.first, "version": 1,
                    "code": error.code, "reason": str(error)}
        refused, count = refused + (not row["ok"]), count + 1
        if as_json:
            click.echo(json.dumps(row))
        elif not row["ok"]:
            click.echo(wrong_game(row))
    if not as_json:
        click.echo(f"{new} of {count} games are new here, {count - new - refused} were here, "
                   f"{refused} are refused")
    sys.exit(1 if refused else 0)


@click.command()
@json_option("the count")
@on_the_store
def rebuild(as_json: bool) -> None:
    """Rebuild every index from the games' histories.

    Safe while the service runs. Broken histories are named and left alone; the exit code is then 1.

    \b
    Example:
      fogg rebuild --data /srv/fogg/var
    """
    from service.api import wiring
    from service.operation import layout
    from service.projections import projecting

    services = wiring.services()
    console = terminal(stderr=True)
    with console.status("reading histories") as status:
        count = projecting.rebuild(services.games.store,
                                   lambda done: status.update(f"{done} games"))
        layout.note_rebuilt(services.games.redis)
    broken = [*services.games.store.broken, *services.tournaments.store.broken]
    if as_json:
        click.echo(json.dumps({"games": count, "broken": broken}))
    else:
        click.echo(f"{count} games are indexed")
    for name in broken:
        click.echo(f"{name} is broken, and left as it is: fogg check says more", err=True)
    sys.exit(1 if broken else 0)
