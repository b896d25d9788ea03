/** How the entrants of a tournament stand. */

import { now } from "../account.mjs";
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { axis, interval, scale } from "../chart.mjs";
import { grid } from "./grid.mjs";
import { isMe, name, number, signed, when } from "./words.mjs";
import { texts } from "../texts/texts.mjs";

const words = texts.tournaments;

/** The table, with how far totals were above those of the others and how sure that is.
 * @param {API["Tournament"]} tournament */
export function standings({ standings: rows, entrants, round }) {
  const who = new Map(entrants.map((entrant) => [entrant.entrant, entrant]));
  const ends = rows.flatMap((row) => [row.margin ?? 0, ...(row.margin_interval ?? [])]);
  const reach = scale([...ends, -Math.max(0, ...ends)], 10);
  const hasBegun = round > 0;
  return html`${grid(
    hasBegun ? words.standings : words.entrants,
    [
      hasBegun && { title: texts.app.rank, number: true, cell: (row) => number(row.rank) },
      { title: words.entrant, head: true, cell: (row) => named(who.get(row.entrant), row.entrant) },
      hasBegun && {
        title: texts.app.points,
        number: true,
        cell: (row) => html`<strong>${number(row.points, 1)}</strong>`,
      },
      rows.some((row) => row.margin_interval) && {
        title: axis(reach, (mark) => signed(mark), words.interval),
        kind: "measured",
        cell: (row) =>
          row.margin_interval
            ? interval(reach, row.margin_interval[0], row.margin ?? 0, row.margin_interval[1])
            : "",
      },
      rows.some((row) => row.margin !== undefined) && {
        title: texts.players.margin,
        number: true,
        cell: margin,
      },
      rows.some((row) => row.mean_total !== undefined) && {
        title: words.meanTotal,
        number: true,
        cell: (row) => (row.mean_total === undefined ? "–" : number(row.mean_total, 1)),
      },
      hasBegun && {
        title: words.won,
        number: true,
        cell: (row) => words.of(number(row.wins), number(row.games)),
      },
      hasBegun && {
        title: html`<abbr title=${words.opponentsMean}>${texts.players.opponents}</abbr>`,
        number: true,
        cell: (row) => number(row.opponents_points, 1),
      },
      rows.some((row) => row.forfeits) && {
        title: words.forfeits,
        number: true,
        cell: (row) => number(row.forfeits),
      },
      hasBegun && { title: words.tables, number: true, cell: (row) => number(row.tables) },
      rows.some((row) => row.byes) && {
        title: words.byes,
        number: true,
        cell: (row) => number(row.byes),
      },
    ],
    rows,
    { hidden: true, empty: words.nobody, marked: (row) => isMe({ id: row.entrant }) },
  )}
  ${rows.some((row) => row.margin_interval) ? html`<p class="faint">${words.marginMeans}</p>` : ""}`;
}

/** Whether the standings are final. @param {API["Tournament"]} tournament */
export const isFinal = ({ standings_final_at: at }) => at !== undefined && now() >= Date.parse(at);

/** @param {API["Standing"]} row */
const margin = (row) =>
  row.margin === undefined
    ? "–"
    : html`${signed(row.margin, 1)}${
        row.margin_interval
          ? html` <span class="faint"
              >(${signed(row.margin_interval[0], 1)} ${words.to}
              ${signed(row.margin_interval[1], 1)})</span
            >`
          : ""
      }`;

/** @param {API["Entrant"] | undefined} entrant @param {string} id */
const named = (entrant, id) =>
  entrant
    ? html`${name(entrant.player)}${
        entrant.withdrawn
          ? html` <span class="tag">${entrant.absent ? words.absent : words.withdrawn}</span>`
          : ""
      }`
    : id;

/** Decisions of the creator, with reason and time. @param {Tournament} tournament */
export function traces({
  disqualified = [],
  reinstated = [],
  removed = [],
  ended_early: ended,
  entrants,
}) {
  const annulled = entrants.filter((entrant) => entrant.annulled);
  const rows = [
    ...disqualified.map(
      ({ player, reason, at }) =>
        html`${words.disqualified} ${name(player)}: <bdi>${reason}</bdi> ${faint(at)}`,
    ),
    ...reinstated.map(
      ({ player, reason, lifted_at: at }) =>
        html`${words.reinstated} ${name(player)}: <bdi>${reason}</bdi> ${faint(at)}`,
    ),
    ...removed.map(
      ({ player, reason, at }) =>
        html`${words.removed} ${name(player)}${because(reason)} ${faint(at)}`,
    ),
    ...(ended ? [html`${words.endedEarly}${because(ended.reason)} ${faint(ended.at)}`] : []),
    ...annulled.map(({ player }) => html`${words.annulled} ${name(player)}`),
  ];
  return rows.length
    ? html`<ul class="traces">
        ${rows.map((row) => html`<li>${row}</li>`)}
      </ul>`
    : nothing;
}

/** @param {string} [reason] */
const because = (reason) => (reason ? html`: <bdi>${reason}</bdi>` : nothing);

/** @param {string} [at] a time */
const faint = (at = "") => html`<span class="faint">${when(at, true)}</span>`;
