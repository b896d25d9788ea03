"""openapi.yaml: made from the schemas and the blueprints, with examples recorded from real calls.

``python -m service.api.spec --write`` writes it, ``--check`` fails if it is not what would be
written, ``--record`` first plays a game against the application to record the examples anew.
Nothing but ``--record`` needs a Redis.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from flask import Flask

from service.api.http import PROBLEM, PROBLEMS
from service.api.schemas.openapi import Api, Plugin, tidy_name

ROOT = Path(__file__).parents[2]
FILE = ROOT / "openapi.yaml"
EXAMPLES = Path(__file__).with_name("examples.json")
METHODS = ("get", "post", "patch", "delete")
SECTIONS = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
OPERATION = ("operationId", "summary", "description", "tags", "security", "parameters",
             "requestBody", "responses")
COMPONENTS = ("securitySchemes", "parameters", "responses", "schemas")

DESCRIPTION = """\
Play board games by the rules of Ticket to Ride over HTTP. Fogg keeps every game as a history of
actions, shows each player only what they may see, and checks every rule.

**A game in five requests.** `createPlayer` gives you a token. `createGame` sets out a board with
seats for you, for built-in bots and for others; the game starts when no seat is open. `getGame`
shows your view with `you.legal_actions`. `playAction` takes one of them, unchanged, and answers
with the next view. `listEvents` with `wait` holds the line until somebody has played.

**Streams.** `listEvents` follows a game, `listMyEvents` all your games; as server-sent events or
lines of JSON both go on for as long as you listen, and resume where they were cut off. Tokens
travel in a header only, so in a browser read streams with `fetch`, not with `EventSource`.

**Webhooks.** Instead of listening, be called: `createWebhook` registers an https address, which is
told the same as `listMyEvents` tells, signed. The answer to `your_turn` may hold the action to
play. docs/webhooks.md says how to verify a call.

**Tournaments.** `createTournament` sets one up, `enterTournament` enters it; once it has begun, the
service creates the games of every round by itself and tells you of yours on `listMyEvents`.

**The past, and data.** `getGame` with `at` shows a game as it was. Once it is finished,
`getHistory` and `getDecisions` hand out all of it; `listHistories` and `listDecisions` do so for
all public games, as lines of JSON that go on after the last `cursor` received. docs/events.md
describes them.

**Ratings.** Finished games tell how strong players are: `getLeaderboard` ranks them, over all and
on each board, and says which games are rated; `getPlayer` shows one player, `listRatings` how a
rating came to be.

**On a bad network** send an `Idempotency-Key`, new for each request, with every POST, and repeat it
until it is answered: it is done once, and answered as the first time. Keys belong to your account
and are kept as long as the game. Refusals are not kept: what was refused may be tried again.

**Limits.** Every answer tells in `RateLimit` how many requests are left (`r`) for how many seconds
(`t`), counting an account with all of its tokens and bots as one; beyond them the answer is 429,
and `Retry-After` says when to come back.

**Errors** are `application/problem+json` with a stable `type` and `code`. 422 means that the
request is malformed, 409 that the rules do not allow it now; either way nothing has changed. After
a 503, or no answer at all, repeat the request: with an `Idempotency-Key` an action is never played
twice.

**Codes of 409**, by what was wished for. A game: `wrong-number-of-seats`, `no-such-seat`,
`too-few-players`, `game-not-finished`, `no-position`, `version-ahead`. A seat: `already-seated`,
`seat-not-taken`, `seat-taken`, `wrong-entropy`, `game-started`. A stream: `version-ahead`. Any
action: `game-not-started`, `game-finished`, `seat-left`, `not-your-turn`, `wrong-decision`,
`out-of-time`, `cannot-pass`, `too-busy` (try again). Cards: `blind-draw`, `unknown-source`,
`unknown-card`, `not-in-row`, `wild-not-second`, `no-cards-left`. A route: `unknown-route`,
`route-taken`, `own-double`, `double-closed`, `too-few-trains`, `wrong-cards`, `cards-not-held`,
`too-few-wilds` (a ferry), `no-flag-card`, `flag-card-twice`. A station: `unknown-location`,
`station-there`, `no-stations-left`, `not-on-this-board`. Tickets: `no-tickets-left`,
`ticket-not-offered`, `ticket-twice`, `too-few-tickets`. A tournament: `time-passed`,
`no-such-time`, `knockout-rounds`, `already-entered`, `owner-entered`, `not-entered`,
`tournament-full`, `too-few-entrants`, `tournament-started`, `tournament-not-running`,
`tournament-finished`, `round-not-over`, `already-recorded`. A webhook:
`too-many-webhooks`, `webhook-off`, `webhook-token-revoked`.

