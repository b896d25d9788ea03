"""The account of a program: several programs may begin at once with one file."""

import threading
from concurrent.futures import ThreadPoolExecutor

from fogg_client import Client, accounts


def test_programs_that_begin_at_once_with_one_file_share_its_account(stack, tmp_path):
    file, count = tmp_path / "bot.token", 4
    begin = threading.Barrier(count)

    def account() -> str:
        begin.wait()
        return accounts.bot_account(stack.url, "Early", file).get("/v1/me")["id"]

    with ThreadPoolExecutor(count) as pool:
        ids = {call.result() for call in [pool.submit(account) for _ in range(count)]}
    assert ids == {Client(stack.url, file.read_text().split()[0]).get("/v1/me")["id"]}


def test_a_token_that_is_still_to_come_is_waited_for(stack, tmp_path):
    token, file = Client(stack.url).sign_up("First").token, tmp_path / "bot.token"
    file.touch()
    threading.Timer(0.3, file.write_text, [token]).start()
    assert accounts.account(stack.url, "Second", file).token == token
