"""The page's client, which anybody may build on: what it does over a bad network."""

import os
import subprocess
from itertools import cycle
from pathlib import Path

from tests.proxies import CuttingProxy
from tests.service.page.nodejs import NODE

TESTS = Path(__file__).with_name("client.test.mjs")
FATES = ("well", "after", "before", "half")


def test_the_client_of_the_page(stack):
    fates = cycle(FATES)
    with CuttingProxy(stack.url, lambda _: next(fates), lasts=1.5) as proxy:
        done = subprocess.run(
            [NODE, "--test", TESTS],
            capture_output=True,
            text=True,
            timeout=240,
            env=os.environ | {"FOGG_SERVER": stack.url, "FOGG_PROXY": proxy.url},
        )
    assert done.returncode == 0, done.stdout + done.stderr
