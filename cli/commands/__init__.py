"""The commands, a file for each group."""

from __future__ import annotations

from cli.commands import arena, boards, bots, histories, ratings, serving, tournaments

COMMANDS = (
    serving.up, serving.demo, boards.board, bots.bot, arena.arena, tournaments.tournament,
    ratings.leaderboard, histories.verify, histories.replay, histories.refold,
    histories.import_games, histories.export, histories.rebuild,
)