**Secrets.** Members that the caller may not see are left out; where the amount is public a member
`<name>_count` stands for them. Once a game is finished everybody sees everything; where a
tournament plays the same deal several times, once all games of that deal are.

**Names.** Seats count from 0 in the order of play. A route's id is `a--b`, its twin's `a--b--2`; a
ticket's `a--b`. The joker is `wild` on every board. Numbers in parentheses are those of the rules
in docs/rules.md. Members that do not apply are missing, not null; later versions may add members
to answers. Times are RFC 3339 in UTC. Query parameters that are not listed are refused.

Not affiliated with Days of Wonder; Ticket to Ride is their trademark.
"""

SETTINGS = {
    "API_TITLE": "Fogg",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The service that serves this file."}],
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer",
                          "description": "The token of `createPlayer`: `Bearer fogg_...`."}
            }
        },
    },
}

PATH_PARAMETERS = {
    "board": ("A board's id, as `listBoards` has it.", {"type": "string", "minLength": 1}, "usa"),
    "game": ("A game's id.", {"type": "string", "pattern": "^g_[0-9a-f]{20}$"},
             "g_00000000000000000001"),
    "leaderboard": ("`overall`, or a board's id as `listBoards` has it.",
                    {"type": "string", "minLength": 1}, "overall"),
    "player": ("An account's id.", {"type": "string", "pattern": "^[a-z]{1,3}_[0-9a-z_]{1,40}$"},
               "p_00000000000000000001"),
    "tournament": ("A tournament's id.", {"type": "string", "pattern": "^c_[0-9a-f]{20}$"},
                   "c_00000000000000000001"),
    "entrant": ("An entrant: `me`, an account's id or a built-in bot's name.",
                {"type": "string", "pattern": "^[a-z][0-9a-z_]{1,49}$"}, "me"),
    "seat": ("A seat's number, from 0.", {"type": "integer", "minimum": 0, "maximum": 7}, 1),
    "token_id": ("A token's id, as `listTokens` has it.",
                 {"type": "string", "pattern": "^t_[0-9a-f]{20}$"}, "t_00000000000000000001"),
    "webhook": ("A webhook's id.", {"type": "string", "pattern": "^w_[0-9a-f]{20}$"},
                "w_00000000000000000001"),
}


@cache
def text(*modules) -> str:
    """Return the description of the operations in these modules' blueprints, as YAML."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes texts of several lines as such, and nothing as a reference."""

        def ignore_aliases(self, _data) -> bool:
            return True

    def write_text(dumper: Dumper, value: str):
        return dumper.represent_scalar("tag:yaml.org,2002:str", value,
                                       style="|" if "\n" in value else None)

    Dumper.add_representer(str, write_text)
    recorded = json.loads(EXAMPLES.read_text()) if EXAMPLES.exists() else {}
    return yaml.dump(described(modules, recorded), Dumper=Dumper, sort_keys=False,
                     allow_unicode=True, width=100)


