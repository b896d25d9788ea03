/** Where one begins: what is being played, a new game, one's own games, and all others. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, client } from "../account.mjs";
import { Asked } from "../lobby/asked.mjs";
import { Creating, select } from "../lobby/creating.mjs";
import { GameList } from "../lobby/lists.mjs";
import { Client } from "../client.mjs";
import { isMine } from "../lobby/rows.mjs";
import { news } from "../lobby/notices.mjs";
import { newcomers } from "../screens.mjs";
import { NowPlaying } from "../lobby/now.mjs";
import { texts } from "../texts/texts.mjs";

const AGAIN = 15_000; // milliseconds until the open games are read again
const words = texts.lobby;

/** How many seats were played on each board, by its id; empty if that is not known at once.
 * @returns {Promise<Map<string, number>>} */
async function oftenPlayed() {
  const { items } = await new Client({ patience: 0 }).get("/v1/stats/bots").catch(() => ({ items: [] }));
  const seats = new Map();
  for (const { board, played } of items) seats.set(board, (seats.get(board) ?? 0) + played);
  return seats;
}

/** @param {HTMLElement} root @param {import("../app.mjs").Address} address */
export async function open(root, { query, go }) {
  const wanted = query.get("invite");
  const [{ items: listed }, { items: bots }, played, invited] = await Promise.all([
    client.get("/v1/boards"), client.get("/v1/bots"), oftenPlayed(),
    wanted ? client.get(`/v1/players/${wanted}`).catch(() => null) : null]);
  const often = (/** @type {any} */ { id }) => played.get(id) ?? (id === newcomers ? 0.5 : 0); // the easy one first
  const boards = listed.toSorted((/** @type {any} */ one, /** @type {any} */ other) => often(other) - often(one));
  const first = account() ? null : boards.find((/** @type {any} */ { id }) => id === newcomers);
  const names = new Map(boards.map((/** @type {any} */ { id, name }) => [id, name]));
  const filter = (/** @type {string} */ board) => {
    for (const part of [now, joinable, all]) part.only(board);
  };
  render(html`<div class="page lobby">
    <header><div><h1>${words.title}</h1><p>${words.what}</p></div>
      ${first ? html`<p class="at-once"><button class="main" @click=${() => creating.playNow(first)}>${
        words.playNow(first.name)}</button> <small class="faint">${words.playNowWhy}</small></p>` : nothing}</header>
    <div class="columns">
      <section class="card" aria-labelledby="new-game"><h2 id="new-game">${words.creating.title}</h2><div class="new"></div></section>
      <div class="aside">
        <section class="card asked" hidden aria-labelledby="asked"><h2 id="asked">${words.asked.title}</h2><div></div></section>
        <section class="card mine" hidden aria-labelledby="my-games"><h2 id="my-games">${words.mine}</h2><div></div></section>
        <section class="card joinable" aria-labelledby="open-games"><h2 id="open-games">${words.open}</h2><div></div></section>
      </div>
    </div>
    <section aria-labelledby="now-playing"><div class="row"><h2 id="now-playing">${words.now.title}</h2>
      ${select(words.board, "", [["", words.allBoards], ...names], filter)}</div><div class="playing"></div></section>
    <section class="card all" aria-labelledby="all-games"><h2 id="all-games">${words.all}</h2><div></div></section>
  </div>`, root);
  const at = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(name));
  const { lists } = words;
  const creating = new Creating(at(".new"), { boards, bots, board: query.get("board"), go, invited });
  const toJoin = { status: "lobby", ...(account() && { joinable: "me" }) };
  const now = new NowPlaying(at(".playing"), names);
  const mayJoin = (/** @type {import("../lobby/rows.mjs").Game} */ game) => (account() ? !isMine(game)
    : game.seats.some(({ player, invited }) => !player && !invited));
  const joinable = new GameList(at(".joinable > div"), { boards: names, go, keep: mayJoin, isSteady: true,
    kinds: [[lists.any, toJoin], [lists.rated, { ...toJoin, rated: "true" }], [lists.casual, { ...toJoin, rated: "false" }]],
    empty: lists.noneToJoin });
  const all = new GameList(at(".all div"), { boards: names, go, empty: lists.none,
    kinds: [[lists.finished, { status: "finished" }], [lists.playing, { status: "playing" }]] });
  /** @type {GameList | null} */ let mine = null;
  const onNews = () => {
    at(".mine").hidden = !account();
    if (!account()) return;
    if (mine) void mine.load();
    else mine = new GameList(at(".mine div"), { boards: names, go, empty: lists.noneOfMine,
      kinds: [[lists.playing, { player: "me", status: "playing" }],
        [lists.waiting, { player: "me", status: "lobby" }],
        [lists.finished, { player: "me", status: "finished" }]] });
  };
  onNews();
  const asked = new Asked(at(".asked"), { boards: names, go });
  news.addEventListener("change", onNews);
  const again = setInterval(() => {
    if (!document.hidden) void joinable.load();
  }, AGAIN);
  return () => {
    clearInterval(again);
    news.removeEventListener("change", onNews);
    for (const part of [now, creating, asked]) part.close();
  };
}
