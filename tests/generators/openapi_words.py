"""What openapi.yaml says in words of its own, beside those of the schemas and the operations."""

import re
from pathlib import Path

RULES = Path(__file__).parents[2] / "domain" / "rules"
REFUSED = re.compile(r'Refused\(\s*"([a-z-]+)"')

WORDS = """\
Play board games by the rules of Ticket to Ride over HTTP. Fogg keeps every game as a history of
actions, shows each player only what they may see, and checks every rule.

**A game in five requests.** `createPlayer` gives you a token. `createGame` sets out a board with
seats for you, for built-in bots and for others; the game starts when no seat is open. `getGame`
shows your view with `you.legal_actions`. `playAction` takes one of them, unchanged, and answers
with the next view. `listEvents` with `wait` waits until somebody plays.

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

**Should a server lose what it has acknowledged** (a replica that lagged takes over, a backup is
restored), games go back: streams send `lost`, and whoever names a version that is no more
(`If-Match`, `after`, `at`, `Last-Event-ID`) is refused with `history-lost`, or `version-ahead`
where nobody knows that it ever was. Go on from the problem's `version`; keys of what was lost are
open again. Do not retry on `history-broken`: those who run the service have to repair the game.

**Limits.** Every answer tells in `RateLimit` how many requests are left (`r`) for how many seconds
(`t`), counting an account with all of its tokens and bots as one; beyond them the answer is 429,
and `Retry-After` says when to come back. The same applies when too many streams or waiting
requests are open (`too-many-streams`), or too many connections (`too-many-connections`). A body has
64 KiB at most.

**Errors** are `application/problem+json` with a stable `type` and `code`. 422 means that the
request is malformed, 409 that the rules do not allow it now; either way nothing has changed. After
a 503, or no answer at all, repeat the request: with an `Idempotency-Key` an action is never played
twice. (`archive-unavailable`: the archive that holds this old game does not respond.)

**409 error codes**, grouped by request:

- A game: `wrong-number-of-seats`, `no-such-seat`, `too-few-players`, `game-not-finished`,
  `no-position`, `version-ahead`, `not-waiting`, `not-silent`, `has-a-clock`.
- A seat: `already-seated`, `seat-not-taken`, `seat-taken`, `wrong-entropy`, `game-started`.
- A stream: `version-ahead`.
- Any request about a game or a tournament: `history-lost`, `history-broken`.
- Any action: `game-not-started`, `game-finished`, `seat-left`, `not-your-turn`, `wrong-decision`,
  `out-of-time`, `cannot-pass`, `too-busy` (try again).
- Cards: `blind-draw`, `unknown-source`, `unknown-card`, `not-in-row`, `wild-not-second`,
  `no-cards-left`.
- A route: `unknown-route`, `route-taken`, `own-double`, `double-closed`, `too-few-trains`,
  `wrong-cards`, `cards-not-held`, `too-few-wilds` (a ferry), `no-flag-card`, `flag-card-twice`.
- A station: `unknown-location`, `station-there`, `no-stations-left`, `not-on-this-board`.
- Tickets: `no-tickets-left`, `ticket-not-offered`, `ticket-twice`, `too-few-tickets`.
- A tournament: `time-passed`, `no-such-time`, `knockout-rounds`, `already-entered`,
  `owner-entered`, `not-entered`, `tournament-full`, `too-few-entrants`, `tournament-started`,
  `tournament-not-running`, `tournament-ending`, `tournament-finished`, `round-not-over`,
  `already-recorded`.
- Per-account limits: `too-many-games`, `too-many-tournaments`, `too-many-offers`, `too-many-bots`,
  `too-many-tokens`.
- A seek or a challenge: `offer-closed`, `own-offer`, `same-owner`, `rating-outside`,
  `built-in-bot`.
- An account: `not-a-bot`.
- The pool: `pool-paused`.
- A webhook: `too-many-webhooks`, `webhook-off`, `webhook-token-revoked`.{more}

**Pages.** Lists are `items` and `next`. Send `next` as `after` to go on; it is null where there is
no more, the one member that is ever null: all others are missing where they do not apply. Lines of
JSON have it as `cursor`, where they do not have a version.

**What you have** need not be sent again: where an answer has an `ETag`, send it as `If-None-Match`,
and should it still be right, the answer is an empty 304. docs/clients.md says more of this, and of
accounts, pages and compression.

**This file.** `/openapi.yaml` has examples of every request and answer;
`/openapi-without-examples.yaml` is the same without them, and much shorter.

**More to read.** The pages that are named here are served under `/docs/`, such as `/docs/rules.md`:
as Markdown, or as a page to browsers. `/` and `/v1` list them.

**Secrets.** Members that the caller may not see are left out; where the amount is public a member
`<name>_count` stands for them. Once a game is finished everybody sees everything; where a
tournament plays the same deal several times, once all games of that deal are.

**Names.** Seats count from 0 in the order of play. A route's id is `a--b`, its twin's `a--b--2`; a
ticket's `a--b`. The joker is `wild` on every board. Numbers in parentheses are those of the rules
in docs/rules.md. Members that do not apply are missing, not null; later versions may add members
to answers. Times are RFC 3339 in UTC. Query parameters that are not listed are refused.

Not affiliated with Days of Wonder; Ticket to Ride is their trademark.
"""


