"""What tests of commands share."""

from multiprocessing import resource_tracker

import pytest
from fogg_client.playing import Host

from cli.offline.classes import host_of


@pytest.fixture(scope="session", autouse=True)
def tracker():
    """The process that Python starts with the first one of a pool, and lets run to the end."""
    resource_tracker.ensure_running()


@pytest.fixture(scope="module", autouse=True)
def hosts():
    """End the processes that play classes for commands in this process."""
    started, start = [], Host.start

    def noted(host, *words):
        start(host, *words)
        started.append(host)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "start", noted)
        yield
    host_of.cache_clear()
    for host in started:
        host.shutdown()
