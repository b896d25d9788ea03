"""The texts of openapi.yaml that belong to no schema and no operation."""

from tools.generators.errors_page import names

DESCRIPTION = """\
Play board games by the rules of Ticket to Ride over HTTP. Fogg stores every game as a history of
actions, shows each player only what they may see, and checks every rule.

**A game in five requests.** `createPlayer` returns a token. `createGame` creates a game with seats
for you, for built-in bots or for others. `getGame` returns your view, with `you.legal_actions`.
`playAction` takes one of them unchanged and returns the next view. `listEvents` with `wait` waits
until somebody has played.

**Follow games** with `listEvents` (one game) or `listMyEvents` (all your games): page by page, or
as a stream that resumes where it was cut off. Browsers need `fetch` for streams, not `EventSource`,
because tokens are only accepted in a header. Or let the service call you (`createWebhook`).

**Retry safely.** Send a new `Idempotency-Key` with each POST, and repeat the request until it is
answered: it is executed once, and each time the answer is the same. Refusals are not stored.

**Errors** are `application/problem+json` with a stable `code`. After 409 and 422 nothing has
changed. After 429 and 503 wait for `Retry-After`, then retry. `/docs/errors.md` explains each code;
`x-codes` of an operation lists its codes of 404 and 409. New codes may be added: treat a code that
you do not know by its status.

**Lists** are `items` and `next`. Send `next` as `after` until it is null. No other member is ever
null: members that do not apply are missing, as are those that you may not see. `<name>_count` then
says how many there are. Later versions may add members; unknown query parameters are refused.

**Conventions.** Seats count from 0 in the order of play. A route's id is `a--b`, its twin's
`a--b--2`, a ticket's `a--b`. The joker is `wild` on every board. Numbers in parentheses are rules
of `/docs/rules.md`. Times are RFC 3339 in UTC.

More is in `/docs/clients.md`, `/docs/bots.md` and the other pages that `/v1` lists.
`/openapi-without-examples.yaml` is this file without its examples; `/openapi.yaml?for=bot` has the
dozen operations that a bot needs.

Not affiliated with Days of Wonder; Ticket to Ride is their trademark.
"""
FOR_BOTS = """\
What a bot needs of Fogg: the operations to get an account, find or create a game, and play it.
`/openapi.yaml` describes all others, and what is left out here: forks, options and streams, members
that a bot can ignore, the codes of errors. Answers have such members too, so ignore unknown ones.

`createPlayer` returns a token; `createBot` makes an account for a bot, with a token of its own.
`createGame`, `joinGame`, `enterPool` or `enterTournament` leads to games. `listMyEvents` with
`wait` returns each view that waits for you; post one of its `you.legal_actions` to `playAction`.

Send a new `Idempotency-Key` with each POST and repeat the request until it is answered. Errors are
`application/problem+json` with a stable `code`. After 429 and 503 wait for `Retry-After`.
"""
CODE = {
    "type": "string",
    "enum": names(),
    "description": "The code of an error, for programs. It is stable; `/docs/errors.md` explains "
    "each. New codes may be added: treat a code that you do not know by the status.",
}
OPENAPI = {
    "openapi": "3.1.0",
    "info": {
        "description": DESCRIPTION,
        "contact": {"name": "The operators of the service that serves this file"},
        "license": {"name": "MIT", "identifier": "MIT"},
        "title": "Fogg",
        "version": "1",
    },
    "servers": [{"url": "/", "description": "The service that serves this file."}],
}
SECURITY = {
    "securitySchemes": {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of `createPlayer`: `Bearer fogg_...`.",
        }
    }
}

