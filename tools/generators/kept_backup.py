"""Keep a backup of a service of this version: ``python -m tools.generators.kept_backup FOLDER``.

``redis.gz`` is the file of ``fogg backup``, ``records.sql.xz`` the SQL of the database next to it.
Later versions have to restore both: a folder that was released never changes.
"""

import lzma
import os
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from service.app import create_app
from service.http.serving import services
from service.records.database import sqlite_url
from service.records.recorder import Recorder
from service.redis.connection import EmbeddedRedis, connect
from tests.cli.inside import report
from tests.service.boards.test_boards import show_boards
from tools.generators.openapi_examples import CHAPTERS
from tools.generators.openapi_tape import Tape


def keep(folder: Path, data: Path) -> None:
    """Do all that can be done over the API, record it, and keep a backup of it."""
    os.environ["FOGG_DATABASE"] = sqlite_url(data / "records.sqlite3")
    with EmbeddedRedis(data / "redis") as server, connect(server.url) as redis:
        app = create_app(redis)
        games = services(app).games
        games.database.migrate()
        tape = Tape(app)
        for chapter in CHAPTERS:
            if chapter is not show_boards:  # which leaves nothing
                chapter(tape)
        Recorder(games, games.database).run()
        games.database.close()
        redis.delete("{fogg}:beat")  # as if the service had stopped long ago
        done = report("backup", data / "redis.gz", "--data", data)
        print(done)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "redis.gz").write_bytes((data / "redis.gz").read_bytes())
    with closing(sqlite3.connect(done["database"])) as db:
        text = "\n".join(db.iterdump())
    (folder / "records.sql.xz").write_bytes(lzma.compress(text.encode()))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        keep(Path(sys.argv[1]), Path(data))
