"""Sets of deals: a published one, and those of seasons, whose secret is committed by its hash."""

import hmac
import json
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

SECRET_BYTES = 32


class NoSeason(Exception):
    """A file holds no season; the message says why."""


@dataclass(frozen=True)
class Deals:
    """A set of deals; everything in it follows from its secret."""

    name: str
    secret: bytes

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hex. If it is published early, it proves that the deals
        were not chosen later."""
        return sha256(self.secret).hexdigest()

    def bytes_for(self, label: str) -> bytes:
        """Return 32 bytes for a use, such as the seed of a deal."""
        return hmac.digest(self.secret, label.encode(), "sha256")


PUBLISHED = Deals("published", sha256(b"fogg bench: published deals 1").digest())


def new_season(file: Path, name: str) -> Deals:
    """Write a season with a new secret to a file, which only its owner can read."""
    season = Deals(name, secrets.token_bytes(SECRET_BYTES))
    file.touch(mode=0o600, exist_ok=False)
    file.write_text(
        json.dumps({"season": name, "secret": season.secret.hex()}) + "\n", encoding="utf-8"
    )
    return season


def season_in(file: Path) -> Deals:
    """Return the season in a file; raise NoSeason if there is none."""
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        season = Deals(row["season"], bytes.fromhex(row["secret"]))
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise NoSeason(f"{file} is no season, which fogg bench season writes") from error
    if len(season.secret) < SECRET_BYTES or not isinstance(season.name, str):
        raise NoSeason(f"{file} is no season: the secret should have {SECRET_BYTES} bytes")
    return season
