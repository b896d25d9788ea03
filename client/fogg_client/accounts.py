"""The account of a program: that of the token in a file, or a new one."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from fogg_client.client import Client
from fogg_client.problems import NO_SERVICE, Problem

RETRY_FOR_S = 600.0  # seconds that a service may be away
REACH_FOR_S = 2.0
SIGN_UP_S = 5.0  # seconds after which a file that was made for a new account has its token
LONGEST_NAME = 40  # characters


class NoToken(Exception):
    """A file holds no token, or one that the service does not know."""


def reach(url: str, patience: float = REACH_FOR_S) -> Client:
    """Wait for a service to answer, for at most ``patience`` seconds; return its client, without an
    account. Raise urllib3's HTTPError without an answer, Problem if the server is no Fogg
    service."""
    client = Client(url, patience=patience)
    if client.get("/healthz").get("status") != "ok":
        raise Problem(200, {"detail": NO_SERVICE.format(url)})
    return client


def account(url: str, name: str, file: Path | None = None) -> Client:
    """Return a client of the account whose token a file holds. If there is no file, create an
    account and write its token to the file, readable by the owner only."""
    return _kept(url, file, lambda: [Client(url, patience=RETRY_FOR_S).sign_up(name).token])


def bot_account(url: str, name: str, file: Path | None = None, owner: Path | None = None) -> Client:
    """Return a client as ``account`` does, but make a new account a bot. Its owner is the account
    of the file ``owner``; by default a new one, whose token is the second line of ``file``."""

    def sign_up() -> list[str | None]:
        title = f"Owner of {name}"
        mine = account(url, title if len(title) <= LONGEST_NAME else name, owner)
        token = mine.post("/v1/me/bots", {"name": name})["token"]
        return [token] if owner else [token, mine.token]

    return _kept(url, file, sign_up)


def _kept(url: str, file: Path | None, sign_up: Callable[[], list[str | None]]) -> Client:
    """Return a client of the account whose token is the first line of a file. If there is no file,
    sign up, and keep all the tokens there."""
    reach(url)
    if not file:
        return Client(url, sign_up()[0], RETRY_FOR_S)
    try:
        kept = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _known(url, file)
    with open(kept, "w") as opened:
        try:  # with the file at hand, so that no account is made whose token cannot be kept
            tokens = sign_up()
        except BaseException:
            file.unlink()
            raise
        opened.writelines(f"{token}\n" for token in tokens)
    return Client(url, tokens[0], RETRY_FOR_S)


def _known(url: str, file: Path) -> Client:
    """Return a client of the account whose token is in a file. Wait for the token if another
    program has just made the file."""
    while not (tokens := file.read_text(errors="replace").strip()) and (
        file.is_file() and time.time() < file.stat().st_mtime + SIGN_UP_S
    ):
        time.sleep(0.1)
    if not tokens:
        raise NoToken(f"{file} is empty: put a token into it, or delete it to get a new account")
    if not re.fullmatch(r"[!-~]+(\n[!-~]+)?", tokens):  # the second one is of a bot's owner
        raise NoToken(f"{file} holds no token: its first line should be fogg_...")
    client = Client(url, tokens.partition("\n")[0], RETRY_FOR_S)
    try:
        client.get("/v1/me")
    except Problem as problem:
        if problem.status != 401:
            raise
        raise NoToken(f"the token in {file} is not valid on {url}") from problem
    return client