def _more_codes() -> str:
    """The codes of the rules that the words above do not name, rule by rule."""
    found = {path.stem: [code for code in dict.fromkeys(REFUSED.findall(path.read_text()))
                         if f"`{code}`" not in WORDS] for path in sorted(RULES.glob("*.py"))}
    return "".join(f"\n- The rule `{rule}`: {', '.join(f'`{code}`' for code in codes)}."
                   for rule, codes in found.items() if codes)


DESCRIPTION = WORDS.replace("{more}", _more_codes())
SETTINGS = {
    "API_TITLE": "Fogg",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": DESCRIPTION,
            "contact": {"name": "The operators of the service that serves this file"},
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
    "bot": ("The id of a bot's account.", {"type": "string", "pattern": "^p_[0-9a-f]{20}$"},
            "p_00000000000000000001"),
    "game": ("A game's id.", {"type": "string", "pattern": "^g_[0-9a-f]{20}$"},
             "g_00000000000000000001"),
    "leaderboard": ("`overall`, or a board's id as `listBoards` has it.",
                    {"type": "string", "minLength": 1}, "overall"),
    "opponent": ("The other account's id.",
                 {"type": "string", "pattern": "^[a-z]{1,3}_[0-9a-z_]{1,40}$"}, "bot_planner_0"),
    "player": ("An account's id.", {"type": "string", "pattern": "^[a-z]{1,3}_[0-9a-z_]{1,40}$"},
               "p_00000000000000000001"),
    "season": ("A month, as `listSeasons` has it.",
               {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}, "2026-01"),
    "tournament": ("A tournament's id.", {"type": "string", "pattern": "^c_[0-9a-f]{20}$"},
                   "c_00000000000000000001"),
    "entrant": ("An entrant: `me`, an account's id or a built-in bot's name.",
                {"type": "string", "pattern": "^[a-z][0-9a-z_]{1,49}$"}, "me"),
    "seek": ("A seek's id.", {"type": "string", "pattern": "^s_[0-9a-f]{20}$"},
             "s_00000000000000000001"),
    "challenge": ("A challenge's id.", {"type": "string", "pattern": "^h_[0-9a-f]{20}$"},
                  "h_00000000000000000001"),
    "seat": ("A seat's number, from 0.", {"type": "integer", "minimum": 0, "maximum": 7}, 1),
    "token_id": ("A token's id, as `listTokens` has it.",
                 {"type": "string", "pattern": "^t_[0-9a-f]{20}$"}, "t_00000000000000000001"),
    "webhook": ("A webhook's id.", {"type": "string", "pattern": "^w_[0-9a-f]{20}$"},
                "w_00000000000000000001"),
}

# What is sent to a webhook and may be answered. The tag is no other's, as generators make a module
# of each.
CALLS_TAG = {"name": "calls", "description": "What the service asks of a webhook."}
CALLS = {"call": {"post": {
    "operationId": "call", "summary": "Be told of one's games",
    "description": "What the service posts to a webhook, at least once, for ten seconds at "
                   "most. Answer 2xx, or it is tried again for a day; 410 to be called no "
                   "more. docs/webhooks.md says how to verify the signature.",
    "tags": [CALLS_TAG["name"]], "security": [],
    "parameters": [
        {"in": "header", "name": name, "required": True, "description": words,
         "schema": {"type": "string"}, "example": example}
        for name, words, example in (
            ("webhook-id", "The same whenever the same call is made.",
             "msg_f00dcafe0123456789abcdef"),
            ("webhook-timestamp", "When the attempt was made, in seconds since 1970.",
             "1767268800"),
            ("webhook-signature", "HMAC-SHA256 of id, timestamp and body with dots between, "
             "under the secret.", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="))],
    "requestBody": {"required": True, "content": {"application/json": {
        "schema": {"$ref": "#/components/schemas/Call"}}}},
    "responses": {
        "200": {"description": "It was taken; to `your_turn`, with the action to play if you "
                               "like.",
                "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/CallAnswer"}}}},
        "204": {"description": "It was taken."},
        "410": {"description": "Call no more: the webhook is switched off."},
    }}}}
