"""Download from a service into a file, line by line."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from fogg_client import Client
from fogg_client.accounts import REACH_FOR_S
from fogg_client.problems import NO_SERVICE, Problem
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from cli.export.files import CannotExport, ColumnFile, LineFile, cursor_of
from cli.processes import signals_put_off

UNREACHED = (ConnectTimeoutError, NewConnectionError)


@dataclass
class Progress:
    """Games, lines and bytes of JSON written so far, and the games that the file had before."""

    games: int = 0
    lines: int = 0
    bytes: int = 0
    resumed_after: str | None = None
    game: str = ""


def export(
    client: Client,
    kind: str,
    file: LineFile | ColumnFile,
    wanted: dict[str, str | int],
    most: int | None = None,
) -> Iterator[Progress]:
    """Write at most ``most`` finished games, filtered by the query ``wanted``. Yield the progress
    after each line. Resume an interrupted download."""
    done, cursor = Progress(resumed_after=file.cursor), file.cursor
    failed, patience = None, client.patience
    client.patience = REACH_FOR_S
    while True:
        query = wanted | ({"after": cursor} if cursor else {})
        try:
            for line in client.download(f"/v1/{kind}", **query):
                at = _cursor_of(line, client.url)
                if line == b'{"cursor":"%s"}' % at.encode():  # where to go on
                    cursor = at
                    break
                game = at.split(".")[1]
                if game != done.game and done.games == most:
                    return
                with signals_put_off():  # a line is written whole or not at all
                    file.write(line)
                cursor, failed, client.patience = at, None, patience
                done.games += game != done.game
                done.lines, done.bytes, done.game = done.lines + 1, done.bytes + len(line), game
                yield done
            else:
                return
        except HTTPError as error:
            failed = failed or time.monotonic()
            is_nobody_there = not done.lines and isinstance(error, UNREACHED)
            if is_nobody_there or time.monotonic() > failed + patience:
                raise
            time.sleep(0.2)


def _cursor_of(line: bytes, server: str) -> str:
    """Return the cursor of a line that a server has sent; raise Problem if it is none of Fogg's."""
    try:
        return cursor_of(line)
    except CannotExport as error:
        raise Problem(200, {"detail": NO_SERVICE.format(server)}) from error