def described(modules: tuple, recorded: dict) -> dict:
    """Return the description with recorded examples: {operationId: [example, ...]}."""
    app = Flask("fogg")
    app.config.update(SETTINGS)
    api = Api(app, spec_kwargs={"marshmallow_plugin": Plugin(schema_name_resolver=tidy_name)})
    for status, (name, schema, headers, words) in PROBLEMS.items():
        content = {PROBLEM: {"schema": schema, "examples": _examples_of(status, recorded)}}
        api.spec.components.response(
            name, {"description": words} | ({"headers": headers} if headers else {})
            | {"content": content})
    for module in modules:
        api.register_blueprint(module.blueprint)
    called = {}
    for module in modules:
        called |= getattr(module, "called", lambda _: {})(api.spec)
    spec = api.spec.to_dict() | {"webhooks": called}
    _name_parameters(spec)
    for _, operation in operations(spec):
        if stream := operation.pop("x-stream", None):
            operation["responses"]["200"]["content"] |= stream["content"]
            operation["parameters"].append(stream["parameter"])
        _add_examples(operation, recorded.get(operation["operationId"], []), spec)
        _put_in_order(operation, OPERATION)
        _put_in_order(operation["responses"], tuple(sorted(operation["responses"])))
    _drop_unused(spec)
    return {section: spec[section] for section in SECTIONS}


def operations(spec: dict) -> Iterator[tuple[str, dict]]:
    """Yield ("METHOD path", operation) for every operation of a description."""
    for path, item in spec["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def _examples_of(status: int, recorded: dict) -> dict:
    """Return the first example of a status, for operations that have none of their own."""
    rows = [row for rows in recorded.values() for row in rows if row["status"] == status]
    return {row["name"]: _example(row, row["answer"]) for row in rows[:1]}


def _name_parameters(spec: dict) -> None:
    """Describe the parameters of paths once, and refer to them."""
    described = spec["components"].setdefault("parameters", {})
    for name, (words, schema, example) in PATH_PARAMETERS.items():
        described[name] = {"in": "path", "name": name, "required": True, "description": words,
                           "schema": schema, "example": example}
    for path, item in spec["paths"].items():
        if parameters := item.pop("parameters", None):
            refs = [{"$ref": f"#/components/parameters/{p['name']}"} for p in parameters]
            spec["paths"][path] = {"parameters": refs} | item


def _add_examples(operation: dict, rows: list[dict], spec: dict) -> None:
    """Put recorded requests and answers where the description wants them."""
    responses = operation["responses"]
    for row in rows:
        if "request" in row:
            content = operation["requestBody"]["content"]["application/json"]
            content.setdefault("examples", {})[row["name"]] = _example(row, row["request"])
        if "answer" in row:
            status = str(row["status"])
            if "$ref" in responses[status]:
                named = spec["components"]["responses"][responses[status]["$ref"].split("/")[-1]]
                schema = named["content"][PROBLEM]["schema"]
                responses[status] = named | {"content": {PROBLEM: {"schema": schema}}}
            content = responses[status]["content"][row["media_type"]]
            content.setdefault("examples", {})[row["name"]] = _example(row, row["answer"])


def _example(row: dict, value) -> dict:
    return {"summary": row["summary"], "value": value}


def _put_in_order(members: dict, order: tuple[str, ...]) -> None:
    for name in order:
        if name in members:
            members[name] = members.pop(name)


def _drop_unused(spec: dict) -> None:
    """Leave out components that nothing refers to, and put the rest in order."""
    used: set[tuple[str, ...]] = set()
    waiting = [spec["paths"], spec["webhooks"]]
    while waiting:
        for ref in _references(waiting.pop()):
            kind, name = ref.split("/")[2:]
            if (kind, name) not in used:
                used.add((kind, name))
                waiting.append(spec["components"][kind][name])
    spec["components"] = {
        kind: {name: value for name, value in sorted(spec["components"][kind].items())
               if (kind, name) in used or kind == "securitySchemes"}
        for kind in COMPONENTS
    }


def _references(value) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def main() -> int:
    """Write or check openapi.yaml."""
    from service.api.app import BLUEPRINTS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write openapi.yaml")
    parser.add_argument("--check", action="store_true", help="fail if openapi.yaml is another")
    parser.add_argument("--record", action="store_true", help="record the examples anew")
    options = parser.parse_args()
    if options.record:
        from service.api import examples

        EXAMPLES.write_text(json.dumps(examples.record(), indent=1, ensure_ascii=False) + "\n")
    if options.write:
        FILE.write_text(text(*BLUEPRINTS))
    if options.check and (not FILE.exists() or FILE.read_text() != text(*BLUEPRINTS)):
        print("openapi.yaml is not what the schemas say: run make openapi", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
