"""The files of deploy/ hold together, and with the documentation."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.deploy.parts import BIN, COMPOSE, CONTAINERFILE, DEPLOY, ROOT, VARIABLE, copied
from tests.programs import output


@pytest.mark.parametrize(
    "words",
    [
        ("hadolint", "--failure-threshold", "style", DEPLOY / "Containerfile"),
        ("check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml"),
        ("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_has_no_fault_that_its_checker_knows(tmp_path, words):
    output(
        BIN / words[0],
        *words[1:],
        env={**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
    )


def test_everything_copied_into_the_image_exists_and_is_sent_to_its_builder():
    sources = {source for source, _ in copied()}
    assert [source for source in sources if not (ROOT / source).exists()] == []
    sent = set(
        re.findall(r"^!(.+)$", (DEPLOY / "Containerfile.dockerignore").read_text(), re.MULTILINE)
    )
    assert sent == sources


def test_mounted_files_exist_and_every_image_is_pinned():
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (DEPLOY / source).exists()
    images = re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE)
    images += [s["image"] for s in COMPOSE["services"].values() if "build" not in s]
    assert len(images) == 7
    assert [
        image for image in images if not re.fullmatch(r"[^:]+:\d+(\.\d+){1,2}-[\w-]+", image)
    ] == []


def test_workers_do_not_get_the_address_of_the_games():
    for name in ("workers", "deliveries"):
        environment = COMPOSE["services"][name]["environment"]
        assert not {"FOGG_REDIS_URL", "FOGG_DATABASE"} & set(environment)
        assert not re.search("(REDIS|POSTGRES)_PASSWORD", str(COMPOSE["services"][name]))


def on(network: str) -> set[str]:
    return {name for name, service in COMPOSE["services"].items() if network in service["networks"]}


def test_each_redis_and_the_database_have_a_network_of_their_own():
    assert on("games") == {"redis", "web", "recorder"}
    assert on("queue") == {"queue", "web", "recorder", "workers", "deliveries"}
    assert on("records") == {"postgres", "web", "recorder"}
    assert on("front") == {"proxy", "web", "workers", "deliveries"}
    assert [
        name for name, network in COMPOSE["networks"].items() if network == {"internal": True}
    ] == ["games", "queue", "records"]


def test_no_redis_is_started_without_a_password():
    for name, password in (("redis", "REDIS_PASSWORD"), ("queue", "QUEUE_PASSWORD")):
        service, needed = COMPOSE["services"][name], f"${{{password}:?"
        place = service["command"].index("--requirepass") + 1
        assert service["command"][place].startswith(needed)
        assert service["environment"]["REDISCLI_AUTH"].startswith(needed)


def test_image_can_dump_the_database_of_compose():
    server = COMPOSE["services"]["postgres"]["image"].rpartition(":")[2].partition(".")[0]
    assert f"postgresql-client-{server} " in CONTAINERFILE
    debian = COMPOSE["services"]["postgres"]["image"].rpartition("-")[2]
    assert re.search(rf"^FROM \S+-{debian}$", CONTAINERFILE, re.MULTILINE)


def test_every_log_is_rotated_and_all_memory_is_limited_but_that_of_the_games():
    for name, service in COMPOSE["services"].items():
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name
        assert ("mem_limit" in service) == (name != "redis"), name


@pytest.mark.parametrize("lock", sorted(path.name for path in (ROOT / "locks").glob("*.lock")))
def test_uv_takes_a_lock_file_so_that_nobody_waits_for_pip(lock):
    done = subprocess.run(
        [
            BIN / "uv",
            "pip",
            "install",
            "--dry-run",
            "--offline",
            "--python",
            sys.executable,
            "--require-hashes",
            "--requirement",
            ROOT / "locks" / lock,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "require-hashes" not in done.stderr  # that it is offline may leave it other complaints


def test_the_image_runs_the_web_process_of_compose_and_nothing_as_root():
    command = json.loads(re.findall(r"^CMD (.+)$", CONTAINERFILE, re.MULTILINE)[-1])
    assert command == COMPOSE["services"]["web"]["command"]
    assert re.findall(r"^USER (\S+)", CONTAINERFILE, re.MULTILINE)[-1] not in ("root", "0")


def test_the_example_of_settings_names_those_that_compose_takes():
    wanted = {name for name, _ in VARIABLE.findall((DEPLOY / "compose.yaml").read_text())}
    example = (DEPLOY / ".env.example").read_text()
    assert set(re.findall(r"^(\w+)=", example, re.MULTILINE)) == wanted
