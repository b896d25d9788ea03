"""Which finished games are rated, and when they count (docs/ratings.md).

A finished game waits, with the data needed to rate it; the sweep counts it within seconds
(``service.projections.ledger``). So no request waits for it, and nothing is lost if a process dies.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from redis import Redis

from domain.game.clock import Clock
from domain.game.commands import Player
from domain.game.state import FINISHED, State
from domain.skill import MOVES, RATING_RULES
from domain.tournament.state import Tournament
from service.accounts import bots
from service.games.visibility import is_public
from service.projections.counting import account_of
from service.projections.ledger import Ledger
from service.projections.listing import BATCH_SIZE
from service.projections.projection import (
    REBUILD,
    Finding,
    Projection,
    Read,
    Rebuild,
    Survey,
    readable,
)
from service.projections.standing import ABORTED, RatedGame
from service.store.games import GameHead, GameStore, LoadedGame
from service.store.guarding import log_errors
from service.store.loaded import Rollback
from service.store.steps import Steps
from service.times import in_ms

DAY = 86_400  # seconds
SHORTEST_RATED_CLOCK = 0.5  # seconds for a decision, by version 2 of the rules
LONGEST_BY_VERSION_3 = 86_400  # seconds, as ``bots.LONGEST_RATED_CLOCK``


def is_rated(state: State) -> bool:
    """Return whether a game is rated, unless it was imported. Also return True for a game that was
    aborted by a seat that had seen its tickets, as that is recorded."""
    return bool(
        state.status == FINISHED and (state.results or ABORTED in state.left)
        and len(state.players) >= 2 and None not in state.players and not unrated_because(state))


def unrated_because(state: State) -> str:
    """Return why a game will not be rated, by what is known so far; empty if it may be."""
    players = [player for player in state.players if player]
    if state.fork is not None or state.seed_known:
        return "somebody may know its cards"
    if not _is_open(state):
        return "not everybody can find it"
    if state.rating_rules > 3 and state.fixed_first_seat is not None and not (
            state.tournament or state.pool):  # these seat players so that it is fair
        return "its first seat is not drawn"
    built_in = [player.bot or "" for player in players if player.is_built_in]
    rules = 2 if state.tournament and state.rating_rules == 3 else state.rating_rules
    if state.clock and (reason := clock_unrated_because(state.clock, built_in, rules)):
        return reason
    if len(players) > 1 and len({owner_of(player) for player in players}) < len(players):
        return "two of its seats have one owner"
    return ""


def _is_open(state: State) -> bool:
    """Return whether everybody may see the game, or could find and enter its tournament, or enter
    the pool."""
    if state.pool:
        return not state.pool.get("test")
    if state.tournament:  # with "visibility" since version 4
        return state.tournament.keys().isdisjoint(("entry", "visibility"))
    return is_public(state)


def clock_unrated_because(clock: Clock, built_in: Iterable[str], rules: int) -> str:
    """Return why no game on a clock against these built-in bots is rated, by a version of the
    rules; empty if one may be. Everybody needs time to play, and the bots time to play as well as
    they can. A loser must not hold a game for long: other players have agreed to the clock when
    they took a seat, a built-in bot takes any game."""
    if rules > 1 and clock.pace() < SHORTEST_RATED_CLOCK:
        return "its clock leaves less than half a second for each decision"
    longest = LONGEST_BY_VERSION_3 if rules == 3 else bots.LONGEST_RATED_CLOCK
    for bot in built_in:
        if clock.pace() < bots.SHORTEST_RATED_CLOCKS.get(bot, 0.0):
            return f"its clock is too short for {bot} to play well"
        if rules > 2 and clock.longest() > longest:
            return "its clock lets a player hold a game with a built-in bot for over two hours"
    return ""


def tournament_unrated_because(state: Tournament) -> str:
    """Return why games of a tournament that is open for entries will not be rated, or those with
    built-in bots, entered or not; empty if all may be."""
    own = state.settings
    if own.entry == "invitation" or own.visibility:
        return "not everybody can find and enter it"
    clock = Clock.of(own.clock, own.on_timeout)
    entered = [entrant.player.bot or "" for entrant in state.entrants.values()
               if entrant.player.is_built_in]
    return clock_unrated_because(clock, entered or [""], RATING_RULES) if clock else ""


def owner_of(player: Player) -> str:
    """Return the account that profits from a player's rating: a bot's owner, else the player's own.
    """
    return player.owner or rated_id(player)


def rated_id(player: Player) -> str:
    """Return the id under which a player is rated. Each version of a bot is a player of its own."""
    return account_id(player) + (f"@{player.version}" if player.version else "")


def account_id(player: Player) -> str:
    """Return the id that all versions of a player share. All accounts of a built-in bot share one,
    too."""
    return bots.on_seat(player, 0).id


def rated_game_in(store: GameStore, game: LoadedGame) -> RatedGame | None:
    """Return the data needed to rate a game, None if it is not rated."""
    is_ours = is_rated(game.state) and not store.imported([game.state.id])
    return rated_game(game) if is_ours else None


def rated_game(game: LoadedGame) -> RatedGame:
    """Return the data needed to rate a game that is rated. By version 4, an abort is recorded for
    every account that had seen tickets."""
    state = game.state
    left = {seat: reason for seat, reason in enumerate(state.left) if reason}
    if state.rating_rules > 3 and ABORTED in state.left:
        left = {seat: ABORTED for seat, player in enumerate(state.players)
                if player and not player.is_built_in}
    ranks = [result["rank"] for result in state.results] or [0] * len(state.players)
    return RatedGame(
        state.id, state.board.id, in_ms(game.updated),
        tuple((rated_id(player), rank)
              for player, rank in zip(state.players, ranks, strict=True) if player),
        deal=tuple(state.deal) if len(state.deal) > 1 else (),
        idle=tuple(seat for seat in state.seats if game.moves.get(seat, 0) < MOVES),
        left=left, rules=state.rating_rules)


def catch_up(store: GameStore) -> None:
    """Count the waiting games, except those whose deal is still being played."""
    ledger = Ledger(store.redis)
    with log_errors("games cannot be rated"):
        while games := _ready(store, ledger):
            if ledger.step(games):
                return


def _ready(store: GameStore, ledger: Ledger) -> list[RatedGame]:
    """Return the waiting games that can be counted now, each with the time from which it counts."""
    waiting = ledger.waiting_games()
    if not waiting:
        return []
    imported = store.imported(game.id for game in waiting)
    ledger.drop(imported)
    return _without_secrets(store, [game for game in waiting if game.id not in imported])


def _without_secrets(store: GameStore, games: Iterable[RatedGame]) -> list[RatedGame]:
    """Return the games whose deal is over, each with the time from which it counts: the end of the
    last game of its deal, so that no rating reveals a deal too early."""
    games = list(games)
    ids = {other for game in games for other in game.deal}
    heads = {head["id"]: head for head in store.heads(ids)
             if head is not None and head["status"] == FINISHED}
    return [replace(game, at=max([game.at, *(in_ms(heads[other]["updated"])
                                             for other in game.deal)]),
                    deal_ranks=game.deal_ranks or _deal_ranks(game, heads))
            for game in games if all(other in heads for other in game.deal)]


def _deal_ranks(game: RatedGame, heads: Mapping[str, GameHead]) -> tuple[int, ...]:
    """Return the ranks of a game's players over all games of its deal, by the sum of their ranks;
    zeros if another game of the deal stands for all; nothing if the game is rated by itself."""
    played = [heads[other] for other in game.deal if "rank" in heads[other]["seats"][0]]
    if game.rules == 1 or game.was_aborted or len(played) < 2:
        return ()
    if game.id != max(head["id"] for head in played):
        return (0,) * len(game.players)
    sums = Counter[str]()
    for head in played:
        for seat in head["seats"]:
            sums[account_id(Player(**seat["player"]))] += seat["rank"]
    return tuple(1 + sum(other < sums[account_of(player)] for other in sums.values())
                 for player, _ in game.players)


def rebuild(
    store: GameStore, games: Sequence[RatedGame], again: Callable[[str], RatedGame | None]
) -> None:
    """Count all games in a second ledger, then replace the first one by it.

    ``games`` are all rated games. ``again(game_id)`` returns one that was added meanwhile, None if
    it is not rated.
    """
    redis, ledger = store.redis, Ledger(store.redis)
    prefix = f"{{ratings}}:new:{secrets.token_hex(8)}:"
    new, gone = Ledger(redis, prefix), f"{prefix}gone"

    def keep() -> None:
        for key in (*new.keys, new.waiting, gone):
            redis.expire(key, DAY)  # the keys expire if the rebuild dies

    ready = _without_secrets(store, games)
    ids = {game.id for game in ready}
    ledger.put(game for game in games if game.id not in ids)
    for _ in count_in_order(new, ready):
        keep()
    while more := ledger.replace_by(new, gone):
        added = {game_id: again(game_id) for game_id in more}
        if lost := [game_id for game_id, game in added.items() if game is None]:
            redis.zadd(gone, dict.fromkeys(lost, 0))
        new.put(_without_secrets(store, filter(None, added.values())))
        while waiting := new.waiting_games():
            new.step(waiting)
        keep()
    redis.delete(gone)


def count_in_order(ledger: Ledger, games: Iterable[RatedGame]) -> Iterator[int]:
    """Count games in an empty ledger that nobody else changes; yield after some."""
    order = sorted(games, key=lambda game: game.place)
    for start in range(0, len(order), BATCH_SIZE):
        ledger.count(ledger.redis.get(ledger.version) or b"", order[start : start + BATCH_SIZE])
        yield start


class Ratings(Projection):
    """The ratings: over all and by board."""

    name = "ratings"
    keys = r"\{ratings\}:.*"
    advice: ClassVar[Mapping[str, str]] = {"ratings-differ": REBUILD}

    def apply(self, store: GameStore, steps: Steps, game: LoadedGame, was: State | None) -> None:
        """Note that a finished game waits to be counted."""
        if is_rated(game.state):
            with log_errors(f"{game.state.id} cannot be rated"):
                Ledger(steps.pipe).put([rated_game(game)])

    def take_back(self, store: GameStore, rollback: Rollback[LoadedGame]) -> None:
        """Remove a game that is not over any more. The games that count after it wait to be counted
        again; if they are too many for that, ``fogg rebuild`` does it."""
        if rollback.was.state.status != FINISHED:
            return
        game_id, ledger = rollback.was.state.id, Ledger(store.redis)
        while game_id in (last := ledger.last_games()):
            version = store.redis.get(ledger.version) or b""
            ledger.take_back(version, last[last.index(game_id) :])
        ledger.drop([game_id])

    def catch_up(self, store: GameStore) -> None:
        catch_up(store)

    def backlog(self, redis: Redis) -> int:
        return redis.hlen(Ledger(redis).waiting)

    def begin_rebuild(self, store: GameStore) -> Rebuild:
        return _Rebuild()

    def survey(self) -> Survey:
        return _Survey()


class _Rebuild(Rebuild):
    def __init__(self) -> None:
        self._rated: list[RatedGame] = []

    def add(self, store: GameStore, game: LoadedGame) -> None:
        if rated := rated_game_in(store, game):
            self._rated.append(rated)

    def finish(self, store: GameStore, ids: set[str]) -> None:
        def again(game_id: str) -> RatedGame | None:
            game = readable(store, game_id)
            return rated_game_in(store, game) if game else None

        rebuild(store, self._rated, again)


@dataclass
class _Survey(Survey):
    rated: set[str] = field(default_factory=set)

    def note(self, store: GameStore, game: LoadedGame) -> None:
        if rated_game_in(store, game):
            self.rated.add(game.state.id)

    def findings(self, store: GameStore, read: Read) -> Iterator[Finding]:
        ledger = Ledger(store.redis)
        waiting = {game.id for game in ledger.waiting_games()}
        counted = ledger.counted_ids()
        waiting |= {game.id for game in ledger.waiting_games()}  # some may have been taken back
        for game_id in sorted(self.rated - waiting - counted):
            yield Finding("ratings-differ", game_id, "it is not rated")
        for game_id in sorted((waiting | counted) - self.rated - read.unread):
            game = readable(store, game_id)
            is_early = game_id in waiting  # waiting games are checked when they are counted
            if game is None or not (is_early or rated_game_in(store, game)):
                yield Finding("ratings-differ", game_id, "it is rated, and should not be")
