"""What nobody can guess: new ids, and what is derived from the service's secret.

``fogg:secret``  random, made once: what is to be answered twice, and kept nowhere, is derived of it
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from redis import Redis


def new_id(kind: str) -> str:
    """Return a new opaque id: ``kind`` is a letter that tells people what it names."""
    return f"{kind}_{secrets.token_hex(10)}"


def derived_id(kind: str, secret: bytes, name: str) -> str:
    """Return the id that is always the same for one name, and nobody can guess who does not know
    the service's secret."""
    return f"{kind}_{hmac.digest(secret, name.encode(), 'sha256')[:10].hex()}"


def service_secret(redis: Redis) -> bytes:
    """Return the service's secret, the same for ever."""
    redis.set("fogg:secret", secrets.token_bytes(32), nx=True)
    return redis.get("fogg:secret")


def secret_for(redis: Redis, name: str) -> bytes:
    """Return what is always the same for one name, and tells nothing of the secret."""
    return hmac.digest(service_secret(redis), name.encode(), "sha256")


def invitation(secret: bytes, some_id: str) -> str:
    """Return the code that lets people into what is not open to all, by the service's secret."""
    return sha256(secret + f"\ninvitation\n{some_id}".encode()).hexdigest()[:20]
