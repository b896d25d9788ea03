"""``python -m service.rebuild``: rebuild what an earlier version has derived from the histories, as
``fogg rebuild`` does, in a process that the service starts."""

import sys
from contextlib import closing

from service import settings


def main() -> None:
    """Print which histories are broken; they are left alone, and the exit code is then 1."""
    settings.PROMETHEUS_MULTIPROC_DIR.unset()  # before modules that would count there are imported
    from service.app import build_services
    from service.records import rebuilding
    from service.redis import layout

    games = build_services().games
    with closing(games.database):
        games.database.migrate()
        broken = rebuilding.rebuild(games)
        layout.note_rebuilt(games.redis)
    sys.exit(f"broken: {', '.join(broken)}" if broken else 0)


if __name__ == "__main__":
    main()
