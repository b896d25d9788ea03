"""Free ports for servers that a test stops and starts again.

They lie outside of the system's ephemeral range. Otherwise an outgoing connection could take the
port while its server is away, even one that a client opens to this very port.
"""

import random
import socket
from contextlib import suppress

PORTS = range(15_000, 32_000)


def free_ports(count: int) -> list[int]:
    """Return so many different ports of this machine that nobody listens at."""
    ports: list[int] = []
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            ports.append(port)
        if len(ports) == count:
            return ports
    raise OSError("there are no free ports")


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    return free_ports(1)[0]
