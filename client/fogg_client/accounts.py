"""The account that a program plays as: the one whose token a file holds, or a new one."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fogg_client.client import Client
from fogg_client.problems import NO_SERVICE, Problem

PATIENCE = 600.0  # seconds that a service may be away
PATIENCE_AT_FIRST = 2.0


class NoToken(Exception):
    """A file holds no token, or one that the service does not know."""


def reach(url: str, patience: float = PATIENCE_AT_FIRST) -> Client:
    """Wait for a service to answer, for so many seconds; return its client, without an account.
    Raise urllib3's HTTPError if nothing answers, Problem if what answers is no Fogg service."""
    client = Client(url, patience=patience)
    if client.get("/healthz").get("status") != "ok":
        raise Problem(200, {"detail": NO_SERVICE.format(url)})
    return client


def account(url: str, name: str, file: Path | None = None) -> Client:
    """Return a client of the account whose token a file holds; or of a new one, whose token is
    then written there for its owner's eyes only."""
    reach(url)
    if file and file.exists():
        client = Client(url, _token_in(file), PATIENCE)
        try:
            client.get("/v1/me")
        except Problem as problem:
            if problem.status != 401:
                raise
            raise NoToken(f"the token in {file} is not valid on {url}") from problem
        return client
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


def _token_in(file: Path) -> str:
    """Return the token that a file holds; raise NoToken if it holds none."""
    token = file.read_text(errors="replace").strip()
    if not token:
        raise NoToken(f"{file} is empty: put a token into it, or delete it to get a new account")
    if not re.fullmatch(r"[!-~]+", token):
        raise NoToken(f"{file} holds no token: it should have one line, fogg_...")
    return token
