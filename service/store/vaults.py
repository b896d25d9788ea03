"""Storage for the files of an archive and copies of backups: a folder, or a bucket of a service
with the API of Amazon S3.

Files are written whole, once, and never changed. ``Down`` is raised if the place cannot be reached,
``Missing`` if it has no such file.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

from service import settings

READ_TIMEOUT_S = 3  # of a store
T = TypeVar("T")


class Down(Exception):
    """The place cannot be reached; the message says why."""


class Missing(Exception):
    """There is no such file."""


class NoVault(Exception):
    """The archive cannot be at the named place; the message says what to do."""


class Vault(Protocol):
    """A place for files."""

    def put(self, name: str, data: bytes) -> None:
        """Write a new file; it is stored durably once this returns."""

    def put_file(self, name: str, file: Path) -> None:
        """Write the contents of a file, which may be too large for memory; it is stored durably
        once this returns."""

    def get(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Return a part of a file, by default all of it."""

    def names(self) -> Iterator[str]:
        """Yield the names of all files, in order."""

    def check_writable(self) -> None:
        """Raise Down if files cannot be written here."""


class Folder:
    """A folder on this machine, or one that all machines of the service mount."""

    def __init__(self, path: str):
        self._path = Path(path)

    def put(self, name: str, data: bytes) -> None:
        """Write to a temporary file and rename it: a file is complete or does not exist."""
        self._write(name, BytesIO(data))

    def put_file(self, name: str, file: Path) -> None:
        """Write it in the same way."""
        with file.open("rb") as source:
            self._write(name, source)

    def _write(self, name: str, source: IO[bytes]) -> None:
        beside = self._path / f".{name}.{secrets.token_hex(4)}"
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            beside.touch(mode=0o600)  # it holds seeds and private games
            with beside.open("wb") as file:
                shutil.copyfileobj(source, file)
                file.flush()
                os.fsync(file.fileno())
            beside.rename(self._path / name)
            folder = os.open(self._path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise Down(f"{self._path / name} cannot be written: {error}") from error

    def check_writable(self) -> None:
        """Create the folder, and a file in it, which is removed again."""
        file = self._path / f".{secrets.token_hex(4)}"
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
            file.unlink()
        except OSError as error:
            raise Down(f"{self._path}: {error.strerror or error}") from error

    def get(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Read a range of the file."""
        try:
            with (self._path / name).open("rb") as file:
                file.seek(offset)
                return file.read(-1 if length is None else length)
        except FileNotFoundError as error:
            if self._path.is_dir() and any(self._path.iterdir()):
                raise Missing(name) from error
            raise Down(f"{self._path} is empty or not there: is it mounted?") from error
        except OSError as error:
            raise Down(f"{self._path / name} cannot be read: {error}") from error

    def names(self) -> Iterator[str]:
        """Yield the names of the files that were written completely."""
        try:
            yield from sorted(path.name for path in self._path.iterdir()
                              if not path.name.startswith("."))
        except FileNotFoundError:
            return
        except OSError as error:
            raise Down(f"{self._path} cannot be read: {error}") from error


class Bucket:
    """A bucket, below a prefix. Endpoint and credentials are found where boto3 looks for them:
    AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, ~/.aws ..."""

    def __init__(self, bucket: str, prefix: str):
        try:
            import boto3
            from boto3.exceptions import Boto3Error
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError, ClientError
        except ImportError as error:
            raise NoVault(
                "an archive at s3:// needs boto3: pip install 'fogg-server[s3]'") from error
        self._bucket, self._prefix = bucket, f"{prefix}/" if prefix else ""
        self._errors, self._refusal = (
            Boto3Error, BotoCoreError, ClientError, OSError), ClientError
        named = settings.AWS_ENDPOINT_URL_S3.value() or settings.AWS_ENDPOINT_URL.value()
        try:
            self._client = boto3.session.Session().client("s3", config=Config(
                connect_timeout=2, read_timeout=READ_TIMEOUT_S,
                retries={"mode": "standard", "total_max_attempts": 2},
                max_pool_connections=50,
                # understood by stores other than Amazon's, too
                s3={"addressing_style": "path"} if named else None,
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required"))
        except (BotoCoreError, ValueError) as error:
            raise NoVault(f"no archive at s3://{bucket}: {error}") from error

    def put(self, name: str, data: bytes) -> None:
        """Upload the file in one request."""
        self._asked(name, lambda: self._client.put_object(
            Bucket=self._bucket, Key=self._prefix + name, Body=data))

    def put_file(self, name: str, file: Path) -> None:
        """Upload the file in parts."""
        self._asked(name, lambda: self._client.upload_file(
            str(file), self._bucket, self._prefix + name))

    def check_writable(self) -> None:
        """List one file. An object that is written as a test could not be deleted everywhere."""
        self._asked("", lambda: self._client.list_objects_v2(
            Bucket=self._bucket, Prefix=self._prefix, MaxKeys=1))

    def get(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Request a range of the object."""
        if length == 0:
            return b""
        last = "" if length is None else str(offset + length - 1)

        def read() -> bytes:
            found: dict[str, Any] = self._client.get_object(
                Bucket=self._bucket, Key=self._prefix + name, Range=f"bytes={offset}-{last}")
            return found["Body"].read()

        return self._asked(name, read)

    def names(self) -> Iterator[str]:
        """List the objects, some thousand per request."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix)
        found = self._asked("", lambda: [row["Key"].removeprefix(self._prefix) for page in pages
                                         for row in page.get("Contents", ())])
        yield from sorted(found)

    def _asked(self, name: str, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except self._errors as error:
            if isinstance(error, self._refusal) and error.response["Error"]["Code"] in (
                    "NoSuchKey", "404", "InvalidRange", "416"):
                raise Missing(name) from error
            raise Down(f"s3://{self._bucket}/{self._prefix}{name}: {error}") from error


def vault_at(place: str) -> Vault:
    """Return the vault that a setting names: a folder, or ``s3://BUCKET/PREFIX``; raise NoVault if
    it names none."""
    if not place.startswith("s3://"):
        if "://" in place:
            raise NoVault(f"{place} is neither a folder nor s3://BUCKET/PREFIX")
        return Folder(place)
    bucket, _, prefix = place.removeprefix("s3://").partition("/")
    if not bucket:
        raise NoVault("an archive at S3 is s3://BUCKET/PREFIX")
    return Bucket(bucket, prefix.strip("/"))
