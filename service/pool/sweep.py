"""The sweep of the pool: records finished games, tests new bots, pairs ready accounts, and creates
the games.

A pairing exists once its change is in Redis. If a process dies after that, the next sweep creates
the missing games.
"""

from collections import defaultdict
from dataclasses import replace
from itertools import chain, islice
from statistics import mean

import orjson

from domain.game.commands import Player
from domain.pool import Meetings, Ready, Table, pair, tables
from service.accounts import accounts, bots
from service.accounts.accounts import Account
from service.accounts.invitations import rules_of
from service.accounts.versions import owner_of, version_id
from service.games.store import LoadedGame
from service.pool import games as pool_games
from service.pool.pool import (
    EARLY,
    FORGET_AFTER_MS,
    MAX_EARLY,
    STATISTICS_TTL_S,
    Commands,
    Pairing,
    Pool,
    State,
    day,
    key,
    remove,
    remove_for_fault,
    to_json,
    waiting_since,
)
from service.redis.guarding import log_errors
from service.times import as_time, now_in_ms

DAYS = ("games", "met", "sums")


def sweep(pool: Pool) -> None:
    """Run the sweep once: record finished games, or else test and pair the ready accounts."""
    state, at = pool.state(), now_in_ms()
    if not state.entries and not state.pairings:
        return
    # first, as it may remove accounts that must not be paired
    if finished := _record_finished(pool, state, at):
        pool.change(state.version, finished, _days(at))
        return
    commands: Commands = [
        command
        for player in state.entries
        if state.expiry.get(player, 0) < at - FORGET_AFTER_MS
        for command in remove(player)
    ]
    new: list[Pairing] = []
    ready = {
        account.id: account
        for account in accounts.some(
            pool.redis, [player for player in state.entries if state.is_ready(player, at)]
        )
    }
    for step in (_new_tests, _new_pairings):
        more, pairings = step(pool, state, ready, at)
        commands += more
        new += pairings
    if commands and pool.change(state.version, commands, _days(at)):
        for paired in new:
            for rotation in range(len(paired.games)):
                pool_games.create_game(pool.games, paired, rotation)


def _days(at: int) -> list[str]:
    return [day(name, at) for name in DAYS]


def _record_finished(pool: Pool, state: State, at: int) -> Commands:
    """Return the commands that record newly finished games and their faults."""
    commands: Commands = []
    under_way = [
        game
        for paired in state.pairings.values()
        for game in paired.games
        if game not in paired.finished
    ]
    heads = dict(zip(under_way, pool.games.store.heads(under_way), strict=True))
    rows: list[tuple[Pairing, list[LoadedGame]]] = []
    violations = defaultdict[str, list[tuple[str, str]]](list)  # account -> reasons, game ids
    for paired in state.pairings.values():
        waiting = [heads[game] for game in paired.games if game in heads]
        with log_errors(f"the pairing {paired.id} is removed, as it cannot be checked") as guard:
            over = pool_games.newly_finished(pool.games, paired, waiting)
            rows.append((paired, over))
            for game in over:
                of_game = pool_games.violations(pool.games, game)
                for player, why in of_game.items():
                    violations[player].append((why, game.state.id))
                commands += _uncount(paired, game, of_game, at)
        if guard.failed:
            commands.append(["HDEL", key("pairings"), paired.id])
    for player, of_player in violations.items():
        commands += _record_faults(pool, player, of_player, at)
    for paired, over in rows:
        if over:
            commands += _finish(paired, [game.state.id for game in over])
            stayed = set[str]().union(*map(pool_games.stayed, over))
            for row in paired.players:
                if row["id"] not in violations:
                    commands += _record_success(state, paired, Player(**row), at)
                    if row["id"] in stayed or not _has_resigned(pool.removal(row["id"])):
                        commands.append(["HDEL", key("removed"), row["id"]])
    return commands


def _record_faults(pool: Pool, player: str, faults: list[tuple[str, str]], at: int) -> Commands:
    """Return the commands that remove a player for these faults, reasons with the ids of games; if
    they are early resignations and still too few for that, those that count them."""
    removal = pool.removal(player)
    early = [game for why, game in faults if why == EARLY]
    others = [row for row in faults if row[0] != EARLY]
    count = removal.get(EARLY, 0) + len(early)
    if not others and count < MAX_EARLY:
        text = orjson.dumps(removal | {EARLY: count}).decode()
        return [["HSET", key("removed"), player, text]]
    why, game_id = others[0] if others else ("resigned", early[-1])
    return [*remove_for_fault(player, why, game_id, removal, at), _sum(at, f"removed_{why}")]


def _has_resigned(removal: dict) -> bool:
    """Return whether an account has resigned games of the pool too early. Only a game that it plays
    to its end with another account is a reason to forget that."""
    return EARLY in removal or removal.get("reason") == "resigned"


def _uncount(paired: Pairing, game: LoadedGame, violations: dict[str, str], at: int) -> Commands:
    """Return the commands that take a game from today's counts if somebody left it unplayed."""
    players = {player.id: seat for seat, player in enumerate(game.state.players) if player}
    wasted = any(not pool_games.has_played(game, players[player]) for player in violations)
    if not wasted or paired.test or day("games", paired.at) != day("games", at):
        return []
    return [
        ["HINCRBY", day("games", at), row["id"], "-1"]
        for row in paired.players
        if row["id"] not in violations and not Player(**row).is_built_in
    ]


