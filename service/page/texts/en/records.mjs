/** What the page says of tournaments, leaderboards, players and boards, in English. */
import { boards } from "./boards.mjs";
import { leaderboards } from "./leaderboards.mjs";
import { players } from "./players.mjs";
import { tournaments } from "./tournaments.mjs";

export const en = { tournaments, leaderboards, players, boards };
