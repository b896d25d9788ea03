/** A game that replays itself on the first screen: the latest one worth seeing, else the one under way that
 * has gone farthest, else one that ships with the page. */

import { html, render, svg } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { byId, claim, extent, ground, names, spots, station, tracks } from "../map/drawing.mjs";
import { chartOf } from "./posters.mjs";
import { client } from "../account.mjs";
import { addressOf } from "../files.mjs";
import { allViews } from "../fetched.mjs";
import { nameOf } from "../names.mjs";
import { seatBadge } from "../marks.mjs";
import { texts } from "../texts/texts.mjs";

const WHOLE = 60_000; // milliseconds that a game should take
const [LEAST, MOST, CLAIM, END] = [100, 600, 1200, 6000]; // milliseconds of a version: any, one with a claim, the last
const IDLE = 400; // milliseconds until it begins, and between checks whether it may go on
const BEGIN = 0.4; // of the game: where it begins, as an empty map shows little
const SHORT = 30; // versions: what has fewer is not worth seeing
const SHIPPED = addressOf("lobby/landing_game.ndjson");
const words = texts.lobby.hero;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The game to show, if the service has one. @returns {Promise<Game | undefined>} */
async function worthSeeing() {
  const list = async (/** @type {string} */ status) =>
    /** @type {Game[]} */ (
      (
        await client.get("/v1/games", {
          query: { status, limit: 20 },
        })
      ).items
    ).filter(({ version }) => version >= SHORT);
  return (
    (await list("finished")).find(({ seats }) => seats.every(({ total }) => total !== undefined)) ??
    (await list("playing")).toSorted((one, other) => other.version - one.version)[0]
  );
}

/** Fetch a game after the first paint, and show it for as long as the screen is there. Without any there is only its place.
 * @param {HTMLElement} root @param {Map<string, string>} boards their names by id @param {() => void} watch starts a game of bots */
export async function showHero(root, boards, watch) {
  await new Promise((done) => setTimeout(done, IDLE));
  let game = await worthSeeing().catch(() => undefined);
  let views = game ? await allViews(game.id).catch(() => []) : [];
  if (!views.length) [game, views] = [undefined, await allViews("", SHIPPED).catch(() => [])];
  const { board = "" } = views[0] ?? {};
  const chart = board && (await chartOf(board).catch(() => null));
  if (!chart) return;
  let [at, isPaused] = [Math.floor(views.length * BEGIN), false];
  const draw = drawn(root, chart, words.shown(boards.get(board) ?? board), game, watch, () => {
    isPaused = !isPaused;
    tick();
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
  /** Show a version, and go on to the next one after a while. */
  const tick = () => {
    clearTimeout(timer);
    if (!root.isConnected) return;
    const { top, bottom } = root.getBoundingClientRect();
    const mayMove =
      !isPaused && !still.matches && !document.hidden && bottom > 0 && top < innerHeight;
    if (still.matches) at = views.length - 1;
    const hasClaim = draw(views[at], isPaused);
    const lasts =
      at === views.length - 1
        ? END
        : hasClaim
          ? CLAIM
          : Math.min(MOST, Math.max(LEAST, WHOLE / views.length));
    timer = setTimeout(
      () => {
        if (mayMove) at = (at + 1) % views.length;
        tick();
      },
      mayMove ? lasts : IDLE,
    );
  };
  tick();
}

/** Draw the board; return what shows a view on it, and says whether it has a new claim. @param {HTMLElement} root
 * @param {import("./posters.mjs").Chart} chart @param {string} name @param {Game | undefined} game
 * @param {() => void} watch @param {() => void} pause @returns {(view: any, isPaused: boolean) => boolean} */
function drawn(root, { table, layout }, name, game, watch, pause) {
  const { x, y, width, height } = extent(layout);
  render(
    html`<a class="scene" href=${game ? `/games/${game.id}` : `/boards/${table.board}`}>
        <svg class="chart" role="img" aria-label=${name} viewBox="${x} ${y} ${width} ${height}">
          ${ground(table, layout)}${tracks(table, layout)}
          <g class="claims"></g>
          ${spots(table, layout)}
          <g class="pieces"></g>
          <g class="names" font-size=${layout.font}>${names(layout)}</g>
        </svg></a
      >
      <ol class="seats"></ol>
      <p class="row">
        <button class="pause" @click=${pause}></button><span class="faint">${name}</span>
        ${game ? html`<a href="/games/${game.id}?at=1&speed=show">${words.whole}</a>` : html`<button @click=${watch}>${words.watch}</button>`}
      </p>`,
    root,
  );
  const [ofClaims, ofPieces, ofSeats, button] = ["claims", "pieces", "seats", "pause"].map(
    (part) => /** @type {any} */ (root.querySelector(`.${part}`)),
  );
  const [routes, spaces, places] = [table.routes, layout.routes, layout.locations].map(byId);
  /** @type {Set<string>} */ let laid = new Set();
  return ({ claims = [], stations = [], seats, deciding = [] }, isPaused) => {
    const known = claims.filter((/** @type {any} */ { route }) => spaces.has(route)); // a board may have been corrected
    const fresh = known.filter((/** @type {any} */ { route }) => !laid.has(route));
    if (fresh.length || known.length < laid.size) {
      render(
        repeat(
          known,
          ({ route }) => route,
          ({ route, seat }) =>
            svg`<g class=${fresh.length === 1 && fresh[0].route === route ? "new" : ""}>${claim(
              routes.get(route),
              spaces.get(route).spaces,
              places,
              seat,
            )}</g>`,
        ),
        ofClaims,
      );
    }
    laid = new Set(known.map((/** @type {any} */ { route }) => route));
    render(
      stations.map((/** @type {any} */ { location, seat }) => station(places.get(location), seat)),
      ofPieces,
    );
    render(
      seats.map(
        (/** @type {any} */ { player, score = 0, result }, /** @type {number} */ seat) =>
          html` <li
            class="${deciding.some((/** @type {any} */ one) => one.seat === seat) ? "decides" : ""} ${result?.rank === 1 ? "won" : ""}"
          >
            ${seatBadge(seat)} <span class="name">${nameOf(player)}</span>
            <b>${result?.total ?? score}</b>
          </li>`,
      ),
      ofSeats,
    );
    const [textContent, ariaLabel] = isPaused ? ["▶", words.play] : ["❚❚", words.pause];
    Object.assign(button, { hidden: still.matches, textContent, ariaLabel });
    return fresh.length > 0;
  };
}
