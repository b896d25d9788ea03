"""A process receives the news of the keys that it follows, on one server."""

import logging
import threading
import time

import pytest

from service.redis.connection import EmbeddedRedis, connect
from service.redis.news import News, channel, publish
from tests.waiting import until

GAME, PLAYER = "g_00000000000000000001", "p_00000000000000000001"


@pytest.fixture
def news(redis):
    return News(redis)


def test_a_follower_is_woken_at_the_start_and_by_each_message(news, redis):
    with news.follow(GAME, PLAYER) as follower:
        begun = set()
        while begun != {GAME, PLAYER}:
            begun |= follower.wait(5)
        assert not follower.wait(0.1)
        publish(redis, GAME)
        assert follower.wait(5) == {GAME}
        publish(redis, "g_00000000000000000002", PLAYER)
        assert follower.wait(5) == {PLAYER}


def test_a_topic_without_followers_is_not_received(news, redis):
    with news.follow(GAME) as first, news.follow(GAME) as second:
        assert first.wait(5)
        second.wait(0.1)  # unless the topic was heard of before it came
        first.drop(GAME)
        publish(redis, GAME)
        assert second.wait(5) == {GAME}
        assert not first.wait(0.1)
        first.add(GAME)
        second.drop(GAME)
        publish(redis, GAME)
        assert first.wait(5) == {GAME}
    mine = channel(GAME).encode()  # others may be followed by what other tests have left
    until(lambda: mine not in redis.pubsub_shardchannels(), 5)


def test_a_short_lived_follower_is_woken_too(news, redis):
    for _ in range(50):
        with news.follow(GAME) as follower:
            assert follower.wait(5)
            publish(redis, GAME)
            assert follower.wait(5)


def test_a_server_that_starts_again_wakes_all_who_follow(tmp_path):
    with (
        EmbeddedRedis(tmp_path) as server,
        connect(server.url) as client,
        News(client).follow(GAME) as follower,
    ):
        assert follower.wait(5)
        server.kill()
        server.start()
        assert follower.wait(5) == {GAME}  # news sent meanwhile is lost
        publish(client, GAME)
        assert follower.wait(5) == {GAME}


def test_a_lasting_outage_is_reported_at_its_start_and_end(tmp_path, caplog):
    caplog.set_level(logging.WARNING, logger="service.redis.news")
    with (
        EmbeddedRedis(tmp_path) as server,
        connect(server.url) as client,
        News(client).follow(GAME) as follower,
    ):
        assert follower.wait(5)
        server.kill()
        time.sleep(1)  # in which it is listened again several times
        server.start()
        assert follower.wait(30.0) == {GAME}
        publish(client, GAME)
        assert follower.wait(5) == {GAME}  # after all that was said of the first
        of_it = f"the news of {client.connection_pool.connection_kwargs['path']} "
        began, over = [
            one.message.removeprefix(of_it)
            for one in caplog.records
            if one.message.startswith(of_it)
        ]
    assert began.startswith("were cut off; listening again: ")
    assert over == "are heard again"


def test_a_callback_runs_each_time_the_subscription_is_restored(tmp_path):
    with EmbeddedRedis(tmp_path) as server, connect(server.url) as client:
        news, is_back = News(client), threading.Event()
        news.on_reconnect.append(is_back.set)
        with news.follow(GAME) as follower:
            assert follower.wait(5)
            assert not is_back.is_set()
            for _ in range(2):
                server.kill()
                server.start()
                assert is_back.wait(30)
                is_back.clear()


def test_the_message_of_news_comes_with_its_topic(news, redis):
    told = []
    news.on_announced.append(lambda *row: told.append(row))
    with news.follow(GAME) as follower:
        assert follower.wait(5)
        publish(redis, GAME)  # without a message
        assert follower.wait(5) == {GAME}
        redis.spublish(channel(GAME), "7 0123456789abcdef")
        assert follower.wait(5) == {GAME}
        assert told == [(GAME, b"7 0123456789abcdef")]


def test_the_subscription_ends_with_the_last_follower(tmp_path):
    with EmbeddedRedis(tmp_path) as server, connect(server.url) as client:
        with News(client).follow(GAME) as follower:
            assert follower.wait(5)
            until(lambda: len(client.client_list()) == 2, what="the subscription beside this test")
        until(lambda: len(client.client_list()) == 1, what="the end of the subscription")
