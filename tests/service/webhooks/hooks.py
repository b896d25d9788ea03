"""Webhooks as their owners see them, and as Redis has them."""

from tests.service.callers import Caller

HOOKS = "/v1/me/webhooks"
DRAW = {"type": "draw_card", "from": "deck"}


def register(caller: Caller, url: str, **wish) -> dict:
    made = caller.post(HOOKS, {"url": url} | wish)
    assert made.status_code == 201, made.json
    return made.json


def attempts(caller: Caller, hook: dict) -> list[dict]:
    return caller.get(f"{HOOKS}/{hook['id']}/deliveries").json["items"]


def due_now(redis, hook: dict) -> int:
    """Make postponed calls due and release resting lanes; return the number of calls."""
    key = f"{{w:{hook['id']}}}"
    rows = redis.zrange(f"{key}:due", 0, -1)
    for row in rows:
        redis.zadd(f"{key}:due", {row: 1})
    expire_leases(redis, hook)
    return len(rows)


def expire_leases(redis, hook: dict) -> None:
    """Expire the leases of a webhook's lanes."""
    for lease in redis.scan_iter(f"{{w:{hook['id']}}}:lane:*"):
        redis.delete(lease)
