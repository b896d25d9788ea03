"""Services that differ from the usual one, for tests in a browser."""

from flask import Flask

from domain.boards import load_folder
from service import app
from service.page import files
from tests.outside import BOARDS

DIGEST = "f" * 16  # of the files of a version that is not there yet


def with_outside_boards() -> Flask:
    """Return the service with the boards of outside rules, which no other one knows."""
    app.all_boards = lambda: load_folder() | BOARDS
    return app.create_app()


def with_new_files() -> Flask:
    """Return the service of a later version: its files are at other addresses."""
    files._digest = lambda: DIGEST
    return app.create_app()
