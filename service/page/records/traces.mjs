/** Decisions of a tournament's creator, with reason and time. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { name, when } from "./words.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.tournaments;

/** @param {API["Tournament"]} tournament */
export function traces({ disqualified = [], reinstated = [], removed = [], ended_early: ended, entrants }) {
  const annulled = entrants.filter((entrant) => entrant.annulled);
  const rows = [
    ...disqualified.map(({ player, reason, at }) => html`${words.disqualified} ${name(player)}: <bdi>${reason}</bdi> ${faint(at)}`),
    ...reinstated.map(({ player, reason, lifted_at: at }) => html`${words.reinstated} ${name(player)}: <bdi>${reason}</bdi> ${faint(at)}`),
    ...removed.map(({ player, reason, at }) => html`${words.removed} ${name(player)}${because(reason)} ${faint(at)}`),
    ...ended ? [html`${words.endedEarly}${because(ended.reason)} ${faint(ended.at)}`] : [],
    ...annulled.map(({ player }) => html`${words.annulled} ${name(player)}`),
  ];
  return rows.length ? html`<ul class="traces">${rows.map((row) => html`<li>${row}</li>`)}</ul>` : nothing;
}

/** @param {string} [reason] */
const because = (reason) => (reason ? html`: <bdi>${reason}</bdi>` : nothing);

/** @param {string} [at] a time */
const faint = (at = "") => html`<span class="faint">${when(at, true)}</span>`;
