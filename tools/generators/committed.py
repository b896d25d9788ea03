"""Reads openapi.yaml, and the part of it for bots, as they are in the repository."""

from pathlib import Path

import yaml

FILE = Path(__file__).parents[2] / "openapi.yaml"
FOR_BOTS = FILE.parent / "service" / "page" / "openapi-for-bots.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first takes a tenth of the time


def description(file: Path = FILE) -> dict:
    """Return a description of the service: the committed one, or another."""
    return yaml.load(file.read_text(), LOADER)
