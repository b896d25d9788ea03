"""A real server that speaks as Amazon S3 does, for tests of the archive."""

import contextlib
import os
import socket
import sys
import time

import pytest

from service.operation.processes import Child
from tests.ports import free_port

SETTINGS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory):
    """The address of a server, one for all tests of a process."""
    port = free_port()
    with (tmp_path_factory.mktemp("s3") / "log").open("wb") as log:
        server = Child([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
                       output=log)
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


@pytest.fixture
def bucket(s3_server, monkeypatch):
    """A bucket there, as FOGG_ARCHIVE names it; where boto3 looks is set."""
    import boto3

    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3_server)
    with contextlib.closing(boto3.client("s3", region_name="us-east-1")) as client:
        client.create_bucket(Bucket="fogg")
    assert os.environ["AWS_ENDPOINT_URL_S3"] == s3_server
    return "s3://fogg"


def _wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.1)
    raise TimeoutError(f"no S3 server listens on port {port}")
