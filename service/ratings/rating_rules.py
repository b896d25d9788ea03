"""The rules that decide whether a finished game is rated (docs/ratings.md)."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

from domain.codec import Json
from domain.game.clock import Clock
from domain.game.commands import Player
from domain.game.state import FINISHED, State
from domain.skill import MOVES, OWNERS
from service.accounts import bots
from service.accounts.versions import account_id, account_of, owner_of, version_id
from service.games.store import LoadedGame
from service.games.visibility import is_public
from service.ratings.standing import ABORTED, RatedGame
from service.times import in_ms

SHORTEST_RATED_CLOCK = 0.5  # seconds for a decision, by version 2 of the rules
PATIENCE_MS = 60_000
LONGEST_BY_VERSION_3 = 86_400  # seconds, as ``bots.LONGEST_RATED_CLOCK``


def is_rated(state: State) -> bool:
    """Return whether a game is rated, unless it was imported. Also return True for a game that was
    aborted by a seat that had seen its tickets, as that is recorded."""
    return bool(
        state.status == FINISHED
        and (state.results or ABORTED in state.left)
        and len(state.players) >= 2
        and None not in state.players
        and not unrated_because(state)
    )


def unrated_because(state: State) -> str:
    """Return why a game will not be rated, by what is known so far; empty if it may be."""
    players = [player for player in state.players if player]
    if state.fork is not None or state.seed_known:
        return "somebody may know its cards"
    if not _is_open(state):
        return "not everybody can find it"
    if (
        state.terms.rating_rules > 3
        and state.fixed_first_seat is not None
        and not (state.terms.tournament or state.terms.pool)
    ):  # these seat players so that it is fair
        return "its first seat is not drawn"
    terms = state.terms
    place = terms.tournament
    if place and len(state.players) == 2 and place.get("owners", OWNERS) < OWNERS:
        return "fewer than four owners have entered its tournament"
    built_in = [player.bot or "" for player in players if player.is_built_in]
    rules = 2 if terms.tournament and terms.rating_rules == 3 else terms.rating_rules
    if state.clock and (reason := clock_unrated_because(state.clock, built_in, rules)):
        return reason
    if len(players) > 1 and len({owner_of(player) for player in players}) < len(players):
        return "two of its seats have one owner"
    return ""


def _is_open(state: State) -> bool:
    """Return whether everybody may see the game, or enter its tournament or the pool."""
    if state.terms.pool:
        return not state.terms.pool.get("test")
    if state.terms.tournament:  # with "visibility" since version 4
        return state.terms.tournament.keys().isdisjoint(("entry", "visibility"))
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


def rated_game(game: LoadedGame) -> RatedGame:
    """Return the data needed to rate a game that is rated."""
    state = game.state
    left = {seat: reason for seat, reason in enumerate(state.left) if reason}
    if state.terms.rating_rules > 3 and ABORTED in state.left:
        left = dict.fromkeys(_aborting(game), ABORTED)
    ranks = [result["rank"] for result in state.results] or [0] * len(state.players)
    return RatedGame(
        state.id,
        state.board.id,
        in_ms(game.updated),
        tuple(
            (version_id(player), rank)
            for player, rank in zip(state.players, ranks, strict=True)
            if player
        ),
        deal=tuple(state.terms.deal) if len(state.terms.deal) > 1 else (),
        idle=tuple(seat for seat in state.seats if game.moves.get(seat, 0) < MOVES),
        left=left,
        rules=state.terms.rating_rules,
    )


def _aborting(game: LoadedGame) -> list[int]:
    """Return the seats for which an abort is recorded. Since version 5 that are those which have
    kept the seat that aborted waiting, if it has decided itself; else, and by version 4, all
    accounts that had seen tickets."""
    state = game.state
    accounts = [
        seat for seat, player in enumerate(state.players) if player and not player.is_built_in
    ]
    waited = in_ms(game.updated) - in_ms(game.started)
    if state.terms.rating_rules < 5 or waited < _patience(state):
        return accounts
    idle = [seat for seat in accounts if seat not in game.moves]
    if any(state.left[seat] == ABORTED for seat in idle):
        return accounts
    return idle or accounts


def _patience(state: State) -> int:
    """Return for how many milliseconds a seat may think about its first tickets before an abort is
    recorded for it alone: a minute, or half of its time for the decision if that is less."""
    if not state.clock:
        return PATIENCE_MS
    return min(PATIENCE_MS, state.clock.allowance(state.clock.bank) // 2)


def with_deal(game: RatedGame, heads: Collection[Json]) -> RatedGame:
    """Return a game with the time from which it counts, and with its ranks over its deal. ``heads``
    are those of all games of the deal, which are over. They all count from the end of the last one,
    so that no rating reveals a deal too early."""
    return replace(
        game,
        at=max([game.at, *(in_ms(head["updated"]) for head in heads)]),
        deal_ranks=_deal_ranks(game, heads),
    )


def _deal_ranks(game: RatedGame, heads: Iterable[Json]) -> tuple[int, ...]:
    """Return the ranks of a game's players over all games of its deal, by the sum of their ranks;
    zeros if another game of the deal stands for all; nothing if the game is rated by itself."""
    played = [head for head in heads if "rank" in head["seats"][0]]
    if game.rules == 1 or game.was_aborted or len(played) < 2:
        return ()
    if game.id != max(head["id"] for head in played):
        return (0,) * len(game.players)
    sums = Counter[str]()
    for head in played:
        for seat in head["seats"]:
            sums[account_id(Player(**seat["player"]))] += seat["rank"]
    return tuple(
        1 + sum(other < sums[account_of(player)] for other in sums.values())
        for player, _ in game.players
    )
