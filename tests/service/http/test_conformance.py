"""The running service follows openapi.yaml for all requests that Schemathesis generates.

The service runs as in production: gunicorn with gevent over a Redis of its own. Every check of
Schemathesis is on, in all of its phases: the recorded examples, the edges of every schema, fuzzing,
and sequences of requests. Real ids are fed in, so that requests get past 404.
"""

import gc
import json
import re
import unicodedata
from collections import Counter
from itertools import count

import pytest
import urllib3

from service.accounts.bots import BOTS
from service.operation.stack import Stack
from tools.generators.committed import FILE
from tools.generators.openapi import operations

pytestmark = pytest.mark.deep

CHECKS = {
    "max_response_time": 10,
    # A well-formed request may still be meant for a version that has passed.
    "positive_data_acceptance": {
        "expected-statuses": ["2xx", "3xx", "401", "403", "404", "409", "412"]
    },
    # A wrong value may also make the address too long.
    "negative_data_rejection": {
        "expected-statuses": [
            "400",
            "401",
            "403",
            "404",
            "405",
            "406",
            "409",
            "413",
            "414",
            "415",
            "422",
            "429",
        ]
    },
}
# A tester that knows nothing names what is not there, and creates again under the key of what was
# deleted since.
UNFED = CHECKS | {
    name: {"enabled": False}
    for name in (
        "positive_data_acceptance",
        "negative_data_rejection",
        "ensure_resource_availability",
    )
}
OPERATIONS = [
    # A fault of one of several items is reported for that item.
    {
        "include-operation-id": "playActions",
        "checks": {"negative_data_rejection": {"enabled": False}},
    },
    # A header that nobody has described is no mistake, and a good action with one is played.
    {"include-operation-id": "playAction", "generation": {"allow-extra-parameters": False}},
]
EXAMPLES = 40  # a phase and operation
RUNS, SCENARIOS, STEPS = 8, 30, 50  # at most, of a tester that follows links
HOOK = {"url": "https://bots.example/fogg"}
UNKNOWN = "x-schemathesis-unknown-property"  # a header that means nothing is nothing wrong
# Texts that others see. Refused in them are some of the characters beyond U+FFFF, two that only
# emoji may contain, unassigned ones, and many marks in a row: no pattern that every dialect of
# regular expressions reads says so.
SHOWN = ("name", "label", "note", "description", "rules", "reason")
BEYOND = "[\U00010000-\U0010ffff\u200d\ufe0f{}]".format(
    "".join(
        chr(code)
        for code in range(0x10000)
        if unicodedata.category(chr(code)) in ("Cn", "Mn", "Me")
    )
)
LONGEST_WAIT = 0.2  # seconds; a client may ask for 60