# headers of answers, which say how many requests are left, and of pages; none is always there
HEADERS = {
    name: {"description": words, "schema": {"type": "string"}, "example": example}
    for name, words, example in (
        (
            "RateLimit",
            "The requests left (`r`), and the seconds until there are more (`t`).",
            '"requests";r=599;t=60',
        ),
        (
            "RateLimit-Policy",
            "How many requests (`q`) are allowed in so many seconds (`w`).",
            '"requests";q=600;w=60',
        ),
        (
            "Link",
            'The address of the next page (`rel="next"`, RFC 8288), if there is one.',
            '</v1/games?limit=2&after=1>; rel="next"',
        ),
    )
}
OF_ALL = {
    name: {"$ref": f"#/components/headers/{name}"} for name in ("RateLimit", "RateLimit-Policy")
}
OF_PAGES = {"Link": {"$ref": "#/components/headers/Link"}}

PATH_PARAMETERS = {
    "board": ("A board's id, as in `listBoards`.", {"type": "string", "minLength": 1}, "usa"),
    "bot": (
        "The id of a bot's account.",
        {"type": "string", "pattern": "^p_[0-9a-f]{20}$"},
        "p_00000000000000000001",
    ),
    "game": (
        "A game's id.",
        {"type": "string", "pattern": "^g_[0-9a-f]{20}$"},
        "g_00000000000000000001",
    ),
    "leaderboard": (
        "`overall`, or a board's id as in `listBoards`.",
        {"type": "string", "minLength": 1},
        "overall",
    ),
    "player": (
        "An account's id.",
        {"type": "string", "pattern": "^[a-z]{1,3}_[0-9a-z_]{1,40}$"},
        "p_00000000000000000001",
    ),
    "tournament": (
        "A tournament's id.",
        {"type": "string", "pattern": "^c_[0-9a-f]{20}$"},
        "c_00000000000000000001",
    ),
    "entrant": (
        "An entrant: `me`, an account's id or a built-in bot's name.",
        {"type": "string", "pattern": "^[a-z][0-9a-z_]{1,49}$"},
        "me",
    ),
    "invited": (
        "The id of the invited account, or `me`.",
        {"type": "string", "pattern": "^(me|[a-z]{1,3}_[0-9a-z_]{1,40})$"},
        "me",
    ),
    "seat": ("A seat's number, from 0.", {"type": "integer", "minimum": 0, "maximum": 7}, 1),
    "token_id": (
        "A token's id, as in `listTokens`.",
        {"type": "string", "pattern": "^t_[0-9a-f]{20}$"},
        "t_00000000000000000001",
    ),
    "webhook": (
        "A webhook's id.",
        {"type": "string", "pattern": "^w_[0-9a-f]{20}$"},
        "w_00000000000000000001",
    ),
}

# The calls to a webhook. Their tag belongs to no operation, since generators make a module of each
# tag.
CALLS_TAG = {"name": "calls", "description": "Calls that the service makes to a webhook."}
CALLS = {
    "call": {
        "post": {
            "operationId": "call",
            "summary": "Receive a notice",
            "description": "The service posts each notice to the webhook, at least once, and "
            "waits ten seconds for the response. Without a 2xx it retries for a day; 410 disables "
            "the webhook. docs/webhooks.md says how to verify the signature.",
            "tags": [CALLS_TAG["name"]],
            "security": [],
            "parameters": [
                {
                    "in": "header",
                    "name": name,
                    "required": True,
                    "description": words,
                    "schema": {"type": "string"},
                    "example": example,
                }
                for name, words, example in (
                    (
                        "webhook-id",
                        "The id of the call, the same in every attempt.",
                        "msg_f00dcafe0123456789abcdef",
                    ),
                    (
                        "webhook-timestamp",
                        "The time of the attempt, in seconds since 1970.",
                        "1767268800",
                    ),
                    (
                        "webhook-signature",
                        "HMAC-SHA256 of id, timestamp and body with dots between, "
                        "under the secret.",
                        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                    ),
                )
            ],
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Call"}}},
            },
            "responses": {
                "200": {
                    "description": "Accepted. The response to `your_turn` may have the action to "
                    "play.",
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/CallAnswer"}}
                    },
                },
                "204": {"description": "Accepted."},
                "410": {"description": "Stop calling: the webhook is disabled."},
            },
        }
    }
}
