/** Where one begins: what is being played, a new game, one's own games, and all others. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account, client } from "../account.mjs";
import { asked } from "../lobby/asked.mjs";
import { Creating } from "../lobby/creating.mjs";
import { GameList, isMine } from "../lobby/lists.mjs";
import { news } from "../lobby/notices.mjs";
import { ordered } from "../screens.mjs";
import { NowPlaying } from "../lobby/now.mjs";
import { showHero } from "../lobby/hero.mjs";
import { showPosters } from "../lobby/posters.mjs";
import { texts } from "../texts/texts.mjs";
import { select } from "../why.mjs";

const MINE = { player: "me", status: "playing" };
const AGAIN = 15_000; // milliseconds until the open games are read again
const words = texts.lobby;

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { query, go }) {
  const wanted = query.get("invite");
  const [{ items }, { items: bots }, own, invited] = await Promise.all([
    client.get("/v1/boards"),
    client.get("/v1/bots"),
    account() ? client.get("/v1/games", { query: { ...MINE, limit: 10 } }).catch(() => null) : null,
    wanted ? client.get(`/v1/players/${wanted}`).catch(() => null) : null,
  ]);
  const boards = ordered(/** @type {import("../lobby/posters.mjs").ListedBoard[]} */ (items));
  const names = new Map(boards.map(({ id, name }) => [id, name]));
  const [isBack, isSetUp] = [own?.items.length > 0, query.has("board") || query.has("invite")];
  let withFriends = boards[0];
  const filter = (/** @type {string} */ board) => {
    for (const part of [now, joinable, all]) part.only(board);
  };
  const mine = html`<section class="card mine" ?hidden=${!isBack} aria-labelledby="my-games">
    <h2 id="my-games">${words.mine}</h2>
    <div></div>
  </section>`;
  const form = html`<section class="card" aria-labelledby="new-game">
    ${
      isSetUp
        ? html`<h1 id="new-game">${words.creating.title}</h1>`
        : html`<h2 id="new-game">${words.creating.title}</h2>`
    }
    <div class="new"></div>
  </section>`;
  const landing = html`<div class="landing">
    <div class="pitch">
      <h1>${words.title}</h1>
      <p>${words.what}</p>
      <p class="at-once">
        <button class="main" @click=${() => creating.playNow(boards[0])}>${words.playNow}</button>
        <span class="faint">${words.playNowWhy(boards[0].name)}</span>
      </p>
      <p class="trust"><a href="/docs/fairness.md">${words.trust}</a></p>
    </div>
    <section class="hero card" aria-label=${words.hero.title}></section>
  </div>`;
  render(
    html`<div class="page lobby">
      <section class="card asked" hidden aria-labelledby="asked">
        <h2 id="asked">${words.asked.title}</h2>
        <div></div>
      </section>
      ${isBack ? mine : nothing}${isSetUp ? form : landing}
      <section aria-labelledby="boards">
        <div class="row">
          <h2 id="boards">${words.boards}</h2>
          <button @click=${() => at("#new-game").scrollIntoView()}>${words.choices}</button>
        </div>
        <div class="of-boards"></div>
      </section>
      <div class="ways">
        <section class="card" aria-labelledby="friends">
          <h2 id="friends">${words.friends.title}</h2>
          <p>${words.friends.what}</p>
          <p class="row">
            ${select(texts.app.board, boards[0].id, [...names], (id) => {
              withFriends = boards.find((one) => one.id === id) ?? boards[0];
            })}
            <button class="main" @click=${() => creating.playNow(withFriends, "friends")}>
              ${words.friends.act}
            </button>
          </p>
        </section>
        <section class="card">
          <h2>${texts.app.tournaments}</h2>
          <p>${words.tournaments.what}</p>
          <p><a href="/tournaments">${words.tournaments.act}</a></p>
        </section>
        <section class="card">
          <h2>${words.api.title}</h2>
          <p>${words.api.what}</p>
          <p class="row">
            <a href="/docs/bots.md">${words.api.bots}</a> <a href="/docs">${words.api.docs}</a>
            <a href="/openapi.yaml">${words.api.openapi}</a>
          </p>
        </section>
      </div>
      <div class="columns">
        ${isSetUp ? nothing : form}
        <div class="aside">
          ${isBack ? nothing : mine}
          <section class="card joinable" aria-labelledby="open-games">
            <h2 id="open-games">${words.open}</h2>
            <div></div>
          </section>
        </div>
      </div>
      <section aria-labelledby="now-playing">
        <div class="row">
          <h2 id="now-playing">${words.now.title}</h2>
          ${select(texts.app.board, "", [["", texts.app.allBoards], ...names], filter)}
        </div>
        <div class="playing"></div>
      </section>
      <section class="card all" aria-labelledby="all-games">
        <h2 id="all-games">${words.all}</h2>
        <div></div>
      </section>
    </div>`,
    root,
  );
  const at = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(name));
  const { lists } = words;
  const creating = new Creating(at(".new"), {
    boards,
    bots,
    board: query.get("board"),
    go,
    invited,
  });
  void showPosters(
    at(".of-boards"),
    boards,
    (board) =>
      html`<button @click=${() => creating.playNow(board)} aria-label=${words.playOn(board.name)}>
        ${words.creating.play}
      </button>`,
  );
  if (!isSetUp) void showHero(at(".hero"), names, () => creating.playNow(boards[0], "watch"));
  const toJoin = { status: "lobby", ...(account() && { joinable: "me" }) };
  const now = new NowPlaying(at(".playing"), names);
  const mayJoin = (/** @type {Game} */ game) =>
    account() ? !isMine(game) : game.seats.some(({ player, invited }) => !player && !invited);
  const joinable = new GameList(at(".joinable > div"), {
    boards: names,
    go,
    keep: mayJoin,
    isSteady: true,
    kinds: [
      [lists.any, toJoin],
      [lists.rated, { ...toJoin, rated: "true" }],
      [lists.casual, { ...toJoin, rated: "false" }],
    ],
    empty: lists.noneToJoin,
  });
  const all = new GameList(at(".all div"), {
    boards: names,
    go,
    empty: lists.none,
    kinds: [
      [lists.finished, { status: "finished" }],
      [lists.playing, { status: "playing" }],
    ],
  });
  /** @type {GameList | null} */ let ofMine = null;
  const onNews = () => {
    at(".mine").hidden = !account();
    if (!account()) return;
    if (ofMine) void ofMine.load();
    else
      ofMine = new GameList(at(".mine div"), {
        boards: names,
        go,
        empty: lists.noneOfMine,
        first: own,
        kinds: [
          [lists.playing, MINE],
          [lists.waiting, { player: "me", status: "lobby" }],
          [lists.finished, { player: "me", status: "finished" }],
        ],
      });
  };
  onNews();
  const forgetAsked = asked(at(".asked"), names, go);
  news.addEventListener("change", onNews);
  const again = setInterval(() => {
    if (!document.hidden) void joinable.load();
  }, AGAIN);
  return () => {
    clearInterval(again);
    news.removeEventListener("change", onNews);
    now.close();
    forgetAsked();
  };
}
