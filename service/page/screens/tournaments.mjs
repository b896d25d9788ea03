/** Tournaments: those under way, those to be entered, those that are over; and setting one up. */

import { client } from "../account.mjs";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { grid } from "../records/grid.mjs";
import { boardNames, number, when } from "../records/words.mjs";
import { Paged } from "../records/paged.mjs";
import { settingUp } from "../records/setting_up.mjs";
import { texts } from "../texts/texts.mjs";

/** @typedef {API["ListedTournament"]} Listed */

const words = texts.tournaments;
const STATUSES = /** @type {const} */ (["running", "open", "finished"]);

/** @param {HTMLElement} root @param {Address} address */
export async function open(root, { go }) {
  const draw = () =>
    render(
      html`<div class="page records">
        <h1>${texts.app.tournaments}</h1>
        <p>${words.what} <a href="/docs/tournaments.md">${words.how}</a></p>
        ${lists.map((list) => section(list, called))}${form()}
      </div>`,
      root,
    );
  const lists = STATUSES.map(
    (status) =>
      /** @type {Paged<Listed>} */ (new Paged("/v1/tournaments", { status, limit: 20 }, draw)),
  );
  const [called, bots] = await Promise.all([
    boardNames(),
    client.get("/v1/bots"),
    ...lists.map((list) => list.more()),
  ]);
  const form = settingUp(called, bots.items, go, draw);
  draw();
  return () => {};
}

/** @param {Paged<Listed>} list @param {Map<string, string>} called boards by id */
function section(list, called) {
  const status = /** @type {Listed["status"]} */ (list.query.status);
  const heading = words.lists[status];
  return html`<section class="card">
    <h2>${heading}</h2>
    ${grid(
      heading,
      [
        {
          title: texts.app.name,
          head: true,
          cell: (row) => html`<a href="/tournaments/${row.id}"><bdi>${row.name}</bdi></a>`,
        },
        { title: words.format, cell: (row) => words.formats[row.format] },
        {
          title: texts.app.boards,
          kind: "wide",
          cell: (row) => row.boards.map((board) => called.get(board) ?? board).join(", "),
        },
        { title: words.entrants, number: true, cell: (row) => number(row.entered) },
        status !== "open" && {
          title: words.rounds,
          number: true,
          cell: (row) => number(row.round),
        },
        status === "open" && {
          title: words.starts,
          cell: (row) => (row.starts_at ? when(row.starts_at, true) : words.byHand),
        },
        { title: words.changed, kind: "wide", cell: (row) => when(row.updated) },
      ],
      list.items,
      { hidden: true, empty: words.none[status] },
    )}
    ${list.items.length ? list.button() : nothing}
  </section>`;
}
