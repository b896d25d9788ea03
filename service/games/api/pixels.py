"""Pictures as PNG, for sites and apps that show no SVG.

A picture takes a quarter of a second of CPU time, during which the library does not let other
Python code run. So a process of its own does it, with the lowest priority. Each web process makes
one picture at a time.
"""

from __future__ import annotations

import subprocess
import sys

from gevent.lock import BoundedSemaphore

from service.errors import TooMany

WAIT_S = 5  # seconds that a request waits for others' pictures
TIMEOUT_S = 30
RASTERIZE = """
import os, sys
os.nice(19)
import font_lato, resvg_py
svg = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(resvg_py.svg_to_bytes(
    svg_string=svg, font_files=[font_lato.font_files["LatoBold"]]))
"""
_turn = BoundedSemaphore()


def png(svg: str) -> bytes:
    """Return an SVG picture as PNG; raise TooMany if too many others wait."""
    if not _turn.acquire(timeout=WAIT_S):
        raise TooMany("pictures that are drawn at the moment", WAIT_S)
    try:
        return subprocess.run([sys.executable, "-I", "-c", RASTERIZE], input=svg.encode(),
                              capture_output=True, check=True, timeout=TIMEOUT_S).stdout
    finally:
        _turn.release()
