/** Names, numbers and times as every record shows them. */

import { account, client } from "../account.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { named } from "../names.mjs";
import { texts } from "../texts/texts.mjs";

const LANGUAGE = texts.language;
const DAY = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" });
const TIME = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "short" });
const MINUTE = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });

/** A number with so many places behind the point. @param {number} value @param {number} [places] */
export const number = (value, places = 0) =>
  new Intl.NumberFormat(LANGUAGE, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    signDisplay: "negative",
  })
    .format(value)
    .replace("-", "−");

/** The same with its sign. @param {number} value @param {number} [places] */
export const signed = (value, places = 0) => (value > 0 ? "+" : "") + number(value, places);

/** A time in milliseconds, in a unit that suits it. @param {number} time */
export const duration = (time) =>
  time < 1000 ? `${number(time)} ms` : `${number(time / 1000, 1)} s`;

/** A share of 1 in per cent. @param {number} value */
export const percent = (value) => `${number(100 * value)} %`;

/** A moment as text. @param {string} time */
export const moment = (time) => MINUTE.format(new Date(time));

/** A day, of today the minute, or with `full` both, as an element.
 * @param {string} time @param {boolean} [full] */
export const when = (time, full = false) =>
  html`<time datetime=${time} title=${moment(time)}
    >${full ? moment(time) : (isToday(time) ? TIME : DAY).format(new Date(time))}</time
  >`;

/** @param {string} time */
const isToday = (time) => new Date(time).toDateString() === new Date().toDateString();

/** Whether a player is who looks at the page. @param {{ id: string }} player */
export const isMe = (player) => player.id === account()?.id;

/** A number with what places it has, two at most. @param {number} value */
export const plain = (value) =>
  new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 2 }).format(value);

/** A player's name with all that is known of them.
 * @param {API["Player"]} player @param {string} [owner] the name of a bot's owner */
export const name = (player, owner) =>
  html`${named(player)}${
    player.version ? html` <span class="faint">${player.version}</span>` : nothing
  }${
    player.owner && owner
      ? html` <span class="faint"
          >${texts.players.of} <a href="/players/${player.owner}"><bdi>${owner}</bdi></a></span
        >`
      : nothing
  }${isMe(player) ? html` <span class="tag me">${texts.players.you}</span>` : nothing}`;

/** Facts, each with what it is called; those that are undefined are left out.
 * @param {[string, unknown][]} facts */
export const facts = (facts) =>
  html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== undefined && value !== nothing)
      .map(
        ([title, value]) =>
          html`<div>
            <dt>${title}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;

/** The names of boards by id. @returns {Promise<Map<string, string>>} */
export async function boardNames() {
  const { items } = await client.get("/v1/boards");
  return new Map(items.map((/** @type {any} */ board) => [board.id, board.name]));
}
