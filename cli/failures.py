"""How a command that cannot go on says so: in a sentence, with an exit code, and no traceback.

A traceback is for what is a fault of Fogg's own. Whatever else may end a command is listed here,
by its name, so that no command waits for an import of what it does not use.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import click

# what ends a command -> the sentence, with what it says itself in it
SENTENCES = {
    "concurrent.futures.process.BrokenProcessPool": "a process of this command was ended, perhaps "
                                                    "for want of memory; run it again",
    "cli.export.files.CannotExport": "{}",
    "cli.offline.named.NoBoard": "{}",
    "domain.errors.FoggError": "{}",
    "fogg_client.bot.Fault": "{}",
    "fogg_client.bot.NoBot": "{}",
    "fogg_client.client.NoStream": "this is no service of Fogg's: {}",
    "fogg_client.accounts.NoToken": "{}",
    "redis.exceptions.RedisClusterException": "Redis does not answer: {}",
    "redis.exceptions.RedisError": "Redis does not answer: {}",
    "service.errors.ArchiveDown": "{}",
    "service.operation.starting.RedisUnavailable": "{}",
    "service.operation.stack.StackFailed": "{}",
    "service.settings.BadSetting": "{}",
    "service.store.backup.NoBackup": "{}",
    "service.store.vaults.NoVault": "{}",
}


@contextmanager
def told() -> Iterator[None]:
    """Make of what ends a command what click tells in a sentence."""
    try:
        yield
    except click.ClickException:
        raise
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # nobody reads any more: click knows that
        raise click.ClickException(about_file(error)) from error
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11, in a class's making
            raise error.__cause__ from None
        if sentence := _sentence(error):
            raise click.ClickException(sentence) from error
        raise


def about_file(error: OSError) -> str:
    """Return what is wrong with a file, or whatever else the system refused."""
    why = error.strerror or str(error)
    return f"{error.filename}: {why}" if error.filename else why


def _sentence(error: Exception) -> str | None:
    """Return what is to be said of an error, None if that is nothing that was to be expected."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):  # the service has said no, in words
        return body.get("detail") or str(error)
    for kind in type(error).__mro__:
        if sentence := SENTENCES.get(f"{kind.__module__}.{kind.__qualname__}"):
            return sentence.format(error)
    return None