class Feeder:
    """Puts what really exists into the requests that Schemathesis makes up."""

    def __init__(self, url: str):
        # Keep the connection open; if the service closes it at the moment of use, the request is
        # sent again.
        self.service = urllib3.connectionpool.connection_from_url(
            url, timeout=10, retries=urllib3.Retry(3, allowed_methods=None)
        )
        self.number, self.seen = count(), Counter()
        self.ada, self.grace, self.mary = (
            self.ask("POST", "/v1/players", {"name": name})["token"]
            for name in ("Ada", "Grace", "Mary")
        )
        self.ada_id, self.grace_id = (
            self.ask("GET", "/v1/me", token=token)["id"] for token in (self.ada, self.grace)
        )
        self.bot = self.ask("POST", "/v1/me/bots", {"name": "Adabot"})["id"]
        self.own_token = self.ask("GET", "/v1/me/tokens")["items"][0]["id"]
        self.game = self.begin()
        self.games = [self.begin(), self.begin(), self.open_game()]
        self.ask("POST", f"/v1/games/{self.games[1]}/actions", {"type": "resign"}, self.grace)
        self.cups = [self.cup(), self.cup(by=self.grace), self.cup(by=self.grace, begin=True)]
        self.over = self.cup()
        self.ask("POST", f"/v1/tournaments/{self.over}/end", {})

    def ask(self, method: str, path: str, body=None, token: str | None = None):
        """Return the answer to a request, by Ada unless told."""
        token = token or getattr(self, "ada", None)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        answer = self.service.request(
            method, path, body=None if body is None else json.dumps(body), headers=headers
        )
        assert answer.status < 400, (method, path, body, answer.data)
        return answer.json() if answer.status != 204 else None

    def open_game(self) -> str:
        """Return a new game of Ada with a bot and an open seat."""
        wish = {"board": "usa", "seats": [{"player": "me"}, {"bot": "greedy"}, {"open": True}]}
        return self.ask("POST", "/v1/games", wish)["id"]

    def begin(self) -> str:
        """Return a new game of Ada and Grace, the tickets chosen."""
        wish = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
        game = self.ask("POST", "/v1/games", wish)["id"]
        self.ask("POST", f"/v1/games/{game}/seats", {}, self.grace)
        for token in (self.ada, self.grace):
            self.act(game, token, -1)
        return game

    def cup(self, by: str | None = None, begin: bool = False) -> str:
        """Return a new tournament that two bots have entered, and, to begin, Ada too."""
        cup = self.ask("POST", "/v1/tournaments", {"name": "Cup"}, by)["id"]
        for bot in ("planner", "greedy"):
            self.ask("POST", f"/v1/tournaments/{cup}/entries", {"bot": bot}, by)
        if begin:
            self.ask("POST", f"/v1/tournaments/{cup}/entries", {})
            self.ask("POST", f"/v1/tournaments/{cup}/start", {}, by)
        return cup

    def act(self, game: str, token: str, which: int) -> None:
        actions = self.ask("GET", f"/v1/games/{game}", token=token)["you"]["legal_actions"]
        self.ask("POST", f"/v1/games/{game}/actions", actions[which % len(actions)], token)

    def position(self) -> dict:
        """Return Ada's view of a game in which she is to decide."""
        while True:
            view = self.ask("GET", f"/v1/games/{self.game}")
            if view["status"] == "finished":
                self.game = self.begin()
            elif view["you"]["legal_actions"]:
                return view
            else:
                self.act(self.game, self.grace, 0)

    def before_call(self, context, case, kwargs) -> None:
        """Feed a request; what is wrong with it on purpose stays wrong."""
        operation, number = case.operation.definition.raw["operationId"], next(self.number)
        (case.headers or {}).pop(UNKNOWN, None)
        for given in (case.body, case.query):
            if is_good(case) and isinstance(given, dict):
                given |= {
                    name: re.sub(BEYOND, "é", given[name])
                    for name in SHOWN
                    if isinstance(given.get(name), str)
                }
        shorten_wait(context, case, kwargs)
        path = case.path_parameters or {}
        if is_good(case) and isinstance((case.query or {}).get("at"), int):
            case.query["at"] = 1 + case.query["at"] % 7  # more often than not it was there
        if path.get("token_id") == self.own_token:  # or every further request would be refused
            path["token_id"] = self.ask("POST", "/v1/me/tokens", {})["id"]
        if operation == "leaveSeat" and is_good(case):
            # Schemathesis takes every seat of a view for one that was just created, open ones too.
            path |= {"game": self.open_game(), "seat": 0}
        elif is_good(case) and (
            operation == "createWebhook" or re.fullmatch("w_[0-9a-f]{20}", str(path.get("webhook")))
        ):
            self.feed_webhook(operation, case, number)
        elif is_good(case) and isinstance(case.body, dict) and case.body.get("name") in BOTS:
            case.body["name"] = "Countess"  # the service keeps these names to itself
        elif operation == "changeBot" and is_good(case) and number % 4:
            path["bot"] = self.bot
        elif operation == "closeInvitation" and is_good(case) and number % 4:
            self.ask("PATCH", "/v1/me", {"invitations": {"boards": [], "open": 100}})
            path |= {"game": self.invited_game(), "invited": "me"}
        elif "player" in path and is_good(case) and number % 2:
            path["player"] = self.grace_id
            if "board" in (case.query or {}):
                case.query["board"] = ("overall", "usa")[number // 2 % 2]
        elif "leaderboard" in path and is_good(case) and number % 2:
            path["leaderboard"] = ("overall", "usa")[number // 2 % 2]
        elif operation == "startGame" and is_good(case):
            path["game"] = self.open_game()
        elif operation in ("getHistory", "getDecisions", "getViews") and is_good(case):
            path["game"] = self.games[1]
        elif operation == "invitePlayer" and is_good(case):
            path["game"], case.body = self.open_game(), {"player": self.grace_id}
        elif operation == "listEvents" and is_good(case) and number % 3 == 0:
            # the end of a finished game, which only a stream has no answer to
            path["game"] = self.games[1]
            last = str(self.ask("GET", f"/v1/games/{self.games[1]}")["version"])
            case.headers.update({"Accept": "text/event-stream", "Last-Event-ID": last})
        elif re.fullmatch("c_[0-9a-f]{20}", str(path.get("tournament"))) and is_good(case):
            self.feed_tournament(operation, case, number)
        elif number % 4 and re.fullmatch("g_[0-9a-f]{20}", str(path.get("game"))):
            path["game"] = self.games[number % len(self.games)]
            if operation == "joinGame":
                path["game"] = self.invited_game()  # of open seats she gets ten
            elif operation == "playAction":
                self.feed_action(case, number)
        if is_good(case) and "Idempotency-Key" in case.headers:  # one key, one action
            case.headers["Idempotency-Key"] = f"{number}-{case.headers['Idempotency-Key']}"[:128]
        if is_good(case) and not str(case.headers.get("If-Match", '"')).startswith('"'):
            # Schemathesis has no good value for a header that needs quotes, and sends a bad one.
            case.headers["If-Match"] = '"1"'

    def hook(self) -> str:
        """Return the latest of Ada's webhooks that is switched on, or a new one: one whose token
        was revoked meanwhile stays off."""
        rows = self.ask("GET", "/v1/me/webhooks")["items"]
        switched_on = [row["id"] for row in rows if row["enabled"]]
        return switched_on[-1] if switched_on else self.new_hook()

    def new_hook(self) -> str:
        self.make_room_for_hook()
        return self.ask("POST", "/v1/me/webhooks", HOOK)["id"]

    def make_room_for_hook(self) -> None:
        """There may only be a few."""
        rows = self.ask("GET", "/v1/me/webhooks")["items"]
        if len(rows) > 3:
            self.ask("DELETE", f"/v1/me/webhooks/{rows[0]['id']}")

    def feed_webhook(self, operation: str, case, number: int) -> None:
        """Aim at a webhook that is there; where an address is wanted, give a good one."""
        if operation == "createWebhook":
            self.make_room_for_hook()
            case.body = HOOK | {"events": case.body.get("events", ["over"])}
            return
        if operation == "changeWebhook":
            case.body = {name: HOOK.get(name, value) for name, value in case.body.items()}
        if number % 4:
            case.path_parameters["webhook"] = self.hook()

    def feed_tournament(self, operation: str, case, number: int) -> None:
        """Aim at a tournament that is there; where something is to change, mostly at a new one."""
        path = case.path_parameters
        path["tournament"] = self.cups[number % len(self.cups)]
        if number % 2 and operation == "getTournamentArchive":
            path["tournament"] = self.over
        if number % 4 and operation in ("changeTournament", "startTournament", "endTournament"):
            path["tournament"] = self.cup()
        elif number % 4 and operation == "enterTournament":
            path["tournament"] = self.cup()
            case.body = [{}, {"bot": "random"}][number % 2]
        elif number % 4 and operation == "withdrawEntry":
            path |= {"tournament": self.cup(), "entrant": "planner"}
        elif number % 4 and operation == "reinstateEntrant":
            cup = self.cup()
            path |= {"tournament": cup, "entrant": "planner"}
            self.ask(
                "POST",
                f"/v1/tournaments/{cup}/entries/planner/disqualification",
                {"reason": "Too strong"},
            )

    def invited_game(self) -> str:
        """Return a new game of Grace to which Ada is invited. She may have few open invitations."""
        for row in self.ask("GET", "/v1/games?status=lobby&invited=me")["items"]:
            self.ask("DELETE", f"/v1/games/{row['id']}/invitations/me")
        wish = {"board": "usa", "seats": [{"player": "me"}, {"invite": self.ada_id}]}
        return self.ask("POST", "/v1/games", wish, self.grace)["id"]

    def feed_action(self, case, number: int) -> None:
        """Aim an action at a game in which Ada is to decide; make every second a legal one."""
        view = self.position()
        case.path_parameters["game"] = view["id"]
        if number % 2 and is_good(case):
            case.body = view["you"]["legal_actions"][number % len(view["you"]["legal_actions"])]

    def after_call(self, context, case, response) -> None:
        """Count what was answered."""
        self.seen[case.operation.definition.raw["operationId"], response.status_code] += 1


def is_good(case) -> bool:
    """Return whether a request is meant to fit its description."""
    return case.meta is not None and case.meta.generation.mode.is_positive


def shorten_wait(context, case, kwargs) -> None:
    wait = (case.query or {}).get("wait")
    if isinstance(wait, int | float) and LONGEST_WAIT < wait <= 60:
        case.query["wait"] = LONGEST_WAIT


@pytest.fixture
def url(tmp_path, monkeypatch):
    """The address of the whole service, without its workers."""
    monkeypatch.setenv("FOGG_LIMITS", "pings=100000/60")
    monkeypatch.setenv("FOGG_CAPS", "tournaments=100000")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")  # or each request would look for a proxy
    with Stack(tmp_path, workers=0) as stack:
        yield stack.url


@pytest.fixture
def register():
    """Let Schemathesis call a function at each request."""
    from schemathesis.hooks import GLOBAL_HOOK_DISPATCHER  # slow to import, for these tests

    yield GLOBAL_HOOK_DISPATCHER.register_hook_with_name
    GLOBAL_HOOK_DISPATCHER.unregister_all()


@pytest.fixture
def feeder(url, register):
    feeder = Feeder(url)
    register(feeder.before_call, "before_call")
    register(feeder.after_call, "after_call")
    return feeder


@pytest.fixture
def rarely_collected():
    """Schemathesis makes much and keeps most of it: to look for garbage in it again and again took
    a fifth of its time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(100_000, 20, 100)
    yield
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("rarely_collected")
@pytest.mark.timeout(900)  # the longest of all tests
def test_every_response_conforms_for_any_request(url, feeder, openapi, seed):
    import schemathesis
    from schemathesis import engine
    from schemathesis.config import SchemathesisConfig
    from schemathesis.engine import events

    config = SchemathesisConfig.from_dict(
        {
            "base-url": url,
            "seed": seed,
            "request-timeout": 20,
            "checks": CHECKS,
            "operations": [
                *OPERATIONS,
                {  # a deleted account cannot send requests
                    "include-operation-id": "deleteMe",
                    "headers": {"Authorization": f"Bearer {feeder.mary}"},
                },
            ],
            "headers": {"Authorization": f"Bearer {feeder.ada}"},
            "generation": {
                "deterministic": seed == 1,
                "database": "none",
                "max-examples": EXAMPLES,
                "with-security-parameters": False,
            },
        }
    )
    failures, phases = {}, {}
    for event in engine.from_schema(schemathesis.openapi.from_path(FILE, config=config)).execute():
        match event:
            case events.PhaseFinished():
                phases[event.phase.name.value] = event.status.value
            case events.ScenarioFinished():
                failures |= dict(_failures(event.recorder))
            case events.NonFatalError() | events.FatalError():
                pytest.fail(str(event))
    assert not failures, "\n\n".join(failures.values())
    assert {name: phases[name] for name in ("examples", "coverage", "fuzzing", "stateful")} == {
        "examples": "success",
        "coverage": "success",
        "fuzzing": "success",
        "stateful": "success",
    }
    _was_thorough(feeder.seen, openapi)


def _failures(recorder):
    """Yield what failed, each kind once, with how to reproduce it."""
    for case_id, checks in recorder.checks.items():
        for check in checks:
            if check.failure_info:
                failure = check.failure_info.failure
                answer = recorder.interactions[case_id].response
                said = answer.text[:1000] if answer else "no answer"
                yield (
                    (failure.operation, failure.title),
                    (
                        f"{failure.operation}: {failure.title}\n{failure.message}\n"
                        f"{check.failure_info.code_sample}\n{said}"
                    ),
                )


def _was_thorough(seen: Counter, openapi: dict) -> None:
    """Every operation has succeeded, and the rules of the game have had their say."""
    successes = {
        (operation["operationId"], int(status))
        for _, operation in operations(openapi)
        for status in operation["responses"]
        if status.startswith("2")
    }
    assert successes - set(seen) == set()
    assert seen["playAction", 200] > 5
    assert seen["playAction", 409]
    assert seen["playAction", 412]
    assert seen["getGame", 409]  # a version that is not there yet


@pytest.mark.usefixtures("rarely_collected")
@pytest.mark.timeout(900)
def test_a_tester_that_follows_links_plays_and_reaches_most_operations(url, register, seed):
    """It has a token and what docs/clients.md says, and knows nothing else. The service's ids are
    random, so its requests differ a little each time: it goes on until it has reached enough. One
    to three runs were enough in each of five trials."""
    import schemathesis
    from schemathesis import engine
    from schemathesis.config import SchemathesisConfig
    from schemathesis.engine import events

    seen: Counter = Counter()

    def after_call(context, case, response) -> None:
        seen[case.operation.definition.raw["operationId"], response.status_code] += 1

    register(shorten_wait, "before_call")
    register(after_call, "after_call")
    ada = urllib3.request("POST", f"{url}/v1/players", json={"name": "Ada"}).json()["token"]
    failures, reached = {}, set()
    for run in range(RUNS):
        config = SchemathesisConfig.from_dict(
            {
                "base-url": url,
                "seed": 2 * RUNS * seed + run,
                "headers": {"Authorization": f"Bearer {ada}"},
                "operations": [{"include-operation-id": "deleteMe", "enabled": False}],
                "phases": {
                    **{name: {"enabled": False} for name in ("examples", "coverage", "fuzzing")},
                    "stateful": {"max-steps": STEPS},
                },
                "generation": {"database": "none", "max-examples": SCENARIOS, "no-shrink": True},
                "checks": UNFED,
            }
        )
        schema = schemathesis.openapi.from_path(FILE, config=config)
        for event in engine.from_schema(schema).execute():
            if isinstance(event, events.ScenarioFinished):
                failures |= dict(_failures(event.recorder))
        reached = {operation for operation, status in seen if 200 <= status < 300}
        if len(reached) >= 50 and seen["playAction", 200]:
            break
    assert not failures, "\n\n".join(failures.values())
    assert len(reached) >= 50, sorted(reached)
    assert seen["playAction", 200], seen
