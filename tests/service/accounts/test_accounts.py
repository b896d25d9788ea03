"""Accounts, their tokens, and the bytes that they are kept as."""

import re

import pytest

from domain.described import as_json
from service.accounts import accounts, tokens
from service.accounts.registration import register, register_bot
from service.errors import NotYours, Revoked, UnknownThing

ID, TIME = r"[pt]_[0-9a-f]{20}", r"[0-9-]{10}T[0-9:.]{12}Z"


def test_an_account_is_kept_in_the_order_in_which_it_is_shown(redis):
    ada, _ = register(redis, "Ada")
    bot, _ = register_bot(redis, ada, "Adabot")
    assert re.fullmatch(rf'{{"id":"{ID}","name":"Ada","created":"{TIME}"}}',
                        redis.get(f"player:{ada.id}").decode())
    assert re.fullmatch(rf'{{"id":"{ID}","name":"Adabot","created":"{TIME}",'
                        rf'"bot":"external","owner":"{ada.id}"}}',
                        redis.get(f"player:{bot.id}").decode())
    assert accounts.get(redis, bot.id) == bot
    assert accounts.bots_of(redis, ada, None, 9) == ([bot], None)


def test_a_token_is_kept_with_the_account_that_it_stands_for(redis):
    ada, token = register(redis, "Ada")
    account = redis.get(f"player:{ada.id}").decode()
    assert re.fullmatch(rf'{{"token":"{ID}","account":{re.escape(account)},'
                        r'"scopes":\["read","play","admin"\]}',
                        redis.get(tokens.token_key(token)).decode())
    (listed,) = redis.hvals(f"player:{ada.id}:tokens")
    assert re.fullmatch(rf'{{"id":"{ID}","scopes":\["read","play","admin"\],"created":"{TIME}"}}',
                        listed.decode())
    assert tokens.authenticate(redis, token).account == ada


def test_the_key_of_a_revoked_token_does_not_create_it_again(redis):
    ada, _ = register(redis, "Ada")
    listed, token = tokens.another(redis, ada, ("play",), "phone", "key")
    tokens.revoke(redis, ada, listed.id)
    again, same = tokens.another(redis, ada, ("play",), "phone", "key")
    assert (as_json(again), same) == (as_json(listed) | {"scopes": ["play"]}, token)
    with pytest.raises(Revoked):
        tokens.authenticate(redis, token)


def test_a_bot_owns_no_bots(redis):
    ada, _ = register(redis, "Ada")
    bot, _ = register_bot(redis, ada, "Adabot")
    with pytest.raises(NotYours):
        register_bot(redis, bot, "another")


def test_only_an_id_without_account_is_unknown(redis):
    assert not accounts.is_there(redis, "p_1")
    with pytest.raises(UnknownThing):
        accounts.get(redis, "p_1")
