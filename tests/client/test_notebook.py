"""Games in notebooks."""

from html.parser import HTMLParser

from fogg_client import show


class Frames(HTMLParser):
    found: dict[str, str | None]

    def handle_starttag(self, tag, attrs):
        assert tag == "iframe"
        self.found = dict(attrs)


def test_a_game_is_shown_as_the_page_that_others_may_embed():
    frames = Frames()
    game = show({"id": 'g_1"><script>'}, "https://fogg.example/", at=3, seat=0, speed="max")
    frames.feed(game._repr_html_())
    assert frames.found["src"] == repr(game) == (
        "https://fogg.example/games/g_1%22%3E%3Cscript%3E?embed=1&at=3&seat=0&speed=max")
    assert frames.found["height"] == "600"
    assert repr(show("g_2")) == "http://127.0.0.1:8000/games/g_2?embed=1"
