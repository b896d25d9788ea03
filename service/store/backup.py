"""Backups: everything in Redis that cannot be derived, in one file.

The games that are over are in another file (``service.records.copying``). This one is lines of
JSON, compressed (gzip), and holds secrets: tokens' hashes, seeds, cards.

1. ``{"fogg_backup": 1, "at": TIME}``, with ``"layout"``, that of the version that has made it, and,
   if there is another file, what that is
2. ``{"history": ID, "rows": [[ENTRY'S ID, {FIELD: VALUE}], ...]}`` for each history
3. ``{"key": NAME, "type": TYPE, "value": VALUE}`` for each other key, with ``"expires"``,
   milliseconds since 1970, if it does, and with ``"more"`` for more of the key before; bytes are
   written as the characters of their numbers
4. ``{"end": {"histories": N, "entries": N, "keys": N}, "sha256": HASH}`` of all lines before

It is made while the service runs. Tournaments come before games, and both before all other keys, so
that a backup also has the items that its items refer to. Projections are left out.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from redis import Redis

from domain.entry import hash_after
from service.store.batches import batches_of
from service.store.histories import Histories
from service.times import now, now_in_ms

BATCH_SIZE = 50  # histories or keys per round trip
MEMBERS = 1000  # members of a large key per line
NAME = re.compile(r"fogg-\d{8}-\d{6}\.gz")  # of a backup in a folder
# keys that last for seconds, or that a service writes again as it starts
PASSING = re.compile(
    r"\{g:[^}]*\}:(bots|analyst)|rq:.*|limit:.*"
    r"|fogg:(layout|indexes|rebuilding|sweep|deliveries|analyses|webhooks|clocks|director|entries|bots"
    r"|backup)")
LAST = "fogg:backup"  # when the last backup succeeded, in milliseconds since 1970, and its bytes

Line = dict[str, Any]
Progress = Callable[[int], object]


class NoBackup(Exception):
    """The file is not a complete backup; the message says why."""


class NotEmpty(Exception):
    """Redis or the database, as the message says, has data, so no backup can be restored there."""


# Writing


def write(
    stores: Iterable[Histories], redis: Redis, file: Path, progress: Progress,
    derived: re.Pattern[str], header: Mapping[str, Any], then: Callable[[], object],
) -> None:
    """Write a backup of a Redis to a file that only its owner may read. The file gets its name once
    it is complete and ``then``, which is called after Redis was read, has returned. ``stores`` hold
    the histories; keys that match ``derived`` are left out."""
    new = file.with_name(file.name + ".new")
    try:
        with _line_writer(new) as put:
            put({"fogg_backup": 1, "at": now(), **header})
            count: Counter[str] = Counter()
            for line in _lines(stores, redis, derived):
                put(line)
                count += _counted(line)
                progress(count["histories"])
            put({"end": dict(count)})
        then()
        new.replace(file)
        _sync(file.parent)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def _line_writer(file: Path) -> Iterator[Callable[[Line], None]]:
    """Yield a function that writes a line. The line with ``end`` gets the hash of all lines before
    it."""
    digest = sha256()
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "wb") as raw, gzip.GzipFile("", "wb", 3, raw) as packed:
        def put(line: Line) -> None:
            if "end" in line:
                line["sha256"] = digest.hexdigest()
            text = orjson.dumps(line) + b"\n"
            digest.update(text)
            packed.write(text)

        yield put
        packed.close()
        raw.flush()
        os.fsync(raw.fileno())


def _lines(
    stores: Iterable[Histories], redis: Redis, derived: re.Pattern[str]
) -> Iterator[Line]:
    for store in stores:
        for ids in batches_of(BATCH_SIZE, sorted(store.ids())):
            for some_id, rows in zip(ids, store.rows(ids), strict=True):
                if rows:  # else it was deleted meanwhile
                    yield {"history": some_id, "rows": [
                        [_text(entry_id), _text_of(fields)] for entry_id, fields in rows]}
    keys_found = {key for key in redis.scan_iter(count=1000) if not _is_left_out(key, derived)}
    for keys in batches_of(MEMBERS, sorted(keys_found)):
        yield from _key_lines(redis, keys)


def _is_left_out(key: bytes, derived: re.Pattern[str]) -> bool:
    name = key.decode("latin-1")
    return name.endswith(":log") or any(each.fullmatch(name) for each in (PASSING, derived))


def _key_lines(redis: Redis, keys: Sequence[bytes]) -> Iterator[Line]:
    kinds = [kind.decode() for kind in _each(redis, "type", keys)]
    strings = [key for key, kind in zip(keys, kinds, strict=True) if kind == "string"]
    held = dict(zip(strings, _each(redis, "get", strings), strict=True))
    for key, kind, left in zip(keys, kinds, _each(redis, "pttl", keys), strict=True):
        if left == -2 or held.get(key, b"") is None:  # it is gone
            continue
        if kind not in READ and kind != "string":
            raise NoBackup(f"the key {key!r} is a {kind}, which no backup can hold")
        line: Line = {"key": _text(key), "type": kind}
        if left >= 0:
            line["expires"] = now_in_ms() + left
        for value in [_text(held[key])] if key in held else READ[kind](redis, key):
            yield line | {"value": value}
            line["more"] = True


def _each(redis: Redis, command: str, keys: Iterable[bytes]) -> list:
    """Send a command for each of these keys in one round trip; return the answers."""
    pipe = redis.pipeline(transaction=False)
    for key in keys:
        getattr(pipe, command)(key)
    return pipe.execute()


def _text(raw: bytes) -> str:
    return raw.decode("latin-1")


def _text_of(fields: Mapping[bytes, bytes]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in fields.items()}


def _hash(redis: Redis, key: bytes) -> Iterator[dict]:
    for rows in batches_of(MEMBERS, redis.hscan_iter(key, count=MEMBERS)):
        yield _text_of(dict(rows))


def _set(redis: Redis, key: bytes) -> Iterator[list]:
    for rows in batches_of(MEMBERS, redis.sscan_iter(key, count=MEMBERS)):
        yield [_text(row) for row in rows]


def _sorted_set(redis: Redis, key: bytes) -> Iterator[dict]:
    for rows in batches_of(MEMBERS, redis.zscan_iter(key, count=MEMBERS)):
        yield {_text(name): score for name, score in rows}


def _list(redis: Redis, key: bytes) -> Iterator[list]:
    start = 0
    while rows := redis.lrange(key, start, start + MEMBERS - 1):
        yield [_text(row) for row in rows]
        start += MEMBERS


READ = {"hash": _hash, "set": _set, "zset": _sorted_set, "list": _list}


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
    backups = sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))
    old = [path for path in folder.iterdir()
           if path.with_suffix(".gz") in backups[:-keep] and NAME.fullmatch(path.stem + ".gz")]
    for path in old:
        path.unlink()
    return sorted(old)


# Checking


def check(file: Path, progress: Progress) -> tuple[Counter[str], list[str]]:
    """Return the number of items in a backup by kind, and the ids of the histories whose chain of
    hashes is broken. Raise NoBackup if the backup is not complete."""
    count: Counter[str] = Counter()
    broken = []
    try:
        for line in lines_of(file):
            count += _counted(line)
            if "history" in line and not _is_chain(line["rows"]):
                broken.append(line["history"])
            progress(count["histories"])
    except (KeyError, TypeError) as error:
        raise NoBackup(f"{file} is damaged or no backup: {error!r}") from None
    return count, broken


def header_of(file: Path) -> Line:
    """Return the first line of a backup. Raise NoBackup if there is none."""
    try:
        with gzip.open(file) as rows:
            header = orjson.loads(rows.readline())
        if header["fogg_backup"] == 1:
            return header
    except (EOFError, ValueError, LookupError, TypeError, gzip.BadGzipFile, zlib.error):
        pass
    raise NoBackup(f"{file} is no backup of Fogg's")


def lines_of(file: Path) -> Iterator[Line]:
    """Yield the lines of a backup between the first and the last. Raise NoBackup at the point where
    it turns out to be incomplete."""
    digest = sha256()
    line: dict[str, Any] = {}
    try:
        with gzip.open(file) as rows:
            for text in rows:
                is_first, line = not line, orjson.loads(text)
                if is_first != (line.get("fogg_backup") == 1):
                    raise NoBackup(f"{file} is no backup of Fogg's")
                if "end" not in line:
                    digest.update(text)
                    if not is_first:
                        yield line
    except (EOFError, ValueError, AttributeError, gzip.BadGzipFile, zlib.error) as error:
        raise NoBackup(f"{file} is damaged or no backup: {error}") from None
    if line.get("sha256") != digest.hexdigest():
        raise NoBackup(f"{file} is damaged, or its end is missing")


def _counted(line: Line) -> Counter[str]:
    if "history" in line:
        return Counter(histories=1, entries=len(line["rows"]))
    return Counter(keys="more" not in line)


def _is_chain(rows: Iterable[tuple[str, dict[str, str]]]) -> bool:
    before = ""
    for version, (entry_id, fields) in enumerate(rows, 1):
        if entry_id != f"0-{version}" or not {"e", "h"} <= fields.keys():
            return False
        if hash_after(before, _bytes(fields["e"])) != fields["h"]:
            return False
        before = fields["h"]
    return True


# Restoring


def restore(
    stores: Iterable[Histories], redis: Redis, file: Path, progress: Progress,
    derived: re.Pattern[str],
) -> None:
    """Restore a backup into an empty Redis. Make the lists anew afterwards. Leave keys that match
    ``derived`` out, which former versions kept. Raise NotEmpty if Redis has data."""
    if any(redis.scan_iter(count=1000)):
        raise NotEmpty("this Redis")
    by_letter = {store.letter: store for store in stores}
    done = 0
    for lines in batches_of(BATCH_SIZE, lines_of(file)):
        for letter, store in by_letter.items():
            rows = {line["history"]: [(_bytes(entry_id), _bytes_of(fields))
                                       for entry_id, fields in line["rows"]]
                     for line in lines if line.get("history", "").startswith(f"{letter}_")}
            store.put_rows(rows)
            done += len(rows)
        _put_keys(redis, [line for line in lines
                          if "key" in line and not derived.fullmatch(line["key"])])
        progress(done)


def _put_keys(redis: Redis, lines: Iterable[Line]) -> None:
    pipe = redis.pipeline(transaction=False)
    for line in lines:
        expires = line.get("expires", 0)
        if expires and expires <= now_in_ms():
            continue
        key = _bytes(line["key"])
        PUT[line["type"]](pipe, key, line["value"])
        if expires:
            pipe.pexpireat(key, expires)
    pipe.execute()


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _bytes_of(fields: Mapping[str, str]) -> dict[bytes, bytes]:
    return {_bytes(name): _bytes(value) for name, value in fields.items()}


PUT: Mapping[str, Callable[[Any, bytes, Any], object]] = {
    "string": lambda pipe, key, value: pipe.set(key, _bytes(value)),
    "hash": lambda pipe, key, value: pipe.hset(key, mapping=_bytes_of(value)),
    "set": lambda pipe, key, value: pipe.sadd(key, *map(_bytes, value)),
    "zset": lambda pipe, key, value: pipe.zadd(key, {_bytes(n): at for n, at in value.items()}),
    "list": lambda pipe, key, value: pipe.rpush(key, *map(_bytes, value)),
}
