"""A language model by a script: it plays a claim if it can, else the first legal action.

As a program it answers requests on its standard input, or with a port those to
http://127.0.0.1:PORT/v1, where one answer in twenty has no action, and one is illegal::

    python -m tests.cli.scripted_model 8123
    fogg bench llm --endpoint http://127.0.0.1:8123/v1 --model scripted
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zlib import crc32

from tests.cli.legal_text import actions_in


def completion(text: str, **usage: float) -> dict:
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}


def well(request: dict) -> dict:
    [prompt] = [one["content"] for one in request["messages"] if "Legal actions:" in one["content"]]
    action = max(actions_in(prompt), key=lambda action: action["type"] == "claim_route")
    return completion(
        f"I {{think}}.\n{json.dumps(action | {'note': 'so there'})}",
        prompt_tokens=len(json.dumps(request)) // 4,
        completion_tokens=50,
    )


def unsteadily(request: dict) -> dict:
    """Answer well, but for one answer in twenty without an action, and one that is illegal; which
    ones, the request decides."""
    chance = crc32(json.dumps(request).encode()) % 20
    return (
        completion("Let me see.")
        if chance == 0
        else (
            completion('{"type": "draw_card", "card": "plaid"}') if chance == 1 else well(request)
        )
    )


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(unsteadily(request)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


if __name__ == "__main__":
    if sys.argv[1:]:
        ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
    for line in sys.stdin:
        print(json.dumps(well(json.loads(line))), flush=True)
