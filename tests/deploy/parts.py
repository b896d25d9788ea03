"""The files of deploy/, and what their tests have in common."""

import re
import sys
from contextlib import contextmanager
from pathlib import Path

import urllib3
import yaml

from service.processes import Child
from tests.waiting import until
from tools.ports import free_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
CADDYFILE = (DEPLOY / "Caddyfile").read_text()
BIN = Path(sys.executable).parent
OPERATIONS = (ROOT / "docs/operations.md").read_text()
# of every metric on that page its labels; a test holds that the service has these and no other
METRICS = {
    name: tuple(labels.strip("{}").split(",")) if labels else ()
    for name, labels in re.findall(r"^\| `(fogg_\w+)(\{[\w,]+\})?` \|", OPERATIONS, re.MULTILINE)
}
VARIABLE = re.compile(r"\$\{(\w+)(?::-(.*?)|:\?.*?)?\}")


def copied() -> list[tuple[str, str]]:
    """The (source, target) of every file and folder that the Containerfile takes from here."""
    lines = re.findall(r"^COPY (?!--from)(.+)$", CONTAINERFILE, re.MULTILINE)
    return [(source, words[-1]) for words in map(str.split, lines) for source in words[:-1]]


def ask(url: str, method: str = "GET", **kwargs):
    """Make one request, not followed elsewhere."""
    return urllib3.request(method, url, redirect=False, retries=False, timeout=20, **kwargs)


@contextmanager
def proxy(folder: Path, *web: int, text: str = CADDYFILE):
    """Caddy with our file, in front of one port or several; gives its address."""
    folder.mkdir(exist_ok=True)
    url = f"http://127.0.0.1:{free_port()}"
    file = folder / "Caddyfile"
    file.write_text(text)
    hosts = " ".join(f"127.0.0.1:{port}" for port in web)
    with (folder / "proxy.log").open("wb") as log:
        caddy = Child(
            [BIN / "caddy", "run", "--adapter", "caddyfile", "--config", str(file)],
            env={
                "FOGG_SITE": url,
                "WEB_HOSTS": hosts,
                "HOME": str(folder),
                "XDG_DATA_HOME": str(folder),
                "XDG_CONFIG_HOME": str(folder),
            },
            output=log,
        )
    try:
        until(lambda: ask(url + "/metrics").status == 404, 120, "the proxy")
        yield url
    finally:
        caddy.stop()
