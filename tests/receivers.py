"""A little HTTP server that is called, as somebody might write one."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests import servers


class Receiver:
    """The calls received, in order: ``calls`` the bodies, ``headers`` theirs, ``raw`` the bytes,
    ``paths`` with their queries.

    ``answer(call)`` returns a status, or a status and a JSON body, or a status and headers.
    """

    def __init__(self, answer: Callable[[dict], tuple] | None = None):
        self.answer = answer or (lambda _: (204,))
        self.calls, self.headers, self.raw, self.paths = [], [], [], []
        self.url = ""

    def of(self, kind: str) -> list[dict]:
        return [call for call in self.calls if call["type"] == kind]


@contextmanager
def receiver(answer: Callable[[dict], tuple] | None = None) -> Iterator[Receiver]:
    """Give a receiver that listens on this machine."""
    receiver = Receiver(answer)

    class Handler(servers.Handler):
        def do_POST(self):
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            call = json.loads(raw)
            receiver.calls.append(call)
            receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
            receiver.raw.append(raw)
            receiver.paths.append(self.path)
            status, *said = receiver.answer(call)
            body, headers = b"", {}
            for part in said:
                if isinstance(part, bytes):
                    body = part
                elif "action" in part:
                    body = json.dumps(part).encode()
                else:
                    headers = part
            self.answer(status, body, **headers)

    with servers.listening(Handler) as url:
        receiver.url = f"{url}/hook?key=hush"
        yield receiver
