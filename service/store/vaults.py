"""Storage for the files of an archive and copies of backups: a folder.

Files are written whole, once, and never changed. ``Down`` is raised if the folder cannot be
reached, ``Missing`` if it has no such file.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO


class Down(Exception):
    """The folder cannot be reached; the message says why."""


class Missing(Exception):
    """There is no such file."""


class Folder:
    """A folder on this machine, or one that all machines of the service mount."""

    def __init__(self, path: str | Path):
        self._path = Path(path)

    def put(self, name: str, data: bytes) -> None:
        """Write to a temporary file and rename it: a file is complete or does not exist. It is
        stored durably once this returns."""
        self._write(name, BytesIO(data))

    def put_file(self, name: str, file: Path) -> None:
        """Write the contents of a file, which may be too large for memory."""
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
        """Create the folder, and a file in it, which is removed again. Raise Down if that fails."""
        file = self._path / f".{secrets.token_hex(4)}"
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
            file.unlink()
        except OSError as error:
            raise Down(f"{self._path}: {error.strerror or error}") from error

    def get(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Return a part of a file, by default all of it."""
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
