"""How much memory Redis may take, where the machine or a container says less."""

import os

import pytest

from service.redis.connection import usable_memory

MACHINE = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("files", "memory"),
    [
        ({}, MACHINE),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n"}, 1048576),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, MACHINE),
        (
            {
                "proc/self/cgroup": "0::/system.slice/fogg-up.service\n",
                "sys/fs/cgroup/system.slice/memory.max": "2000000\n",
                "sys/fs/cgroup/system.slice/fogg-up.service/memory.max": "max\n",
            },
            2000000,
        ),
        ({"sys/fs/cgroup/memory/memory.limit_in_bytes": "3000000\n"}, 3000000),
        ({"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, MACHINE),
    ],
    ids=["machine", "container", "no limit", "unit", "version 1", "version 1, no limit"],
)
def test_the_smallest_limit_counts(files, memory, tmp_path):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert usable_memory(tmp_path) == memory
