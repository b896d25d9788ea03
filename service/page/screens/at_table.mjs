/** The parts that all screens of a game share: map, seats and replay. A live game and a replay
 * differ only in the version that is shown. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { account } from "../account.mjs";
import { GameMap } from "../map/map.mjs";
import { Motion } from "../play/motion.mjs";
import { Seats } from "../play/seats.mjs";
import { Table } from "../table.mjs";
import { texts } from "../texts/texts.mjs";
import { loadPart, withPart } from "../waiting.mjs";

const loadBar = () => import("../replay/bar.mjs"); // players need it only when they look back

/** A part of the screen: `update` redraws it after a change of the table, `close` releases its listeners and timers.
 * @typedef {{ update: () => void, close?: () => void }} Part
 * @typedef {(place: { at: (name: string) => HTMLElement, table: Table, map: GameMap,
 *   root: HTMLElement, address: Address }) => Part[]} Own */

/** Show a game; load optional parts on demand. @param {HTMLElement} root @param {Address} address
 * @param {Own} own makes the parts that are the screen's own @param {boolean} isFrame */
export async function openGame(root, address, own, isFrame = false) {
  const { id, query, go } = address;
  if (!account()) void loadPart(loadBar).catch(() => {}); // is asked for again where it is shown
  const table = await Table.load(id).catch(async (problem) => {
    if (!location.hash) throw problem;
    const { invited } = await loadPart(() => import("../lobby/joining.mjs"));
    if (!invited(root, id, () => go(location.pathname))) throw problem;
  });
  if (!table) return () => {};
  if (query.has("at")) {
    await table.whole;
    table.show(Number(query.get("at")));
  }
  const isPlaying = () =>
    table.seat !== null && (!table.isOver || table.isCounting) && table.isLatest;
  let Bar = isPlaying()
    ? undefined // where it is shown at once, the map takes its place beside it from the beginning
    : (await loadPart(loadBar).catch(() => undefined))?.ReplayBar;
  render(
    html`<div class="game">
      <h1 class="hidden-text">${table.board.name}</h1>
      <section class="tray" aria-label=${texts.game.play}></section>
      <section class="map" aria-label=${texts.game.map}></section>
      <div class="side">
        <section class="seats" aria-label=${texts.app.seats}></section>
        <section class="log" aria-label=${texts.game.log} tabindex="0"></section>
      </div>
      <section class="replay" aria-label=${texts.game.replay}></section>
    </div>`,
    root,
  );
  const at = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (root.querySelector(`.${name}`));
  Object.assign(at("game"), { table }); // for use in the browser's console
  const map = new GameMap(at("map"), table);
  /** @type {Part[]} */
  const parts = [
    map,
    new Seats(at("seats"), table, map),
    ...own({ at, table, map, root, address }),
    new Motion(table, map),
  ];
  let [isOpen, isScored, looksBack, hasPlayed] = [true, isFrame, false, isPlaying()];
  /** @type {import("../replay/bar.mjs").ReplayBar | null} */ let bar = null;
  let wasPlaying = false;
  const begin = () => {
    // to count, if the game has ended before the viewer's eyes
    const isStill = isFrame || matchMedia("(prefers-reduced-motion: reduce)").matches;
    table.isCounting ||=
      wasPlaying && table.isOver && !isStill && table.view.seats.some(({ result }) => result);
    wasPlaying = !table.isOver;
  };
  const score = async () => {
    isScored = true;
    const loading = loadPart(() => import("../scoring/scoring.mjs"));
    const { Scoring } = await loading.catch(
      () => /** @type {Partial<import("../scoring/scoring.mjs")>} */ ({}),
    );
    if (!isOpen) return;
    if (!Scoring) return table.counted();
    const place = at("scoring");
    if (!place) {
      isScored = false; // a lobby is shown, which has no place for it: the next version may have one
      return;
    }
    parts.push(new Scoring(place, table, map));
    update();
  };
  const lookBack = (/** @type {boolean} */ wants) => {
    looksBack = wants;
    table.show(null);
  };
  /** @type {boolean | null} */ let hasBar = null;
  const addBar = () => {
    if (!isOpen || !hasBar || bar || !Bar) return;
    bar = new Bar(at("replay"), table, map, { query, go, close: () => lookBack(false) });
    bar.start(query);
    bar.update();
  };
  const fetchBar = async () => {
    await withPart((part) => {
      Bar = part.ReplayBar;
    }, loadBar);
    addBar();
    if (!bar) hasBar = null; // it could not be loaded: with the next change it is tried again
  };
  const arrange = () => {
    // those who have played to the end, too, have the replay's bar only to look back
    const wasThere = hasBar;
    hasPlayed ||= isPlaying();
    hasBar = isFrame || looksBack || !hasPlayed || !table.isLatest;
    if (hasBar === wasThere) return;
    at("game").classList.toggle("at-play", !hasBar);
    if (hasBar) {
      render(nothing, at("replay"));
      if (Bar) addBar();
      else void fetchBar();
    } else {
      bar?.close();
      bar = null;
      render(
        html`<button @click=${() => lookBack(true)}>${texts.game.lookBack}</button>`,
        at("replay"),
      );
    }
  };
  const update = () => {
    begin();
    arrange();
    if (!hasBar) at("replay").hidden = table.version < 2 || table.view.status === "lobby"; // nothing to look back to
    for (const part of parts) part.update();
    bar?.update();
    if (!isScored && (table.isOver || table.view.final_turns !== undefined)) void score();
  };
  table.addEventListener("change", update);
  update();
  return () => {
    isOpen = false;
    table.close();
    for (const part of parts) part.close?.();
    bar?.close();
  };
}
