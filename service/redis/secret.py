"""Values that nobody can guess: new ids, and values derived from the service's secret.

``fogg:secret``  random, made once; values that must be the same each time, and are not stored, are
                 derived from it
"""

import hmac
import secrets
from hashlib import sha256

from redis import Redis


def new_id(kind: str) -> str:
    """Return a new opaque id. ``kind`` is its first letter, a hint for people."""
    return f"{kind}_{secrets.token_hex(10)}"


def derived_id(kind: str, secret: bytes, name: str) -> str:
    """Return the id for a name: always the same, and impossible to guess without the secret."""
    return f"{kind}_{hmac.digest(secret, name.encode(), 'sha256')[:10].hex()}"


def service_secret(redis: Redis) -> bytes:
    """Return the service's secret, the same for ever."""
    redis.set("fogg:secret", secrets.token_bytes(32), nx=True)
    return redis.get("fogg:secret")


def secret_for(redis: Redis, name: str) -> bytes:
    """Return a key derived from the secret for a name. It is always the same and does not reveal
    the secret."""
    return hmac.digest(service_secret(redis), name.encode(), "sha256")


def invitation(secret: bytes, some_id: str) -> str:
    """Return the invitation code of what has an id, derived from the secret."""
    return sha256(secret + f"\ninvitation\n{some_id}".encode()).hexdigest()[:20]
