"""A backup of one server goes on in a cluster, and one of a cluster in one server."""

from service.app import create_app
from service.eventlog import backup
from service.games import listing
from service.games.boards import all_boards
from service.games.store import GameStore
from service.records import rebuilding
from service.records.keeping import KeptGames
from service.redis.connection import EmbeddedRedis, connect
from service.tournaments.records import KeptTournaments
from service.tournaments.store import TournamentStore
from tests.service.callers import Caller, begin, keep_tickets, less_deadlines, sign_up


def moved(source, target, file) -> None:
    assert backup.write(source, file, lambda count: None, listing.DERIVED, {}, lambda: None) == []
    backup.restore(target, file, lambda count: None)
    games = GameStore(target, all_boards())
    rebuilding.lists([KeptGames(games), KeptTournaments(TournamentStore(target), games)])


def test_games_move_into_a_cluster_and_back(redis, queue, monkeypatch, tmp_path):
    with EmbeddedRedis(tmp_path / "one") as server, connect(server.url) as single:
        app = create_app(connect(server.url))
        ada, grace = sign_up(app, "Ada"), sign_up(app, "Grace")
        games = [begin(ada, grace) for _ in range(5)]
        keep_tickets(games[0], ada, grace)
        moved(single, redis, tmp_path / "there.gz")
        monkeypatch.setenv("FOGG_QUEUE_URL", queue.url)
        there = create_app(redis)
        ada_there = Caller(there, ada.account)
        assert {row["id"] for row in ada_there.get("/v1/games").json["items"]} == {*games}
        assert less_deadlines(ada_there.view(games[0])) == less_deadlines(ada.view(games[0]))
        ada_there.play(games[0], {"type": "draw_card", "from": "deck"})
        single.flushall()
        moved(redis, single, tmp_path / "back.gz")
        monkeypatch.delenv("FOGG_QUEUE_URL")
        back = Caller(create_app(connect(server.url)), ada.account)
        assert less_deadlines(back.view(games[0])) == less_deadlines(ada_there.view(games[0]))
