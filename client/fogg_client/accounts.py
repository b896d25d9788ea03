"""The account that a program plays as: the one whose token a file holds, or a new one."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from fogg_client.client import Client
from fogg_client.problems import Problem

PATIENCE = 600.0  # seconds that a service may be away
PATIENCE_AT_FIRST = 2.0


class NoToken(Exception):
    """The token that was kept is worth nothing."""


def account(url: str, name: str, file: Path | None = None) -> Client:
    """Return a client of the account whose token a file holds; or of a new one, whose token is
    then written there for its owner's eyes only."""
    Client(url, patience=PATIENCE_AT_FIRST).get("/healthz")
    if file and file.exists():
        client = Client(url, file.read_text(errors="replace").strip(), PATIENCE)
        if client.token and re.fullmatch(r"[!-~]+", client.token):
            with suppress(Problem):
                client.get("/v1/me")
                return client
        raise NoToken(f"{url} knows no token such as the one in {file}")
    if not file:
        return Client(url, patience=PATIENCE).sign_up(name)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        try:  # with the file at hand, so that no account is made whose token cannot be kept
            client = Client(url, patience=PATIENCE).sign_up(name)
        except BaseException:
            file.unlink()
            raise
        opened.write(f"{client.token}\n")
    return client
