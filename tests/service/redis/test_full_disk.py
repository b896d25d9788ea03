"""A service whose disk is full: a small one, in memory, that only the service and its test see."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import urllib3
from fogg_client.client import Client

from tests.waiting import until

ALONE = ["unshare", "--mount", *(["--map-root-user"] if os.getuid() else [])]
UP = 'mount -t tmpfs -o size=12m tmpfs "$1" && exec "$2" -m cli up --port 0 --data "$1" --json'


def can_mount() -> bool:
    if sys.platform != "linux" or not shutil.which("unshare"):
        return False
    tried = [*ALONE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(tried, capture_output=True).returncode == 0


class Asker(threading.Thread):
    """Creates games without end; records those that were acknowledged."""

    def __init__(self, url: str, token: str):
        super().__init__(daemon=True)
        self.url, self.token = url, token
        self.created: list[str] = []
        self.statuses: list[int] = []
        self.is_over = threading.Event()

    def run(self) -> None:
        with urllib3.PoolManager(retries=False) as http:
            while not self.is_over.wait(0.02):
                answer = http.request(
                    "POST",
                    f"{self.url}/v1/games",
                    json={"board": "usa", "seats": [{"bot": "random"}, {"bot": "greedy"}]},
                    headers={"Authorization": f"Bearer {self.token}"},
                )
                self.statuses.append(answer.status)
                if answer.status == 201:
                    self.created.append(answer.json()["id"])


@pytest.mark.deep
@pytest.mark.skipif(not can_mount(), reason="this user may not mount a small disk")
def test_a_full_disk_is_waited_out_and_nothing_that_was_answered_is_lost(tmp_path):
    command = [*ALONE, "sh", "-c", UP, "up", str(tmp_path), sys.executable]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = json.loads(process.stdout.readline())["url"]
            disk = Path(f"/proc/{process.pid}/root{tmp_path}")  # as the service sees it
            account = Client(url).sign_up("Ann")
            asker = Asker(url, account.token)
            asker.start()
            until(lambda: len(asker.created) > 5, 20)
            fill(disk / "fill")
            until(lambda: asker.statuses[-1] == 503, 20)
            time.sleep(2)
            assert process.poll() is None
            assert Client(url).get("/healthz") == {"status": "ok"}
            (disk / "fill").unlink()
            before = len(asker.created)
            until(lambda: len(asker.created) > before + 5, 20)
            asker.is_over.set()
            asker.join()
            assert set(asker.statuses) == {201, 503}
            assert all(account.view(game)["version"] for game in asker.created)
            mended = [json.loads(line) for line in stop(process).splitlines()]
            assert {"event": "restarted", "process": "redis"} in mended
            assert {row.get("process") for row in mended} <= {"redis", None}
        finally:
            process.kill()


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as opened:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    opened.write(bytes(size))
            except OSError:
                continue


def stop(process: subprocess.Popen) -> str:
    """Stop it; return what it has said since it was ready."""
    process.send_signal(signal.SIGTERM)
    return process.communicate(timeout=30)[0]
