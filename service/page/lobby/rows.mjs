/** A game as a row of a list: on what, who plays, how it stands. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account, now } from "../account.mjs";
import { nameOf } from "../names.mjs";
import { texts } from "../texts/texts.mjs";
import { waitsFor } from "./notices.mjs";

const words = texts.lobby.rows;

/** Whether one sits in a game. @param {Game} game */
export const isMine = (game) => Boolean(account())
  && game.seats.some(({ player }) => player?.id === account()?.id);

/** A game. @param {Game} game @param {string} board its name @param {import("../vendor/lit-html/lit-html.js").TemplateResult} [more] */
export const row = (game, board, more) => html`<li class="game-row ${waitsFor(game, account()?.id) ? "yours" : ""}">
  <a class="name" href="/games/${game.id}">${board}<span class="hidden-text">: ${
    game.seats.map(({ player, invited }) => (player ?? invited)?.name ?? texts.app.openSeat).join(", ")}</span></a>
  <span class="standing">${standing(game)}</span>
  <span class="state faint">${state(game)}</span>${more ?? nothing}</li>`;

/** The players with their points; in a finished game the winner comes first. @param {Game} game */
export function standing(game) {
  const seats = [...game.seats].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return seats.map(({ player, invited, score, total, rank }) => html`<span class=${rank === 1 ? "won" : nothing}>${
    invited ? html`${nameOf(invited)} <small>${words.invited}</small>` : nameOf(player)}${total ?? score !== undefined ? html` <b>${total ?? score}</b>` : nothing}</span>`);
}

/** The decision that a game waits for, or the time of its end. @param {Game} game */
function state(game) {
  if (game.status === "lobby") {
    const open = game.seats.filter(({ player, invited }) => !player && !invited);
    const { rating_from: from, rating_to: to } = open[0] ?? {};
    return [[...open.length ? [words.open(open.length)] : [], texts.app.clock(game.clock),
      ...from !== undefined || to !== undefined ? [words.rating(from, to)] : []].join(" · ")];
  }
  if (game.status === "finished") {
    const isAborted = game.seats.every(({ total }) => total === undefined);
    return [isAborted ? words.aborted : texts.app.over, " ", ago(game.updated)];
  }
  if (waitsFor(game, account()?.id)) return html`<strong>${words.yourTurn}</strong>`;
  const { seat } = game.deciding[0] ?? {};
  return seat === undefined ? words.underWay
    : html`${words.waitsFor} ${nameOf(game.seats[seat]?.player)}`;
}

const STEPS = /** @type {const} */ ([["day", 86_400], ["hour", 3_600], ["minute", 60]]);

/** How long ago something was. @param {string} time */
function ago(time) {
  const seconds = Math.max(0, now() - Date.parse(time)) / 1000;
  const [unit, length] = STEPS.find(([, length]) => seconds >= length) ?? ["second", 1];
  const words = new Intl.RelativeTimeFormat(texts.language, { numeric: "auto" });
  return html`<time datetime=${time}>${words.format(-Math.floor(seconds / length), unit)}</time>`;
}
