"""Expected errors of commands, each printed as one sentence with an exit code, without traceback.

A traceback means a fault of Fogg itself. All other errors that can end a command are listed here by
name, so that a command does not import modules that it does not use.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import click

# name of the exception -> the sentence, with the exception's own text
SENTENCES = {
    "concurrent.futures.process.BrokenProcessPool": "a process of this command was ended, perhaps "
    "for want of memory; run it again",
    "fogg_client.problems.NoStream": "this is no service of Fogg's: {}",
    "redis.exceptions.RedisClusterException": "Redis does not answer: {}",
    "redis.exceptions.RedisError": "Redis does not answer: {}",
    "sqlite3.Error": "the SQLite file cannot be used: {}",
    "service.errors.RecordsUnavailable": "the database cannot be used: {}",
} | dict.fromkeys(
    (
        "cli.bench.deals.NoSeason",
        "cli.bench.models.Unavailable",
        "cli.bench.run.OtherRun",
        "cli.export.files.CannotExport",
        "cli.offline.named.NoBoard",
        "domain.errors.FoggError",
        "fogg_client.accounts.NoToken",
        "fogg_client.bot.Fault",
        "fogg_client.bot.NoBot",
        "fogg_simulator.limits.NotCompiled",
        "service.eventlog.backup.CannotCopy",
        "service.operation.stack.StackFailed",
        "service.settings.BadSetting",
        "service.starting.RedisUnavailable",
    ),
    "{}",
)


@contextmanager
def render_errors() -> Iterator[None]:
    """Turn expected errors into click's exceptions, which print one sentence."""
    try:
        yield
    except click.ClickException:
        raise
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # the reader of a pipe has gone: click handles it
        why = error.strerror or str(error)
        said = f"{error.filename}: {why}" if error.filename else why
        raise click.ClickException(said) from error
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # Python 3.11, in a class's making
            raise error.__cause__ from None
        if sentence := _sentence(error):
            raise click.ClickException(sentence) from error
        raise


def _sentence(error: Exception) -> str | None:
    """Return a sentence for an error, or None if the error was not expected."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):  # the service rejected the request with a reason
        return body.get("detail") or str(error)
    for kind in type(error).__mro__:
        if sentence := SENTENCES.get(f"{kind.__module__}.{kind.__qualname__}"):
            return sentence.format(error)
    return None