def _record_success(state: State, paired: Pairing, player: Player, at: int) -> Commands:
    if player.is_built_in:
        return []
    commands: Commands = []
    if paired.test:
        commands += [
            ["HSET", key("passed"), player.id, player.version or ""],
            _sum(at, "tests_passed"),
        ]
    entry = state.entries.get(player.id)
    if entry and (paired.test or state.under_way(player.id) >= entry.parallel_games):
        # waits from now on
        commands.append(["HSET", key("entries"), player.id, waiting_since(entry, at)])
    return commands


def _finish(paired: Pairing, over: list[str]) -> Commands:
    done = (*paired.finished, *over)
    if len(done) == len(paired.games):
        return [["HDEL", key("pairings"), paired.id]]
    now = Pairing(**{**vars(paired), "finished": done})
    return [["HSET", key("pairings"), paired.id, to_json(now)]]


def _new_tests(
    pool: Pool, state: State, ready: dict[str, Account], at: int
) -> tuple[Commands, list[Pairing]]:
    """Return new tests of accounts that need one, and the commands that store them."""
    under_test = {
        row["id"] for paired in state.pairings.values() if paired.test for row in paired.players
    }
    new = []
    for player, account in ready.items():
        if player in under_test or has_passed(state, account):
            continue
        entry = state.entries[player]
        boards = pool.games.store.boards
        for board, seats in [
            (board, seats)
            for board in entry.boards
            if board in boards
            for seats in entry.seats
            if seats in boards[board].players
        ][:1]:
            new.append(
                pool_games.test_of(pool.games, account.player, board, seats, entry.clocks[0], at)
            )
    return [["HSET", key("pairings"), paired.id, to_json(paired)] for paired in new], new


def has_passed(state: State, account: Account) -> bool:
    """Return whether the current version of a bot has passed the test."""
    return state.passed.get(account.id) == (account.version or "")


def _new_pairings(
    pool: Pool, state: State, accounts_ready: dict[str, Account], at: int
) -> tuple[Commands, list[Pairing]]:
    played, met = _today(pool, at)
    free = [
        account
        for account in accounts_ready.values()
        if has_passed(state, account)
        and state.under_way(account.id) < state.entries[account.id].parallel_games
    ]
    if not free:
        return [], []
    players = {account.id: account.player for account in free} | {
        player.id: player for player in (bots.player(name, 0) for name in bots.OFFERED)
    }
    names = {
        player: [f"{player}:{board}" for board in pool.games.store.boards]
        if one.is_built_in
        else [version_id(one)]
        for player, one in players.items()
    }
    mus = iter(pool.games.strengths.mus([*chain(*names.values())]))
    ratings = {player: mean(islice(mus, len(of))) for player, of in names.items()}
    rules = rules_of(pool.redis, [account.id for account in free])
    ready = [
        replace(
            _ready(state, account.id, ratings, played, at),
            blocked=accounts_rules.blocked_in_pool(as_time(at)[:10]),
        )
        for account, accounts_rules in zip(free, rules, strict=True)
    ]
    boards = pool.games.store.boards
    built_in = [
        Ready(
            player.id,
            ratings[player.id],
            owner_of(player),
            is_built_in=True,
            refused=frozenset(
                name for name, board in boards.items() if bots.refusal(player.bot or "", board)
            ),
        )
        for player in players.values()
        if player.is_built_in
    ]
    commands: Commands = []
    new = []
    for table in tables(ready, built_in, met, boards):
        paired = pool_games.pairing(pool.games, table, players, at)
        new.append(paired)
        commands.append(["HSET", key("pairings"), paired.id, to_json(paired)])
        commands += _count(state, table, len(paired.games), at)
    if new:
        commands += [["EXPIRE", name, str(STATISTICS_TTL_S)] for name in _days(at)]
    return commands, new


def _ready(
    state: State, player: str, ratings: dict[str, float], played: dict[str, int], at: int
) -> Ready:
    entry = state.entries[player]
    opponents = {
        row["id"]
        for paired in state.pairings.values()
        if paired.under_way(player)
        for row in paired.players
    } - {player}
    return Ready(
        player,
        ratings[player],
        entry.owner,
        entry.boards,
        entry.seats,
        entry.clocks,
        played.get(player, 0),
        entry.parallel_games - state.under_way(player),
        at - entry.since,
        frozenset(opponents),
    )


def _today(pool: Pool, at: int) -> tuple[dict[str, int], Meetings]:
    pipe = pool.redis.pipeline(transaction=False)
    pipe.hgetall(day("games", at))
    pipe.hgetall(day("met", at))
    games, met = pipe.execute()
    meetings: dict[tuple[str, str], int] = defaultdict(int)
    for names, count in met.items():
        one, other = names.decode().split(" ")
        meetings[one, other] = int(count)
    return {player.decode(): int(count) for player, count in games.items()}, meetings


def _count(state: State, table: Table, games: int, at: int) -> Commands:
    people = [one for one in table.players if not one.is_built_in]
    commands: Commands = [
        _sum(at, "pairings"),
        _sum(at, "games", games),
        _sum(at, "rating_difference", round(1000 * table.rating_difference)),
        _sum(at, "people", len(people)),
        _sum(at, "waited", sum(one.waited for one in people)),
    ]
    if len(people) < len(table.players):
        commands.append(_sum(at, "with_built_in"))
    for place, one in enumerate(table.players):
        if not one.is_built_in:
            commands += [
                ["HINCRBY", day("games", at), one.id, str(games)],
                ["HSET", key("entries"), one.id, waiting_since(state.entries[one.id], at)],
            ]
        for other in table.players[place + 1 :]:
            if one.id != other.id:
                commands.append(["HINCRBY", day("met", at), " ".join(pair(one.id, other.id)), "1"])
    return commands


def _sum(at: int, name: str, more: int = 1) -> list[str]:
    return ["HINCRBY", day("sums", at), name, str(more)]
