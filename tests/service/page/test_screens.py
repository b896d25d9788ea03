"""Every screen opens in a browser, without an error and without asking anybody else."""

import pytest


@pytest.mark.parametrize("path", ["/", "/tournaments", "/leaderboards", "/boards"])
def test_a_screen_opens(window, path):
    page = window().open(path)
    page.wait_for_selector("main h1")
