"""Backups: everything in Redis that cannot be derived, in one file.

The games that are over are in another file (``service.records.copying``). This one is lines of
JSON, compressed (gzip), and holds secrets: tokens' hashes, seeds, cards.

1. ``{"fogg_backup": 2, "at": TIME}``, with ``"layout"``, that of the version that has made it, and,
   if there is another file, what that is
2. ``{"key": NAME, "expires": MS, "dump": BASE64}`` for each key: what Redis' ``DUMP`` returns, and
   when it expires, in milliseconds since 1970, 0 for never. A name's bytes are written as the
   characters of their numbers
3. ``{"sha256": HASH}`` of all lines before

It is made while the service runs. Histories come before all other keys, and games last of them, so
that a backup also has the items that its items refer to. Derived keys are left out.
"""

import gzip
import os
import re
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from redis import Redis, ResponseError

from service.eventlog.histories import end_of, rows_of
from service.redis.batches import batches_of
from service.times import now, now_in_ms

START = b'{"fogg_backup":2,'
BATCH_SIZE = 50  # keys per round trip
NAME = re.compile(r"fogg-\d{8}-\d{6}")  # of a backup in a folder, without .gz
# keys that last for seconds, or that a service writes again as it starts
PASSING = re.compile(
    r"\{g:[^}]*\}:(bots|analyst)|rq:.*|queue:.*|limit:.*"
    r"|fogg:(layout|indexes|rebuilding|sweep|deliveries|analyses|clocks|director|entries|bots"
    r"|backup|records)"
)
LAST = "fogg:backup"  # when the last backup succeeded, in milliseconds since 1970, and its bytes

NOT_EMPTY = (
    "{} is not empty: restore into a new one, with no service that uses it. If an earlier "
    "restore was cut off, empty it first (docs/operations.md says how)"
)

Line = dict[str, Any]
Progress = Callable[[int], object]


class CannotCopy(Exception):
    """Data cannot be backed up, restored or copied; the message says why."""


# Writing


def write(
    redis: Redis,
    file: Path,
    progress: Progress,
    derived: re.Pattern[str],
    header: Mapping[str, Any],
    then: Callable[[], object],
) -> list[str]:
    """Write a backup of a Redis to a file that only its owner may read; return the ids of histories
    whose chain of hashes is broken. The file gets its name once it is complete and ``then``, which
    is called after Redis was read, has returned. Keys that match ``derived`` are left out."""
    new = file.with_name(file.name + ".new")
    broken: list[str] = []
    digest = sha256()
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(handle, "wb") as raw:
            with gzip.GzipFile("", "wb", 3, raw) as packed:
                packed.write(_text({"fogg_backup": 2, "at": now(), **header}, digest))
                for done, line in enumerate(_lines(redis, derived, broken)):
                    packed.write(_text(line, digest))
                    if done % BATCH_SIZE == 0:
                        progress(done)
                packed.write(_text({"sha256": digest.hexdigest()}, digest))
            raw.flush()
            os.fsync(raw.fileno())
        then()
        new.replace(file)
        _sync(file.parent)
    finally:
        new.unlink(missing_ok=True)
    return broken


def _text(line: Line, digest: Any) -> bytes:
    text = orjson.dumps(line) + b"\n"
    digest.update(text)
    return text


def _lines(redis: Redis, derived: re.Pattern[str], broken: list[str]) -> Iterator[Line]:
    logs = {*redis.scan_iter("{*}:log", count=1000)}
    for some in batches_of(BATCH_SIZE, sorted(logs, reverse=True)):  # {t: before {g:
        yield from _dumps(redis, some)
        broken += [
            key.decode()[3:-5]
            for key, rows in zip(some, rows_of(redis, some), strict=True)
            if end_of(rows) is None
        ]
    keys = {key for key in redis.scan_iter(count=1000) if not _is_left_out(key, derived)}
    for some in batches_of(BATCH_SIZE, sorted(keys)):
        yield from _dumps(redis, some)


def _is_left_out(key: bytes, derived: re.Pattern[str]) -> bool:
    name = key.decode("latin-1")
    return name.endswith(":log") or any(each.fullmatch(name) for each in (PASSING, derived))


def _dumps(redis: Redis, keys: list[bytes]) -> Iterator[Line]:
    pipe = redis.pipeline(transaction=False)
    for key in keys:
        pipe.dump(key)
        pipe.pexpiretime(key)
    answers = iter(pipe.execute())
    for key, dump, expires in zip(keys, answers, answers, strict=True):
        if dump and expires != -2:  # else it is gone
            yield {
                "key": key.decode("latin-1"),
                "expires": max(expires, 0),
                "dump": b64encode(dump).decode(),
            }


def _sync(folder: Path) -> None:
    """Make the names of a folder's files durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def note(redis: Redis, size: int) -> None:
    """Record that a backup of so many bytes has succeeded now."""
    redis.hset(LAST, mapping={"at": now_in_ms(), "bytes": size})


def last(redis: Redis) -> tuple[int, int]:
    """Return when the last backup succeeded, and its bytes; zeros if there is none."""
    at, size = redis.hmget(LAST, ["at", "bytes"])
    return int(at or 0), int(size or 0)


def remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all but the last ``keep`` backups from a folder, by the times in their names, with the
    file next to each; return the files that were removed. Other files stay."""
    names = sorted(path.stem for path in folder.glob("*.gz") if NAME.fullmatch(path.stem))
    old = sorted(path for path in folder.iterdir() if path.stem in names[:-keep])
    for path in old:
        path.unlink()
    return old


# Reading


def check(file: Path) -> tuple[Line, Counter[str]]:
    """Return a backup's header, and the number of its histories and of its other keys. Raise
    CannotCopy if the backup is not complete."""
    lines = lines_of(file)
    return next(lines), Counter(
        "histories" if line.get("key", "").endswith(":log") else "keys" for line in lines
    )


def lines_of(file: Path) -> Iterator[Line]:
    """Yield the lines of a backup but the last, first its header. Raise CannotCopy at the point
    where it turns out to be incomplete."""
    digest, before = sha256(), b""
    try:
        with gzip.open(file) as rows:
            for text in rows:
                if not before and not text.startswith(START):
                    raise CannotCopy(f"{file} is no backup of this version of Fogg")
                if before:
                    yield orjson.loads(before)
                    digest.update(before)
                before = text
        is_whole = orjson.loads(before) == {"sha256": digest.hexdigest()}
    except (EOFError, ValueError, gzip.BadGzipFile, zlib.error) as error:
        raise CannotCopy(f"{file} is damaged or no backup: {error}") from None
    if not is_whole:
        raise CannotCopy(f"{file} is damaged, or its end is missing")


# Restoring


def restore(redis: Redis, file: Path, progress: Progress) -> None:
    """Restore a backup into an empty Redis. Rebuild the lists afterwards. Raise CannotCopy if
    Redis has data, or is older than the one of the backup."""
    if any(redis.scan_iter(count=1000)):
        raise CannotCopy(NOT_EMPTY.format("this Redis"))
    lines = lines_of(file)
    next(lines)  # the header
    for number, some in enumerate(batches_of(BATCH_SIZE, lines), 1):
        pipe = redis.pipeline(transaction=False)
        for line in some:
            pipe.restore(
                line["key"].encode("latin-1"), line["expires"], b64decode(line["dump"]), absttl=True
            )
        try:
            pipe.execute()
        except ResponseError as error:
            if "DUMP payload version" not in str(error):
                raise
            raise CannotCopy(
                f"{file} is of a later version of Redis: restore it into that one, or a later one"
            ) from None
        progress(number * BATCH_SIZE)
