"""Deliveries are signed as Standard Webhooks has it."""

import base64
import hashlib
import hmac
import re
import time

from service.webhooks import webhooks as signing
from tests.service.webhooks.hooks import HOOKS, register


def test_the_signature_is_that_of_standard_webhooks():
    """The example of the specification's own libraries."""
    assert (
        signing.signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1614265330,
            '{"test": 2432232314}',
        )
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_a_call_can_be_verified_with_the_secret_that_was_shown(ada, jobs, heard):
    hook = register(ada, heard.url)
    assert re.fullmatch("whsec_[A-Za-z0-9+/]{43}=", hook["secret"])
    ping = ada.post(f"{HOOKS}/{hook['id']}/pings", {})
    assert ping.status_code == 202
    jobs()
    [call], [headers], [raw] = heard.calls, heard.headers, heard.raw
    assert call == {"type": "ping", "timestamp": call["timestamp"], "webhook": hook["id"]}
    assert headers["webhook-id"] == ping.json["id"]
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 30
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + raw
    key = base64.b64decode(hook["secret"].removeprefix("whsec_"))
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{digest}"
    assert headers["content-type"] == "application/json"
