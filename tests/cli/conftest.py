"""What tests of commands share."""

import pytest

from cli.offline.classes import host_of


@pytest.fixture(scope="module", autouse=True)
def hosts():
    """End the processes that play classes for commands in this process."""
    yield
    host_of.cache_clear()
